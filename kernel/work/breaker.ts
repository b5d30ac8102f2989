/**
 * The circuit breaker of one remote service: after enough failures in a row it refuses calls for a
 * while, then lets single calls through as probes until one succeeds.
 *
 *   closed     failures in a row reach the limit       -> open
 *   open       `resetMs` have passed                   -> half_open
 *   half_open  the probe succeeds                      -> closed
 *   half_open  the probe fails                         -> open
 */

export type BreakerState = 'closed' | 'open' | 'half_open'

export interface BreakerOptions {
  /** Failures in a row that open it. */
  failures: number
  /** How long it stays open before a probe, and the longest that a probe blocks other calls. */
  resetMs: number
  /** Monotonic milliseconds; tests pass their own clock. */
  nowMs?(): number
  onChange?(state: BreakerState): void
}

/** One admitted call, told once how it ended. */
export interface Ticket {
  /** The service did its work: resets the count, and a probe closes the breaker. */
  success(): void
  failure(): void
  /** A query before the work got no answer: counts as a failure until the next answer. */
  unanswered(): void
  /** Such a query was answered; whether the work succeeds is still unknown. */
  answered(): void
  /** The call ended without information about the service (its caller disconnected). */
  abandoned(): void
}
export type Admission = { ok: true; ticket: Ticket } | { ok: false; retryAfterMs: number }

/** The retry delay for other calls while a probe is running. */
const PROBE_RETRY_MS = 1000

export class Breaker {
  readonly #options: BreakerOptions
  readonly #nowMs: () => number
  #state: BreakerState = 'closed'
  #failuresInRow = 0
  /** The failures among them that were unanswered queries. */
  #unanswered = 0
  #openedAtMs = 0
  #probeUntilMs = -Infinity
  /** Identifies the current state: results of calls that began in an earlier one are ignored. */
  #generation = 0

  constructor(options: BreakerOptions) {
    this.#options = options
    this.#nowMs = options.nowMs ?? (() => performance.now())
  }

  /** 'half_open' as soon as a probe is allowed. */
  get state(): BreakerState {
    return this.#state === 'open' && this.#remainingMs() <= 0 ? 'half_open' : this.#state
  }

  /** Admits a call, or returns after how many milliseconds to try again. */
  admit(): Admission {
    if (this.#state === 'open') {
      const remainingMs = this.#remainingMs()
      if (remainingMs > 0) return { ok: false, retryAfterMs: remainingMs }
      this.#change('half_open')
    }
    if (this.#state === 'half_open') {
      if (this.#nowMs() < this.#probeUntilMs) return { ok: false, retryAfterMs: PROBE_RETRY_MS }
      this.#probeUntilMs = this.#nowMs() + this.#options.resetMs
    }
    return { ok: true, ticket: this.#ticket() }
  }

  #ticket(): Ticket {
    const generation = this.#generation
    let isSettled = false
    const settle = (then: () => void) => (): void => {
      if (isSettled || generation !== this.#generation) return
      isSettled = true
      this.#probeUntilMs = -Infinity
      then()
    }
    return {
      success: settle(() => this.#succeeded()),
      failure: settle(() => this.#failed()),
      unanswered: settle(() => {
        this.#unanswered += 1
        this.#failed()
      }),
      answered: settle(() => this.#answered()),
      abandoned: settle(() => {}),
    }
  }

  #succeeded(): void {
    this.#failuresInRow = 0
    this.#unanswered = 0
    if (this.#state === 'half_open') this.#change('closed')
  }

  #failed(): void {
    this.#failuresInRow += 1
    if (this.#failuresInRow < this.#options.failures) return
    this.#openedAtMs = this.#nowMs()
    this.#change('open')
  }

  #answered(): void {
    this.#failuresInRow -= this.#unanswered
    this.#unanswered = 0
    const isClosed = this.#failuresInRow < this.#options.failures
    if (this.#state === 'half_open' && isClosed) this.#change('closed')
  }

  #remainingMs(): number {
    return this.#openedAtMs + this.#options.resetMs - this.#nowMs()
  }

  #change(state: BreakerState): void {
    this.#state = state
    this.#probeUntilMs = -Infinity
    this.#generation += 1
    this.#options.onChange?.(state)
  }
}
