/** Key pairs of Ed25519 (RFC 8032) as Solana wallets export them. */
import { createPrivateKey, createPublicKey, sign, type KeyObject } from 'node:crypto'
import { decodeBase58, encodeBase58 } from '../../shared/signing/base58.ts'
import { PUBLIC_PREFIX } from '../../shared/signing/ed25519.ts'

/** What precedes the seed in a DER key (RFC 8410). */
const PRIVATE_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')

export interface KeyPair {
  /** Base58. */
  address: string
  sign(message: Uint8Array): Uint8Array
}

/**
 * The key pair of a base58 secret: 64 bytes as wallets export it (seed and public key), which must
 * belong together, or the 32 bytes of the seed. Null when it is neither.
 */
export function keyPairOf(secret: string): KeyPair | null {
  const both = decodeBase58(secret, 64)
  const seed = both?.slice(0, 32) ?? decodeBase58(secret, 32)
  if (seed === null) return null
  const der = Buffer.concat([PRIVATE_PREFIX, seed])
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  const address = addressOf(key)
  if (both !== null && encodeBase58(both.slice(32)) !== address) return null
  return { address, sign: (message) => new Uint8Array(sign(null, message, key)) }
}

function addressOf(key: KeyObject): string {
  const der = createPublicKey(key).export({ format: 'der', type: 'spki' })
  return encodeBase58(der.subarray(PUBLIC_PREFIX.length))
}
