/** `coinop ledger verify`: checks every invariant of the ledger in one consistent snapshot. */
import type { SqlClient, VerifyReport } from '#kernel/host'
import { INVARIANTS } from './invariants.ts'

/** Most violations reported of one invariant; a damaged ledger can violate it for every key. */
const SHOWN_PER_INVARIANT = 20

/**
 * What was checked and every invariant that does not hold. Reads one repeatable-read snapshot, so
 * it is exact while the gateway serves, and takes no lock that a call would wait for.
 */
export function verifyLedger(sql: SqlClient): Promise<VerifyReport> {
  return sql.begin('isolation level repeatable read read only', async (tx) => {
    await tx.unsafe(`SET LOCAL work_mem = '64MB'`)
    const [checked] = await tx<[{ accounts: number; holds: number; entries: number }]>`
      SELECT (SELECT count(*) FROM coinop.account)::float8 AS accounts,
        (SELECT count(*) FROM coinop.hold)::float8 AS holds,
        (SELECT count(*) FROM coinop.entry)::float8 AS entries`
    const violations: VerifyReport['violations'] = []
    for (const { name, query } of INVARIANTS) {
      const broken = await tx.unsafe<{ subject: string; message: string }[]>(
        `SELECT subject, message FROM (${query}) AS broken LIMIT ${SHOWN_PER_INVARIANT}`,
      )
      for (const { subject, message } of broken) {
        violations.push({ invariant: name, subject, message })
      }
    }
    const { accounts, holds, entries } = checked
    return { ok: violations.length === 0, checked: { accounts, holds, entries }, violations }
  })
}
