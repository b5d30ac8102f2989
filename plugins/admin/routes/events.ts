/** GET /v1/events: what happened to accounts and to the gateway, and whether the operator was sent it. */
import {
  type Administration,
  accountEventToJson,
  type Failure,
  invalid,
  isAccountId,
  type Issue,
  nullable,
  privateJson,
  queryInteger,
  type Route,
  type RouteRequest,
} from '#kernel'
import { Type } from 'typebox'

const SCOPES = ['accounts', 'gateway'] as const
const PAGE = { min: 1, max: 200, fallback: 50 }
const EventPage = Type.Object({
  events: Type.Array(
    Type.Object({
      id: Type.String(),
      type: Type.String({
        description:
          'Of accounts: account.low_balance, key.budget_near, plan.past_due, plan.ended, plan.not_credited; of the gateway: upstream.down, skill.failing, settlement.stuck, topup.flagged',
      }),
      timestamp: Type.String({ format: 'date-time' }),
      data: Type.Unsafe<unknown>({ type: 'object', additionalProperties: true }),
      state: Type.Enum(['pending', 'delivered', 'unsent', 'given_up']),
      attempts: Type.Integer(),
      lastError: nullable('string'),
      endedAt: nullable('string', { format: 'date-time' }),
    }),
  ),
  nextCursor: nullable('string'),
})

export function eventRoutes({ events }: Pick<Administration, 'events'>): Route[] {
  async function list({ query }: RouteRequest): Promise<Response | Failure> {
    const issues: Issue[] = []
    const limit = queryInteger(query, 'limit', PAGE, issues)
    const accountId = query.get('accountId')
    if (accountId !== null && !isAccountId(accountId)) {
      issues.push({ path: '/accountId', message: 'must be the id of an account' })
    }
    const cursor = query.get('cursor')
    if (cursor !== null && !isAccountId(cursor)) {
      issues.push({ path: '/cursor', message: 'must be nextCursor of the page before' })
    }
    const asked = query.get('scope')
    const scope = SCOPES.find((one) => one === asked)
    if (asked !== null && scope === undefined)
      issues.push({ path: '/scope', message: `must be ${SCOPES.join(' or ')}` })
    if (issues.length > 0) return invalid(issues)
    const page = await events({ accountId, cursor, limit, ...(scope && { scope }) })
    return privateJson({
      events: page.events.map((event) => ({
        ...accountEventToJson(event),
        state: event.state,
        attempts: event.attempts,
        lastError: event.lastError,
        endedAt: event.doneAt,
      })),
      nextCursor: page.nextCursor,
    })
  }
  return [
    {
      method: 'GET',
      path: '/v1/events',
      auth: 'admin',
      tag: 'Accounts',
      summary:
        'Events of accounts and of the gateway, newest first, and whether the webhook got them',
      query: Type.Object({
        accountId: Type.Optional(Type.String({ description: 'Events of this account only' })),
        scope: Type.Optional(Type.Enum([...SCOPES], { description: 'Default: both' })),
        limit: Type.Optional(
          Type.Integer({ minimum: PAGE.min, maximum: PAGE.max, default: PAGE.fallback }),
        ),
        cursor: Type.Optional(Type.String({ description: 'nextCursor of the page before' })),
      }),
      output: EventPage,
      handler: list,
    },
  ]
}
