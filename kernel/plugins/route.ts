/** Routes that a plugin serves besides its skills, and routes of the gateway itself. */
import type { TSchema } from 'typebox'
import type { OperatorIdentity, OperatorRole } from '../auth/operators.ts'
import type { Failure } from '../errors.ts'

/** An extra route: never metered. `path` is absolute ('/v1/admin/orders/{id}'). */
export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  auth: 'public' | 'key' | 'admin'
  /** With `auth` 'key': only keys that may buy a skill of this private product. */
  privateTo?: { productId: string; skillIds: readonly string[] }
  summary: string
  /**
   * For OpenAPI: what the summary leaves out, in sentences. Credentials, rate limits and body sizes
   * are documented automatically.
   */
  description?: string
  /**
   * For an admin route: the role it needs; default 'read' for GET, else 'operate'. A route for
   * 'read' must change nothing: it is not reported as a change.
   */
  role?: OperatorRole
  /** Heading in OpenAPI; default: the product's title. */
  tag?: string
  /** Included in OpenAPI even if its product is unlisted. */
  isAlwaysDocumented?: boolean
  /** Left out of OpenAPI: a page for people, or a part of one. */
  isUndocumented?: boolean
  /** For OpenAPI only; the handler validates its input itself. */
  input?: TSchema
  output?: TSchema
  /** For OpenAPI only: an object schema whose members are the query parameters. */
  query?: TSchema
  /**
   * For OpenAPI only: statuses besides 400, 401 if it asks for a credential, 404 if its path has
   * parameters, 413 if it takes input, 429 if it is rate limited or asks for the admin token, and
   * 500. A 2xx among them, which comes with `output`, replaces 200.
   */
  statuses?: readonly number[]
  /** For OpenAPI only: the body of its refusals, if it is not the standard error body. */
  refusal?: TSchema
  /** Largest body; default 1 MiB. */
  bodyBytes?: number
  /**
   * Counts like a paid call: against the key's rate if the route asks for a key, else against the
   * caller's address. 'ends_hold' is counted separately, so that a key at its limit can still end
   * its holds, and lets a first-party upstream that bills for a key (SERVICE_TOKEN), which is never
   * counted, end those of a key that has ended.
   */
  rateLimited?: boolean | 'ends_hold'
  /** It is paid only by this rail: documents show it only while the rail is mounted. */
  rail?: string
  /** It sells credits: offers of prepaid credits name it, and /llms.txt says how to buy there. */
  sellsCredits?: {
    /** The member of `prepaid` in a 402 that holds the route's path. */
    name: string
    /** Sentences in Markdown. */
    howToBuy: string
  }
  /** Pages of other origins may not read its answers; this always holds for admin routes. */
  sameOrigin?: boolean
  /** A page for operators, or one of its requests: with ADMIN_URL, served on that origin only. */
  forOperators?: boolean
  /** A Failure becomes the standard error body, with the request id. */
  handler(request: RouteRequest): Promise<Response | Failure> | Response | Failure
}
export interface RouteRequest {
  request: Request
  params: Readonly<Record<string, string>>
  query: URLSearchParams
  requestId: string
  clientAddress: string
  /** The caller's key if `auth` is 'key', and the account whose balance it spends. */
  keyId?: string
  accountId?: string
  /** A first-party service acts for the key (SERVICE_TOKEN). */
  isService?: boolean
  /** The operator who sent the request, if known: always if `auth` is 'admin'. */
  operator?: OperatorIdentity
  signal: AbortSignal
  /** The body's bytes, read once; a Failure (413/400) if it is over `bodyBytes`. */
  bytes(): Promise<Uint8Array | Failure>
  /** The body parsed as JSON with a depth limit; an absent body is `undefined`. */
  json(): Promise<{ ok: true; value: unknown } | Failure>
}
