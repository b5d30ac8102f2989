/**
 * What a caller is told when there is no answer to pass on. Nothing of the upstream's own text
 * leaves: it may hold secrets, and on a paid route it would be the work for free.
 */
import { fail, GatewayError, type Failure } from '#kernel'
import type { NoHead } from './exchange.ts'
import type { Refused } from './upstream.ts'
import { REASONS } from './reasons.ts'

const WORDS: Readonly<Record<NoHead['reason'], string>> = {
  refused: 'The upstream may not be called',
  dns: 'The upstream was not found',
  connect: 'The upstream could not be reached',
  tls: 'The upstream could not be reached securely',
  timeout: 'The upstream did not answer in time',
  reset: 'The upstream closed the connection',
  protocol: 'The upstream did not speak valid HTTP',
  aborted: 'The call was aborted',
  request_head: 'A header or the query holds a character that HTTP does not allow',
  request_body: 'The request body broke off',
}

/** The failure of a call without an answer: 503, or what went wrong with the caller's own body. */
export function noAnswer(outcome: NoHead | Refused): Failure {
  if (outcome.reason === 'circuit_open') {
    const seconds = Math.max(1, Math.ceil(outcome.retryAfterMs / 1000))
    return fail('UPSTREAM_FAILURE', 'The upstream failed repeatedly and is given a pause', {
      details: { reason: REASONS.circuit_open, retryAfterMs: Math.ceil(outcome.retryAfterMs) },
      headers: { 'retry-after': String(seconds) },
    })
  }
  const { reason } = outcome
  if (reason === 'request_head') return fail('INVALID_INPUT', WORDS[reason])
  if (reason === 'request_body') {
    if (outcome.cause instanceof GatewayError) return outcome.cause.failure
    return fail('INVALID_INPUT', WORDS[reason])
  }
  return fail('UPSTREAM_FAILURE', WORDS[reason], { details: { reason: REASONS[reason] } })
}

const LONGEST_RETRY_AFTER_S = 3600

/**
 * The failure of a paid call whose upstream answered `status` (not 2xx). A status that blames the
 * caller's input stays with the caller; one that blames the gateway's credentials or the operator's
 * spec does not.
 */
export function notFulfilled(status: number, retryAfter: string | null): Failure {
  const details = { upstreamStatus: status }
  switch (status) {
    case 400:
    case 406:
    case 411:
    case 412:
    case 413:
    case 414:
    case 416:
    case 417:
    case 422:
    case 428:
    case 431:
      return fail('INVALID_INPUT', `The upstream refused the input (${status})`, { details })
    case 404:
    case 410:
      return fail('INVALID_INPUT', 'The upstream knows no such thing', { status: 404, details })
    case 409:
      return fail('INVALID_INPUT', 'The upstream reports a conflict', { status: 409, details })
    case 415:
      return fail('UNSUPPORTED_FORMAT', 'The upstream does not read this format', { details })
    case 408:
    case 425:
    case 429:
    case 503: {
      const headers = retryAfterHeader(retryAfter)
      return fail('UPSTREAM_FAILURE', `The upstream is busy (${status})`, { details, headers })
    }
    default: {
      const retryable = status >= 500 && status !== 501 && status !== 505
      const message = `The upstream answered ${status}, which is not a result`
      return fail('UPSTREAM_FAILURE', message, { retryable, details })
    }
  }
}

function retryAfterHeader(value: string | null): Record<string, string> {
  if (value === null || !/^\d{1,9}$/.test(value)) return {}
  return { 'retry-after': String(Math.min(Number(value), LONGEST_RETRY_AFTER_S)) }
}
