/**
 * The phases of one x402 call: claim the payment → (work) → store the answer → settle. A signed
 * payment runs a skill once, and while nobody knows whether the money moved the caller is asked to
 * come back, never to pay again.
 */
import type {
  Authorization,
  AuthorizeOutcome,
  CaptureOutcome,
  Failure,
  Logger,
  RailCall,
  Receipt,
  StoredAnswer,
} from '#kernel'
import {
  authorized,
  billed,
  leaseUntil,
  lost,
  paidState,
  refused,
  unknown,
  type State,
} from './call-state.ts'
import type { Claim, ClaimOrder, SignedPayment } from './claim.ts'
import type { Core } from '../rail-parts.ts'
import type { Presented } from '../payment/credential.ts'
import type { Gate } from '../availability.ts'
import type { AcceptedPrice } from '../offers/challenge-cache.ts'
import type { PrepaidRequest, PrepaidRequests } from './prepaid-requests.ts'
import {
  answerNotKept,
  paymentFailed,
  paymentRefunded,
  problem,
  settlementUnavailable,
  settlementUnknown,
  stillInFlight,
  usedForAnother,
} from '../payment/problem.ts'
import { receiptOf, refusalHeaders } from '../payment/receipt.ts'
import { fieldOf } from '../settle/reasons.ts'
import { leaseOf } from '../settle/reconciler.ts'
import { claimOrderOf, keyOf, signedPaymentOf } from './claim-orders.ts'
import type { Payment } from '../payment/wire.ts'

export class Calls {
  readonly #core: Core
  readonly #gate: Gate
  readonly #prepaid: PrepaidRequests
  readonly #log: Logger

  constructor(core: Core, gate: Gate, prepaid: PrepaidRequests) {
    this.#core = core
    this.#gate = gate
    this.#prepaid = prepaid
    this.#log = core.log
  }

  /** Claims what the call presents, or says what became of it. */
  async authorize(call: RailCall, presented: Presented): Promise<AuthorizeOutcome> {
    switch (presented.kind) {
      case 'refused':
        return refused(presented.failure, presented.offer)
      case 'prepaid':
        return this.#prepaidCall(call, presented.request)
      case 'payment':
        return this.#payment(call, presented.payment, presented.price)
      case 'earlier': {
        const { payment } = presented
        const { claims } = this.#core
        const claim = await claims.byPayment(keyOf(this.#core, payment))
        if (claim && !(await claims.isOver(claim))) return this.#again(call, claim, payment.version)
        return refused(
          paymentFailed(presented.problem, { payer: payment.authorization.from }),
          true,
        )
      }
    }
  }

  async #payment(
    call: RailCall,
    payment: Payment,
    price: AcceptedPrice,
  ): Promise<AuthorizeOutcome> {
    const { claims } = this.#core
    const signed = signedPaymentOf(this.#core, payment, call.quote, price)
    const order = claimOrderOf(this.#core, {
      id: call.holdId,
      fingerprint: call.fingerprint,
      requestId: call.requestId,
      keyId: call.identity?.keyId ?? null,
      quote: call.quote,
      price,
      acquisition: call.acquisition,
      payment,
      signed,
      leaseUntil: leaseUntil(call),
    })
    const claimed = await claims.claim(order)
    if (claimed.outcome === 'known') return this.#again(call, claimed.claim, payment.version)
    const unpayable = await this.#unpayable(order, signed)
    if (unpayable) return unpayable
    const state: State = {
      claim: order,
      version: payment.version,
      settle: { order, payment: signed },
      transaction: null,
      ledgerId: null,
      isAgain: false,
    }
    return authorized(price.amountAtomic, state)
  }

  /** Asks whether the payment would settle, before any work; frees the claim when it would not. */
  async #unpayable(order: ClaimOrder, signed: SignedPayment): Promise<AuthorizeOutcome | null> {
    const { claims, settlements } = this.#core
    const open = this.#gate.available()
    const checked = open.ok
      ? await settlements.check(signed)
      : ({ outcome: 'unavailable', detail: open.reason } as const)
    if (checked.outcome === 'payable') return null
    if (checked.outcome === 'refused') {
      await claims.release(order.id, checked.reason)
      return refused(this.#settlementRefused(checked, order.payer, signed.version), true)
    }
    await claims.release(order.id, checked.detail)
    return refused(settlementUnavailable(checked.detail), false)
  }

  async #prepaidCall(call: RailCall, request: PrepaidRequest): Promise<AuthorizeOutcome> {
    const { claims } = this.#core
    const claim = await claims.claimPrepaid({
      ...request,
      id: call.holdId,
      fingerprint: call.fingerprint,
      leaseUntil: leaseUntil(call),
    })
    if (claim) {
      return authorized(claim.amountAtomic, paidState(claim, 2, false))
    }
    const known = await claims.prepaidByRequest(request, call.fingerprint)
    // Another call was taking it in this moment.
    if (known?.state === 'prepaid') return refused(stillInFlight(), false)
    if (known) return this.#again(call, known, 2)
    this.#prepaid.forget(request)
    return refused(usedForAnother(), true)
  }

  /** The same payment once more: its answer, its state, or the word that it bought something else. */
  async #again(call: RailCall, known: Claim, version: 1 | 2): Promise<AuthorizeOutcome> {
    const { claims, reconciler } = this.#core
    let claim = known
    if (claim.fingerprint !== call.fingerprint) return refused(usedForAnother(claim), true)
    if (claim.state === 'settling') {
      await reconciler.resolve(claim.id)
      claim = (await claims.byId(claim.id)) ?? claim
    }
    switch (claim.state) {
      case 'settled': {
        const { answer } = claim
        if (!answer) return refused(answerNotKept(claim.transaction), false)
        const receipt = this.#receipt(claim, version, claim.transaction ?? '', claim.ledgerId)
        return { outcome: 'replay', answer, receipt: { ...receipt, chargedAtomic: 0n } }
      }
      case 'settling':
        return refused(settlementUnknown(claim.reason ?? 'settling'), false)
      case 'failed': {
        const reason = claim.reason ?? 'settlement_failed'
        return refused(this.#settlementRefused({ reason }, claim.payer, version), true)
      }
      case 'claimed':
      case 'prepaid': {
        // Paid for, and its stream broke off or its gateway died: the work runs again, uncharged.
        if (await claims.isRefunded(claim)) return refused(paymentRefunded(), false)
        const again = await claims.claimAgain(claim, {
          id: call.holdId,
          fingerprint: call.fingerprint,
          leaseUntil: leaseUntil(call),
        })
        return again
          ? authorized(again.amountAtomic, paidState(again, version, true))
          : refused(stillInFlight(), false)
      }
      case 'released':
        return refused(stillInFlight(), false)
    }
  }

  /** Stores the answer, then settles; the answer is given only when the money is here. */
  async capture(
    authorization: Authorization,
    amountAtomic: bigint,
    answer: StoredAnswer | null,
  ): Promise<CaptureOutcome> {
    const state = authorization.state as State
    return state.settle
      ? this.#settle(state, billed(state.settle, amountAtomic), answer)
      : this.#finishPaid(state, answer)
  }

  /** The money is here already; an answer that is streamed keeps its claim under lease. */
  async #finishPaid(state: State, answer: StoredAnswer | null): Promise<CaptureOutcome> {
    const { claims, reconciler } = this.#core
    const { claim, version, transaction, ledgerId } = state
    const lease = leaseOf()
    const isOurs = answer
      ? await claims.finishPaid(claim.id, answer)
      : await claims.beginStreaming(claim.id, lease)
    if (!isOurs) return lost()
    if (!answer) state.letGo = reconciler.hold(claim.id, lease.token)
    const receipt = this.#receipt(claim, version, transaction ?? '', ledgerId)
    return {
      outcome: 'captured',
      receipt: state.isAgain ? { ...receipt, chargedAtomic: 0n } : receipt,
    }
  }

  async #settle(
    state: State,
    { order, payment }: NonNullable<State['settle']>,
    answer: StoredAnswer | null,
  ): Promise<CaptureOutcome> {
    const { claims, settlements, reconciler } = this.#core
    const lease = leaseOf()
    const letGo = reconciler.hold(order.id, lease.token)
    try {
      const { amountAtomic } = order
      if (!(await claims.beginSettling(order.id, answer, lease, amountAtomic))) return lost()
      const result = await settlements.settle(payment, false)
      const ended = await reconciler.conclude(
        { ...order, attempts: 1 },
        lease.token,
        result,
        answer === null,
      )
      if (ended.state === 'open') return unknown(ended.detail)
      if (ended.state === 'failed') {
        const failure = this.#settlementRefused(ended, order.payer, state.version)
        return { outcome: 'failed', failure, offer: true }
      }
      if (!answer) state.letGo = letGo
      const { transaction, ledgerId } = ended
      const receipt = this.#receipt(order, state.version, transaction, ledgerId)
      return { outcome: 'captured', receipt }
    } catch (error) {
      // The database went away when the money may move or has moved: the claim may be `settling`.
      this.#log.error({ err: error, claim: order.id }, 'x402 settlement not written')
      return unknown('database')
    } finally {
      if (!state.letGo) letGo()
    }
  }

  /** The last byte of a streamed answer went out, or its reader left; never throws. */
  async delivered(authorization: Authorization): Promise<void> {
    const { claim, letGo } = authorization.state as State
    letGo?.()
    try {
      await this.#core.claims.finishPaid(claim.id, null)
    } catch (error) {
      // The claim's lease runs out, and its buyer could have the work done again.
      this.#log.warn({ err: error, claim: claim.id }, 'x402 delivery not noted')
    }
  }

  /** A streamed answer broke off: the same payment may have its request run again, uncharged. */
  async undo(authorization: Authorization, reason: string): Promise<void> {
    const { letGo } = authorization.state as State
    letGo?.()
    await this.release(authorization, reason)
  }

  /** Gives the payment back after failed work; never throws. */
  async release(authorization: Authorization, reason: string): Promise<void> {
    const { claim } = authorization.state as State
    try {
      await this.#core.claims.release(claim.id, reason)
    } catch (error) {
      // Nothing moved; the claim is free again when its lease runs out.
      this.#log.warn({ err: error, claim: claim.id }, 'x402 claim not released')
    }
  }

  async stateOf(holdId: string): Promise<'captured' | 'open' | 'none'> {
    const claim = await this.#core.claims.byId(holdId)
    if (claim === null) return 'none'
    if (claim.state === 'settled') return 'captured'
    if (claim.state === 'settling') return 'open'
    return claim.state === 'claimed' && claim.leaseUntil > new Date() ? 'open' : 'none'
  }

  #receipt(
    claim: Pick<Claim, 'payer' | 'amountAtomic'>,
    version: 1 | 2,
    transaction: string,
    ledgerId: string | null,
  ): Receipt {
    const { payer, amountAtomic } = claim
    return receiptOf(this.#core.asset, { transaction, payer, amountAtomic, ledgerId, version })
  }

  #settlementRefused(
    cause: { reason: string; detail?: string },
    payer: string,
    version: 1 | 2,
  ): Failure {
    const { reason, detail } = cause
    const why = detail === undefined ? reason : `${reason}: ${detail}`
    const text = `the settlement was refused (${why}); nothing was taken`
    const headers = refusalHeaders(this.#core.asset, { reason, payer, version })
    return paymentFailed(problem(reason, fieldOf(reason), text), { payer, headers })
  }
}
