/** The state of a metered call under way, and the ways in which it can end. */
import type { Failure } from '../errors.ts'
import type { CallerView } from '../plugins/skill.ts'
import type { Offer } from '../rails/offer-contract.ts'
import type { Quote, Receipt, StoredAnswer } from '../rails/contract.ts'
import type { Identity } from '../auth/contract.ts'
import { NO_PARTS } from '../rails/fresh.ts'
import { CREDITS_RAIL_ID, type RailRegistry } from '../rails/registry.ts'
import type { MeterCall, MeterOutcome } from './call.ts'
import { opaqueShare, shareOf } from './shares.ts'
import type { Worked } from './skill-runner.ts'

export type Stop = Extract<MeterOutcome, { kind: 'failure' }>
export type Done = Exclude<MeterOutcome, Stop>

/** What the phases have found so far. */
export interface Progress {
  call: MeterCall
  /** Whether the call carries an API key, JWT or service token, valid or not. */
  bringsKey: boolean
  identity: Identity | null
  /** The payer, where a rail has verified it before the work begins. */
  payer: string | null
  /** The quote at the list price, where the call is quoted at its account's own price. */
  listed: Quote | null
  /** Id of the rail that is to pay. */
  rail: string | null
  rateHeaders: Record<string, string>
  /** When the work began, by the monotonic clock. */
  workStartedMs: number
}

/** The receipt of work that costs nothing. */
export const FREE: Receipt = { rail: 'free', chargedAtomic: 0n, ledgerId: null, headers: {} }

/** Seconds since the work of the call began. */
export function secondsSince({ workStartedMs }: Progress): number {
  return (performance.now() - workStartedMs) / 1000
}

/** Ends the call with a failure. */
export function stop(progress: Progress, failure: Failure): Stop {
  return stopped(progress, failure, [], NO_PARTS)
}

/** Ends the call with `offers` to pay; `refusal` says why the presented credential was rejected. */
export function stopUnpaid(
  rails: RailRegistry,
  progress: Progress,
  failure: Failure,
  offers: readonly Offer[],
  refusal?: Failure,
): Stop {
  return stopped(progress, failure, offers, rails.fresh(offers, progress.call, refusal))
}

function stopped(
  { bringsKey, rail, rateHeaders }: Progress,
  failure: Failure,
  offers: Stop['offers'],
  fresh: Stop['fresh'],
): Stop {
  return { kind: 'failure', failure, offers, fresh, bringsKey, rail, rateHeaders }
}

/** Ends the call with a rail's refusal, and with offers where paying would help. */
export function refusedBy(
  rails: RailRegistry,
  progress: Progress,
  { failure, offer, pending = false }: { failure: Failure; offer: boolean; pending?: boolean },
): Stop {
  if (!offer) return { ...stop(progress, failure), ...(pending && { pending }) }
  return stopUnpaid(rails, progress, failure, offersOf(rails, progress, failure), failure)
}

/** An account's own price applies to its credits only: every other rail sells at the list price. */
function offersOf(rails: RailRegistry, { call, listed }: Progress, failure: Failure): Offer[] {
  const { mounted, quote } = call
  if (listed === null) return rails.offers(mounted.rails, quote, failure)
  const others = mounted.rails.filter((id) => id !== CREDITS_RAIL_ID)
  return [
    ...rails.offers(others, listed, failure),
    ...rails.offers([CREDITS_RAIL_ID], quote, failure),
  ]
}

/**
 * Ends the call with the skill's answer; `onBroken` gives back the charge of a broken stream, and
 * `charging` is the charge that is made when the stream ends.
 */
export function finish(
  progress: Progress,
  result: Worked,
  receipt: Receipt,
  onBroken: () => Promise<void> = async () => {},
  charging?: Promise<Receipt>,
): Done {
  const { rateHeaders } = progress
  return result.kind === 'stream'
    ? {
        kind: 'stream',
        response: result.response,
        receipt,
        rateHeaders,
        onBroken,
        ...(charging && { charging }),
      }
    : { kind: 'answer', answer: result.answer, receipt, rateHeaders, replayed: false }
}

/** Ends the call with the stored answer of an earlier one. */
export function replay(progress: Progress, answer: StoredAnswer, receipt: Receipt): Done {
  const { rateHeaders } = progress
  return { kind: 'answer', answer, receipt, rateHeaders, replayed: true }
}

/** The share that the call counts against, by what is known so far. */
export function shareOfCall({ identity, payer, call }: Progress): string {
  return shareOf(identity, payer, call)
}

/** The caller as the skill sees it. */
export function callerView(
  progress: Progress,
  paying: Pick<CallerView, 'rail' | 'isHeld'>,
  sandbox: boolean,
): CallerView {
  const { identity, call } = progress
  return {
    ...paying,
    ...(call.idempotencyKey !== null && { idempotencyKey: call.idempotencyKey }),
    mode: identity?.mode ?? (sandbox ? 'test' : 'live'),
    // Computed on demand: hashing is needed only by the few skills that share something.
    get share() {
      return opaqueShare(shareOfCall(progress))
    },
    ...(identity && { keyId: identity.keyId }),
  }
}
