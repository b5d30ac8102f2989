/**
 * How a metered call is paid for: planned once before its work begins, and settled after it. The
 * capture comes before the caller gets the first byte, and only for work that succeeded; for a
 * stream whose units are known at its end, the hold comes before and the capture after its last
 * byte.
 */
import { unpaid } from '../auth/authenticator.ts'
import { fail, type Failure } from '../errors.ts'
import { newId } from '../ids.ts'
import type { Logger } from '../log/logger.ts'
import type { Rail, RailCall, Receipt } from '../rails/contract.ts'
import { CREDITS_RAIL_ID, type RailRegistry, inRailTime, RailLate } from '../rails/registry.ts'
import { atMostAtomic } from '../pricing/estimate.ts'
import type { Background } from '../work/background.ts'
import { keepIfSmall } from './buffer-answer.ts'
import { dueFor, headDue, isReadToItsEnd, type Due } from './due.ts'
import { comesInEvents } from './measure.ts'
import {
  finish,
  FREE,
  refusedBy,
  secondsSince,
  replay,
  stop,
  type Progress,
} from './call-outcome.ts'
import type { MeterOutcome } from './call.ts'
import { mostUnitsOf } from './most-units.ts'
import {
  answerNotKept,
  failedButPaid,
  givenBackUnlessThisDies,
  keyReused,
  stillRunning,
} from './failures.ts'
import type { GiveBackJournal } from './give-back-contract.ts'
import { GiveBackOrders, orderOf } from './give-backs.ts'
import type { Claim, ClaimOutcome, IdempotencyStore } from './idempotency.ts'
import type { Held, Paid, Plan } from './plan.ts'
import { balanceOn, fingerprintIn, railCallOf, RailSteps, type Input } from './rail-steps.ts'
import { withSigned, type Receipts, type Replay } from './receipts.ts'
import type { Worked } from './skill-runner.ts'
import { chargedAtEnd, type FailedCapture } from './stream-charge.ts'
import { followDelivery, noteDelivered } from './stream-delivery.ts'

export interface PaymentOptions {
  rails: RailRegistry
  idempotency: IdempotencyStore
  /** Absent: answers have no signed receipt. */
  receipts?: Receipts
  /** Absent: charges are given back only as long as this process lives. */
  giveBackJournal?: GiveBackJournal
  log: Logger
}

/** With what cuts its streams off: the gateway ends. */
type Options = PaymentOptions & { ending: AbortSignal }

/** A capture may come this much later than the skill's deadline. */
const SETTLE_MARGIN_MS = 60_000

const NO_CLAIM = { kind: 'claimed', claim: null } as const

export class Payments {
  readonly #options: Options
  readonly #steps: RailSteps
  readonly #giveBacks: GiveBackOrders
  /** Ids of skills that billed less than a rail captured; each is logged once. */
  readonly #overcharging = new Set<string>()

  constructor(options: Options) {
    this.#options = options
    this.#steps = new RailSteps(options)
    this.#giveBacks = new GiveBackOrders({ ...options, journal: options.giveBackJournal })
  }

  /** Gives back the charges that dead processes owed, now and periodically. */
  followGiveBacks(): Background {
    return this.#giveBacks.follow()
  }

  /** Plans the payment: claims the Idempotency-Key and has the rail hold the price. */
  async plan(progress: Progress, rail: Rail | null, input: Input): Promise<Plan> {
    if (!rail) {
      // A free call that needs a key uses up a one-time credential; an offer would not help.
      const refusal = progress.call.mounted.skill.payer === 'key' && (await takenOnce(progress))
      return refusal ? ended(stop(progress, refusal)) : { kind: 'free' }
    }
    const { rails, idempotency } = this.#options
    const { call, identity } = progress
    const { skill, limits } = call.mounted
    const holdId = newId()
    const deadline = new Date(Date.now() + limits.timeoutMs)
    const isTold = rail.inspect !== undefined || call.idempotencyKey !== null
    const fingerprint = isTold ? await fingerprintIn(progress, input) : null
    const railCall = railCallOf(progress, input, holdId, deadline, fingerprint)
    const mostAtomic = this.#mostOf(progress, rail, input)
    if (mostAtomic !== null) railCall.mostAtomic = mostAtomic
    const claimed = isTold ? await this.#claim(progress, rail, railCall) : NO_CLAIM
    if (claimed.kind === 'ended') return claimed
    const { claim } = claimed
    try {
      const isOnce = rail.id === CREDITS_RAIL_ID && identity?.takeOnce !== undefined
      const taken = isOnce ? await takenOnce(progress) : null
      if (taken) {
        if (claim) await idempotency.freeSoon(claim)
        return ended(refusedBy(rails, progress, { failure: taken, offer: true }))
      }
      if (skill.billing === 'self' && !rail.keepsAnswers)
        return { kind: 'self_billed', rail, claim, deadline }
      const authorized = await this.#steps.authorize(rail, railCall, progress, claim)
      if (authorized.outcome === 'authorized') {
        const { authorization } = authorized
        return { kind: 'held', holdId, authorization, rail, claim, deadline }
      }
      if (claim) await idempotency.freeSoon(claim)
      if (authorized.outcome === 'refused') return ended(refusedBy(rails, progress, authorized))
      return ended(await this.#replayed(progress, authorized, rail))
    } catch (error) {
      // A late rail is not done yet.
      if (claim && !(error instanceof RailLate)) await idempotency.endSoon(claim)
      throw error
    }
  }

  /** Asks the rail who pays, and claims the key that the call or its credential carries. */
  async #claim(
    progress: Progress,
    rail: Rail,
    railCall: RailCall,
  ): Promise<Ended | { kind: 'claimed'; claim: Claim | null }> {
    const { call, identity } = progress
    const { skill, limits } = call.mounted
    let payer = identity ? `key:${identity.keyId}` : null
    let key = call.idempotencyKey
    if (rail.inspect) {
      const inspected = await inRailTime(rail, 'inspect', rail.inspect(railCall, call.source))
      if (inspected.outcome === 'refused')
        return ended(refusedBy(this.#options.rails, progress, inspected))
      payer = inspected.payer
      if (inspected.owner !== undefined) call.paidBy?.(inspected.owner)
      key ??= inspected.idempotencyKey
    }
    if (key === null) return NO_CLAIM
    const { idempotency } = this.#options
    const claim = { scope: `${payer ?? rail.id} ${skill.id}`, key, holdId: railCall.holdId }
    const order = {
      ...claim,
      fingerprint: railCall.fingerprint,
      railId: rail.id,
      runsForMs: limits.timeoutMs + SETTLE_MARGIN_MS,
    }
    const claimed = await idempotency.claim(order).catch(async (error: unknown) => {
      // It may be claimed all the same, and its answer was lost.
      await idempotency.endSoon(claim)
      throw error
    })
    if (claimed.outcome !== 'claimed') return ended(await this.#repeated(progress, claimed))
    return { kind: 'claimed', claim }
  }

  /** The most that this input costs by its skill's promise; null if that is the price's maximum. */
  #mostOf({ call }: Progress, rail: Rail, input: Input): bigint | null {
    const { mounted, quote } = call
    const { price } = quote
    if (rail.id !== CREDITS_RAIL_ID || 'forward' in input || !price || !mounted.skill.mostUnits)
      return null
    return atMostAtomic(price, mostUnitsOf(mounted, input.input, this.#options.log))
  }

  /** Ends the call: captures what its work costs, or releases the hold of failed work. */
  async settle(
    progress: Progress,
    plan: Exclude<Plan, { kind: 'ended' }>,
    work: Worked | Failure,
  ): Promise<MeterOutcome> {
    if (plan.kind === 'free') return work.ok ? finish(progress, work, FREE) : stop(progress, work)
    const { rail, claim } = plan
    const isStream = work.ok && work.kind === 'stream'
    const result = isStream ? await this.#readIfNeeded(progress, plan, work) : work
    if (!result.ok) {
      await this.#letGo(progress, plan, result.code)
      const { isPaid = false, receipt } = plan.kind === 'held' ? plan.authorization : {}
      const stopped = stop(progress, isPaid ? failedButPaid(result) : result)
      const balance = await balanceOn(rail, progress.identity)
      return { ...stopped, ...balance, ...(receipt && { receipt }) }
    }
    if (plan.kind === 'held') return this.#settleHeld(progress, plan, result)
    const outcome = await this.#selfBilled(progress, plan, result)
    if (claim && !isCharged(outcome)) await this.#options.idempotency.freeSoon(claim)
    return outcome
  }

  /** Buffers a short streamed answer that must be kept or measured. */
  async #readIfNeeded(
    { call }: Progress,
    { rail, claim, deadline }: Paid,
    work: Extract<Worked, { kind: 'stream' }>,
  ): Promise<Worked | Failure> {
    if (isReadToItsEnd(call.mounted, work)) {
      if (comesInEvents(work.response.headers)) return work
      const read = await keepIfSmall(work, deadline)
      if (!read.ok || read.kind === 'answer' || Date.now() < deadline.getTime()) return read
      void read.response.body?.cancel().catch(() => {})
      return fail('TIMEOUT', 'The answer did not end in time; nothing was charged')
    }
    return claim !== null || rail.keepsAnswers === true ? keepIfSmall(work, deadline) : work
  }

  async #settleHeld(progress: Progress, plan: Held, result: Worked): Promise<MeterOutcome> {
    const { mounted } = progress.call
    const { amountAtomic } = plan.authorization
    if (result.kind === 'stream') {
      if (result.bill === 'release') return this.#giveBack(progress, plan, result)
      if (isReadToItsEnd(mounted, result)) {
        const late = () => noteDelivered(this.#options, progress, plan)
        const charged = (due: Due) =>
          this.#steps.charged(progress, plan, due, { answer: null, late })
        const failed = async (captured: FailedCapture) => {
          await this.#endFailed(progress, plan, captured)
        }
        const unsent = () => this.#letGo(progress, plan, 'the answer broke off')
        const charging = { ...this.#options, charged, failed, unsent }
        return chargedAtEnd(charging, progress, plan, result)
      }
      return this.#capture(progress, plan, result, headDue(mounted, result, amountAtomic))
    }
    const due = dueFor(mounted, result, amountAtomic, secondsSince(progress))
    return due ? this.#capture(progress, plan, result, due) : this.#giveBack(progress, plan, result)
  }

  /** The outcome of a call whose Idempotency-Key was claimed by an earlier call. */
  async #repeated(
    progress: Progress,
    earlier: Exclude<ClaimOutcome, { outcome: 'claimed' }>,
  ): Promise<MeterOutcome> {
    switch (earlier.outcome) {
      case 'mismatch':
        return stop(progress, keyReused())
      case 'in_flight':
        return stop(progress, stillRunning())
      case 'not_kept':
        return stop(progress, answerNotKept())
      case 'replay': {
        const { answer, railId, ledgerId } = earlier
        const balance = await balanceOn(this.#options.rails.get(railId), progress.identity)
        const receipt = { rail: railId, chargedAtomic: 0n, ledgerId, headers: {}, ...balance }
        return this.#replayed(progress, { answer, receipt })
      }
    }
  }

  /** Gives back what is held for a call that costs nothing, and frees its key once that is done. */
  async #letGo(
    progress: Progress,
    plan: Exclude<Plan, { kind: 'ended' | 'free' }>,
    reason: string,
  ): Promise<void> {
    const isReleased =
      plan.kind === 'self_billed' || (await this.#steps.release(progress, plan, reason))
    if (plan.claim && isReleased) await this.#options.idempotency.freeSoon(plan.claim)
  }

  /** Ends a call whose skill said that its work is free. */
  async #giveBack(progress: Progress, plan: Held, result: Worked): Promise<MeterOutcome> {
    const { rail } = plan
    await this.#letGo(progress, plan, 'free')
    const balance = await balanceOn(rail, progress.identity)
    const { receipt = { ...FREE, rail: rail.id } } = plan.authorization
    return finish(progress, result, { ...receipt, ...balance })
  }

  /** Captures what is due of the authorized amount; the answer goes out afterwards. */
  async #capture(progress: Progress, plan: Held, result: Worked, due: Due): Promise<MeterOutcome> {
    const { rail, claim } = plan
    const { idempotency } = this.#options
    const answer = result.kind === 'answer' ? result.answer : null
    if (claim && answer)
      await idempotency.prepare(claim, answer).catch(async (error: unknown) => {
        await this.#letGo(progress, plan, 'its answer was not written')
        throw error
      })
    const undo =
      result.kind === 'stream' ? () => this.#giveBacks.undoBroken(progress, plan) : undefined
    const { receipts } = this.#options
    const sign = answer
      ? receipts && ((charged: Receipt) => receipts.sign(progress, charged, answer))
      : undefined
    // If the charge comes late, the stream is cut off by then: the payment can be used again.
    const captured = await this.#steps.charged(progress, plan, due, { answer, late: undo, sign })
    if (captured.outcome === 'failed') {
      if (result.kind === 'stream') void result.response.body?.cancel().catch(() => {})
      const failure = await this.#endFailed(progress, plan, captured)
      return refusedBy(this.#options.rails, progress, { ...captured, failure })
    }
    const receipt = receipts
      ? await receipts.kept(progress, plan, captured, answer)
      : captured.receipt
    if (receipt.chargedAtomic > due.amountAtomic) this.#noteOvercharge(progress, rail)
    if (claim) {
      // A rail that keeps answers replays a free one itself; what was paid before is not free.
      const isBought = receipt.chargedAtomic > 0n || plan.authorization.isPaid || !rail.keepsAnswers
      if (!isBought) await idempotency.freeSoon(claim)
      else if (answer) await this.#noting(idempotency.settle(claim, receipt))
    }
    if (result.kind !== 'stream') return finish(progress, result, receipt)
    const followedTo = followDelivery(this.#options, progress, plan, result)
    return finish(progress, followedTo, receipt, undo)
  }

  /** A kept answer, with its signed receipt if that covers the body that this call gets. */
  async #replayed(progress: Progress, kept: Replay, rail?: Rail): Promise<MeterOutcome> {
    const { receipts } = this.#options
    const { answer, receipt } = receipts ? await receipts.again(progress, kept, rail) : kept
    return replay(progress, answer, receipt)
  }

  /**
   * Frees the key of a call that was not charged; returns the failure to answer. A charge that may
   * stand is given back: the order is journalled before the answer promises it, and the key is
   * freed only after the charge is undone, so that no crash leaves a charge beside a free key.
   */
  async #endFailed(
    progress: Progress,
    plan: Held,
    { failure, pending, giveBack }: FailedCapture,
  ): Promise<Failure> {
    if (!giveBack) {
      if (plan.claim && !pending) await this.#options.idempotency.freeSoon(plan.claim)
      return failure
    }
    const { isKept } = await this.#giveBacks.start(orderOf(progress, plan), giveBack)
    return isKept ? failure : givenBackUnlessThisDies(failure)
  }

  /** Ends a call that billed through services.billing: `bill.amountAtomic` is what it charged. */
  async #selfBilled(
    progress: Progress,
    { rail, claim }: Paid,
    result: Worked,
  ): Promise<MeterOutcome> {
    const { amountAtomic: chargedAtomic = 0n, ledgerId = null } =
      typeof result.bill === 'object' && 'amountAtomic' in result.bill ? result.bill : {}
    const balance = await balanceOn(rail, progress.identity)
    const unsigned: Receipt = { rail: rail.id, chargedAtomic, ledgerId, headers: {}, ...balance }
    const answer = result.kind === 'answer' ? result.answer : null
    const kept = chargedAtomic > 0n ? claim : null
    // The money has moved: the answer is kept before anything slow happens, and goes out all the same.
    if (kept && answer) await this.#noting(this.#options.idempotency.prepare(kept, answer, true))
    const signed = answer && (await this.#options.receipts?.sign(progress, unsigned, answer))
    const receipt = signed ? withSigned(unsigned, signed) : unsigned
    if (kept && answer) await this.#noting(this.#options.idempotency.settle(kept, receipt))
    return finish(progress, result, receipt)
  }

  /** Warns once per skill: a rail that takes the whole price should not be offered for it. */
  #noteOvercharge({ call }: Progress, rail: Rail): void {
    const { id } = call.mounted.skill
    if (this.#overcharging.has(id)) return
    this.#overcharging.add(id)
    this.#options.log.warn(
      { skill: id, rail: rail.id },
      call.mounted.isMeasured
        ? 'a rail took more than was measured: it must not sell prices that count units'
        : "skill billed less than the price that was taken: it needs billing: 'partial'",
    )
  }

  /**
   * Waits for a note about a charge that was made. A failure costs nobody an answer: a replay finds a
   * prepared one by its captured hold, and a skill that bills by itself knows what it has done.
   */
  async #noting(note: Promise<void>): Promise<void> {
    await note.catch((error: unknown) =>
      this.#options.log.warn({ err: error }, 'a charge could not be noted for its Idempotency-Key'),
    )
  }
}

/** The 402 of a one-time credential that another call has used; null if this call may use it. */
async function takenOnce({ identity }: Progress): Promise<Failure | null> {
  const refusal = await identity?.takeOnce?.()
  return refusal ? unpaid(refusal) : null
}

type Ended = Extract<Plan, { kind: 'ended' }>

function ended(outcome: MeterOutcome): Ended {
  return { kind: 'ended', outcome }
}

function isCharged(outcome: MeterOutcome): boolean {
  // A capture whose outcome is unknown answers 503 and keeps its claim until the rail knows.
  if (outcome.kind === 'failure') return outcome.pending === true
  return outcome.receipt.chargedAtomic > 0n
}
