/** Routes that a plugin serves beside its skills, and those of the gateway itself. */
import type { TSchema } from 'typebox'
import type { OperatorIdentity, OperatorRole } from '../auth/operators.ts'
import type { Failure } from '../errors.ts'

/** An extra route: never metered. `path` is absolute ('/v1/admin/orders/{id}'). */
export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  auth: 'public' | 'key' | 'admin'
  summary: string
  /**
   * For OpenAPI: what the summary leaves out, in sentences. Who may ask, the rate and the size of a
   * body are told by themselves.
   */
  description?: string
  /**
   * Of an admin route: the role it needs; default 'read' for GET, else 'operate'. What 'read' is
   * enough for changes nothing: it is not told as a change.
   */
  role?: OperatorRole
  /** Heading in OpenAPI; default: the product's title. */
  tag?: string
  /** Stands in OpenAPI also when its product is unlisted. */
  isAlwaysDocumented?: boolean
  /** Stands in no OpenAPI document: a page for people, or what belongs to one. */
  isUndocumented?: boolean
  /** For OpenAPI only; the handler validates by itself. */
  input?: TSchema
  output?: TSchema
  /** For OpenAPI only: an object schema whose members are the query parameters. */
  query?: TSchema
  /**
   * For OpenAPI only: what it may answer besides 400, 401 where it asks for a credential, 404 where
   * its path has parameters, 413 where it takes input, 429 where it counts callers or asks for the
   * admin token, and 500. A 2xx among them, which comes with `output`, stands in the place of 200.
   */
  statuses?: readonly number[]
  /** For OpenAPI only: the body of its refusals, when it is not the error body of the one table. */
  refusal?: TSchema
  /** Largest body; default 1 MiB. */
  bodyBytes?: number
  /**
   * Counts like a paid call: against the key's rate where the route asks for a key, else against the
   * caller's address. 'ends_hold' counts apart, so that a key at its limit can still end its holds.
   * A first-party upstream that bills for a key (SERVICE_TOKEN) is not counted.
   */
  rateLimited?: boolean | 'ends_hold'
  /** It is paid by this rail alone: documents show it only while the rail is mounted. */
  rail?: string
  /** It sells credits: offers of prepaid credits name it, and /llms.txt tells how to buy there. */
  sellsCredits?: {
    /** Member of `prepaid` in a 402 that holds its path. */
    name: string
    /** Sentences in Markdown. */
    howToBuy: string
  }
  /** Pages of other origins may not read its answers; those of admin routes they never may. */
  sameOrigin?: boolean
  /** A page of the operator's, or what it asks for: with ADMIN_URL it is served on that origin alone. */
  forOperators?: boolean
  /** A Failure becomes the error body of the one table, with the request id. */
  handler(request: RouteRequest): Promise<Response | Failure> | Response | Failure
}
export interface RouteRequest {
  request: Request
  params: Readonly<Record<string, string>>
  query: URLSearchParams
  requestId: string
  clientAddress: string
  /** The caller's key when `auth` is 'key', and the account whose balance it spends. */
  keyId?: string
  accountId?: string
  /** The operator who asks, where one is known: always when `auth` is 'admin'. */
  operator?: OperatorIdentity
  signal: AbortSignal
  /** The body's bytes, read once under `bodyBytes`; a Failure (413/400) when over it. */
  bytes(): Promise<Uint8Array | Failure>
  /** The body parsed as JSON with a depth limit; an absent body is `undefined`. */
  json(): Promise<{ ok: true; value: unknown } | Failure>
}
