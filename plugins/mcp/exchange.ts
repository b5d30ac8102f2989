/** One JSON-RPC request under way, as every method sees it. */
import type { CredentialSource, RouteRequest } from '#kernel'
import type { Rounded } from '../shared/exact-numbers.ts'
import type { McpOrder, Naming } from '../shared/mcp/contract.ts'
import type { Era, Json } from './protocol.ts'
import type { Surface } from './surface.ts'
import type { Talk } from './talk.ts'

export interface Exchange {
  era: Era
  /** `params._meta`; empty when there is none. */
  meta: Json
  http: RouteRequest
  naming: Naming
  /** What is for sale at this moment. */
  surface: Surface
  /** Numbers of the body that parsing changed, from its root. */
  rounded: readonly Rounded[]
  /** Place in a batch; null outside of one. */
  batchIndex: number | null
  /** Fires when the client goes away. */
  signal: AbortSignal
  /** Reaches the client before the result; null: the answer is a single JSON text. */
  talk: Talk | null
  /** The caller that another plugin has identified; null: whom the headers name. */
  order: McpOrder | null
}

/** Headers that identify a key, beside a bearer of Authorization. */
const KEY_HEADERS: readonly string[] = ['x-api-key', 'x-kernel-service-token']

/**
 * Whether the request presents a key, a JWT or a service token. A payment pays, but identifies nobody,
 * also by another scheme of Authorization.
 */
export function presentsKey(headers: Headers): boolean {
  const isBearer = /^bearer(?:\s|$)/i.test(headers.get('authorization') ?? '')
  return isBearer || KEY_HEADERS.some((name) => headers.has(name))
}

/**
 * Credentials from the headers, and payments from `_meta` as well. A trace of the call itself
 * (`_meta.traceparent`, SEP-414) is nearer than the one of the connection that carries it.
 */
export function credentialsOf({ http, meta, order }: Exchange): CredentialSource {
  const { headers } = http.request
  const { traceparent } = meta
  const own = typeof traceparent === 'string' ? traceparent : null
  return {
    header(name) {
      if (name === 'traceparent' && own !== null) return own
      // Whoever is identified already is nobody else by a second credential.
      const isIdentifying = name === 'authorization' || KEY_HEADERS.includes(name)
      return order !== null && isIdentifying ? null : headers.get(name)
    },
    get clientAddress() {
      return http.clientAddress
    },
    meta,
  }
}
