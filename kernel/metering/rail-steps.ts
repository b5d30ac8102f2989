/**
 * The requests that a call makes to its rail, and the call as the rail sees it. A rail that answers
 * too late may still have acted: a late authorization or charge is then undone in the background.
 */
import type { Identity } from '../auth/contract.ts'
import { GatewayError } from '../errors.ts'
import type { Logger } from '../log/logger.ts'
import type {
  AuthorizeOutcome,
  CaptureOutcome,
  Rail,
  RailCall,
  SignCharge,
  StoredAnswer,
} from '../rails/contract.ts'
import { CREDITS_RAIL_ID, inRailTime, RailLate } from '../rails/registry.ts'
import { canonicalJson, fingerprintOf, inputFingerprint } from '../schema/json-pieces.ts'
import type { ReadOutcome } from './call.ts'
import type { Progress } from './call-outcome.ts'
import { usageOf, type Due } from './quotes.ts'
import { chargeUnknown } from './failures.ts'
import type { Claim, IdempotencyStore } from './idempotency.ts'
import type { Held } from './plan.ts'

export type Input = ReadOutcome & { ok: true }

/** What is charged for, and what to do after the charge. */
interface Charging {
  answer: StoredAnswer | null
  /** Called if the capture succeeds after its time limit: makes the charge good. */
  late: (() => Promise<void>) | undefined
  /** Absent: no receipt is signed. */
  sign?: SignCharge | undefined
}

export class RailSteps {
  readonly #options: { idempotency: IdempotencyStore; log: Logger }
  /** Ids of skills that billed more than they had promised; each is logged once. */
  readonly #understating = new Set<string>()

  constructor(options: { idempotency: IdempotencyStore; log: Logger }) {
    this.#options = options
  }

  /** Has the rail hold the price. An authorization that comes too late is released. */
  authorize(
    rail: Rail,
    order: RailCall,
    { call }: Progress,
    claim: Claim | null,
  ): Promise<AuthorizeOutcome> {
    const authorizing = rail.authorize(order, call.source)
    return inTime(rail, 'authorize', authorizing, () => {
      // The Idempotency-Key stays claimed until then: the same call must not be paid twice.
      void this.#undoLate(rail, authorizing, order.requestId, claim)
    }).catch(async (error: unknown) => {
      if (claim && !(error instanceof RailLate)) await this.#options.idempotency.abandon(claim)
      throw error
    })
  }

  async #undoLate(
    rail: Rail,
    authorizing: Promise<AuthorizeOutcome>,
    requestId: string,
    claim: Claim | null,
  ): Promise<void> {
    const { idempotency, log } = this.#options
    try {
      const late = await authorizing
      if (late.outcome === 'authorized') await rail.release(late.authorization, 'late')
      if (claim) await idempotency.free(claim)
    } catch (error) {
      log.error({ err: error, requestId, rail: rail.id }, 'a late authorization was not given back')
    }
  }

  /** Releases the hold; false if the rail did not confirm it in time. */
  async release(
    { call }: Progress,
    { rail, authorization }: Held,
    reason: string,
  ): Promise<boolean> {
    try {
      await inTime(rail, 'release', rail.release(authorization, reason))
      return true
    } catch (error) {
      if (!(error instanceof RailLate)) throw error
      const facts = { err: error, requestId: call.requestId, rail: rail.id }
      this.#options.log.error(facts, 'a rail has not given back what it held')
      return false
    }
  }

  /** The outcome of the rail's capture; a rail that throws may have taken the money. */
  async charged(
    { call }: Progress,
    { rail, authorization }: Held,
    due: Due,
    { answer, late, sign }: Charging,
  ): Promise<CaptureOutcome> {
    const { amountAtomic, account } = due
    let capturing: Promise<CaptureOutcome> | undefined
    try {
      capturing = rail.capture(authorization, amountAtomic, answer, account, sign)
      const captured = await inTime(rail, 'capture', capturing)
      if (captured.outcome !== 'captured') return captured
      const usage = usageOf(due, captured.receipt.chargedAtomic)
      if (usage?.isCapped && authorization.amountAtomic < call.mounted.price.maxAtomic)
        this.#noteUnderstated(call.mounted.skill.id)
      return usage ? { ...captured, receipt: { ...captured.receipt, usage } } : captured
    } catch (error) {
      const facts = { err: error, requestId: call.requestId, rail: rail.id }
      this.#options.log.error(facts, 'a rail failed while it charged')
      if (error instanceof RailLate && late) {
        void capturing
          ?.then((captured) => (captured.outcome === 'captured' ? late() : undefined))
          .catch((failed: unknown) =>
            this.#options.log.error({ ...facts, err: failed }, 'a late charge was not made good'),
          )
      }
      const failure = error instanceof GatewayError ? error.failure : chargeUnknown()
      return { outcome: 'failed', failure, offer: false, pending: true }
    }
  }

  /** Warns once per skill; `gateway_charges_capped_total` counts such calls. */
  #noteUnderstated(skill: string): void {
    if (this.#understating.has(skill)) return
    this.#understating.add(skill)
    this.#options.log.warn(
      { skill },
      'a call measured more than was held for it, and was charged what was held: mostUnits of its skill says too little, or its payer signed for less',
    )
  }
}

/**
 * The rail's answer within the time limit; throws RailLate after it. The kernel's own rail only
 * asks the database, whose statements have a time limit of their own.
 */
function inTime<T>(
  rail: Rail,
  asked: Parameters<typeof inRailTime>[1],
  work: Promise<T>,
  late: () => void = () => {},
): Promise<T> {
  if (rail.id === CREDITS_RAIL_ID) return work
  return inRailTime(rail, asked, work).catch((error: unknown) => {
    if (error instanceof RailLate) late()
    throw error
  })
}

/** The call as its rail sees it; `known` is the fingerprint of its input, if already computed. */
export function railCallOf(
  { call, identity }: Progress,
  input: Input,
  holdId: string,
  deadline: Date,
  known: string | null,
): RailCall {
  let fingerprint = known
  return {
    requestId: call.requestId,
    quote: call.quote,
    identity,
    get place() {
      return call.place
    },
    acquisition: call.acquisition,
    deadline,
    holdId,
    // Computed on demand: only payments and idempotency keys need it, and hashing takes time.
    get fingerprint() {
      fingerprint ??=
        'forward' in input
          ? input.fingerprint
          : fingerprintOf(call.mounted.skill.id, canonicalJson(input.input))
      return fingerprint
    },
  }
}

/** SHA-256 hex of the skill and its input; long inputs are hashed in slices. */
export async function fingerprintIn({ call }: Progress, input: Input): Promise<string> {
  if ('forward' in input) return input.fingerprint
  return inputFingerprint(call.mounted.skill.id, input.input)
}

/**
 * The atomic units that the key can spend now, for receipts without a capture; absent without a key
 * or where the rail keeps no balance. A failing database leaves it out and does not fail the call.
 */
export async function balanceOn(
  rail: Rail | undefined,
  identity: Identity | null,
): Promise<{ balanceAtomic?: bigint }> {
  if (!identity || !rail?.balanceAtomic) return {}
  const balanceAtomic = await rail
    .balanceAtomic(identity.keyId, identity.accountId)
    .catch(() => null)
  return balanceAtomic === null ? {} : { balanceAtomic }
}
