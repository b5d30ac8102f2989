/** A metered call under way, and how it ends. */
import type { Failure } from '../errors.ts'
import type { CallerView } from '../plugins/contract.ts'
import type { Offer, Receipt, StoredAnswer } from '../rails/contract.ts'
import type { Identity } from '../auth/contract.ts'
import type { RailRegistry } from '../rails/registry.ts'
import type { MeterCall, MeterOutcome } from './call.ts'
import { opaqueShare, shareOf } from './share.ts'
import type { Worked } from './skill-runner.ts'

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
  /** Id of the rail that is to pay. */
  rail: string | null
  rateHeaders: Record<string, string>
}

/** Ends the call with a failure. */
export function stop(progress: Progress, failure: Failure, offers: readonly Offer[] = []): Stop {
  const { bringsKey, rail, rateHeaders } = progress
  return { kind: 'failure', failure, offers, bringsKey, rail, rateHeaders }
}

/** Ends the call with what a rail refused, and the ways to pay where one would help. */
export function refusedBy(
  rails: RailRegistry,
  progress: Progress,
  { failure, offer }: { failure: Failure; offer: boolean },
): Stop {
  const { mounted, quote } = progress.call
  return stop(progress, failure, offer ? rails.offers(mounted.rails, quote, failure) : [])
}

/** Ends the call with the skill's answer; `onBroken` gives back what was taken for a stream. */
export function finish(
  progress: Progress,
  result: Worked,
  receipt: Receipt,
  onBroken: () => Promise<void> = async () => {},
): Done {
  const { rateHeaders } = progress
  return result.kind === 'stream'
    ? { kind: 'stream', response: result.response, receipt, rateHeaders, onBroken }
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
export function callerView(progress: Progress, rail: string, sandbox: boolean): CallerView {
  const { identity } = progress
  return {
    rail,
    mode: identity?.mode ?? (sandbox ? 'test' : 'live'),
    share: opaqueShare(shareOfCall(progress)),
    ...(identity && { keyId: identity.keyId }),
  }
}
