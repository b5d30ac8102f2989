/** Turns a verified payment into what is stored with its claim and sent to be settled. */
import type { Quote } from '#kernel'
import { requirementsOf } from '../offers/challenge.ts'
import type { PaymentKey, SettleOrder } from './claim.ts'
import type { Core } from '../rail-parts.ts'
import type { AcceptedPrice } from '../offers/challenge-cache.ts'
import { acceptedOf, claimNonceOf, signedOf, type SignedPayment } from '../payment/payload.ts'
import type { Payment, PaymentRequired } from '../payment/wire.ts'
import { isMainWay, wayOf } from '../offers/payment-kinds.ts'

/** What identifies a payment in the claims. */
export function keyOf({ asset }: Pick<Core, 'asset'>, payment: Payment): PaymentKey {
  const { method, authorization } = payment
  return {
    network: asset.network,
    asset: asset.address,
    payer: authorization.from,
    nonce: claimNonceOf(method, authorization.nonce),
  }
}

/** The payment with our own requirements of the price it was signed for, in the version 2 form. */
export function signedPaymentOf(
  core: Pick<Core, 'asset' | 'payTo' | 'offers' | 'hasFacilitators'>,
  payment: Payment,
  quote: Quote,
  { amountAtomic }: AcceptedPrice,
): SignedPayment {
  const way = wayOf(payment)
  // The challenge's own object, whose JSON text is cached, fits all but rare payments.
  const requirements =
    isMainWay(way, core.asset) && amountAtomic === quote.amountAtomic
      ? core.offers.of(quote).requirements
      : requirementsOf({ ...quote, amountAtomic }, core.asset, core.payTo, way)
  const signed = signedOf(payment, requirements)
  if (!core.hasFacilitators) return signed
  return { ...signed, sent: sentText(payment, signed, core.offers.of(quote).required) }
}

/**
 * The JSON text that facilitators get as `paymentPayload`: the resource and the extensions as the
 * client sent them, or those of the challenge where it sent neither, so that catalogues learn of the
 * resource. The signed part is written anew from what was verified here: of two JSON members with one
 * name, a facilitator might read the other one and settle what was never claimed.
 */
function sentText(
  { echoed }: Payment,
  signed: SignedPayment,
  { resource, extensions }: PaymentRequired,
): string {
  const hasEchoed = Object.keys(echoed).length > 0
  const given = hasEchoed ? echoed : { resource, extensions }
  return JSON.stringify({
    x402Version: 2,
    resource: given.resource,
    accepted: acceptedOf(signed),
    payload: signed.payload,
    extensions: given.extensions,
  })
}

/** The claim of a signed payment for a call. */
export function claimOrderOf(
  core: Pick<Core, 'asset' | 'chainRef'>,
  call: {
    id: string
    fingerprint: string | null
    requestId: string
    keyId: string | null
    quote: Quote
    price: AcceptedPrice
    acquisition: string | null
    payment: Payment
    signed: SignedPayment
    leaseUntil: Date
  },
): SettleOrder {
  return {
    id: call.id,
    ...keyOf(core, call.payment),
    fingerprint: call.fingerprint,
    requestId: call.requestId,
    keyId: call.keyId,
    skillId: call.quote.skillId,
    path: call.quote.path,
    amountAtomic: call.price.amountAtomic,
    priceVersion: call.price.priceVersion,
    acquisition: call.acquisition,
    payment: call.signed,
    validBefore: call.payment.authorization.validBefore,
    chainRef: core.chainRef,
    leaseUntil: call.leaseUntil,
  }
}
