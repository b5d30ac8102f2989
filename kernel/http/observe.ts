/** One log line, one span and the metrics of each metered call. */
import { errorStatus } from '../errors.ts'
import type { MeterCall, MeterOutcome } from '../metering/call.ts'
import { atomicToCredits } from '../money.ts'
import type { Metrics } from '../ops/metrics.ts'
import type { Tracer } from '../ops/trace.ts'
import type { Logger } from '../plugins/contract.ts'

/** How a call ended, in one word: an error code, 'replayed', 'charged' or 'free'. */
function wordFor(outcome: MeterOutcome): string {
  if (outcome.kind === 'failure') return outcome.failure.code
  if (outcome.kind === 'answer' && outcome.replayed) return 'replayed'
  return outcome.receipt.chargedAtomic > 0n ? 'charged' : 'free'
}

/** Writes the call's log line and counts it. */
export function observeCall(
  ops: { metrics: Metrics; tracer: Tracer; log: Logger },
  call: MeterCall,
  outcome: MeterOutcome,
  startedAt: number,
  method: string,
): void {
  const status =
    outcome.kind === 'failure'
      ? errorStatus(outcome.failure, call.mounted.metered)
      : outcome.kind === 'answer'
        ? outcome.answer.status
        : outcome.response.status
  const ms = performance.now() - startedAt
  const rail = outcome.kind === 'failure' ? 'none' : outcome.receipt.rail
  const chargedAtomic = outcome.kind === 'failure' ? 0n : outcome.receipt.chargedAtomic
  const word = wordFor(outcome)
  ops.metrics.request(method, call.quote.path, status, ms / 1000)
  ops.metrics.call(call.mounted.skill.id, rail, word, chargedAtomic)
  if (call.acquisition !== null && chargedAtomic > 0n) ops.metrics.acquisition(call.acquisition)
  ops.tracer.record({
    name: `${method} ${call.quote.path}`,
    traceparent: call.source.header('traceparent'),
    durationMs: ms,
    failed: status >= 500,
    attributes: {
      'http.response.status_code': status,
      'coinop.request_id': call.requestId,
      'coinop.skill': call.mounted.skill.id,
      'coinop.rail': rail,
      'coinop.outcome': word,
      'coinop.charged_credits': atomicToCredits(chargedAtomic),
    },
  })
  ops.log.info(
    {
      requestId: call.requestId,
      skill: call.mounted.skill.id,
      via: call.quote.transport,
      rail,
      outcome: word,
      status,
      chargedCredits: atomicToCredits(chargedAtomic),
      ms: Math.round(ms * 10) / 10,
      ...(call.acquisition !== null && { acquisition: call.acquisition }),
    },
    'call',
  )
}
