/** A database of the version before accounts, migrated with every row kept. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { withDatabase } from '../../../host/embedded-postgres/connection-text.ts'
import { readableLedger } from '../../support/ledger-rows.ts'
import { verifyLedger } from '../../../host/reporting/verify.ts'
import { createClient } from '../../../host/database/client.ts'
import { connectDatabase } from '../../../host/database/connect.ts'
import type { Database } from '../../../kernel/storage/contract.ts'
import { planMigrations, type PlannedMigration } from '../../../cli/migration-plan.ts'
import { migrateDatabase } from '../../support/migrate.ts'
import { ownAccount } from '../../support/accounts.ts'
import { silentLog } from '../../support/log.ts'
import {
  fillOldLedger,
  GRANTED,
  HELD,
  migrateToOldLedger,
  oldHoldId,
  oldKeyId,
} from '../../support/old-ledger.ts'

const KEYS = 7
const HOLDS = 600
const name = `test_accounts_${process.pid}`
const url = withDatabase(inject('serverUrl'), name)
const admin = createClient(inject('serverUrl'), { max: 1, applicationName: 'unit' })
let db: Database
let planned: PlannedMigration[]
let before: { balances: Record<string, bigint[]>; rows: readonly unknown[]; openHold: string }

beforeAll(async () => {
  await admin.unsafe(`create database ${name}`)
  await migrateToOldLedger(url)
  db = connectDatabase({ url, kind: 'server', log: silentLog })
  const { sql } = db
  await fillOldLedger(sql, { keys: KEYS, holds: HOLDS })
  const accounts = await sql<{ key_id: string; available: bigint; held: bigint }[]>`
    SELECT key_id, available, held FROM coinop.account ORDER BY 1`
  before = {
    balances: Object.fromEntries(accounts.map((a) => [a.key_id, [a.available, a.held]])),
    rows: await sql`SELECT id, kind::text, key_id, at, amount, debit, credit, reference, note
      FROM coinop.entry ORDER BY id`,
    openHold: oldHoldId(HOLDS - 1),
  }
  planned = await planMigrations(sql)
  expect(await migrateDatabase(url)).toEqual(planned.map(({ tag }) => tag))
})
afterAll(async () => {
  await db.close()
  await admin.unsafe(`drop database ${name} with (force)`)
  await admin.end()
})

test('a dry run says what would be done and changes nothing', async () => {
  const rows = KEYS + 1 + HOLDS + before.rows.length
  expect(planned[0]).toEqual({
    tag: '0005_accounts',
    does: expect.any(String),
    rows,
    estimateSeconds: 1,
  })
  expect(await planMigrations(db.sql)).toEqual([])
})

test('the books balance, and no balance has changed', async () => {
  const { sql } = db
  expect(await verifyLedger(sql)).toEqual({
    ok: true,
    checked: { accounts: KEYS + 1, holds: HOLDS, entries: before.rows.length },
    violations: [],
  })
  const rows = await sql<{ key_id: string; id: string; available: bigint; held: bigint }[]>`
    SELECT k.key_id, a.id, a.available, a.held
    FROM coinop.account a JOIN coinop.key_spend k ON k.account_id = a.id ORDER BY 1`
  expect(Object.fromEntries(rows.map((a) => [a.key_id, [a.available, a.held]]))).toEqual(
    before.balances,
  )
  expect(rows.map(({ id }) => id)).toEqual(rows.map(({ key_id }) => ownAccount(key_id)))
  const keys = await sql<{ id: string; account_id: string }[]>`
    SELECT id, account_id FROM coinop.api_key`
  expect(keys.map(({ account_id }) => account_id)).toEqual(keys.map(({ id }) => ownAccount(id)))
  const unnamed = await sql`
    SELECT k.id FROM coinop.api_key k LEFT JOIN coinop.account_name n USING (account_id)
    WHERE n.name IS DISTINCT FROM k.name`
  expect(unnamed).toEqual([])
})

test('every posting is there, in its order, and is found by the number that it had', async () => {
  const { sql } = db
  expect(
    await sql`SELECT legacy_id AS id, kind::text, key_id, at, amount, debit, credit, reference, note
      FROM coinop.entry ORDER BY legacy_id`,
  ).toEqual(before.rows)
  const ledger = readableLedger(db)
  const all = await ledger.rows({ keyId: oldKeyId(1), limit: 500 })
  // A hold's first posting has the id that its caller made, here one of long ago.
  const others = all.filter(({ kind }) => kind !== 'authorize').map((row) => Number(row.legacyId))
  expect(others).toEqual(others.toSorted((a, b) => b - a))
  const ended = all.filter(({ kind }) => kind === 'capture')
  const older = await ledger.rows({
    keyId: oldKeyId(1),
    kind: 'capture',
    before: ended[3]!.legacyId!,
    limit: 500,
  })
  expect(older).toEqual(ended.slice(4))
  expect(await ledger.rows({ ids: [ended[0]!.legacyId!], limit: 5 })).toEqual([ended[0]])
})

test('an old ceiling holds, with what the day spent already', async () => {
  const ledger = readableLedger(db)
  const keyId = oldKeyId(0)
  const [own] = await ledger.spend({ accountId: ownAccount(keyId), keyId })
  expect(own).toMatchObject({ scope: '*', dayCapAtomic: 50_000_000n, monthCapAtomic: null })
  expect(own!.spentMonthAtomic).toBeGreaterThanOrEqual(own!.spentTodayAtomic)
})

test('an open hold of before is captured, and a captured one refunded', async () => {
  const ledger = readableLedger(db)
  const open = (await ledger.hold(before.openHold))!
  const { accountId, keyId } = open
  expect(open).toMatchObject({ state: 'authorized', amountAtomic: HELD, productId: 'demo' })
  const captured = await ledger.capture({ holdId: open.id, accountId, keyId, amountAtomic: 40n })
  expect(captured).toMatchObject({ outcome: 'done', hold: { capturedAtomic: 40n } })
  expect(await ledger.refund({ requestId: `request-${HOLDS}` })).toMatchObject({ outcome: 'done' })
  expect((await verifyLedger(db.sql)).violations).toEqual([])
})

test('a settlement that was refunded by its number stays refunded', async () => {
  const ledger = readableLedger(db)
  const rows = await ledger.rows({ kind: 'settlement', limit: 5 })
  const settled = new Map(rows.map((row) => [row.requestId, row]))
  const [refunded, other] = [settled.get('paid-1')!, settled.get('paid-2')!]
  expect(refunded).toMatchObject({ accountId: null, amountAtomic: 701n })
  expect(await ledger.isRefunded(refunded.id)).toBe(true)
  expect(await ledger.isRefunded(refunded.legacyId!)).toBe(true)
  expect(await ledger.isRefunded(other.id)).toBe(false)
})

test('the grants are references that cannot be credited again', async () => {
  const ledger = readableLedger(db)
  const keyId = oldKeyId(2)
  const credit = { accountId: ownAccount(keyId), keyId, source: 'sandbox', reference: keyId }
  expect(await ledger.credit({ ...credit, amountAtomic: GRANTED, kind: 'grant' })).toMatchObject({
    outcome: 'credited',
    duplicate: true,
  })
})
