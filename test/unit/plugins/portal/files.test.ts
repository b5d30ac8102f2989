/** Files and printed months of the account pages: of any number of rows, none is missing unsaid. */
import { expect, it } from 'vitest'
import type {
  AccountKey,
  LedgerRowJson,
  Route,
  StatementCall,
  Statements,
} from '../../../../kernel/index.ts'
import { callRoutes } from '../../../../plugins/portal/api/calls.ts'
import { keyRoutes } from '../../../../plugins/portal/api/keys.ts'
import { receiptRoutes } from '../../../../plugins/portal/api/receipts.ts'
import { usageRoutes } from '../../../../plugins/portal/api/usage.ts'
import { csvResponse } from '../../../../plugins/portal/csv.ts'

const ACCOUNT = '019c0000-0000-7000-8000-000000000000'
const DAY_MS = 86_400_000
const PEOPLE = { of: async () => ({ accountId: ACCOUNT, role: 'owner', keyId: null }) }

async function asked(routes: readonly Route[], path: string, url = path): Promise<Response> {
  const route = routes.find((one) => one.method === 'GET' && one.path === path)
  const request = new Request(`http://127.0.0.1${url}`)
  return (await route!.handler({
    request,
    params: { month: '2026-11' },
    query: new URL(request.url).searchParams,
    requestId: 'request',
    signal: request.signal,
  } as never)) as Response
}

/** Lines of the file without its headings. */
async function linesOf(response: Response): Promise<string[]> {
  expect(response.headers.get('content-type')).toContain('text/csv')
  const text = await response.text()
  expect(text.endsWith('\r\n')).toBe(true)
  return text.split('\r\n').slice(1, -1)
}

/** So many rows in pages, whose cursor is the number of the next row. */
function pagesOf<T>(count: number, row: (n: number) => T) {
  return ({ limit, cursor }: { limit: number; cursor: string | null }) => {
    const from = Number(cursor ?? 0)
    const to = Math.min(count, from + limit)
    const rows = Array.from({ length: to - from }, (_, n) => row(from + n))
    return { rows, nextCursor: to < count ? String(to) : null }
  }
}

const purchase = (n: number): LedgerRowJson =>
  ({
    id: `purchase-${n}`,
    at: '2026-11-02T00:00:00.000Z',
    kind: 'topup',
    debit: 'topup:card',
    credit: `${ACCOUNT}:available`,
    amountCredits: 0.1,
    note: null,
    transaction: null,
  }) as LedgerRowJson

function receipts(count: number): Route[] {
  const page = pagesOf(count, purchase)
  const statements = {
    async purchases(_: string, order) {
      const { rows, nextCursor } = page(order)
      return { entries: rows, nextCursor }
    },
    usage: async () => [],
  } as Partial<Statements>
  const site = { home: '/pay/account', host: 'pay.example', isHttps: false }
  const facts = { site, operator: {}, isSandbox: false, hiddenTabs: () => [] }
  return receiptRoutes({ statements, people: PEOPLE, site, facts } as never)
}

it('the file of receipts has each of more than 10,000', async () => {
  const lines = await linesOf(await asked(receipts(10_500), '/account/api/receipts.csv'))
  expect(lines.length).toBe(10_500)
  expect(lines.at(-1)).toContain('purchase-10499')
})

it('a printed month says how many receipts it leaves to its file, and sums all of them', async () => {
  const path = '/account/receipts/month/{month}'
  const text = await (await asked(receipts(1003), path, '/account/receipts/month/2026-11')).text()
  expect(text).toContain('These are the newest 1,000 of 1,003.')
  expect(text).toContain('href="/pay/account/api/receipts.csv?month=2026-11"')
  expect(text).toContain('<strong>100.3 credits</strong>')
  expect(text).toContain('purchase-999<')
  expect(text).not.toContain('purchase-1000<')
  const whole = await (await asked(receipts(2), path, '/account/receipts/month/2026-11')).text()
  expect(whole).not.toContain('These are the newest')
})

it('the file of calls has each of more than 10,000', async () => {
  const page = pagesOf(10_500, (n) => ({ id: `call-${n}`, requestId: `request-${n}` }))
  const calls = async (_account: string, _filter: object, order: never) => {
    const { rows, nextCursor } = page(order)
    const whole = rows.map((row) => ({ amountAtomic: 0n, chargedAtomic: 0n, ...row }))
    return { calls: whole as unknown as StatementCall[], nextCursor }
  }
  const routes = callRoutes({ statements: { calls }, people: PEOPLE } as never)
  const lines = await linesOf(await asked(routes, '/account/api/calls.csv'))
  expect(lines.length).toBe(10_500)
  expect(lines.at(-1)).toContain('request-10499')
})

it('the file of keys has each of them', async () => {
  const page = pagesOf(450, (n) => ({ id: `key-${n}`, name: `=${n}`, limits: {} }) as AccountKey)
  const list = async (_account: string, order: never) => {
    const { rows, nextCursor } = page(order)
    const money = { spentTodayAtomic: 0n, spentMonthAtomic: 0n }
    return { records: rows.map((row) => ({ ...row, ...money })), nextCursor }
  }
  const routes = keyRoutes({ accountKeys: { list }, people: PEOPLE } as never)
  const lines = await linesOf(await asked(routes, '/account/api/keys.csv'))
  expect(lines.length).toBe(450)
  // What a spreadsheet would run stays a text.
  expect(lines.at(-1)).toContain("key-449,'=449,")
})

it('the file of usage reads some days at a time, and each row once', async () => {
  const today = new Date('2026-11-30T12:00:00Z')
  const calls = [6000, 9000, 9000, 30_000, 1]
  const days = calls.map((ofDay, back) => ({
    day: new Date(today.getTime() - 2 * back * DAY_MS).toISOString().slice(0, 10),
    skillId: '',
    keyId: '',
    calls: ofDay,
    chargedAtomic: 0n,
    refundedAtomic: 0n,
  }))
  const spans: string[] = []
  const usage: Statements['usage'] = async (_account, from, until, part) => {
    if (part?.by === 'day') return days
    spans.push(`${from.toISOString().slice(0, 10)} ${until.toISOString().slice(0, 10)}`)
    const isIn = (day: string) => new Date(day) >= from && new Date(day) < until
    return days.filter(({ day }) => isIn(day)).map((day) => ({ ...day, keyId: 'key' }))
  }
  const deps = { statements: { usage }, people: PEOPLE, now: () => today }
  const lines = await linesOf(await asked(usageRoutes(deps as never), '/account/api/usage.csv'))
  expect(lines.map((line) => line.slice(0, 10))).toEqual(days.map(({ day }) => day))
  expect(spans).toEqual([
    '2026-11-28 2026-12-01',
    '2026-11-26 2026-11-28',
    '2026-11-24 2026-11-26',
    '2026-11-22 2026-11-24',
  ])
})

it('a file whose rows cannot be read is refused, or ends in an error, and never looks whole', async () => {
  const broken = async function* (good: number) {
    for (let page = 0; page < good; page++) yield [[page]]
    throw new Error('the database is away')
  }
  const told: unknown[] = []
  const log = { error: (_fields: object, message: string) => void told.push(message) }
  await expect(csvResponse(log, 'a', ['n'], broken(0))).rejects.toThrow('the database is away')
  const response = await csvResponse(log, 'a', ['n'], broken(2))
  await expect(response.text()).rejects.toThrow('the database is away')
  expect(told).toEqual(['a file was cut'])
})
