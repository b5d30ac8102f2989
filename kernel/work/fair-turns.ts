/**
 * Work that is done a few pieces at a time. Everybody who waits has a line of his own, and the lines
 * have their turns one after the other: who sends much waits for himself, not others for him.
 */

export class FairTurns {
  readonly #atOnce: number
  /** Those who wait, by share; a share goes to the end after its turn. */
  readonly #lines = new Map<string, (() => void)[]>()
  /** Shares whose work is under way: one piece each. */
  readonly #busy = new Set<string>()

  constructor(atOnce: number) {
    this.#atOnce = atOnce
  }

  /** Pieces that wait at this moment. */
  get waiting(): number {
    let count = 0
    for (const line of this.#lines.values()) count += line.length
    return count
  }

  /** What `work` gives, begun when it is the turn of `share`. */
  async run<T>(share: string, work: () => Promise<T>): Promise<T> {
    if (this.#busy.size >= this.#atOnce || this.#busy.has(share)) {
      await new Promise<void>((resolve) => this.#line(share).push(resolve))
    } else this.#busy.add(share)
    try {
      return await work()
    } finally {
      this.#busy.delete(share)
      const line = this.#lines.get(share)
      if (line) this.#toTheEnd(share, line)
      this.#next()
    }
  }

  #line(share: string): (() => void)[] {
    const known = this.#lines.get(share)
    if (known) return known
    const line: (() => void)[] = []
    this.#lines.set(share, line)
    return line
  }

  #next(): void {
    for (const [share, line] of this.#lines) {
      if (this.#busy.size >= this.#atOnce) return
      if (this.#busy.has(share)) continue
      const begin = line.shift()!
      if (line.length === 0) this.#lines.delete(share)
      this.#busy.add(share)
      begin()
    }
  }

  #toTheEnd(share: string, line: (() => void)[]): void {
    this.#lines.delete(share)
    this.#lines.set(share, line)
  }
}
