/** What the account spent, by day, skill and key. */
import {
  atomicToCredits,
  queryInteger,
  invalid,
  type Issue,
  type Route,
  type Statements,
} from '#kernel'
import { csvResponse } from '../csv.ts'
import type { Person } from '../people.ts'
import { apiRoutes, onlyKeyOf, type ApiDeps } from './route.ts'

const DAY_MS = 86_400_000
const DAYS = { min: 1, max: 366, fallback: 30 }

/** The day after today (UTC), up to which usage is summed. */
export function tomorrow(now: Date): Date {
  return new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS + DAY_MS)
}

export function usageRoutes(deps: ApiDeps & { statements: Statements; now(): Date }): Route[] {
  const { statements, now } = deps
  const route = apiRoutes(deps)

  async function rowsOf(person: Person, query: URLSearchParams) {
    const issues: Issue[] = []
    const days = queryInteger(query, 'days', DAYS, issues)
    if (issues.length > 0) return invalid(issues)
    const until = tomorrow(now())
    const from = new Date(until.getTime() - days * DAY_MS)
    const only = onlyKeyOf(person)
    const rows = await statements.usage(person.accountId, from, until)
    return {
      days,
      rows: rows
        .filter(({ keyId }) => only === null || keyId === only)
        .map(({ day, skillId, keyId, calls, chargedAtomic, refundedAtomic }) => ({
          day,
          skill: skillId,
          keyId,
          calls,
          charged: atomicToCredits(chargedAtomic),
          refunded: atomicToCredits(refundedAtomic),
        })),
    }
  }

  return [
    route('GET', '/usage', 'Credits by day, skill and key', 'anyone', async (person, { query }) => {
      const found = await rowsOf(person, query)
      return 'ok' in found ? found : Response.json(found)
    }),
    route('GET', '/usage.csv', 'The same as a file', 'anyone', async (person, { query }) => {
      const found = await rowsOf(person, query)
      if ('ok' in found) return found
      return csvResponse(
        'usage',
        ['day', 'skill', 'key', 'calls', 'credits', 'refunded'],
        found.rows.map((row) => [
          row.day,
          row.skill,
          row.keyId,
          row.calls,
          row.charged,
          row.refunded,
        ]),
      )
    }),
  ]
}
