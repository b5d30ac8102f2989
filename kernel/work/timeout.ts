/** Limits work that may not end, by a time or a signal. */

const NOTHING = (): void => {}

/**
 * The result or error of `work` if it settles within `timeoutMs`; otherwise that of `late`. Late
 * work continues, and its result or error is dropped: if it can be stopped, `late` must do it. No
 * timer outlives the result.
 */
export function within<T, L>(
  work: PromiseLike<T>,
  timeoutMs: number,
  late: () => L,
): Promise<T | Awaited<L>> {
  return race<T, L>(work, (lose) => afterMs(timeoutMs, () => lose(late)))
}

/** The result of `work`; rejects if it takes longer than `timeoutMs`. */
export function endWithin<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  return within(work, timeoutMs, () => {
    throw new Error(`no end within ${timeoutMs} ms`)
  })
}

/**
 * The result or error of `work` if it settles before `signal` aborts (null: never); otherwise that
 * of `aborted`. The work continues, and its result or error is dropped.
 */
export function unlessAborted<T, L>(
  work: PromiseLike<T>,
  signal: AbortSignal | null | undefined,
  aborted: () => L,
): Promise<T | Awaited<L>> {
  return race<T, L>(work, (lose) => atAbort(signal, () => lose(aborted)))
}

/** Both limits at once: `late` as in `within`, `aborted` as in `unlessAborted`. */
export function withinUnlessAborted<T, L, A>(
  work: PromiseLike<T>,
  { timeoutMs, late }: { timeoutMs: number; late: () => L },
  { signal, aborted }: { signal: AbortSignal | null | undefined; aborted: () => A },
): Promise<T | Awaited<L> | Awaited<A>> {
  return race<T, L | A>(work, (lose) => {
    const endWait = afterMs(timeoutMs, () => lose(late))
    const endWatch = atAbort(signal, () => lose(aborted))
    return () => {
      endWait()
      endWatch()
    }
  })
}

function afterMs(timeoutMs: number, run: () => void): () => void {
  const timer = setTimeout(run, Math.max(0, timeoutMs))
  return () => clearTimeout(timer)
}

/** Work that settles within this many microtasks never listens to the signal. */
const SHORT_MICROTASKS = 8

/**
 * Listens to a signal only if the work does not settle at once, because listening costs as much as
 * ten promises. The signal cannot abort in between: that would happen in a later task.
 */
function atAbort(signal: AbortSignal | null | undefined, run: () => void): () => void {
  if (!signal) return NOTHING
  if (signal.aborted) {
    run()
    return NOTHING
  }
  let state: 'waiting' | 'watching' | 'ended' = 'waiting'
  let turnsLeft = SHORT_MICROTASKS
  const watch = (): void => {
    if (state === 'ended') return
    if (turnsLeft-- > 0) return queueMicrotask(watch)
    if (signal.aborted) return run()
    signal.addEventListener('abort', run, { once: true })
    state = 'watching'
  }
  watch()
  return () => {
    if (state === 'watching') signal.removeEventListener('abort', run)
    state = 'ended'
  }
}

/**
 * `begin` watches for the end of the wait, and returns a function that ends the watch. `otherwise`
 * is called after the race is decided, so that the work which it stops cannot win any more.
 */
function race<T, L>(
  work: PromiseLike<T>,
  begin: (lose: (otherwise: () => L) => void) => () => void,
): Promise<T | Awaited<L>> {
  return new Promise((resolve, reject) => {
    let end = NOTHING
    let isLost = false
    const lose = (otherwise: () => L): void => {
      isLost = true
      end()
      try {
        resolve(otherwise() as Awaited<L>)
      } catch (error) {
        reject(error)
      }
    }
    end = begin(lose)
    // If the signal had already aborted, the watch of the other limit must still end.
    if (isLost) end()
    const won = (value: T): void => {
      end()
      resolve(value)
    }
    const failed = (error: unknown): void => {
      end()
      reject(error)
    }
    work.then(won, failed)
  })
}
