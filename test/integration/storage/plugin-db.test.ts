import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PluginTx } from '../../../kernel/storage/contract.ts'
import { migratePlugin, pluginDb, transactionOf } from '../../../kernel/storage/plugin-db.ts'
import { planPluginMigrations } from '../../../cli/migration-plan.ts'
import { testDatabase, type TestDatabase } from '../../support/database.ts'

const FIRST = {
  id: 'first',
  up: 'create table note (id bigint primary key, body jsonb, at timestamptz)',
}
const SECOND = { id: 'second', up: 'create table other (n int); insert into other values (7)' }

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

test('migrations run once, in order, also when eight instances start together', async () => {
  const { db } = database
  const runs = await Promise.all(
    Array.from({ length: 8 }, () => migratePlugin(db, 'once', [FIRST, SECOND])),
  )
  expect(runs.filter((ids) => ids.length > 0)).toEqual([['first', 'second']])
  expect(await migratePlugin(db, 'once', [FIRST, SECOND, { id: 'third', up: 'select 1' }])).toEqual(
    ['third'],
  )
  expect(await pluginDb(db, 'once').query('select n from other')).toEqual([{ n: 7 }])
})

test('a changed, removed or overtaken migration is refused', async () => {
  const { db } = database
  await migratePlugin(db, 'fixed', [FIRST])
  const changed = { ...FIRST, up: 'create table note (id int)' }
  await expect(migratePlugin(db, 'fixed', [changed])).rejects.toThrow(
    'first of plugin fixed was changed',
  )
  await expect(migratePlugin(db, 'fixed', [SECOND, FIRST])).rejects.toThrow(
    'first of plugin fixed was moved or removed',
  )
})

test('a migration whose earlier text it names goes on where that one was applied', async () => {
  const { db } = database
  await migratePlugin(db, 'reworded', [FIRST])
  const reworded = { ...FIRST, up: 'create table note (id int)' }
  const checksum = new Bun.CryptoHasher('sha256').update(FIRST.up).digest('hex')
  const known = { ...reworded, earlierChecksums: ['0'.repeat(64), checksum] }
  expect(await migratePlugin(db, 'reworded', [known, SECOND])).toEqual(['second'])
  await expect(migratePlugin(db, 'reworded', [reworded, SECOND])).rejects.toThrow('was changed')
})

test('a version before the last migration is refused, and the newer one is named as the way', async () => {
  const { db } = database
  await migratePlugin(db, 'ahead', [FIRST, SECOND])
  await expect(migratePlugin(db, 'ahead', [FIRST])).rejects.toMatchObject({
    message: 'The database has 2 migrations of plugin ahead, this version knows 1.',
    fix: expect.stringMatching(/^Start the newer version .* or restore a backup/),
  })
})

test('a plan names what plugins lack, and refuses tables of a newer version', async () => {
  const { db } = database
  await migratePlugin(db, 'behind-one', [FIRST])
  const plan = (id: string, ...migrations: (typeof FIRST)[]) =>
    planPluginMigrations(db.sql, [{ id, migrations }])
  expect(await plan('behind-one', FIRST)).toEqual([])
  expect(await plan('behind-one', FIRST, SECOND)).toMatchObject([{ tag: 'second' }])
  expect(await plan('without-tables', FIRST)).toEqual([])
  await migratePlugin(db, 'behind-one', [FIRST, SECOND])
  await expect(plan('behind-one', FIRST)).rejects.toThrow(
    'The database has 2 migrations of plugin behind-one, this version knows 1.',
  )
})

test('a failing migration undoes all of its run', async () => {
  const { db } = database
  const broken = { id: 'broken', up: 'select nothing_there' }
  await expect(migratePlugin(db, 'undone', [FIRST, broken])).rejects.toThrow('nothing_there')
  expect(await migratePlugin(db, 'undone', [FIRST])).toEqual(['first'])
})

test('two plugins with the same statement each have their own table', async () => {
  const { db } = database
  for (const id of ['left', 'right-hand']) {
    await migratePlugin(db, id, [FIRST])
    await pluginDb(db, id).query('insert into note values ($1, $2, $3)', [
      2n ** 53n + 1n,
      { from: id },
      new Date(0),
    ])
  }
  for (const id of ['left', 'right-hand']) {
    expect(await pluginDb(db, id).query('select * from note')).toEqual([
      { id: 9007199254740993n, body: { from: id }, at: new Date(0) },
    ])
  }
  await expect(pluginDb(db, 'left').query('select 1; select 2')).rejects.toThrow(
    /multiple commands/,
  )
})

test('a throw rolls back; the kernel joins the same transaction with qualified names', async () => {
  const { db } = database
  await migratePlugin(db, 'joined', [FIRST])
  await db.sql`create table coinop.joined (n int)`
  const plugin = pluginDb(db, 'joined')
  async function both(tx: PluginTx, n: number): Promise<void> {
    await tx.query('insert into note (id) values ($1)', [n])
    await transactionOf(tx)`insert into coinop.joined values (${n})`
  }
  await expect(
    plugin.transaction(async (tx) => {
      await both(tx, 1)
      throw new Error('undone')
    }),
  ).rejects.toThrow('undone')
  expect(await plugin.transaction((tx) => both(tx, 2).then(() => 'done'))).toBe('done')
  expect(await plugin.query('select id from note')).toEqual([{ id: 2n }])
  expect(await db.sql`select n from coinop.joined`).toEqual([{ n: 2 }])
  expect(() => transactionOf({ query: async () => [] })).toThrow()
})
