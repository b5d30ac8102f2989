/** Limits of work that cannot be trusted to end: a time, or somebody's signal. */

const LOST = Symbol('lost')

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
  return race(work, late, (lose) => {
    const timer = setTimeout(lose, Math.max(0, timeoutMs))
    return () => clearTimeout(timer)
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
  return race(work, aborted, (lose) => {
    if (signal?.aborted) lose()
    signal?.addEventListener('abort', lose, { once: true })
    return () => signal?.removeEventListener('abort', lose)
  })
}

/** `otherwise` is asked when the race is decided, so that work which it stops cannot win any more. */
async function race<T, L>(
  work: PromiseLike<T>,
  otherwise: () => L,
  begin: (lose: () => void) => () => void,
): Promise<T | Awaited<L>> {
  let end = (): void => {}
  const lost = new Promise<typeof LOST>((resolve) => {
    end = begin(() => resolve(LOST))
  })
  try {
    const first = await Promise.race([work, lost])
    return first === LOST ? await otherwise() : first
  } finally {
    end()
  }
}
