/**
 * The failures of a first-party gateway (an upstream that holds our service token) in its own words:
 * the caller is told of a bad field or a refused address as if the work were done here. Of any other
 * upstream nothing is repeated.
 */
import { fail, parseJson, quotedReason, type ErrorCode, type Failure, type Issue } from '#kernel'
import type { Answer } from './answer.ts'

/** What is about the caller's own work; keys, payments and limits are between the gateways. */
const PASSED_ON: ReadonlySet<string> = new Set<ErrorCode>([
  'INVALID_INPUT',
  'UNSUPPORTED_FORMAT',
  'UPSTREAM_FAILURE',
  'PROCESSING_FAILURE',
  'TIMEOUT',
])
const MESSAGE_MAX = 1000
const ISSUES_MAX = 100

/** The failure that the answer states, or null when it states none that is the caller's. */
export function partnerFailure({ status, body }: Answer): Failure | null {
  // 401 and 402 blame the gateway's own credentials.
  if (!(body instanceof Uint8Array) || status === 401 || status === 402) return null
  const parsed = parseJson(body)
  const error = parsed.ok ? mapOf(mapOf(parsed.value)?.['error']) : null
  if (!error || typeof error['message'] !== 'string') return null
  const code = String(error['code'])
  if (!PASSED_ON.has(code)) return null
  const { reason, issues } = mapOf(error['details']) ?? {}
  return fail(code as ErrorCode, error['message'].slice(0, MESSAGE_MAX), {
    retryable: error['retryable'] === true,
    ...(code === 'INVALID_INPUT' && status < 500 && { status }),
    details: {
      upstreamStatus: status,
      ...(typeof reason === 'string' && { reason: quotedReason(reason) }),
      ...(Array.isArray(issues) && { issues: issues.slice(0, ISSUES_MAX).flatMap(issueOf) }),
    },
  })
}

function issueOf(value: unknown): Issue[] {
  const { path, message } = mapOf(value) ?? {}
  if (typeof path !== 'string' || typeof message !== 'string') return []
  return [{ path, message: message.slice(0, MESSAGE_MAX) }]
}

function mapOf(value: unknown): Record<string, unknown> | null {
  const isMap = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isMap ? (value as Record<string, unknown>) : null
}
