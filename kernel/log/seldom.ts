/** Lines about what strangers can make happen as often as they like: one for each interval. */
export class Seldom {
  readonly #everyMs: number
  readonly #nowMs: () => number
  #dueMs = -Infinity
  #count = 0

  constructor(everyMs: number, nowMs: () => number = () => performance.now()) {
    this.#everyMs = everyMs
    this.#nowMs = nowMs
  }

  /** Counts one more; how many came since the last line, where the next one is due, else null. */
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
