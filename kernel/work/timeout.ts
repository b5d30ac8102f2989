/** The time limit of work that cannot be trusted to end. */

/**
 * What `work` gives or throws, if that comes within `timeoutMs`; otherwise what `late` gives or
 * throws. Work that is late goes on, and its result or error is dropped: where it can be stopped,
 * `late` stops it. No timer outlives the answer.
 */
export async function within<T, L>(
  work: Promise<T>,
  timeoutMs: number,
  late: () => L,
): Promise<T | Awaited<L>> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const expired = new Promise<L>((resolve, reject) => {
    timer = setTimeout(
      () => {
        try {
          resolve(late())
        } catch (error) {
          reject(error)
        }
      },
      Math.max(0, timeoutMs),
    )
  })
  try {
    return await Promise.race([work, expired])
  } finally {
    clearTimeout(timer)
  }
}
