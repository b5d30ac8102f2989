/**
 * How long the first start on a database of the version before accounts takes, by the wall and in CPU
 * of PostgreSQL: `bun test/bench/upgrade.ts [holds] [keys]`. The migration runs in one transaction;
 * afterwards `ledger verify` reads every row, and a hold that was open before is captured.
 */
import { verifyLedger } from '../../host/reporting/verify.ts'
import { connectDatabase } from '../../host/database/connect.ts'
import { withDatabase } from '../../host/embedded-postgres/connection-text.ts'
import { createLedger } from '../../kernel/ledger/ledger.ts'
import { ownAccount } from '../support/accounts.ts'
import { silentLog } from '../support/log.ts'
import { migrateDatabase } from '../support/migrate.ts'
import { fillOldLedger, migrateToOldLedger } from '../support/old-ledger.ts'
import { benchDatabase } from './lib/database.ts'
import { postmasterOf, serverCpuUs } from './lib/server-cpu.ts'
import { formatNumber, formatTable } from './lib/table.ts'

const holds = Number(process.argv[2] ?? 200_001)
const keys = Number(process.argv[3] ?? 100)
const server = await benchDatabase()
try {
  await server.db.sql.unsafe('CREATE DATABASE old_ledger')
  const url = withDatabase(server.db.url, 'old_ledger')
  await migrateToOldLedger(url)
  const db = connectDatabase({ url, kind: 'server', log: silentLog })
  await fillOldLedger(db.sql, { keys, holds })
  const postmaster = await postmasterOf(server.db.sql)
  const measured = async (work: () => Promise<unknown>): Promise<[number, number]> => {
    const before = { ms: performance.now(), us: serverCpuUs(postmaster) }
    await work()
    const ms = performance.now() - before.ms
    return [ms, (serverCpuUs(postmaster) - before.us) / 1000]
  }
  const migration = await measured(() => migrateDatabase(url))
  let violations = 0
  const verification = await measured(async () => {
    violations = (await verifyLedger(db.sql)).violations.length
  })
  console.log(
    formatTable(
      ['step', 'wall ms', 'PostgreSQL CPU ms'],
      [
        ['migrate', ...migration.map(formatNumber)],
        ['ledger verify', ...verification.map(formatNumber)],
      ],
    ),
  )
  const [open] = await db.sql<{ id: string; keyId: string }[]>`
    SELECT id::text, key_id AS "keyId" FROM coinop.hold WHERE state = 'authorized'
    ORDER BY created_at DESC LIMIT 1`
  const { id: holdId, keyId } = open!
  const captured = await createLedger(db).capture({ accountId: ownAccount(keyId), keyId, holdId })
  console.log(
    `${holds} holds; ${violations} violations; an open hold of before: ${captured.outcome}`,
  )
  await db.close()
  if (violations > 0 || captured.outcome !== 'done') process.exitCode = 1
} finally {
  await server.close()
}
