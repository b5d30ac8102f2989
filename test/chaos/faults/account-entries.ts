/** What moved the credits of an account for good: holds that are open or were given back are not in it. */
import type { SqlClient } from '../../../kernel/storage/contract.ts'

const ATOMIC_PER_CREDIT = 10_000n

/** An entry as `entriesOf` shows it; null for no credits. */
export const entryLine = (what: string, credits: number): string | null =>
  credits === 0 ? null : `${what} ${BigInt(credits) * ATOMIC_PER_CREDIT}`

/** Each entry of the key's account in one line, sorted: its kind, its two sides, its atomic amount. */
export async function entriesOf(sql: SqlClient, keyId: string): Promise<string[]> {
  const rows = await sql<{ line: string }[]>`
    SELECT kind || ': ' || debit || ' to ' || credit || ' ' || amount AS line FROM coinop.entry
    WHERE account_id = (SELECT account_id FROM coinop.api_key WHERE id = ${keyId})
      AND kind NOT IN ('authorize', 'release', 'expire', 'settlement')`
  return rows.map(({ line }) => line).toSorted()
}
