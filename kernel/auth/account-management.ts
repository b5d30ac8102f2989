/**
 * Making, changing, ending and listing accounts, keys and their owners, as the rest of the kernel sees it;
 * `host/account-management` does it. No call needs it: callers are read by the authenticator.
 */
import type { Accounts } from '../ledger/contract.ts'
import type { Database, SqlTransaction } from '../storage/contract.ts'
import type { BudgetChanges } from './budgets.ts'
import type { KeyRecord } from './contract.ts'
import type { KeyMode } from './key-format.ts'
import type { KeyTerms } from './key-terms.ts'

/** NOTIFY channel whose payload is the id of a key that changed. */
export const KEYS_CHANNEL = 'coinop_keys'

/** `ledger` keeps the balances and budgets of what is made. */
export type CreateAccountManagement = (
  db: Pick<Database, 'sql' | 'orm'>,
  ledger: Accounts,
) => AccountManagement

export interface AccountManagement {
  accounts: AccountDirectory
  keys: Keys
  owners: Owners
}

export interface AccountRecord {
  id: string
  /** Null where whoever opened it gave none. */
  name: string | null
  mode: 'live' | 'test'
  availableAtomic: bigint
  heldAtomic: bigint
  /** Available and held together below it: one `account.low_balance` event. */
  lowMarkAtomic: bigint | null
  /** Since when it is below its mark; null while it is not. */
  lowAt: Date | null
  closedAt: Date | null
}

export interface AccountDirectory {
  create(order: {
    name: string
    mode: 'live' | 'test'
    lowMarkAtomic: bigint | null
  }): Promise<AccountRecord>
  /**
   * Opens an account for whoever pays, inside `tx` where one is given: free calls and tiers are not
   * for it, because anybody can have as many as they like.
   */
  openForPayer(
    order: { name: string; mode: 'live' | 'test' },
    tx?: SqlTransaction,
  ): Promise<{ accountId: string }>
  get(accountId: string): Promise<AccountRecord | null>
  /** Newest first; `cursor` is the last id of the page before, `nextCursor` null on the last page. */
  list(page: {
    limit: number
    cursor: string | null
  }): Promise<{ records: AccountRecord[]; nextCursor: string | null }>
  /** Members left out stay; null when the account is unknown. */
  patch(
    accountId: string,
    changes: { name?: string; lowMarkAtomic?: bigint | null },
  ): Promise<AccountRecord | null>
  /**
   * Closed for good: its grants end, its keys buy nothing more, and its balance stays. Calls under way
   * end as they would have; what they give back comes to the balance. Repeating it changes nothing.
   */
  close(
    accountId: string,
  ): Promise<{ outcome: 'closed'; record: AccountRecord } | { outcome: 'unknown_account' }>
}

export interface KeyLimits {
  rpmLimit: number | null
  burstLimit: number | null
  /** Ids of the products that the key may buy; null: all of them. */
  products: readonly string[] | null
}

export type KeyOrder = { name: string; madeBy?: string } & Partial<KeyLimits & KeyTerms> &
  BudgetChanges

/** A key without a secret, and what ends it. */
export type GrantOrder = KeyOrder & {
  madeBy: string
  /** With this key it ends. */
  parentKeyId?: string | null
  /** The plugin whose one such key of the account it is. */
  purpose?: string
}

export interface CreatedKey {
  outcome: 'created'
  record: KeyRecord
  plaintext: string
}

export interface Keys {
  /**
   * A new key on an account of its own, and its plaintext, which cannot be had again. `isPayersOwn`:
   * whoever pays opens the account, so free calls and tiers are not for it.
   */
  create(order: KeyOrder & { mode: KeyMode; isPayersOwn?: boolean }): Promise<CreatedKey>
  /**
   * The same on an account that is there; `mode`, where it is given, must be the account's. `max`: the
   * live keys that the account may have with this one.
   */
  createOn(
    accountId: string,
    order: KeyOrder & { mode?: KeyMode; madeBy?: string; max?: number },
  ): Promise<
    CreatedKey | { outcome: 'unknown_account' | 'closed' | 'mode_mismatch' | 'too_many_keys' }
  >
  /**
   * A key of the account without a secret, in `tx` where one is given. One that a key with a budget
   * asks for takes its part of that budget over for good, so that both together spend no more.
   */
  createGrant(
    accountId: string,
    order: GrantOrder,
    tx?: SqlTransaction,
  ): Promise<
    | { outcome: 'created'; record: KeyRecord }
    | { outcome: 'unknown_account' | 'closed' | 'too_many_keys' | 'unknown_parent' }
    /** The key that asks for it has a budget, and this is not inside it. */
    | { outcome: 'over_parent' }
  >
  /** The one grant that plugin `purpose` has on the account, made when it is first asked for. */
  ownGrant(accountId: string, purpose: string): Promise<{ keyId: string } | null>
  /** `accountId`: null for a key of another account, here and below. */
  get(keyId: string, accountId?: string): Promise<KeyRecord | null>
  /** The account of a key, which never changes; null when the key is unknown. */
  accountOf(keyId: string): Promise<string | null>
  /**
   * Newest first, of all accounts or one; `cursor` is the last id of the page before, `nextCursor`
   * null on the last page.
   */
  list(page: {
    limit: number
    cursor: string | null
    accountId?: string
    kind?: KeyRecord['kind']
  }): Promise<{ records: KeyRecord[]; nextCursor: string | null }>
  /** Members left out stay; null when the key is unknown. */
  patch(
    keyId: string,
    changes: Partial<KeyLimits & KeyTerms> & BudgetChanges & { name?: string },
    accountId?: string,
  ): Promise<KeyRecord | null>
  /**
   * Revoked for good, with the grants that hang on it; repeating it keeps the first time. Null when
   * unknown.
   */
  revoke(keyId: string, accountId?: string): Promise<KeyRecord | null>
  /** A new credential of the key; the ones before it end after `graceMs`. A grant gets none. */
  rotate(
    keyId: string,
    graceMs: number,
    accountId?: string,
  ): Promise<
    | { outcome: 'rotated'; record: KeyRecord; plaintext: string; previousValidUntil: Date }
    | { outcome: 'unknown_key' }
    | { outcome: 'grant' }
    | { outcome: 'revoked'; record: KeyRecord }
  >
}

export interface Owners {
  /**
   * The account that `subject` leads to. `open`: opens one, for whoever pays, where there is none;
   * two at once open one. Null: none.
   */
  accountOf(
    subject: string,
    open: { name: string; mode: 'live' | 'test' } | null,
  ): Promise<{ accountId: string; isNew: boolean } | null>
  /** The ways in, oldest first. */
  list(accountId: string): Promise<{ subject: string; addedAt: Date }[]>
  add(
    tx: SqlTransaction,
    accountId: string,
    subject: string,
  ): Promise<'added' | 'known' | 'taken' | 'unknown_account'>
  remove(
    tx: SqlTransaction,
    accountId: string,
    subject: string,
  ): Promise<'removed' | 'unknown' | 'last'>
}

const ACCOUNT_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Whether a text can be the id of an account: a UUID in lower case. */
export function isAccountId(text: string): boolean {
  return ACCOUNT_ID.test(text)
}

/** Longest name of a key. */
const KEY_NAME_MAX = 128

/** Whether a key can have this name: not blank, no control characters, not too long. */
export function isKeyName(name: string): boolean {
  return name.trim() !== '' && name.length <= KEY_NAME_MAX && !/\p{Cc}/u.test(name)
}
