/**
 * Work that is done a few pieces at a time, one piece of each share: a share that sends much waits
 * for itself, and others do not wait for it.
 */
import { FairQueue } from '#kernel'

export class FairTurns {
  readonly #queue: FairQueue<() => void>

  constructor(atOnce: number) {
    this.#queue = new FairQueue({
      places: atOnce,
      placesPerShare: 1,
      maxQueued: Infinity,
      maxQueuedPerShare: Infinity,
    })
  }

  /** Pieces that wait at this moment. */
  get waiting(): number {
    return this.#queue.queued
  }

  /** What `work` gives, begun when it is the turn of `share`. */
  async run<T>(share: string, work: () => Promise<T>): Promise<T> {
    let isBegun = false
    let begin = (): void => {
      isBegun = true
    }
    this.#queue.enter(share, () => begin())
    this.#next()
    if (!isBegun) await new Promise<void>((resolve) => (begin = resolve))
    try {
      return await work()
    } finally {
      this.#queue.end(share)
      this.#next()
    }
  }

  #next(): void {
    for (let begin = this.#queue.take(); begin; begin = this.#queue.take()) begin()
  }
}
