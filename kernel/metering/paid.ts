/**
 * The paid half of a metered call: idempotency claim → rail → authorize → skill → capture or
 * release. The money moves before the caller gets the first byte, and only for work that succeeded.
 */
import type { Failure } from '../errors.ts'
import { newId } from '../ids.ts'
import type { Logger } from '../plugins/contract.ts'
import type {
  Authorization,
  CaptureOutcome,
  Identity,
  Rail,
  RailCall,
  Receipt,
  StoredAnswer,
} from '../rails/contract.ts'
import type { RailRegistry } from '../rails/registry.ts'
import { watched } from '../http/watched.ts'
import { canonicalJson, fingerprintOf } from '../schema/json.ts'
import type { MeterOutcome, ReadOutcome } from './call.ts'
import { answerNotKept, keyReused, stillRunning } from './failures.ts'
import type { Claim, IdempotencyStore } from './idempotency.ts'
import { keepIfSmall } from './keep.ts'
import { callerView, finish, stop, type Progress, type Stop } from './progress.ts'
import { billedAmount, workOf, type Worked } from './work.ts'

export interface PaidOptions {
  rails: RailRegistry
  idempotency: IdempotencyStore
  sandbox: boolean
  log: Logger
}

/** Money may go out later than the skill's deadline by this much. */
const SETTLE_MARGIN_MS = 60_000

type Input = ReadOutcome & { ok: true }

export class PaidPath {
  readonly #options: PaidOptions

  constructor(options: PaidOptions) {
    this.#options = options
  }

  /** How the call ended: the answer with its receipt, an earlier one again, or a failure. */
  async run(progress: Progress, rail: Rail, read: Input): Promise<MeterOutcome> {
    const { call, identity } = progress
    const { mounted } = call
    const holdId = newId()
    const deadline = new Date(Date.now() + mounted.limits.timeoutMs)
    const railCall = this.#railCall(progress, read, holdId, deadline)

    let payer = identity ? `key:${identity.keyId}` : null
    let idempotencyKey = call.idempotencyKey
    if (rail.inspect) {
      const inspected = await rail.inspect(railCall, call.source)
      if (inspected.outcome === 'refused')
        return this.#refused(progress, inspected.failure, inspected.offer)
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
        const receipt = await this.#replayReceipt(progress, earlier)
        return {
          kind: 'answer',
          answer: earlier.answer,
          receipt,
          rateHeaders: progress.rateHeaders,
          replayed: true,
        }
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
        return this.#refused(progress, authorized.failure, authorized.offer)
      if (authorized.outcome === 'replay') {
        const { answer, receipt } = authorized
        return {
          kind: 'answer',
          answer,
          receipt,
          rateHeaders: progress.rateHeaders,
          replayed: true,
        }
      }
      authorization = authorized.authorization
    }

    // A payment whose answer is kept is a firm order: the work goes on when the caller hangs up.
    const caller = rail.keepsAnswers ? null : call.signal
    let result = await this.#work(progress, read, rail.id, caller)
    if (result.ok && (claim || rail.keepsAnswers))
      result = await keepIfSmall(result, railCall.deadline)
    if (!result.ok) {
      if (authorization) await rail.release(authorization, result.code)
      return stop(progress, result)
    }
    if (selfBilled) return this.#selfBilled(progress, rail, result, claim)
    return this.#capture(progress, rail, authorization!, result, claim)
  }

  async #capture(
    progress: Progress,
    rail: Rail,
    authorization: Authorization,
    result: Worked,
    claim: Claim | null,
  ): Promise<MeterOutcome> {
    const amountAtomic = billedAmount(result, authorization.amountAtomic)
    if (amountAtomic === 0n) {
      await rail.release(authorization, 'free')
      const receipt: Receipt = { rail: rail.id, chargedAtomic: 0n, ledgerId: null, headers: {} }
      return finish(progress, result, receipt)
    }
    const answer = result.kind === 'answer' ? result.answer : null
    if (claim && answer) await this.#options.idempotency.prepare(claim, answer)
    const captured = await captureFor(result, rail, authorization, amountAtomic, answer)
    if (captured.outcome === 'failed') {
      const refused = this.#refused(progress, captured.failure, captured.offer)
      return captured.pending ? { ...refused, pending: true } : refused
    }
    const { receipt } = captured
    if (claim && answer) await this.#noteCharge(claim, receipt)
    return finish(progress, tracked(result, rail, authorization), receipt, () =>
      this.#makeGood(progress.call.requestId, rail, authorization, claim),
    )
  }

  /** The charge of a stream that its upstream broke off; a retry with the same key may run again. */
  async #makeGood(
    requestId: string,
    rail: Rail,
    authorization: Authorization,
    claim: Claim | null,
  ): Promise<void> {
    const { log, idempotency } = this.#options
    if (!rail.undo) {
      log.error({ requestId, rail: rail.id }, 'a paid stream broke off and its payment stands')
      return
    }
    await rail.undo(authorization, 'the upstream broke its answer off')
    if (claim) await idempotency.free(claim)
    log.warn({ requestId, rail: rail.id }, 'a paid stream broke off; its charge is made good')
  }

  /** A skill that billed through services.billing: `bill.amountAtomic` is what it took. */
  async #selfBilled(
    progress: Progress,
    rail: Rail,
    result: Worked,
    claim: Claim | null,
  ): Promise<MeterOutcome> {
    const bill = typeof result.bill === 'object' ? result.bill : null
    const chargedAtomic = bill?.amountAtomic ?? 0n
    const balanceAtomic = await this.#balance(rail, progress.identity)
    const receipt: Receipt = {
      rail: rail.id,
      chargedAtomic,
      ledgerId: bill?.ledgerId ?? null,
      headers: {},
      ...(balanceAtomic !== null && { balanceAtomic }),
    }
    if (claim && result.kind === 'answer' && chargedAtomic > 0n) {
      await this.#options.idempotency.prepare(claim, result.answer)
      await this.#noteCharge(claim, receipt)
    }
    return finish(progress, result, receipt)
  }

  async #noteCharge(claim: Claim, receipt: Receipt): Promise<void> {
    const { idempotency, log } = this.#options
    await idempotency
      .settle(claim, receipt)
      // The capture stands and the prepared answer is found by its hold: only the note is late.
      .catch((error: unknown) => log.warn({ err: error }, 'idempotency row not marked settled'))
  }

  #railCall(progress: Progress, read: Input, holdId: string, deadline: Date): RailCall {
    const { call, identity } = progress
    let fingerprint: string | null = null
    return {
      requestId: call.requestId,
      quote: call.quote,
      identity,
      acquisition: call.acquisition,
      deadline,
      holdId,
      // Only x402 and idempotency keys need it, and a 20 MiB input takes a while to hash.
      get fingerprint() {
        fingerprint ??=
          'forward' in read
            ? read.fingerprint
            : fingerprintOf(call.mounted.skill.id, canonicalJson(read.input))
        return fingerprint
      },
    }
  }

  async #replayReceipt(
    progress: Progress,
    earlier: { chargedAtomic: bigint; ledgerId: string | null; railId: string },
  ): Promise<Receipt> {
    const rail = this.#options.rails.get(earlier.railId)
    const balanceAtomic = rail ? await this.#balance(rail, progress.identity) : null
    return {
      rail: earlier.railId,
      chargedAtomic: 0n,
      ledgerId: earlier.ledgerId,
      headers: {},
      ...(balanceAtomic !== null && { balanceAtomic }),
    }
  }

  async #balance(rail: Rail, identity: Identity | null): Promise<bigint | null> {
    return identity && rail.balanceAtomic ? rail.balanceAtomic(identity.keyId) : null
  }

  #refused(progress: Progress, failure: Failure, offer: boolean): Stop {
    const { mounted, quote } = progress.call
    const { rails } = this.#options
    return stop(progress, failure, offer ? rails.offers(mounted.rails, quote, failure) : [])
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

/** The rail's capture; a stream that nobody will read because of it is dropped. */
async function captureFor(
  result: Worked,
  rail: Rail,
  authorization: Authorization,
  amountAtomic: bigint,
  answer: StoredAnswer | null,
): Promise<CaptureOutcome> {
  let captured: CaptureOutcome | null = null
  try {
    captured = await rail.capture(authorization, amountAtomic, answer)
    return captured
  } finally {
    if (captured?.outcome !== 'captured' && result.kind === 'stream')
      void result.response.body?.cancel().catch(() => {})
  }
}

/** The same result; a rail that must know when a stream was delivered is told. */
function tracked(result: Worked, rail: Rail, authorization: Authorization): Worked {
  if (result.kind !== 'stream' || !rail.delivered) return result
  const delivered = () => void rail.delivered!(authorization)
  const { response } = result
  if (!response.body) delivered()
  const body =
    response.body && watched(response.body, (end) => void (end !== 'broken' && delivered()))
  return { ...result, response: new Response(body, response) }
}

function isCharged(outcome: MeterOutcome): boolean {
  // A capture whose outcome is unknown answers 503 and keeps its claim until the rail knows.
  if (outcome.kind === 'failure') return outcome.pending === true
  if (outcome.kind === 'answer' && outcome.replayed) return false
  return outcome.receipt.chargedAtomic > 0n
}
