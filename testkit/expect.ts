/** What a check of the contract suite asks of an answer; a throw says what was expected and what came. */
import type { Sent } from './ask.ts'

/** The answer has one of these statuses. */
export function expectStatus(answer: Sent, statuses: readonly number[]): void {
  if (statuses.includes(answer.status)) return
  throw new Error(
    `expected status ${statuses.join(' or ')}, got ${answer.status}: ${JSON.stringify(answer.json).slice(0, 500)}`,
  )
}

/** The body is the one error shape, or that of a 402 without an API key; its code is one of `codes`, or any when null. */
export function expectCode(answer: Sent, codes: readonly string[] | null): void {
  const { error: first, problem } = (answer.json ?? {}) as { error?: unknown; problem?: unknown }
  const error = (typeof first === 'string' ? problem : first) as
    | { code?: unknown; message?: unknown; requestId?: unknown }
    | undefined
  if (
    !error ||
    typeof error.code !== 'string' ||
    typeof error.message !== 'string' ||
    typeof error.requestId !== 'string'
  ) {
    throw new Error(
      `the error body is not {error: {code, message, retryable, requestId}}: ${JSON.stringify(answer.json).slice(0, 300)}`,
    )
  }
  if (codes && !codes.includes(error.code))
    throw new Error(`expected ${codes.join(' or ')}, got ${error.code}`)
}

/** Both are the same value. */
export function expectEqual<T>(what: string, got: T, expected: T): void {
  if (got !== expected)
    throw new Error(
      `${what}: expected ${String(expected).slice(0, 500)}, got ${String(got).slice(0, 500)}`,
    )
}
