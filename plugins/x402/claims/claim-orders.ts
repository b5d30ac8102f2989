/**
 * Turns a verified payment into what is stored with its claim and sent to be settled; and what a call
 * carries from its claim to its end, with the outcomes it can have.
 */
import type { Quote, AuthorizeOutcome, CaptureOutcome, Failure, RailCall } from '#kernel'
import { requirementsOf } from '../offers/challenge.ts'
import type { PaymentKey, SettleOrder, Claim } from './claim.ts'
import type { RailParts } from '../rail-parts.ts'
import type { AcceptedPrice } from '../offers/challenge-cache.ts'
import { acceptedOf, claimNonceOf, signedOf, type SignedPayment } from '../payment/payload.ts'
import type { Payment, PaymentRequired } from '../payment/wire.ts'
import { isMainWay, wayOf } from '../offers/payment-kinds.ts'
import { settlementUnknown, stillInFlight } from '../payment/problem.ts'

/** What identifies a payment in the claims. */
export function keyOf({ asset }: Pick<RailParts, 'asset'>, payment: Payment): PaymentKey {
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
  core: Pick<RailParts, 'asset' | 'payTo' | 'offers' | 'hasFacilitators'>,
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
  core: Pick<RailParts, 'asset' | 'chainRef'>,
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

/** The rail's part of an Authorization. */
export type CallState = UnpaidCall | PaidCall

interface Common {
  /** Of x402, as the payer's client speaks it. */
  version: 1 | 2
  /** Ends the lease of an answer that is streamed. */
  letGo?: () => void
}

/** Its payment is settled after the work. */
export interface UnpaidCall extends Common {
  kind: 'unpaid'
  claim: SettleOrder
}

/** The money is here already. */
export interface PaidCall extends Common {
  kind: 'paid'
  claim: Claim
  /** Its work runs again for a payment that was charged before: nothing is charged now. */
  isAgain: boolean
}

/** After the skill's deadline: time to write the answer before the claim counts as abandoned. */
const CLAIM_GRACE_MS = 10_000

/** What is settled for a call: all of the price, or with `upto` what the skill billed of it. */
export function billed(order: SettleOrder, amountAtomic: bigint): SettleOrder {
  return order.payment.requirements.scheme === 'upto' ? { ...order, amountAtomic } : order
}

export function authorized(state: CallState): AuthorizeOutcome {
  const { amountAtomic } = state.claim
  return { outcome: 'authorized', authorization: { railId: 'x402', amountAtomic, state } }
}

export function refused(failure: Failure, offer: boolean): AuthorizeOutcome {
  return { outcome: 'refused', failure, offer }
}

/** The claim went to a later call of the same payment; this answer is not given. */
export function lost(): CaptureOutcome {
  return { outcome: 'failed', failure: stillInFlight(), offer: false }
}

export function unknown(detail: string): CaptureOutcome {
  return { outcome: 'failed', failure: settlementUnknown(detail), offer: false, pending: true }
}

/** Until when no other call takes the claim of this one over. */
export function leaseUntil(call: RailCall): Date {
  return new Date(call.deadline.getTime() + CLAIM_GRACE_MS)
}
