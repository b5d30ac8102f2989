/** What the operator's lists and sums are made of, over a real database. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../../kernel/ids.ts'
import { recordSettlement } from '../../../support/settlements.ts'
import { readableLedger, type ReadableLedger } from '../../../support/ledger-rows.ts'
import { NO_ACCOUNT } from '../../../../kernel/ledger/sql/money.ts'
import type { Reports } from '../../../../kernel/plugins/services.ts'
import type { Rail } from '../../../../kernel/rails/contract.ts'
import { createReports } from '../../../../host/reporting/reports.ts'
import { listCalls, merged, type CallsPage } from '../../../../plugins/console/reports/calls.ts'
import {
  cursorText,
  END,
  parseCursor,
  type CallsCursor,
} from '../../../../plugins/console/reports/cursor.ts'
import { Minutes } from '../../../../plugins/console/reports/minutes.ts'
import { addedUp, Revenue } from '../../../../plugins/console/reports/revenue.ts'
import type {
  RailCallFilter,
  RailCallRow,
  RailCalls,
} from '../../../../kernel/rails/calls-contract.ts'
import { creditsCalls, SCAN_ROWS } from '../../../../host/reporting/credits-calls.ts'
import { x402Calls } from '../../../../plugins/x402/claims/calls-list.ts'
import type { Database } from '../../../../kernel/storage/contract.ts'
import { migratePlugin, pluginDb } from '../../../../kernel/storage/plugin-db.ts'
import { MIGRATIONS } from '../../../../plugins/console/migrations.ts'
import { migrations } from '../../../../plugins/x402/migrations.ts'
import { testDatabase, type TestDatabase } from '../../../support/database.ts'
import { fundedKey, order } from '../../ledger/books.ts'
import { heldCall } from '../../../support/spenders.ts'
import { ownAccount } from '../../../support/accounts.ts'

const DAY_MS = 86_400_000
let database: TestDatabase
let sql: Database['sql']
let ledger: ReadableLedger
let keyId: string
let otherId: string
const ids: Record<string, string> = {}

/** A payment claim of `agoMs` ago, as the x402 rail leaves it. */
async function claim(state: string, agoMs: number, rest: Record<string, unknown> = {}) {
  const at = Date.now() - agoMs
  const id = Bun.randomUUIDv7('hex', at)
  await sql`INSERT INTO plugin_x402.x402_claim ${sql({
    id,
    network: 'eip155:8453',
    asset: '0xasset',
    payer: '0xpayer',
    nonce: id,
    state,
    fingerprint: 'f',
    request_id: `x402-${state}`,
    skill_id: 'demo.echo',
    path: '/v1/paid/echo',
    amount: 10_000n,
    price_version: 1,
    valid_before: 2_000_000_000n,
    lease_until: new Date(),
    created_at: new Date(at),
    ...rest,
  })}`
  return id
}

beforeAll(async () => {
  database = await testDatabase()
  await migratePlugin(database.db, 'x402', migrations)
  await migratePlugin(database.db, 'console', MIGRATIONS)
  sql = database.db.sql
  ledger = readableLedger(database.db)
  keyId = await fundedKey(sql, ledger, 1_000_000n)
  otherId = await fundedKey(sql, ledger, 1_000_000n)
  const charged = await heldCall(
    ledger,
    order(keyId, 10_000n, { requestId: 'r1', priceVersion: 1 }),
  )
  await ledger.capture({
    holdId: charged.id,
    accountId: ownAccount(keyId),
    keyId,
    amountAtomic: 2500n,
  })
  ids['settled'] = await claim('settled', 60, { transaction: '0xt1', ledger_id: '1' })
  const released = await heldCall(ledger, order(otherId, 30_000n, { skillId: 'demo.hash' }))
  await ledger.release({ holdId: released.id, accountId: ownAccount(otherId), keyId: otherId })
  ids['failed'] = await claim('failed', 40, { reason: 'payment_expired' })
  const open = await heldCall(ledger, order(keyId, 7n, { skillId: 'demo.hash', requestId: 'r3' }))
  ids['settling'] = await claim('settling', 5000, { uncertain: true })
  Object.assign(ids, { charged: charged.id, released: released.id, open: open.id })
})
afterAll(() => database.close())

const names = (calls: readonly { id: string }[]): string[] =>
  calls.map(({ id }) => Object.keys(ids).find((name) => ids[name] === id) ?? id)
type Filter = RailCallFilter & { rail?: string }
const railsOf = (db: Database): Record<'credits' | 'x402', RailCalls> => ({
  credits: creditsCalls(db.sql),
  x402: x402Calls(pluginDb(db, 'x402')),
})
const reportsOf = (db: Database, ledger: ReadableLedger): Reports =>
  createReports({
    sql: db.sql,
    ledger,
    rails: {
      list: () =>
        Object.entries(railsOf(db)).map(([id, calls]) => ({ id, calls }) as Partial<Rail> as Rail),
    },
    configuration: [],
    version: '0',
    startedAt: new Date(),
  })
async function list(
  db: Database,
  filter: Filter,
  page: { cursor?: CallsCursor; limit: number },
): Promise<CallsPage> {
  const rails = Object.entries(railsOf(db)).map(([id, calls]) => ({ id, calls }))
  const asked = rails.filter(({ id }) => filter.rail === undefined || filter.rail === id)
  return (await listCalls(asked, filter, page))!
}
const found = async (filter: Filter): Promise<string[]> =>
  names((await list(database.db, filter, { limit: 50 })).calls).sort()

describe('calls', () => {
  it.each([
    [{}, ['charged', 'failed', 'open', 'released', 'settled', 'settling']],
    [{ rail: 'credits' }, ['charged', 'open', 'released']],
    [{ rail: 'x402' }, ['failed', 'settled', 'settling']],
    [{ outcome: 'open' }, ['open', 'settling']],
    [{ outcome: 'charged' }, ['charged', 'settled']],
    [{ outcome: 'uncharged' }, ['failed', 'released']],
    [{ outcome: 'refunded' }, []],
    [{ requestId: 'r1' }, ['charged']],
    [{ requestId: 'x402-settling' }, ['settling']],
    [{ requestId: 'none' }, []],
    [{ skillId: 'demo.hash' }, ['open', 'released']],
    [{ skillId: 'demo.hash', outcome: 'open' }, ['open']],
  ] as const)('of %j', async (filter, expected) => {
    expect(await found(filter)).toEqual(expected)
  })

  it('of one key', async () => {
    expect(await found({ keyId })).toEqual(['charged', 'open'])
    expect(await found({ keyId: otherId })).toEqual(['released'])
    expect(await found({ keyId, outcome: 'open' })).toEqual(['open'])
    expect(await found({ keyId, requestId: 'r1' })).toEqual(['charged'])
  })

  it('come in pages, each once, in one order of time', async () => {
    const whole = (await list(database.db, {}, { limit: 50 })).calls
    expect(whole.map(({ at }) => at.getTime())).toEqual(
      whole.map(({ at }) => at.getTime()).sort((a, b) => b - a),
    )
    const paged: string[] = []
    let cursor: CallsCursor | undefined
    for (let pages = 0; pages < 10; pages++) {
      const page = await list(database.db, {}, { cursor, limit: 2 })
      paged.push(...page.calls.map(({ id }) => id))
      if (page.next === null) break
      cursor = page.next
    }
    expect(names(paged.map((id) => ({ id })))).toEqual(names(whole))
  })

  it('say what was charged: nothing yet, nothing, or a part', async () => {
    const { calls } = await list(database.db, {}, { limit: 50 })
    const charged = Object.fromEntries(
      calls.map((call) => [names([call])[0], call.chargedAtomic] as const),
    )
    expect(charged).toEqual({
      open: null,
      settling: null,
      charged: 2500n,
      settled: 10_000n,
      released: 0n,
      failed: 0n,
    })
  })

  it('link to their postings', async () => {
    const { credits, x402 } = railsOf(database.db)
    const prepaid = await credits.find(ids['charged']!)
    const rows = await ledger.rows({ ids: prepaid!.entryIds, limit: 10 })
    expect(rows.map(({ kind }) => kind)).toEqual(['release', 'capture', 'authorize'])
    const paid = await x402.find(ids['settled']!)
    expect(paid).toMatchObject({ entryIds: ['1'], settlement: { network: 'eip155:8453' } })
    expect(await credits.find(newId())).toBeNull()
    expect(await x402.find(newId())).toBeNull()
  })
})

describe('a long ledger', () => {
  let long: TestDatabase
  beforeAll(async () => {
    long = await testDatabase()
    await migratePlugin(long.db, 'x402', migrations)
    const { sql } = long.db
    // The oldest is the only one of its skill; behind the first look, and found by going on.
    await sql`
      INSERT INTO coinop.hold (id, account_id, amount, captured, created_at, expires_at, end_id,
        state, key_id, request_id, skill_id, product_id, path)
      SELECT lpad(to_hex(n), 32, '0')::uuid, gen_random_uuid(), 1, 1, now() - make_interval(secs => ${2 * SCAN_ROWS} - n), now(), gen_random_uuid(),
        'captured', 'key_a', 'r' || n, CASE WHEN n = 1 THEN 'rare.skill' ELSE 'demo.echo' END, 'demo', '/'
      FROM generate_series(1, ${SCAN_ROWS + 500}::int) n`
    await sql`
      INSERT INTO coinop.entry (id, account_id, at, amount, hold_id, kind, debit, credit, key_id)
      SELECT id, account_id, created_at, 1, id, 'authorize', 'available', 'held', key_id FROM coinop.hold`
  })
  afterAll(() => long.close())

  it('is looked through a stretch at a time', async () => {
    const first = await list(long.db, { skillId: 'rare.skill' }, { limit: 50 })
    expect(first.calls).toEqual([])
    expect(first.lookedBackTo).toBeInstanceOf(Date)
    const second = await list(
      long.db,
      { skillId: 'rare.skill' },
      { cursor: first.next!, limit: 50 },
    )
    expect(second.calls.map(({ requestId }) => requestId)).toEqual(['r1'])
    expect(second).toMatchObject({ next: null, lookedBackTo: null })
  })
})

it('merges two rails without passing over what the shorter look has not reached', () => {
  const call = (rail: string, at: number) =>
    ({ id: `${rail}${at}`, rail, at: new Date(at) }) as RailCallRow
  const rows = (rail: string, ...times: number[]) =>
    times.map((at) => ({ call: call(rail, at), cursor: `${at}` }))
  const page = merged(
    new Map([
      ['credits', { rows: rows('credits', 90), next: '50', lookedBackTo: new Date(50) }],
      ['x402', { rows: rows('x402', 95, 60, 40), next: null, lookedBackTo: null }],
    ]),
    new Map(),
    10,
  )
  expect(page.calls.map(({ id }) => id)).toEqual(['x40295', 'credits90', 'x40260'])
  expect(Object.fromEntries(page.next!)).toEqual({ credits: '50', x402: '60' })
  expect(page.lookedBackTo).toEqual(new Date(50))
})

describe('the list of calls of rails that come and go', () => {
  const rail = (id: string, ...times: number[]) => {
    const all = times.map((at) => ({
      call: { id: `${id}${at}`, rail: id, at: new Date(at) } as RailCallRow,
      cursor: String(at),
    }))
    const calls: RailCalls = {
      async list(_, { cursor, limit }) {
        if (cursor !== null && !/^\d+$/.test(cursor)) return null
        const behind = all.filter((row) => cursor === null || row.cursor < cursor)
        const rows = behind.slice(0, limit)
        const last = rows.length === limit ? rows.at(-1)! : null
        return { rows, next: last && last.cursor, lookedBackTo: last && last.call.at }
      },
      find: async () => null,
    }
    return { id, calls }
  }
  const read = async (rails: ReturnType<typeof rail>[], cursor: CallsCursor, limit: number) => {
    const page = (await listCalls(rails, {}, { cursor, limit }))!
    return { ids: page.calls.map(({ id }) => id), next: page.next }
  }
  const [a, b, c] = [rail('a', 9, 6, 3), rail('b', 8, 5, 2), rail('c-d', 7, 4, 1)]

  it('takes three at a time, by a cursor that is text', async () => {
    const first = await read([a, b, c], new Map(), 4)
    const text = cursorText(first.next!)
    expect(text).toMatch(/^[a-z0-9~.-]+$/)
    const second = await read([a, b, c], parseCursor(text)!, 5)
    expect([...first.ids, ...second.ids].join(' ')).toBe('a9 b8 c-d7 a6 b5 c-d4 a3 b2 c-d1')
  })

  it('goes on where it was with a rail that was away, and begins one that is new', async () => {
    const first = await read([a, b], new Map(), 3)
    const away = await read([a], first.next!, 1)
    expect(away.ids).toEqual(['a3'])
    const back = await read([a, b, c], away.next!, 9)
    expect(back.ids).toEqual(['c-d7', 'b5', 'c-d4', 'b2', 'c-d1'])
    expect(back.next).toBeNull()
  })

  it('reads the cursors of before, and refuses what is none', async () => {
    const id = newId()
    expect(parseCursor(`12.${id}`)).toEqual(
      new Map([
        ['credits', '12'],
        ['x402', id],
      ]),
    )
    expect(parseCursor('.end')).toEqual(
      new Map([
        ['credits', null],
        ['x402', END],
      ]),
    )
    for (const text of ['', 'zzz', '1.2.3', 'a~1.', 'a~1..b~', 'a~b~c', 'A~1', 'a~x_y']) {
      expect(parseCursor(text), text).toBeNull()
    }
    expect(await listCalls([a, b], {}, { cursor: new Map([['b', 'x']]), limit: 1 })).toBeNull()
  })
})

describe('sums', () => {
  it('revenue by UTC day, skill and rail, without what was sold as credits', async () => {
    const [capture] = await ledger.rows({ kind: 'capture', limit: 1 })
    const now = new Date(`${capture!.at.toISOString().slice(0, 10)}T23:59:59.999Z`)
    // At noon: the last minute of yesterday would be in the last hour of a run soon after midnight.
    const yesterday = new Date(now.getTime() - DAY_MS - DAY_MS / 2)
    const posting = (rest: object) =>
      sql`INSERT INTO coinop.entry ${sql({
        account_id: NO_ACCOUNT,
        amount: 10_000n,
        kind: 'settlement',
        debit: 'x402:eip155:8453',
        credit: 'settlement',
        rail: 'x402',
        skill_id: 'demo.hash',
        at: yesterday,
        ...rest,
      })}`
    const longAgo = new Date(now.getTime() - 30 * DAY_MS)
    const settled = Bun.randomUUIDv7('hex', yesterday)
    await posting({ id: settled, legacy_id: 41n })
    await posting({ id: Bun.randomUUIDv7('hex', yesterday), skill_id: 'topup.x402' })
    await posting({ id: Bun.randomUUIDv7('hex', longAgo), at: longAgo })
    // By the number that the row had before ledger ids were UUIDs, and by its id.
    for (const [reference, amountAtomic] of [
      ['refund:41', 4000n],
      [`refund:${settled}`, 6000n],
    ] as const) {
      await ledger.credit({
        accountId: ownAccount(keyId),
        keyId,
        amountAtomic,
        source: 'settlement',
        reference,
        kind: 'refund',
      })
    }
    const revenue = new Revenue(reportsOf(database.db, ledger), pluginDb(database.db, 'console'))
    const from = new Date(now.toISOString().slice(0, 10))
    from.setUTCDate(from.getUTCDate() - 6)
    const none = new AbortController().signal
    const before = await revenue.since(from, now)
    expect(before.missing).toBeGreaterThan(100)
    await revenue.catchUp(now, none)
    const { hours, missing } = await revenue.since(from, now)
    expect(missing).toBe(0)
    const rowsOf = (day: Date) => {
      const text = day.toISOString().slice(0, 10)
      const rows = hours.flatMap(({ at, rows }) => (at.toISOString().startsWith(text) ? rows : []))
      return addedUp(rows, ({ skill, rail }) => `${rail} ${skill}`).map(
        ({ row, calls, chargedAtomic, refundedAtomic }) => [
          row.skill,
          row.rail,
          calls,
          chargedAtomic,
          refundedAtomic,
        ],
      )
    }
    expect(rowsOf(now)).toEqual([
      ['demo.echo', 'credits', 1, 2500n, 0n],
      ['demo.hash', 'x402', 0, 0n, 10_000n],
    ])
    expect(rowsOf(yesterday)).toEqual([['demo.hash', 'x402', 1, 10_000n, 0n]])
    expect(hours.filter(({ at }) => at < new Date(yesterday.getTime() - DAY_MS))).toEqual([])
    const [paid] = hours.flatMap(({ rows }) => rows.filter(({ rail }) => rail === 'credits'))
    expect(paid).toMatchObject({ key: keyId, mode: 'test' })
    // A second round finds nothing to sum.
    await revenue.catchUp(now, none)
    expect((await revenue.since(from, now)).hours).toEqual(hours)
  })

  it('charged and failed calls by minute', async () => {
    const minutes = await new Minutes(reportsOf(database.db, ledger)).of(new Date())
    expect(minutes).toHaveLength(60)
    const sum = (of: 'charged' | 'uncharged') =>
      minutes.reduce((total, minute) => total + minute[of], 0)
    // The given-back rest of the partial capture is no failure.
    expect([sum('charged'), sum('uncharged')]).toEqual([1, 2])
  })

  it('what is open now, and who listens', async () => {
    for (const instance of [database.open(), database.open()]) await instance.listen('x', () => {})
    const reports = reportsOf(database.db, ledger)
    expect(await reports.instances()).toMatchObject([
      { since: expect.any(Date) },
      { since: expect.any(Date) },
    ])
    expect(await reports.openHolds()).toMatchObject({
      open: 1,
      amountAtomic: 7n,
      oldestAt: expect.any(Date),
    })
    expect(await railsOf(database.db).x402.pending!()).toMatchObject({
      pending: 1,
      uncertain: 1,
      oldestAt: expect.any(Date),
    })
  })
})

it('the ledger rows of a settlement come with its refund', async () => {
  const { ledgerId } = await recordSettlement(database.db, {
    accountId: ownAccount(otherId),
    keyId: otherId,
    requestId: 'refunded',
    rail: 'x402',
    network: 'eip155:8453',
    skillId: 'demo.hash',
    path: '/v1/paid/hash',
    amountAtomic: 5n,
    priceVersion: 1,
    acquisition: null,
    transaction: '0xt9',
    reference: '0xt9',
  })
  const reference = `refund:${ledgerId}`
  const credit = {
    accountId: ownAccount(otherId),
    keyId: otherId,
    amountAtomic: 5n,
    source: 'settlement',
    reference,
  } as const
  await ledger.credit({ ...credit, kind: 'refund' })
  const reports = reportsOf(database.db, ledger)
  const rows = await reports.entries([ledgerId])
  expect(rows.map(({ kind }) => kind)).toEqual(['refund', 'settlement'])
  expect(await reports.entries([])).toEqual([])
  expect(await reports.transactions('refunded')).toEqual(['0xt9'])
})
