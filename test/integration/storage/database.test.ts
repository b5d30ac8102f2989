import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDatabase, type TestDatabase } from '../../support/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

test('int8 is bigint both ways, json is encoded once, times are Dates, names resolve in coinop', async () => {
  const { sql, orm } = database.db
  // drizzle changes the parsers of its client; the kernel's must not notice.
  expect(await orm.execute('select now() as t')).toHaveLength(1)
  const [row] = await sql`
    select ${9007199254740993n}::int8 as n, ${sql.json('x')}::jsonb as j, now() as t,
      current_schema() as s, current_setting('TimeZone') as z`
  expect(row).toEqual({ n: 9007199254740993n, j: 'x', t: expect.any(Date), s: 'coinop', z: 'UTC' })
})

test('a second pool on the same database sees the same rows; another test database does not', async () => {
  const { db } = database
  const second = database.open()
  const other = await testDatabase()
  try {
    await db.sql`create table seen (n int)`
    await db.sql`insert into seen values (1)`
    expect(await second.sql`select n from seen`).toEqual([{ n: 1 }])
    const [there] = await other.db.sql`select to_regclass('coinop.seen') as name`
    expect(there).toEqual({ name: null })
  } finally {
    await other.close()
  }
})

test('notifications reach every handler of every instance until it unlistens', async () => {
  const { db } = database
  const second = database.open()
  const got: string[] = []
  const next = (count: number) =>
    new Promise<void>((resolve) => {
      const timer = setInterval(() => {
        if (got.length < count) return
        clearInterval(timer)
        resolve()
      }, 5)
    })
  const first = await db.listen('unit', (payload) => got.push(`a ${payload}`))
  await db.listen('unit', () => {
    throw new Error('a broken handler stops nobody')
  })
  const again = await db.listen('unit', (payload) => got.push(`b ${payload}`))
  await second.listen('unit', (payload) => got.push(`c ${payload}`))
  await second.notify('unit', '1')
  await next(3)
  expect(got.toSorted()).toEqual(['a 1', 'b 1', 'c 1'])
  got.length = 0
  await first()
  await db.notify('unit', '2')
  await next(2)
  await again()
  await db.notify('unit', '3')
  await next(3)
  expect(got.toSorted()).toEqual(['b 2', 'c 2', 'c 3'])
})

test('a listener whose connection is cut again and again hears every channel once more', async () => {
  const { db } = database
  const listening = database.open()
  const heard = new Set<string>()
  await listening.listen('one', (payload) => heard.add(payload))
  await listening.listen('two', (payload) => heard.add(payload))
  for (let round = 1; round <= 10; round++) {
    // Some are cut while they subscribe anew.
    await db.sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query ilike 'listen%'`
    if (round % 3 !== 0) await Bun.sleep(round * 7)
  }
  heard.clear()
  while (heard.size < 2) {
    await db.notify('one', 'first')
    await db.notify('two', 'second')
    await Bun.sleep(20)
  }
  expect([...heard].toSorted()).toEqual(['first', 'second'])
})

test('a notification that cannot be sent fails nothing', async () => {
  const db = database.open()
  await db.close()
  await expect(db.notify('one', 'late')).resolves.toBeUndefined()
})

test('close is idempotent and refuses later queries', async () => {
  const db = database.open()
  await db.sql`select 1`
  await Promise.all([db.close(), db.close()])
  await expect(db.sql`select 1`).rejects.toMatchObject({ code: 'CONNECTION_ENDED' })
})
