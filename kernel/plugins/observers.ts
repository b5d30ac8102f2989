/**
 * Observers of the whole gateway: plugins that are told of every answered request, and of every
 * change that an operator made.
 */
import type { Identity } from '../auth/contract.ts'
import type { OperatorRole } from '../auth/operators.ts'
import type { Failure } from '../errors.ts'

/** A request that the gateway has answered. Its members may be read only while `ended` runs. */
export interface EndedRequest {
  readonly requestId: string
  /** 'GET'; 'MCP' for a tool call. */
  readonly method: string
  /** Pattern of the route, or the tool; null if nothing is at the path. */
  readonly route: string | null
  /** As the caller sent it, without the query. Only this and the address are costly to read. */
  readonly path: string
  readonly clientAddress: string
  readonly product: string | null
  readonly skillId: string | null
  readonly status: number
  /** Of a metered call: 'charged', 'free', 'replayed', 'left' or the error code; else null. */
  readonly outcome: string | null
  readonly failure: Failure | null
  /** Status of the upstream's answer to this one request; null if unknown. */
  readonly upstreamStatus: number | null
  readonly identity: Pick<Identity, 'keyId' | 'accountId' | 'name' | 'mode'> | null
  /** Who paid or was to pay, if a rail knows it and it is not a key: a wallet. */
  readonly payer: string | null
  /** Name of the operator who sent the request. */
  readonly operator: string | null
  /** A page for operators, or one of its own requests. */
  readonly isForOperators: boolean
  readonly rail: string | null
  readonly chargedAtomic: bigint
  readonly durationMs: number
  /** Null if the size is not known before the body is read or sent. */
  readonly requestBytes: number | null
  readonly responseBytes: number | null
}

/** Told of requests after their answers were made and before they go out: it must not wait. */
export interface RequestObserver {
  ended(request: EndedRequest): void
}

/** A change that an operator requested. */
export interface OperatorChange {
  operator: string
  role: OperatorRole
  at: Date
  requestId: string
  method: string
  /** As requested, without the query. */
  path: string
  /** Pattern of the route, such as '/v1/keys/{id}'. */
  route: string
  clientAddress: string
  status: number
  /** The input, if it was JSON. It may contain secrets of callers. */
  input: unknown
  /** The answer of GET at the same path, or its parent, before and after; null if there is none. */
  before: unknown
  after: unknown
}

/** Records operators' changes; if it throws, that is logged and the change stands. */
export interface ChangeObserver {
  changed(change: OperatorChange): Promise<void>
}
