/** Runs a skill under its deadline and the caller's abort; whatever it throws becomes a Failure. */
import { fail, GatewayError, type Failure } from '../errors.ts'
import type { Logger } from '../log/logger.ts'
import { unlessAborted, within } from '../work/timeout.ts'
import { REASONS } from '../reasons.ts'

export type Work<T> = (signal: AbortSignal) => Promise<T | Failure>

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
  const ending = new AbortController()
  const timedOut = (): Failure => {
    ending.abort(new DOMException('The skill ran out of time', 'TimeoutError'))
    return fail('TIMEOUT', `The skill did not finish within ${timeoutMs} ms; nothing was charged`)
  }
  const callerLeft = (): Failure => {
    ending.abort(new DOMException('The caller went away', 'AbortError'))
    return callerGone()
  }
  try {
    return await unlessAborted(within(work(ending.signal), timeoutMs, timedOut), caller, callerLeft)
  } catch (error) {
    if (error instanceof GatewayError) return error.failure
    log.error({ err: error }, 'skill threw')
    return fail('INTERNAL_ERROR', 'The skill failed unexpectedly; nothing was charged')
  }
}

/** The failure of a call whose caller hung up; nobody reads it but the log. */
function callerGone(): Failure {
  return fail('TIMEOUT', 'The caller went away; nothing was charged', {
    details: { reason: REASONS.aborted },
  })
}
