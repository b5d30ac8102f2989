/** The form of every 401 (specs/contract.md, Keys): INVALID_INPUT, a reason, a challenge header. */
import { fail, type Failure, type Reason } from '../errors.ts'
import { REASONS } from '../reasons.ts'

/**
 * 401 with `WWW-Authenticate: Bearer` (RFC 6750 §3); `details.reason` is 'invalid_key' unless
 * given. A 'missing_…' reason omits the error code, as the RFC asks if no credential was presented.
 */
export function unauthorized(
  message: string,
  details: { reason?: Reason<'INVALID_INPUT'>; problem?: string } = {},
  isMissing = details.reason?.startsWith('missing_'),
): Failure {
  const error = isMissing
    ? ''
    : `, error="invalid_token", error_description="${message.replaceAll(/["\\]/g, '')}"`
  return fail('INVALID_INPUT', message, {
    status: 401,
    details: { reason: REASONS.invalid_key, ...details },
    headers: { 'www-authenticate': `Bearer realm="coinop"${error}` },
  })
}

/** 401 for a request without a key: as the RFC asks, its challenge has no error code. */
export function keyMissing(message: string): Failure {
  return unauthorized(message, {}, true)
}
