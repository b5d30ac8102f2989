/** One upstream of one product: its connections, its circuit breaker, and what its answers mean for both. */
import {
  Breaker,
  type BreakerState,
  type Health,
  type Logger,
  type Outbound,
  type Ticket,
  type UpstreamSpec,
} from '#kernel'
import { pinnedAgent, type PinnedAgent } from './agent.ts'
import { readWhole } from './body.ts'
import { reach } from './reach.ts'
import { masked, type Secrets } from './masking.ts'
import { exchange, noHead, type Head, type NoHead, type UpstreamRequest } from './exchange.ts'
import type { Answer } from './answer.ts'

/** The breaker is open: nothing was sent. */
export interface Refused {
  ok: false
  reason: 'circuit_open'
  retryAfterMs: number
}
export type Outcome = Answer | NoHead | Refused

export interface UpstreamOptions {
  name: string
  spec: UpstreamSpec
  /** What no answer may show. */
  secrets: Secrets
  outbound: Outbound
  log: Logger
  /** The breaker has opened: calls are refused from now on. */
  onOpen(): void
}

const CONNECT_MS = 5000
/** Short answers are read whole, so that one that breaks off is no answer at all. */
const WHOLE_BYTES = 65_536
/** Statuses by which gateways and servers say that they cannot serve now. */
const DOWN = new Set([502, 503, 504])
const SAFE_TO_REPEAT = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'])

export class Upstream {
  readonly base: URL
  readonly #options: UpstreamOptions
  readonly #pinned: PinnedAgent
  readonly #breaker: Breaker
  readonly #limits: { connectMs: number; silenceMs: number }
  #isClosed = false
  /** The last answers said that the gateway's own credentials are wrong. */
  #isUnauthorized = false

  constructor(options: UpstreamOptions) {
    const { spec, outbound, log, name } = options
    this.#options = options
    this.base = new URL(spec.url)
    this.#pinned = pinnedAgent(this.base, outbound, spec.allowPrivate)
    this.#limits = {
      connectMs: Math.min(CONNECT_MS, spec.timeoutMs),
      silenceMs: spec.timeoutMs,
    }
    this.#breaker = new Breaker({
      ...spec.circuitBreaker,
      onChange(state) {
        log.warn({ upstream: name, state }, 'circuit breaker')
        if (state === 'open') options.onOpen()
      },
    })
  }

  get state(): BreakerState {
    return this.#breaker.state
  }

  /** The upstream's answer, or why there is none. Never rejects. */
  async send(call: UpstreamRequest): Promise<Outcome> {
    const admission = this.#breaker.admit()
    if (!admission.ok)
      return { ok: false, reason: 'circuit_open', retryAfterMs: admission.retryAfterMs }
    const { ticket } = admission
    let outcome = await exchange(this.#pinned, this.base, call, this.#limits)
    if (!outcome.ok && mayRepeat(outcome, call))
      outcome = await exchange(this.#pinned, this.base, call, this.#limits)
    const answer = outcome.ok ? await wholeIfShort(outcome) : outcome
    this.#settle(ticket, answer, outcome.ok && outcome.afterSlowCaller)
    if (!answer.ok) return answer
    this.#noteCredentials(answer.status)
    return masked(answer, this.#options.secrets)
  }

  /** Only what the upstream did counts: not a caller who left or was slow, nor our own end. */
  #settle(ticket: Ticket, answer: Answer | NoHead, afterSlowCaller: boolean): void {
    if (answer.ok) {
      if (!DOWN.has(answer.status)) return ticket.success()
      return afterSlowCaller ? ticket.abandoned() : ticket.failure()
    }
    const { reason, message, isBlameless } = answer
    if (isBlameless || this.#isClosed) return ticket.abandoned()
    ticket.failure()
    this.#options.log.warn({ upstream: this.#options.name, reason, problem: message }, 'no answer')
  }

  /** Callers' credentials are never sent on, so a 401 is the operator's to mend: told once until it is. */
  #noteCredentials(status: number): void {
    const isRefused = status === 401 || status === 407
    if (isRefused && !this.#isUnauthorized)
      this.#options.log.warn(
        { upstream: this.#options.name, status },
        'the upstream refuses the credentials of the gateway: see upstream.headers and upstream.query of the product',
      )
    if (isRefused || (status >= 200 && status < 300)) this.#isUnauthorized = isRefused
  }

  /** Throws, with what an operator can change, when nothing can be connected to. */
  connect(): Promise<void> {
    const { spec, outbound } = this.#options
    return reach(this.base, outbound, spec.allowPrivate)
  }

  /** For /ready: an open breaker degrades it, since everything else serves. */
  health(): Health {
    return {
      name: `upstream:${this.#options.name}`,
      critical: false,
      timeoutMs: 1000,
      probe: async () => {
        const { state } = this
        if (state === 'closed') return { state: 'ok', detail: 'circuit closed' }
        return {
          state: state === 'open' ? 'down' : 'degraded',
          detail: `circuit ${state}: ${this.base.origin} failed repeatedly`,
        }
      },
    }
  }

  /** Ends the calls that wait for an answer; streams under way go on. */
  close(): void {
    this.#isClosed = true
    this.#pinned.close()
  }
}

/** A kept connection that the upstream closed just then: the request never began. */
function mayRepeat(outcome: NoHead, call: UpstreamRequest): boolean {
  return (
    outcome.reason === 'reset' &&
    outcome.onKept &&
    !(call.body instanceof ReadableStream) &&
    SAFE_TO_REPEAT.has(call.method) &&
    !call.signal.aborted
  )
}

async function wholeIfShort(head: Head): Promise<Answer | NoHead> {
  const { status, rawHeaders, body, announcedBytes } = head
  const isShort = announcedBytes !== null && announcedBytes <= WHOLE_BYTES
  if (body === null || !isShort) return { ok: true, status, rawHeaders, body }
  try {
    return { ok: true, status, rawHeaders, body: await readWhole(body, WHOLE_BYTES) }
  } catch (error) {
    return noHead(error, { onKept: false })
  }
}
