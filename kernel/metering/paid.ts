/**
 * The paid half of a metered call: idempotency claim → rail → authorize → skill → capture or
 * release. The money moves before the caller gets the first byte, and only for work that succeeded.
 */
import type { Failure } from '../errors.ts'
import { newId } from '../ids.ts'
import type { Authorization, Rail, RailCall, Receipt } from '../rails/contract.ts'
import { inputFingerprint } from '../schema/fingerprint.ts'
import { canonicalJson, fingerprintOf } from '../schema/json.ts'
import type { MeterOutcome, ReadOutcome } from './call.ts'
import { Biller, shownBalance, type BillOptions } from './bill.ts'
import { answerNotKept, keyReused, stillRunning } from './failures.ts'
import type { Claim } from './idempotency.ts'
import { keepIfSmall } from './buffer-answer.ts'
import { callerView, refusedBy, replay, stop, type Progress } from './call-outcome.ts'
import { workOf, type Worked } from './work.ts'

export interface PaidOptions extends BillOptions {
  sandbox: boolean
}

/** Money may go out later than the skill's deadline by this much. */
const SETTLE_MARGIN_MS = 60_000

type Input = ReadOutcome & { ok: true }

export class PaidPath {
  readonly #options: PaidOptions
  readonly #biller: Biller

  constructor(options: PaidOptions) {
    this.#options = options
    this.#biller = new Biller(options)
  }

  /** How the call ended: the answer with its receipt, an earlier one again, or a failure. */
  async run(progress: Progress, rail: Rail, read: Input): Promise<MeterOutcome> {
    const { call, identity } = progress
    const { mounted } = call
    const holdId = newId()
    const deadline = new Date(Date.now() + mounted.limits.timeoutMs)
    const isTold = rail.inspect !== undefined || call.idempotencyKey !== null
    const fingerprint = isTold ? await fingerprintIn(progress, read) : null
    const railCall = railCallOf(progress, read, holdId, deadline, fingerprint)

    let payer = identity ? `key:${identity.keyId}` : null
    let idempotencyKey = call.idempotencyKey
    if (rail.inspect) {
      const inspected = await rail.inspect(railCall, call.source)
      if (inspected.outcome === 'refused')
        return refusedBy(this.#options.rails, progress, inspected)
      payer = inspected.payer
      idempotencyKey ??= inspected.idempotencyKey
    }

    const scope = `${payer ?? rail.id} ${mounted.skill.id}`
    if (idempotencyKey !== null) {
      const earlier = await this.#options.idempotency.claim({
        scope,
        key: idempotencyKey,
        fingerprint: railCall.fingerprint,
        railId: rail.id,
        holdId,
        deadline: new Date(deadline.getTime() + SETTLE_MARGIN_MS),
      })
      if (earlier.outcome === 'mismatch') return stop(progress, keyReused())
      if (earlier.outcome === 'in_flight') return stop(progress, stillRunning())
      if (earlier.outcome === 'not_kept') return stop(progress, answerNotKept())
      if (earlier.outcome === 'replay') {
        return replay(progress, earlier.answer, await this.#replayReceipt(progress, earlier))
      }
    }
    const claim = idempotencyKey === null ? null : { scope, key: idempotencyKey, holdId }
    const outcome = await this.#authorized(progress, rail, railCall, read, claim)
    if (claim && !isCharged(outcome)) await this.#options.idempotency.free(claim)
    return outcome
  }

  /** Authorize → work → capture; the caller frees the idempotency key when nothing was charged. */
  async #authorized(
    progress: Progress,
    rail: Rail,
    railCall: RailCall,
    read: Input,
    claim: Claim | null,
  ): Promise<MeterOutcome> {
    const { call } = progress
    const { mounted } = call
    const selfBilled = mounted.skill.billing === 'self' && !rail.keepsAnswers
    let authorization: Authorization | null = null
    if (!selfBilled) {
      const authorized = await rail.authorize(railCall, call.source)
      if (authorized.outcome === 'refused')
        return refusedBy(this.#options.rails, progress, authorized)
      if (authorized.outcome === 'replay')
        return replay(progress, authorized.answer, authorized.receipt)
      authorization = authorized.authorization
    }

    // A payment whose answer is kept is a firm order: the work goes on when the caller hangs up.
    const caller = rail.keepsAnswers ? null : call.signal
    let result = await this.#work(progress, read, rail.id, caller)
    if (result.ok && (claim || rail.keepsAnswers))
      result = await keepIfSmall(result, railCall.deadline)
    if (!result.ok) {
      if (authorization) await rail.release(authorization, result.code)
      return { ...stop(progress, result), ...(await shownBalance(rail, progress.identity)) }
    }
    if (selfBilled) return this.#biller.selfBilled(progress, rail, result, claim)
    return this.#biller.capture(progress, rail, authorization!, result, claim)
  }

  async #replayReceipt(
    progress: Progress,
    earlier: { chargedAtomic: bigint; ledgerId: string | null; railId: string },
  ): Promise<Receipt> {
    const rail = this.#options.rails.get(earlier.railId)
    return {
      rail: earlier.railId,
      chargedAtomic: 0n,
      ledgerId: earlier.ledgerId,
      headers: {},
      ...(await shownBalance(rail, progress.identity)),
    }
  }

  #work(
    progress: Progress,
    read: Input,
    railId: string,
    signal: AbortSignal | null,
  ): Promise<Worked | Failure> {
    const { mounted, requestId, client } = progress.call
    return workOf(mounted, read, {
      requestId,
      client,
      caller: callerView(progress, railId, this.#options.sandbox),
      signal,
    })
  }
}

function railCallOf(
  { call, identity }: Progress,
  read: Input,
  holdId: string,
  deadline: Date,
  known: string | null,
): RailCall {
  let fingerprint = known
  return {
    requestId: call.requestId,
    quote: call.quote,
    identity,
    acquisition: call.acquisition,
    deadline,
    holdId,
    // Only payments and idempotency keys need it, and an input takes a while to hash.
    get fingerprint() {
      fingerprint ??=
        'forward' in read
          ? read.fingerprint
          : fingerprintOf(call.mounted.skill.id, canonicalJson(read.input))
      return fingerprint
    },
  }
}

async function fingerprintIn({ call }: Progress, read: Input): Promise<string> {
  if ('forward' in read) return read.fingerprint
  return inputFingerprint(call.mounted.skill.id, read.input)
}

function isCharged(outcome: MeterOutcome): boolean {
  // A capture whose outcome is unknown answers 503 and keeps its claim until the rail knows.
  if (outcome.kind === 'failure') return outcome.pending === true
  if (outcome.kind === 'answer' && outcome.replayed) return false
  return outcome.receipt.chargedAtomic > 0n
}
