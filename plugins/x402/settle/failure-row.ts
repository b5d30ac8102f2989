/** Answers that gave no result, one after the other: what `/ready` says where no breaker opens. */

/** So many in a row are a trouble, for so long after the last of them. */
const TROUBLE = { inRow: 5, forMs: 600_000 }

export class FailureRow {
  #inRow = 0
  #lastAt = 0
  #detail = ''

  failed(detail: string): void {
    this.#inRow++
    this.#lastAt = performance.now()
    this.#detail = detail
  }

  succeeded(): void {
    this.#inRow = 0
  }

  /** The last failure and how many came in a row; null for few, and for old ones. */
  trouble(): string | null {
    const isOld = performance.now() - this.#lastAt > TROUBLE.forMs
    return this.#inRow < TROUBLE.inRow || isOld
      ? null
      : `${this.#detail}, ${this.#inRow} times in a row`
  }
}
