/** A server that refuses, as the operator is told of it: at the start, and by `/ready`. */
import { connect, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createClient, parseAddress } from '../../../host/database/client.ts'
import { databaseConnector } from '../../../host/database/index.ts'
import { connectDatabase } from '../../../host/database/connect.ts'
import { waitForServer } from '../../../host/database/server-check.ts'
import { withDatabase } from '../../../host/embedded-postgres/connection-text.ts'
import { checksOf } from '../../../host/status/checks.ts'
import type { Health } from '../../../kernel/plugins/contract.ts'
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
    const asks: Health = {
      name: 'plugin',
      critical: false,
      timeoutMs: 1,
      probe: async () => {
        await db.sql`SELECT 1`
        return { state: 'ok' }
      },
    }
    const parts = { started: { instance: { health: [asks] } } }
    const products = new Map([['one', { parts }]])
    const registry = { current: () => ({ products }), problems: () => [] }
    const checks = checksOf(db, registry as unknown as ProductRegistry)
      .filter(({ name }) => name !== 'products')
      // However slow the machine is, its server answers.
      .map((check) => ({ ...check, timeoutMs: 600_000 }))
    const report = await sharedReadiness(() => checks)()
    expect(Object.keys(report.checks)).toEqual(['database', 'migrations', 'clock', 'plugin'])
    for (const check of Object.values(report.checks)) expect(check.detail).toMatch(detail)
  } finally {
    await db.close()
  }
})

it.each([
  ['default_transaction_isolation', 'serializable', 'read committed'],
  ['default_transaction_read_only', 'on', 'off'],
  ['bytea_output', 'escape', 'hex'],
  ['array_nulls', 'off', 'on'],
])('a role whose %s is %s is refused with what to write', async (name, setting, needed) => {
  const { sql: admin } = database.db
  const styled = `styled_${process.pid}`
  await admin.unsafe(`create role ${styled} login`)
  await admin.unsafe(`alter role ${styled} set ${name} = '${setting}'`)
  const sql = createClient(urlOf(styled), { max: 1, applicationName: 'coinop test' })
  try {
    const failed = await waitForServer(sql, silentLog).catch((error: unknown) => error)
    expect(failed).toMatchObject({
      message: expect.stringContaining(`${name} = '${setting}'`),
      fix: expect.stringContaining(`ALTER ROLE "${styled}" SET ${name} = '${needed}'`),
    })
  } finally {
    await sql.end({ timeout: 1 })
    await admin.unsafe(`drop role ${styled}`)
  }
})

it('dates are read as ISO, whatever style the role has', async () => {
  const { sql: admin } = database.db
  const styled = `dated_${process.pid}`
  await admin.unsafe(`create role ${styled} login`)
  await admin.unsafe(`alter role ${styled} set DateStyle = 'German, DMY'`)
  const sql = createClient(urlOf(styled), { max: 1, applicationName: 'coinop test' })
  try {
    expect(await sql`select '2031-07-02'::date::text as day`).toEqual([{ day: '2031-07-02' }])
  } finally {
    await sql.end({ timeout: 1 })
    await admin.unsafe(`drop role ${styled}`)
  }
})

/** Leaves the setting search_path out of what a session begins with, as PgBouncer may be told to. */
function withoutPath(startup: Buffer): Buffer {
  const words = startup.toString('latin1', 8).split('\0')
  const at = words.indexOf('search_path')
  const body = Buffer.from(words.toSpliced(at, at < 0 ? 0 : 2).join('\0'), 'latin1')
  const head = Buffer.from(startup.subarray(0, 8))
  head.writeInt32BE(8 + body.length)
  return Buffer.concat([head, body])
}

it('a pooler that drops search_path is refused, also where the role has one', async () => {
  const { path = '' } = parseAddress(database.url)
  const open = new Set<Socket>()
  const pooler = createServer((client) => {
    const server = connect(path)
    for (const socket of [client, server]) open.add(socket.on('error', () => {}))
    client.once('data', (startup) => {
      server.write(withoutPath(startup as Buffer))
      client.pipe(server).pipe(client)
    })
  })
  await new Promise<void>((resolve) => pooler.listen(0, '127.0.0.1', resolve))
  const { port } = pooler.address() as { port: number }
  const url = `postgresql://${role}@127.0.0.1:${port}${new URL(database.url).pathname}`
  const { sql } = database.db
  await sql.unsafe(`alter role ${role} connection limit -1`)
  const check = async () => {
    const db = connectDatabase({ url, kind: 'server', log: silentLog })
    try {
      await databaseConnector.checkServer(db, silentLog)
    } finally {
      await db.close()
    }
  }
  try {
    await expect(check()).rejects.toThrow('pooler that drops settings of a session')
    await sql.unsafe(`alter role ${role} set search_path = coinop`)
    await expect(check()).rejects.toThrow('search_path is coinop')
  } finally {
    for (const socket of open) socket.destroy()
    pooler.close()
    await sql.unsafe(`alter role ${role} reset search_path`)
    await sql.unsafe(`alter role ${role} connection limit 0`)
  }
})
