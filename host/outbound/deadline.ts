/** One signal from a caller's abort and a time limit, which remembers which of the two fired. */
import type { GuardedRefusal } from '#kernel'
import { refuse } from './refusal.ts'

export interface Deadline {
  signal: AbortSignal
  /** Why the signal fired; null while it has not. */
  refusal(): GuardedRefusal | null
  /** Stops the timer and forgets the caller's signal. */
  clear(): void
}

/** A running deadline; no `timeoutMs` means the caller's signal only. */
export function startDeadline(
  timeoutMs: number | undefined,
  parent: AbortSignal | undefined,
): Deadline {
  const controller = new AbortController()
  let cause: GuardedRefusal | null = null
  const fire = (refusal: GuardedRefusal): void => {
    cause ??= refusal
    controller.abort()
  }
  const onAbort = (): void => fire(refuse('aborted', 'The request was aborted'))
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(() => fire(refuse('timeout', `No answer within ${timeoutMs} ms`)), timeoutMs)
  if (parent?.aborted) onAbort()
  parent?.addEventListener('abort', onAbort, { once: true })
  return {
    signal: controller.signal,
    refusal: () => cause,
    clear: () => {
      clearTimeout(timer)
      parent?.removeEventListener('abort', onAbort)
    },
  }
}
