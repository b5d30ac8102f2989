/**
 * One claimed forward from hold to acknowledgement. A success is charged once: the transaction that
 * marks it, under the lease token, also captures. A crash after the destination's 2xx sends again and
 * still charges once; a worker that lost its lease changes nothing and gives its hold back.
 */
import type { Billing, Logger, PluginDb } from '#kernel'
import type { Acknowledged, Acknowledger } from './acknowledger.ts'
import { hold, type Hold } from './charge.ts'
import { nextDelayMs } from './schedule.ts'
import { send, type SendDeps, type Sent } from './send.ts'
import type { ForwardState } from './status.ts'
import type { Claimed } from './store/claimed.ts'
import type { Tally } from './tally.ts'
import { freeDedupeKey } from './store/deliveries.ts'
import { failAttempt, giveBack, recovered, wakeKey } from './store/queue.ts'

export interface ForwarderDeps extends SendDeps {
  db: PluginDb
  billing: Billing
  acknowledger: Acknowledger
  log: Logger
  scheduleMs: readonly number[]
  leaseMarginMs: number
  /** Age of an unbroken run of failures at which a destination is disabled; null: never. */
  disableAfterMs: number | null
  tally: Tally
}

/** How the forward stands now; `lost`: another instance has taken it over. */
export interface ForwardResult {
  state: ForwardState | 'lost'
  chargedAtomic: bigint
  /** Ledger row of the capture. */
  ledgerId?: string
  /** The key could not pay, so nothing was sent. */
  unpaid: boolean
}

/** Id of the rail whose payment came with the call and settles with its answer; null: the forward's key pays by a hold. */
export type Payment = string | null

interface RunOptions {
  payment: Payment
  waits: boolean
  signal: AbortSignal
}

/** While the product is being reloaded there is no price; then it is tried again soon. */
const UNPRICED_WAIT_MS = 2000

/**
 * After so many leases that passed, a forward is given up: sending it may be what ends the gateway, and
 * its destination may have had it each time. Between them it waits by the schedule, so that gateways that
 * end for another reason, one after the other, have a day in which to be mended.
 */
export const MAX_LAPSES = 10

/** Parked forwards of a key that are tried when one of them could be paid. */
export const WAKE_AT_ONCE = 100

export class Forwarder {
  readonly #deps: ForwarderDeps

  constructor(deps: ForwarderDeps) {
    this.#deps = deps
  }

  /**
   * Sends one claimed forward and writes down what came of it. With `waits: false` (a replay, whose
   * caller is told how it ended) a key without funds and a shutdown cancel it instead of keeping it.
   */
  async run(claimed: Claimed, options: RunOptions): Promise<ForwardResult> {
    const result = await this.#run(claimed, options)
    this.#deps.tally.note(result.state)
    return result
  }

  async #run(claimed: Claimed, options: RunOptions): Promise<ForwardResult> {
    const { destination, payload } = claimed
    if (!destination.enabled) return this.#end(claimed, 'cancelled', 'destination_disabled')
    if (payload.body === null) return this.#end(claimed, 'cancelled', 'payload_purged')
    if (claimed.hasLapsed && claimed.lapses > 1) return this.#afterLapses(claimed)
    const taken: Hold =
      options.payment === null ? await this.#hold(claimed, false) : { kind: 'none' }
    if (taken.kind === 'unpriced') return this.#again(claimed, UNPRICED_WAIT_MS, 'unpriced')
    if (taken.kind === 'refused') return this.#unpaid(claimed, taken.reason, options.waits)
    if (claimed.parked && taken.kind === 'held') await this.#wakeSiblings(claimed)
    const sent = await this.#send(claimed, options.signal)
    if (sent.delivered) return this.#succeeded(claimed, sent, taken, options.payment)
    // Before the outcome is written: who sees that it ended finds nothing held for it.
    await this.#release(taken)
    if (!sent.aborted) return this.#failed(claimed, sent, options.payment)
    return options.waits
      ? this.#again(claimed, 0, 'shutdown')
      : this.#end(claimed, 'cancelled', 'shutdown')
  }

  /** What `send` cannot do (a secret sealed under another master key) is a failed attempt too. */
  async #send(claimed: Claimed, signal: AbortSignal): Promise<Sent> {
    const { log, now } = this.#deps
    try {
      return await send(this.#deps, claimed, signal)
    } catch (error) {
      log.error({ err: error, forward: claimed.forwardId }, 'a forward could not be sent')
      return {
        delivered: false,
        record: { at: now(), status: null, error: 'gateway_error', ms: 0, excerpt: null },
        retryAfterMs: null,
        gone: false,
        blocked: false,
        aborted: false,
      }
    }
  }

  #hold(claimed: Claimed, again: boolean): Promise<Hold> {
    const { billing, leaseMarginMs } = this.#deps
    return hold(billing, claimed, claimed.timeoutMs + leaseMarginMs, again)
  }

  async #succeeded(
    claimed: Claimed,
    sent: Sent,
    taken: Hold,
    payment: Payment,
  ): Promise<ForwardResult> {
    const first = await this.#acknowledge(claimed, sent, taken, payment)
    if (first.outcome !== 'hold_ended') return first.result
    const renewed = await this.#hold(claimed, true)
    if (renewed.kind !== 'held') return LOST
    return (await this.#acknowledge(claimed, sent, renewed, payment)).result
  }

  /** Gives the hold back when the success was not its own to write. */
  async #acknowledge(
    claimed: Claimed,
    sent: Sent,
    taken: Hold,
    payment: Payment,
  ): Promise<{ outcome: Acknowledged['outcome']; result: ForwardResult }> {
    const held = taken.kind === 'held' ? taken : null
    const written = await this.#deps.acknowledger.write({
      claimed,
      record: sent.record,
      rail: payment ?? (held ? 'credits' : 'free'),
      holdId: held?.holdId ?? null,
    })
    const { outcome } = written
    if (written.outcome === 'done') {
      const { id, failing } = claimed.destination
      if (failing) await recovered(this.#deps.db, id)
      return { outcome, result: succeeded(held?.amountAtomic ?? 0n, written.ledgerId) }
    }
    await this.#release(taken)
    return { outcome, result: LOST }
  }

  async #failed(claimed: Claimed, sent: Sent, payment: Payment): Promise<ForwardResult> {
    const { db, now, scheduleMs, disableAfterMs } = this.#deps
    const plan = { scheduleMs, maxAttempts: claimed.maxAttempts }
    const made = claimed.attempts + 1
    const at = now()
    // Without a key nobody pays for a retry: a payment bought one synchronous attempt.
    const orphaned = claimed.payerKeyId === null && payment !== null
    const final = sent.gone || sent.blocked || orphaned
    const delayMs = final ? null : nextDelayMs(plan, made, sent.retryAfterMs)
    const state = sent.blocked ? 'blocked_destination' : delayMs === null ? 'dead' : 'retrying'
    const dueAt = delayMs === null ? null : new Date(at.getTime() + delayMs)
    const failingSince = disableAfterMs === null ? null : new Date(at.getTime() - disableAfterMs)
    const next = { state, dueAt, gone: sent.gone, failingSince } as const
    const kept = await failAttempt(db, claimed, sent.record, next, at)
    if (!kept) return LOST
    if (orphaned) await freeDedupeKey(db, claimed.deliveryId)
    return { state, chargedAtomic: 0n, unpaid: false }
  }

  async #unpaid(
    claimed: Claimed,
    reason: 'insufficient' | 'ceiling' | 'revoked' | 'no_payer',
    waits: boolean,
  ): Promise<ForwardResult> {
    // A revoked key gets no credits any more, and without a key there is nobody to wait for.
    const hopeless = reason === 'revoked' || reason === 'no_payer'
    const result = await this.#end(
      claimed,
      waits && !hopeless ? 'awaiting_funds' : 'cancelled',
      reason,
    )
    // Its payment ended with the gateway that had it: whoever sends the webhook again pays again.
    if (reason === 'no_payer') await freeDedupeKey(this.#deps.db, claimed.deliveryId)
    return { ...result, unpaid: true }
  }

  /** Due again after a wait, without counting as an attempt. */
  async #again(claimed: Claimed, waitMs: number, reason: string): Promise<ForwardResult> {
    const now = this.#deps.now()
    const dueAt = new Date(now.getTime() + waitMs)
    const state = claimed.attempts === 0 ? 'pending' : 'retrying'
    const kept = await giveBack(this.#deps.db, claimed, { state, dueAt, reason }, now)
    return kept ? { state, chargedAtomic: 0n, unpaid: false } : LOST
  }

  async #end(
    claimed: Claimed,
    state: 'cancelled' | 'awaiting_funds' | 'dead',
    reason: string,
  ): Promise<ForwardResult> {
    const now = this.#deps.now()
    const kept = await giveBack(this.#deps.db, claimed, { state, dueAt: null, reason }, now)
    return kept ? { state, chargedAtomic: 0n, unpaid: false } : LOST
  }

  /** The first lease that passed is nothing to wait for: its gateway was killed. */
  #afterLapses(claimed: Claimed): Promise<ForwardResult> {
    const { forwardId, deliveryId, destination, lapses } = claimed
    const plan = { scheduleMs: this.#deps.scheduleMs, maxAttempts: MAX_LAPSES }
    const waitMs = nextDelayMs(plan, lapses, null)
    if (waitMs !== null) return this.#again(claimed, waitMs, 'lease_passed')
    const facts = { forward: forwardId, delivery: deliveryId, destination: destination.id, lapses }
    this.#deps.log.error(facts, 'a webhook was given up: no attempt came to a recorded end')
    return this.#end(claimed, 'dead', 'lease_passed')
  }

  async #wakeSiblings({ payerKeyId }: Claimed): Promise<void> {
    if (payerKeyId !== null)
      await wakeKey(this.#deps.db, payerKeyId, WAKE_AT_ONCE, this.#deps.now())
  }

  async #release(taken: Hold): Promise<void> {
    if (taken.kind === 'held') await this.#deps.billing.release(taken.holdId)
  }
}

const LOST: ForwardResult = { state: 'lost', chargedAtomic: 0n, unpaid: false }
const succeeded = (chargedAtomic: bigint, ledgerId: string | null): ForwardResult => ({
  state: 'succeeded',
  chargedAtomic,
  ...(ledgerId !== null && { ledgerId }),
  unpaid: false,
})
