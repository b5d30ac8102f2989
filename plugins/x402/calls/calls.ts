/**
 * The phases of one x402 call: claim the payment → (work) → store the answer → settle. A signed
 * payment runs a skill once, and while nobody knows whether the money moved the caller is asked to
 * come back, never to pay again.
 */
import {
  isMeasuredByHead,
  type Authorization,
  type AuthorizeOutcome,
  type CaptureOutcome,
  type Logger,
  type RailCall,
  type SignCharge,
  type StoredAnswer,
} from '#kernel'
import type { Entry } from '../entries/contract.ts'
import { isUpfront } from '../evm/offers.ts'
import type { Presented } from './credential.ts'
import {
  paymentFailed,
  paymentRefunded,
  settlementUnavailable,
  stillInFlight,
  usedForAnother,
} from '../payment/problem.ts'
import { isChannel } from '../payment/payload.ts'
import type { RailParts } from '../rail-parts.ts'
import type { CheckOutcome } from '../settle/contract.ts'
import { newLease } from '../settle/leases.ts'
import {
  authorized,
  billed,
  boundFingerprint,
  leaseMsOf,
  lost,
  open,
  paidReceipt,
  receiptFor,
  refused,
  settlementRefused,
  unknown,
  type CallState,
  type PaidCall,
  type UnpaidCall,
  claimOrderOf,
  NONCE_TAKEN,
  nonceProblem,
} from './claim-orders.ts'
import type { Claim, SettleOrder, PrepaidRequest } from '../claims/claim.ts'
import { covered } from './cover.ts'
import type { PrepaidRequests } from '../claims/prepaid-requests.ts'
import { Repeats } from './repeats.ts'

export class Calls {
  readonly #core: RailParts
  readonly #prepaid: PrepaidRequests
  readonly #repeats: Repeats
  readonly #log: Logger

  constructor(core: RailParts, prepaid: PrepaidRequests) {
    this.#core = core
    this.#prepaid = prepaid
    this.#repeats = new Repeats(core)
    this.#log = core.log
  }

  /** Claims what the call presents, or says what became of it. */
  async authorize(call: RailCall, presented: Presented, rail?: string): Promise<AuthorizeOutcome> {
    switch (presented.kind) {
      case 'refused':
        return refused(presented.failure, presented.offer)
      case 'prepaid':
        return this.#prepaidCall(call, presented.request)
      case 'payment':
        return this.#payment(call, presented, rail)
      case 'earlier': {
        const { payment, entry } = presented
        const { claims } = this.#core
        const key = entry.keyOf(payment)
        const claim = await claims.byPayment(key)
        if (claim && !(await claims.isOver(claim))) return this.#repeats.of(call, claim, payment)
        return refused(paymentFailed(presented.problem, { payer: key.payer }), true)
      }
    }
  }

  async #payment(
    call: RailCall,
    { payment, price, entry }: Extract<Presented, { kind: 'payment' }>,
    rail: string | undefined,
  ): Promise<AuthorizeOutcome> {
    const { claims, offers } = this.#core
    const order = claimOrderOf(entry, {
      id: call.holdId,
      fingerprint: boundFingerprint(call, payment.identifier),
      requestId: call.requestId,
      keyId: call.identity?.keyId ?? null,
      quote: call.quote,
      price,
      acquisition: call.acquisition,
      payment,
      shown: () => offers.of(call.quote).required,
      leaseMs: leaseMsOf(call),
      rail,
    })
    const { version } = payment
    const isPaidBefore = isUpfront(order.payment.requirements)
    const unserved = isPaidBefore ? await this.#repeats.unserved(call, order, version) : null
    if (unserved) return unserved
    const claimed = await claims.claim(order)
    if (claimed.outcome === 'known') return this.#repeats.of(call, claimed.claim, payment)
    const twice = await nonceProblem(this.#core, order)
    if (twice) {
      await claims.release(order.id, NONCE_TAKEN)
      return refused(twice, twice.code === 'PAYMENT_FAILED')
    }
    const { price: rule } = call.quote
    const isPaidAtEnd = rule !== undefined && !isMeasuredByHead(rule)
    const unpayable = await this.#unpayable(entry, order, isPaidAtEnd)
    if (unpayable) return unpayable
    return isPaidBefore
      ? this.#upfront(entry, order, version)
      : authorized({ kind: 'unpaid', claim: order, entry, version, isPaidAtEnd })
  }

  /**
   * Settles before the work. The claim is then that of a stream that is under way: work that fails, or
   * a gateway that dies, leaves it `interrupted`, and the same request runs again, uncharged.
   */
  async #upfront(entry: Entry, order: SettleOrder, version: 1 | 2): Promise<AuthorizeOutcome> {
    const ended = await entry.settle(order, null, { isStreamed: true })
    switch (ended.state) {
      case 'settled': {
        const { transaction, ledgerId, letGo = () => {} } = ended
        const claim = { ...order, transaction, ledgerId }
        const paid = { kind: 'paid', claim, version, isAgain: false, letGo } as const
        return authorized(paid, paidReceipt(this.#core, paid))
      }
      case 'failed':
        return refused(settlementRefused(this.#core, ended, order, version), true)
      case 'open':
        return open(ended.detail)
      case 'lost':
        return refused(stillInFlight(), false)
    }
  }

  /** Asks whether the payment would settle, before any work; frees the claim when it would not. */
  async #unpayable(
    entry: Entry,
    order: SettleOrder,
    isPaidAtEnd: boolean,
  ): Promise<AuthorizeOutcome | null> {
    const { claims } = this.#core
    const { id, payment } = order
    const open = entry.available()
    let checked: CheckOutcome = open.ok
      ? await entry.check(payment, { isPaidAtEnd })
      : { outcome: 'unavailable', detail: open.reason }
    if (checked.outcome === 'payable' && isPaidAtEnd) {
      checked = await covered(claims, entry, order)
    }
    if (checked.outcome === 'payable') return null
    if (checked.outcome === 'refused') {
      await claims.release(id, checked.reason)
      return refused(settlementRefused(this.#core, checked, order, payment.version), true)
    }
    await claims.release(id, checked.detail)
    return refused(settlementUnavailable(checked.detail), false)
  }

  async #prepaidCall(call: RailCall, request: PrepaidRequest): Promise<AuthorizeOutcome> {
    const { claims } = this.#core
    const claim = await claims.claimPrepaid({
      ...request,
      id: call.holdId,
      fingerprint: call.fingerprint,
      leaseMs: leaseMsOf(call),
    })
    if (claim && (await claims.isRefunded(claim))) {
      await claims.closeRefunded(claim.id)
      // Another payer may have chosen the same request id.
      return this.#prepaidCall(call, request)
    }
    if (claim) return authorized({ kind: 'paid', claim, version: 2, isAgain: false })
    const known = await claims.prepaidByRequest(request, call.fingerprint)
    if (known && isClosedRefund(known)) return refused(paymentRefunded(), false)
    // Another call claimed it and gave it back at the same moment.
    if (known?.state === 'paid_ahead') return refused(stillInFlight(), false)
    if (known) return this.#repeats.of(call, known, { version: 2, identifier: null })
    this.#prepaid.forget(request)
    return refused(usedForAnother(), true)
  }

  /**
   * Stores the answer, then settles; the answer is given only when the money is here. The receipt that
   * `sign` makes is stored along with the settlement.
   */
  async capture(
    authorization: Authorization,
    amountAtomic: bigint,
    answer: StoredAnswer | null,
    sign?: SignCharge,
  ): Promise<CaptureOutcome> {
    const state = authorization.state as CallState
    if (state.kind === 'paid') return this.#finishPaid(state, answer)
    const order = billed(state, amountAtomic)
    return order.amountAtomic === 0n
      ? this.#takeNothing(authorization, state)
      : this.#settle(state, order, { answer, sign })
  }

  /** Nothing was measured, so nothing is settled: the payment is free to buy another answer. */
  async #takeNothing(
    authorization: Authorization,
    { claim, version, isPaidAtEnd }: UnpaidCall,
  ): Promise<CaptureOutcome> {
    await this.release(authorization, 'nothing measured')
    const nothing = { ...claim, amountAtomic: 0n, units: 0n, transaction: '', ledgerId: null }
    const receipt = receiptFor(this.#core, nothing, version)
    // A deposit that came along was not made either, and a settlement response would say it was.
    const { payment } = claim
    const isUnmade = isChannel(payment) && payment.payload.deposit !== undefined && !isPaidAtEnd
    return {
      outcome: 'captured',
      receipt: isUnmade ? { ...receipt, headers: {}, meta: {} } : receipt,
    }
  }

  /** Stores the answer of a call that was paid before; one that is streamed keeps its lease. */
  async #finishPaid(state: PaidCall, answer: StoredAnswer | null): Promise<CaptureOutcome> {
    const { claims, leases } = this.#core
    const { claim } = state
    const lease = newLease()
    let isOurs: boolean
    try {
      isOurs = answer
        ? await claims.finishPaid(claim.id, answer)
        : await claims.beginStreaming(claim.id, lease)
    } finally {
      // Also without the database: a lease that is renewed for ever would keep the payment from its buyer.
      state.letGo?.()
    }
    if (!isOurs) return lost()
    if (!answer) state.letGo = leases.hold(claim.id, lease.token)
    return { outcome: 'captured', receipt: paidReceipt(this.#core, state) }
  }

  async #settle(
    state: UnpaidCall,
    order: SettleOrder,
    { answer, sign }: { answer: StoredAnswer | null; sign: SignCharge | undefined },
  ): Promise<CaptureOutcome> {
    const { entry, version } = state
    const signed = sign
      ? (transaction: string) =>
          sign(receiptFor(this.#core, { ...order, transaction, ledgerId: null }, version))
      : undefined
    const ended = await entry.settle(order, answer, {
      isStreamed: answer === null,
      ...(signed && { signed }),
    })
    switch (ended.state) {
      case 'settled':
        if (ended.letGo) state.letGo = ended.letGo
        return {
          outcome: 'captured',
          receipt: receiptFor(this.#core, { ...order, ...ended }, version),
          ...(ended.signed !== undefined && { signed: ended.signed }),
        }
      case 'failed': {
        const failure = settlementRefused(this.#core, ended, order, version)
        return { outcome: 'failed', failure, offer: true }
      }
      case 'open':
        return unknown(ended.detail)
      case 'lost':
        return lost()
    }
  }

  /** Keeps the headers of a signed receipt with the answer. */
  async keepReceipt(
    authorization: Authorization,
    headers: Readonly<Record<string, string>>,
  ): Promise<void> {
    const { claim } = authorization.state as CallState
    await this.#core.claims.keepHeaders({ id: claim.id, headers })
  }

  /** The last byte of a streamed answer went out, or its reader left; never throws. */
  async delivered(authorization: Authorization): Promise<void> {
    const { claim, letGo } = authorization.state as CallState
    letGo?.()
    try {
      await this.#core.claims.finishPaid(claim.id, null)
    } catch (error) {
      // The claim's lease runs out, and its buyer could have the work run again.
      this.#log.warn({ err: error, claim: claim.id }, 'x402 delivery not recorded')
    }
  }

  /** A streamed answer broke off: the same payment may have its request run again, uncharged. */
  async undo(authorization: Authorization, reason: string): Promise<void> {
    await this.release(authorization, reason)
  }

  /** Gives the payment back after failed work; never throws. */
  async release(authorization: Authorization, reason: string): Promise<void> {
    const { claim, letGo } = authorization.state as CallState
    letGo?.()
    try {
      await this.#core.claims.release(claim.id, reason)
    } catch (error) {
      // Nothing moved; the claim is free again when its lease runs out.
      this.#log.warn({ err: error, claim: claim.id }, 'x402 claim not released')
    }
  }

  /** What became of a hold: captured, open while its claim is at work or settling, else none. */
  async stateOf(holdId: string): Promise<'captured' | 'open' | 'none'> {
    const claim = await this.#core.claims.byId(holdId)
    switch (claim?.state) {
      case 'settled':
      case 'settled_ahead':
        return 'captured'
      case 'working':
      case 'settling':
      case 'redeeming':
      case 'streaming':
        return 'open'
      default:
        return 'none'
    }
  }
}

/** Whether the request was paid ahead, refunded as credits, and closed before any input ran. */
function isClosedRefund({ state, fingerprint }: Claim): boolean {
  return state === 'settled' && fingerprint === null
}
