/**
 * Checks what a plugin's functions returned. A plugin in plain JavaScript may return anything, which
 * is refused here, while nothing is charged, rather than after the money moved.
 */
import { ERROR_TABLE, fail, type Failure } from '../errors.ts'
import type { ForwardSuccess, Result } from '../plugins/contract.ts'
import type { Logger } from '../log/logger.ts'
import { isObject } from '../schema/json.ts'

/** A Result as the contract says, or INTERNAL_ERROR with the reason in the log. */
export function resultOf(value: unknown, log: Logger, skill: string): Result<unknown> {
  const wrong = isOk(value) ? successProblem(value) : failureProblem(value)
  return wrong === null ? (value as Result<unknown>) : broken(wrong, log, skill)
}

/** What `forward` gave, or INTERNAL_ERROR with the reason in the log. */
export function forwardedOf(value: unknown, log: Logger, skill: string): ForwardSuccess | Failure {
  const wrong = isOk(value) ? responseProblem(value['response']) : failureProblem(value)
  return wrong === null ? (value as ForwardSuccess | Failure) : broken(wrong, log, skill)
}

/** The refusal of `check` or `identify`, or INTERNAL_ERROR with the reason in the log. */
export function refusalOf(value: unknown, log: Logger, skill: string): Failure {
  const wrong = failureProblem(value)
  return wrong === null ? (value as Failure) : broken(wrong, log, skill)
}

function broken(wrong: string, log: Logger, skill: string): Failure {
  log.error({ skill, problem: wrong }, 'skill returned no result of the contract')
  return fail('INTERNAL_ERROR', 'The skill returned no result; nothing was charged')
}

function isOk(value: unknown): value is Record<string, unknown> {
  return isObject(value) && value['ok'] === true
}

function successProblem({ status, bill }: Record<string, unknown>): string | null {
  const isFree = bill === 'release' && isStatus(status, 400, 599)
  if (status !== undefined && !isStatus(status, 200, 299) && !isFree)
    return "status must be 200 to 299, or with bill 'release' 400 to 599"
  if (bill === undefined || bill === 'capture' || bill === 'release') return null
  if (!isObject(bill) || typeof bill['amountAtomic'] !== 'bigint')
    return "bill must be 'capture', 'release' or { amountAtomic } with a bigint"
  return bill['amountAtomic'] < 0n ? 'bill.amountAtomic must not be negative' : null
}

function responseProblem(response: unknown): string | null {
  if (!(response instanceof Response)) return 'response must be a Response'
  if (!isStatus(response.status, 200, 599)) return 'response must have a status of 200 to 599'
  return response.bodyUsed ? 'the body of response was read already' : null
}

function failureProblem(value: unknown): string | null {
  if (!isObject(value) || value['ok'] !== false) return 'ok must be true or false'
  const { code, message, status, details, headers } = value
  if (typeof code !== 'string' || !Object.hasOwn(ERROR_TABLE, code)) return 'code is unknown'
  if (typeof message !== 'string') return 'message must be a text'
  if (status !== undefined && !isStatus(status, 400, 599)) return 'status must be 400 to 599'
  try {
    if (details !== undefined) JSON.stringify(details)
    void new Headers(headers as Record<string, string> | undefined)
  } catch (error) {
    return `details or headers cannot be sent: ${String(error).slice(0, 200)}`
  }
  return null
}

function isStatus(value: unknown, from: number, to: number): boolean {
  return Number.isInteger(value) && (value as number) >= from && (value as number) <= to
}
