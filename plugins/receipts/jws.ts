/**
 * Compact JWS (RFC 7515) with EdDSA (RFC 8037), its payload in canonical JSON (RFC 8785); its Ed25519
 * keys (RFC 8032), and how they are named for readers.
 */
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
  /**
   * Base64url of the signature of `text`. It takes this thread some 16 µs; to hand the text to another
   * thread and to take the signature back costs as much here, and the signature comes on top.
   */
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

/** A payload has one level, so its canonical form is that of its members in the order of their names. */
export type Payload = Readonly<Record<string, string | number>>

export class JwsSigner {
  readonly #key: ReceiptKey
  readonly #header: string

  constructor(did: string, key: ReceiptKey) {
    this.#key = key
    this.#header = base64url(JSON.stringify({ alg: 'EdDSA', kid: `${did}#${key.fragment}` }))
  }

  /** The compact JWS of a payload. */
  sign(payload: Payload): string {
    const signed = `${this.#header}.${base64url(canonical(payload))}`
    return `${signed}.${this.#key.sign(signed)}`
  }
}

function canonical(payload: Payload): string {
  const names = Object.keys(payload)
  const isSorted = names.every((name, at) => at === 0 || names[at - 1]! < name)
  // Texts and whole numbers are written as RFC 8785 wants them.
  if (isSorted) return JSON.stringify(payload)
  return JSON.stringify(Object.fromEntries(names.sort().map((name) => [name, payload[name]])))
}

function base64url(text: string): string {
  return Buffer.from(text).toString('base64url')
}
