/** /v1/admin/calls: every paid call of every rail, and one with all that is linked to it. */
import {
  atomicToCredits,
  CALL_OUTCOMES,
  invalid,
  isUuid,
  notFound,
  nullable,
  privateJson,
  queryInteger,
  type Failure,
  type Issue,
  type RailCallFilter,
  type RailCallRow,
  type Reports,
  type Route,
  type RouteRequest,
} from '#kernel'
import { Type } from 'typebox'
import { listCalls, type ListedRail } from '../reports/calls.ts'
import { cursorText, parseCursor } from '../reports/cursor.ts'
import { oneOf, PAGE, PageSize, Text, textOf } from './queries.ts'

const BAD_CURSOR: Issue = { path: '/cursor', message: 'must be nextCursor of the page before' }

const CallsQuery = Type.Object({
  requestId: Text,
  apiKeyId: Text,
  skill: Text,
  rail: Type.Optional(Type.String({ description: 'One of `rails`' })),
  outcome: Type.Optional(Type.Enum([...CALL_OUTCOMES])),
  cursor: Type.Optional(Type.String({ description: 'nextCursor of the page before' })),
  limit: PageSize,
})
const CALL = {
  id: Type.String({ description: 'The hold, or the payment claim' }),
  at: Type.String({ format: 'date-time' }),
  rail: Type.String(),
  outcome: Type.Enum([...CALL_OUTCOMES]),
  state: Type.String(),
  apiKeyId: nullable('string'),
  payer: nullable('string', { description: 'Who paid, if not a key: a wallet' }),
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
  rails: Type.Array(Type.String(), { description: 'The rails that calls can be listed of now' }),
})
const Call = Type.Object({
  ...CALL,
  settlement: nullable('object'),
  entries: Type.Array(Type.Object({}, { additionalProperties: true, description: 'Ledger rows' })),
})

export function callRoutes(
  reports: Pick<Reports, 'rails' | 'entries' | 'transactions'>,
): Pick<Route, 'method' | 'path' | 'summary' | 'query' | 'output' | 'handler'>[] {
  const listed = (): ListedRail[] =>
    reports.rails().flatMap(({ id, calls }) => (calls ? [{ id, calls }] : []))

  async function list({ query }: RouteRequest): Promise<Response | Failure> {
    const rails = listed()
    const ids = rails.map(({ id }) => id)
    const issues: Issue[] = []
    const limit = queryInteger(query, 'limit', PAGE, issues)
    const filter: RailCallFilter = {
      requestId: textOf(query, 'requestId', issues),
      keyId: textOf(query, 'apiKeyId', issues),
      skillId: textOf(query, 'skill', issues),
      outcome: oneOf(query, 'outcome', CALL_OUTCOMES, issues),
    }
    const rail = oneOf(query, 'rail', ids, issues)
    const text = query.get('cursor')
    const cursor = text === null ? new Map() : parseCursor(text)
    if (cursor === null) issues.push(BAD_CURSOR)
    if (cursor === null || issues.length > 0) return invalid(issues)
    if (filter.requestId !== undefined) {
      filter.transactions = await reports.transactions(filter.requestId)
    }
    const asked = rails.filter(({ id }) => rail === undefined || id === rail)
    const page = await listCalls(asked, filter, { cursor, limit })
    if (page === null) return invalid([BAD_CURSOR])
    return privateJson({
      calls: page.calls.map(callToJson),
      nextCursor: page.next && cursorText(page.next),
      lookedBackTo: page.lookedBackTo,
      rails: ids,
    })
  }

  async function get({ params }: RouteRequest): Promise<Response | Failure> {
    const id = params['id']!
    const finds = isUuid(id) ? listed().map(({ calls }) => calls.find(id)) : []
    const found = (await Promise.all(finds)).find((one) => one !== null)
    if (!found) return notFound('No call has this id')
    return privateJson({
      ...callToJson(found.call),
      settlement: found.settlement,
      entries: await reports.entries(found.entryIds),
    })
  }

  return [
    {
      method: 'GET',
      path: '/v1/admin/calls',
      summary: 'Paid calls, newest first, of one request, key, skill, rail or outcome',
      query: CallsQuery,
      output: Calls,
      handler: list,
    },
    {
      method: 'GET',
      path: '/v1/admin/calls/{id}',
      summary: 'One paid call with its ledger rows and its settlement',
      output: Call,
      handler: get,
    },
  ]
}

function callToJson(call: RailCallRow): object {
  const { id, at, rail, outcome, state, payer, requestId, path, priceVersion, acquisition } = call
  return {
    id,
    at,
    rail,
    outcome,
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
