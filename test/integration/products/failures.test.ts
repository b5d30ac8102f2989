import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { formatProblem } from '../../../kernel/products/problem.ts'
import type { Applied } from '../../../kernel/plugins/product-desk.ts'
import type { ProductRegistry } from '../../../kernel/products/registry.ts'
import { testDatabase, type TestDatabase } from '../../support/database.ts'
import { priceHistory } from '../../../host/price-history/index.ts'
import { DEMO, registryOn, until } from './harness.ts'
import { misbehaving, odd } from './misbehaving.ts'

let database: TestDatabase
let registry: ProductRegistry
const calls: string[] = []
const closedRails = new Set<string>()

beforeAll(async () => {
  database = await testDatabase()
  registry = await registryOn(database.db, {
    extra: [misbehaving(calls)],
    railAvailable: (id) =>
      closedRails.has(id) ? { ok: false, reason: 'it has no settlement address' } : { ok: true },
  })
  await registry.start()
  expect(await registry.put('demo', DEMO)).toMatchObject({ ok: true, created: true })
})
afterAll(async () => {
  await registry.stop()
  await database.close()
})

beforeEach(async () => {
  closedRails.clear()
  const had = registry.live('odd')
  const put = await registry.put('odd', odd('{ tag: good }'))
  expect(put.ok).toBe(true)
  if (had && put.ok && !put.isSame)
    await until(() => calls.some((call) => call.startsWith('stop')), 'the old revision stops')
  calls.length = 0
})

function told(applied: Applied): string {
  return applied.ok || applied.reason !== 'invalid'
    ? ''
    : applied.problems.map(formatProblem).join('\n')
}
function serving(): unknown {
  const found = registry.current().match('POST', '/v1/odd/work')
  if (found.kind !== 'skill') return found.kind
  found.leave()
  return (found.mounted.env.config as { tag: string }).tag
}

test.each([
  [
    'throws in setup',
    odd('{ fails: setup }'),
    'plugin odd failed in setup: refuses to setup',
    ['setup untagged'],
  ],
  [
    'throws in ready',
    odd('{ fails: ready }'),
    'plugin odd failed in ready: refuses to ready',
    ['setup untagged', 'ready untagged', 'stop untagged'],
  ],
  [
    'has another configuration',
    odd('{ speed: 1 }'),
    'config.speed is not a known member; known are fails, tag (does not fit plugin odd)',
    [],
  ],
  [
    'is unknown',
    odd('{}').replace('plugin: odd', 'plugin: nope'),
    'plugin nope is not loaded; loaded at the start from the gateway, PLUGINS_DIR and PLUGINS were: demo, odd',
    [],
  ],
  [
    'lacks the skill',
    odd('{}').replace('odd.work', 'odd.rest'),
    'plugin odd has no skill odd.rest; it has: odd.work',
    ['setup untagged', 'stop untagged'],
  ],
  [
    'takes the base path of another',
    odd('{}', 'base_path: /v1/paid'),
    'base_path /v1/paid of odd is taken by demo',
    ['setup untagged', 'stop untagged'],
  ],
  [
    'lies below another',
    odd('{}', 'base_path: /v1/paid/x'),
    'lies below /v1/paid of demo',
    ['setup untagged', 'stop untagged'],
  ],
  [
    'lies above another',
    odd('{}', 'base_path: /v1'),
    'base_path /v1 of odd meets',
    ['setup untagged', 'stop untagged'],
  ],
  [
    'takes a path of the kernel',
    odd('{}', 'base_path: /v1/keys/x'),
    'meets /v1/keys of the kernel',
    ['setup untagged', 'stop untagged'],
  ],
  [
    'takes a tool of another',
    odd('{}').replace('route:', 'tool: demo.echo, route:'),
    'tool demo.echo of odd is taken by demo',
    ['setup untagged', 'stop untagged'],
  ],
  [
    'takes an alias of another',
    odd('{}').replace('route:', 'tool: demo_echo, route:'),
    'tool demo_echo of odd is taken by demo',
    ['setup untagged', 'stop untagged'],
  ],
])('a revision that %s leaves the one before in service', async (_, text, message, steps) => {
  const before = await registry.store.row('odd')
  const applied = await registry.put('odd', text)
  expect(told(applied)).toContain(message)
  expect(serving()).toBe('good')
  expect(calls).toEqual(steps)
  expect(await registry.store.row('odd')).toEqual(before)
})

test('what a refused revision wanted is free for others', async () => {
  const refused = odd('{ fails: ready }', 'base_path: /v1/wanted')
  expect((await registry.put('odd', refused)).ok).toBe(false)
  const other = DEMO.replace('product_id: demo', 'product_id: other').replace(
    '/v1/paid',
    '/v1/wanted',
  )
  expect(told(await registry.put('other', other))).not.toContain('/v1/wanted')
})

test('a plugin that throws in stop does not hold up its successor', async () => {
  expect((await registry.put('odd', odd('{ fails: stop, tag: sticky }'))).ok).toBe(true)
  expect((await registry.put('odd', odd('{ tag: next }'))).ok).toBe(true)
  expect(serving()).toBe('next')
  await until(() => calls.includes('stop sticky'), 'the sticky one was asked to stop')
})

test('without a rail that can take money a priced skill is not mounted', async () => {
  closedRails.add('x402').add('credits')
  const applied = await registry.put('odd', odd('{ tag: unpayable }'))
  expect(told(applied)).toContain(
    'no rail of odd.work can take money now (credits: it has no settlement address; x402: it has no settlement address)',
  )
  expect(serving()).toBe('good')
})

test('a stored revision that names a closed variable is not mounted at a start, and says why', async () => {
  const text = odd('{ tag: "${WEATHER_TOKEN}" }').replaceAll('odd', 'weather')
  const spec = text.replace('plugin: weather', 'plugin: odd').replace('weather.work', 'odd.work')
  const started = async (env: Record<string, string>) => {
    const other = await registryOn(database.db, { extra: [misbehaving([])], env })
    await other.start()
    return other
  }
  await registry.remove('odd')
  const before = await started({ WEATHER_TOKEN: 'loot', PRODUCT_ENV: 'WEATHER_TOKEN' })
  expect(told(await before.put('weather', spec))).toBe('')
  await before.stop()
  const after = await started({ WEATHER_TOKEN: 'loot' })
  expect(after.live('weather')).toBeNull()
  expect(after.problems().map(({ problems }) => problems.map(formatProblem))).toEqual([
    [
      'line 3:16 config.tag the environment variable WEATHER_TOKEN is not open to products: add WEATHER_TOKEN to PRODUCT_ENV, or rename it PRODUCT_WEATHER_TOKEN (got "${WEATHER_TOKEN}")',
    ],
  ])
  await after.stop()
  await registry.remove('weather')
})

test('a revision whose replacement was not published is stopped with the others', async () => {
  let isClosed = false
  // The file's registry reads the same table and mounts "old" whenever it polls: its calls are not these.
  const own: string[] = []
  const leaving = await registryOn(database.open(), {
    extra: [misbehaving(own)],
    pollMs: 600_000,
    priceHistory: {
      ...priceHistory,
      createRegistry: (deps) => {
        const prices = priceHistory.createRegistry(deps)
        const enforce: typeof prices.enforce = async (...given) => {
          if (isClosed) throw new Error('the database is away')
          return prices.enforce(...given)
        }
        return { ...prices, enforce }
      },
    },
  })
  await leaving.start()
  expect(await leaving.put('odd', odd('{ tag: old }'))).toMatchObject({ ok: true })
  isClosed = true
  await expect(leaving.put('odd', odd('{ tag: new }'))).rejects.toThrow('the database is away')
  own.length = 0
  await leaving.stop()
  expect(own.filter((call) => /old|new/.test(call)).sort()).toEqual(['stop new', 'stop old'])
})
