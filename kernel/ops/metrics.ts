/** Counters and histograms of the gateway, as JSON and in the Prometheus text format. */
import { Counter, Gauge, Histogram, Registry } from 'prom-client'

/** Buckets of OpenTelemetry's `http.server.request.duration`, in seconds. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 30, 60]

export class Metrics {
  readonly registry = new Registry()
  readonly #requests = this.#histogram(
    'http_server_request_duration_seconds',
    'Time to answer a request',
    ['method', 'route', 'status'],
  )
  readonly #calls = this.#counter('gateway_calls_total', 'Metered calls by how they ended', [
    'skill',
    'rail',
    'outcome',
  ])
  readonly #charged = this.#counter('gateway_charged_atomic_total', 'USDC atomic units charged', [
    'skill',
    'rail',
  ])
  readonly #acquisition = this.#counter(
    'gateway_calls_by_acquisition_total',
    'Charged calls by campaign label',
    ['acquisition'],
  )
  readonly #labels = new Set<string>()
  readonly #requestChildren = new Map<string, { observe(value: number): void }>()

  /** One answered request; `route` is the pattern, never the raw path. */
  request(method: string, route: string, status: number, seconds: number): void {
    const id = `${method} ${route} ${status}`
    let child = this.#requestChildren.get(id)
    if (!child) {
      child = this.#requests.labels(method, route, String(status))
      this.#requestChildren.set(id, child)
    }
    child.observe(seconds)
  }

  /** One metered call; `outcome` is 'charged', 'free', 'replayed' or an error code. */
  call(skill: string, rail: string, outcome: string, chargedAtomic: bigint): void {
    this.#calls.labels(skill, rail, outcome).inc()
    if (chargedAtomic > 0n) this.#charged.labels(skill, rail).inc(Number(chargedAtomic))
  }

  /** A charged call that carried X-Kernel-Acquisition; labels past the first 200 count as 'other'. */
  acquisition(label: string): void {
    if (!this.#labels.has(label) && this.#labels.size < 200) this.#labels.add(label)
    this.#acquisition.labels(this.#labels.has(label) ? label : 'other').inc()
  }

  /** A gauge that is read when the metrics are asked for. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void {
    const gauge = new Gauge({
      name,
      help,
      registers: [],
      async collect() {
        this.set(await read())
      },
    })
    this.registry.registerMetric(gauge)
  }

  /** A gauge with one label, read when the metrics are asked for. */
  labelledGauge(
    name: string,
    help: string,
    label: string,
    read: () => Map<string, number> | Promise<Map<string, number>>,
  ): void {
    const gauge = new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [],
      async collect() {
        this.reset()
        for (const [value, amount] of await read()) this.set({ [label]: value }, amount)
      },
    })
    this.registry.registerMetric(gauge)
  }

  text(): Promise<string> {
    return this.registry.metrics()
  }

  async json(): Promise<unknown> {
    const metrics = await this.registry.getMetricsAsJSON()
    return Object.fromEntries(
      metrics.map(({ name, help, type, values }) => [name, { help, type, values }]),
    )
  }

  #counter<L extends string>(name: string, help: string, labelNames: L[]): Counter<L> {
    return new Counter({ name, help, labelNames, registers: [this.registry] })
  }

  #histogram<L extends string>(name: string, help: string, labelNames: L[]): Histogram<L> {
    return new Histogram({ name, help, labelNames, buckets: SECONDS, registers: [this.registry] })
  }
}
