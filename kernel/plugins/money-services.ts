/**
 * Kernel services that move money outside of metered calls: charges of keys, credits, settlements
 * of rails and sales of goods.
 */
import type { TSchema } from 'typebox'
import type { PluginTx } from '../storage/contract.ts'
import type { RouteRequest } from './route.ts'
import type { Result } from './skill.ts'

/** Charges a key outside of a metered call (webhook forwards). Amounts in atomic units. */
export interface Billing {
  /** Holds `amountAtomic`; `requestId` is unique per key, and a repeat returns the same hold. */
  authorize(order: {
    keyId: string
    requestId: string
    skillId: string
    path: string
    amountAtomic: bigint
    ttlMs: number
  }): Promise<
    | { ok: true; holdId: string }
    | { ok: false; reason: 'insufficient' | 'revoked' | 'ceiling' | 'conflict' }
  >
  /** Captures within the plugin's own transaction. False if the hold had ended. */
  capture(
    tx: PluginTx,
    holdId: string,
  ): Promise<{ ok: true; ledgerId: string } | { ok: false; state: string }>
  release(holdId: string): Promise<void>
  /** Whether the key's available credits cover `amountAtomic` now; holds nothing. */
  covers(keyId: string, amountAtomic: bigint): Promise<boolean>
  /** Current price of a skill. */
  price(skillId: string): { amountAtomic: bigint; version: number } | null
  /** Calls `listener` with each key that got credits, on any instance; returns unsubscribe. */
  onFunded(listener: (keyId: string) => void): () => void
}

export interface OpenHold {
  id: string
  amountAtomic: bigint
}

/** Credits keys: top-ups and refunds. */
export interface Funds {
  /**
   * Gives play money to a test key or test account, once per reference; returns the balance after
   * it. 'other_grant': the reference was used for another recipient or amount; 'unknown_key': there
   * is no such key or account.
   */
  grant(
    order: ({ keyId: string } | { accountId: string }) & {
      amountAtomic: bigint
      reference: string
      note: string
    },
  ): Promise<
    | {
        ok: true
        duplicate: boolean
        ledgerId: string
        availableAtomic: bigint
        heldAtomic: bigint
      }
    | { ok: false; reason: 'unknown_key' | 'revoked' | 'mode_mismatch' | 'other_grant' }
  >
  /**
   * Credits a key once per (source, reference): `source` is the debited system account
   * ('topup:card'). `duplicate` if that reference was credited before. With `isReturn` it is what
   * `take` had taken, and is not new money: a revoked key or a closed account gets it too.
   */
  credit(
    order: {
      keyId: string
      amountAtomic: bigint
      source: string
      reference: string
      note?: string
      isReturn?: boolean
    },
    tx?: PluginTx,
  ): Promise<
    | { ok: true; duplicate: boolean; ledgerId: string }
    | { ok: false; reason: 'unknown_key' | 'revoked' | 'mode_mismatch' }
  >
  /** Those of the references that `credit` has credited from `source`. */
  credited(source: string, references: readonly string[]): Promise<readonly string[]>
  /**
   * Takes back at most `amountAtomic` of the key's available credits, for the system account `to`;
   * returns how much was taken. Runs in the plugin's own transaction, which must record the
   * request: the reference is used up only if something was taken. If less was taken than asked
   * for, `holds` are the open holds of the key's account at that moment.
   */
  take(
    order: { keyId: string; amountAtomic: bigint; to: string; reference: string; note?: string },
    tx: PluginTx,
  ): Promise<
    | { ok: true; takenAtomic: bigint; ledgerId: string | null; holds: readonly OpenHold[] }
    | { ok: false; reason: 'unknown_key' }
  >
  /** Those of the holds that are open, and what each ended one gave back to its account. */
  givenBack(
    holdIds: readonly string[],
    tx: PluginTx,
  ): Promise<{ open: readonly OpenHold[]; ended: readonly { id: string; backAtomic: bigint }[] }>
}

/** Funds that arrived for a call, as its rail knows them; amounts in atomic units. */
export interface Settlement {
  /** The key that made the call, or null. */
  keyId: string | null
  requestId: string
  skillId: string
  path: string
  amountAtomic: bigint
  priceVersion: number
  acquisition: string | null
  /** Where the funds arrived, such as a network; names the ledger account with the rail's id. */
  network: string
  transaction: string
  /** Unique per rail and network: the ledger refuses a second record with the same reference. */
  reference: string
}

/** Settlements of the plugin's own rails; they do not change any balance. */
export interface Settlements {
  /** Records a settlement in the plugin's own transaction, atomically; once per reference. */
  record(
    railId: string,
    settlement: Settlement,
    tx: PluginTx,
  ): Promise<{ ledgerId: string; duplicate: boolean }>
  /**
   * The same within a statement of the plugin: the text of a data-modifying WITH item that records
   * a settlement for every row of the WITH item `source`, whose columns are network, reference,
   * key_id, amount, request_id, skill_id, path, price_version, acquisition and transaction, and
   * returns (ledger_id text, network, reference) of those recorded. Names are plain SQL
   * identifiers.
   */
  recording(railId: string, source: string): string
  /** Whether the operator refunded this settlement as credits. */
  isRefunded(ledgerId: string): Promise<boolean>
}

/** Sells goods at a price that the buyer chose (a top-up of 20 dollars). */
export interface OneOffSales {
  /**
   * Takes one payment for `work` and returns the HTTP answer: for 'unsold' the 402 with its offer
   * or a failure, for 'sold' the work's output after the payment settled, for 'again' the kept
   * output of an earlier sale with the same payment or Idempotency-Key. `work` runs before the
   * payment settles, so the goods must be delivered only afterwards. The output must contain the
   * request id that `work` received, because an earlier sale had its own. A repeated payment may
   * come from somebody other than the buyer: the signature of a settled payment may be public.
   */
  sell(order: OneOffSale): Promise<{ outcome: 'unsold' | 'sold' | 'again'; response: Response }>
  /** Whether a payment of exactly this amount settled for this sale. */
  wasPaid(sale: { requestId: string; skillId: string; amountAtomic: bigint }): Promise<boolean>
}
export interface OneOffSale {
  /** Names the goods in offers, receipts and ledger: 'topup.credits'. No mounted skill has it. */
  skillId: string
  title: string
  description: string
  path: string
  amountAtomic: bigint
  /** Ids of the rails that may pay; never prepaid credits. */
  rails: readonly string[]
  request: RouteRequest
  /** The buyer's key, or null. */
  idempotencyKey: string | null
  /** The buyer's request; the same payment with a different input is refused. */
  input: Record<string, unknown>
  output: TSchema
  /** `payer` is the account owner (`Accounts.ofOwner`) whose wallet pays; null if unknown. */
  work(requestId: string, payer: string | null): Promise<Result<unknown>>
}
