/**
 * The memo of a payment, `coinop:<place>:<nonce>`, which stays on the chain. The nonce is another in
 * each 402: without it, what one payer buys twice within a blockhash would be one and the same
 * transaction, which the network takes once.
 */
import { randomBytes } from 'node:crypto'
import type { PaymentRequirements } from '../payment/wire.ts'

/** Of offers that nobody asked for, in documents: as long as any other. */
export const NO_NONCE = '0'.repeat(16)
const MEMO = /^coinop:[0-9a-f]{16}:([0-9a-f]{16})$/

/** The memo of a place that is named by 16 hexadecimal digits. */
export function memoWith(place: string, nonce = NO_NONCE): string {
  return `coinop:${place}:${nonce}`
}

/** The nonce of a memo; null where it has none. */
export function nonceIn(memo: unknown): string | null {
  return typeof memo === 'string' ? (MEMO.exec(memo)?.[1] ?? null) : null
}

/** Whether an offer has a memo with a nonce. */
export function hasNonce({ extra }: Pick<PaymentRequirements, 'extra'>): boolean {
  return nonceIn(extra['memo']) !== null
}

/** 16 hexadecimal digits. */
export function newNonce(): string {
  return randomBytes(NO_NONCE.length / 2).toString('hex')
}

/** The offer with this nonce, no longer than before; one without any stays as it is. */
export function withNonce<T extends Pick<PaymentRequirements, 'extra'>>(
  offer: T,
  nonce: string,
): T {
  if (!hasNonce(offer)) return offer
  const memo = String(offer.extra['memo']).slice(0, -NO_NONCE.length) + nonce
  return { ...offer, extra: { ...offer.extra, memo } }
}
