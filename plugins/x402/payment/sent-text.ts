/** What facilitators get as `paymentPayload`. */
import { acceptedOf, type SignedPayment } from './payload.ts'
import type { Payment, PaymentRequired } from './wire.ts'

/** What a challenge says beside its offers. */
export type ShownInChallenge = Pick<PaymentRequired, 'resource' | 'extensions'>

/**
 * Its JSON text: the resource and the extensions as the client sent them, or those of the challenge
 * where it sent neither, so that catalogues learn of the resource. The signed part is written anew
 * from what was verified here: of two JSON members with one name, a facilitator might read the other
 * one and settle what was never claimed.
 */
export function sentText(
  { echoed }: Payment,
  signed: SignedPayment,
  shown: () => ShownInChallenge,
): string {
  const hasEchoed = Object.keys(echoed).length > 0
  const given = hasEchoed ? echoed : shown()
  return JSON.stringify({
    x402Version: 2,
    resource: given.resource,
    accepted: acceptedOf(signed),
    payload: signed.payload,
    extensions: given.extensions,
  })
}
