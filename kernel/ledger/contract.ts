/**
 * The double-entry ledger. An account owns a balance, and any number of keys spend it, each under
 * its own budgets. Every movement is a posting from a debit to a credit side, in atomic units; a
 * hold is `authorized → captured | released | expired` and `captured → refunded`.
 * Expected refusals are values; each transition happens at most once, and repeating the call that
 * made it returns the same record.
 */
import type { SqlTransaction } from '../storage/contract.ts'
import type {
  ChargeOrder,
  ChargeResult,
  CreditOrder,
  CreditResult,
  TakeOrder,
  TakeResult,
  TransferOrder,
  TransferResult,
} from './money-orders.ts'

export type HoldState = 'authorized' | 'captured' | 'released' | 'expired' | 'refunded'

/** Who spends: the account that owns the balance, and the key that spends it; auth manages both. */
export interface Spender {
  /** UUID text, lower case. */
  accountId: string
  keyId: string
}

/** The most units of one call: JSON numbers are exact integers up to this. */
export const MAX_UNITS = 2n ** 53n

/** The scope of a key's own budget; every other scope is the id of a product. */
export const WHOLE_KEY = '*'

/** Calls that cost nothing, of one skill and account, in each UTC day or month. */
export interface FreeQuota {
  calls: number
  period: 'day' | 'month'
}

export interface Hold extends Spender {
  /** Also the id of its authorize posting. */
  id: string
  requestId: string
  /** Its claim on the request id (`scope`); null for a metered call, and once it was given back. */
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
  /** The measured units of the call; null until its capture records them. */
  units: bigint | null
  createdAt: Date
  expiresAt: Date
  /** The newest posting of this hold. */
  ledgerId: string
}

export interface AuthorizeOrder extends Spender {
  /**
   * UUIDv7 made by the caller, so that an Idempotency-Key claim can name it beforehand. With scope
   * 'call' it is always new: a refusal is then final, without a look for an earlier hold.
   */
  holdId: string
  requestId: string
  skillId: string
  /** The product whose budget the call counts against, besides the key's own. */
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
   * authorize); 'service': the same for a first-party service, whose request ids are apart from
   * those of the key's holder; 'call': an internal metered call, each of which makes a new hold.
   */
  scope: 'request' | 'service' | 'call'
  /**
   * The hold is not reported to anybody before its capture is durable, and the database's log is
   * written in order. So its commit need not wait for the disk: if a database crash loses the hold,
   * its capture finds none, as if it had never been made.
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
      /** Spent so far; 0 for a limit of one call. */
      spentAtomic: bigint
      /** When the next UTC day or month begins; null for a limit of one call. */
      resetsAt: Date | null
    }
  | { outcome: 'revoked' }
  /** The account is closed. */
  | { outcome: 'closed' }
  /** No such account, or it has no such key. */
  | { outcome: 'unknown_key' }
  /** Same requestId, different body: 409. */
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

export interface EndOrder extends Spender {
  holdId: string
}
export interface CaptureOrder extends EndOrder {
  /** Default: all; 0 captures nothing. Ignored with `graduated` and for a free call. */
  amountAtomic?: bigint
  /** The measured units, recorded on the hold. */
  units?: bigint
  graduated?: Graduated | null
  /** The hold as `authorize` returned it, if at hand: saves reading it from the database. */
  hold?: Hold
}

export type TransitionResult =
  | { outcome: 'done'; hold: Hold; availableAtomic: bigint; repeated: boolean }
  | { outcome: 'not_found' }
  /** The hold ended differently (or, for a refund, was not captured): 409 with `details.state`. */
  | { outcome: 'conflict'; hold: Hold }

/** If the request id was used for several charged calls, `holdId` selects one. */
export interface RefundOrder {
  requestId: string
  keyId?: string
  holdId?: string
  note?: string
  /** The answer was withheld, so nothing was bought: the budgets and the free call return, too. */
  isUndone?: boolean
}

export type RefundResult =
  | TransitionResult
  /** Several charged holds share the request id; `holdId` must say which. */
  | { outcome: 'ambiguous'; holds: Hold[] }

export interface Balance {
  accountId: string
  availableAtomic: bigint
  heldAtomic: bigint
  /** The keys of a closed account can buy nothing. */
  isClosed: boolean
}

/** A key's caps and spending, in total (scope WHOLE_KEY) or for one product; null: no limit. */
export interface KeySpend {
  keyId: string
  scope: string
  callCapAtomic: bigint | null
  dayCapAtomic: bigint | null
  monthCapAtomic: bigint | null
  spentTodayAtomic: bigint
  spentMonthAtomic: bigint
}

/** In the order of the database's type. */
export const ENTRY_KINDS = [
  'authorize',
  'capture',
  'release',
  'expire',
  'refund',
  'topup',
  'grant',
  'adjustment',
  'settlement',
] as const
export type EntryKind = (typeof ENTRY_KINDS)[number]

/** One row of GET /v1/ledger before serialisation. */
export interface LedgerRow {
  id: string
  at: Date
  kind: EntryKind
  /** Null for a settlement that belongs to no account. */
  accountId: string | null
  keyId: string | null
  /** The row's number from before ledger ids were UUIDs; null for a newer row. */
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
  /** Only rows older than this ledger id, which may be the number of a row from before UUIDs. */
  before?: string
  limit: number
}

export interface Ledger {
  authorize(order: AuthorizeOrder): Promise<AuthorizeResult>
  /** Captures `amountAtomic` (default: all), at most the hold; the rest becomes available again. */
  capture(order: CaptureOrder): Promise<TransitionResult>
  /** The same inside the caller's transaction (webhook forwards); bypasses the batcher. */
  captureIn(tx: SqlTransaction, order: CaptureOrder): Promise<TransitionResult>
  release(order: EndOrder): Promise<TransitionResult>
  /** Refunds the captured hold of `requestId` to its account's balance, once. */
  refund(order: RefundOrder): Promise<RefundResult>
  /** Credits an account once per (source, reference), over all accounts. */
  credit(order: CreditOrder, tx?: SqlTransaction): Promise<CreditResult>
  /**
   * Takes back from an account's available credits, at most all of them, inside the caller's
   * transaction. Once per reference if anything was taken; the caller must record its request.
   */
  take(order: TakeOrder, tx: SqlTransaction): Promise<TakeResult>
  /** Moves credits between two accounts, atomically and only in full; once per reference. */
  transfer(order: TransferOrder): Promise<TransferResult>
  /** Takes the amount in full, or is 'insufficient' (plan renewals); once per reference. */
  charge(order: ChargeOrder, tx?: SqlTransaction): Promise<ChargeResult>
  /** Whether this row's settlement was refunded as credits. */
  isRefunded(ledgerId: string): Promise<boolean>
  /** Null if there is no such account. */
  balance(accountId: string): Promise<Balance | null>
  /** The key's own row first, then its products' rows; empty for an unknown key. */
  spend(spender: Spender): Promise<KeySpend[]>
  /** Free calls of the account, used or held, in the quota's current UTC day or month. */
  freeUsed(accountId: string, skillId: string, period: FreeQuota['period']): Promise<bigint>
  /** Units counted by graduated prices for the account in the current UTC month. */
  volume(accountId: string, skillId: string): Promise<bigint>
  hold(holdId: string, keyId?: string): Promise<Hold | null>
  /** Expires due holds, exactly once each among all instances; returns how many. */
  expireDue(limit?: number): Promise<number>
  /** Resolves when every write submitted so far has completed. */
  drain(): Promise<void>
}

/** The ledger's rows for people; `host/reporting` reads them. */
export interface LedgerRows {
  /** Postings that match every given filter, newest first; a malformed id matches none. */
  rows(filter: RowFilter): Promise<LedgerRow[]>
}

/** What `coinop ledger verify` found; `violations` empty means that every invariant holds. */
export interface VerifyReport {
  ok: boolean
  checked: { accounts: number; holds: number; entries: number }
  violations: { invariant: string; subject: string; message: string }[]
}

/** Prefix of skill ids that sell credits: no revenue, and not refundable as credits. */
export const GOODS_PREFIX = 'topup.'
