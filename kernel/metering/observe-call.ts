/** One log line, one span and the metrics of each metered call. */
import { errorStatus } from '../errors.ts'
import type { MeterCall, MeterOutcome } from './call.ts'
import { atomicToCredits } from '../money.ts'
import type { CallFacts, CallLog } from '../log/log.ts'
import type { Metrics } from '../log/metrics.ts'
import { EndedCall, type RequestObservers } from './request-observers.ts'
import type { SpanFacts, Tracer } from '../log/trace.ts'

/** How a call ended, in one word: an error code, 'replayed', 'charged' or 'free'. */
function wordFor(outcome: MeterOutcome): string {
  if (outcome.kind === 'failure') return outcome.failure.code
  if (outcome.kind === 'answer' && outcome.replayed) return 'replayed'
  return outcome.receipt.chargedAtomic > 0n ? 'charged' : 'free'
}

export interface Ops {
  metrics: Metrics
  tracer: Tracer
  log: CallLog
  observers: RequestObservers
}

/** Writes the call's log line and counts it. */
export function observeCall(
  { metrics, tracer, log, observers }: Ops,
  call: MeterCall,
  outcome: MeterOutcome,
  startedAt: number,
  method: string,
  endedAt = performance.now(),
): void {
  const { quote, requestId, acquisition } = call
  const status = statusFor(call, outcome)
  const ms = endedAt - startedAt
  const isFailure = outcome.kind === 'failure'
  const rail = isFailure ? 'none' : outcome.receipt.rail
  const chargedAtomic = isFailure ? 0n : outcome.receipt.chargedAtomic
  const usage = isFailure ? undefined : outcome.receipt.usage
  const facts = {
    requestId,
    skill: quote.skillId,
    via: quote.transport,
    rail,
    outcome: wordFor(outcome),
    status,
    chargedCredits: atomicToCredits(chargedAtomic),
    ms: Math.round(ms * 10) / 10,
    acquisition,
  }
  metrics.request(method, quote.path, status, ms / 1000)
  metrics.call(facts.skill, rail, facts.outcome, chargedAtomic)
  if (usage?.isCapped) metrics.capped(facts.skill)
  if (usage?.isMissing) metrics.unmeasured(facts.skill)
  if (acquisition !== null && chargedAtomic > 0n) metrics.acquisition(acquisition)
  if (tracer.isOn) tracer.record(spanOf(call, facts, method, ms))
  log.call(facts)
  if (observers.isOn) {
    const { outcome: word } = facts
    observers.ended(new EndedCall(call, outcome, { method, status, outcome: word, ms }))
  }
}

function statusFor(call: MeterCall, outcome: MeterOutcome): number {
  switch (outcome.kind) {
    case 'failure':
      return errorStatus(outcome.failure, call.mounted.metered)
    case 'answer':
      return outcome.answer.status
    case 'stream':
      return outcome.response.status
  }
}

function spanOf(call: MeterCall, facts: CallFacts, method: string, durationMs: number): SpanFacts {
  return {
    name: `${method} ${call.quote.path}`,
    traceparent: call.source.header('traceparent'),
    durationMs,
    failed: facts.status >= 500,
    attributes: {
      'http.response.status_code': facts.status,
      'coinop.request_id': facts.requestId,
      'coinop.skill': facts.skill,
      'coinop.rail': facts.rail,
      'coinop.outcome': facts.outcome,
      'coinop.charged_credits': facts.chargedCredits,
    },
  }
}
