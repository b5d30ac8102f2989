/** The observers of mounted plugins; without any, nothing is put together for them. */
import type { Identity } from '../auth/contract.ts'
import type { Failure } from '../errors.ts'
import type { Logger } from '../log/logger.ts'
import type { EndedRequest, RequestObserver } from '../plugins/observers.ts'
import type { MeterCall, MeterOutcome } from './call.ts'

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

/** What a request to something else than a skill came to. */
export interface PlainFacts {
  method: string
  route: string | null
  status: number
  failure: Failure | null
  identity: Identity | null
  operator: string | null
  isForOperators: boolean
  durationMs: number
  requestBytes: number | null
  responseBytes: number | null
}

interface Place {
  readonly requestId: string
  readonly pathname: string
  readonly clientAddress: string
}

/** A request to a route, or to nothing. */
export class EndedPlain implements EndedRequest {
  readonly #place: Place
  readonly #facts: PlainFacts
  readonly product = null
  readonly skillId = null
  readonly outcome = null
  readonly payer = null
  readonly rail = null
  readonly chargedAtomic = 0n
  readonly upstreamStatus = null

  constructor(place: Place, facts: PlainFacts) {
    this.#place = place
    this.#facts = facts
  }

  get requestId(): string {
    return this.#place.requestId
  }
  get path(): string {
    return this.#place.pathname
  }
  get clientAddress(): string {
    return this.#place.clientAddress
  }
  get method(): string {
    return this.#facts.method
  }
  get route(): string | null {
    return this.#facts.route
  }
  get status(): number {
    return this.#facts.status
  }
  get failure(): Failure | null {
    return this.#facts.failure
  }
  get identity(): Identity | null {
    return this.#facts.identity
  }
  get operator(): string | null {
    return this.#facts.operator
  }
  get isForOperators(): boolean {
    return this.#facts.isForOperators
  }
  get durationMs(): number {
    return this.#facts.durationMs
  }
  get requestBytes(): number | null {
    return this.#facts.requestBytes
  }
  get responseBytes(): number | null {
    return this.#facts.responseBytes
  }
}

/** A request to a skill. */
export class EndedCall implements EndedRequest {
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
