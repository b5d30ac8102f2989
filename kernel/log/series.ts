/**
 * Counters and histograms as plain numbers behind nested maps: counting a call costs a few map
 * look-ups, where prom-client validates, copies and hashes the labels each time. It writes the text
 * and JSON forms from `get`, as it does for metrics of its own.
 */
import type { Metric, Registry } from 'prom-client'

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
