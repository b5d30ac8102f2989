/**
 * Settles a payment on Tempo: hands its payer's transaction to the network once the work is done, and
 * asks for its receipt. Any instance may send it again: the network takes one transaction once.
 */
import type { DatabaseClock } from '../../shared/storage/database-clock.ts'
import { fullMessageOf, isAnswerLost, isKnown, messageOf } from '../chain/node-errors.ts'
import type { SignedPayment, SignedTempo } from '../payment/payload.ts'
import type { CheckOutcome, SettleOutcome, Settler } from '../settle/contract.ts'
import { tempo, type TempoChain } from './chain.ts'

export interface TempoSenderOptions {
  chain: TempoChain
  clock: Pick<DatabaseClock, 'nowMs'>
  /** How long a receipt is waited for. */
  timeoutMs?: number
  pollMs?: number
}

/** A transaction lives for 25 seconds, and part of them are over when the work is done. */
const TIMEOUT_MS = 20_000
/** Blocks come twice a second. */
const POLL_MS = 100
/**
 * What the node says when the transaction is no good: its payer cannot pay the fee, offers too little
 * of it, or it came too late. That is its payer's doing, and must not close the node for others.
 */
const IS_FINAL =
  /insufficient|expired|valid[_ ]?before|valid[_ ]?after|\bgas\b|\bfees?\b|underpriced|oversized|signature|decod/i

export class TempoSender implements Settler {
  readonly name = 'tempo node'
  readonly isRemote = false
  readonly #options: TempoSenderOptions

  constructor(options: TempoSenderOptions) {
    this.#options = options
  }

  takes(): boolean {
    return true
  }

  hasVerified(): boolean {
    return false
  }

  check(payment: SignedPayment): Promise<CheckOutcome> {
    return this.#options.chain.check(payment)
  }

  async settle(payment: SignedPayment, isAgain = false): Promise<SettleOutcome> {
    const { chain, clock } = this.#options
    const signed = tempo(payment)
    if (BigInt(signed.validBefore) <= BigInt(Math.floor(clock.nowMs() / 1000)) && !isAgain) {
      return { outcome: 'refused', reason: 'tempo_valid_before' }
    }
    // While the work ran its payer may have moved the money away. One that may be sent already is left
    // to the chain.
    const checked = isAgain ? null : await chain.check(payment)
    if (checked && checked.outcome !== 'payable') return checked
    return this.#sent(signed, isAgain)
  }

  /** Sends it, and asks for its receipt meanwhile: the answer of the node may be lost. */
  async #sent(payment: SignedTempo, isAgain: boolean): Promise<SettleOutcome> {
    const { chain, pollMs = POLL_MS } = this.#options
    const sending = chain.send(payment).then(
      () => null,
      (error: unknown) => (isAgain ? null : refusalOf(error)),
    )
    const answered = await Promise.race([sending, Bun.sleep(pollMs)])
    return answered ?? this.#awaited(payment, sending)
  }

  async #awaited(
    payment: SignedTempo,
    sending: Promise<SettleOutcome | null>,
  ): Promise<SettleOutcome> {
    const { chain, timeoutMs = TIMEOUT_MS, pollMs = POLL_MS } = this.#options
    const { hash } = payment
    const endsAt = performance.now() + timeoutMs
    let detail = `${hash} is not in a block yet`
    let refusal: SettleOutcome | null = null
    void sending.then((answer) => (refusal = answer))
    while (performance.now() < endsAt) {
      if (refusal) return refusal
      try {
        const mined = await chain.mined(hash, payment)
        if (mined?.hasPaid) return { outcome: 'settled', transaction: hash }
        if (mined) {
          const { block } = mined
          return { outcome: 'refused', reason: 'tempo_transaction_failed', detail: hash, block }
        }
      } catch (error) {
        detail = messageOf(error)
      }
      await Bun.sleep(pollMs)
    }
    return { outcome: 'unknown', detail, transaction: hash }
  }
}

/** What an error of the node comes to; null when the transaction may be with the network. */
function refusalOf(error: unknown): SettleOutcome | null {
  const text = fullMessageOf(error)
  if (isAnswerLost(text) || isKnown(text)) return null
  const detail = messageOf(error)
  return IS_FINAL.test(text)
    ? { outcome: 'refused', reason: 'tempo_transaction_failed', detail }
    : { outcome: 'unavailable', detail }
}
