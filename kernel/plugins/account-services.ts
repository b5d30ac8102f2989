/** Kernel services of accounts: their balances, their keys and grants, and what was called on them. */
import type { Failure } from '../errors.ts'
import type { AccountRecord } from '../auth/account-management.ts'
import type { KeyRecord } from '../auth/contract.ts'
import type { KeyTerms } from '../auth/key-terms.ts'
import type { RailCallRow } from '../rails/calls-contract.ts'
import type { LedgerRowJson } from '../ledger/rows.ts'
import type { PluginTx } from '../storage/contract.ts'

/**
 * Balances of accounts, for what is sold by the month. Amounts are in atomic units; what moves them is
 * an entry of the ledger, in the plugin's own transaction and once per reference.
 */
export interface Accounts {
  /** The account of an API key; null: unknown key. */
  ofKey(keyId: string): Promise<string | null>
  /** Opens an account for whoever pays: free calls and tiers are not for it. */
  open(
    order: { name: string; mode: 'live' | 'test' },
    tx?: PluginTx,
  ): Promise<{ accountId: string }>
  /** Null: unknown. */
  get(accountId: string): Promise<({ accountId: string } & Omit<AccountRecord, 'id'>) | null>
  /** Those of at most 1000 accounts that are below their mark, in one read; closed ones are left out. */
  belowMark(accountIds: readonly string[]): Promise<
    readonly {
      accountId: string
      availableAtomic: bigint
      heldAtomic: bigint
      lowMarkAtomic: bigint
      lowAt: Date
    }[]
  >
  setLowMark(accountId: string, lowMarkAtomic: bigint | null): Promise<void>
  /**
   * The account that belongs to `subject`, such as 'wallet:…' or
   * 'email:a@b.c'. `open`: opens one in `mode` where there is none; two at once open one. Null: none.
   */
  ofOwner(
    subject: string,
    open: { name: string; mode: 'live' | 'test' } | null,
  ): Promise<{ accountId: string; isNew: boolean } | null>
  owners(accountId: string): Promise<readonly { subject: string; addedAt: Date }[]>
  /** Adds a way in; 'taken': it leads to another account. */
  addOwner(accountId: string, subject: string, tx?: PluginTx): Promise<'added' | 'known' | 'taken'>
  /** Takes a way in away; 'last': it is the only one left. */
  removeOwner(
    accountId: string,
    subject: string,
    tx?: PluginTx,
  ): Promise<'removed' | 'unknown' | 'last'>
  /**
   * The key without a secret by which plugin `purpose` ('wallet') spends the account's balance; made
   * at the first call, one for each account and purpose. Null: unknown or closed account.
   */
  ownKey(accountId: string, purpose: string): Promise<{ keyId: string } | null>
  /** What a key may buy for its account at this moment, of a product where one is named. Null: unknown key. */
  buyer(
    keyId: string,
    tx: PluginTx,
    productId?: string,
  ): Promise<{
    accountId: string
    mode: 'live' | 'test'
    /** The key was revoked or has expired, or its account was closed: no money can be credited to it. */
    isOver: boolean
    /** Ids of the products that it may buy; null: all of them. */
    products: readonly string[] | null
    /** The least that its budgets of a call, the day and the month leave, and those of the product; null: it has none. */
    leftAtomic: bigint | null
  } | null>
  /**
   * Locks the account until `tx` ends, so that nothing is charged meanwhile, and says what it has now
   * and what its calls captured since `since`, less what of that was refunded. Null: unknown.
   */
  standing(
    accountId: string,
    since: Date,
    tx: PluginTx,
  ): Promise<{ availableAtomic: bigint; heldAtomic: bigint; spentAtomic: bigint } | null>
  /** Takes all of the amount from what is available, or nothing: never below zero. */
  charge(
    order: AccountMove & { to: string },
    tx: PluginTx,
  ): Promise<
    | { ok: true; duplicate: boolean; ledgerId: string }
    | { ok: false; reason: 'insufficient' | 'unknown_account' | 'closed' }
  >
  /** Adds to what is available. */
  credit(
    order: AccountMove & { source: string },
    tx: PluginTx,
  ): Promise<
    | { ok: true; duplicate: boolean; ledgerId: string }
    | { ok: false; reason: 'unknown_account' | 'closed' }
  >
  /** Takes at most the amount, as far as it is available. */
  take(
    order: AccountMove & { to: string },
    tx: PluginTx,
  ): Promise<
    | { ok: true; takenAtomic: bigint; ledgerId: string | null }
    | { ok: false; reason: 'unknown_account' }
  >
  /**
   * Records an event of the account in `tx`: it is listed at `GET /v1/events` and sent to the operator's
   * webhook at least once. `type` begins with the plugin's own name (`plan.past_due`); `data` is sent as
   * it is, with the account's id.
   */
  tell(
    event: { accountId: string; type: string; data: Readonly<Record<string, unknown>> },
    tx: PluginTx,
  ): Promise<void>
}

/** An amount between an account and a system account, once for each `reference`. */
export interface AccountMove {
  accountId: string
  amountAtomic: bigint
  reference: string
  note?: string
}

/** Limits of a key or a grant in atomic units; null: no limit of that kind. */
export interface SpendLimits {
  callAtomic: bigint | null
  dayAtomic: bigint | null
  monthAtomic: bigint | null
}

/** A key, or a grant: a key without a secret, which another credential stands for. */
export interface AccountKey extends Omit<KeyRecord, 'accountId' | 'rpmLimit' | 'burstLimit'> {
  limits: SpendLimits
  /** Whether a product has a budget of its own beside these limits. */
  hasProductBudgets: boolean
  spentTodayAtomic: bigint
  spentMonthAtomic: bigint
  lastUsedAt: Date | null
}

export interface AccountKeyChanges extends Partial<KeyTerms> {
  name?: string
  products?: readonly string[] | null
  limits?: Partial<SpendLimits>
}

/** Keys of one account; another account's key is unknown to each of these. */
export interface AccountKeys {
  list(
    accountId: string,
    page: { kind: 'key' | 'grant' | null; limit: number; cursor: string | null },
  ): Promise<{ records: readonly AccountKey[]; nextCursor: string | null }>
  get(accountId: string, keyId: string): Promise<AccountKey | null>
  /** The plaintext of a key is returned once. */
  create(
    accountId: string,
    order: { name: string } & AccountKeyChanges,
  ): Promise<{ record: AccountKey; key: string } | Failure>
  /**
   * Limits the day or the month. Of a parent with a budget it takes its part over: the caps of that
   * key fall by those of the grant, and one that does not fit is refused by 409 `over_parent`.
   */
  createGrant(
    accountId: string,
    order: { name: string; parentKeyId: string | null } & AccountKeyChanges,
    tx?: PluginTx,
  ): Promise<{ record: AccountKey } | Failure>
  patch(accountId: string, keyId: string, changes: AccountKeyChanges): Promise<AccountKey | null>
  rotate(
    accountId: string,
    keyId: string,
    graceMs: number,
  ): Promise<{ record: AccountKey; key: string } | Failure>
  /** Also ends the grants that hang on it. Every instance sees it within a second. */
  revoke(accountId: string, keyId: string): Promise<AccountKey | null>
}

/** One paid call of an account. */
export interface StatementCall extends Pick<
  RailCallRow,
  | 'id'
  | 'at'
  | 'skillId'
  | 'path'
  | 'requestId'
  | 'outcome'
  | 'rail'
  | 'amountAtomic'
  | 'chargedAtomic'
  | 'transaction'
> {
  keyId: string
}

/** What was called and bought on one account, from the ledger and the rails. Nothing here writes. */
export interface Statements {
  calls(
    accountId: string,
    filter: {
      keyId?: string
      skillId?: string
      outcome?: StatementCall['outcome']
      from?: Date
      until?: Date
    },
    page: { limit: number; cursor: string | null },
  ): Promise<{ calls: readonly StatementCall[]; nextCursor: string | null }>
  /** One call with its ledger rows. Null: not of this account. */
  call(
    accountId: string,
    id: string,
  ): Promise<{ call: StatementCall; entries: readonly LedgerRowJson[] } | null>
  /** Captured and refunded credits by UTC day, skill and key, of `from` <= day < `until`. */
  usage(
    accountId: string,
    from: Date,
    until: Date,
  ): Promise<
    readonly {
      day: string
      skillId: string
      keyId: string
      calls: number
      chargedAtomic: bigint
      refundedAtomic: bigint
    }[]
  >
  /** What was credited, taken back or bought, newest first; with `until`, before that moment. */
  purchases(
    accountId: string,
    page: { limit: number; cursor: string | null; until?: Date },
  ): Promise<{ entries: readonly LedgerRowJson[]; nextCursor: string | null }>
  /** One of them. Null: not of this account, or none of these. */
  purchase(accountId: string, id: string): Promise<LedgerRowJson | null>
}
