/** A BEGIN has its connection for itself, however many statements wait before it. */
import postgres from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseAddress, createClient } from '../../../host/database/client.ts'
import { durableClient, type SocketTarget } from '../../../host/database/durable-client.ts'
import type { SqlClient } from '../../../kernel/storage/contract.ts'
import { testDatabase, type TestDatabase } from '../../support/database.ts'

let database: TestDatabase
/** Sees what is committed. */
let beside: SqlClient
beforeAll(async () => {
  database = await testDatabase()
  beside = createClient(database.url, { max: 1, applicationName: 'test' })
  await beside`create table trial (name text)`
})
afterAll(async () => {
  await beside.end()
  await database.close()
})

const names = async () => (await beside`select name from trial`).map((row) => row['name'])
/** The other connection is held, so that all of `work` waits for one. */
async function onOneConnection(work: (sql: SqlClient) => Promise<unknown>[]): Promise<void> {
  const sql = durableClient((watched) =>
    createClient(database.url, { max: 2, applicationName: 'test', ...watched }),
  )
  // Both are made now, and not by what is to wait.
  await Promise.all([sql`select pg_sleep(0.01)`, sql`select pg_sleep(0.01)`])
  await sql.begin(async (tx) => {
    await tx`select 1`
    await Promise.all(work(sql))
  })
  await sql.end()
}

test('at the length of queue at which postgres.js would forget to reserve it', async () => {
  for (let before = 95; before <= 105; before++) {
    await onOneConnection((sql) => [
      ...Array.from({ length: before }, () => sql`select 1`.execute()),
      sql.begin((own) => own`insert into trial values (${`behind ${before}`})`),
    ])
  }
  expect(await names()).toHaveLength(11)
})

test('and where it has none, nothing that ran inside it is taken for done', async () => {
  const { url, path } = parseAddress(database.url)
  const sql = durableClient(({ sockets, onClose }) => {
    /** As a postgres.js that forgets: no queue is allowed, so that no BEGIN is reserved. */
    const forgetful = {
      max_pipeline: 0,
      ...(path !== undefined && { path }),
      socket: (target: SocketTarget) => sockets.open(target),
    }
    return postgres<{ bigint: postgres.PostgresType<bigint> }>(url, {
      max: 2,
      types: { bigint: postgres.BigInt },
      fetch_types: false,
      onclose: () => {
        sockets.reported()
        onClose()
      },
      ...forgetful,
    })
  })
  const begun = sql.begin((tx) => tx`select 1`)
  const inserts = Array.from({ length: 20 }, (_, n) =>
    sql`insert into trial values (${`kept ${n}`})`.then(
      () => `kept ${n}`,
      () => null,
    ),
  )
  await expect(begun).rejects.toMatchObject({ code: 'UNSAFE_TRANSACTION' })
  const answered = (await Promise.all(inserts)).filter((name) => name !== null)
  await sql`insert into trial values ('kept after')`
  expect(await names()).toEqual(expect.arrayContaining([...answered, 'kept after']))
  await sql.end()
})
