/** `coinop ledger verify` on books that do not balance. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLedger } from '../../../kernel/ledger/ledger.ts'
import { testDatabase, type TestDatabase } from '../../support/database.ts'
import { authInstance, type AuthInstance } from '../auth/instance.ts'
import { ownAccount } from '../../support/accounts.ts'

const root = resolve(import.meta.dirname, '../../..')
const scratch = mkdtempSync(join(tmpdir(), 'coinop-verify-'))
let database: TestDatabase
let auth: AuthInstance
beforeAll(async () => {
  database = await testDatabase()
  auth = await authInstance(database.db)
})
afterAll(async () => {
  await auth.close()
  await database.close()
  rmSync(scratch, { recursive: true, force: true })
})

it('exits 1 with one JSON document that names what is broken', async () => {
  const { record } = await auth.keys.create({ name: 'robbed', mode: 'test' })
  const ledger = createLedger(database.db)
  await ledger.credit({
    accountId: ownAccount(record.id),
    keyId: record.id,
    amountAtomic: 10_000n,
    source: 'sandbox',
    reference: 'grant',
    kind: 'grant',
    mode: 'test',
    note: 'a grant',
  })
  await ledger.drain()
  await database.db
    .sql`UPDATE coinop.account SET available = available + 1 WHERE id = ${record.accountId}`
  const ran = Bun.spawnSync([process.execPath, 'kernel/main.ts', 'ledger', 'verify'], {
    cwd: root,
    env: {
      PATH: process.env['PATH'] ?? '',
      DATABASE_URL: database.url,
      DATA_DIR: scratch,
      SANDBOX: 'true',
    },
  })
  expect(ran.exitCode).toBe(1)
  expect(JSON.parse(ran.stdout.toString())).toMatchObject({
    ok: false,
    violations: 1,
    found: [{ invariant: 'balances_equal_postings', subject: record.accountId }],
  })
})
