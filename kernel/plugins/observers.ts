/**
 * What a plugin hears of the gateway's work as a whole: every request that was answered, and every
 * change that an operator made.
 */
import type { Identity } from '../auth/contract.ts'
import type { OperatorRole } from '../auth/operators.ts'
import type { Failure } from '../errors.ts'

/** A request that the gateway has answered. Members are read while `ended` runs, and not later. */
export interface EndedRequest {
  readonly requestId: string
  /** 'GET'; 'MCP' for a tool call. */
  readonly method: string
  /** Pattern of the route, or the tool; null: nothing is at the path. */
  readonly route: string | null
  /** As the caller sent it, without the query. Reading it and the address costs, the rest does not. */
  readonly path: string
  readonly clientAddress: string
  readonly product: string | null
  readonly skillId: string | null
  readonly status: number
  /** Of a metered call: 'charged', 'free', 'replayed' or the error code; null for any other request. */
  readonly outcome: string | null
  readonly failure: Failure | null
  /** Status of an upstream that was asked for this one request; null where none is known. */
  readonly upstreamStatus: number | null
  readonly identity: Pick<Identity, 'keyId' | 'accountId' | 'name' | 'mode'> | null
  /** Who paid or was to pay, where a rail knows it and it is no key: a wallet. */
  readonly payer: string | null
  /** The operator who asked, by name. */
  readonly operator: string | null
  /** An operator's own page or what it asks for. */
  readonly isForOperators: boolean
  readonly rail: string | null
  readonly chargedAtomic: bigint
  readonly durationMs: number
  /** null where it is not known before the body is read, or sent. */
  readonly requestBytes: number | null
  readonly responseBytes: number | null
}

/** Hears of requests after their answers were made and before they go out: it must not wait. */
export interface RequestObserver {
  ended(request: EndedRequest): void
}

/** A change that an operator asked for. */
export interface OperatorChange {
  operator: string
  role: OperatorRole
  at: Date
  requestId: string
  method: string
  /** As it was asked for, without the query. */
  path: string
  /** Pattern of the route, such as '/v1/keys/{id}'. */
  route: string
  clientAddress: string
  status: number
  /** What was asked, as far as it was JSON. Secrets of callers may be among it. */
  input: unknown
  /** What GET of the same path, or of the one above, answers before and after; null: neither does. */
  before: unknown
  after: unknown
}

/** Keeps what operators change; what it throws is logged, and the change stands. */
export interface ChangeObserver {
  changed(change: OperatorChange): Promise<void>
}
