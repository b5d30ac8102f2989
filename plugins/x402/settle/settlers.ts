/**
 * The settlers in their order of preference: facilitators, then the own signer. Settles a payment by
 * the first that can. An authorization can be used once on chain, so
 * asking a second settler after an unknown outcome is safe. What each answer comes to: verdict.ts.
 */
import { LRUCache } from 'lru-cache'
import { Breaker, within, type Logger, type Ticket } from '#kernel'
import { amountOf, payerOf, wordsOf, type SignedPayment } from '../payment/payload.ts'
import type {
  AttemptOutcome,
  ChainView,
  CheckOptions,
  CheckOutcome,
  SettleOutcome,
  Settler,
} from './contract.ts'
import { FailureRow } from './failure-row.ts'
import { reasonKind } from '../payment/reason-kinds.ts'
import { TrustedPayers } from './trusted-payers.ts'
import { verdictOn, type Facts, type Verdict } from './verdict.ts'

export interface SettlersOptions {
  settlers: readonly Settler[]
  /** Null without a node: an unknown outcome is then resolved by asking the facilitators again. */
  chain: ChainView | null
  /** The node is asked about each payment: one may be void whoever made it. */
  asksAlways?: boolean
  log: Logger
  breaker?: { failures: number; resetMs: number }
  /** How long a facilitator's success may take to show on our own node. */
  confirmTimeoutMs?: number
  /** How long all settlers together may take before the caller is asked to come back. */
  attemptTimeoutMs?: number
}

export interface SettlerState {
  name: string
  /** 'trial': the next payment shows whether it works again. */
  breaker: 'closed' | 'open' | 'trial'
  settled: number
  refused: number
  failed: number
  lastError: string | null
}

const BREAKER = { failures: 5, resetMs: 15_000 }
const CONFIRM_TIMEOUT_MS = 8000
/** Long enough for one settler's whole attempt. */
const ATTEMPT_TIMEOUT_MS = 45_000
const CONFIRM_POLL_MS = 100
/** More than are at work at once. */
const UNCHECKED_MAX = 10_000

/** What is known from before an answer; see `Facts`. */
type Before = Pick<Facts, 'mayHavePaid'> & Partial<Pick<Facts, 'isUnchecked'>>

type Refusal = Extract<SettleOutcome, { outcome: 'refused' }>

interface Slot {
  settler: Settler
  breaker: Breaker
  counts: { settled: number; refused: number; failed: number }
  lastError: string | null
  verifications: FailureRow
}

export class Settlers {
  readonly #options: SettlersOptions
  readonly #checksByNode = new FailureRow()
  readonly #slots: Slot[]
  readonly #trusted = new TrustedPayers()
  /** Payments of trusted payers, about which nobody was asked, until they are settled. */
  readonly #unchecked = new LRUCache<string, true>({ max: UNCHECKED_MAX })

  constructor(options: SettlersOptions) {
    this.#options = options
    this.#slots = options.settlers.map((settler) => ({
      settler,
      breaker: new Breaker(options.breaker ?? BREAKER),
      counts: { settled: 0, refused: 0, failed: 0 },
      lastError: null,
      verifications: new FailureRow(),
    }))
  }

  /** Whether some settler may be asked now. */
  usable(): boolean {
    return this.#slots.some((slot) => slot.breaker.state !== 'open')
  }

  states(): SettlerState[] {
    return this.#slots.map(({ settler, breaker, counts, lastError }) => ({
      name: settler.name,
      breaker: stateOf(breaker),
      ...counts,
      lastError,
    }))
  }

  /** What answers no question about payments although no breaker is open, which no payment would pass. */
  troubles(): string[] {
    const node = this.#checksByNode.trouble()
    return [
      ...this.#slots
        .filter(({ breaker }) => breaker.state === 'closed')
        .flatMap(({ verifications }) => verifications.trouble() ?? []),
      ...(node === null ? [] : [`the node: ${node}`]),
    ]
  }

  /**
   * Whether the payment would settle: a facilitator verifies the payload that it will get to settle,
   * and the node is asked at the same time: a facilitator may verify what has paid already. The node is
   * not asked about a payer who has paid within the last minute, up to what they paid (TrustedPayers),
   * where no facilitator is asked either, unless the answer goes out before it is paid.
   */
  async check(
    payment: SignedPayment,
    { isPaidAtEnd = false }: CheckOptions = {},
  ): Promise<CheckOutcome> {
    const { chain, asksAlways } = this.#options
    const takers = this.#slots.filter(({ settler }) => settler.takes(payment))
    const remote = takers.filter(({ settler }) => settler.isRemote)
    const isTrusted =
      asksAlways !== true &&
      !isPaidAtEnd &&
      remote.length === 0 &&
      this.#trusted.take(payerOf(payment), amountOf(payment))
    if (isTrusted) this.#unchecked.set(payloadOf(payment), true)
    const [byNode, verified] = await Promise.all([
      isTrusted || !chain ? null : chain.check(payment),
      remote.length > 0 ? this.#verify(payment, remote) : null,
    ])
    if (byNode?.outcome === 'unavailable') this.#checksByNode.failed(byNode.detail)
    else if (byNode) this.#checksByNode.succeeded()
    if (byNode?.outcome === 'refused') return byNode
    if (verified?.outcome === 'payable') return verified
    const alone = takers
      .filter(({ settler, breaker }) => !settler.isRemote && breaker.state !== 'open')
      .map(({ settler }) => settler.refusal?.(payment) ?? null)
    const isRefused = verified?.outcome === 'refused' && verified.elsewhere !== true
    if (alone.includes(null) && !isRefused) return byNode ?? { outcome: 'payable' }
    return verified ?? alone[0] ?? { outcome: 'unavailable', detail: 'no settler is open' }
  }

  /** The answer of the first facilitator that takes this payment; a refusal counts in no breaker. */
  async #verify(payment: SignedPayment, slots: readonly Slot[]): Promise<CheckOutcome> {
    let unavailable: CheckOutcome | null = null
    let refused: CheckOutcome | null = null
    for (const slot of slots) {
      const admission = slot.breaker.admit()
      if (!admission.ok) continue
      const { ticket } = admission
      const checked = await slot.settler.check(payment)
      if (checked.outcome === 'unavailable') {
        // An answer without a result may be caused by this very payment, and must not open the
        // breaker for other payers.
        if (checked.isSilent) ticket.unanswered()
        else ticket.answered()
        slot.verifications.failed(checked.detail)
        this.#recordFailure(slot, checked.detail)
        unavailable = checked
        continue
      }
      ticket.answered()
      slot.verifications.succeeded()
      if (checked.outcome === 'payable' || !checked.elsewhere) return checked
      refused = checked
    }
    return unavailable ?? refused ?? { outcome: 'unavailable', detail: 'no settler is open' }
  }

  /**
   * Tries to settle. `uncertain`: an earlier attempt may have paid, so that only the chain can turn
   * this one into a refusal.
   */
  async settle(payment: SignedPayment, uncertain: boolean): Promise<AttemptOutcome> {
    const settlement = await this.#inTime(this.#try(payment, uncertain))
    const from = payerOf(payment)
    if (settlement.outcome === 'settled') this.#trusted.earn(from, amountOf(payment))
    else this.#trusted.lose(from)
    return settlement
  }

  /**
   * The outcome of an attempt, or 'open' after `attemptTimeoutMs`: the attempt goes on and may still
   * pay, so the next one asks the chain first.
   */
  #inTime(trying: Promise<AttemptOutcome>): Promise<AttemptOutcome> {
    const { attemptTimeoutMs = ATTEMPT_TIMEOUT_MS } = this.#options
    const detail = `no outcome within ${attemptTimeoutMs} ms`
    return within(trying, attemptTimeoutMs, () => ({ outcome: 'open', uncertain: true, detail }))
  }

  async #try(payment: SignedPayment, uncertain: boolean): Promise<AttemptOutcome> {
    const isUnchecked = this.#unchecked.delete(payloadOf(payment))
    let mayHavePaid = uncertain
    let wereAllAsked = true
    let elsewhere: Refusal | null = null
    let detail = 'no settler is open'
    if (mayHavePaid) {
      const settled = await this.#settledBefore(payment)
      if (settled) return settled
      const verdict = await this.#verdict(payment, { kind: 'none' }, { mayHavePaid })
      if (verdict.outcome !== 'ask next') return verdict
    }
    for (const slot of this.#inOrder(payment)) {
      const { settler, counts } = slot
      const admission = slot.breaker.admit()
      if (!admission.ok) {
        wereAllAsked = false
        continue
      }
      const { ticket } = admission
      const result = await settler.settle(payment, mayHavePaid)
      switch (result.outcome) {
        case 'settled': {
          const { transaction } = result
          if (await this.#confirm(transaction, payment)) {
            ticket.success()
            counts.settled++
            return { outcome: 'settled', transaction, by: settler.name }
          }
          mayHavePaid = true
          detail = `${settler.name} names ${transaction}, which our node does not confirm`
          ticket.failure()
          this.#recordFailure(slot, detail)
          break
        }
        case 'refused': {
          ticket.success()
          counts.refused++
          detail = result.reason
          if (result.elsewhere) {
            elsewhere = result
            break
          }
          const verdict = await this.#onRefusal(payment, result, { mayHavePaid, isUnchecked })
          if (verdict.outcome !== 'ask next') return verdict
          break
        }
        case 'unavailable':
          wereAllAsked = false
          detail = result.detail
          ticket.failure()
          this.#recordFailure(slot, detail)
          break
        case 'unknown': {
          const verdict = await this.#onUnknown(payment, result, mayHavePaid, slot, ticket)
          if (verdict.outcome !== 'ask next') return verdict
          mayHavePaid = true
          detail = result.detail
          break
        }
      }
    }
    // Every settler was asked, and each refuses payments of this kind.
    if (elsewhere && wereAllAsked) {
      const verdict = await this.#onRefusal(payment, elsewhere, { mayHavePaid, isUnchecked })
      if (verdict.outcome !== 'ask next') return verdict
    }
    return { outcome: 'open', uncertain: mayHavePaid, detail }
  }

  /** The settlement of an earlier attempt whose transaction a settler knows; null: none is known. */
  async #settledBefore(payment: SignedPayment): Promise<AttemptOutcome | null> {
    for (const { settler } of this.#slots) {
      const transaction = (await settler.settledBy?.(payment).catch(() => null)) ?? null
      if (transaction !== null) return { outcome: 'settled', transaction, by: settler.name }
    }
    return null
  }

  /** Settlers that may settle this payment; one that has verified it already comes first. */
  #inOrder(payment: SignedPayment): Slot[] {
    return this.#slots
      .filter(({ settler }) => settler.takes(payment))
      .toSorted(
        (a, b) => Number(b.settler.hasVerified(payment)) - Number(a.settler.hasVerified(payment)),
      )
  }

  #onRefusal(
    payment: SignedPayment,
    { reason, detail, block }: Refusal,
    before: Before,
  ): Promise<Verdict> {
    const answer = {
      kind: 'refused',
      reason,
      ...(detail !== undefined && { detail }),
      ...(block !== undefined && { failedInBlock: block }),
    } as const
    return this.#verdict(payment, answer, before)
  }

  async #onUnknown(
    payment: SignedPayment,
    { detail, transaction }: Extract<SettleOutcome, { outcome: 'unknown' }>,
    mayHavePaid: boolean,
    slot: Slot,
    ticket: Ticket,
  ): Promise<Verdict> {
    const { chain } = this.#options
    const hasReverted =
      chain !== null &&
      transaction !== undefined &&
      (await chain.hasFailed(transaction).catch(() => false))
    const answer = { kind: 'unknown', detail, hasReverted, by: slot.settler.name } as const
    const verdict = await this.#verdict(payment, answer, { mayHavePaid })
    // A payer who used the authorization up meanwhile must not close the settler for other payers.
    const isPayersDoing =
      verdict.outcome === 'refused' && verdict.reason === wordsOf(payment).nonce.reason
    if (isPayersDoing) ticket.answered()
    else ticket.failure()
    this.#recordFailure(slot, detail)
    return verdict
  }

  async #verdict(
    payment: SignedPayment,
    answer: Facts['answer'],
    { mayHavePaid, isUnchecked = false }: Before,
  ): Promise<Verdict> {
    const { chain } = this.#options
    const { nonce, validBefore } = wordsOf(payment)
    return verdictOn({
      answer,
      mayHavePaid,
      isUnchecked,
      isDoubtfulReason: answer.kind === 'refused' && reasonKind(answer.reason) === 'doubtful',
      chain: chain ? await chain.fact(payment) : { fact: 'no node' },
      codes: { nonceUsed: nonce.reason, expired: validBefore.reason },
    })
  }

  /** Whether our node, where there is one, sees the transaction that a settler names. */
  async #confirm(transaction: string, payment: SignedPayment): Promise<boolean> {
    const { chain, confirmTimeoutMs } = this.#options
    if (!chain) return true
    const endsAt = performance.now() + (confirmTimeoutMs ?? CONFIRM_TIMEOUT_MS)
    for (;;) {
      const confirmed = await chain.confirms(transaction, payment).catch(() => null)
      if (confirmed !== null) return confirmed
      if (performance.now() > endsAt) return false
      await Bun.sleep(CONFIRM_POLL_MS)
    }
  }

  #recordFailure(slot: Slot, detail: string): void {
    slot.counts.failed++
    slot.lastError = detail
    this.#options.log.warn(
      { settler: slot.settler.name, detail, breaker: stateOf(slot.breaker) },
      'x402 settlement attempt failed',
    )
  }
}

/** What the payer signed, as the key of a payment between its check and its settlement. */
const payloadOf = ({ payload }: SignedPayment): string => JSON.stringify(payload)

function stateOf({ state }: Breaker): SettlerState['breaker'] {
  return state === 'half_open' ? 'trial' : state
}
