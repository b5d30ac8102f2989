/** One attempt to send an event to the operator's webhook. */
import { accountEventToJson, signatureHeaders, type AccountEvent, type Outbound } from '#kernel'
import type { EventWebhook } from '#kernel/host'

const TIMEOUT_MS = 10_000

/** Null after an answer 2xx, else why it was not delivered. Never throws for what the receiver does. */
export async function sendEvent(
  outbound: Pick<Outbound, 'request'>,
  { url, secret }: EventWebhook,
  event: AccountEvent,
  signal: AbortSignal,
): Promise<string | null> {
  const body = new TextEncoder().encode(JSON.stringify(accountEventToJson(event)))
  const answer = await outbound.request(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...signatureHeaders(event.id, new Date(), body, [secret]),
    },
    body,
    signal,
    headersTimeoutMs: TIMEOUT_MS,
    timeoutMs: TIMEOUT_MS,
    // The operator configured the address.
    allowPrivate: true,
    anyPort: true,
  })
  if (!answer.ok) return answer.reason
  answer.cancel()
  return answer.status >= 200 && answer.status < 300 ? null : `http_${answer.status}`
}
