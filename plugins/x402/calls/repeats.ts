/** What a payment gets that was claimed before: its answer, its work once more, or why neither. */
import type { AuthorizeOutcome, RailCall } from '#kernel'
import {
  answerNotKept,
  paymentRefunded,
  stillInFlight,
  usedForAnother,
} from '../payment/problem.ts'
import type { Payment } from '../payment/wire.ts'
import type { RailParts } from '../rail-parts.ts'
import {
  authorizationOf,
  authorized,
  boundFingerprint,
  leaseMsOf,
  open,
  paidReceipt,
  refused,
  settlementRefused,
} from './claim-orders.ts'
import type { Claim, ClaimOrder } from '../claims/claim.ts'

export class Repeats {
  readonly #core: RailParts

  constructor(core: RailParts) {
    this.#core = core
  }

  /** The same payment once more: its answer, its state, or a refusal when it bought something else. */
  async of(
    call: RailCall,
    known: Claim,
    { version, identifier }: Pick<Payment, 'version' | 'identifier'>,
  ): Promise<AuthorizeOutcome> {
    const { claims } = this.#core
    let claim = known
    const bound = boundFingerprint(call, identifier)
    // 0.1.0 did not bind the identifier.
    if (claim.fingerprint !== bound && claim.fingerprint !== call.fingerprint) {
      const taken = await this.#core.entryAt(claim)?.taken?.(claim)
      return refused(taken ?? usedForAnother(claim), true)
    }
    if (claim.state === 'settling') {
      await this.#core.entryAt(claim)?.resolve(claim.id)
      claim = (await claims.byId(claim.id)) ?? claim
    }
    switch (claim.state) {
      case 'settled':
      case 'settled_ahead': {
        const { answer, transaction } = claim
        if (!answer) return refused(answerNotKept(transaction), false)
        const paid = { kind: 'paid', claim, version, isAgain: true } as const
        const receipt = paidReceipt(this.#core, paid)
        return { outcome: 'replay', answer, receipt, bought: authorizationOf(paid) }
      }
      case 'settling':
        return open(claim.reason ?? 'settling')
      case 'failed': {
        const reason = claim.reason ?? 'settlement_failed'
        return refused(settlementRefused(this.#core, { reason }, claim, version), true)
      }
      case 'streaming':
      case 'interrupted':
      case 'paid_ahead':
      case 'redeeming':
        return this.#runAgain(call, claim, version)
      case 'working':
      case 'abandoned':
      case 'released':
        return refused(stillInFlight(), false)
    }
  }

  /**
   * Work for what the payer of a new payment has paid before, for the same request, and not got: clients
   * sign anew whenever they try again. The new payment is not taken then. Null: nothing is due.
   */
  async unserved(
    call: RailCall,
    order: ClaimOrder,
    version: 1 | 2,
  ): Promise<AuthorizeOutcome | null> {
    const fingerprints = [order.fingerprint ?? call.fingerprint, call.fingerprint]
    for (const claim of await this.#core.claims.unserved(order, fingerprints)) {
      const outcome = await this.#runAgain(call, claim, version)
      if (outcome.outcome === 'authorized') return outcome
    }
    return null
  }

  /** Runs the work of an interrupted claim again, uncharged. */
  async #runAgain(call: RailCall, known: Claim, version: 1 | 2): Promise<AuthorizeOutcome> {
    const { claims } = this.#core
    if (await claims.isRefunded(known)) return refused(paymentRefunded(), false)
    const claim = await claims.claimAgain(known, {
      id: call.holdId,
      fingerprint: known.fingerprint ?? call.fingerprint,
      leaseMs: leaseMsOf(call),
    })
    if (!claim) return refused(stillInFlight(), false)
    const paid = { kind: 'paid', claim, version, isAgain: true } as const
    return authorized(paid, paidReceipt(this.#core, paid))
  }
}
