/** The log of a gateway; `host/telemetry` writes it. */
import type { LogLevel, Logger } from './logger.ts'

export interface LogOptions {
  /** 'silent' writes nothing. */
  level: LogLevel
  format: 'pretty' | 'json'
}

/** Writes the log line of each metered call. */
export interface CallLog {
  call(facts: CallFacts): void
}

export interface GatewayLog extends Logger, CallLog {
  /** Whether debug lines are written; if not, their fields need not be collected. */
  readonly debugs: boolean
  child(fields: object): GatewayLog
  /** Resolves when the buffer is written, or when its reader has not read for a while. */
  flush(): Promise<void>
}

export interface CallFacts {
  /** Well-formed, as `requestIdFrom` gives it: it needs no escaping. */
  requestId: string
  skill: string
  via: 'http' | 'mcp'
  rail: string
  /** One word: 'charged', 'free', 'replayed', 'left' or an error code. */
  outcome: string
  status: number
  chargedCredits: number
  ms: number
  acquisition: string | null
}
