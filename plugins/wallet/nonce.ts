/**
 * Nonces that need no storage when they are given out: 8 random bytes and 8 bytes of an HMAC over
 * them, the place and the dates, in 32 hex digits. So a signer can choose neither place nor dates, and
 * every instance with the same master key knows its own.
 */
import { randomFillSync, timingSafeEqual } from 'node:crypto'

const RANDOM_BYTES = 8
const MAC_BYTES = 8
const NONCE = /^[0-9a-f]{32}$/

/** What a nonce is made for. */
export interface NonceScope {
  uri: string
  issuedAt: string
  expirationTime: string
}

export function makeNonce(key: Uint8Array, scope: NonceScope): string {
  if (used === POOLED) {
    randomFillSync(pool)
    used = 0
  }
  const start = RANDOM_BYTES * used++
  const random = pool.subarray(start, start + RANDOM_BYTES)
  return random.toString('hex') + macOf(key, random, scope)
}

/** Random bytes for many nonces, each of which has its own of them. */
const POOLED = 256
const pool = Buffer.alloc(RANDOM_BYTES * POOLED)
let used = POOLED

/** Whether this gateway made the nonce for this scope. */
export function isOwnNonce(key: Uint8Array, nonce: string, scope: NonceScope): boolean {
  if (!NONCE.test(nonce)) return false
  const bytes = Buffer.from(nonce, 'hex')
  const mac = Buffer.from(macOf(key, bytes.subarray(0, RANDOM_BYTES), scope), 'hex')
  return timingSafeEqual(bytes.subarray(RANDOM_BYTES), mac)
}

/** HMACs with their key in them: each 402 makes one. */
const hashers = new WeakMap<Uint8Array, Bun.CryptoHasher>()

/** In hex. */
function macOf(key: Uint8Array, random: Uint8Array, scope: NonceScope): string {
  let hasher = hashers.get(key)
  if (!hasher) hashers.set(key, (hasher = new Bun.CryptoHasher('sha256', key)))
  // As JSON no two scopes have one text.
  const text = JSON.stringify([scope.uri, scope.issuedAt, scope.expirationTime])
  const mac = hasher.copy().update(random).update(text).digest('hex')
  return mac.slice(0, 2 * MAC_BYTES)
}
