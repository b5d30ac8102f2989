/** Purchases and months as receipts: JSON, a file, and pages to print. */
import { ATOMIC_PER_CREDIT, invalid, type Route, type RouteRequest, type Statements } from '#kernel'
import { csvResponse } from '../csv.ts'
import { pageResponse, problemPage, type PageFacts } from '../documents/layout.ts'
import { monthBody, purchaseBody, type MonthFacts } from '../documents/receipt.ts'
import type { People, Person } from '../people.ts'
import type { Receipt } from '../page/wire.ts'
import { FOLDER, signInUrl } from '../site.ts'
import { seeOther } from '../answers.ts'
import { everyPage, pageOf } from './page.ts'
import { apiRoutes, unknown, type ApiDeps } from './route.ts'
import { purchaseView } from './views.ts'

export interface ReceiptDeps extends ApiDeps {
  people: People
  facts: PageFacts
  statements: Statements
}

const MONTH = /^20\d\d-(0[1-9]|1[0-2])$/
/** Purchases that are read at once. */
const PAGE_ROWS = 1000
/** The most purchases that a printed month lists; the file of the month has them all. */
const PRINTED_ROWS = 1000
const UNITS = Number(ATOMIC_PER_CREDIT)

export function receiptRoutes(deps: ReceiptDeps): Route[] {
  const { facts, statements } = deps
  const route = apiRoutes(deps)

  /** The purchases of one month, or of all time, newest first. */
  async function* purchases(
    person: Person,
    month: string | null,
    signal: AbortSignal,
  ): AsyncGenerator<readonly Receipt[]> {
    const until = month === null ? undefined : monthEnd(month)
    const read = (cursor: string | null) =>
      statements.purchases(person.accountId, { limit: PAGE_ROWS, cursor, ...(until && { until }) })
    for await (const { entries } of everyPage(read, signal)) {
      const views = entries.map((row) => purchaseView(person.accountId, row))
      yield views.filter(({ at }) => month === null || at.startsWith(month))
      const oldest = views.at(-1)
      if (month !== null && oldest && oldest.at.slice(0, 7) < month) return
    }
  }

  async function monthOf(person: Person, month: string, signal: AbortSignal): Promise<MonthFacts> {
    const from = new Date(`${month}-01T00:00:00Z`)
    const skills = await statements.usage(person.accountId, from, monthEnd(month), {
      by: 'skillId',
    })
    const listed: Receipt[] = []
    let count = 0
    // In the unit of the ledger: floats would drift.
    let units = 0
    for await (const page of purchases(person, month, signal)) {
      listed.push(...page.slice(0, PRINTED_ROWS - listed.length))
      count += page.length
      for (const { credits } of page) units += Math.round(credits * UNITS)
    }
    return {
      month,
      accountId: person.accountId,
      purchases: { listed, count, credits: units / UNITS },
      skills: skills.map(({ skillId, calls, chargedAtomic, refundedAtomic }) => ({
        skill: skillId,
        calls,
        chargedAtomic: chargedAtomic - refundedAtomic,
      })),
    }
  }

  const printed = (
    path: string,
    summary: string,
    show: (person: Person, request: RouteRequest) => Promise<Response | null>,
  ): Route => ({
    method: 'GET',
    path: FOLDER + path,
    auth: 'public',
    tag: 'Account pages',
    sameOrigin: true,
    summary,
    async handler(asked) {
      const { request, requestId } = asked
      const person = await deps.people.of(asked)
      if (person === null) {
        const { pathname } = new URL(request.url)
        return seeOther(signInUrl(facts.site, facts.site.home + pathname.slice(FOLDER.length)))
      }
      const found = person.role === 'owner' ? await show(person, asked) : null
      const message = 'The account has no such receipt'
      return found ?? problemPage(facts, { status: 404, title: 'Nothing here', message, requestId })
    },
  })

  return [
    route(
      'GET',
      '/receipts',
      'What was bought, newest first',
      'owner',
      async (person, { query }) => {
        const page = pageOf(query)
        if (!page.ok) return page
        const found = await statements.purchases(person.accountId, page.page)
        return Response.json({
          receipts: found.entries.map((row) => purchaseView(person.accountId, row)),
          nextCursor: found.nextCursor,
        })
      },
    ),
    route('GET', '/receipts.csv', 'The same as a file', 'owner', async (person, asked) => {
      const month = asked.query.get('month')
      if (month !== null && !MONTH.test(month)) {
        return invalid([{ path: '/month', message: 'must be a month such as 2026-11' }])
      }
      return csvResponse(
        deps.log,
        month === null ? 'receipts' : `receipts-${month}`,
        ['at', 'kind', 'from', 'credits', 'transaction', 'note', 'id'],
        filePages(purchases(person, month, asked.signal)),
      )
    }),
    route('GET', '/receipts/{id}', 'One purchase', 'owner', async (person, { params }) => {
      const found = await one(person, params['id']!)
      return found ? Response.json(found) : unknown('receipt')
    }),
    printed('/receipts/{id}', 'A receipt to print', async (person, { params }) => {
      const found = await one(person, params['id']!)
      if (!found) return null
      const body = purchaseBody(facts, person.accountId, found)
      return pageResponse(facts, { title: 'Receipt', forms: 'self', session: person, body })
    }),
    printed('/receipts/month/{month}', 'A month to print', async (person, { params, signal }) => {
      const month = params['month']!
      if (!MONTH.test(month)) return null
      const body = monthBody(facts, await monthOf(person, month, signal))
      return pageResponse(facts, { title: month, forms: 'self', session: person, body })
    }),
  ]

  async function one(person: Person, id: string): Promise<Receipt | null> {
    const row = await statements.purchase(person.accountId, id)
    return row && purchaseView(person.accountId, row)
  }
}

async function* filePages(pages: AsyncIterable<readonly Receipt[]>) {
  for await (const page of pages)
    yield page.map((row) => [
      row.at,
      row.kind,
      row.source,
      row.credits,
      row.transaction,
      row.note,
      row.id,
    ])
}

/** When the month, such as '2026-11', is over. */
function monthEnd(month: string): Date {
  const [year, number] = month.split('-').map(Number)
  return new Date(Date.UTC(year!, number!, 1))
}
