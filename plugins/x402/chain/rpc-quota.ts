/** At most so many questions a second, so that strangers cannot spend the operator's node quota. */
export class Budget {
  readonly #perSecond: number
  readonly #now: () => number
  #second = 0
  #used = 0

  constructor(perSecond: number, now: () => number = Date.now) {
    this.#perSecond = perSecond
    this.#now = now
  }

  /** Takes one; false when this second's are gone. */
  take(): boolean {
    const second = Math.floor(this.#now() / 1000)
    if (second !== this.#second) {
      this.#second = second
      this.#used = 0
    }
    return ++this.#used <= this.#perSecond
  }
}
