/**
 * Settles one payment by the settlers in their order. An authorization can be used once on chain,
 * so asking a second settler after a doubtful answer is safe; what no settler can say, the chain does.
 */
import type { Hex } from 'viem'
import type { Logger } from '#kernel'
import { amountOf, payerOf, wordsOf, type SignedPayment } from '../payment/payload.ts'
import { Breaker } from './breaker.ts'
import type { Chain } from '../chain/chain.ts'
import type { ChainFact, CheckOutcome, SettleOutcome, Settler } from './contract.ts'
import { PayerCredit } from './trusted-payers.ts'
import { reasonKind } from './reasons.ts'

export type Settlement =
  | { outcome: 'settled'; transaction: string; by: string }
  /** No money moved and none will by this payment in our hands. */
  | { outcome: 'refused'; reason: string; detail?: string }
  /** Not settled as far as known; `uncertain` when some attempt may have moved the money. */
  | { outcome: 'open'; uncertain: boolean; detail: string }

export interface SettlementOptions {
  settlers: readonly Settler[]
  /** Null without X402_RPC_URL: doubtful answers are then settled by asking the facilitators again. */
  chain: Chain | null
  log: Logger
  breaker?: { failures: number; resetMs: number }
  /** How long a facilitator's success may take to show on our own node. */
  confirmTimeoutMs?: number
  /** How long all settlers together may take before the caller is asked to come back. */
  attemptTimeoutMs?: number
}

export interface SettlerState {
  name: string
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

interface Slot {
  settler: Settler
  breaker: Breaker
  counts: { settled: number; refused: number; failed: number }
  lastError: string | null
}

export class Settlements {
  readonly #options: SettlementOptions
  readonly #slots: Slot[]
  readonly #credit = new PayerCredit()

  constructor(options: SettlementOptions) {
    this.#options = options
    this.#slots = options.settlers.map((settler) => ({
      settler,
      breaker: new Breaker(options.breaker ?? BREAKER),
      counts: { settled: 0, refused: 0, failed: 0 },
      lastError: null,
    }))
  }

  /** Whether some settler may be asked now. */
  usable(): boolean {
    return this.#slots.some((slot) => slot.breaker.state() !== 'open')
  }

  states(): SettlerState[] {
    return this.#slots.map(({ settler, breaker, counts, lastError }) => ({
      name: settler.name,
      breaker: breaker.state(),
      ...counts,
      lastError,
    }))
  }

  /**
   * Whether the payment would settle: a facilitator verifies it, with the payload that it will get to
   * settle, and the node is asked at the same time. Only the question to the node is left out for a
   * payer who has paid lately, for as much as that.
   */
  async check(payment: SignedPayment): Promise<CheckOutcome> {
    const { chain } = this.#options
    const takers = this.#slots.filter(({ settler }) => settler.takes(payment))
    const remote = takers.filter(({ settler }) => settler.isRemote)
    const isTrusted = this.#credit.take(payerOf(payment), amountOf(payment))
    const [byNode, verified] = await Promise.all([
      isTrusted || !chain ? null : chain.check(payment),
      remote.length > 0 ? this.#verify(payment, remote) : null,
    ])
    if (byNode?.outcome === 'refused') return byNode
    if (verified?.outcome === 'payable') return verified
    const canSettleAlone = takers.some(
      ({ settler, breaker }) => !settler.isRemote && breaker.state() !== 'open',
    )
    const isRefused = verified?.outcome === 'refused' && verified.elsewhere !== true
    if (canSettleAlone && !isRefused) return byNode ?? { outcome: 'payable' }
    return verified ?? { outcome: 'unavailable', detail: 'no settler is open' }
  }

  /** What the first facilitator says that answers for this payment; a refusal steps no breaker. */
  async #verify(payment: SignedPayment, slots: readonly Slot[]): Promise<CheckOutcome> {
    let unavailable: CheckOutcome | null = null
    let refused: CheckOutcome | null = null
    for (const slot of slots) {
      if (!slot.breaker.enter()) continue
      const checked = await slot.settler.check(payment)
      if (checked.outcome === 'unavailable') {
        // An answer without a result may be this payment's fault; it costs the others nothing.
        if (checked.isSilent) slot.breaker.unanswered()
        else slot.breaker.answered()
        this.#note(slot, checked.detail)
        unavailable = checked
        continue
      }
      slot.breaker.answered()
      if (checked.outcome === 'payable' || !checked.elsewhere) return checked
      refused = checked
    }
    return unavailable ?? refused ?? { outcome: 'unavailable', detail: 'no settler is open' }
  }

  /**
   * Tries to settle. `uncertain` says that an earlier attempt may have paid already: then nothing
   * short of the chain's word makes it a refusal.
   */
  async settle(payment: SignedPayment, uncertain: boolean): Promise<Settlement> {
    const settlement = await this.#inTime(this.#try(payment, uncertain))
    const from = payerOf(payment)
    if (settlement.outcome === 'settled') this.#credit.earn(from, amountOf(payment))
    else this.#credit.lose(from)
    return settlement
  }

  /**
   * What was found out when the caller has waited long enough: an attempt that is still under way may
   * pay, and the next one asks the chain first.
   */
  async #inTime(trying: Promise<Settlement>): Promise<Settlement> {
    const { attemptTimeoutMs = ATTEMPT_TIMEOUT_MS } = this.#options
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<Settlement>((resolve) => {
      const detail = `no outcome within ${attemptTimeoutMs} ms`
      const outcome = { outcome: 'open', uncertain: true, detail } as const
      timer = setTimeout(() => resolve(outcome), attemptTimeoutMs)
    })
    try {
      return await Promise.race([trying, late])
    } finally {
      clearTimeout(timer)
    }
  }

  async #try(payment: SignedPayment, uncertain: boolean): Promise<Settlement> {
    let doubt = uncertain
    let wereAllAsked = true
    let elsewhere: Extract<SettleOutcome, { outcome: 'refused' }> | null = null
    let detail = 'no settler is open'
    if (doubt) {
      const known = await this.#fromChain(payment, doubt)
      if (known) return known
    }
    for (const slot of this.#inOrder(payment)) {
      const { settler } = slot
      if (!slot.breaker.enter()) {
        wereAllAsked = false
        continue
      }
      const result = await settler.settle(payment, doubt)
      switch (result.outcome) {
        case 'settled': {
          const confirmed = await this.#confirm(result.transaction, payment)
          if (confirmed) {
            slot.breaker.succeeded()
            slot.counts.settled++
            return { outcome: 'settled', transaction: result.transaction, by: settler.name }
          }
          doubt = true
          detail = `${settler.name} names ${result.transaction}, which our node does not confirm`
          this.#failed(slot, detail)
          break
        }
        case 'refused': {
          slot.breaker.succeeded()
          slot.counts.refused++
          if (result.elsewhere) {
            elsewhere = result
            detail = result.reason
            break
          }
          const known = await this.#afterRefusal(result, payment, doubt)
          if (known) return known
          detail = result.reason
          break
        }
        case 'unavailable':
          detail = result.detail
          wereAllAsked = false
          this.#failed(slot, detail)
          break
        case 'unknown': {
          const known = await this.#afterUnknown(slot, result, payment, doubt)
          if (known) return known
          doubt = true
          detail = result.detail
          break
        }
      }
    }
    // All that may settle it were asked, and each of them refuses payments of this kind.
    const known =
      elsewhere && wereAllAsked ? await this.#afterRefusal(elsewhere, payment, doubt) : null
    return known ?? { outcome: 'open', uncertain: doubt, detail }
  }

  /** Those that may settle this payment; first who has verified it, because others must do so first. */
  #inOrder(payment: SignedPayment): Slot[] {
    return this.#slots
      .filter(({ settler }) => settler.takes(payment))
      .toSorted(
        (a, b) => Number(b.settler.hasVerified(payment)) - Number(a.settler.hasVerified(payment)),
      )
  }

  /** What a refusal is worth beside the chain's own word; null = another settler may be asked. */
  async #afterRefusal(
    refusal: Extract<SettleOutcome, { outcome: 'refused' }>,
    payment: SignedPayment,
    doubt: boolean,
  ): Promise<Settlement | null> {
    const { reason, detail, block } = refusal
    const final = { outcome: 'refused', reason, ...(detail !== undefined && { detail }) } as const
    const { chain } = this.#options
    if (!chain) return doubt ? null : final
    const fact = await chain.fact(payment)
    const known = outcomeOf(fact, payment, doubt)
    if (known || doubt) return known
    // That it is used or expired, or that using it failed, may be told of what did pay: only a look
    // at the chain after that makes it final.
    const isSeen = fact.fact === 'unused' && block !== undefined && (fact.block ?? block) >= block
    const isUnseen = fact.fact === 'unreachable' && reason === wordsOf(payment).validBefore.reason
    const isFinal = isSeen || (reasonKind(reason) !== 'doubtful' && !isUnseen)
    return isFinal ? final : { outcome: 'open', uncertain: true, detail: reason }
  }

  /** What a doubtful answer comes to; null = still not known. */
  async #afterUnknown(
    slot: Slot,
    result: Extract<SettleOutcome, { outcome: 'unknown' }>,
    payment: SignedPayment,
    doubt: boolean,
  ): Promise<Settlement | null> {
    const known = await this.#judge(slot, result, payment, doubt)
    // Whose payer used it up meanwhile closes no settler for the others.
    const isPayersDoing =
      known?.outcome === 'refused' && known.reason === wordsOf(payment).nonce.reason
    if (isPayersDoing) slot.breaker.answered()
    else slot.breaker.failed()
    this.#note(slot, result.detail)
    return known
  }

  /** What the chain says after a doubtful answer; without one, what the answer itself tells. */
  async #judge(
    slot: Slot,
    result: Extract<SettleOutcome, { outcome: 'unknown' }>,
    payment: SignedPayment,
    doubt: boolean,
  ): Promise<Settlement | null> {
    const { chain } = this.#options
    if (!chain) {
      const { reason } = wordsOf(payment).nonce
      if (result.detail !== reason) return null
      // After an attempt of ours that got no answer, that attempt was it. Without one, the payer
      // used or cancelled the authorization while the work ran.
      return doubt
        ? { outcome: 'settled', transaction: '', by: slot.settler.name }
        : { outcome: 'refused', reason }
    }
    const reverted =
      result.transaction !== undefined &&
      (await chain.receipt(result.transaction).catch(() => null))?.status === 'reverted'
    return this.#fromChain(payment, doubt || !reverted)
  }

  /** The chain's word on an authorization; null when it has none, or the word is "not yet". */
  async #fromChain(payment: SignedPayment, doubt: boolean): Promise<Settlement | null> {
    const { chain } = this.#options
    if (!chain) return null
    return outcomeOf(await chain.fact(payment), payment, doubt)
  }

  /** A facilitator's word is checked on our node where there is one. */
  async #confirm(transaction: string, payment: SignedPayment): Promise<boolean> {
    const { chain, confirmTimeoutMs } = this.#options
    if (!chain) return true
    if (!/^0x[0-9a-fA-F]{64}$/.test(transaction)) return false
    const endsAt = Date.now() + (confirmTimeoutMs ?? CONFIRM_TIMEOUT_MS)
    for (;;) {
      const confirmed = await chain.confirms(transaction as Hex, payment).catch(() => null)
      if (confirmed !== null) return confirmed
      if (Date.now() > endsAt) return false
      await Bun.sleep(CONFIRM_POLL_MS)
    }
  }

  #failed(slot: Slot, detail: string): void {
    slot.breaker.failed()
    this.#note(slot, detail)
  }

  #note(slot: Slot, detail: string): void {
    slot.counts.failed++
    slot.lastError = detail
    this.#options.log.warn(
      { settler: slot.settler.name, detail, breaker: slot.breaker.state() },
      'x402 settlement attempt failed',
    )
  }
}

/** What the chain's word comes to; null when it has none, or the word is "not yet". */
function outcomeOf(fact: ChainFact, payment: SignedPayment, doubt: boolean): Settlement | null {
  const words = wordsOf(payment)
  switch (fact.fact) {
    case 'paid':
      return { outcome: 'settled', transaction: fact.transaction, by: 'chain' }
    case 'void':
      return { outcome: 'refused', reason: words.nonce.reason, detail: fact.reason }
    case 'used':
      return {
        outcome: 'open',
        uncertain: true,
        detail: 'the authorization was used; its transaction is not found yet',
      }
    case 'unused':
      if (!fact.expired) return null
      return doubt ? { outcome: 'refused', reason: words.validBefore.reason } : null
    case 'unreachable':
      return null
  }
}
