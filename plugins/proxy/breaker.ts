/**
 * Circuit breaker of one upstream: after so many failures in a row it refuses calls for a while,
 * then lets one probe through at a time until one succeeds.
 */

export type BreakerState = 'closed' | 'open' | 'half_open'

export interface BreakerOptions {
  /** Failures in a row that open it. */
  failures: number
  /** How long it stays open before a probe. */
  resetMs: number
  /** Monotonic milliseconds. */
  nowMs?(): number
  onChange?(state: BreakerState): void
}

/** One admitted call; settle it once. */
export interface Ticket {
  success(): void
  failure(): void
  /** The call ended without saying anything about the upstream (its caller went away). */
  abandoned(): void
}
export type Admission = { ok: true; ticket: Ticket } | { ok: false; retryAfterMs: number }

/** A probe that is under way: others are asked to come back this soon. */
const PROBE_RETRY_MS = 1000

export class Breaker {
  readonly #options: BreakerOptions
  readonly #nowMs: () => number
  #state: BreakerState = 'closed'
  #failuresInRow = 0
  #openedAtMs = 0
  #isProbing = false
  /** Calls that began before the last change say nothing about the upstream now. */
  #generation = 0

  constructor(options: BreakerOptions) {
    this.#options = options
    this.#nowMs = options.nowMs ?? (() => performance.now())
  }

  /** 'half_open' from the moment a probe may go through. */
  get state(): BreakerState {
    return this.#state === 'open' && this.#remainingMs() <= 0 ? 'half_open' : this.#state
  }

  /** Lets a call through, or says after how many milliseconds to try again. */
  admit(): Admission {
    if (this.#state === 'open') {
      const remainingMs = this.#remainingMs()
      if (remainingMs > 0) return { ok: false, retryAfterMs: remainingMs }
      this.#change('half_open')
    }
    if (this.#state === 'half_open') {
      if (this.#isProbing) return { ok: false, retryAfterMs: PROBE_RETRY_MS }
      this.#isProbing = true
    }
    return { ok: true, ticket: this.#ticket() }
  }

  #ticket(): Ticket {
    const generation = this.#generation
    let isSettled = false
    const settle = (then: () => void) => (): void => {
      if (isSettled || generation !== this.#generation) return
      isSettled = true
      this.#isProbing = false
      then()
    }
    return {
      success: settle(() => {
        this.#failuresInRow = 0
        if (this.#state === 'half_open') this.#change('closed')
      }),
      failure: settle(() => {
        this.#failuresInRow += 1
        if (this.#state === 'closed' && this.#failuresInRow < this.#options.failures) return
        this.#openedAtMs = this.#nowMs()
        this.#change('open')
      }),
      abandoned: settle(() => {}),
    }
  }

  #remainingMs(): number {
    return this.#openedAtMs + this.#options.resetMs - this.#nowMs()
  }

  #change(state: BreakerState): void {
    this.#state = state
    this.#isProbing = false
    this.#generation += 1
    if (state === 'closed') this.#failuresInRow = 0
    this.#options.onChange?.(state)
  }
}
