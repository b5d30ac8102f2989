/** A circuit breaker: after enough failures in a row a settler is left alone for a while. */

export interface BreakerOptions {
  /** Failures in a row that open it. */
  failures: number
  /** How long it stays open before one trial is let through. */
  resetMs: number
  now?: () => number
}

export class Breaker {
  readonly #options: BreakerOptions
  readonly #now: () => number
  #failures = 0
  /** Of those, how many were questions without an answer. */
  #unanswered = 0
  #openUntilMs = 0
  #trialUntilMs = 0

  constructor(options: BreakerOptions) {
    this.#options = options
    this.#now = options.now ?? Date.now
  }

  /** 'open' refuses; 'trial' lets one call through at a time until it is known how that went. */
  state(): 'closed' | 'open' | 'trial' {
    if (this.#failures < this.#options.failures) return 'closed'
    return this.#now() < this.#openUntilMs ? 'open' : 'trial'
  }

  /** Whether a call may be made now; in 'trial' only one per `resetMs`. */
  enter(): boolean {
    const state = this.state()
    if (state === 'closed') return true
    if (state === 'open' || this.#now() < this.#trialUntilMs) return false
    this.#trialUntilMs = this.#now() + this.#options.resetMs
    return true
  }

  succeeded(): void {
    this.#failures = 0
    this.#unanswered = 0
    this.#trialUntilMs = 0
  }

  /** A question got no answer: a failure that the next answer makes up for. */
  unanswered(): void {
    this.#unanswered++
    this.failed()
  }

  /** A question was answered; whether settling works is still to be seen. */
  answered(): void {
    this.#failures -= this.#unanswered
    this.#unanswered = 0
    this.#trialUntilMs = 0
  }

  failed(): void {
    this.#failures++
    this.#trialUntilMs = 0
    if (this.#failures >= this.#options.failures) {
      this.#openUntilMs = this.#now() + this.#options.resetMs
    }
  }
}
