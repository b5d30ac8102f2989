/**
 * The state of a metered call under way, the share and the rate limits it counts against, and the
 * ways in which it can end.
 */
import type { Failure } from '../errors.ts'
import type { CallerView } from '../plugins/skill.ts'
import type { Offer } from '../rails/offer-contract.ts'
import type { Quote, Receipt, StoredAnswer } from '../rails/contract.ts'
import type { CallLimits, Identity, RateDecision } from '../auth/contract.ts'
import { NO_PARTS } from '../rails/fresh.ts'
import { CREDITS_RAIL_ID, type RailRegistry } from '../rails/registry.ts'
import type { MeterCall, MeterOutcome } from './call.ts'
import type { Worked } from './skill-runner.ts'
import { createHash, randomBytes } from 'node:crypto'
import { addressBlock } from '../net/address-block.ts'

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

/** Salts the hashes of shares: without it, hashing every address would reveal a caller's. */
const SALT = randomBytes(32)

/**
 * The share that a call counts against where a resource is divided fairly: rate limits, memory for
 * bodies, large parses, worker processes. Each caller has one name, and so only one share.
 *
 * The holder of the share: `key:<id>` for an identified key, `payer:<id>` for a payer that a rail
 * has verified, else `address:<address>` (an IPv6 address counts by its /64). The address of
 * `caller` has to be asked of the socket, so it is read only where it is used.
 */
export function shareOf(
  identity: { keyId: string } | null,
  payer: string | null,
  caller: { readonly clientAddress: string },
): string {
  if (identity) return `key:${identity.keyId}`
  return payer === null ? `address:${addressBlock(caller.clientAddress)}` : `payer:${payer}`
}

/** The share as plugins see it: a one-way hash, stable for its holder within this process. */
function opaqueShare(share: string): string {
  return createHash('sha256').update(SALT).update(share).digest('base64url').slice(0, 16)
}

/** The limits of a key, or of an address when there is none. */
export function callLimits(
  identity: Pick<Identity, 'rpmLimit' | 'burstLimit'> | null,
  defaults: CallLimits,
): CallLimits {
  const rpm = identity?.rpmLimit ?? null
  return {
    rpm: rpm ?? defaults.rpm,
    // A key with a limit of five calls a minute must not get the default burst of a hundred.
    burst: identity?.burstLimit ?? Math.min(defaults.burst, rpm ?? defaults.burst),
  }
}

/**
 * The limits for ending holds, which are counted separately: a caller at its limit of calls can
 * still capture or release its open holds, twice each (for one retry), with a burst of a minute's
 * holds.
 */
export function endingLimits({ rpm, burst }: CallLimits): CallLimits {
  return { rpm: 2 * rpm, burst: burst + rpm }
}

/**
 * Rate-limit headers of draft-ietf-httpapi-ratelimit-headers: `RateLimit-Policy` states the limit,
 * `RateLimit` how many calls are left and when the burst is full again.
 */
export function rateHeaders(limits: CallLimits, decision: RateDecision): Record<string, string> {
  const resetS = Math.ceil(((limits.burst - decision.remaining) * 60) / limits.rpm)
  return {
    'ratelimit-policy': `"default";q=${limits.rpm};w=60;burst=${limits.burst}`,
    ratelimit: `"default";r=${decision.remaining};t=${resetS}`,
  }
}
