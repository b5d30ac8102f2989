/** The table of answered requests over a real database. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { migratePlugin, pluginDb } from '../../../../kernel/storage/plugin-db.ts'
import { MIGRATIONS } from '../../../../plugins/console/migrations.ts'
import { RequestStore, type RequestPage } from '../../../../plugins/console/requests/store.ts'
import { STEPS } from '../../../../plugins/console/requests/durations.ts'
import { testDatabase } from '../../../support/database.ts'

const HOUR_MS = 3_600_000
const database = await testDatabase()
const db = pluginDb(database.db, 'console')
beforeAll(async () => {
  await migratePlugin(database.db, 'console', MIGRATIONS)
})
afterAll(() => database.close())

it('keeps the hours that have as many rows as there may be, and none before, whatever its clock', async () => {
  const store = new RequestStore(db)
  const thisHourMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS
  const durations = Array.from({ length: STEPS }, () => 0)
  const tally = { skill: '', mode: 'test', status: 404, calls: 2, kept: 2, durations }
  for (const hoursAgo of [0, 1, 2, 3]) {
    const at = new Date(thisHourMs - hoursAgo * HOUR_MS)
    await store.count([{ ...tally, at }])
    for (let n = 0; n < 2; n++)
      await db.query(
        `INSERT INTO request (id, at, request_id, method, path, address, status, mode, charged, duration_ms)
         VALUES ($1, $2, $3, 'POST', '/', '', 404, 'test', 0, 1)`,
        [Bun.randomUUIDv7('hex', at), at, `${hoursAgo}`],
      )
  }
  const kept = async (rowsMax: number) => {
    await store.purge(24 * HOUR_MS, new AbortController().signal, rowsMax)
    const rows = await db.query<{ of: string }>('SELECT request_id AS of FROM request ORDER BY id')
    return rows.map(({ of }) => of).join('')
  }
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 1000 * HOUR_MS })
  expect(await kept(8).finally(() => vi.useRealTimers())).toBe('33221100')
  expect(await kept(8)).toBe('33221100')
  expect(await kept(5)).toBe('221100')
  expect(await kept(1)).toBe('00')
})

describe('the requests of a key', () => {
  const NO_FILTER = {
    requestId: undefined,
    key: undefined,
    address: undefined,
    skill: undefined,
    code: undefined,
    status: undefined,
  }
  /** A fifth of the rows, the oldest, are of one key, whose name was another key's id. */
  beforeAll(async () => {
    await db.query('TRUNCATE request')
    await db.query(
      `INSERT INTO request (id, at, request_id, method, path, address, status, key_id, key_name, mode,
         charged, duration_ms)
       SELECT (lpad(to_hex(1700000000000 + n), 12, '0') || '70008000' || lpad(to_hex(n), 12, '0'))::uuid,
         now(), 'r' || n, 'POST', '/',
         CASE WHEN n < 2000 THEN '192.0.2.1' ELSE '198.51.100.' || n % 50 END, 200,
         CASE WHEN n < 2000 THEN 'ak_old' WHEN n < 2010 THEN 'Old one' ELSE 'ak_' || n % 50 END,
         CASE WHEN n < 2000 THEN 'Old one' WHEN n < 2010 THEN 'old ONE' ELSE 'name ' || n % 50 END,
         'test', 1, 2
       FROM generate_series(1, 10000) AS n`,
    )
    await db.query('ANALYZE request')
  })

  it('are found by its id and by its name, each once, newest first', async () => {
    const store = new RequestStore(db)
    const named = async (key: string, cursor: string | null = null) =>
      store.list({ ...NO_FILTER, key }, { limit: 12, cursor, after: null })
    const numbers = (page: RequestPage) => page.requests.map((row) => row.request_id)
    const first = await named('Old one')
    const descending = (from: number) => Array.from({ length: 12 }, (_, at) => `r${from - at}`)
    expect(numbers(first)).toEqual(descending(2009))
    expect(numbers(await named('Old one', first.next))).toEqual(descending(1997))
    expect(numbers(await named('ak_old'))).toEqual(descending(1999))
    expect(await named('nobody')).toEqual({ requests: [], next: null, lookedBackTo: null })
  })

  it.each([
    [{ key: 'ak_old' }, ['request_key', 'request_key_name']],
    [{ address: '192.0.2.1' }, ['request_address']],
    [{ requestId: 'r7', key: 'ak_old' }, ['request_request_id']],
  ])('%j is found by %j alone, however old it is', async (filter, indexes) => {
    let plan = ''
    const explaining = {
      ...db,
      async query(text: string, values: readonly unknown[]) {
        const rows = await db.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, values)
        plan = rows.map((row) => row['QUERY PLAN']).join('\n')
        return []
      },
    } as unknown as typeof db
    await new RequestStore(explaining).list(
      { ...NO_FILTER, ...filter },
      { limit: 50, cursor: null, after: null },
    )
    const used = [...plan.matchAll(/Scan\b.*? (?:using|on) (request\w*)/g)].map(([, name]) => name)
    expect(used).toEqual(indexes)
  })
})
