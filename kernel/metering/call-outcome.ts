/**
 * A metered call under way: what is known of it, who it counts for and how often that one may call, and how
 * it ends.
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
  /** Whether an API key, JWT or service token came with the call, good or not. */
  bringsKey: boolean
  identity: Identity | null
  /** Who pays, where a rail has the proof of it before the work begins. */
  payer: string | null
  /** The list's quote, where the call is quoted at its account's own price. */
  listed: Quote | null
  /** Id of the rail that is to pay. */
  rail: string | null
  rateHeaders: Record<string, string>
  /** When the work began, of the monotonic clock. */
  workStartedMs: number
}

/** The receipt of work that costs nothing. */
export const FREE: Receipt = { rail: 'free', chargedAtomic: 0n, ledgerId: null, headers: {} }

/** How long the work of the call has taken by now. */
export function secondsSince({ workStartedMs }: Progress): number {
  return (performance.now() - workStartedMs) / 1000
}

/** Ends the call with a failure. */
export function stop(progress: Progress, failure: Failure): Stop {
  return stopped(progress, failure, [], NO_PARTS)
}

/** Ends the call with `offers` to pay by; `refusal` is why the credential that came was not taken. */
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

/** Ends the call with what a rail refused, and the ways to pay where one would help. */
export function refusedBy(
  rails: RailRegistry,
  progress: Progress,
  { failure, offer }: { failure: Failure; offer: boolean },
): Stop {
  return offer
    ? stopUnpaid(rails, progress, failure, offersOf(rails, progress, failure), failure)
    : stop(progress, failure)
}

/** An account's own price is for its credits: every other rail sells at the list's. */
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
 * Ends the call with the skill's answer; `onBroken` gives back what was taken for a stream, and
 * `charging` is the charge that a stream's end makes.
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

/** Whom the call counts for as far as is known by now. */
export function shareOfCall({ identity, payer, call }: Progress): string {
  return shareOf(identity, payer, call)
}

/** The caller as the skill sees it. */
export function callerView(
  progress: Progress,
  paying: Pick<CallerView, 'rail' | 'isHeld'>,
  sandbox: boolean,
): CallerView {
  const { identity } = progress
  return {
    ...paying,
    mode: identity?.mode ?? (sandbox ? 'test' : 'live'),
    // A hash, for the few skills that share something.
    get share() {
      return opaqueShare(shareOfCall(progress))
    },
    ...(identity && { keyId: identity.keyId }),
  }
}

/** Without it an address could be found by trying them all. */
const SALT = randomBytes(32)

/**
 * Who a call counts for where something is shared fairly: rate limits, memory for bodies, large
 * parses, worker processes. One name each, so that nobody has two shares of the same thing.
 *
 * The holder of the share: `key:<id>` for an identified key, `payer:<id>` for a payer that a rail
 * has verified, else `address:<address>` (an IPv6 address counts by its /64). The address of `caller`
 * costs a look at the socket, so it is read only where it counts.
 */
export function shareOf(
  identity: { keyId: string } | null,
  payer: string | null,
  caller: { readonly clientAddress: string },
): string {
  if (identity) return `key:${identity.keyId}`
  return payer === null ? `address:${addressBlock(caller.clientAddress)}` : `payer:${payer}`
}

/** The share as plugins see it: the same for the same holder in this process, and not to be undone. */
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
    // Who allows five calls a minute does not mean a hundred at once.
    burst: identity?.burstLimit ?? Math.min(defaults.burst, rpm ?? defaults.burst),
  }
}

/**
 * The limits of ending holds, which are counted apart: whoever is at the limit of calls can still
 * capture or release what is open, twice for each hold (a retry), a minute's holds at once.
 */
export function endingLimits({ rpm, burst }: CallLimits): CallLimits {
  return { rpm: 2 * rpm, burst: burst + rpm }
}

/**
 * Rate-limit headers of draft-ietf-httpapi-ratelimit-headers: `RateLimit-Policy` states the limit,
 * `RateLimit` what is left and when the burst is full again.
 */
export function rateHeaders(limits: CallLimits, decision: RateDecision): Record<string, string> {
  const resetS = Math.ceil(((limits.burst - decision.remaining) * 60) / limits.rpm)
  return {
    'ratelimit-policy': `"default";q=${limits.rpm};w=60;burst=${limits.burst}`,
    ratelimit: `"default";r=${decision.remaining};t=${resetS}`,
  }
}
