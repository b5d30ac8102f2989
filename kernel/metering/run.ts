/** Runs a skill under its deadline and the caller's abort; whatever it throws becomes a Failure. */
import { fail, GatewayError, type Failure } from '../errors.ts'
import type { Logger } from '../log/logger.ts'
import { REASONS } from '../reasons.ts'

export type Work<T> = (signal: AbortSignal) => Promise<T | Failure>

/** Why the signal given to the skill fired. */
type Ended = 'deadline' | 'caller'

/**
 * What `work` returned, TIMEOUT (503) at the deadline, or a caller-gone failure when `caller`
 * aborts (null: the work outlives its caller). Returns at once in both cases, also when the skill
 * ignores its signal.
 */
export async function runWork<T>(
  work: Work<T>,
  timeoutMs: number,
  caller: AbortSignal | null,
  log: Logger,
): Promise<T | Failure> {
  const controller = new AbortController()
  let end!: (ended: Ended) => void
  const ended = new Promise<Ended>((resolve) => (end = resolve))
  const timer = setTimeout(() => end('deadline'), timeoutMs)
  const onAbort = () => end('caller')
  if (caller?.aborted) onAbort()
  caller?.addEventListener('abort', onAbort, { once: true })
  try {
    const running = work(controller.signal)
    // The race may be lost by a skill that later rejects: that must not become an unhandled rejection.
    running.catch(() => {})
    const first = await Promise.race([running, ended])
    if (first === 'deadline') {
      controller.abort(new DOMException('The skill ran out of time', 'TimeoutError'))
      return fail('TIMEOUT', `The skill did not finish within ${timeoutMs} ms; nothing was charged`)
    }
    if (first === 'caller') {
      controller.abort(new DOMException('The caller went away', 'AbortError'))
      return callerGone()
    }
    return first
  } catch (error) {
    if (error instanceof GatewayError) return error.failure
    log.error({ err: error }, 'skill threw')
    return fail('INTERNAL_ERROR', 'The skill failed unexpectedly; nothing was charged')
  } finally {
    clearTimeout(timer)
    caller?.removeEventListener('abort', onAbort)
  }
}

/** The failure of a call whose caller hung up; nobody reads it but the log. */
function callerGone(): Failure {
  return fail('TIMEOUT', 'The caller went away; nothing was charged', {
    details: { reason: REASONS.aborted },
  })
}
