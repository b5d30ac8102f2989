/** Rows of accounts and their keys, opened and changed inside the caller's transaction. */
import { assert } from '../errors.ts'
import { firstIdAt } from '../ids.ts'
import type { SqlTransaction } from '../storage/contract.ts'
import { WHOLE_KEY, type Accounts } from './contract.ts'
import { isIndexable, isUuid, run, runUnprepared } from './holds.ts'
import {
  ACCOUNT_CLOSE,
  ACCOUNT_LOW_MARK,
  ACCOUNT_OPEN,
  ACCOUNT_RAISE,
  BUDGET_ADD,
  BUDGET_CHANGE,
  BUDGET_REMOVE,
  KEY_ADD,
  KEY_DAY,
  KEY_KNOWN,
  KEY_REVOKE,
} from './sql/accounts.ts'

const DAY_MS = 86_400_000

export const accounts: Accounts = {
  async open(tx, { accountId, mode, lowMarkAtomic = null }) {
    await run(tx, ACCOUNT_OPEN, [accountId, mode, lowMarkAtomic])
  },
  async addKey(tx, { accountId, keyId }) {
    assert(isIndexable(keyId), 'unstorable key id')
    await raise(tx, accountId)
    await run(tx, KEY_ADD, [accountId, keyId])
  },
  async setBudget(tx, { accountId, keyId }, scope, { call, day, month }) {
    assert(isIndexable(scope) && scope !== '', 'unstorable scope')
    await raise(tx, accountId)
    const known = await run(tx, KEY_KNOWN, [accountId, keyId])
    assert(known.length > 0, `account ${accountId} has no key ${keyId}`)
    const changed = await run(tx, BUDGET_CHANGE, [
      accountId,
      keyId,
      scope,
      call !== undefined,
      call ?? null,
      day !== undefined,
      day ?? null,
      month !== undefined,
      month ?? null,
    ])
    if (changed.length > 0) return
    assert(scope !== WHOLE_KEY, 'every key has a row of its own')
    await run(tx, KEY_DAY, [accountId, keyId])
    // Planned each time: how many postings it reads varies by key.
    await runUnprepared(tx, BUDGET_ADD, [
      accountId,
      keyId,
      scope,
      call ?? null,
      day ?? null,
      month ?? null,
      firstIdAt(new Date(startOfMonth(new Date()).getTime() - DAY_MS)),
    ])
  },
  async removeBudget(tx, { accountId, keyId }, productId) {
    await raise(tx, accountId)
    await run(tx, BUDGET_REMOVE, [accountId, keyId, productId])
  },
  async revokeKey(tx, { accountId, keyId }, at) {
    await raise(tx, accountId)
    await run(tx, KEY_REVOKE, [accountId, keyId, at])
  },
  async close(tx, accountId, at) {
    if (!isUuid(accountId)) return 'unknown_account'
    const raised = await run(tx, ACCOUNT_RAISE, [accountId])
    if (raised.length === 0) return 'unknown_account'
    await run(tx, ACCOUNT_CLOSE, [accountId, at])
    return 'closed'
  },
  async setLowMark(tx, accountId, lowMarkAtomic) {
    await raise(tx, accountId)
    await run(tx, ACCOUNT_LOW_MARK, [accountId, lowMarkAtomic])
  },
}

/** Locks the account and raises its epoch, by which running statements see that it changed. */
async function raise(tx: Pick<SqlTransaction, 'unsafe'>, accountId: string): Promise<void> {
  const rows = await run(tx, ACCOUNT_RAISE, [accountId])
  assert(rows.length === 1, `there is no account ${accountId}`)
}

function startOfMonth(at: Date): Date {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1))
}
