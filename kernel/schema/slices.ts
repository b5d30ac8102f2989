/**
 * Runs long computations in slices of a few milliseconds, between which the event loop continues,
 * so that no single request blocks all others.
 */

/** The loop waits at most this long for one slice, however long the whole takes. */
const SLICE_MS = 8

/** Work that goes on where it stopped. */
export interface Sliced<T> {
  /** Works until `isOver` says that the slice is, or to the end: then `done` with the value. */
  step(isOver: () => boolean): { done: true; value: T } | { done: false }
}

/** Resolves in the next turn of the event loop, after the input and timers that wait now. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** The value of `work`, whose slices the event loop may interrupt; rejects with what it throws. */
export async function runSliced<T>(work: Sliced<T>, sliceMs = SLICE_MS): Promise<T> {
  for (;;) {
    const endsMs = performance.now() + sliceMs
    const slice = work.step(() => performance.now() >= endsMs)
    if (slice.done) return slice.value
    await nextTurn()
  }
}
