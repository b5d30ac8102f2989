/**
 * The one table of wire errors. HTTP bodies, JSON-RPC results and MCP tool results are all made
 * from it, so a code means the same status and the same `retryable` everywhere. Which reason
 * (`details.reason`) comes with a code is said by tables of reasons: kernel/reasons.ts and one in
 * each plugin. specs/errors.md is written from all of them.
 */

export type ErrorCode =
  | 'INVALID_INPUT'
  | 'UNSUPPORTED_FORMAT'
  | 'PAYMENT_REQUIRED'
  | 'PAYMENT_FAILED'
  | 'RATE_LIMITED'
  | 'UPSTREAM_FAILURE'
  | 'PROCESSING_FAILURE'
  | 'TIMEOUT'
  | 'INTERNAL_ERROR'

/** Status and default `retryable` of each code; `retryable` = the same request may succeed later. */
export const ERROR_TABLE: Readonly<Record<ErrorCode, { status: number; retryable: boolean }>> = {
  INVALID_INPUT: { status: 400, retryable: false },
  UNSUPPORTED_FORMAT: { status: 400, retryable: false },
  PAYMENT_REQUIRED: { status: 402, retryable: false },
  PAYMENT_FAILED: { status: 402, retryable: false },
  RATE_LIMITED: { status: 429, retryable: true },
  UPSTREAM_FAILURE: { status: 503, retryable: true },
  PROCESSING_FAILURE: { status: 503, retryable: false },
  TIMEOUT: { status: 503, retryable: true },
  INTERNAL_ERROR: { status: 500, retryable: true },
}

declare const CODES: unique symbol

/**
 * A `details.reason` out of a table of reasons (see defineReasons). It is the plain text on the
 * wire; the type says which codes it comes with, so that `fail` takes no other.
 */
export type Reason<Code extends ErrorCode> = string & { readonly [CODES]: (code: Code) => void }

/** What one reason means. */
export interface ReasonEntry {
  /** The error code that it comes with; several where the place decides. */
  code: ErrorCode | readonly ErrorCode[]
  /** Where it is not the status of the code. */
  status?: number
  /** Where it is not that of the code. */
  retryable?: boolean
  /** What happened. */
  meaning: string
  /** What the caller should do. */
  fix: string
}

type CodeOf<Entry extends ReasonEntry> = Entry['code'] extends infer Code
  ? Code extends readonly (infer One extends ErrorCode)[]
    ? One
    : Code & ErrorCode
  : never

/** The reasons of a table by their names; each is its own name on the wire. */
export type Reasons<Table extends Readonly<Record<string, ReasonEntry>>> = {
  readonly [Name in keyof Table & string]: Name & Reason<CodeOf<Table[Name]>>
}

const reasonTables = new WeakMap<object, Readonly<Record<string, ReasonEntry>>>()

/** The reasons of `table`, for `fail(code, message, { details: { reason: REASONS.name } })`. */
export function defineReasons<const Table extends Readonly<Record<string, ReasonEntry>>>(
  table: Table,
): Reasons<Table> {
  const reasons = Object.fromEntries(Object.keys(table).map((name) => [name, name]))
  reasonTables.set(reasons, table)
  return reasons as Reasons<Table>
}

/** The table that `reasons` were defined by; null when defineReasons did not make them. */
export function reasonTableOf(reasons: object): Readonly<Record<string, ReasonEntry>> | null {
  return reasonTables.get(reasons) ?? null
}

/** A reason in the words of somebody else (a payment service, an upstream), which no table can list. */
export function quotedReason(text: string): Reason<ErrorCode> {
  return text as Reason<ErrorCode>
}

/** The members of `details`; those beside `reason` are described in specs/errors.md. */
export interface FailureDetails<Code extends ErrorCode = never> {
  reason?: Reason<Code>
  [member: string]: unknown
}

/** One bad field: `path` is an RFC 6901 pointer into the request body ('' = the whole body). */
export interface Issue {
  path: string
  message: string
}

/** An expected refusal or failure, as a value. Skills return it; the edge turns it into a body. */
export interface Failure {
  ok: false
  code: ErrorCode
  /** Public text: says the field and the reason, never a secret, stack or upstream body. */
  message: string
  /** Overrides the table's default. */
  retryable?: boolean
  /** Overrides the table's status (404, 409, 403, 413 …). */
  status?: number
  details?: FailureDetails
  /** Extra response headers (Retry-After, Allow, WWW-Authenticate …). */
  headers?: Record<string, string>
}

/**
 * A Failure with the given code; `extra` overrides status, retryable, details, headers.
 * `details.reason` must come from a table that lists it with this code.
 */
export function fail<Code extends ErrorCode>(
  code: Code,
  message: string,
  extra: Omit<Failure, 'ok' | 'code' | 'message' | 'details'> & {
    details?: FailureDetails<Code>
  } = {},
): Failure {
  return { ok: false, code, message, ...extra }
}

/** INVALID_INPUT naming each bad field (status 400 unless `status` says otherwise). */
export function invalid(issues: Issue[], status?: number): Failure {
  const first = issues[0]
  const place = first && first.path !== '' ? `${first.path} ` : ''
  const message = first ? `Invalid input: ${place}${first.message}` : 'Invalid input'
  return fail('INVALID_INPUT', message, { details: { issues }, ...(status && { status }) })
}

/** INTERNAL_ERROR 503 for what cannot be done at this moment, to be tried again in a second. */
export function unavailable(message: string): Failure {
  const headers = { 'retry-after': '1' }
  return fail('INTERNAL_ERROR', message, { status: 503, retryable: true, headers })
}

/** What went wrong, as callers read it. */
export interface ProblemObject {
  code: ErrorCode
  message: string
  retryable: boolean
  requestId: string
  details?: Record<string, unknown>
}

export interface ErrorBody {
  error: ProblemObject
}

/** The wire body of a failure. */
export function errorBody(failure: Failure, requestId: string): ErrorBody {
  return {
    error: {
      code: failure.code,
      message: failure.message,
      retryable: failure.retryable ?? ERROR_TABLE[failure.code].retryable,
      requestId,
      ...(failure.details && { details: failure.details }),
    },
  }
}

/**
 * Whether `error` is a text in the body, with the object beside it as `problem`: in every 402 to a
 * caller who brings no API key, because clients that pay by themselves take it as a text.
 */
export function isKeyless402(failure: Failure, bringsKey: boolean): boolean {
  return !bringsKey && (failure.status ?? ERROR_TABLE[failure.code].status) === 402
}

/** The JSON text of `errorBody`, or of the keyless one, cut where the request id belongs. */
export function errorText(failure: Failure, isKeyless: boolean): { head: string; tail: string } {
  const { code, message, details } = failure
  const { retryable } = errorBody(failure, '').error
  const more = details ? `,"details":${JSON.stringify(details)}` : ''
  const text = JSON.stringify(message)
  const start = isKeyless ? `"error":${text},"problem"` : '"error"'
  return {
    head: `{${start}:{"code":"${code}","message":${text},"retryable":${retryable},"requestId":"`,
    tail: `"${more}}}`,
  }
}

/**
 * The HTTP status of a failure. A paid route answers 503 where others answer 500, and 400 where
 * others answer 413 or 415, because the refusals that it declares are 400, 401, 402, 403, 409 and 429.
 */
export function errorStatus(failure: Failure, paidRoute: boolean): number {
  const status = failure.status ?? ERROR_TABLE[failure.code].status
  if (!paidRoute) return status
  if (status === 500) return 503
  return status === 413 || status === 415 ? 400 : status
}

/** The JSON answer of a failure on HTTP, with its headers. */
export function errorResponse(
  failure: Failure,
  requestId: string,
  { paidRoute = false, bringsKey = true }: { paidRoute?: boolean; bringsKey?: boolean } = {},
): Response {
  const { head, tail } = errorText(failure, isKeyless402(failure, bringsKey))
  return new Response(head + requestId + tail, {
    status: errorStatus(failure, paidRoute),
    headers: {
      'content-type': 'application/json;charset=utf-8',
      'x-request-id': requestId,
      // One caller's credential or mistake must not be the answer that a cache has for all others.
      'cache-control': 'no-store',
      ...failure.headers,
    },
  })
}

/** Thrown where an expected failure must leave a deep call; the edge unwraps it to its Failure. */
export class GatewayError extends Error {
  readonly failure: Failure
  constructor(failure: Failure, options?: ErrorOptions) {
    super(failure.message, options)
    this.name = 'GatewayError'
    this.failure = failure
  }
}

/**
 * What the body of a forwarded answer fails with when its caller is the reason (its own request body
 * broke off): the charge stands. Any other error of such a body says that its upstream broke it off.
 */
export class CallerEnded extends Error {
  override readonly name = 'CallerEnded'
}

/** Throws when an impossible state was reached; the text is internal and never goes on the wire. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`Assertion failed: ${message}`)
}

/** The code of a thrown error: a SQLSTATE, or one of the system or the runtime; '' without one. */
export function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null | undefined)?.code
  return typeof code === 'string' ? code : ''
}
