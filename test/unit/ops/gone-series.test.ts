import { expect, test } from 'vitest'
import { followGoneSeries } from '../../../host/status/gone-series.ts'
import type { Metrics } from '../../../kernel/log/metrics.ts'
import { PrometheusMetrics } from '../../../host/telemetry/metrics.ts'
import type { MountedProduct } from '../../../kernel/products/mounted-product.ts'
import type { Snapshot } from '../../../kernel/products/snapshot.ts'

function product(id: string, skills: readonly string[]): MountedProduct {
  const entries = skills.map((skill) => ({
    unpriced: {
      skill: { id: skill },
      route: { method: 'GET', path: `/v1/${skill}` },
      tools: [{ name: `tool.${skill}` }],
    },
  }))
  return { id, entries, parts: { routes: [] } } as unknown as MountedProduct
}

/** A registry whose products the test changes by hand. */
function registryOf(...products: MountedProduct[]) {
  const snapshotOf = (mounted: readonly MountedProduct[]): Snapshot =>
    ({ products: new Map(mounted.map((one) => [one.id, one])) }) as unknown as Snapshot
  let snapshot = snapshotOf(products)
  let listener = (): void => {}
  return {
    current: () => snapshot,
    onChange(next: () => void) {
      listener = next
      return () => {}
    },
    change(...mounted: MountedProduct[]) {
      snapshot = snapshotOf(mounted)
      listener()
    },
  }
}

function count(metrics: Metrics, ...skills: string[]): void {
  for (const skill of skills) {
    metrics.call(skill, 'credits', 'charged', 1n)
    metrics.request('GET', `/v1/${skill}`, 200, 0.01)
    metrics.request('MCP', `mcp://tool/tool.${skill}`, 200, 0.01)
  }
}

const shown = async (metrics: Metrics, skill: string): Promise<number> =>
  (await metrics.text()).split('\n').filter((line) => line.includes(`${skill}"`)).length

test('the series of a removed product and of a removed skill go, the others stay', async () => {
  const metrics = new PrometheusMetrics()
  const kept = product('kept', ['kept.one'])
  const registry = registryOf(
    kept,
    product('two', ['two.a', 'two.b']),
    product('three', ['three.a']),
  )
  followGoneSeries(registry, metrics)
  count(metrics, 'kept.one', 'two.a', 'two.b', 'three.a')
  const each = await shown(metrics, 'kept.one')
  expect(each).toBeGreaterThan(2)

  registry.change(kept, product('two', ['two.a']))
  expect(await shown(metrics, 'kept.one')).toBe(each)
  expect(await shown(metrics, 'two.a')).toBe(each)
  expect(await shown(metrics, 'two.b')).toBe(0)
  expect(await shown(metrics, 'three.a')).toBe(0)
})

test('what a call counts after its product is gone goes with the next change, unless it is back', async () => {
  const metrics = new PrometheusMetrics()
  const registry = registryOf(product('late', ['late.one']), product('back', ['back.one']))
  followGoneSeries(registry, metrics)
  registry.change()
  count(metrics, 'late.one', 'back.one')
  registry.change(product('back', ['back.one']))
  expect(await shown(metrics, 'late.one')).toBe(0)
  expect(await shown(metrics, 'back.one')).toBeGreaterThan(0)
})
