/** The generic cell rate algorithm for one subject, in this process: no timers, one number. */
export class Gcra {
  #intervalMs: number
  #burst: number
  /** Theoretical arrival time of the next call, in milliseconds. */
  #arrivalMs = 0

  /** `intervalMs` between calls in the long run, `burst` calls at once. */
  constructor(intervalMs: number, burst: number) {
    this.#intervalMs = intervalMs
    this.#burst = burst
  }

  /** Milliseconds until the next call is allowed; 0 if it is allowed now. */
  waitMs(nowMs: number): number {
    const tolerance = (this.#burst - 1) * this.#intervalMs
    return Math.max(0, this.#arrivalMs - tolerance - nowMs)
  }

  /** Calls allowed at this moment. */
  remaining(nowMs: number): number {
    const room = nowMs + this.#burst * this.#intervalMs - Math.max(this.#arrivalMs, nowMs)
    return Math.max(0, Math.floor(room / this.#intervalMs))
  }

  /** Counts one call if it is allowed; returns whether it is. */
  take(nowMs: number): boolean {
    if (this.waitMs(nowMs) > 0) return false
    this.#arrivalMs = Math.max(this.#arrivalMs, nowMs) + this.#intervalMs
    return true
  }
}
