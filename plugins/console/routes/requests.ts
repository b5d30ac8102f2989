/** /v1/admin/requests: answered requests, refused ones too; /v1/admin/figures: what they sum up to. */
import {
  invalid,
  nullable,
  privateJson,
  queryInteger,
  type Failure,
  type Issue,
  type Route,
  type RouteRequest,
} from '#kernel'
import { Type } from 'typebox'
import { WINDOW_NAMES, type Earned, type FigureReports, type Figures } from '../reports/figures.ts'
import type { RequestStore, StoredRequest } from '../requests/store.ts'
import { idOf, oneOf, PAGE, PageSize, Text, textOf } from './queries.ts'

const MODES = ['live', 'test'] as const
const Query = Type.Object({
  requestId: Text,
  key: Type.Optional(Type.String({ maxLength: 200, description: 'Id or name of the key' })),
  address: Type.Optional(
    Type.String({ maxLength: 200, description: 'Network address of the caller, or wallet' }),
  ),
  skill: Text,
  code: Type.Optional(Type.String({ maxLength: 200, description: 'Error code or reason' })),
  status: Type.Optional(Type.String({ description: "Such as 402, or '4xx'" })),
  cursor: Type.Optional(Type.String({ description: 'nextCursor of the page before' })),
  after: Type.Optional(Type.String({ description: 'Id of a row: only younger ones' })),
  limit: PageSize,
})
const Answered = Type.Object({
  id: Type.String(),
  at: Type.String({ format: 'date-time' }),
  requestId: Type.String(),
  method: Type.String(),
  route: nullable('string'),
  path: Type.String(),
  address: Type.String(),
  product: nullable('string'),
  skill: nullable('string'),
  status: Type.Integer(),
  outcome: nullable('string'),
  code: nullable('string'),
  reason: nullable('string'),
  message: nullable('string'),
  upstreamStatus: nullable('integer'),
  apiKeyId: nullable('string'),
  apiKeyName: nullable('string'),
  accountId: nullable('string'),
  mode: Type.Enum([...MODES]),
  payer: nullable('string'),
  operator: nullable('string'),
  rail: nullable('string'),
  chargedUsdcAtomic: Type.Integer(),
  ms: Type.Number(),
  requestBytes: nullable('integer'),
  responseBytes: nullable('integer'),
})
const Requests = Type.Object({
  requests: Type.Array(Answered),
  nextCursor: nullable('string'),
  lookedBackTo: nullable('string', {
    description:
      'Set when a page is short because so many rows were looked through: nextCursor goes on before this time',
  }),
})
const Earnings = Type.Array(
  Type.Object({
    name: Type.String(),
    id: nullable('string'),
    mode: Type.Enum([...MODES]),
    calls: Type.Integer(),
    usdcAtomic: Type.String(),
    refundedUsdcAtomic: Type.String(),
  }),
)
const FiguresAnswer = Type.Object({
  from: Type.String({ format: 'date-time' }),
  until: Type.String({ format: 'date-time' }),
  stepSeconds: Type.Integer(),
  missingHours: Type.Integer({ description: 'Hours whose revenue is still being summed' }),
  skills: Type.Array(
    Type.Object({
      skill: Type.String({ description: "'' for requests to what is no skill" }),
      mode: Type.Enum([...MODES]),
      calls: Type.Integer(),
      unpaid: Type.Integer({ description: 'Answered with 402' }),
      refused: Type.Integer({ description: 'Answered with another status below 500' }),
      failed: Type.Integer({ description: 'Answered with 500 or more' }),
      p50Ms: nullable('number', { description: 'Of the answers below 400' }),
      p95Ms: nullable('number'),
      notKept: Type.Integer({ description: 'Not in /v1/admin/requests: too many came at once' }),
    }),
  ),
  earnings: Type.Object({ skills: Earnings, rails: Earnings, keys: Earnings }),
  steps: Type.Array(
    Type.Object({
      at: Type.String({ format: 'date-time' }),
      answered: Type.Integer(),
      unpaid: Type.Integer(),
      refused: Type.Integer(),
      failed: Type.Integer(),
      usdcAtomic: Type.String({ description: 'Charged less refunds' }),
    }),
  ),
})

export function requestRoutes(deps: {
  store: Pick<RequestStore, 'list'>
  figures: FigureReports
}): Pick<Route, 'method' | 'path' | 'summary' | 'query' | 'output' | 'handler'>[] {
  async function list({ query }: RouteRequest): Promise<Response | Failure> {
    const issues: Issue[] = []
    const limit = queryInteger(query, 'limit', PAGE, issues)
    const filter = {
      requestId: textOf(query, 'requestId', issues),
      key: textOf(query, 'key', issues),
      address: textOf(query, 'address', issues),
      skill: textOf(query, 'skill', issues),
      code: textOf(query, 'code', issues),
      status: textOf(query, 'status', issues),
    }
    if (filter.status !== undefined && !/^[1-5](\d\d|xx)$/.test(filter.status))
      issues.push({ path: '/status', message: "must be a status, such as 402, or '4xx'" })
    const cursor = idOf(query, 'cursor', issues)
    const after = idOf(query, 'after', issues)
    if (issues.length > 0) return invalid(issues)
    const { requests, next, lookedBackTo } = await deps.store.list(filter, { limit, cursor, after })
    return privateJson({ requests: requests.map(toJson), nextCursor: next, lookedBackTo })
  }

  async function figures({ query }: RouteRequest): Promise<Response | Failure> {
    const issues: Issue[] = []
    const window = oneOf(query, 'window', WINDOW_NAMES, issues) ?? '24h'
    const mode = oneOf(query, 'mode', MODES, issues) ?? null
    if (issues.length > 0) return invalid(issues)
    return privateJson(figuresToJson(await deps.figures.of(window, mode, new Date())))
  }

  return [
    {
      method: 'GET',
      path: '/v1/admin/requests',
      summary: 'Answered requests, newest first, refused ones too',
      query: Query,
      output: Requests,
      handler: list,
    },
    {
      method: 'GET',
      path: '/v1/admin/figures',
      summary: 'Calls, errors, durations and revenue of an hour, a day, a week or a month',
      query: Type.Object({
        window: Type.Optional(Type.Enum([...WINDOW_NAMES])),
        mode: Type.Optional(Type.Enum([...MODES])),
      }),
      output: FiguresAnswer,
      handler: figures,
    },
  ]
}

function toJson(row: StoredRequest): object {
  const { id, at, method, route, path, address, product, skill, status, outcome } = row
  const { code, reason, message, mode, payer, operator, rail } = row
  return {
    id,
    at,
    requestId: row.request_id,
    method,
    route,
    path,
    address,
    product,
    skill,
    status,
    outcome,
    code,
    reason,
    message,
    upstreamStatus: row.upstream_status,
    apiKeyId: row.key_id,
    apiKeyName: row.key_name,
    accountId: row.account_id,
    mode,
    payer,
    operator,
    rail,
    chargedUsdcAtomic: Number(row.charged),
    ms: Math.round(row.duration_ms * 100) / 100,
    requestBytes: row.request_bytes,
    responseBytes: row.response_bytes,
  }
}

function figuresToJson({ from, until, stepMs, skills, earnings, steps, missingHours }: Figures) {
  const rounded = (ms: number | null) => (ms === null ? null : Math.round(ms * 10) / 10)
  return {
    from,
    until,
    stepSeconds: stepMs / 1000,
    missingHours,
    skills: skills.map((one) => ({ ...one, p50Ms: rounded(one.p50Ms), p95Ms: rounded(one.p95Ms) })),
    earnings: {
      skills: earnings.skills.map(earnedToJson),
      rails: earnings.rails.map(earnedToJson),
      keys: earnings.keys.map(earnedToJson),
    },
    steps: steps.map(({ earnedAtomic, ...step }) => ({
      ...step,
      usdcAtomic: String(earnedAtomic),
    })),
  }
}

function earnedToJson({ chargedAtomic, refundedAtomic, ...one }: Earned): object {
  return {
    ...one,
    usdcAtomic: String(chargedAtomic),
    refundedUsdcAtomic: String(refundedAtomic),
  }
}
