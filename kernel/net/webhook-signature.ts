/**
 * Outbound signatures of webhooks as Standard Webhooks defines them
 * (https://www.standardwebhooks.com, "Signature scheme").
 */
import { createHmac } from 'node:crypto'
import { assert } from '../errors.ts'

const SECRET_PREFIX = 'whsec_'
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

/**
 * The HMAC key of a signing secret: the decoded bytes after `whsec_`, else the text's UTF-8 bytes
 * (the `raw` format of the Standard Webhooks libraries). Null for a `whsec_` text without base64.
 */
export function signingKey(secret: string): Buffer | null {
  if (!secret.startsWith(SECRET_PREFIX)) return Buffer.from(secret, 'utf8')
  return decodeBase64(secret.slice(SECRET_PREFIX.length))
}

/** The bytes of a base64 text; null when it is not base64 or is empty. */
export function decodeBase64(text: string): Buffer | null {
  if (!BASE64.test(text)) return null
  const bytes = Buffer.from(text, 'base64')
  return bytes.length === 0 ? null : bytes
}

/** Why a text cannot be a signing secret; null when it can. */
export function signingSecretProblem(secret: string): string | null {
  const key = signingKey(secret)
  if (key === null) return 'must be whsec_ and base64'
  return key.length < 16 || key.length > 64 ? 'must hold 16 to 64 bytes' : null
}

/**
 * `webhook-id`, `webhook-timestamp` and `webhook-signature` over the raw body. The id is the
 * message's and the same on every retry; the newest secret signs first.
 */
export function signatureHeaders(
  messageId: string,
  at: Date,
  body: Uint8Array,
  secrets: readonly string[],
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signatures = secrets.map((secret) => {
    const key = signingKey(secret)
    assert(key !== null, 'a signing secret has a key')
    const hmac = createHmac('sha256', key).update(`${messageId}.${timestamp}.`).update(body)
    return `v1,${hmac.digest('base64')}`
  })
  return {
    'webhook-id': messageId,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}
