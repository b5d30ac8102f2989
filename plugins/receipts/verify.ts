/** Reads a receipt and checks it against a DID document and, where there is one, the answer's body. */
import { createHash, createPublicKey, verify } from 'node:crypto'
import { isObject } from '#kernel'
import { isOfGateway } from './did.ts'

/** An Ed25519 key as a JWK has it: 32 bytes. */
const PUBLIC_X = /^[A-Za-z0-9_-]{43}$/

export interface Read {
  /** The DID URL in its header. */
  keyId: string
  payload: Readonly<Record<string, unknown>>
  signed: string
  signature: Buffer
}

/** The parts of a compact JWS; null when the text is none by EdDSA that names its key. */
export function readReceipt(text: string): Read | null {
  const [, head, body, signature] =
    /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)$/.exec(text.trim()) ?? []
  if (!head || !body || !signature) return null
  const header = jsonIn(head)
  const payload = jsonIn(body)
  if (!isObject(header) || !isObject(payload)) return null
  const { alg, kid } = header
  if (alg !== 'EdDSA' || typeof kid !== 'string') return null
  const signed = `${head}.${body}`
  return { keyId: kid, payload, signed, signature: Buffer.from(signature, 'base64url') }
}

/** What is wrong with the receipt, or null. `document` is the JSON text of its gateway's keys. */
export function verifiedBy(
  { keyId, payload, signed, signature }: Read,
  document: string,
  body: Uint8Array | null,
): { problem: string | null } {
  const jwk = keyIn(document, keyId)
  if (jwk === null) return { problem: `the document lists no key ${keyId} for receipts` }
  const key = createPublicKey({ key: jwk, format: 'jwk' })
  if (!verify(null, Buffer.from(signed), key, signature)) {
    return { problem: 'the signature is wrong' }
  }
  if (!isReceipt(payload)) return { problem: 'it is signed, but says of no payment' }
  if (!isOfGateway(keyId, payload.resourceUrl))
    return { problem: 'what was paid for is not of the gateway that signed' }
  if (body === null) return { problem: null }
  const hash = `0x${createHash('sha256').update(body).digest('hex')}`
  return { problem: payload['responseHash'] === hash ? null : 'it is of another body' }
}

/** Offers are signed by the same key, and nobody has paid them. */
function isReceipt(payload: Read['payload']): payload is Read['payload'] & { resourceUrl: string } {
  const { payer, issuedAt, network, resourceUrl } = payload
  return (
    [payer, network, resourceUrl].every((one) => typeof one === 'string') &&
    typeof issuedAt === 'number'
  )
}

/** The key that the document lists under this id and allows to sign. */
function keyIn(text: string, keyId: string): Record<string, string> | null {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch {
    return null
  }
  if (!isObject(document)) return null
  const { verificationMethod: methods, assertionMethod: allowed } = document
  if (!Array.isArray(methods) || !Array.isArray(allowed) || !allowed.includes(keyId)) return null
  const method: unknown = methods.find((one: unknown) => isObject(one) && one['id'] === keyId)
  const jwk = isObject(method) ? method['publicKeyJwk'] : null
  if (!isObject(jwk) || jwk['crv'] !== 'Ed25519') return null
  const { x } = jwk
  return typeof x === 'string' && PUBLIC_X.test(x) ? { kty: 'OKP', crv: 'Ed25519', x } : null
}

function jsonIn(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
  } catch {
    return null
  }
}
