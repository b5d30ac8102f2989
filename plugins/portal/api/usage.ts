/** What the account spent, by day, skill and key. */
import {
  atomicToCredits,
  queryInteger,
  invalid,
  type Failure,
  type Issue,
  type Route,
  type RouteRequest,
  type Statements,
} from '#kernel'
import { csvResponse } from '../csv.ts'
import type { Person } from '../people.ts'
import { apiRoutes, onlyKeyOf, type ApiDeps } from './route.ts'

const DAY_MS = 86_400_000
const DAYS = { min: 1, max: 366, fallback: 30 }
/** Keys that the page lists, those that spent most first; the file has all of them. */
const LISTED_KEYS = 500
/** Calls whose days are read at once for a file, which has a row for each of them at most. */
const FILE_CALLS = 20_000

type Part = 'day' | 'skillId' | 'keyId'

interface Asked {
  days: number
  from: Date
  until: Date
  accountId: string
  keyId: string | null
}

/** The day after today (UTC), up to which usage is summed. */
export function tomorrow(now: Date): Date {
  return new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS + DAY_MS)
}

export function usageRoutes(deps: ApiDeps & { statements: Statements; now(): Date }): Route[] {
  const { statements, now } = deps
  const route = apiRoutes(deps)

  /** The days that a query asks for, and whose usage. */
  function askedBy({ query }: RouteRequest, person: Person): Asked | Failure {
    const issues: Issue[] = []
    const days = queryInteger(query, 'days', DAYS, issues)
    if (issues.length > 0) return invalid(issues)
    const until = tomorrow(now())
    const from = new Date(until.getTime() - days * DAY_MS)
    return { days, from, until, accountId: person.accountId, keyId: onlyKeyOf(person) }
  }

  const read = ({ accountId, from, until, keyId }: Asked, by?: Part) =>
    statements.usage(accountId, from, until, {
      ...(keyId !== null && { keyId }),
      ...(by && { by }),
    })

  /** Rows of whole days, newest first, so many days at a time as have FILE_CALLS calls. */
  async function* filePages(asked: Asked, signal: AbortSignal) {
    let until = asked.until
    let calls = 0
    const used = (await read(asked, 'day')).toSorted((a, b) => b.day.localeCompare(a.day))
    for (const [at, { day, calls: ofDay }] of used.entries()) {
      calls += ofDay
      const next = used[at + 1]
      if (next && calls + next.calls <= FILE_CALLS) continue
      signal.throwIfAborted()
      const from = new Date(`${day}T00:00:00Z`)
      const rows = await read({ ...asked, from, until })
      yield rows.map((row) => [
        row.day,
        row.skillId,
        row.keyId,
        row.calls,
        atomicToCredits(row.chargedAtomic),
        atomicToCredits(row.refundedAtomic),
      ])
      until = from
      calls = 0
    }
  }

  return [
    route(
      'GET',
      '/usage',
      'Credits by day, by skill and by key',
      'anyone',
      async (person, asking) => {
        const asked = askedBy(asking, person)
        if ('ok' in asked) return asked
        const [days, skills, keys] = await Promise.all([
          read(asked, 'day'),
          read(asked, 'skillId'),
          read(asked, 'keyId'),
        ])
        return Response.json({
          days: asked.days,
          byDay: sumsBy('day', days),
          bySkill: sumsBy('skillId', skills),
          byKey: sumsBy('keyId', keys.slice(0, LISTED_KEYS)),
          keysAreMore: keys.length > LISTED_KEYS,
        })
      },
    ),
    route(
      'GET',
      '/usage.csv',
      'By day, skill and key as a file',
      'anyone',
      async (person, asking) => {
        const asked = askedBy(asking, person)
        if ('ok' in asked) return asked
        return csvResponse(
          deps.log,
          'usage',
          ['day', 'skill', 'key', 'calls', 'credits', 'refunded'],
          filePages(asked, asking.signal),
        )
      },
    ),
  ]
}

type UsageRow = Awaited<ReturnType<Statements['usage']>>[number]

function sumsBy(name: Part, rows: readonly UsageRow[]) {
  return rows.map((row) => ({
    name: row[name],
    calls: row.calls,
    credits: atomicToCredits(row.chargedAtomic - row.refundedAtomic),
  }))
}
