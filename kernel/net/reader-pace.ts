/**
 * Detects whether the reader of a streamed answer was too slow. A source that is held back may give
 * up, and an answer that ends for that reason was not broken off by its upstream.
 */

/** A reader at this speed or above never falls behind. */
const SLOWEST_BYTES_PER_S = 65_536
/** By how much a reader may fall behind that speed. */
const GRACE_MS = 5000

export class ReaderPace {
  #gaveAtMs = 0
  #sizeBytes = 0
  #behindMs = 0
  #wasTooSlow = false

  /** The reader was handed `sizeBytes`. */
  gave(sizeBytes: number, nowMs: number): void {
    this.#gaveAtMs = nowMs
    this.#sizeBytes = sizeBytes
  }

  /** The reader asks for more. Time in which it waits for its source is not its own. */
  asked(nowMs: number): void {
    if (this.#sizeBytes === 0) return
    const allowedMs = (this.#sizeBytes / SLOWEST_BYTES_PER_S) * 1000
    this.#behindMs = Math.max(0, this.#behindMs + nowMs - this.#gaveAtMs - allowedMs)
    this.#sizeBytes = 0
    if (this.#behindMs > GRACE_MS) this.#wasTooSlow = true
  }

  /**
   * Whether it ever fell behind by more than the grace. That stays: what a source gave up meanwhile
   * is found only after the bytes before it were read, however fast.
   */
  get wasTooSlow(): boolean {
    return this.#wasTooSlow
  }
}
