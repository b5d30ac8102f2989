/** One attempt to send an event to the operator's webhook. */
import { accountEventToJson, retryAfterMs, signatureHeaders, type Outbound } from '#kernel'
import type { EventWebhook } from '#kernel/host'
import type { ClaimedEvent } from './outbox-claims.ts'

const TIMEOUT_MS = 10_000

/** Why an event was not delivered, and the pause that the receiver asks for; null: none. */
export interface Undelivered {
  error: string
  retryAfterMs: number | null
}

/** Null after an answer 2xx. Never throws for what the receiver does. */
export async function sendEvent(
  outbound: Pick<Outbound, 'request'>,
  { url, secret }: EventWebhook,
  event: ClaimedEvent,
  signal: AbortSignal,
): Promise<Undelivered | null> {
  // A receiver refuses what this machine would date wrong.
  const { claimedAt: at } = event
  const body = new TextEncoder().encode(JSON.stringify(accountEventToJson(event)))
  const answer = await outbound.request(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...signatureHeaders(event.id, at, body, [secret]),
    },
    body,
    signal,
    headersTimeoutMs: TIMEOUT_MS,
    timeoutMs: TIMEOUT_MS,
    // The operator configured the address.
    allowPrivate: true,
    anyPort: true,
  })
  if (!answer.ok) return { error: answer.reason, retryAfterMs: null }
  answer.cancel()
  if (answer.status >= 200 && answer.status < 300) return null
  return { error: `http_${answer.status}`, retryAfterMs: retryAfterMs(answer.headers, at) }
}
