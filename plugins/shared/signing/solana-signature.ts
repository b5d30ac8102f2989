/** Ed25519 (RFC 8032) signatures of Solana wallets, whose addresses are their keys in base58. */
import { createPublicKey, verify } from 'node:crypto'
import { decodeBase58 } from './base58.ts'

/** What precedes the raw bytes in a DER key (RFC 8410). */
const PUBLIC_PREFIX = Buffer.from('302a300506032b6570032100', 'hex')
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

/** Whether the base58 `signature` of a text is that of the wallet with this address. */
export function isSignedBySolana(address: string, text: string, signature: string): boolean {
  const key = decodeBase58(address, 32)
  const bytes = decodeBase58(signature, 64)
  if (key === null || bytes === null || isSmallOrder(key)) return false
  const der = Buffer.concat([PUBLIC_PREFIX, key])
  try {
    const publicKey = createPublicKey({ key: der, format: 'der', type: 'spki' })
    return verify(null, Buffer.from(text, 'utf8'), publicKey, bytes)
  } catch {
    // Bytes that are no point of the curve.
    return false
  }
}

function isSmallOrder(key: Uint8Array): boolean {
  const y = Uint8Array.from(key)
  y[31]! &= 0x7f
  return SMALL_ORDER.has(Buffer.from(y).toString('hex'))
}
