/** What the verification of a payment comes to. */
import type { AcceptedPrice } from '../terms/prices.ts'
import type { Problem } from './problem.ts'

export type Verified =
  | {
      ok: true
      price: AcceptedPrice
      /** The payer as the owner of an account (`Accounts.ofOwner`), by how its signature was checked. */
      owner: string
    }
  /** It may be signed by a contract account, and the node gave no answer. */
  | { ok: false; unavailable: true }
  | {
      ok: false
      unavailable?: undefined
      problem: Problem
      /** The payer did sign this for our token: an earlier claim of it may be looked up. */
      signed: boolean
    }

/** What a payment says by itself, without a question to the database or a node. */
export type Examined =
  | { kind: 'refused'; problem: Problem }
  /** The payer signed it, and it is good. */
  | { kind: 'good'; price: AcceptedPrice }
  /** The payer signed it; it is wrong, or its price is not one of those known here. */
  | { kind: 'signed'; problem: Problem | null }
  /** Nobody's signature but perhaps that of a contract. */
  | { kind: 'open'; signer: `0x${string}` | null; price: AcceptedPrice | null }
