/** Shows the gauges of mounted plugins in /metrics: one metric per name, read from all instances. */
import type { Metrics } from '../ops/metrics.ts'
import type { Gauge } from '../plugins/contract.ts'
import type { ProductRegistry } from '../products/registry.ts'

/** Registers names as products bring them; returns the end of following. */
export function followPluginGauges(registry: ProductRegistry, metrics: Metrics): () => void {
  const registered = new Set<string>()
  const mounted = (): Gauge[] =>
    [...registry.current().products.values()].flatMap((product) => [
      ...(product.parts.started.instance.gauges ?? []),
    ])
  const follow = (): void => {
    for (const gauge of mounted()) {
      if (registered.has(gauge.name)) continue
      registered.add(gauge.name)
      metrics.labelled(gauge, () => {
        const same = mounted().filter(({ name }) => name === gauge.name)
        return new Map(same.flatMap((one) => [...one.read()]))
      })
    }
  }
  return registry.onChange(follow)
}
