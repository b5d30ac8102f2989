/**
 * Turns a verified payment into what is stored with its claim and sent to be settled; and what a call
 * carries from its claim to its end, with the outcomes it can have.
 */
import { createHash } from 'node:crypto'
import type {
  Failure,
  Authorization,
  Quote,
  AuthorizeOutcome,
  CaptureOutcome,
  RailCall,
  Receipt,
} from '#kernel'
import { channelResponse } from '../channels/receipt.ts'
import { SCHEME as CHANNELS } from '../payment/channel.ts'
import {
  paymentFailed,
  problem,
  settlementUnknown,
  stillInFlight,
  usedForAnother,
} from '../payment/problem.ts'
import { amountOf, isChannel } from '../payment/payload.ts'
import { PERMIT2_NONCE } from '../payment/nonces.ts'
import { receiptOf, refusalHeaders, type Payment } from '../payment/wire.ts'
import type { RailParts } from '../rail-parts.ts'
import { UNKNOWN_TRANSACTION } from '../settle/contract.ts'
import { fieldOf } from '../payment/reason-kinds.ts'
import type { Claim, ClaimFacts, ClaimOrder, SettleOrder } from '../claims/claim.ts'
import type { Entry } from '../entries/contract.ts'
import { unitsOf, type AcceptedPrice } from '../terms/prices.ts'
import type { ShownInChallenge } from '../payment/sent-text.ts'

/**
 * Which request a payment pays: the call's, and the identifier that its payer gave the payment. What
 * was signed can be read on the chain later; the identifier cannot, so the answer is only for those
 * who know it.
 */
export function boundFingerprint(
  { fingerprint }: Pick<RailCall, 'fingerprint'>,
  identifier: string | null,
): string {
  if (identifier === null) return fingerprint
  return createHash('sha256').update(`${fingerprint} ${identifier}`).digest('hex')
}

/** The claim of a payment for a call. */
export function claimOrderOf(
  entry: Entry,
  call: {
    id: string
    fingerprint: string | null
    requestId: string
    keyId: string | null
    quote: Quote
    price: AcceptedPrice
    acquisition: string | null
    payment: Payment
    /** What the quote's challenge says beside its offers; asked where something of it is sent on. */
    shown: () => ShownInChallenge
    leaseMs: number
    /** The rail that sells the call, where it is not x402. */
    rail?: string | undefined
  },
): SettleOrder {
  const signed = entry.signed(call.payment, call.quote, call.price, call.shown)
  return {
    id: call.id,
    ...entry.keyOf(call.payment),
    fingerprint: call.fingerprint,
    requestId: call.requestId,
    keyId: call.keyId,
    skillId: call.quote.skillId,
    path: call.quote.path,
    amountAtomic: call.price.amountAtomic,
    units: amountOf(signed),
    priceVersion: call.price.priceVersion,
    acquisition: call.acquisition,
    payment: signed,
    validBefore: entry.validBefore(call.payment),
    chainRef: entry.chainRef,
    leaseMs: call.leaseMs,
    ...(call.rail !== undefined && { rail: call.rail }),
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
  /** That settles it. */
  entry: Entry
  /** Its answer may go out before it is settled, so that its deposit was made before the work. */
  isPaidAtEnd: boolean
}

/** The money is here already. */
export interface PaidCall extends Common {
  kind: 'paid'
  claim: ClaimFacts & Pick<Claim, 'transaction' | 'ledgerId'>
  /** Its work runs again for a payment that was charged before: nothing is charged now. */
  isAgain: boolean
}

/** After the skill's deadline: time to write the answer before the claim counts as abandoned. */
const CLAIM_GRACE_MS = 10_000

/** What is settled for a call: all of the price, or of a ceiling what the skill billed of it. */
export function billed({ claim, entry }: UnpaidCall, amountAtomic: bigint): SettleOrder {
  const { scheme } = claim.payment.requirements
  if (scheme !== 'upto' && scheme !== CHANNELS) return claim
  return { ...claim, amountAtomic, units: unitsOf(entry.token.decimals, amountAtomic) }
}

/** `receipt` is of what was paid before, where the call's own payment did that. */
export function authorized(state: CallState, receipt?: Receipt): AuthorizeOutcome {
  const authorization = { ...authorizationOf(state), ...(receipt && { receipt }) }
  return { outcome: 'authorized', authorization }
}

export function authorizationOf(state: CallState): Authorization {
  const { amountAtomic } = state.claim
  return { railId: 'x402', amountAtomic, state, isPaid: state.kind === 'paid' }
}

/** Of a call whose money is here; work that runs again is not charged again. */
export function paidReceipt(
  parts: Pick<RailParts, 'networkOf'>,
  { claim, version, isAgain }: Pick<PaidCall, 'claim' | 'version' | 'isAgain'>,
): Receipt {
  const receipt = receiptFor(parts, claim, version)
  return isAgain ? { ...receipt, chargedAtomic: 0n } : receipt
}

export function refused(failure: Failure, offer: boolean): AuthorizeOutcome {
  return { outcome: 'refused', failure, offer }
}

/** The money may be moving, by this call or by one before it with the same payment. */
export function open(detail: string): AuthorizeOutcome {
  return { outcome: 'refused', failure: settlementUnknown(detail), offer: false, pending: true }
}

/** The claim went to a later call of the same payment; this answer is not given. */
export function lost(): CaptureOutcome {
  return { outcome: 'failed', failure: stillInFlight(), offer: false }
}

export function unknown(detail: string): CaptureOutcome {
  return { outcome: 'failed', failure: settlementUnknown(detail), offer: false, pending: true }
}

/** What a paid call gets beside its answer, in the words of its client's version of x402. */
export function receiptFor(
  { networkOf }: Pick<RailParts, 'networkOf'>,
  claim: Pick<ClaimFacts, 'network' | 'asset' | 'payer' | 'amountAtomic' | 'units' | 'payment'> &
    Pick<Claim, 'transaction' | 'ledgerId'>,
  version: 1 | 2,
): Receipt {
  const { asset, payer, amountAtomic, units, ledgerId, payment } = claim
  return receiptOf({
    ...networkOf(claim),
    asset,
    scheme: payment?.requirements.scheme ?? 'exact',
    transaction: claim.transaction ?? UNKNOWN_TRANSACTION,
    payer,
    amountAtomic,
    units,
    ledgerId,
    version,
    ...(payment && isChannel(payment) && { response: channelResponse(payment, units) }),
  })
}

/** What a payer is told of a settlement that was refused for certain, and whether money moved before. */
export function refusalText(reason: string, detail?: string): string {
  const why = detail === undefined ? reason : `${reason}: ${detail}`
  return NONCE_USED.has(reason)
    ? `the settlement was refused (${why}): the chain has seen this payment before, settled or cancelled; this call took nothing`
    : `the settlement was refused (${why}); nothing was taken`
}

/** The settlement was refused for certain: this call took nothing. */
export function settlementRefused(
  { networkOf }: Pick<RailParts, 'networkOf'>,
  { reason, detail }: { reason: string; detail?: string },
  claim: Pick<ClaimFacts, 'network' | 'asset' | 'payer'>,
  version: 1 | 2,
): Failure {
  const { payer } = claim
  const text = refusalText(reason, detail)
  const headers = refusalHeaders(networkOf(claim), { reason, payer, version })
  return paymentFailed(problem(reason, fieldOf(reason), text), { payer, headers })
}

/** How long no other call takes the claim of this one over. */
export function leaseMsOf({ deadline }: RailCall): number {
  return deadline.getTime() - Date.now() + CLAIM_GRACE_MS
}

/** The chain has used the nonce, for a settlement that no claim here knows of or for a cancellation. */
const NONCE_USED: ReadonlySet<string> = new Set([
  'invalid_exact_evm_nonce_already_used',
  'permit2_invalid_nonce',
])

/** Why such a claim is given back. */
export const NONCE_TAKEN = 'the nonce is claimed for another token'

/**
 * Why a claim that was just made cannot stay; null when it can. Permit2 counts the nonces of a payer for
 * all tokens of a chain, and a claim is of one token: a nonce that is claimed for another token of the
 * chain can settle once only, so that it buys once only.
 */
export async function nonceProblem(
  { claims, entries }: RailParts,
  { network, asset, payer, nonce }: ClaimOrder,
): Promise<Failure | null> {
  if (!nonce.startsWith(PERMIT2_NONCE)) return null
  for (const { token } of entries) {
    if (token.network !== network || token.asset === asset) continue
    const other = await claims.byPayment({ network, asset: token.asset, payer, nonce })
    if (other && !(await claims.isOver(other))) {
      // Of two calls at once both may see the other: whoever comes back first has it.
      return other.state === 'working' ? stillInFlight() : usedForAnother(other)
    }
  }
  return null
}
