/**
 * The double-entry ledger. Every movement is a posting from a debit to a credit account, in atomic
 * units; a hold is `authorized → captured | released | expired` and `captured → refunded`.
 * Expected refusals are values; each transition happens at most once, and repeating the call that
 * made it returns the same record.
 */
import type { SqlClient, SqlTransaction } from '../storage/contract.ts'

export type HoldState = 'authorized' | 'captured' | 'released' | 'expired' | 'refunded'

export interface Hold {
  id: string
  keyId: string
  requestId: string
  skillId: string
  path: string
  /** Authorized amount; `capturedAtomic` may be less. */
  amountAtomic: bigint
  capturedAtomic: bigint | null
  state: HoldState
  priceVersion: number | null
  acquisition: string | null
  createdAt: Date
  expiresAt: Date
  /** The newest posting of this hold. */
  ledgerId: string
}

export interface AuthorizeOrder {
  /** UUIDv7 made by the caller, so that an Idempotency-Key claim can name it beforehand. */
  holdId: string
  keyId: string
  requestId: string
  skillId: string
  path: string
  amountAtomic: bigint
  ttlMs: number
  priceVersion?: number | null
  acquisition?: string | null
  /**
   * 'request': `requestId` is unique per key and the same body returns the same hold (public
   * authorize); 'call': an internal metered call, each of which holds anew.
   */
  scope: 'request' | 'call'
}

export type AuthorizeResult =
  | { outcome: 'authorized'; hold: Hold; availableAtomic: bigint; repeated: boolean }
  | { outcome: 'insufficient'; availableAtomic: bigint }
  | { outcome: 'ceiling'; ceilingAtomic: bigint; spentTodayAtomic: bigint }
  | { outcome: 'revoked' }
  | { outcome: 'unknown_key' }
  /** Same requestId, another body: 409. */
  | { outcome: 'conflict'; hold: Hold }

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
  keyId: string
  availableAtomic: bigint
  heldAtomic: bigint
  spentTodayAtomic: bigint
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
  keyId: string | null
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
  keyId?: string
  requestId?: string
  kind?: EntryKind
  /** Rows older than this ledger id. */
  before?: string
  limit: number
}

export type CreditResult =
  | { outcome: 'credited'; ledgerId: string; availableAtomic: bigint; duplicate: boolean }
  | { outcome: 'unknown_key' }
  | { outcome: 'revoked' }
  /** `mode` was given and the key is of the other one. */
  | { outcome: 'mode_mismatch' }

export interface CreditOrder {
  keyId: string
  amountAtomic: bigint
  /** The system account debited: 'topup:card', 'sandbox', 'adjustment'. */
  source: string
  reference: string
  kind: 'topup' | 'grant' | 'adjustment' | 'refund'
  /** Refuses a key of the other mode: live money never funds a test key. */
  mode?: 'live' | 'test'
  requestId?: string
  note?: string
}

export interface TakeOrder {
  keyId: string
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

export interface SettlementOrder {
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
  capture(order: {
    holdId: string
    keyId: string
    amountAtomic?: bigint
  }): Promise<TransitionResult>
  /** The same inside the caller's transaction (webhook forwards); bypasses the batcher. */
  captureIn(tx: SqlTransaction, order: { holdId: string; keyId: string }): Promise<TransitionResult>
  release(order: { holdId: string; keyId: string }): Promise<TransitionResult>
  /**
   * Refunds the captured hold of `requestId` to its key's balance, once. When the id was used for
   * several charged calls, `holdId` says which.
   */
  refund(order: {
    requestId: string
    keyId?: string
    holdId?: string
    note?: string
  }): Promise<RefundResult>
  /** Credits a key once per (source, reference). */
  credit(order: CreditOrder, tx?: SqlTransaction): Promise<CreditResult>
  /**
   * Takes back from a key's available credits, at most what is there, inside the caller's
   * transaction. Once per reference when anything was taken; the caller remembers that it asked.
   */
  take(order: TakeOrder, tx: SqlTransaction): Promise<TakeResult>
  /** Records funds that arrived for a call as a usage event; touches no balance. Once per (rail, reference). */
  recordSettlement(
    order: SettlementOrder,
    tx?: SqlTransaction,
  ): Promise<{ ledgerId: string; duplicate: boolean }>
  /** Whether the settlement of this row was given back as credits. */
  isRefunded(ledgerId: string): Promise<boolean>
  balance(keyId: string): Promise<Balance | null>
  hold(holdId: string, keyId?: string): Promise<Hold | null>
  holdByRequest(keyId: string, requestId: string): Promise<Hold | null>
  rows(filter: RowFilter): Promise<LedgerRow[]>
  /** Expires due holds; any instance, exactly once each. Returns how many. */
  expireDue(limit?: number): Promise<number>
  /** Resolves when every write handed over so far is answered. */
  drain(): Promise<void>
}

/** The account row belongs to the ledger; auth opens and changes it inside its own transaction. */
export interface Accounts {
  open(
    tx: SqlTransaction | SqlClient,
    account: {
      keyId: string
      mode: 'live' | 'test'
      ceilingAtomic: bigint | null
    },
  ): Promise<void>
  setCeiling(
    tx: SqlTransaction | SqlClient,
    keyId: string,
    ceilingAtomic: bigint | null,
  ): Promise<void>
  /** The authorize statement refuses from this moment. */
  revoke(tx: SqlTransaction | SqlClient, keyId: string, at: Date): Promise<void>
}

/** What `coinop ledger verify` found; `violations` empty means that every invariant holds. */
export interface VerifyReport {
  ok: boolean
  checked: { accounts: number; holds: number; entries: number }
  violations: { invariant: string; subject: string; message: string }[]
}

/** Begins the skill ids of credits that are sold: they are no revenue and are not refunded into credits. */
export const GOODS_PREFIX = 'topup.'
