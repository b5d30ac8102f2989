/** Shows the gauges of mounted plugins in /metrics: one metric per name, read from all instances. */
import type { Gauge, Logger } from '#kernel'
import type { Metrics, ProductRegistry } from '#kernel/host'

type GaugeReading = Awaited<ReturnType<Gauge['read']>>

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
      metrics.labelled(gauge, async () => {
        const same = mounted().filter((one) => one.name === name)
        return joined(gauge, await Promise.all(same.map((one) => readingOf(one, log))))
      })
    }
  }
  return registry.onChange(follow)
}

/** What all instances read together: a sum without a label, else every value of it. */
function joined({ label }: Gauge, readings: readonly GaugeReading[]): GaugeReading {
  if (label === undefined) {
    const numbers = readings.filter((one) => typeof one === 'number')
    // A gauge that cannot be read shows nothing rather than zero.
    return numbers.length === 0 ? new Map() : numbers.reduce((sum, one) => sum + one, 0)
  }
  return new Map(readings.flatMap((one) => (typeof one === 'number' ? [] : [...one])))
}

/** What a gauge reads; one that fails shows nothing, and the metrics beside it are not lost. */
async function readingOf(gauge: Gauge, log: Logger): Promise<GaugeReading> {
  try {
    const reading = await gauge.read()
    if (typeof reading === 'number') return reading
    return new Map([...reading].filter(([, value]) => typeof value === 'number'))
  } catch (error) {
    log.error({ err: error, gauge: gauge.name }, "a plugin's gauge cannot be read")
    return new Map()
  }
}
