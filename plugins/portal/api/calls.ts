/** Paid calls of the account, one with all that is known of it, and all of them as a file. */
import { invalid, type Failure, type Issue, type Route, type Statements } from '#kernel'
import { csvResponse } from '../csv.ts'
import type { Person } from '../people.ts'
import { everyPage, pageOf } from './page.ts'
import { apiRoutes, onlyKeyOf, unknown, type ApiDeps } from './route.ts'
import { callView } from './views.ts'

type Filter = Parameters<Statements['calls']>[1]

const OUTCOMES = ['open', 'charged', 'uncharged', 'refunded'] as const
const TEXT = /^[\x20-\x7e]{1,200}$/
/** Calls of a file that are read at once. */
const FILE_PAGE = 1000

export function callRoutes(deps: ApiDeps & { statements: Statements }): Route[] {
  const { statements } = deps
  const route = apiRoutes(deps)

  async function* filePages(accountId: string, filter: Filter, signal: AbortSignal) {
    const read = (cursor: string | null) =>
      statements.calls(accountId, filter, { limit: FILE_PAGE, cursor })
    for await (const { calls } of everyPage(read, signal))
      yield calls
        .map(callView)
        .map((call) => [
          call.at,
          call.skill,
          call.path,
          call.outcome,
          call.rail,
          call.charged,
          call.keyId,
          call.requestId,
          call.transaction,
        ])
  }

  return [
    route('GET', '/calls', 'Paid calls, newest first', 'anyone', async (person, { query }) => {
      const page = pageOf(query)
      if (!page.ok) return page
      const filter = filterOf(person, query)
      if (!filter.ok) return filter
      const { calls, nextCursor } = await statements.calls(
        person.accountId,
        filter.filter,
        page.page,
      )
      return Response.json({ calls: calls.map(callView), nextCursor })
    }),
    route(
      'GET',
      '/calls.csv',
      'The same as a file',
      'anyone',
      async (person, { query, signal }) => {
        const filter = filterOf(person, query)
        if (!filter.ok) return filter
        return csvResponse(
          deps.log,
          'calls',
          ['at', 'skill', 'path', 'outcome', 'rail', 'credits', 'key', 'request id', 'transaction'],
          filePages(person.accountId, filter.filter, signal),
        )
      },
    ),
    route(
      'GET',
      '/calls/{id}',
      'One call with its ledger rows',
      'anyone',
      async (person, { params }) => {
        const found = await statements.call(person.accountId, params['id']!)
        const only = onlyKeyOf(person)
        if (!found || (only !== null && found.call.keyId !== only)) return unknown('call')
        return Response.json({ ...callView(found.call), entries: found.entries })
      },
    ),
  ]
}

function filterOf(person: Person, query: URLSearchParams): { ok: true; filter: Filter } | Failure {
  const issues: Issue[] = []
  const filter: Filter = {}
  const text = (name: string): string | undefined => {
    const value = query.get(name)
    if (value === null || value === '') return undefined
    if (!TEXT.test(value)) issues.push({ path: `/${name}`, message: 'must be a printable text' })
    return value
  }
  const time = (name: string): Date | undefined => {
    const value = text(name)
    if (value === undefined) return undefined
    const at = new Date(value)
    const year = at.getUTCFullYear()
    // Beyond these years neither ids nor the database can tell a time; NaN is no year at all.
    if (!(year >= 2000 && year < 3000))
      issues.push({ path: `/${name}`, message: 'must be a time between the years 2000 and 2999' })
    return at
  }
  // `app`: the grant of an app is a key like any other.
  const keyId = onlyKeyOf(person) ?? text('app') ?? text('key')
  if (keyId !== undefined) filter.keyId = keyId
  const skillId = text('skill')
  if (skillId !== undefined) filter.skillId = skillId
  const outcome = text('outcome')
  const known = OUTCOMES.find((one) => one === outcome)
  if (known !== undefined) filter.outcome = known
  else if (outcome !== undefined)
    issues.push({ path: '/outcome', message: `must be one of ${OUTCOMES.join(', ')}` })
  const from = time('from')
  const until = time('until')
  if (from) filter.from = from
  if (until) filter.until = until
  return issues.length > 0 ? invalid(issues) : { ok: true, filter }
}
