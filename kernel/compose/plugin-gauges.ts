/** Shows the gauges of mounted plugins in /metrics: one metric per name, read from all instances. */
import type { Metrics } from '../log/metrics.ts'
import type { Gauge } from '../log/metrics.ts'
import type { Logger } from '../log/logger.ts'
import type { ProductRegistry } from '../products/registry.ts'

/** Registers names as products bring them; returns the end of following. */
export function followPluginGauges(
  registry: ProductRegistry,
  metrics: Metrics,
  log: Logger,
): () => void {
  const registered = new Set<string>()
  const mounted = (): Gauge[] =>
    [...registry.current().products.values()].flatMap((product) => [
      ...(product.parts.started.instance.gauges ?? []),
    ])
  const follow = (): void => {
    for (const gauge of mounted()) {
      const { name } = gauge
      if (registered.has(name)) continue
      registered.add(name)
      if (metrics.has(name)) {
        log.error({ gauge: name }, 'a plugin gives a metric the name of another; it is not shown')
        continue
      }
      metrics.labelled(gauge, () => {
        const same = mounted().filter((one) => one.name === name)
        return new Map(same.flatMap((one) => readingsOf(one, log)))
      })
    }
  }
  return registry.onChange(follow)
}

/** What a gauge reads; one that fails shows nothing, and the metrics beside it are not lost. */
function readingsOf(gauge: Gauge, log: Logger): [string, number][] {
  try {
    return [...gauge.read()].filter(([, value]) => typeof value === 'number')
  } catch (error) {
    log.error({ err: error, gauge: gauge.name }, "a plugin's gauge cannot be read")
    return []
  }
}
