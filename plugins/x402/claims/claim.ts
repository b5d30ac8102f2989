/** A payment claim: what is known of a payment that was presented, and its row in the database. */
import type { Settlement, StoredAnswer } from '#kernel'
import type { SignedPayment } from '../payment/payload.ts'
import { isAhead, NO_INPUT, stateOf, type ClaimState, type StoredState } from './states.ts'

export type { SignedPayment }

/** What identifies a payment for ever. */
export interface PaymentKey {
  network: string
  asset: string
  payer: string
  nonce: string
}

/** What a claim is for, from its order to its end. */
export interface ClaimFacts extends PaymentKey {
  id: string
  /** Of the call's input; null when POST /v1/x402/settle pays, for whatever input its request sends. */
  fingerprint: string | null
  requestId: string
  keyId: string | null
  skillId: string
  path: string
  /** Millionths of a dollar. */
  amountAtomic: bigint
  /** Units of the asset that are taken for it. */
  units: bigint
  priceVersion: number
  acquisition: string | null
  payment: SignedPayment | null
  validBefore: bigint
}

/** Whose claims: those of one entry, on one sandbox chain or on a real network (null). */
export interface EntryPlace {
  network: string
  asset: string
  chainRef: string | null
  /** Those that came through channels; absent: those that did not. */
  isChannels?: true
}

export interface ClaimOrder extends ClaimFacts {
  /** No other call takes the claim over for so long after it was written. */
  leaseMs: number
  chainRef: string | null
  /** The rail that sold the call, where it was not x402. */
  rail?: string
}

/** The claim of a payment that is still to be settled. */
export interface SettleOrder extends ClaimOrder {
  payment: SignedPayment
}

export interface Claim extends ClaimFacts {
  /** When it was read. */
  state: ClaimState
  /** Made by POST /v1/x402/settle, ahead of its call. */
  isAhead: boolean
  attempts: number
  /** An attempt to settle may have moved the money. */
  uncertain: boolean
  reason: string | null
  transaction: string | null
  ledgerId: string | null
  answer: StoredAnswer | null
  createdAt: Date
}

/** Claims that are not finished, for /ready and /metrics. */
export interface Backlog {
  claimed: number
  settling: number
  /** Of those, how many an attempt may have paid already. */
  uncertain: number
  /** Since the call of the oldest settlement under way began, by the database; 0 if there is none. */
  oldestMs: number
}

/** A row of the table x402_claim. */
export interface ClaimRow {
  id: string
  network: string
  asset: string
  payer: string
  nonce: string
  state: StoredState
  prepaid: boolean
  fingerprint: string
  request_id: string
  key_id: string | null
  skill_id: string
  path: string
  amount: bigint
  /** Numeric, which the driver gives as text; null on rows of before, for the same as `amount`. */
  units: string | null
  price_version: number
  acquisition: string | null
  payment: SignedPayment | null
  valid_before: bigint
  is_leased: boolean
  attempts: number
  uncertain: boolean
  reason: string | null
  transaction: string | null
  ledger_id: string | null
  status: number | null
  headers: Record<string, string> | null
  body: Uint8Array | null
  created_at: Date
}

/** The claim of a row. */
export function toClaim(row: ClaimRow): Claim {
  return {
    id: row.id,
    network: row.network,
    asset: row.asset,
    payer: row.payer,
    nonce: row.nonce,
    state: stateOf(row),
    isAhead: isAhead(row),
    fingerprint: row.fingerprint === NO_INPUT ? null : row.fingerprint,
    requestId: row.request_id,
    keyId: row.key_id,
    skillId: row.skill_id,
    path: row.path,
    amountAtomic: row.amount,
    units: row.units === null ? row.amount : BigInt(row.units),
    priceVersion: row.price_version,
    acquisition: row.acquisition,
    payment: row.payment,
    validBefore: row.valid_before,
    attempts: row.attempts,
    uncertain: row.uncertain,
    reason: row.reason,
    transaction: row.transaction,
    ledgerId: row.ledger_id,
    answer:
      row.status === null
        ? null
        : { status: row.status, headers: row.headers ?? {}, body: row.body ?? new Uint8Array() },
    createdAt: row.created_at,
  }
}

/** What the ledger records when a claim was settled by `transaction`. */
export function settlementOrderOf(claim: Claim | ClaimOrder, transaction: string): Settlement {
  return {
    keyId: claim.keyId,
    requestId: claim.requestId,
    network: claim.network,
    skillId: claim.skillId,
    path: claim.path,
    amountAtomic: claim.amountAtomic,
    priceVersion: claim.priceVersion,
    acquisition: claim.acquisition,
    transaction,
    reference: `${claim.asset}:${claim.payer}:${claim.nonce}`,
  }
}

/** What one worker holds a claim by. */
export interface Lease {
  /** Whoever has an older one changes nothing any more. */
  token: string
  /** It ends so long after it was written, by the database's clock. */
  ms: number
}

/** A request that was paid for: what it may buy, and who may make it. */
export interface PrepaidRequest {
  requestId: string
  skillId: string
  /** Null for one that was settled without an API key: only calls without a key redeem it. */
  keyId: string | null
}
