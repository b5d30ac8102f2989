/** What a settler answers about one payment, and what the chain shows of it. */
import type { SignedPayment } from '../payment/payload.ts'

/** The transaction of a settlement that no node could name. */
export const UNKNOWN_TRANSACTION = ''

export type SettleOutcome =
  | { outcome: 'settled'; transaction: string }
  /**
   * Rejected for good: it has sent nothing, or its transaction failed in `block`. `elsewhere`: the
   * reason is about this settler, so another one may still settle the payment.
   */
  | { outcome: 'refused'; reason: string; detail?: string; block?: bigint; elsewhere?: true }
  /** It did not act: unreachable, not its network, over its limits. */
  | { outcome: 'unavailable'; detail: string }
  /** It may have acted: a timeout, a lost answer, a transaction without receipt. */
  | { outcome: 'unknown'; detail: string; transaction?: string }

/** What an attempt to settle a payment by all settlers comes to. */
export type AttemptOutcome =
  | { outcome: 'settled'; transaction: string; by: string }
  /** No money moved, and none will by this payment. */
  | { outcome: 'refused'; reason: string; detail?: string }
  /** Not settled as far as is known; `uncertain`: an attempt may have moved the money. */
  | { outcome: 'open'; uncertain: boolean; detail: string }

export type CheckOutcome =
  | { outcome: 'payable' }
  /** `elsewhere`: the reason is about this settler, so another one may still settle it. */
  | { outcome: 'refused'; reason: string; detail?: string; elsewhere?: true }
  /** `isSilent`: no HTTP answer came, or its credential was refused; no payment can cause that. */
  | { outcome: 'unavailable'; detail: string; isSilent?: boolean }

export interface CheckOptions {
  /** The answer goes out before it is paid, so that nothing is taken on trust. */
  isPaidAtEnd?: boolean
}

/** A remote facilitator or the gateway's own signer. */
export interface Settler {
  /** For logs and /ready: the facilitator's host, or 'own signer'. */
  readonly name: string
  /** A facilitator, which settles what it verified before; the own signer relies on the node. */
  readonly isRemote: boolean
  /** Whether it may settle this payment: `upto` names the one who may. */
  takes(payment: SignedPayment): boolean
  /** Whether it verified this payment lately, as far as this process knows. */
  hasVerified(payment: SignedPayment): boolean
  /** `isAgain`: an earlier attempt, of this or another instance, may have acted. */
  settle(payment: SignedPayment, isAgain?: boolean): Promise<SettleOutcome>
  /**
   * The transaction that it has sent for the payment and that has paid; null where it knows of none.
   * Logs are searched only so far back, and it has the hash. Throws without the node or the database.
   */
  settledBy?(payment: SignedPayment): Promise<string | null>
  /** Whether the payment would settle now; nothing is sent. */
  check(payment: SignedPayment): Promise<CheckOutcome>
  /** Why it would not settle this payment, which needs no question; absent or null: it would. */
  refusal?(payment: SignedPayment): Extract<CheckOutcome, { outcome: 'refused' }> | null
}

/** What a node of the network tells of payments; reads only. */
export interface ChainView {
  /** How the authorization of `payment` stands. Never throws. */
  fact(payment: SignedPayment): Promise<ChainFact>
  /** Whether it would settle now. Never throws. */
  check(payment: SignedPayment): Promise<CheckOutcome>
  /** Whether the transaction succeeded and paid us; null while the node does not know it. */
  confirms(transaction: string, payment: SignedPayment): Promise<boolean | null>
  /** Whether it is on the chain and has moved nothing. */
  hasFailed(transaction: string): Promise<boolean>
}

/** What the chain says about an authorization. */
export type ChainFact =
  /** Used, and its Transfer to us is in this transaction. */
  | { fact: 'paid'; transaction: string }
  /** Used or cancelled without paying us: it never will. */
  | { fact: 'void'; reason: string }
  /** Not used so far; `expired` when the chain's own clock is past `validBefore`: it never will be. As of `block`. */
  | { fact: 'unused'; expired: boolean; block?: bigint }
  /** Used, but the transaction is not found (yet). */
  | { fact: 'used' }
  | { fact: 'unreachable'; detail: string }
