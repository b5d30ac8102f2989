/** Servers that are there and do not serve: every query ends, and the next ones reach them again. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClient } from '../../../host/database/client.ts'
import { durableClient } from '../../../host/database/durable-client.ts'
import { testDatabase, type TestDatabase } from '../../support/database.ts'
import { cuttingProxy, type CuttingProxy } from '../ledger/cutting-proxy.ts'

let database: TestDatabase
let proxy: CuttingProxy
beforeAll(async () => {
  database = await testDatabase()
  proxy = await cuttingProxy(database.url)
})
afterAll(async () => {
  await proxy.close()
  await database.close()
})

const client = (lookEveryMs?: number, url = proxy.url) =>
  durableClient(
    (watched) => createClient(url, { max: 4, applicationName: 'test', ...watched }),
    lookEveryMs,
  )

/** Asks until all are answered: 200 ms without a byte are silence here, and nothing on a busy machine. */
async function untilAnswered(queries: () => Promise<unknown>[]): Promise<unknown[]> {
  for (;;) {
    const answers = await Promise.all(queries()).catch(() => null)
    if (answers !== null) return answers
  }
}

test('a server that accepts and closes: queries fail, one connection each, and work once it serves', async () => {
  const sql = client()
  proxy.setDoor('closes')
  const before = proxy.accepted()
  for (let round = 1; round <= 3; round++) {
    await expect(sql`select 1`).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
  }
  await expect(sql.begin((tx) => tx`select 1`)).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
  expect(proxy.accepted() - before).toBeLessThanOrEqual(8)
  proxy.setDoor('open')
  expect(await sql`select 1 as n`).toEqual([{ n: 1 }])
  await sql.end()
})

test('a client that is not watched fails the same way, and can be used again', async () => {
  const sql = createClient(proxy.url, { max: 1, applicationName: 'test' })
  proxy.setDoor('closes')
  await expect(sql`select 1`).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
  await expect(sql`select 1`).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
  proxy.setDoor('open')
  expect(await sql`select 1 as n`).toEqual([{ n: 1 }])
  await sql.end()
})

test.each(['established', 'new'])(
  'a server that falls silent on %s connections: queries and transactions end, the next are answered',
  async (connections) => {
    const sql = client(20)
    if (connections === 'established') await untilAnswered(() => [sql`select 1`, sql`select 2`])
    proxy.setDoor('silent')
    const hung = await Promise.allSettled([
      sql`select 1`,
      sql.begin((tx) => tx`select 1`),
      ...Array.from({ length: 8 }, () => sql`select 2`),
    ])
    const codes = hung.map((result) => result.status === 'rejected' && result.reason.code)
    expect(new Set(codes)).toEqual(new Set(['CONNECTION_DESTROYED']))
    proxy.setDoor('open')
    // A client that was opened while nothing was answered is given up as well.
    expect(await untilAnswered(() => [sql`select 1 as n`])).toEqual([[{ n: 1 }]])
    await sql.end()
  },
)

test('a slow statement is no silence', async () => {
  const sql = client(500, database.url)
  // A server that really stood still for five seconds is given up, and rightly.
  let answer
  for (let left = 3; answer === undefined; left--)
    answer = await sql`select 1 as n from pg_sleep(7)`.catch((error: unknown) => {
      if (left === 1) throw error
    })
  expect(answer).toEqual([{ n: 1 }])
  await sql.end()
})

test('a client that nobody asked opens no connection', async () => {
  const before = proxy.accepted()
  const sql = client(5)
  // drizzle reads these when it is given a client.
  expect(sql.options.max).toBe(4)
  await Bun.sleep(200)
  expect(proxy.accepted()).toBe(before)
  await sql.end()
})

test('end leaves no connection behind, not even one that is being made', async () => {
  const sql = createClient(database.url, { max: 2, applicationName: 'left behind' })
  const asked = sql`select 1`.catch(() => {})
  // The query has asked for its connection, which is not there yet.
  await Promise.resolve()
  await Promise.resolve()
  await sql.end({ timeout: 0 })
  await asked
  const connections = () =>
    database.db.sql`select 1 from pg_stat_activity where application_name = 'left behind'`
  while ((await connections()).length > 0) await Bun.sleep(5)
})
