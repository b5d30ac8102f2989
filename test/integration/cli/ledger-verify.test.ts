/** `coinop ledger verify` on books that do not balance; `ledger archive` in the audit log. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLedger } from '../../../kernel/ledger/ledger.ts'
import { migratePlugin } from '../../../kernel/storage/plugin-db.ts'
import { MIGRATIONS } from '../../../plugins/console/migrations.ts'
import { testDatabase, type TestDatabase } from '../../support/database.ts'
import { authInstance, type AuthInstance } from '../auth/instance.ts'
import { ownAccount } from '../../support/accounts.ts'
import { program } from '../../support/program.ts'

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

const run = (...args: string[]) =>
  Bun.spawnSync([...program(), 'ledger', ...args], {
    cwd: root,
    env: {
      PATH: process.env['PATH'] ?? '',
      DATABASE_URL: database.url,
      DATA_DIR: scratch,
      SANDBOX: 'true',
    },
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
  const ran = run('verify')
  expect(ran.exitCode).toBe(1)
  expect(JSON.parse(ran.stdout.toString())).toMatchObject({
    ok: false,
    violations: 1,
    found: [{ invariant: 'balances_equal_postings', subject: record.accountId }],
  })
})

it('an archive is told as a change of the operator, and one that was refused is not', async () => {
  await migratePlugin(database.db, 'console', MIGRATIONS)
  await database.db.sql`UPDATE coinop.usage_fold SET folded_to = now()`
  expect(run('archive', '--before', '2999-01', '--to', scratch).exitCode).toBe(64)
  expect(run('archive', '--before', '2020-01', '--to', scratch).exitCode).toBe(0)
  const kept = await database.db
    .sql`SELECT path, input->>'before' AS before FROM plugin_console.change`
  expect([...kept]).toEqual([{ path: 'coinop ledger archive', before: '2020-01' }])
})
