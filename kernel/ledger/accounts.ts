/** Rows of accounts and their keys, opened and changed inside the caller's transaction. */
import { assert } from '../errors.ts'
import { firstIdAt, isUuid } from '../ids.ts'
import type { SqlTransaction } from '../storage/contract.ts'
import type { Accounts, CountedMonth } from './accounts-contract.ts'
import { WHOLE_KEY } from './contract.ts'
import { arrayLiteral, isIndexable, run, runUnprepared } from './holds.ts'
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
  SPEND_COUNTED,
} from './sql/accounts.ts'

/** Holds with ids of the last seconds are read under the lock: some may not be stored yet. */
const STILL_ARRIVING_MS = 10_000

export const accounts: Accounts = {
  async open(tx, { accountId, mode, lowMarkAtomic = null }) {
    await run(tx, ACCOUNT_OPEN, [accountId, mode, lowMarkAtomic])
  },
  async addKey(tx, { accountId, keyId }) {
    assert(isIndexable(keyId), 'unstorable key id')
    await raise(tx, accountId)
    await run(tx, KEY_ADD, [accountId, keyId])
  },
  async countMonth(tx, { accountId, keyId }, productIds) {
    const fromId = firstIdAt(new Date(Date.now() - STILL_ARRIVING_MS))
    const range = [accountId, keyId, dayBeforeMonth(), fromId, arrayLiteral(productIds)]
    const sums: CountedMonth['sums'] = await runUnprepared(tx, SPEND_COUNTED, range)
    return sums.length === 0 ? null : { fromId, sums }
  },
  async setBudget(tx, { accountId, keyId }, scope, { call, day, month }, counted = null) {
    assert(isIndexable(scope) && scope !== '', 'unstorable scope')
    await raise(tx, accountId)
    const known = await run(tx, KEY_KNOWN, [accountId, keyId])
    assert(known.length > 0, `account ${accountId} has no key ${keyId}`)
    const caps = [call, day, month].flatMap((cap) => [cap !== undefined, cap ?? null])
    const changed = await run(tx, BUDGET_CHANGE, [accountId, keyId, scope, ...caps])
    if (changed.length > 0) return
    assert(scope !== WHOLE_KEY, 'every key has a row of its own')
    await run(tx, KEY_DAY, [accountId, keyId])
    const row = [accountId, keyId, scope, call ?? null, day ?? null, month ?? null]
    // Planned each time: how many postings it reads varies by key.
    if (counted !== null) {
      const { fromId, sums } = counted
      const of = (rows: typeof sums) => [sum(rows, 'today'), sum(rows, 'month')]
      const open = `{${sums.flatMap((one) => one.open ?? []).join(',')}}`
      const before = [...of(sums.filter((one) => one.product_id === scope)), ...of(sums)]
      const rest = [fromId, open, sums[0]!.day, ...before]
      if ((await runUnprepared(tx, BUDGET_ADD, [...row, ...rest])).length > 0) return
    }
    await runUnprepared(tx, BUDGET_ADD, [...row, dayBeforeMonth(), '{}', null, 0, 0, 0, 0])
  },
  async removeBudget(tx, { accountId, keyId }, productId) {
    await raise(tx, accountId)
    await run(tx, BUDGET_REMOVE, [accountId, keyId, productId])
  },
  async revokeKey(tx, { accountId, keyId }) {
    await raise(tx, accountId)
    await run(tx, KEY_REVOKE, [accountId, keyId])
  },
  async close(tx, accountId) {
    if (!isUuid(accountId)) return 'unknown_account'
    if ((await run(tx, ACCOUNT_RAISE, [accountId])).length === 0) return 'unknown_account'
    await run(tx, ACCOUNT_CLOSE, [accountId])
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

/** The lowest id of the day before this UTC month: clocks differ. */
function dayBeforeMonth(now = new Date()): string {
  return firstIdAt(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 0)))
}

const sum = (rows: CountedMonth['sums'], of: 'today' | 'month'): bigint =>
  rows.reduce((all, row) => all + row[of], 0n)
