import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createClient } from '../../../host/database/client.ts'
import { withDatabase } from '../../../host/embedded-postgres/connection-text.ts'
import { MIGRATION_LOCK, pendingMigrations } from '../../../kernel/storage/migrate.ts'
import { migrateDatabase } from '../../support/migrate.ts'
import { databaseConnector as connector } from '../../../host/database/index.ts'
import { openDatabase } from '../../../kernel/storage/open.ts'
import { silentLog } from '../../support/log.ts'
import { PATIENT } from '../../support/patience.ts'

const FOLDER = resolve(import.meta.dirname, '../../../kernel/storage/migrations')
const scratch = mkdtempSync(join(tmpdir(), 'coinop-migrate-'))
const name = `test_migrate_${process.pid}`
const url = withDatabase(inject('serverUrl'), name)
const admin = createClient(inject('serverUrl'), { max: 1, applicationName: 'unit' })
const sql = createClient(url, { max: 1, applicationName: 'unit' })

beforeAll(() => admin.unsafe(`create database ${name}`))
afterAll(async () => {
  await sql.end()
  await admin.unsafe(`drop database ${name} with (force)`)
  await admin.end()
  rmSync(scratch, { recursive: true })
})

/** A copy of the kernel's migrations with one more at the end. */
function folderWith(tag: string, text: string): string {
  const folder = join(scratch, tag)
  cpSync(FOLDER, folder, { recursive: true })
  const path = join(folder, 'meta/_journal.json')
  const journal = JSON.parse(readFileSync(path, 'utf8'))
  const idx = journal.entries.length
  const when = journal.entries.at(-1).when + 1
  journal.entries.push({ idx, version: '7', when, tag, breakpoints: true })
  writeFileSync(path, JSON.stringify(journal))
  writeFileSync(join(folder, `${tag}.sql`), text)
  return folder
}

test('eight migrators at once: one applies all, seven find nothing to do', async () => {
  const before = await pendingMigrations(sql)
  expect(before[0]).toBe('0000_ledger')
  const applied = await Promise.all(Array.from({ length: 8 }, () => migrateDatabase(url)))
  expect(applied.filter((tags) => tags.length > 0)).toEqual([before])
  expect(await pendingMigrations(sql)).toEqual([])
})

test('a migration that fails leaves nothing behind', async () => {
  const folder = folderWith('9000_broken', 'create table half (n int);\nselect broken;')
  await expect(migrateDatabase(url, folder)).rejects.toThrow(/broken/)
  expect(await pendingMigrations(sql, folder)).toEqual(['9000_broken'])
  expect(await sql`select to_regclass('coinop.half') as name`).toEqual([{ name: null }])
})

test('one added later is applied alone, then an older program refuses the database', async () => {
  const folder = folderWith('9001_later', 'create table later (n int)')
  expect(await pendingMigrations(sql, folder)).toEqual(['9001_later'])
  expect(await migrateDatabase(url, folder)).toEqual(['9001_later'])
  await expect(pendingMigrations(sql)).rejects.toThrow(/knows/)
  writeFileSync(join(folder, '9001_later.sql'), 'create table later (n bigint)')
  await expect(migrateDatabase(url, folder)).rejects.toThrow('9001_later was changed')
})

test('without migrating, opening names what is missing', async () => {
  await admin.unsafe(`create database ${name}_empty`)
  const databaseUrl = withDatabase(url, `${name}_empty`)
  try {
    const options = { databaseUrl, dataDir: '', connector, log: silentLog, migrate: false }
    const opened = openDatabase(options, 'tool')
    await expect(opened).rejects.toThrow(/lacks \d+ migrations: 0000_ledger/)
  } finally {
    await admin.unsafe(`drop database ${name}_empty with (force)`)
  }
})

test('a start that waits for the migrations of another says that it migrates', async () => {
  await admin.unsafe(`create database ${name}_waiting`)
  const databaseUrl = withDatabase(url, `${name}_waiting`)
  const other = createClient(databaseUrl, { max: 1, applicationName: 'unit' })
  const lines: string[] = []
  const log = { ...silentLog, info: (_: object, line: string) => void lines.push(line) }
  try {
    const { space, id } = MIGRATION_LOCK
    await other`select pg_advisory_lock(${space}, ${id})`
    const opening = openDatabase({ databaseUrl, dataDir: '', connector, log })
    await expect.poll(() => lines, PATIENT).toEqual(['migrating the database'])
    await other`select pg_advisory_unlock(${space}, ${id})`
    const db = await opening
    expect(lines.at(-1)).toBe('database migrated')
    await db.close()
    const again = await openDatabase({ databaseUrl, dataDir: '', connector, log })
    await again.close()
    expect(lines).toHaveLength(2)
  } finally {
    await other.end()
    await admin.unsafe(`drop database ${name}_waiting with (force)`)
  }
})

describe('a database of an earlier version', () => {
  const RETIRED = [
    'cfb93862c749b1c424f661bb43c3251e0bee5e973715696a21c525cc1e0ef141',
    'bb51e170d5a5299d564bfcb459eafe2fddcffa6179d2988c4fc83ef5c3944d09',
    '6492205ec9791962a9098bd7e05231f745db53411f25f086fb1c82835031d1ec',
  ]
  const FIRST_RETIRED_AT = 1_763_700_004_000

  /** Runs `work` on a migrated database whose history goes on with these hashes. */
  async function withHistory(
    hashes: readonly string[],
    work: (sql: ReturnType<typeof createClient>, url: string) => Promise<void>,
  ): Promise<void> {
    const earlier = `${name}_earlier`
    await admin.unsafe(`create database ${earlier}`)
    const earlierUrl = withDatabase(url, earlier)
    const client = createClient(earlierUrl, { max: 1, applicationName: 'unit' })
    try {
      await migrateDatabase(earlierUrl)
      for (const [index, hash] of hashes.entries()) {
        await client`insert into coinop.migration (hash, created_at)
          values (${hash}, ${FIRST_RETIRED_AT + index * 1000})`
      }
      await work(client, earlierUrl)
    } finally {
      await client.end()
      await admin.unsafe(`drop database ${earlier} with (force)`)
    }
  }

  test.each([0, 1, 2, 3])('is up to date with %d of the retired migrations', async (count) => {
    await withHistory(RETIRED.slice(0, count), async (client, earlierUrl) => {
      expect(await pendingMigrations(client)).toEqual([])
      expect(await migrateDatabase(earlierUrl)).toEqual([])
      const folder = folderWith('9002_next', 'create table next (n int)')
      expect(await migrateDatabase(earlierUrl, folder)).toEqual(['9002_next'])
      expect(await pendingMigrations(client, folder)).toEqual([])
      expect(await client`select * from coinop.next`).toEqual([])
      await expect(pendingMigrations(client)).rejects.toThrow(/knows/)
    })
  })

  test.each([
    ['in another place', [RETIRED[1]!]],
    ['in another form', [RETIRED[0]!, RETIRED[1]!.replace('b', 'c')]],
  ])('is refused with a retired migration %s', async (_, hashes) => {
    await withHistory(hashes, async (client) => {
      await expect(pendingMigrations(client)).rejects.toThrow(/0004_plugin_tables was changed/)
    })
  })

  test('once migrated is refused by that version, which has the retired ones in their place', async () => {
    await withHistory(RETIRED, async (client) => {
      const applied = await client<{ hash: string }[]>`
        select hash from coinop.migration order by created_at, id`
      const knownThen = applied.findIndex(({ hash }) => hash === RETIRED[2]) + 1
      expect(knownThen).toBe(7)
      expect(applied.length).toBeGreaterThan(knownThen)
    })
  })

  test('a new database has none of the tables that they made', async () => {
    await withHistory([], async (client) => {
      const tables = await client<{ table: string }[]>`
        select tablename as table from pg_tables where schemaname = 'coinop' order by 1`
      expect(
        tables.map(({ table }) => table).filter((table) => /claim|outgoing/.test(table)),
      ).toEqual([])
    })
  })
})
