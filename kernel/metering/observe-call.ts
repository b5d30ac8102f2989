/** One log line, one span and the metrics of each metered call; and what observers hear of it. */
import type { MeterCall, MeterOutcome } from './call.ts'
import { atomicToCredits } from '../money.ts'
import type { CallFacts, CallLog } from '../log/log.ts'
import type { Metrics } from '../log/metrics.ts'
import type { Identity } from '../auth/contract.ts'
import { errorStatus, type Failure } from '../errors.ts'
import type { Logger } from '../log/logger.ts'
import type { EndedRequest, RequestObserver } from '../plugins/observers.ts'
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

/** The observers of mounted plugins; without any, nothing is put together for them. */
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

  /** Whether anybody listens: `ended` needs not be called otherwise. */
  get isOn(): boolean {
    return this.#observers.length > 0
  }

  /** Never throws: an observer that does is logged once, and no answer is lost by it. */
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

/** A request to a skill. */
class EndedCall implements EndedRequest {
  readonly #call: MeterCall
  readonly #outcome: MeterOutcome
  readonly method: string
  readonly status: number
  readonly outcome: string
  readonly durationMs: number
  readonly operator = null
  readonly isForOperators = false

  constructor(
    call: MeterCall,
    outcome: MeterOutcome,
    facts: { method: string; status: number; outcome: string; ms: number },
  ) {
    this.#call = call
    this.#outcome = outcome
    this.method = facts.method
    this.status = facts.status
    this.outcome = facts.outcome
    this.durationMs = facts.ms
  }

  get requestId(): string {
    return this.#call.requestId
  }
  get route(): string {
    return this.#call.quote.path
  }
  get path(): string {
    const { target } = this.#call.place
    const query = target.indexOf('?')
    return query === -1 ? target : target.slice(0, query)
  }
  get clientAddress(): string {
    return this.#call.clientAddress
  }
  get product(): string {
    return this.#call.mounted.product.id
  }
  get skillId(): string {
    return this.#call.quote.skillId
  }
  get failure(): Failure | null {
    return this.#outcome.kind === 'failure' ? this.#outcome.failure : null
  }
  get upstreamStatus(): number | null {
    const said = this.failure?.details?.['upstreamStatus']
    if (typeof said === 'number') return said
    // What an upstream answers is passed through with its status.
    return this.failure === null && this.#call.mounted.skill.forward ? this.status : null
  }
  get identity(): Identity | null {
    return this.#call.seen?.identity ?? null
  }
  get payer(): string | null {
    return this.#call.seen?.payer ?? null
  }
  get rail(): string | null {
    const outcome = this.#outcome
    return outcome.kind === 'failure' ? outcome.rail : outcome.receipt.rail
  }
  get chargedAtomic(): bigint {
    return this.#outcome.kind === 'failure' ? 0n : this.#outcome.receipt.chargedAtomic
  }
  get requestBytes(): number | null {
    return lengthOf(this.#call.source.header('content-length'))
  }
  get responseBytes(): number | null {
    const outcome = this.#outcome
    if (outcome.kind === 'answer') return outcome.answer.body.byteLength
    if (outcome.kind === 'failure') return outcome.sentCharacters ?? null
    return lengthOf(outcome.response.headers.get('content-length'))
  }
}

/** The bytes that a Content-Length names; null when it is absent or none. */
export function lengthOf(header: string | null): number | null {
  return header !== null && /^\d{1,15}$/.test(header) ? Number(header) : null
}
