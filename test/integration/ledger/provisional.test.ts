/** Provisional holds on a server of their own that crashes: what it may lose, and what it may not. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { databaseConnector } from '../../../host/database/index.ts'
import { embeddedPostgres } from '../../../host/embedded-postgres/index.ts'
import { GatewayError } from '../../../kernel/errors.ts'
import { createLedger } from '../../../kernel/ledger/ledger.ts'
import type { Database } from '../../../kernel/storage/contract.ts'
import { openDatabase } from '../../../kernel/storage/open.ts'
import { silentLog } from '../../support/log.ts'
import { procStat } from '../../support/proc-stat.ts'
import { callOf, heldCall, openAccount } from '../../support/spenders.ts'
import { expectBalancedBooks } from './books.ts'

let folder: string
let db: Database

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'coinop-provisional-'))
  chmodSync(folder, 0o755)
  db = await openDatabase({
    dataDir: folder,
    databaseUrl: null,
    connector: databaseConnector,
    embedded: embeddedPostgres,
    log: silentLog,
  })
})
afterAll(async () => {
  await db?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** How much of the log is not on the disk. */
async function unwrittenBytes(): Promise<bigint> {
  const [row] = await db.sql<[{ bytes: bigint }]>`
    SELECT (pg_current_wal_insert_lsn() - pg_current_wal_flush_lsn())::bigint AS bytes`
  return row.bytes
}

/**
 * The process that writes the log, stopped in its sleep. A process that is stopped while it writes
 * keeps the lock of the log, and every commit waits for it.
 */
async function stoppedWalWriter(): Promise<number> {
  const { sql } = db
  const walWriter = () => sql<[{ pid: number; wait_event: string | null }]>`
    SELECT pid, wait_event FROM pg_stat_activity WHERE backend_type = 'walwriter'`
  for (;;) {
    const [{ pid }] = await walWriter()
    process.kill(pid, 'SIGSTOP')
    while (procStat(pid)[0] !== 'T') await Bun.sleep(1)
    const [{ wait_event: waitsFor }] = await walWriter()
    if (waitsFor === 'WalWriterMain') return pid
    process.kill(pid, 'SIGCONT')
    await Bun.sleep(10)
  }
}

/** Asks until the server is back: one try ends after five seconds. */
async function untilServed(work: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      return void (await work())
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error
    }
  }
}

test('a crash undoes provisional holds alone, and none that was captured', async () => {
  const { sql } = db
  const ledger = createLedger(db)
  const [spender] = await openAccount(sql, ledger, { amountAtomic: 1_000_000n })
  const kept = callOf(spender, 100n)
  const captured = callOf(spender, 200n, { isProvisional: true })
  const lost = callOf(spender, 400n, { isProvisional: true })
  await sql`ALTER SYSTEM SET autovacuum = off`
  await sql`SELECT pg_reload_conf()`
  // It writes the log of provisional holds down within a second: from now on nobody does.
  const walWriterPid = await stoppedWalWriter()
  await ledger.authorize(kept)
  expect(await unwrittenBytes()).toBe(0n)
  const hold = await heldCall(ledger, captured)
  expect(await unwrittenBytes()).toBeGreaterThan(0n)
  expect(await ledger.capture({ ...captured, amountAtomic: 200n, hold })).toMatchObject({
    outcome: 'done',
  })
  expect(await unwrittenBytes()).toBe(0n)
  // A batch waits for the disk when one of its holds does.
  const mixed = [true, false, true].map((isProvisional) => callOf(spender, 10n, { isProvisional }))
  await Promise.all(mixed.map((order) => heldCall(ledger, order)))
  expect(await unwrittenBytes()).toBe(0n)
  await heldCall(ledger, lost)
  expect(await unwrittenBytes()).toBeGreaterThan(0n)
  await expectBalancedBooks(sql)

  // The server ends all its processes, and recovers from what is on the disk.
  const cut = sql`SELECT pg_sleep(3600)`.catch((error: unknown) => error)
  process.kill(walWriterPid, 'SIGKILL')
  expect(await cut).toBeInstanceOf(Error)
  await untilServed(() => ledger.capture(kept))
  const isCaptured = { ...captured, hold: undefined, amountAtomic: 200n }
  expect(await ledger.capture(isCaptured)).toMatchObject({ outcome: 'done', repeated: true })
  expect(await ledger.capture(lost)).toEqual({ outcome: 'not_found' })
  for (const { holdId } of mixed)
    expect(await ledger.hold(holdId)).toMatchObject({ state: 'authorized' })
  expect(await ledger.balance(spender.accountId)).toMatchObject({
    availableAtomic: 999_670n,
    heldAtomic: 30n,
  })
  await expectBalancedBooks(sql)
})
