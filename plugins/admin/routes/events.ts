/** GET /v1/events: what happened to accounts, for the operator, and whether it was delivered. */
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

const PAGE = { min: 1, max: 200, fallback: 50 }
const EventPage = Type.Object({
  events: Type.Array(
    Type.Object({
      id: Type.String(),
      type: Type.String({
        description: 'account.low_balance, key.budget_near, plan.past_due, plan.ended',
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
    if (issues.length > 0) return invalid(issues)
    const page = await events({ accountId, cursor, limit })
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
      summary: 'Events of accounts, newest first, and whether the webhook got them',
      query: Type.Object({
        accountId: Type.Optional(Type.String({ description: 'Events of this account only' })),
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
