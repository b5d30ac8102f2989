/** Identifiers: time-ordered UUIDs (RFC 9562 version 7) and well-formedness of those that callers choose. */

/** A new UUIDv7; sorts by creation time. */
export function newId(): string {
  return Bun.randomUUIDv7('hex', Date.now())
}

/** When an id was made; null if it is not a UUIDv7. */
export function timeOfId(id: string): Date | null {
  const [, high, low] = /^([0-9a-f]{8})-([0-9a-f]{4})-7/.exec(id) ?? []
  return high && low ? new Date(Number.parseInt(high + low, 16)) : null
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Whether a text is a UUID: PostgreSQL fails a statement that casts any other to an id. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/** A caller's X-Request-Id when it is 1 to 128 characters of [A-Za-z0-9._:-], else a new UUIDv7. */
export function requestIdFrom(header: string | null): string {
  return header !== null && /^[A-Za-z0-9._:-]{1,128}$/.test(header) ? header : newId()
}

/** What an Idempotency-Key must be, in words. */
export const IDEMPOTENCY_KEY_FORM = '1 to 255 printable characters without spaces'

/** Whether a caller's text can be an Idempotency-Key. */
export function isIdempotencyKey(text: string): boolean {
  return /^[\x21-\x7e]{1,255}$/.test(text)
}

/** The lowest UUIDv7 of an instant: ids made later are greater, ids made before are smaller. */
export function firstIdAt(at: Date): string {
  const hex = Math.max(0, at.getTime()).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}
