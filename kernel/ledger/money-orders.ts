/**
 * Orders that move money beside the holds of calls, and their results: credits, charges, take-backs
 * and transfers. Each is carried out once per reference.
 */

export type CreditResult =
  | { outcome: 'credited'; ledgerId: string; availableAtomic: bigint; duplicate: boolean }
  /** No such account, or it has no such key. */
  | { outcome: 'unknown_key' }
  | { outcome: 'revoked' }
  | { outcome: 'closed' }
  /** `mode` was given, and the account has the other one. */
  | { outcome: 'mode_mismatch' }

export interface CreditOrder {
  accountId: string
  /** Recorded on the posting; new money for a revoked key is refused. */
  keyId?: string | null
  amountAtomic: bigint
  /** The debited system account: 'topup:card', 'sandbox', 'adjustment'. */
  source: string
  reference: string
  kind: 'topup' | 'grant' | 'adjustment' | 'refund'
  /** Refuses an account of the other mode: live money never funds a test key. */
  mode?: 'live' | 'test'
  requestId?: string
  note?: string
}

export interface TransferOrder {
  fromAccountId: string
  toAccountId: string
  amountAtomic: bigint
  /** A second transfer with the same reference moves nothing and is `duplicate`. */
  reference: string
  note?: string
}
export type TransferResult =
  | {
      outcome: 'transferred'
      /** The posting of the account that paid; that of the other account follows it. */
      ledgerId: string
      duplicate: boolean
      fromAvailableAtomic: bigint
      toAvailableAtomic: bigint
    }
  | { outcome: 'insufficient'; availableAtomic: bigint }
  | { outcome: 'unknown_account'; accountId: string }
  | { outcome: 'closed'; accountId: string }
  /** The accounts' modes differ: live credits never become test credits, nor the reverse. */
  | { outcome: 'mode_mismatch' }
  /** The reference was used for a different amount or different accounts. */
  | { outcome: 'other_transfer' }

export interface ChargeOrder {
  accountId: string
  amountAtomic: bigint
  /** The credited system account, such as 'plan:pro'. */
  to: string
  reference: string
  note?: string
}
export type ChargeResult =
  | { outcome: 'charged'; ledgerId: string; availableAtomic: bigint; duplicate: boolean }
  | { outcome: 'insufficient'; availableAtomic: bigint }
  | { outcome: 'unknown_account' }
  | { outcome: 'closed' }

/** `to` is the system account from which the money had come: 'topup:card'. */
export interface TakeOrder extends ChargeOrder {
  /** Recorded on the posting. */
  keyId?: string | null
}
/** `takenAtomic` may be less than was asked for; with 0 nothing is posted. */
export type TakeResult =
  | { outcome: 'taken'; takenAtomic: bigint; ledgerId: string | null }
  | { outcome: 'unknown_key' }
