/** What the operator's lists and sums are made of, over a real database. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../kernel/ids.ts'
import type { Ledger } from '../../../kernel/ledger/contract.ts'
import { createLedger } from '../../../kernel/ledger/ledger.ts'
import {
  listCalls,
  merged,
  type CallsCursor,
  type CallsPage,
} from '../../../kernel/http/activity/calls.ts'
import { Minutes } from '../../../kernel/http/activity/minutes.ts'
import { Revenue } from '../../../kernel/http/activity/revenue.ts'
import { standing } from '../../../kernel/http/activity/standing.ts'
import type { RailCallFilter, RailCallRow, RailCalls } from '../../../kernel/rails/contract.ts'
import { creditsCalls, SCAN_ROWS } from '../../../kernel/rails/credits/calls.ts'
import { x402Calls } from '../../../plugins/x402/claims/calls-list.ts'
import type { PluginTx, SqlClient } from '../../../kernel/storage/contract.ts'
import { testDatabase, type TestDatabase } from '../../support/database.ts'
import { fundedKey, held, order } from '../ledger/books.ts'

const DAY_MS = 86_400_000
let database: TestDatabase
let sql: SqlClient
let ledger: Ledger
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
  sql = database.db.sql
  ledger = createLedger(database.db)
  keyId = await fundedKey(sql, ledger, 1_000_000n)
  otherId = await fundedKey(sql, ledger, 1_000_000n)
  const charged = await held(ledger, order(keyId, 10_000n, { requestId: 'r1', priceVersion: 1 }))
  await ledger.capture({ holdId: charged.id, keyId, amountAtomic: 2500n })
  ids['settled'] = await claim('settled', 60, { transaction: '0xt1', ledger_id: '1' })
  const released = await held(ledger, order(otherId, 30_000n, { skillId: 'demo.hash' }))
  await ledger.release({ holdId: released.id, keyId: otherId })
  ids['failed'] = await claim('failed', 40, { reason: 'payment_expired' })
  const open = await held(ledger, order(keyId, 7n, { skillId: 'demo.hash', requestId: 'r3' }))
  ids['settling'] = await claim('settling', 5000, { uncertain: true })
  Object.assign(ids, { charged: charged.id, released: released.id, open: open.id })
})
afterAll(() => database.close())

const names = (calls: readonly { id: string }[]): string[] =>
  calls.map(({ id }) => Object.keys(ids).find((name) => ids[name] === id) ?? id)
type Filter = RailCallFilter & { rail?: string }
const railsOf = (sql: SqlClient): Record<'credits' | 'x402', RailCalls> => ({
  credits: creditsCalls(sql),
  x402: x402Calls({ query: sql.unsafe.bind(sql) as unknown as PluginTx['query'] }),
})
async function list(
  sql: SqlClient,
  filter: Filter,
  page: { cursor?: CallsCursor; limit: number },
): Promise<CallsPage> {
  const rails = Object.entries(railsOf(sql)).map(([id, calls]) => ({ id, calls }))
  const asked = rails.filter(({ id }) => filter.rail === undefined || filter.rail === id)
  return (await listCalls(asked, filter, page))!
}
const found = async (filter: Filter): Promise<string[]> =>
  names((await list(sql, filter, { limit: 50 })).calls).sort()

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
    const whole = (await list(sql, {}, { limit: 50 })).calls
    expect(whole.map(({ at }) => at.getTime())).toEqual(
      whole.map(({ at }) => at.getTime()).sort((a, b) => b - a),
    )
    const paged: string[] = []
    let cursor: CallsCursor | undefined
    for (let pages = 0; pages < 10; pages++) {
      const page = await list(sql, {}, { cursor, limit: 2 })
      paged.push(...page.calls.map(({ id }) => id))
      if (page.next === null) break
      cursor = page.next
    }
    expect(names(paged.map((id) => ({ id })))).toEqual(names(whole))
  })

  it('say what was charged: nothing yet, nothing, or a part', async () => {
    const { calls } = await list(sql, {}, { limit: 50 })
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
    const { credits, x402 } = railsOf(sql)
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
    const { sql } = long.db
    // The oldest is the only one of its skill; behind the first look, and found by going on.
    await sql`
      INSERT INTO coinop.hold (id, amount, captured, created_at, expires_at, authorize_entry, end_entry,
        state, key_id, request_id, skill_id, path)
      SELECT gen_random_uuid(), 1, 1, now() - make_interval(secs => ${2 * SCAN_ROWS} - n), now(), n, n + 1000000,
        'captured', 'key_a', 'r' || n, CASE WHEN n = 1 THEN 'rare.skill' ELSE 'demo.echo' END, '/'
      FROM generate_series(1, ${SCAN_ROWS + 500}::int) n`
    await sql`
      INSERT INTO coinop.entry (id, at, amount, hold_id, kind, debit, credit, key_id)
      SELECT authorize_entry, created_at, 1, id, 'authorize', 'available', 'held', key_id FROM coinop.hold`
  })
  afterAll(() => long.close())

  it('is looked through a stretch at a time', async () => {
    const { sql } = long.db
    const first = await list(sql, { skillId: 'rare.skill' }, { limit: 50 })
    expect(first.calls).toEqual([])
    expect(first.lookedBackTo).toBeInstanceOf(Date)
    const second = await list(sql, { skillId: 'rare.skill' }, { cursor: first.next!, limit: 50 })
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

describe('sums', () => {
  it('revenue by UTC day, skill and rail, without what was sold as credits', async () => {
    const [capture] = await ledger.rows({ kind: 'capture', limit: 1 })
    const now = new Date(`${capture!.at.toISOString().slice(0, 10)}T23:59:59.999Z`)
    const yesterday = new Date(now.getTime() - DAY_MS)
    const posting = (rest: object) =>
      sql`INSERT INTO coinop.entry ${sql({
        amount: 10_000n,
        kind: 'settlement',
        debit: 'x402:eip155:8453',
        credit: 'settlement',
        rail: 'x402',
        skill_id: 'demo.hash',
        at: yesterday,
        ...rest,
      })}`
    // Ids rise with time: these are older than the ledger's own.
    await posting({ id: 0n })
    await posting({ id: -1n, skill_id: 'topup.x402' })
    await posting({ id: -2n, at: new Date(now.getTime() - 30 * DAY_MS) })
    await ledger.credit({
      keyId,
      amountAtomic: 10_000n,
      source: 'settlement',
      reference: 'refund:0',
      kind: 'refund',
    })
    const revenue = new Revenue(sql)
    const days = await revenue.days(now)
    expect(days).toHaveLength(7)
    expect(days[0]!.rows).toEqual([
      { skillId: 'demo.hash', rail: 'x402', calls: 0, chargedAtomic: 0n, refundedAtomic: 10_000n },
      { skillId: 'demo.echo', rail: 'credits', calls: 1, chargedAtomic: 2500n, refundedAtomic: 0n },
    ])
    expect(days[1]!.rows).toEqual([
      { skillId: 'demo.hash', rail: 'x402', calls: 1, chargedAtomic: 10_000n, refundedAtomic: 0n },
    ])
    expect(days.slice(2).flatMap(({ rows }) => rows)).toEqual([])
    expect(await revenue.days(now)).toEqual(days)
  })

  it('charged and failed calls by minute', async () => {
    const minutes = await new Minutes(sql).of(new Date())
    expect(minutes).toHaveLength(60)
    const sum = (of: 'charged' | 'uncharged') =>
      minutes.reduce((total, minute) => total + minute[of], 0)
    // The given-back rest of the partial capture is no failure.
    expect([sum('charged'), sum('uncharged')]).toEqual([1, 2])
  })

  it('what is open now, and who listens', async () => {
    for (const instance of [database.open(), database.open()]) await instance.listen('x', () => {})
    expect(await standing(sql)).toMatchObject({
      instances: [{ since: expect.any(Date) }, { since: expect.any(Date) }],
      holds: { open: 1, amountAtomic: 7n, oldestAt: expect.any(Date) },
      settlements: { pending: 1, uncertain: 1, oldestAt: expect.any(Date) },
    })
  })
})
