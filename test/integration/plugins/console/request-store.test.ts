/** The table of answered requests over a real database. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { migratePlugin, pluginDb } from '../../../../kernel/storage/plugin-db.ts'
import { MIGRATIONS } from '../../../../plugins/console/migrations.ts'
import { RequestStore } from '../../../../plugins/console/requests/store.ts'
import { STEPS } from '../../../../plugins/console/requests/recorder.ts'
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
