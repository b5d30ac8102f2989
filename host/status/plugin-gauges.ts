/**
 * Shows the gauges of plugins in /metrics: one metric per name. That of mounted plugins is read from
 * all their instances.
 */
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
      show(gauge, metrics, log, () => mounted().filter((one) => one.name === name))
    }
  }
  return registry.onChange(follow)
}

/** Registers the gauges of a part of the gateway. */
export function showGauges(gauges: readonly Gauge[], metrics: Metrics, log: Logger): void {
  for (const gauge of gauges) show(gauge, metrics, log, () => [gauge])
}

function show(gauge: Gauge, metrics: Metrics, log: Logger, same: () => readonly Gauge[]): void {
  if (metrics.has(gauge.name)) {
    const facts = { gauge: gauge.name }
    log.error(facts, 'a plugin gives a metric the name of another; it is not shown')
    return
  }
  metrics.labelled(gauge, async () =>
    joined(gauge, await Promise.all(same().map((one) => readingOf(one, log)))),
  )
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
