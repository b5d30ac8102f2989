/**
 * Settles one payment by the settlers in their order. An authorization can be used once on chain,
 * so asking a second settler after a doubtful answer is safe; what no settler can say, the chain does.
 */
import { LRUCache } from 'lru-cache'
import type { Hex } from 'viem'
import type { Logger } from '../../../plugins/contract.ts'
import type { SignedPayment } from '../claim.ts'
import { Breaker } from './breaker.ts'
import type { Chain } from './chain.ts'
import type { ChainFact, CheckOutcome, Discovery, SettleOutcome, Settler } from './contract.ts'
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
/**
 * Who just paid is not asked about before the next work: the check never reserved anything, and an
 * answer is given only for money that is here. One settlement earns one such call, so that nobody
 * gets more work done for nothing than he has paid for.
 */
const PAID_RECENTLY_MS = 60_000
const PAYERS_REMEMBERED = 10_000
const NONCE_USED = 'invalid_exact_evm_nonce_already_used'

interface Slot {
  settler: Settler
  breaker: Breaker
  counts: { settled: number; refused: number; failed: number }
  lastError: string | null
}

export class Settlements {
  readonly #options: SettlementOptions
  readonly #slots: Slot[]
  /** What payers have settled lately and not used for an unchecked call since. */
  readonly #paidRecently = new LRUCache<string, bigint>({
    max: PAYERS_REMEMBERED,
    ttl: PAID_RECENTLY_MS,
  })

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
   * Whether the payment would settle, asked of the node, else of the first facilitator that answers.
   * A payer of as much within the last minute is taken at their word, once.
   */
  async check(payment: SignedPayment): Promise<CheckOutcome> {
    const { chain } = this.#options
    const { from, value } = payment.payload.authorization
    const paid = this.#paidRecently.get(from)
    if (paid !== undefined && paid >= BigInt(value)) {
      this.#paidRecently.delete(from)
      return { outcome: 'payable' }
    }
    let detail = 'no settler is open'
    if (chain) {
      const checked = await chain.check(payment)
      if (checked.outcome !== 'unavailable') return checked
      detail = checked.detail
    }
    for (const slot of this.#slots) {
      if (!slot.breaker.enter()) continue
      const checked = await slot.settler.check(payment)
      if (checked.outcome !== 'unavailable') {
        slot.breaker.succeeded()
        return checked
      }
      this.#failed(slot, checked.detail)
      detail = checked.detail
    }
    return { outcome: 'unavailable', detail }
  }

  /**
   * Tries to settle. `uncertain` says that an earlier attempt may have paid already: then nothing
   * short of the chain's word makes it a refusal.
   */
  async settle(
    payment: SignedPayment,
    uncertain: boolean,
    discovery?: Discovery,
  ): Promise<Settlement> {
    const settlement = await this.#inTime(this.#try(payment, uncertain, discovery))
    const { from, value } = payment.payload.authorization
    if (settlement.outcome === 'settled') this.#paidRecently.set(from, BigInt(value))
    else this.#paidRecently.delete(from)
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

  async #try(
    payment: SignedPayment,
    uncertain: boolean,
    discovery?: Discovery,
  ): Promise<Settlement> {
    let doubt = uncertain
    let detail = 'no settler is open'
    if (doubt) {
      const known = await this.#fromChain(payment, doubt)
      if (known) return known
    }
    for (const slot of this.#slots) {
      if (!slot.breaker.enter()) continue
      const { settler } = slot
      const result = await settler.settle(payment, discovery, doubt)
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
          const known = await this.#afterRefusal(result, payment, doubt)
          if (known) return known
          detail = result.reason
          break
        }
        case 'unavailable':
          detail = result.detail
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
    return { outcome: 'open', uncertain: doubt, detail }
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
    const known = outcomeOf(fact, doubt)
    if (known || doubt) return known
    // That it is used or expired, or that using it failed, may be told of what did pay: only a look
    // at the chain after that makes it final.
    const isSeen = fact.fact === 'unused' && block !== undefined && (fact.block ?? block) >= block
    const isUnseen = fact.fact === 'unreachable' && reason.endsWith('valid_before')
    const isFinal = isSeen || (reasonKind(reason) === 'final' && !isUnseen)
    return isFinal ? final : { outcome: 'open', uncertain: true, detail: reason }
  }

  /** What the chain says after a doubtful answer; null = still not known. */
  async #afterUnknown(
    slot: Slot,
    result: Extract<SettleOutcome, { outcome: 'unknown' }>,
    payment: SignedPayment,
    doubt: boolean,
  ): Promise<Settlement | null> {
    this.#failed(slot, result.detail)
    const { chain } = this.#options
    if (!chain) {
      if (result.detail !== NONCE_USED) return null
      // After an attempt of ours that got no answer, that attempt was it. Without one, the payer
      // used or cancelled the authorization while the work ran.
      return doubt
        ? { outcome: 'settled', transaction: '', by: slot.settler.name }
        : { outcome: 'refused', reason: NONCE_USED }
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
    return outcomeOf(await chain.fact(payment), doubt)
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
    slot.counts.failed++
    slot.lastError = detail
    this.#options.log.warn(
      { settler: slot.settler.name, detail, breaker: slot.breaker.state() },
      'x402 settlement attempt failed',
    )
  }
}

/** What the chain's word comes to; null when it has none, or the word is "not yet". */
function outcomeOf(fact: ChainFact, doubt: boolean): Settlement | null {
  switch (fact.fact) {
    case 'paid':
      return { outcome: 'settled', transaction: fact.transaction, by: 'chain' }
    case 'void':
      return { outcome: 'refused', reason: NONCE_USED, detail: fact.reason }
    case 'used':
      return {
        outcome: 'open',
        uncertain: true,
        detail: 'the authorization was used; its transaction is not found yet',
      }
    case 'unused':
      if (!fact.expired) return null
      return doubt
        ? { outcome: 'refused', reason: 'invalid_exact_evm_payload_authorization_valid_before' }
        : null
    case 'unreachable':
      return null
  }
}
