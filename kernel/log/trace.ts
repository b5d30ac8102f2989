/** Traces of metered calls; `host/telemetry` sends them. */
import type { Logger } from './logger.ts'

export interface SpanFacts {
  name: string
  traceparent: string | null
  durationMs: number
  failed: boolean
  attributes: Readonly<Record<string, string | number>>
}

export interface Tracer {
  /** Whether spans are exported; if not, their facts need not be collected. */
  readonly isOn: boolean
  record(span: SpanFacts): void
  /** Sends the pending spans. */
  stop(): Promise<void>
}

/** Null endpoint: nothing is recorded. `headers` go with every request to the collector. */
export type CreateTracer = (
  endpoint: string | null,
  service: { name: string; version: string },
  log: Logger,
  headers?: Readonly<Record<string, string>>,
) => Tracer
