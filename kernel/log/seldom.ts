/** Limits log lines about events that untrusted callers can cause at will: one per interval. */
export class Seldom {
  readonly #everyMs: number
  readonly #nowMs: () => number
  #dueMs = -Infinity
  #count = 0

  constructor(everyMs: number, nowMs: () => number = () => performance.now()) {
    this.#everyMs = everyMs
    this.#nowMs = nowMs
  }

  /** Counts an event; returns the count since the last line if a line is due, else null. */
  note(): number | null {
    this.#count++
    const nowMs = this.#nowMs()
    if (nowMs < this.#dueMs) return null
    const count = this.#count
    this.#count = 0
    this.#dueMs = nowMs + this.#everyMs
    return count
  }
}
