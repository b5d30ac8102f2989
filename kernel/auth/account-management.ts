/**
 * The contract for making, changing, ending and listing accounts, keys and their owners,
 * implemented by `host/account-management`. Metered calls do not use it: the authenticator
 * identifies callers.
 */
import type { Accounts } from '../ledger/accounts-contract.ts'
import type { Database, SqlTransaction } from '../storage/contract.ts'
import type { BudgetChanges } from './budgets.ts'
import type { KeyLimits, KeyRecord } from './contract.ts'
import type { KeyMode } from './key-format.ts'
import type { KeyTerms } from './key-terms.ts'

/**
 * NOTIFY channel whose payload is the id of a key that changed. The instance that changed it hears of
 * it before it answers, the others when the message arrives.
 */
export const KEYS_CHANNEL = 'coinop_keys'

/** `ledger` keeps the balances of accounts and the budgets of keys. */
export type CreateAccountManagement = (
  db: Pick<Database, 'sql' | 'orm' | 'notifyHere'>,
  ledger: Accounts,
) => AccountManagement

export interface AccountManagement {
  accounts: AccountDirectory
  keys: Keys
  owners: Owners
}

export interface AccountRecord {
  id: string
  /** Null if none was given. */
  name: string | null
  mode: 'live' | 'test'
  availableAtomic: bigint
  heldAtomic: bigint
  /** One `account.low_balance` event is sent when available plus held falls below it. */
  lowMarkAtomic: bigint | null
  /** Since when the balance is below the mark; null while it is not. */
  lowAt: Date | null
  closedAt: Date | null
}

/** Asks for a page of a list; its `nextCursor` is null on the last page. */
export interface PageOrder {
  limit: number
  /** The `nextCursor` of the page before; null for the first. */
  cursor: string | null
}

export interface AccountDirectory {
  create(order: {
    name: string
    mode: 'live' | 'test'
    lowMarkAtomic: bigint | null
  }): Promise<AccountRecord>
  /**
   * Opens an account on behalf of a payer, inside `tx` if given. Free calls and tiers do not apply
   * to it, because anybody can open any number of such accounts.
   */
  openForPayer(
    order: { name: string; mode: 'live' | 'test' },
    tx?: SqlTransaction,
  ): Promise<{ accountId: string }>
  get(accountId: string): Promise<AccountRecord | null>
  /** Newest first; `find` is a part of the name, or of a way to sign in; `isLow`: open and below its mark. */
  list(
    page: PageOrder & { find?: string; isLow?: boolean },
  ): Promise<{ records: AccountRecord[]; nextCursor: string | null }>
  /** Absent members stay as they are; null if the account is unknown. */
  patch(
    accountId: string,
    changes: { name?: string; lowMarkAtomic?: bigint | null },
  ): Promise<AccountRecord | null>
  /**
   * Closes the account for good: its grants end, its keys can buy nothing more, and its balance
   * stays. Running calls finish normally; what they give back goes to the balance. Repeating it
   * changes nothing.
   */
  close(
    accountId: string,
  ): Promise<{ outcome: 'closed'; record: AccountRecord } | { outcome: 'unknown_account' }>
}

export type KeyOrder = { name: string; madeBy?: string } & Partial<KeyLimits & KeyTerms> &
  BudgetChanges

/** The order for a key without a secret (a grant). */
export type GrantOrder = KeyOrder & {
  madeBy: string
  /** The grant ends together with this key. */
  parentKeyId?: string | null
  /** The plugin that has this as its only grant on the account. */
  purpose?: string
}

export interface CreatedKey {
  outcome: 'created'
  record: KeyRecord
  plaintext: string
}

export interface Keys {
  /**
   * A new key on a new account, and its plaintext, which is not stored. `isPayersOwn`: the account
   * is opened on behalf of a payer, so free calls and tiers do not apply to it. In `tx` if given.
   */
  create(
    order: KeyOrder & { mode: KeyMode; isPayersOwn?: boolean },
    tx?: SqlTransaction,
  ): Promise<CreatedKey>
  /**
   * The same on an existing account; `mode`, if given, must be the account's. `max`: the most live
   * keys that the account may have, including this one.
   */
  createOn(
    accountId: string,
    order: KeyOrder & { mode?: KeyMode; madeBy?: string; max?: number },
  ): Promise<
    CreatedKey | { outcome: 'unknown_account' | 'closed' | 'mode_mismatch' | 'too_many_keys' }
  >
  /**
   * A key of the account without a secret, made in `tx` if given. If a key with a budget asks for
   * it, its part is moved from that budget for good, so that both together cannot spend more.
   */
  createGrant(
    accountId: string,
    order: GrantOrder,
    tx?: SqlTransaction,
  ): Promise<
    | { outcome: 'created'; record: KeyRecord }
    | { outcome: 'unknown_account' | 'closed' | 'too_many_keys' | 'unknown_parent' }
    /** The requested budget exceeds that of the key that asks for it. */
    | { outcome: 'over_parent' }
  >
  /** The only grant that plugin `purpose` has on the account, created on first use. */
  ownGrant(accountId: string, purpose: string): Promise<{ keyId: string } | null>
  /** With `accountId`, null for a key of another account; here and below. */
  get(keyId: string, accountId?: string): Promise<KeyRecord | null>
  /** The account of a key, which never changes; null if the key is unknown. */
  accountOf(keyId: string): Promise<string | null>
  /** Newest first, of all accounts or one; `find` is a part of the name, or how the key begins. */
  list(
    page: PageOrder & { accountId?: string; kind?: KeyRecord['kind']; find?: string },
  ): Promise<{ records: KeyRecord[]; nextCursor: string | null }>
  /** Absent members stay as they are; null if the key is unknown. */
  patch(
    keyId: string,
    changes: Partial<KeyLimits & KeyTerms> & BudgetChanges & { name?: string },
    accountId?: string,
  ): Promise<KeyRecord | null>
  /**
   * Revokes the key for good, together with its grants; repeating it keeps the first time. Null if
   * the key is unknown.
   */
  revoke(keyId: string, accountId?: string): Promise<KeyRecord | null>
  /** Makes a new credential of the key; earlier ones end after `graceMs`. Not for grants. */
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
   * The account that `subject` owns; null if there is none. With `open`, one is opened on behalf of
   * the payer if there is none, and only one by concurrent calls.
   */
  accountOf(
    subject: string,
    open: { name: string; mode: 'live' | 'test' } | null,
  ): Promise<{ accountId: string; isNew: boolean } | null>
  /** The owners of the account, oldest first. */
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

/** No control characters, none that turn text around, no separators of lines. */
const KEY_NAME = /^[^\p{Cc}\p{Cs}\p{Bidi_C}\p{Zl}\p{Zp}]{1,128}$/u

/** Whether a key can have this name: not blank, nothing that misleads a reader, not too long. */
export function isKeyName(name: string): boolean {
  return name.trim() !== '' && KEY_NAME.test(name)
}
