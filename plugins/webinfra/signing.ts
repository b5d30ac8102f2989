/** Outbound signatures: Standard Webhooks, with every secret that still counts. */
import { createHmac } from 'node:crypto'
import { assert } from '#kernel'
import { signingKey } from './secrets.ts'

/**
 * `webhook-id`, `webhook-timestamp` and `webhook-signature` over the raw body. The id is the
 * delivery's and the same on every retry and replay; the newest secret signs first.
 */
export function signatureHeaders(
  deliveryId: string,
  at: Date,
  body: Uint8Array,
  secrets: readonly string[],
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signatures = secrets.map((secret) => {
    const key = signingKey(secret)
    assert(key !== null, 'a stored signing secret has a key')
    const hmac = createHmac('sha256', key).update(`${deliveryId}.${timestamp}.`).update(body)
    return `v1,${hmac.digest('base64')}`
  })
  return {
    'webhook-id': deliveryId,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}
