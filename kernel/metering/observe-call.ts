/** Writes the log line, span and metrics of each metered call, and tells observers of it. */
import type { MeterCall, MeterOutcome } from './call.ts'
import { atomicToCredits } from '../money.ts'
import type { CallFacts, CallLog } from '../log/log.ts'
import type { Metrics } from '../log/metrics.ts'
import { errorStatus, type Failure } from '../errors.ts'
import type { Logger } from '../log/logger.ts'
import type { EndedRequest, RequestObserver } from '../plugins/observers.ts'
import type { SpanFacts, Tracer } from '../log/trace.ts'

/** Status of a call whose caller left before its answer, as nginx has it: no failure of ours. */
export const CALLER_LEFT = 499

/** How a call ended, in one word: an error code, 'left', 'replayed', 'charged' or 'free'. */
function wordFor(outcome: MeterOutcome): string {
  if (outcome.kind === 'failure')
    return outcome.failure.status === CALLER_LEFT ? 'left' : outcome.failure.code
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
  const { rail = 'none', chargedAtomic = 0n } = outcome.receipt ?? {}
  const usage = isFailure ? undefined : outcome.receipt.usage
  const facts: CallFacts = {
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
  if (observers.isOn) observers.ended(endedCall(call, outcome, facts, method, ms))
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

/** The observers of mounted plugins; without any, no report is built. */
export class RequestObservers {
  readonly #log: Pick<Logger, 'error'>
  #observers: readonly RequestObserver[] = []
  #hasFailed = false

  constructor(log: Pick<Logger, 'error'>) {
    this.#log = log
  }

  set(observers: readonly RequestObserver[]): void {
    this.#observers = observers
    this.#hasFailed = false
  }

  /** Whether there are observers; if not, `ended` need not be called. */
  get isOn(): boolean {
    return this.#observers.length > 0
  }

  /** Never throws: a failing observer is logged once and costs no caller its answer. */
  ended(request: EndedRequest): void {
    for (const observer of this.#observers) {
      try {
        observer.ended(request)
      } catch (error) {
        if (!this.#hasFailed) this.#log.error({ err: error }, 'an observer of requests failed')
        this.#hasFailed = true
      }
    }
  }
}

/** What observers are told of a call. */
function endedCall(
  call: MeterCall,
  outcome: MeterOutcome,
  { requestId, status, outcome: word }: CallFacts,
  method: string,
  durationMs: number,
): EndedRequest {
  const isFailure = outcome.kind === 'failure'
  const failure = isFailure ? outcome.failure : null
  return {
    requestId,
    method,
    route: call.quote.path,
    get path() {
      const { target } = call.place
      const query = target.indexOf('?')
      return query === -1 ? target : target.slice(0, query)
    },
    get clientAddress() {
      return call.clientAddress
    },
    product: call.mounted.product.id,
    skillId: call.quote.skillId,
    status,
    outcome: word,
    failure,
    upstreamStatus: upstreamStatusOf(call, failure, status),
    identity: call.seen?.identity ?? null,
    payer: call.seen?.payer ?? null,
    operator: null,
    isForOperators: false,
    rail: isFailure ? outcome.rail : outcome.receipt.rail,
    chargedAtomic: outcome.receipt?.chargedAtomic ?? 0n,
    durationMs,
    requestBytes: lengthOf(call.source.header('content-length')),
    responseBytes: sentBytes(outcome),
  }
}

function upstreamStatusOf(
  { mounted }: MeterCall,
  failure: Failure | null,
  status: number,
): number | null {
  const said = failure?.details?.['upstreamStatus']
  if (typeof said === 'number') return said
  // A forwarded answer keeps the status of its upstream.
  return failure === null && mounted.skill.forward ? status : null
}

function sentBytes(outcome: MeterOutcome): number | null {
  if (outcome.kind === 'answer') return outcome.answer.body.byteLength
  if (outcome.kind === 'failure') return outcome.sentCharacters ?? null
  return lengthOf(outcome.response.headers.get('content-length'))
}

/** The size in bytes by Content-Length; null if the header is absent or invalid. */
export function lengthOf(header: string | null): number | null {
  return header !== null && /^\d{1,15}$/.test(header) ? Number(header) : null
}
