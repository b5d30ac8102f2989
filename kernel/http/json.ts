/** Helpers of the JSON routes: strict input by schema, query parameters, amounts, answers. */
import { Type, type Static, type TSchema } from 'typebox'
import { fail, invalid, type Failure, type Issue } from '../errors.ts'
import { creditsToAtomic, parseAtomic } from '../money.ts'
import type { RouteRequest } from '../plugins/route.ts'
import { compileSchema } from '../schema/json.ts'

/** Longest text that may name an API key; ids themselves are shorter. */
const KEY_ID_MAX = 64

/** An API key id in a body: printable characters only, because PostgreSQL refuses U+0000. */
export function keyIdSchema(description?: string) {
  return Type.String({
    minLength: 1,
    maxLength: KEY_ID_MAX,
    pattern: '^[\\x21-\\x7e]+$',
    ...(description !== undefined && { description }),
  })
}

/** The schema of a nullable member of an answer; for OpenAPI only. */
export const nullable = (type: string, extra: object = {}) =>
  Type.Unsafe<unknown>({ type: [type, 'null'], ...extra })

/** An input that was read, or the failure to answer with. */
export type Parsed<T> = { ok: true; value: T } | Failure

/** The body, valid by `schema` (an absent one counts as `{}`), or 400 naming every bad field. */
export async function readInput<S extends TSchema>(
  request: Pick<RouteRequest, 'json'>,
  schema: S,
): Promise<Parsed<Static<S>>> {
  const body = await request.json()
  if (!body.ok) return body
  const value = body.value === undefined ? {} : body.value
  const issues = compileSchema(schema).issues(value)
  if (issues.length > 0) return invalid(issues)
  return { ok: true, value: value as Static<S> }
}

/**
 * A whole number from the query, `fallback` if absent; problems are added to `issues` with a
 * pointer that names the parameter.
 */
export function queryInteger(
  query: URLSearchParams,
  name: string,
  range: { min: number; max: number; fallback: number },
  issues: Issue[],
): number {
  const text = query.get(name)
  if (text === null) return range.fallback
  const value = /^\d{1,15}$/.test(text) ? Number(text) : NaN
  if (value >= range.min && value <= range.max) return value
  issues.push({
    path: `/${name}`,
    message: `must be a whole number from ${range.min} to ${range.max}`,
  })
  return range.fallback
}

/**
 * The amount in a body, given in credits, in atomic units, or in both if they agree: above zero and
 * a whole number of atomic units.
 */
export function amountOf(body: {
  amountCredits?: number
  amountUsdcAtomic?: number
}): Parsed<bigint> {
  const { amountCredits, amountUsdcAtomic } = body
  if (amountCredits === undefined && amountUsdcAtomic === undefined) {
    return invalid([
      { path: '/amountCredits', message: 'is required unless amountUsdcAtomic is given' },
    ])
  }
  const issues: Issue[] = []
  const amounts: bigint[] = []
  const read = (path: string, amount: ReturnType<typeof parseAtomic>): void => {
    if (!amount.ok) issues.push({ path, message: amount.message })
    else if (amount.amountAtomic === 0n) issues.push({ path, message: 'must be more than zero' })
    else amounts.push(amount.amountAtomic)
  }
  if (amountCredits !== undefined) read('/amountCredits', creditsToAtomic(amountCredits))
  if (amountUsdcAtomic !== undefined) read('/amountUsdcAtomic', parseAtomic(amountUsdcAtomic))
  const [amount, other] = amounts
  if (amount !== undefined && other !== undefined && amount !== other) {
    issues.push({
      path: '/amountUsdcAtomic',
      message: `must be ${amount}, which is amountCredits at 10000 atomic units per credit`,
    })
  }
  if (issues.length > 0 || amount === undefined) return invalid(issues)
  return { ok: true, value: amount }
}

/** 404 for an id that does not exist or that the caller may not see. */
export function notFound(message: string): Failure {
  return fail('INVALID_INPUT', message, { status: 404 })
}

/** 409 because of the current state of something. */
export function stateConflict(message: string, state: string): Failure {
  return fail('INVALID_INPUT', message, { status: 409, details: { state } })
}

/** A JSON answer that caches may not store: balances, keys and tokens. */
export function privateJson(body: unknown, status = 200): Response {
  return Response.json(body, { status, headers: { 'cache-control': 'no-store' } })
}

/** Whether the caller already has the version `etag` (RFC 9110 §13.1.2): then answer 304. */
export function isKnown({ headers }: Request, etag: string): boolean {
  const known = headers.get('if-none-match')?.split(',') ?? []
  return known.some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === etag)
}
