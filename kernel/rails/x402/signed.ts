/** Turns a verified payment into what is stored with its claim and sent to be settled. */
import type { Quote } from '../contract.ts'
import { requirementsOf } from './challenge.ts'
import type { ClaimOrder, PaymentKey } from './claim.ts'
import type { Core } from './core.ts'
import type { AcceptedPrice } from './offers.ts'
import { claimNonceOf, signedOf, type SignedPayment } from './payload.ts'
import type { Payment } from './wire.ts'
import { isMainWay, wayOf } from './ways.ts'

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
  // The challenge's own object has its JSON text already; other ways and older prices are rare.
  const requirements =
    isMainWay(way, core.asset) && amountAtomic === quote.amountAtomic
      ? core.offers.of(quote).requirements
      : requirementsOf({ ...quote, amountAtomic }, core.asset, core.payTo, way)
  const signed = signedOf(payment, requirements)
  if (!core.hasFacilitators) return signed
  const { resource, extensions = {} } = core.offers.of(quote).required
  return { ...signed, sent: sentText(payment, signed, { resource, extensions }) }
}

/**
 * The JSON text that facilitators get as `paymentPayload`. A client that echoed neither the resource
 * nor the extensions is given those of the challenge, so that catalogues learn of the resource.
 */
function sentText(
  { sent }: Payment,
  { requirements, payload }: SignedPayment,
  echoed: { resource: object; extensions: object },
): string {
  if (sent === null) {
    const { resource, extensions } = echoed
    return JSON.stringify({
      x402Version: 2,
      resource,
      accepted: requirements,
      payload,
      extensions,
    })
  }
  const hasEchoed = sent['resource'] !== undefined || sent['extensions'] !== undefined
  return JSON.stringify(hasEchoed ? sent : { ...sent, ...echoed })
}

/** The claim of a signed payment for a call. */
export function claimOrderOf(
  core: Pick<Core, 'asset' | 'chainRef'>,
  call: {
    id: string
    fingerprint: string
    requestId: string
    keyId: string | null
    quote: Quote
    price: AcceptedPrice
    acquisition: string | null
    payment: Payment
    signed: SignedPayment
    leaseUntil: Date
  },
): ClaimOrder {
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
