/**
 * Ed25519 (RFC 8032) as Solana has it: addresses are raw public keys in base58. What OpenSSL takes and
 * the network refuses (ed25519-dalek, `verify_strict`) is refused here as well.
 */
import { createPublicKey, verify } from 'node:crypto'
import { decodeBase58 } from './base58.ts'

/** What precedes the raw bytes in a DER key (RFC 8410). */
export const PUBLIC_PREFIX = Buffer.from('302a300506032b6570032100', 'hex')
const SIGNATURE_BYTES = 64
/**
 * The y of all points of small order, also as numbers above the field's prime: under such a "key" a
 * signature can be made without any secret.
 */
const SMALL_ORDER = new Set([
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
])

/** Whether `signature` of `message` is that of the base58 key. */
export function isSignedBy(key: string, message: Uint8Array, signature: Uint8Array): boolean {
  const raw = decodeBase58(key, 32)
  if (raw === null || signature.length !== SIGNATURE_BYTES) return false
  // A signature starts with a point too.
  if (isSmallOrder(raw) || isSmallOrder(signature.subarray(0, 32))) return false
  const der = Buffer.concat([PUBLIC_PREFIX, raw])
  try {
    const publicKey = createPublicKey({ key: der, format: 'der', type: 'spki' })
    return verify(null, message, publicKey, signature)
  } catch {
    // Bytes that are not a point of the curve.
    return false
  }
}

/** Whether the base58 `signature` of a text is that of the wallet with this address. */
export function isTextSignedBy(address: string, text: string, signature: string): boolean {
  const bytes = decodeBase58(signature, SIGNATURE_BYTES)
  return bytes !== null && isSignedBy(address, Buffer.from(text, 'utf8'), bytes)
}

function isSmallOrder(point: Uint8Array): boolean {
  const y = Uint8Array.from(point)
  y[31]! &= 0x7f
  return SMALL_ORDER.has(Buffer.from(y).toString('hex'))
}
