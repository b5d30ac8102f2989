/** Ed25519 keys (RFC 8032) that sign receipts and offers, and how they are named for readers. */
import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto'

/** What precedes the 32 bytes of a seed in a DER private key (RFC 8410, section 7). */
const PRIVATE_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')

/** The public half (RFC 8037, section 2). */
export interface PublicJwk {
  kty: 'OKP'
  crv: 'Ed25519'
  /** Without it the published verifier of x402 refuses the key. */
  alg: 'EdDSA'
  /** Base64url. */
  x: string
}

export interface ReceiptKey {
  /** Of its DID URL: 'receipts-3141592653'. */
  fragment: string
  publicJwk: PublicJwk
  /** Base64url of the signature of `text`. */
  sign(text: string): string
}

/** The key of a seed of 32 bytes. */
export function keyOf(seed: Uint8Array): ReceiptKey {
  const privateKey = createPrivateKey({
    key: Buffer.concat([PRIVATE_PREFIX, seed]),
    format: 'der',
    type: 'pkcs8',
  })
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' })
  const publicJwk: PublicJwk = { kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', x: x! }
  return {
    fragment: `receipts-${numberOf(publicJwk)}`,
    publicJwk,
    sign: (text) => sign(null, Buffer.from(text), privateKey).toString('base64url'),
  }
}

/**
 * The start of the key's thumbprint (RFC 7638). A place in a list would change when an older key
 * goes, and receipts signed before would name another key.
 */
function numberOf({ crv, kty, x }: PublicJwk): number {
  const text = JSON.stringify({ crv, kty, x })
  return createHash('sha256').update(text).digest().readUInt32BE(0)
}
