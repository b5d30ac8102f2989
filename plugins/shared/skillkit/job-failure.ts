/** Document-pool outcomes as wire failures, for the skills that work on untrusted documents. */
import { fail, KERNEL_REASONS, type Failure, type JobOutcome } from '#kernel'

/** The failure of a job that did not end well; none is charged. `what` begins its message. */
export function jobFailure(
  outcome: Extract<JobOutcome<unknown>, { ok: false }>,
  what: string,
): Failure {
  switch (outcome.reason) {
    case 'timeout':
    case 'aborted':
      return fail('TIMEOUT', `${what} took longer than allowed`, {
        details: { reason: KERNEL_REASONS[outcome.reason] },
      })
    case 'memory':
    case 'crashed':
      return fail('PROCESSING_FAILURE', `${what} is too complex to be processed`, {
        details: { reason: KERNEL_REASONS[outcome.reason] },
      })
    case 'share_full':
      return shareFull('jobs')
    case 'overloaded':
    case 'stopped':
      return fail('PROCESSING_FAILURE', 'The document workers are busy; try again', {
        retryable: true,
        details: { reason: KERNEL_REASONS[outcome.reason] },
        headers: { 'retry-after': '1' },
      })
  }
}

/** 429 for a caller whose own share of a queue is full; `limit` says of which. Nothing is charged. */
export function shareFull(limit: 'jobs' | 'pages'): Failure {
  return fail('RATE_LIMITED', `Too many of your ${limit} are waiting already; try again later`, {
    details: { limit },
    headers: { 'retry-after': '5' },
  })
}
