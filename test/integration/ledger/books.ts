/** Keys, orders and audits that the ledger tests share. */
import { expect } from 'vitest'
import { newId } from '../../../kernel/ids.ts'
import type { AuthorizeOrder, Ledger } from '../../../kernel/ledger/contract.ts'
import { verifyLedger } from '../../../host/reporting/verify.ts'
import type { SqlClient } from '../../../kernel/storage/contract.ts'
import { ownAccount, openKey } from '../../support/accounts.ts'
import { callOf } from '../../support/spenders.ts'

/** A new key with `amountAtomic` granted; returns its id. */
export async function fundedKey(
  sql: SqlClient,
  ledger: Ledger,
  amountAtomic: bigint,
  ceilingAtomic: bigint | null = null,
): Promise<string> {
  const keyId = `key_${newId().replaceAll('-', '')}`
  await openKey(sql, keyId, { ceilingAtomic })
  if (amountAtomic > 0n) {
    await ledger.credit({
      accountId: ownAccount(keyId),
      keyId,
      amountAtomic,
      source: 'sandbox',
      reference: keyId,
      kind: 'grant',
    })
  }
  return keyId
}

export function order(
  keyId: string,
  amountAtomic: bigint,
  rest: Partial<AuthorizeOrder> = {},
): AuthorizeOrder {
  return callOf({ accountId: ownAccount(keyId), keyId }, amountAtomic, rest)
}

/**
 * Every hold ends `ms` earlier, as if so much time had passed. It was still made today: were that moved
 * too, a test just after midnight would have holds of yesterday whose spend counts for today.
 */
export async function letTimePass(sql: SqlClient, ms: number): Promise<void> {
  await sql`UPDATE hold SET expires_at = expires_at - ${ms}::integer * interval '1 millisecond'`
}

export async function expectBalancedBooks(sql: SqlClient): Promise<void> {
  const report = await verifyLedger(sql)
  expect(report.violations).toEqual([])
}

/** How often each value occurs. */
export function tally(values: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1
  return counts
}
