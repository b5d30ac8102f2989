/** A server that refuses, as the operator is told of it: at the start, and by `/ready`. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createClient } from '../../../host/database/client.ts'
import { connectDatabase } from '../../../host/database/connect.ts'
import { waitForServer } from '../../../host/database/server-check.ts'
import { withDatabase } from '../../../host/embedded-postgres/connection-text.ts'
import { checksOf } from '../../../host/status/checks.ts'
import { sharedReadiness } from '../../../host/status/readiness.ts'
import type { ProductRegistry } from '../../../kernel/products/registry.ts'
import { StorageError } from '../../../kernel/storage/errors.ts'
import { testDatabase, type TestDatabase } from '../../support/database.ts'
import { silentLog } from '../../support/log.ts'

let database: TestDatabase
/** A role that may have no connection at all. */
const role = `crowd_${process.pid}`
beforeAll(async () => {
  database = await testDatabase()
  await database.db.sql.unsafe(`create role ${role} login connection limit 0`)
})
afterAll(async () => {
  await database.db.sql.unsafe(`drop role ${role}`)
  await database.close()
})
const urlOf = (user: string): string => {
  const url = new URL(database.url)
  url.username = user
  return url.href
}

it('a start waits for a server whose connections are all taken', async () => {
  const sql = createClient(urlOf(role), { max: 1, applicationName: 'coinop test' })
  const told: unknown[] = []
  const log = {
    ...silentLog,
    warn(facts: object) {
      told.push(facts)
      void database.db.sql.unsafe(`alter role ${role} connection limit -1`).execute()
    },
  }
  try {
    await waitForServer(sql, log, 600_000)
  } finally {
    await sql.end({ timeout: 1 })
    await database.db.sql.unsafe(`alter role ${role} connection limit 0`)
  }
  expect(told).toEqual([{ code: '53300', reason: expect.stringContaining('are taken') }])
})

it('a start that waited in vain says what the server refuses, in its words and with what to do', async () => {
  const url = withDatabase(database.url, 'nowhere')
  const sql = createClient(url, { max: 1, applicationName: 'coinop test' })
  try {
    const failed = await waitForServer(sql, silentLog, 0).catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(StorageError)
    expect(failed).toMatchObject({
      message: expect.stringMatching(/no database of this name \(3D000\)\. It says: .*"nowhere"/),
      fix: expect.stringContaining('CREATE DATABASE'),
    })
  } finally {
    await sql.end({ timeout: 1 })
  }
})

it.each([
  ['too many connections', () => urlOf(role), /\(53300\)\..*raise the limit/],
  ['no such user', () => urlOf('nobody_knows'), /\(28000\)\..*DATABASE_URL/],
  ['no such database', () => withDatabase(database.url, 'nowhere'), /\(3D000\)\..*CREATE DATABASE/],
])('/ready says of %s what it means', async (_, url, detail) => {
  const db = connectDatabase({ url: url(), kind: 'server', log: silentLog })
  try {
    const registry = { current: () => ({ products: new Map() }), problems: () => [] }
    const checks = checksOf(db, registry as unknown as ProductRegistry)
      .filter(({ name }) => name === 'database' || name === 'migrations')
      // However slow the machine is, its server answers.
      .map((check) => ({ ...check, timeoutMs: 600_000 }))
    const report = await sharedReadiness(() => checks)()
    expect(report.checks['database']?.detail).toMatch(detail)
    expect(report.checks['migrations']?.detail).toMatch(detail)
  } finally {
    await db.close()
  }
})
