/** /v1/admin/calls: every paid call of every rail, and one with all that is linked to it. */
import { Type } from 'typebox'
import { invalid, type Failure, type Issue } from '../../errors.ts'
import type { Ledger } from '../../ledger/contract.ts'
import { isHoldId } from '../../ledger/holds.ts'
import { rowToJson } from '../../ledger/rows.ts'
import { atomicToCredits } from '../../money.ts'
import { listCalls, type CallsCursor, type ListedRail } from '../activity/calls.ts'
import type { Route, RouteRequest } from '../../plugins/contract.ts'
import { CALL_OUTCOMES, type RailCallFilter, type RailCallRow } from '../../rails/contract.ts'
import type { RailRegistry } from '../../rails/registry.ts'
import { notFound, nullable, privateJson, queryInteger } from '../json.ts'

export interface CallRouteDeps {
  rails: Pick<RailRegistry, 'list'>
  ledger: Pick<Ledger, 'rows'>
}

const TAG = 'Operation'
const PAGE = { min: 1, max: 200, fallback: 50 }
const TEXT_MAX = 200

const CallsQuery = Type.Object({
  requestId: Type.Optional(Type.String({ maxLength: TEXT_MAX })),
  apiKeyId: Type.Optional(Type.String({ maxLength: TEXT_MAX })),
  skill: Type.Optional(Type.String({ maxLength: TEXT_MAX })),
  rail: Type.Optional(Type.String()),
  outcome: Type.Optional(Type.Enum([...CALL_OUTCOMES])),
  cursor: Type.Optional(Type.String({ description: 'nextCursor of the page before' })),
  limit: Type.Optional(
    Type.Integer({ minimum: PAGE.min, maximum: PAGE.max, default: PAGE.fallback }),
  ),
})
const CALL = {
  id: Type.String({ description: 'The hold, or the payment claim' }),
  at: Type.String({ format: 'date-time' }),
  rail: Type.String(),
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

export function adminCallRoutes({ rails, ledger }: CallRouteDeps): Route[] {
  const listed = (): ListedRail[] =>
    rails.list().flatMap(({ id, calls }) => (calls ? [{ id, calls }] : []))

  async function list({ query }: RouteRequest): Promise<Response | Failure> {
    const issues: Issue[] = []
    const limit = queryInteger(query, 'limit', PAGE, issues)
    const requestId = textOf(query, 'requestId', issues)
    const filter: RailCallFilter = {
      requestId,
      keyId: textOf(query, 'apiKeyId', issues),
      skillId: textOf(query, 'skill', issues),
      outcome: oneOf(query, 'outcome', CALL_OUTCOMES, issues),
    }
    const known = listed()
    const ids = known.map(({ id }) => id)
    const rail = oneOf(query, 'rail', ids, issues)
    const cursor = cursorOf(query.get('cursor'), issues)
    if (issues.length > 0) return invalid(issues)
    if (requestId !== undefined) {
      const rows = await ledger.rows({ requestId, kind: 'settlement', limit: PAGE.max })
      filter.transactions = rows.flatMap(({ transaction }) => transaction ?? [])
    }
    const asked = known.filter(({ id }) => rail === undefined || id === rail)
    const page = await listCalls(asked, filter, { cursor, limit })
    if (page === null) return invalid([{ path: '/cursor', message: BAD_CURSOR }])
    return privateJson({
      calls: page.calls.map(callToJson),
      nextCursor: page.next && cursorText(page.next),
      lookedBackTo: page.lookedBackTo,
    })
  }

  async function get({ params }: RouteRequest): Promise<Response | Failure> {
    const id = params['id']!
    const none = notFound('No call has this id')
    if (!isHoldId(id)) return none
    for (const { calls } of listed()) {
      const found = await calls.find(id)
      if (!found) continue
      const ids = found.entryIds
      const rows = ids.length === 0 ? [] : await ledger.rows({ ids, limit: ids.length })
      return privateJson({
        ...callToJson(found.call),
        settlement: found.settlement,
        entries: rows.map(rowToJson),
      })
    }
    return none
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

const BAD_CURSOR = 'must be nextCursor of the page before'
/** `<rail>~<position>` for each rail, with a dot between; no position: from its newest call. */
const CURSOR = /^[a-z][a-z0-9-]*~[A-Za-z0-9-]*(?:\.[a-z][a-z0-9-]*~[A-Za-z0-9-]*)*$/
/** Until version 0.1: the positions of these two, with a dot between. */
const OLD_CURSOR = /^([1-9]\d{0,17}|end|)\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|end|)$/i
const OLD_RAILS = ['credits', 'x402']

function cursorOf(text: string | null, issues: Issue[]): CallsCursor | undefined {
  if (text === null) return undefined
  const old = OLD_CURSOR.exec(text)
  if (old) return new Map(OLD_RAILS.map((rail, at) => [rail, old[at + 1] || null]))
  if (CURSOR.test(text)) {
    const parts = text.split('.').map((part) => part.split('~'))
    return new Map(parts.map(([rail, position]) => [rail!, position || null]))
  }
  issues.push({ path: '/cursor', message: BAD_CURSOR })
  return undefined
}

function cursorText(cursor: CallsCursor): string {
  return [...cursor].map(([rail, position]) => `${rail}~${position ?? ''}`).join('.')
}
