/** Accounts of the keys that tests make. */
import { createHash } from 'node:crypto'
import { accounts } from '../../kernel/ledger/accounts.ts'
import { WHOLE_KEY, type Ledger } from '../../kernel/ledger/contract.ts'
import type { SqlClient } from '../../kernel/storage/contract.ts'

/** The account of a key that was made without one: it has the key's own uuid. */
export function ownAccount(keyId: string): string {
  const own = /^key_([0-9a-f]{32})$/.exec(keyId)?.[1]
  const hex = own ?? createHash('md5').update(keyId).digest('hex')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** Opens the account of a key with that key on it, without an API key beside it. */
export async function openKey(
  sql: SqlClient,
  keyId: string,
  options: { mode?: 'live' | 'test'; ceilingAtomic?: bigint | null; accountId?: string } = {},
): Promise<void> {
  const { mode = 'test', ceilingAtomic = null, accountId = ownAccount(keyId) } = options
  await sql.begin(async (tx) => {
    if (options.accountId === undefined) await accounts.open(tx, { accountId, mode })
    await accounts.addKey(tx, { accountId, keyId })
    if (ceilingAtomic === null) return
    await accounts.setBudget(tx, { accountId, keyId }, WHOLE_KEY, { day: ceilingAtomic })
  })
}

/** Sets what the key may spend in a UTC day. */
export async function setCeiling(sql: SqlClient, keyId: string, day: bigint | null): Promise<void> {
  const spender = { accountId: ownAccount(keyId), keyId }
  await sql.begin((tx) => accounts.setBudget(tx, spender, WHOLE_KEY, { day }))
}

/** Revokes the key in the ledger alone. */
export async function revokeKey(sql: SqlClient, keyId: string): Promise<void> {
  await sql.begin((tx) => accounts.revokeKey(tx, { accountId: ownAccount(keyId), keyId }))
}

/** The balance of the key's own account, and what the key has spent today; null: no such account. */
export async function balanceOf(ledger: Pick<Ledger, 'balance' | 'spend'>, keyId: string) {
  const accountId = ownAccount(keyId)
  const balance = await ledger.balance(accountId)
  if (balance === null) return null
  const [own] = await ledger.spend({ accountId, keyId })
  const { availableAtomic, heldAtomic } = balance
  return { keyId, availableAtomic, heldAtomic, spentTodayAtomic: own?.spentTodayAtomic ?? 0n }
}
