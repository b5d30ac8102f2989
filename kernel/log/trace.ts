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
  /** Whether spans go anywhere: their facts need not be gathered otherwise. */
  readonly isOn: boolean
  record(span: SpanFacts): void
  /** Sends what waits. */
  stop(): Promise<void>
}

/** Null endpoint: nothing is recorded. `headers` go with every request to the collector. */
export type CreateTracer = (
  endpoint: string | null,
  service: { name: string; version: string },
  log: Logger,
  headers?: Readonly<Record<string, string>>,
) => Tracer
