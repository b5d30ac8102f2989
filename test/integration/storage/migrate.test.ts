import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createClient, withDatabase } from '../../../kernel/storage/address.ts'
import { migrateDatabase, pendingMigrations } from '../../../kernel/storage/migrate.ts'
import { attachDatabase } from '../../../kernel/storage/open.ts'
import { silentLog } from '../../support/log.ts'

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
    const opened = attachDatabase({ databaseUrl, dataDir: '', log: silentLog, migrate: false })
    await expect(opened).rejects.toThrow(/lacks \d+ migrations: 0000_ledger/)
  } finally {
    await admin.unsafe(`drop database ${name}_empty with (force)`)
  }
})
