/** Expires holds whose time is over, in batches that skip rows which another statement has locked. */
import type { SqlClient } from '../storage/contract.ts'
import { arrayLiteral, run, runUnprepared, type MovedRow } from './holds.ts'
import { codeOf } from '../work/retry.ts'
import { DUE_HOLDS, EXPIRE_DUE, EXPIRE_ONE } from './statements.ts'

const LOCK_TIMEOUT = '55P03'

/**
 * Expires up to `limit` due holds, each exactly once among all instances; returns how many. When a
 * key's account row is locked by somebody, the others are expired singly and that key is left for
 * the next round.
 */
export async function expireDue(sql: SqlClient, limit: number): Promise<number> {
  try {
    const [row] = await runUnprepared<{ expired: number }>(sql, EXPIRE_DUE, [limit])
    return row?.expired ?? 0
  } catch (error) {
    if (codeOf(error) !== LOCK_TIMEOUT) throw error
    return expireSingly(sql, limit)
  }
}

async function expireSingly(sql: SqlClient, limit: number): Promise<number> {
  const lockedKeys = new Set<string>()
  let expired = 0
  for (;;) {
    const due = await runUnprepared<{ id: string; key_id: string }>(sql, DUE_HOLDS, [
      limit - expired,
      arrayLiteral([...lockedKeys]),
    ])
    const lockedBefore = lockedKeys.size
    for (const { id, key_id } of due) {
      if (lockedKeys.has(key_id)) continue
      try {
        expired += (await run<MovedRow>(sql, EXPIRE_ONE, [id, key_id])).length
      } catch (error) {
        if (codeOf(error) !== LOCK_TIMEOUT) throw error
        lockedKeys.add(key_id)
      }
    }
    if (expired >= limit || lockedKeys.size === lockedBefore) return expired
  }
}
