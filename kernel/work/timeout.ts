/** Limits of work that cannot be trusted to end: a time, or somebody's signal. */

const NOTHING = (): void => {}

/**
 * What `work` gives or throws, if that comes within `timeoutMs`; otherwise what `late` gives or
 * throws. Work that is late goes on, and its result or error is dropped: where it can be stopped,
 * `late` stops it. No timer outlives the answer.
 */
export function within<T, L>(
  work: PromiseLike<T>,
  timeoutMs: number,
  late: () => L,
): Promise<T | Awaited<L>> {
  return race<T, L>(work, (lose) => afterMs(timeoutMs, () => lose(late)))
}

/** What `work` gives; rejects when that takes longer. */
export function endWithin<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  return within(work, timeoutMs, () => {
    throw new Error(`no end within ${timeoutMs} ms`)
  })
}

/**
 * What `work` gives or throws, if that comes before `signal` fires (null: it never does); otherwise
 * what `aborted` gives or throws. The work goes on, and its result or error is dropped.
 */
export function unlessAborted<T, L>(
  work: PromiseLike<T>,
  signal: AbortSignal | null | undefined,
  aborted: () => L,
): Promise<T | Awaited<L>> {
  return race<T, L>(work, (lose) => atAbort(signal, () => lose(aborted)))
}

/** Both limits at once: `late` as `within` has it, `aborted` as `unlessAborted`. */
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

/** Work that takes no longer than so many microtasks is over before a signal is watched for it. */
const SHORT_MICROTASKS = 8

/**
 * To watch a request's signal costs as much as ten promises, so it begins only when the work is not
 * over at once. Nobody hangs up in between: that would be another task.
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
 * `begin` watches for what ends the wait, and returns how to end the watch. `otherwise` is asked when
 * the race is decided, so that work which it stops cannot win any more.
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
    // A signal that had fired before leaves the watch of the other limit.
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
