/** Expires due holds in batches that skip rows locked by other statements. */
import { codeOf } from '../errors.ts'
import type { SqlClient } from '../storage/contract.ts'
import { expireOne } from './authorize.ts'
import { arrayLiteral, runUnprepared, isUndone, rerunAsBatch } from './holds.ts'
import { DUE_HOLDS, EXPIRE_DUE } from './sql/end.ts'

const LOCK_TIMEOUT = '55P03'

/**
 * Expires up to `limit` due holds, each exactly once among all instances; returns how many. If an
 * account's row is locked or keeps changing, holds are expired one by one, and an account that
 * stays locked is left for the next round.
 */
export async function expireDue(sql: SqlClient, limit: number): Promise<number> {
  try {
    const rows = await rerunAsBatch(() => runUnprepared<{ id: string }>(sql, EXPIRE_DUE, [limit]))
    return rows.length
  } catch (error) {
    if (codeOf(error) !== LOCK_TIMEOUT && !isUndone(error)) throw error
    return expireSingly(sql, limit)
  }
}

async function expireSingly(sql: SqlClient, limit: number): Promise<number> {
  const locked = new Set<string>()
  let expired = 0
  for (;;) {
    const due = await runUnprepared<{ id: string; account_id: string; key_id: string }>(
      sql,
      DUE_HOLDS,
      [limit - expired, arrayLiteral([...locked])],
    )
    const lockedBefore = locked.size
    for (const hold of due) {
      if (locked.has(hold.account_id)) continue
      try {
        expired += await expireOne(sql, hold)
      } catch (error) {
        if (codeOf(error) !== LOCK_TIMEOUT) throw error
        locked.add(hold.account_id)
      }
    }
    if (expired >= limit || locked.size === lockedBefore) return expired
  }
}
