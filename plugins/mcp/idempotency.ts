/**
 * The Idempotency-Key of a tool call: `params._meta["coinop/idempotency-key"]`, else the header.
 * Both name the same key in the store that HTTP uses.
 */
import { fail, IDEMPOTENCY_KEY_FORM, isIdempotencyKey, type Failure } from '#kernel'
import type { Exchange } from './exchange.ts'

export const META_IDEMPOTENCY_KEY = 'coinop/idempotency-key'

/** The key, undefined when none is given, or INVALID_INPUT for a malformed one. */
export function idempotencyKeyOf(exchange: Exchange): string | undefined | Failure {
  const own = exchange.meta[META_IDEMPOTENCY_KEY]
  if (own !== undefined) return checked(own, `/_meta/${META_IDEMPOTENCY_KEY.replace('/', '~1')}`)
  const header = exchange.http.request.headers.get('idempotency-key')
  if (header === null) return undefined
  const key = checked(header, '/headers/idempotency-key')
  // One header stands over every call of a batch: its place tells them apart, also in a retry.
  return typeof key === 'string' && exchange.batchIndex !== null
    ? `${key}.${exchange.batchIndex}`
    : key
}

function checked(key: unknown, path: string): string | Failure {
  if (typeof key === 'string' && isIdempotencyKey(key)) return key
  return fail('INVALID_INPUT', `The idempotency key must be ${IDEMPOTENCY_KEY_FORM}`, {
    details: { issues: [{ path, message: 'is malformed' }] },
  })
}
