/** When a notice of a low balance that was refused is sent again. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { allowList } from '../../../../host/outbound/allow-list.ts'
import { createOutbound } from '../../../../host/outbound/index.ts'
import { migratePlugin, pluginDb } from '../../../../kernel/storage/plugin-db.ts'
import { sendNotices, type LowBalanceDeps } from '../../../../plugins/portal/low-balance.ts'
import { MIGRATIONS } from '../../../../plugins/portal/migrations.ts'
import { testDatabase, type TestDatabase } from '../../../support/database.ts'
import { silentLog } from '../../../support/log.ts'

let database: TestDatabase
const receiver = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: () => new Response(null, { status: 503, headers: { 'retry-after': '1800' } }),
})
beforeAll(async () => {
  database = await testDatabase()
  await migratePlugin(database.db, 'portal', MIGRATIONS)
})
afterAll(async () => {
  await receiver.stop(true)
  await database.close()
})

it('a refused webhook is left alone for as long as it asks', async () => {
  const db = pluginDb(database.db, 'portal')
  await db.query(
    `INSERT INTO notice (id, account_id, way, body)
     VALUES (gen_random_uuid(), gen_random_uuid(), 'webhook', '{"id":"one"}')`,
  )
  const webhook = { url: `http://127.0.0.1:${receiver.port}/`, secrets: [] }
  await sendNotices(
    {
      db,
      settings: { webhook: async () => webhook },
      outbound: createOutbound({
        allowPrivate: allowList([`127.0.0.1:${receiver.port}`]),
        userAgent: 'Coinop/test',
      }),
      log: silentLog,
    } as unknown as LowBalanceDeps,
    new AbortController().signal,
  )
  const rows = await db.query(
    `SELECT last_error, due_at > made_at + interval '29 minutes' AS waits FROM notice`,
  )
  expect(rows).toEqual([{ last_error: 'http_503', waits: true }])
})
