/**
 * Counters and histograms of the gateway, as JSON and in the Prometheus text format. They are plain
 * numbers behind nested maps: counting a call costs a few map look-ups, where prom-client validates,
 * copies and hashes the labels each time. It writes the text and JSON forms from `get`, as it does for
 * metrics of its own.
 */
import { Counter, Gauge as PromGauge, Registry, type Metric } from 'prom-client'
import { within } from '#kernel'
import type { Gauge, Metrics, ShownMetrics } from '#kernel/host'

/**
 * Buckets of OpenTelemetry's `http.server.request.duration`, in seconds, and those of skills that
 * take minutes: the last one is above the longest silence on a connection.
 */
const SECONDS = [
  0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 30, 60, 120, 300,
]
/** A scrape waits no longer for one reading: Prometheus gives all of them together 10 s by default. */
const READING_TIMEOUT_MS = 2000

type GaugeReading = Awaited<ReturnType<Gauge['read']>>

export class PrometheusMetrics implements Metrics {
  readonly registry = new Registry()
  readonly #requests = new HistogramFamily(this.registry, {
    name: 'http_server_request_duration_seconds',
    help: 'Time to answer a request',
    labelNames: ['route', 'method', 'status'],
    buckets: SECONDS,
  })
  readonly #calls = new CounterFamily(this.registry, {
    name: 'gateway_calls_total',
    help: 'Metered calls by how they ended',
    labelNames: ['skill', 'rail', 'outcome'],
  })
  readonly #charged = new CounterFamily(this.registry, {
    name: 'gateway_charged_atomic_total',
    help: 'USDC atomic units charged',
    labelNames: ['skill', 'rail'],
  })
  readonly #acquisition = new CounterFamily(this.registry, {
    name: 'gateway_calls_by_acquisition_total',
    help: 'Charged calls by campaign label',
    labelNames: ['acquisition'],
  })
  readonly #capped = new CounterFamily(this.registry, {
    name: 'gateway_charges_capped_total',
    help: "Calls whose units cost more than their price's maximum, or than was held for them, which was charged",
    labelNames: ['skill'],
  })
  readonly #unmeasured = new CounterFamily(this.registry, {
    name: 'gateway_measures_missing_total',
    help: 'Charged calls whose answer did not say a good number of units',
    labelNames: ['skill'],
  })
  readonly #events = new CounterFamily(this.registry, {
    name: 'gateway_events_total',
    help: 'Attempts to deliver events of accounts, by how they ended',
    labelNames: ['type', 'outcome'],
  })
  readonly #unread = new CounterFamily(this.registry, {
    name: 'gateway_metrics_unread_total',
    help: 'Scrapes that left a metric out because it could not be read',
    labelNames: ['metric'],
  })
  readonly #labels = new Set<string>()

  request(method: string, route: string, status: number, seconds: number): void {
    this.#requests.observe(seconds, route, method, statusText(status))
  }

  call(skill: string, rail: string, outcome: string, chargedAtomic: bigint): void {
    this.#calls.add(1, skill, rail, outcome)
    if (chargedAtomic > 0n) this.#charged.add(Number(chargedAtomic), skill, rail)
  }

  capped(skill: string): void {
    this.#capped.add(1, skill)
  }

  unmeasured(skill: string): void {
    this.#unmeasured.add(1, skill)
  }

  acquisition(label: string): void {
    if (!this.#labels.has(label) && this.#labels.size < 200) this.#labels.add(label)
    this.#acquisition.add(1, this.#labels.has(label) ? label : 'other')
  }

  event(type: string, outcome: 'delivered' | 'failed' | 'given_up' | 'unsent'): void {
    this.#events.add(1, type, outcome)
  }

  forget(gone: { skills: Iterable<string>; routes: Iterable<string> }): void {
    for (const skill of gone.skills) {
      this.#calls.drop(skill)
      this.#charged.drop(skill)
      this.#capped.drop(skill)
      this.#unmeasured.drop(skill)
    }
    for (const route of gone.routes) this.#requests.drop(route)
  }

  gauge(name: string, help: string, read: () => number | Promise<number>): void {
    this.labelled({ name, help }, read)
  }

  has(name: string): boolean {
    return this.registry.getSingleMetric(name) !== undefined
  }

  labelled({ name, help, label, kind }: Omit<Gauge, 'read'>, read: Gauge['read']): void {
    const configuration = { name, help, labelNames: label === undefined ? [] : [label] }
    // Both scrapes of the same moment read before either of them sets.
    const numbers = async (): Promise<[labels: Record<string, string>, amount: number][]> => {
      const reading = await this.#read(name, read)
      if (typeof reading === 'number') return [[{}, reading]]
      return [...reading].map(([value, amount]) => [{ [label ?? '']: value }, amount])
    }
    const refill = async (
      metric: { reset(): void; remove(): void },
      put: (labels: Record<string, string>, amount: number) => void,
    ): Promise<void> => {
      const all = await numbers()
      metric.reset()
      // Without a label a reset leaves a zero.
      if (label === undefined) metric.remove()
      for (const [labels, amount] of all) put(labels, amount)
    }
    const metric =
      kind === 'counter'
        ? new Counter({
            ...configuration,
            registers: [],
            collect() {
              return refill(this, (labels, amount) => this.inc(labels, amount))
            },
          })
        : new PromGauge({
            ...configuration,
            registers: [],
            collect() {
              return refill(this, (labels, amount) => this.set(labels, amount))
            },
          })
    this.registry.registerMetric(metric)
  }

  /** Nothing for what cannot be read: without the database the counters are still worth a scrape. */
  async #read(name: string, read: Gauge['read']): Promise<GaugeReading> {
    const nothing = (): GaugeReading => {
      this.#unread.add(1, name)
      return new Map()
    }
    try {
      return await within(Promise.resolve(read()), READING_TIMEOUT_MS, nothing)
    } catch {
      return nothing()
    }
  }

  where(
    isShown: (name: string, labels: Readonly<Record<string, string>>) => boolean,
  ): ShownMetrics {
    const shown = new Registry()
    for (const metric of this.registry.getMetricsAsArray()) {
      const { name, help } = metric
      if (!isShown(name, {})) continue
      const get = async () => {
        const all = await (metric as unknown as Metric).get()
        const values = all.values.filter(({ labels }) =>
          isShown(name, labels as Record<string, string>),
        )
        return { ...all, values }
      }
      shown.registerMetric({ name, help, get } as unknown as Metric)
    }
    return { text: () => shown.metrics(), json: () => jsonOf(shown) }
  }

  text(): Promise<string> {
    return this.registry.metrics()
  }

  json(): Promise<unknown> {
    return jsonOf(this.registry)
  }
}

async function jsonOf(registry: Registry): Promise<unknown> {
  const metrics = await registry.getMetricsAsJSON()
  return Object.fromEntries(
    metrics.map(({ name, help, type, values }) => [name, { help, type, values }]),
  )
}

const statusTexts = new Map<number, string>()

/** The same string for the same status, so that map look-ups need not hash it anew. */
function statusText(status: number): string {
  let text = statusTexts.get(status)
  if (text === undefined) statusTexts.set(status, (text = String(status)))
  return text
}

type Branch<S> = Map<string, Branch<S> | S>

/** The series of one metric, by their label values in the order of `labelNames`. */
class SeriesMap<S> {
  readonly #labelNames: readonly string[]
  readonly #make: () => S
  readonly #root: Branch<S> = new Map()

  constructor(labelNames: readonly string[], make: () => S) {
    this.#labelNames = labelNames
    this.#make = make
  }

  of(values: readonly string[]): S {
    let branch = this.#root
    const last = values.length - 1
    for (let i = 0; i < last; i++) {
      let next = branch.get(values[i]!) as Branch<S> | undefined
      if (next === undefined) branch.set(values[i]!, (next = new Map()))
      branch = next
    }
    let series = branch.get(values[last]!) as S | undefined
    if (series === undefined) branch.set(values[last]!, (series = this.#make()))
    return series
  }

  drop(first: string): void {
    this.#root.delete(first)
  }

  *entries(): Generator<[labels: Record<string, string>, series: S]> {
    const walk = function* (
      branch: Branch<S>,
      names: readonly string[],
      labels: Record<string, string>,
    ): Generator<[Record<string, string>, S]> {
      const [name, ...rest] = names
      for (const [value, next] of branch) {
        const named = { ...labels, [name!]: value }
        if (rest.length === 0) yield [named, next as S]
        else yield* walk(next as Branch<S>, rest, named)
      }
    }
    yield* walk(this.#root, this.#labelNames, {})
  }
}

/** One number as prom-client prints it. */
interface Value {
  labels: Record<string, string | number>
  value: number
  /** Default: the metric's own name. */
  metricName?: string
}

interface Names {
  name: string
  help: string
  /** The first one is what `drop` takes. */
  labelNames: readonly string[]
}

abstract class Family<S> {
  protected readonly names: Names
  protected readonly series: SeriesMap<S>

  protected constructor(names: Names, make: () => S) {
    this.names = names
    this.series = new SeriesMap(names.labelNames, make)
  }

  /** Forgets every series whose first label has this value. */
  drop(first: string): void {
    this.series.drop(first)
  }

  /** Shows the metric in what `registry` prints. */
  protected show(registry: Registry, type: 'counter' | 'histogram', values: () => Value[]): void {
    const { name, help } = this.names
    const get = async () => ({ name, help, type, values: values(), aggregator: 'sum' })
    // The registry asks its metrics for nothing but these.
    registry.registerMetric({ name, help, get } as unknown as Metric)
  }
}

/** A counter with labels. */
export class CounterFamily extends Family<{ value: number }> {
  constructor(registry: Registry, names: Names) {
    super(names, () => ({ value: 0 }))
    this.show(registry, 'counter', () =>
      [...this.series.entries()].map(([labels, { value }]) => ({ labels, value })),
    )
  }

  add(amount: number, ...values: string[]): void {
    this.series.of(values).value += amount
  }
}

interface Distribution {
  /** Observations per bucket, not cumulated; the last one is above every bound. */
  counts: number[]
  sum: number
}

/** A histogram with labels; a value belongs to the first bucket whose bound it does not exceed. */
export class HistogramFamily extends Family<Distribution> {
  readonly #bounds: readonly number[]

  constructor(registry: Registry, names: Names & { buckets: readonly number[] }) {
    const { buckets } = names
    super(names, () => ({ counts: Array.from({ length: buckets.length + 1 }, () => 0), sum: 0 }))
    this.#bounds = buckets
    this.show(registry, 'histogram', () => [...this.#values()])
  }

  observe(value: number, ...values: string[]): void {
    const distribution = this.series.of(values)
    let bucket = 0
    while (bucket < this.#bounds.length && value > this.#bounds[bucket]!) bucket++
    distribution.counts[bucket]!++
    distribution.sum += value
  }

  *#values(): Generator<Value> {
    const { name } = this.names
    for (const [labels, { counts, sum }] of this.series.entries()) {
      let count = 0
      for (const [bucket, inBucket] of counts.entries()) {
        count += inBucket
        const le = this.#bounds[bucket] ?? '+Inf'
        yield { metricName: `${name}_bucket`, labels: { le, ...labels }, value: count }
      }
      yield { metricName: `${name}_sum`, labels, value: sum }
      yield { metricName: `${name}_count`, labels, value: count }
    }
  }
}
