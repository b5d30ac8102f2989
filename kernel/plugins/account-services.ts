/** Kernel services of accounts: their balances, keys and grants, and the calls they paid for. */
import type { Failure } from '../errors.ts'
import type { AccountRecord, PageOrder } from '../auth/account-management.ts'
import type { KeyRecord } from '../auth/contract.ts'
import type { KeyTerms } from '../auth/key-terms.ts'
import type { Balance } from '../ledger/contract.ts'
import type { RailCallRow } from '../rails/calls-contract.ts'
import type { LedgerRowJson } from '../ledger/rows.ts'
import type { PluginTx } from '../storage/contract.ts'

/**
 * Balances of accounts, for sales by the month. Amounts are in atomic units; each movement is a
 * ledger entry, made in the plugin's own transaction and once per reference.
 */
export interface Accounts {
  /** The account of an API key; null if the key is unknown. */
  ofKey(keyId: string): Promise<string | null>
  /** Opens an account on behalf of a payer: free calls and tiers do not apply to it. */
  open(
    order: { name: string; mode: 'live' | 'test' },
    tx?: PluginTx,
  ): Promise<{ accountId: string }>
  /** Null if the account is unknown. */
  get(accountId: string): Promise<({ accountId: string } & Omit<AccountRecord, 'id'>) | null>
  /** Which of at most 1000 accounts are below their mark, in one read, without closed ones. */
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
   * The account that `subject` owns, such as 'wallet:…' or 'email:a@b.c'; null if there is none.
   * With `open`, one is opened in `mode` if there is none, and only one by concurrent calls.
   */
  ofOwner(
    subject: string,
    open: { name: string; mode: 'live' | 'test' } | null,
  ): Promise<{ accountId: string; isNew: boolean } | null>
  owners(accountId: string): Promise<readonly { subject: string; addedAt: Date }[]>
  /** Adds an owner; 'taken' if it owns another account. */
  addOwner(accountId: string, subject: string, tx?: PluginTx): Promise<'added' | 'known' | 'taken'>
  /** Removes an owner; 'last' if it is the only one. */
  removeOwner(
    accountId: string,
    subject: string,
    tx?: PluginTx,
  ): Promise<'removed' | 'unknown' | 'last'>
  /**
   * The key without a secret with which plugin `purpose` ('wallet') spends the account's balance;
   * created on first use, one per account and purpose. Null for an unknown or closed account.
   */
  ownKey(accountId: string, purpose: string): Promise<{ keyId: string } | null>
  /** What a key may buy for its account now, of one product if named. Null for an unknown key. */
  buyer(
    keyId: string,
    tx: PluginTx,
    productId?: string,
  ): Promise<{
    accountId: string
    mode: 'live' | 'test'
    /** The key was revoked or expired, or its account is closed: it cannot be credited. */
    isOver: boolean
    /** Ids of the products that it may buy; null: all products. */
    products: readonly string[] | null
    /** The least that its budgets leave (call, day, month, and the product's); null: none set. */
    leftAtomic: bigint | null
  } | null>
  /**
   * Locks the account until `tx` ends, so that nothing is charged meanwhile; returns its balance
   * and what its calls captured since `since`, minus refunds of that. `keptAtomic` is the most that
   * the account can have left of credits that it had then; null if only calls took any since. Null
   * if unknown.
   */
  standing(
    accountId: string,
    since: Date,
    tx: PluginTx,
  ): Promise<
    (Omit<Balance, 'accountId'> & { spentAtomic: bigint; keptAtomic: bigint | null }) | null
  >
  /** Takes the whole amount from the available balance, or nothing. */
  charge(
    order: AccountMove & { to: string },
    tx: PluginTx,
  ): Promise<
    | { ok: true; duplicate: boolean; ledgerId: string }
    | { ok: false; reason: 'insufficient' | 'unknown_account' | 'closed' }
  >
  /** Adds to the available balance. */
  credit(
    order: AccountMove & { source: string },
    tx: PluginTx,
  ): Promise<
    | { ok: true; duplicate: boolean; ledgerId: string }
    | { ok: false; reason: 'unknown_account' | 'closed' }
  >
  /** Takes at most the amount, limited by the available balance. */
  take(
    order: AccountMove & { to: string },
    tx: PluginTx,
  ): Promise<
    | { ok: true; takenAtomic: bigint; ledgerId: string | null }
    | { ok: false; reason: 'unknown_account' }
  >
  /**
   * Records an event of the account in `tx`: it is listed at `GET /v1/events` and sent to the
   * operator's webhook at least once. `type` begins with the plugin's own name (`plan.past_due`);
   * `data` is sent unchanged, with the account's id.
   */
  tell(
    event: { accountId: string; type: string; data: Readonly<Record<string, unknown>> },
    tx: PluginTx,
  ): Promise<void>
}

/** A movement between an account and a system account, made once per `reference`. */
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

/** A key, or a grant: a key without a secret, used through another credential. */
export interface AccountKey extends Omit<KeyRecord, 'accountId' | 'rpmLimit' | 'burstLimit'> {
  limits: SpendLimits
  /** Whether a product has its own budget besides these limits. */
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

/** Keys of one account; every method treats another account's key as unknown. */
export interface AccountKeys {
  list(
    accountId: string,
    page: PageOrder & { kind: 'key' | 'grant' | null; find?: string },
  ): Promise<{ records: readonly AccountKey[]; nextCursor: string | null }>
  /** Of all its keys and grants, also of revoked ones. */
  ids(accountId: string): Promise<readonly string[]>
  get(accountId: string, keyId: string): Promise<AccountKey | null>
  /** The plaintext of a key is returned once. */
  create(
    accountId: string,
    order: { name: string } & AccountKeyChanges,
  ): Promise<{ record: AccountKey; key: string } | Failure>
  /**
   * The budget limits the day or the month. It is moved from a parent with a budget, whose caps
   * fall by those of the grant; a grant that does not fit is refused with 409 `over_parent`.
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
  ): Promise<{ record: AccountKey; key: string; previousValidUntil: Date } | Failure>
  /** Also ends the grants of the key. Takes effect on every instance within a second. */
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

/** The calls and purchases of one account, from the ledger and the rails. Read-only. */
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
    page: PageOrder,
  ): Promise<{ calls: readonly StatementCall[]; nextCursor: string | null }>
  /** One call with its ledger rows. Null if it is not of this account. */
  call(
    accountId: string,
    id: string,
  ): Promise<{ call: StatementCall; entries: readonly LedgerRowJson[] } | null>
  /** Captured and refunded credits by UTC day, skill and key, or the largest sums by one of them. */
  usage(
    accountId: string,
    from: Date,
    until: Date,
    part?: { keyId?: string; by?: 'day' | 'skillId' | 'keyId' },
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
  /** Credits, take-backs and purchases, newest first; with `until`, those before that moment. */
  purchases(
    accountId: string,
    page: PageOrder & { until?: Date },
  ): Promise<{ entries: readonly LedgerRowJson[]; nextCursor: string | null }>
  /** One of these rows. Null if the id is not of this account or of another kind. */
  purchase(accountId: string, id: string): Promise<LedgerRowJson | null>
}
