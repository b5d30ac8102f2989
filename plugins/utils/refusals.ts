/** Refused or failed fetches as wire failures, the same for every skill that fetches. */
import { fail, invalid, KERNEL_REASONS, type Failure, type GuardedRefusal } from '#kernel'
import { REASONS } from './reasons.ts'

/** The failure of a guarded fetch; 'ssrf' and 'robots' are the 403s of a refused target. */
export function refusalFailure({
  reason,
  message,
}: Pick<GuardedRefusal, 'reason' | 'message'>): Failure {
  switch (reason) {
    case 'ssrf':
    case 'robots':
      return fail('INVALID_INPUT', message, {
        status: 403,
        details: { reason: KERNEL_REASONS[reason], issues: [{ path: '/url', message }] },
      })
    case 'invalid_url':
      return invalid([{ path: '/url', message }])
    case 'too_large':
      return invalid([{ path: '/url', message: `answers with too much: ${message}` }])
    case 'timeout':
    case 'aborted':
      return fail('TIMEOUT', message, { details: { reason: KERNEL_REASONS[reason] } })
    case 'too_many_redirects':
      return fail('UPSTREAM_FAILURE', message, {
        retryable: false,
        details: { reason: KERNEL_REASONS[reason] },
      })
    default:
      return fail('UPSTREAM_FAILURE', message, { details: { reason: KERNEL_REASONS[reason] } })
  }
}

/** The failure of a site that answered with an error status. */
export function statusFailure(status: number): Failure {
  return fail('UPSTREAM_FAILURE', `The site answered with status ${status}`, {
    retryable: status === 429 || status >= 500,
    details: { reason: REASONS.http_status, status },
  })
}
