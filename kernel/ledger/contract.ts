/**
 * The double-entry ledger. An account owns a balance, and any number of keys spend it, each under
 * budgets of its own. Every movement is a posting from a debit to a credit side, in atomic units; a
 * hold is `authorized → captured | released | expired` and `captured → refunded`.
 * Expected refusals are values; each transition happens at most once, and repeating the call that
 * made it returns the same record.
 */
import type { SqlClient, SqlTransaction } from '../storage/contract.ts'

export type HoldState = 'authorized' | 'captured' | 'released' | 'expired' | 'refunded'

/** Who spends: an account owns the balance, a key is one way to spend it. Both are known to auth. */
export interface Spender {
  /** UUID text, lower case. */
  accountId: string
  keyId: string
}

/** The most units that one call can have: JSON numbers are exact up to it. */
export const MAX_UNITS = 2n ** 53n

/** The scope of a key's own budget; every other scope is the id of a product. */
export const WHOLE_KEY = '*'

/** Calls that cost nothing, of one skill and account, in each UTC day or month. */
export interface FreeQuota {
  calls: number
  period: 'day' | 'month'
}

export interface Hold {
  /** Also the id of its authorize posting. */
  id: string
  accountId: string
  keyId: string
  requestId: string
  /** The request id that it keeps taken; null for a metered call, and once it was given back. */
  claim: string | null
  skillId: string
  productId: string
  path: string
  /** Authorized amount; `capturedAtomic` may be less. 0 for a free call. */
  amountAtomic: bigint
  capturedAtomic: bigint | null
  state: HoldState
  priceVersion: number | null
  acquisition: string | null
  /** The bucket of the free quota that the call took: a UTC day '2026-11-22' or month '2026-11'. */
  freeBucket: string | null
  /** What was measured of the call; null until its capture says. */
  units: bigint | null
  createdAt: Date
  expiresAt: Date
  /** The newest posting of this hold. */
  ledgerId: string
}

export interface AuthorizeOrder {
  /**
   * UUIDv7 made by the caller, so that an Idempotency-Key claim can name it beforehand. With the
   * scope 'call' it is new: a refusal is then final, and no earlier hold is looked for.
   */
  holdId: string
  accountId: string
  keyId: string
  requestId: string
  skillId: string
  /** Whose budget the call counts against, beside the key's own. */
  productId: string
  path: string
  /** Above 0; a call of the free quota becomes a hold of 0. */
  amountAtomic: bigint
  ttlMs: number
  priceVersion?: number | null
  acquisition?: string | null
  free?: FreeQuota | null
  /**
   * 'request': `requestId` is unique per key and the same body returns the same hold (public
   * authorize); 'call': an internal metered call, each of which holds anew.
   */
  scope: 'request' | 'call'
  /**
   * Nobody is told of the hold before its capture is on the disk, and the log of the database has the
   * hold before that. So its own commit waits for no disk: a hold that a crash of the database undoes
   * was never made, and its capture finds none.
   */
  isProvisional?: boolean
}

/** A budget of a key, over all products or for one. */
export type SpendLimit =
  | 'key_call'
  | 'key_day'
  | 'key_month'
  | 'product_call'
  | 'product_day'
  | 'product_month'

export type AuthorizeResult =
  | { outcome: 'authorized'; hold: Hold; availableAtomic: bigint; repeated: boolean }
  | { outcome: 'insufficient'; availableAtomic: bigint }
  | {
      outcome: 'over_budget'
      limit: SpendLimit
      capAtomic: bigint
      /** Spent of it so far; 0 for a limit of one call. */
      spentAtomic: bigint
      /** When the next UTC day or month begins; null for a limit of one call. */
      resetsAt: Date | null
    }
  | { outcome: 'revoked' }
  /** The account is closed. */
  | { outcome: 'closed' }
  /** No such account, or it has no such key. */
  | { outcome: 'unknown_key' }
  /** Same requestId, another body: 409. */
  | { outcome: 'conflict'; hold: Hold }

/**
 * A price of `units` by tiers over the account's units of the skill in the UTC month of the hold:
 * captured is base + G(before + units) − G(before), at most the hold, G(v) being what v units cost.
 */
export interface Graduated {
  units: bigint
  baseAtomic: bigint
  /** Ascending; `upTo` of the last is null. */
  tiers: readonly { upTo: bigint | null; unitAtomic: bigint }[]
}

export interface EndOrder {
  holdId: string
  accountId: string
  keyId: string
}
export interface CaptureOrder extends EndOrder {
  /** Default: all; 0 is a capture of nothing. Ignored with `graduated`, and for a free call. */
  amountAtomic?: bigint
  /** What was measured, noted on the hold. */
  units?: bigint
  graduated?: Graduated | null
  /** The hold as its authorize gave it, where it is at hand: less is read of the database then. */
  hold?: Hold
}

export type TransitionResult =
  | { outcome: 'done'; hold: Hold; availableAtomic: bigint; repeated: boolean }
  | { outcome: 'not_found' }
  /** The hold ended another way (or, for a refund, was never captured): 409 with `details.state`. */
  | { outcome: 'conflict'; hold: Hold }

export type RefundResult =
  | TransitionResult
  /** Several charged holds share the request id; `holdId` must say which. */
  | { outcome: 'ambiguous'; holds: Hold[] }

export interface Balance {
  accountId: string
  availableAtomic: bigint
  heldAtomic: bigint
  /** Its keys buy nothing. */
  isClosed: boolean
}

/** What a key may spend and has spent, in all (scope WHOLE_KEY) or on one product; null: no limit. */
export interface KeySpend {
  keyId: string
  scope: string
  callCapAtomic: bigint | null
  dayCapAtomic: bigint | null
  monthCapAtomic: bigint | null
  spentTodayAtomic: bigint
  spentMonthAtomic: bigint
}

export type EntryKind =
  | 'authorize'
  | 'capture'
  | 'release'
  | 'expire'
  | 'refund'
  | 'topup'
  | 'grant'
  | 'adjustment'
  | 'settlement'

/** One row of GET /v1/ledger before it is put into JSON. */
export interface LedgerRow {
  id: string
  at: Date
  kind: EntryKind
  /** Null: a settlement that belongs to nobody. */
  accountId: string | null
  keyId: string | null
  /** Its number before ledger ids were UUIDs; null for a newer row. */
  legacyId: string | null
  requestId: string | null
  rail: string
  skillId: string | null
  path: string | null
  amountAtomic: bigint
  debit: string
  credit: string
  priceVersion: number | null
  acquisition: string | null
  transaction: string | null
  note: string | null
}

export interface RowFilter {
  /** These rows only. */
  ids?: readonly string[]
  accountId?: string
  keyId?: string
  requestId?: string
  kind?: EntryKind
  /** Rows older than this ledger id, or the number that a row had before ids were UUIDs. */
  before?: string
  limit: number
}

export type CreditResult =
  | { outcome: 'credited'; ledgerId: string; availableAtomic: bigint; duplicate: boolean }
  /** No such account, or it has no such key. */
  | { outcome: 'unknown_key' }
  | { outcome: 'revoked' }
  | { outcome: 'closed' }
  /** `mode` was given and the account is of the other one. */
  | { outcome: 'mode_mismatch' }

export interface CreditOrder {
  accountId: string
  /** Noted on the posting; a revoked key refuses new money. */
  keyId?: string | null
  amountAtomic: bigint
  /** The system account debited: 'topup:card', 'sandbox', 'adjustment'. */
  source: string
  reference: string
  kind: 'topup' | 'grant' | 'adjustment' | 'refund'
  /** Refuses an account of the other mode: live money never funds a test key. */
  mode?: 'live' | 'test'
  requestId?: string
  note?: string
}

export interface TakeOrder {
  accountId: string
  /** Noted on the posting. */
  keyId?: string | null
  amountAtomic: bigint
  /** The system account credited: where the money had come from, 'topup:card'. */
  to: string
  reference: string
  note?: string
}

/** What was there to take: `takenAtomic` may be less than was asked for, and 0 posts nothing. */
export type TakeResult =
  | { outcome: 'taken'; takenAtomic: bigint; ledgerId: string | null }
  | { outcome: 'unknown_key' }

export interface TransferOrder {
  fromAccountId: string
  toAccountId: string
  amountAtomic: bigint
  /** A second transfer with it moves nothing and is `duplicate`. */
  reference: string
  note?: string
}
export type TransferResult =
  | {
      outcome: 'transferred'
      /** The posting that left the one account; the other's follows it. */
      ledgerId: string
      duplicate: boolean
      fromAvailableAtomic: bigint
      toAvailableAtomic: bigint
    }
  | { outcome: 'insufficient'; availableAtomic: bigint }
  | { outcome: 'unknown_account'; accountId: string }
  | { outcome: 'closed'; accountId: string }
  /** Live credits never become test credits, nor the reverse. */
  | { outcome: 'mode_mismatch' }
  /** The reference moved another amount, or between other accounts. */
  | { outcome: 'other_transfer' }

export interface ChargeOrder {
  accountId: string
  amountAtomic: bigint
  /** The system account credited, such as 'plan:pro'. */
  to: string
  reference: string
  note?: string
}
export type ChargeResult =
  | { outcome: 'charged'; ledgerId: string; availableAtomic: bigint; duplicate: boolean }
  | { outcome: 'insufficient'; availableAtomic: bigint }
  | { outcome: 'unknown_account' }
  | { outcome: 'closed' }

export interface SettlementOrder {
  /** The account of `keyId`; null with it. */
  accountId: string | null
  keyId: string | null
  requestId: string
  rail: string
  /** CAIP-2 network; the debited account is then `rail:network`. */
  network?: string
  skillId: string
  path: string
  amountAtomic: bigint
  priceVersion: number
  acquisition: string | null
  transaction: string
  reference: string
}

export interface Ledger {
  authorize(order: AuthorizeOrder): Promise<AuthorizeResult>
  /** `amountAtomic` (default: all) at most the hold; the rest goes back to available. */
  capture(order: CaptureOrder): Promise<TransitionResult>
  /** The same inside the caller's transaction (webhook forwards); bypasses the batcher. */
  captureIn(tx: SqlTransaction, order: CaptureOrder): Promise<TransitionResult>
  release(order: EndOrder): Promise<TransitionResult>
  /**
   * Refunds the captured hold of `requestId` to its account's balance, once. When the id was used for
   * several charged calls, `holdId` says which.
   */
  refund(order: {
    requestId: string
    keyId?: string
    holdId?: string
    note?: string
  }): Promise<RefundResult>
  /** Credits an account once per (source, reference), over all accounts. */
  credit(order: CreditOrder, tx?: SqlTransaction): Promise<CreditResult>
  /**
   * Takes back from an account's available credits, at most what is there, inside the caller's
   * transaction. Once per reference when anything was taken; the caller remembers that it asked.
   */
  take(order: TakeOrder, tx: SqlTransaction): Promise<TakeResult>
  /** Moves credits between two accounts in one transaction, in full or not at all; once per reference. */
  transfer(order: TransferOrder): Promise<TransferResult>
  /** Takes the amount in full or 'insufficient', never below zero (plan renewals); once per reference. */
  charge(order: ChargeOrder, tx?: SqlTransaction): Promise<ChargeResult>
  /** Records funds that arrived for a call as a usage event; touches no balance. Once per (rail, reference). */
  recordSettlement(
    order: SettlementOrder,
    tx?: SqlTransaction,
  ): Promise<{ ledgerId: string; duplicate: boolean }>
  /** Whether the settlement of this row was given back as credits. */
  isRefunded(ledgerId: string): Promise<boolean>
  /** Null when there is no such account. */
  balance(accountId: string): Promise<Balance | null>
  /** The key's own row first, then those of products; empty for an unknown key. */
  spend(spender: Spender): Promise<KeySpend[]>
  /** Free calls of the account that are used or held in the quota's present UTC day or month. */
  freeUsed(accountId: string, skillId: string, period: FreeQuota['period']): Promise<bigint>
  /** Units that graduated prices counted for the account in the present UTC month. */
  volume(accountId: string, skillId: string): Promise<bigint>
  hold(holdId: string, keyId?: string): Promise<Hold | null>
  holdByRequest(keyId: string, requestId: string): Promise<Hold | null>
  rows(filter: RowFilter): Promise<LedgerRow[]>
  /** Expires due holds; any instance, exactly once each. Returns how many. */
  expireDue(limit?: number): Promise<number>
  /** Resolves when every write handed over so far is answered. */
  drain(): Promise<void>
}

/** Budgets in atomic units; null takes the limit away, a member left out stays as it is. */
export interface BudgetCaps {
  call?: bigint | null
  day?: bigint | null
  month?: bigint | null
}

/**
 * Rows of accounts and their keys, opened and changed inside the transaction of whoever owns them.
 * Every change locks the account row first and raises its epoch, so that no call under way can miss
 * it; what such a transaction locks of the ledger, it locks after this.
 */
export interface Accounts {
  open(
    tx: SqlTransaction | SqlClient,
    account: { accountId: string; mode: 'live' | 'test'; lowMarkAtomic?: bigint | null },
  ): Promise<void>
  addKey(tx: SqlTransaction | SqlClient, spender: Spender): Promise<void>
  /** A product's budget begins with what this month's holds took. Throws for an unknown key. */
  setBudget(tx: SqlTransaction, spender: Spender, scope: string, caps: BudgetCaps): Promise<void>
  /** Takes a product's own budget away; the key's stays. */
  removeBudget(tx: SqlTransaction, spender: Spender, productId: string): Promise<void>
  /** The authorize statement refuses from this moment; the first revocation stands. */
  revokeKey(tx: SqlTransaction, spender: Spender, at: Date): Promise<void>
  /** Nothing can be held or credited from then on; holds that are open end as they would have. */
  close(tx: SqlTransaction, accountId: string, at: Date): Promise<'closed' | 'unknown_account'>
  /** available + held below the mark makes an 'account.low_balance' event; null: none. */
  setLowMark(tx: SqlTransaction, accountId: string, lowMarkAtomic: bigint | null): Promise<void>
}

/** What `coinop ledger verify` found; `violations` empty means that every invariant holds. */
export interface VerifyReport {
  ok: boolean
  checked: { accounts: number; holds: number; entries: number }
  violations: { invariant: string; subject: string; message: string }[]
}

/** Begins the skill ids of credits that are sold: they are no revenue and are not refunded into credits. */
export const GOODS_PREFIX = 'topup.'

/** The product that a call of a skill which no product serves counts for: the first part of its id. */
export function productOfSkill(skillId: string): string {
  const first = skillId.split('.')[0]!
  return first === '' || first === WHOLE_KEY ? 'unknown' : first
}
