/** Accounts, their keys and the budgets of these keys, as the ledger keeps them. */
import type { SqlClient, SqlTransaction } from '../storage/contract.ts'
import type { Spender } from './contract.ts'

/** Budgets in atomic units; null removes the limit, an absent member stays as it is. */
export interface BudgetCaps {
  call?: bigint | null
  day?: bigint | null
  month?: bigint | null
}

/** What a key's holds with ids below `fromId` spent in a month; a holdless key has one empty row. */
export interface CountedMonth {
  fromId: string
  /** Of each product: sums of its ended holds in the month and on `day`, ids of its open ones. */
  sums: readonly (Record<'month' | 'today', bigint> & {
    day: string
    product_id: string | null
    open: string | null
  })[]
}

/**
 * Rows of accounts and their keys, opened and changed inside the caller's transaction. Every change
 * locks the account row first and raises its epoch, so that no running call can miss it; the
 * transaction must take any other locks of the ledger afterwards.
 */
export interface Accounts {
  open(
    tx: SqlTransaction | SqlClient,
    account: { accountId: string; mode: 'live' | 'test'; lowMarkAtomic?: bigint | null },
  ): Promise<void>
  addKey(tx: SqlTransaction | SqlClient, spender: Spender): Promise<void>
  /** For `setBudget`, before the account is locked; null if each product has a budget already. */
  countMonth(
    tx: SqlTransaction,
    spender: Spender,
    productIds: readonly string[],
  ): Promise<CountedMonth | null>
  /**
   * A new product budget starts with the spending of this month; what was `counted` is not read
   * again under the lock. Throws for an unknown key.
   */
  setBudget(
    tx: SqlTransaction,
    spender: Spender,
    scope: string,
    caps: BudgetCaps,
    counted?: CountedMonth | null,
  ): Promise<void>
  /** Removes a product's own budget; the key's stays. */
  removeBudget(tx: SqlTransaction, spender: Spender, productId: string): Promise<void>
  /** New holds are refused from now on; a repeat keeps the time of the first revocation. */
  revokeKey(tx: SqlTransaction, spender: Spender): Promise<void>
  /** From then on nothing can be held or credited; open holds can still be captured or released. */
  close(tx: SqlTransaction, accountId: string): Promise<'closed' | 'unknown_account'>
  /** available + held falling below the mark sends 'account.low_balance'; null: no event. */
  setLowMark(tx: SqlTransaction, accountId: string, lowMarkAtomic: bigint | null): Promise<void>
}
