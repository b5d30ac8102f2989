/** The contract of the gateway's counters, histograms and gauges; `host/telemetry` keeps them. */

/** One number, or one per value of the gauge's label. */
export type GaugeReading = number | ReadonlyMap<string, number>

/** Numbers shown in /metrics while the product is mounted. */
export interface Gauge {
  /** Prometheus name; instances that give the same name share one metric. */
  name: string
  help: string
  /** Absent: `read` gives one number, and those of several instances are added up. */
  label?: string
  /** 'counter': it only grows while the product stays loaded. Default: it goes up and down. */
  kind?: 'counter'
  read(): GaugeReading | Promise<GaugeReading>
}

export interface Metrics extends ShownMetrics {
  /** One answered request; `route` is the pattern, never the raw path. */
  request(method: string, route: string, status: number, seconds: number): void
  /** One metered call; `outcome` is 'charged', 'free', 'replayed', 'left' or an error code. */
  call(skill: string, rail: string, outcome: string, chargedAtomic: bigint): void
  /** A call that was charged its price's maximum, or what was held, although its units cost more. */
  capped(skill: string): void
  /** A call whose units could not be told. */
  unmeasured(skill: string): void
  /** A charged call that carried X-Kernel-Acquisition; labels past the first 200 count as 'other'. */
  acquisition(label: string): void
  /** One attempt to deliver an event of an account; 'unsent' where no webhook is configured. */
  event(type: string, outcome: 'delivered' | 'failed' | 'given_up' | 'unsent'): void
  /** Drops what was counted of skills and routes that are no longer there. */
  forget(gone: { skills: Iterable<string>; routes: Iterable<string> }): void
  /** A gauge that is read when the metrics are asked for. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void
  /** Whether a metric has this name. */
  has(name: string): boolean
  /** A gauge or counter, with a label or without, that is read when the metrics are asked for. */
  labelled(gauge: Omit<Gauge, 'read'>, read: Gauge['read']): void
  /** The same for the series that `isShown` says; a metric whose name it refuses is left out. */
  where(isShown: (name: string, labels: Readonly<Record<string, string>>) => boolean): ShownMetrics
}

export interface ShownMetrics {
  /** In the Prometheus text format. */
  text(): Promise<string>
  json(): Promise<unknown>
}
