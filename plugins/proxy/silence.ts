/** A deadline that moves with every sign of life: what ends a connection to a silent upstream. */

export class Silence {
  readonly #limitMs: number
  readonly #onSilent: () => void
  #heardAtMs = 0
  #isWaiting = false
  #isExcused = false
  #isEnded = false
  #timer: ReturnType<typeof setTimeout> | null = null

  constructor(limitMs: number, onSilent: () => void) {
    this.#limitMs = limitMs
    this.#onSilent = onSilent
  }

  /** From now on the other side is expected to do something within the limit. */
  wait(): void {
    if (this.#isEnded) return
    this.#heardAtMs = performance.now()
    this.#isWaiting = true
    this.#timer ??= setTimeout(this.#check, this.#limitMs)
  }

  /** Nothing is expected: the other side has done its part, or is held back by us. */
  rest(): void {
    this.#isWaiting = false
  }

  /** While excused, its silence does not count; afterwards it has the whole limit again. */
  excuse(isExcused: boolean): void {
    this.#isExcused = isExcused
    this.#heardAtMs = performance.now()
  }

  /** For good: a later `wait` does nothing. */
  end(): void {
    this.#isEnded = true
    this.#isWaiting = false
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
  }

  // One timer serves many signs of life: setting a new one for each chunk would cost more.
  readonly #check = (): void => {
    this.#timer = null
    if (!this.#isWaiting) return
    if (this.#isExcused) this.#heardAtMs = performance.now()
    const leftMs = this.#heardAtMs + this.#limitMs - performance.now()
    if (leftMs > 0) this.#timer = setTimeout(this.#check, leftMs)
    else this.#onSilent()
  }
}
