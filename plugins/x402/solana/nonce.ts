/**
 * The memo of a payment, `coinop:<place>:<nonce>`, which stays on the chain. The nonce is another in
 * each 402: without it, what one payer buys twice within a blockhash would be one and the same
 * transaction, which the network takes once. A challenge is made and encoded once with a nonce of
 * zeros, and each answer has its own in that place.
 */
import { randomBytes } from 'node:crypto'
import type { FreshOffer, Offer } from '#kernel'
import { PAYMENT_REQUIRED, type PaymentRequired } from '../payment/wire.ts'

/** In documents, which nobody is answered by; as long as any other. */
const NO_NONCE = '0'.repeat(16)
const MEMO = /^coinop:[0-9a-f]{16}:([0-9a-f]{16})$/
/** The memo of an offer in the text of a challenge. */
const OPEN = /(coinop:[0-9a-f]{16}:)0{16}/g

/** The memo of a place that is named by 16 hexadecimal digits. */
export function memoWith(place: string, nonce = NO_NONCE): string {
  return `coinop:${place}:${nonce}`
}

/** The nonce of a memo; null where it has none. */
export function nonceIn(memo: unknown): string | null {
  return typeof memo === 'string' ? (MEMO.exec(memo)?.[1] ?? null) : null
}

/** A challenge for one buyer. */
export function freshened(required: PaymentRequired): PaymentRequired {
  return hasNonce(required) ? JSON.parse(renewed(JSON.stringify(required), newNonce())) : required
}

/** The offer of a challenge, with a part per 402 where one of its `accepts` has a memo with a nonce. */
export function withNonces(offer: Offer & { challenge: PaymentRequired }): Offer {
  if (!hasNonce(offer.challenge)) return offer
  const { accepts } = offer.body
  const acceptsText = accepts === undefined ? '' : JSON.stringify(accepts)
  const isInBody = renewed(acceptsText, '') !== acceptsText
  return {
    ...offer,
    fresh(place, source, refusal): FreshOffer {
      const part: FreshOffer = offer.fresh?.(place, source, refusal) ?? { headers: [] }
      const nonce = newNonce()
      if (place.transport === 'mcp') {
        const challenge = JSON.stringify(part.challenge ?? offer.challenge)
        return { ...part, challenge: JSON.parse(renewed(challenge, nonce)) as object }
      }
      const header = part.replacedHeaders?.[PAYMENT_REQUIRED] ?? offer.headers[PAYMENT_REQUIRED]!
      const text = renewed(Buffer.from(header, 'base64').toString('utf8'), nonce)
      const encoded = Buffer.from(text, 'utf8').toString('base64')
      return {
        ...part,
        replacedHeaders: { ...part.replacedHeaders, [PAYMENT_REQUIRED]: encoded },
        ...(isInBody && {
          body: { ...part.body, accepts: JSON.parse(renewed(acceptsText, nonce)) as unknown },
        }),
      }
    },
  }
}

function hasNonce({ accepts }: PaymentRequired): boolean {
  return accepts.some(({ extra }) => nonceIn(extra['memo']) !== null)
}

function newNonce(): string {
  return randomBytes(NO_NONCE.length / 2).toString('hex')
}

/** No longer than before, so that no limit of a header is passed. */
function renewed(text: string, nonce: string): string {
  return text.replaceAll(OPEN, `$1${nonce}`)
}
