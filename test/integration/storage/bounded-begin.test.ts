/** A transaction and the statements that come too late for it. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClient } from '../../../host/database/client.ts'
import { durableClient } from '../../../host/database/durable-client.ts'
import type { SqlClient, SqlTransaction } from '../../../kernel/storage/contract.ts'
import { testDatabase, type TestDatabase } from '../../support/database.ts'

let database: TestDatabase
/** One connection, so that the next transaction has the connection of the last. */
let sql: SqlClient
beforeAll(async () => {
  database = await testDatabase()
  sql = durableClient((watched) =>
    createClient(database.url, { max: 1, applicationName: 'test', ...watched }),
  )
  await sql`create table late (n integer)`
})
afterAll(async () => {
  await sql.end()
  await database.close()
})

const rows = async () => (await sql`select n from late order by n`).map((row) => row['n'])

test('a statement that comes after a rollback is refused and changes no later transaction', async () => {
  const rolledBack = Promise.withResolvers<void>()
  let late!: Promise<unknown>
  const failed = sql.begin(async (tx) => {
    late = rolledBack.promise.then(() => tx`insert into late values (1)`)
    await Promise.all([late, tx`select 1 / 0`])
  })
  await expect(failed).rejects.toThrow('division by zero')
  await sql.begin(async (tx) => {
    rolledBack.resolve()
    await expect(late).rejects.toThrow('has ended')
    await tx`insert into late values (2)`
  })
  expect(await rows()).toEqual([2])
})

test.each<[string, (tx: SqlTransaction) => Promise<unknown>]>([
  ['a template', async (tx) => tx`insert into late values (3)`],
  ['a text', async (tx) => tx.unsafe('insert into late values (3)')],
  ['a savepoint', async (tx) => tx.savepoint((inner) => inner`insert into late values (3)`)],
])('%s after the commit is refused', async (_, statement) => {
  const kept = await sql.begin(async (tx) => ({ tx, one: await tx`select 1 as n` }))
  expect(kept.one).toEqual([{ n: 1 }])
  await expect(statement(kept.tx)).rejects.toThrow('has ended')
  expect(await rows()).toEqual([2])
})

test('a list of statements and options are taken as before', async () => {
  const [one, two] = await sql.begin((tx) => [tx`select 1 as n`, tx`select 2 as n`])
  expect([one, two]).toEqual([[{ n: 1 }], [{ n: 2 }]])
  const writing = sql.begin('read only', (tx) => tx`insert into late values (4)`)
  await expect(writing).rejects.toThrow('read-only transaction')
  expect(await rows()).toEqual([2])
})

test('work that goes on when its connection was cut reaches no other connection', async () => {
  const cut = Promise.withResolvers<void>()
  let late!: Promise<unknown>
  const broken = sql.begin(async (tx) => {
    const [me] = await tx`select pg_backend_pid() as pid`
    late = cut.promise.then(() => tx`insert into late values (5)`)
    await database.db.sql`select pg_terminate_backend(${me!['pid']})`
    await late
  })
  await expect(broken).rejects.toThrow()
  expect(await rows()).toEqual([2])
  cut.resolve()
  await expect(late).rejects.toThrow('has ended')
  expect(await rows()).toEqual([2])
})
