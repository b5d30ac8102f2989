/** /v1/admin/calls: every paid call of every rail, and one with all that is linked to it. */
import { Type } from 'typebox'
import { invalid, type Failure, type Issue } from '../../errors.ts'
import type { Ledger } from '../../ledger/contract.ts'
import { isHoldId } from '../../ledger/holds.ts'
import { isLedgerId, rowToJson } from '../../ledger/rows.ts'
import { atomicToCredits } from '../../money.ts'
import {
  CALL_OUTCOMES,
  outcomeOf,
  type CallFilter,
  type CallOutcomeName,
  type CallRow,
} from '../activity/call-row.ts'
import { END, listCalls, type CallRail, type CallsCursor } from '../activity/calls.ts'
import { prepaidCall } from '../activity/prepaid-calls.ts'
import { x402Call } from '../../../plugins/x402/claims/calls-list.ts'
import type { Route, RouteRequest } from '../../plugins/contract.ts'
import type { SqlClient } from '../../storage/contract.ts'
import { notFound, nullable, privateJson, queryInteger } from '../json.ts'

export interface CallRouteDeps {
  sql: SqlClient
  ledger: Pick<Ledger, 'rows'>
}

const TAG = 'Operation'
const PAGE = { min: 1, max: 200, fallback: 50 }
const TEXT_MAX = 200
const RAILS = ['credits', 'x402'] as const

const CallsQuery = Type.Object({
  requestId: Type.Optional(Type.String({ maxLength: TEXT_MAX })),
  apiKeyId: Type.Optional(Type.String({ maxLength: TEXT_MAX })),
  skill: Type.Optional(Type.String({ maxLength: TEXT_MAX })),
  rail: Type.Optional(Type.Enum([...RAILS])),
  outcome: Type.Optional(Type.Enum([...CALL_OUTCOMES])),
  cursor: Type.Optional(Type.String({ description: 'nextCursor of the page before' })),
  limit: Type.Optional(
    Type.Integer({ minimum: PAGE.min, maximum: PAGE.max, default: PAGE.fallback }),
  ),
})
const CALL = {
  id: Type.String({ description: 'The hold, or the payment claim' }),
  at: Type.String({ format: 'date-time' }),
  rail: Type.Enum([...RAILS]),
  outcome: Type.Enum([...CALL_OUTCOMES]),
  state: Type.String(),
  apiKeyId: nullable('string'),
  payer: nullable('string', { description: 'The wallet that paid by x402' }),
  requestId: Type.String(),
  skill: Type.String(),
  path: Type.String(),
  amountCredits: Type.Number(),
  amountUsdcAtomic: Type.Integer(),
  chargedUsdcAtomic: nullable('integer', { description: 'null until the call ended' }),
  priceVersion: nullable('integer'),
  acquisition: nullable('string'),
  expiresAt: nullable('string'),
  transaction: nullable('string'),
  reason: nullable('string'),
}
const Calls = Type.Object({
  calls: Type.Array(Type.Object(CALL)),
  nextCursor: nullable('string'),
  lookedBackTo: nullable('string', {
    description:
      'Set when a page is short because so many calls were looked through: nextCursor goes on before this time',
  }),
})
const Call = Type.Object({
  ...CALL,
  settlement: nullable('object'),
  entries: Type.Array(Type.Object({}, { additionalProperties: true, description: 'Ledger rows' })),
})

export function adminCallRoutes({ sql, ledger }: CallRouteDeps): Route[] {
  async function list({ query }: RouteRequest): Promise<Response | Failure> {
    const issues: Issue[] = []
    const limit = queryInteger(query, 'limit', PAGE, issues)
    const filter: CallFilter & { rail?: CallRail } = {
      requestId: textOf(query, 'requestId', issues),
      keyId: textOf(query, 'apiKeyId', issues),
      skillId: textOf(query, 'skill', issues),
      outcome: oneOf<CallOutcomeName>(query, 'outcome', CALL_OUTCOMES, issues),
      rail: oneOf<CallRail>(query, 'rail', RAILS, issues),
    }
    const cursor = cursorOf(query.get('cursor'), issues)
    if (issues.length > 0) return invalid(issues)
    const page = await listCalls(sql, filter, { cursor, limit })
    return privateJson({
      calls: page.calls.map(callToJson),
      nextCursor: page.next && `${page.next.credits ?? ''}.${page.next.x402 ?? ''}`,
      lookedBackTo: page.lookedBackTo,
    })
  }

  async function get({ params }: RouteRequest): Promise<Response | Failure> {
    const id = params['id']!
    const none = notFound('No call has this id')
    if (!isHoldId(id)) return none
    const prepaid = await prepaidCall(sql, id)
    const paid = prepaid ? null : await x402Call(sql, id)
    const found = prepaid ?? paid
    if (!found) return none
    const { entryIds: ids } = found
    const rows = ids.length === 0 ? [] : await ledger.rows({ ids, limit: ids.length })
    return privateJson({
      ...callToJson(found.call),
      settlement: paid?.settlement ?? null,
      entries: rows.map(rowToJson),
    })
  }

  const admin = { auth: 'admin', tag: TAG, method: 'GET' } as const
  return [
    {
      ...admin,
      path: '/v1/admin/calls',
      summary: 'Paid calls, newest first, of one request, key, skill, rail or outcome',
      query: CallsQuery,
      output: Calls,
      handler: list,
    },
    {
      ...admin,
      path: '/v1/admin/calls/{id}',
      summary: 'One paid call with its ledger rows and its settlement',
      output: Call,
      handler: get,
    },
  ]
}

function callToJson(call: CallRow): object {
  const { id, at, rail, state, payer, requestId, path, priceVersion, acquisition } = call
  return {
    id,
    at,
    rail,
    outcome: outcomeOf(call),
    state,
    apiKeyId: call.keyId,
    payer,
    requestId,
    skill: call.skillId,
    path,
    amountCredits: atomicToCredits(call.amountAtomic),
    amountUsdcAtomic: Number(call.amountAtomic),
    chargedUsdcAtomic: call.chargedAtomic === null ? null : Number(call.chargedAtomic),
    priceVersion,
    acquisition,
    expiresAt: call.expiresAt,
    transaction: call.transaction,
    reason: call.reason,
  }
}

/** A filter's text; undefined when absent. PostgreSQL refuses NUL, so only printable ones pass. */
function textOf(query: URLSearchParams, name: string, issues: Issue[]): string | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  if (/^[\x20-\x7e]{1,200}$/.test(text)) return text
  issues.push({ path: `/${name}`, message: `must have 1 to ${TEXT_MAX} printable characters` })
  return undefined
}

function oneOf<T extends string>(
  query: URLSearchParams,
  name: string,
  allowed: readonly T[],
  issues: Issue[],
): T | undefined {
  const text = query.get(name)
  const found = allowed.find((one) => one === text)
  if (text !== null && found === undefined) {
    issues.push({ path: `/${name}`, message: `must be one of ${allowed.join(', ')}` })
  }
  return found
}

/** `<ledger id>.<claim id>`, each of which may be empty (from the start) or 'end'. */
function cursorOf(text: string | null, issues: Issue[]): CallsCursor | undefined {
  if (text === null) return undefined
  const [credits = '', x402 = '', ...more] = text.split('.')
  const isCursor =
    more.length === 0 &&
    (credits === '' || credits === END || isLedgerId(credits)) &&
    (x402 === '' || x402 === END || isHoldId(x402))
  if (isCursor) return { credits: credits || null, x402: x402 || null }
  issues.push({ path: '/cursor', message: 'must be nextCursor of the page before' })
  return undefined
}
