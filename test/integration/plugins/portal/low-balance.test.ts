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
let answer: () => Response
const receiver = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: () => answer(),
})
beforeAll(async () => {
  database = await testDatabase()
  await migratePlugin(database.db, 'portal', MIGRATIONS)
})
afterAll(async () => {
  await receiver.stop(true)
  await database.close()
})

/** Sends one notice by webhook; what became of it. */
async function sent(signal: AbortSignal): Promise<object | undefined> {
  const db = pluginDb(database.db, 'portal')
  await db.query('DELETE FROM notice')
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
    signal,
  )
  const [row] = await db.query<object>(
    `SELECT last_error AS error, due_at > made_at + interval '29 minutes' AS waits,
       due_at <= now() AS "isDue" FROM notice`,
  )
  return row
}

it('a refused webhook is left alone for as long as it asks', async () => {
  answer = () => new Response(null, { status: 503, headers: { 'retry-after': '1800' } })
  const row = await sent(new AbortController().signal)
  expect(row).toEqual({ error: 'http_503', waits: true, isDue: false })
})

it('a notice that the end of a gateway cuts off is due at once', async () => {
  const ending = new AbortController()
  answer = () => {
    ending.abort()
    return new Response()
  }
  expect(await sent(ending.signal)).toEqual({ error: 'aborted', waits: false, isDue: true })
})
