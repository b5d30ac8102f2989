/** Turns a verified payment into what is stored with its claim and sent to be settled. */
import type { Quote } from '../contract.ts'
import { requirementsOf } from './challenge.ts'
import type { ClaimOrder, SignedPayment } from './claim.ts'
import type { Core } from './core.ts'
import type { AcceptedPrice } from './offers.ts'
import type { Payment } from './wire.ts'

/** The payment with our own requirements of the price it was signed for, in the version 2 form. */
export function signedPaymentOf(
  core: Pick<Core, 'asset' | 'payTo' | 'offers'>,
  payment: Payment,
  quote: Quote,
  { amountAtomic }: AcceptedPrice,
): SignedPayment {
  const { from, to, value, validAfter, validBefore, nonce } = payment.authorization
  return {
    version: payment.version,
    requirements:
      amountAtomic === quote.amountAtomic
        ? core.offers.of(quote).requirements
        : requirementsOf({ ...quote, amountAtomic }, core.asset, core.payTo),
    payload: {
      signature: payment.signature,
      authorization: {
        from,
        to,
        value: value.toString(),
        validAfter: validAfter.toString(),
        validBefore: validBefore.toString(),
        nonce,
      },
    },
  }
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
    payment: SignedPayment
    leaseUntil: Date
  },
): ClaimOrder {
  const { authorization } = call.payment.payload
  return {
    id: call.id,
    network: core.asset.network,
    asset: core.asset.address,
    payer: authorization.from,
    nonce: authorization.nonce,
    fingerprint: call.fingerprint,
    requestId: call.requestId,
    keyId: call.keyId,
    skillId: call.quote.skillId,
    path: call.quote.path,
    amountAtomic: call.price.amountAtomic,
    priceVersion: call.price.priceVersion,
    acquisition: call.acquisition,
    payment: call.payment,
    validBefore: BigInt(authorization.validBefore),
    chainRef: core.chainRef,
    leaseUntil: call.leaseUntil,
  }
}
