/** Top-ups that were started, callbacks that came, and x402 purchases, in the plugin's own tables. */
import { atomicToCredits, type Alerts, type PluginDb, type PluginTx } from '#kernel'
import type { StartedCheckout } from '../shared/topup/contract.ts'
import { claimOpen, forgetUnpaid, wasPaidWith } from '../shared/topup/open-purchases.ts'
import type { ProviderId } from './providers/contract.ts'
import { IS_OWED } from './reversals.ts'

export interface Intent {
  reference: string
  provider: ProviderId
  keyId: string
  currency: string
  amountMinor: bigint
  amountAtomic: bigint
  creditedAt: Date | null
  /** The provider's charge that credited it. */
  chargeId: string | null
}
export interface Purchase {
  requestId: string
  /** The key to fund; null until the new one is made, after the payment, and where none is funded. */
  keyId: string | null
  /** The wallet that paid and is to have the credits, as the owner of an account; null: not a wallet. */
  owner: string | null
  /** The account to fund, where it was named; null: it was not. */
  accountId: string | null
  amountAtomic: bigint
  /** The new key's text under the vault; forgotten a day after it was credited. */
  sealedKey: string | null
  /** SHA-256 of the buyer's Idempotency-Key, the proof that a retry is the buyer's own. */
  retryHash: string | null
  creditedAt: Date | null
  /** An operator has given its credits, to a key of their choice. */
  isGivenByHand: boolean
}
export interface Flagged {
  id: string
  at: Date
  provider: string
  reference: string | null
  reason: string
  detail: string
  /** When the top-up was credited after all. */
  creditedAt: Date | null
  /** Credits that a refund or dispute should have taken back and could not; null for all else. */
  owedCredits: number | null
}

const CONTROL = /\p{Cc}/gu
const PURCHASE = `request_id AS "requestId", key_id AS "keyId", owner,
  account_id::text AS "accountId", amount_atomic AS "amountAtomic", sealed_key AS "sealedKey", retry_hash AS "retryHash", credited_at AS "creditedAt", is_given_by_hand AS "isGivenByHand"`
const INTENT = `reference, provider, key_id AS "keyId", currency, amount_minor AS "amountMinor",
  amount_atomic AS "amountAtomic", credited_at AS "creditedAt", charge_id AS "chargeId"`

/** What to look at, and of which refund or dispute; `owedAtomic` could not be taken back. */
export interface Flag {
  provider: string
  reference: string | null
  reason: string
  detail: string
  eventId?: string
  owedAtomic?: bigint
}

export class TopupStore {
  readonly #db: PluginDb
  readonly #alerts: Pick<Alerts, 'tell'>

  constructor(db: PluginDb, alerts: Pick<Alerts, 'tell'>) {
    this.#db = db
    this.#alerts = alerts
  }

  async addIntent(intent: Omit<Intent, 'creditedAt' | 'chargeId'>): Promise<void> {
    await this.#db.query(
      `INSERT INTO intent (reference, provider, key_id, currency, amount_minor, amount_atomic) VALUES ($1, $2, $3, $4, $5, $6)`,
      [
        intent.reference,
        intent.provider,
        intent.keyId,
        intent.currency,
        intent.amountMinor,
        intent.amountAtomic,
      ],
    )
  }

  /** The newest checkouts that were begun for a key. */
  begun(keyId: string, limit: number): Promise<StartedCheckout[]> {
    return this.#db.query<StartedCheckout>(
      `SELECT reference, amount_minor::float8 / 100 AS "amountUsd",
         amount_atomic::float8 / 10000 AS credits, created_at AS "startedAt",
         credited_at AS "creditedAt", cancelled_at AS "cancelledAt", r.refunded::float8 / 10000 AS "refundedCredits",
         r.disputed::float8 / 10000 AS "disputedCredits", r.rest::float8 / 10000 AS "heldBackCredits"
       FROM intent CROSS JOIN LATERAL (
         SELECT COALESCE(sum(amount_atomic) FILTER (WHERE kind = 'refund'), 0) AS refunded,
           COALESCE(sum(amount_atomic) FILTER (WHERE kind = 'dispute'), 0) AS disputed,
           COALESCE(sum(rest_atomic), 0) AS rest
         FROM reversal
         WHERE reversal.reference = intent.reference AND state = 'taken' AND NOT ${IS_OWED}) r
       WHERE key_id = $1 ORDER BY created_at DESC LIMIT $2`,
      [keyId, limit],
    )
  }

  /** Remembers that the buyer gave it up. It is credited all the same, should it be paid. */
  async cancel(keyId: string, reference: string): Promise<void> {
    await this.#db.query(
      `UPDATE intent SET cancelled_at = now()
       WHERE reference = $1 AND key_id = $2 AND credited_at IS NULL AND cancelled_at IS NULL`,
      [reference, keyId],
    )
  }

  async intent(provider: ProviderId, reference: string): Promise<Intent | null> {
    const rows = await this.#db.query<Intent>(
      `SELECT ${INTENT} FROM intent WHERE provider = $1 AND reference = $2`,
      [provider, reference],
    )
    return rows[0] ?? null
  }

  /**
   * Uncredited intents of the last 90 days that are due, claimed for a check: the first after
   * `quietMs`, later ones at growing distances, so that abandoned checkouts cost ever less. After a
   * week a few looks are left, for gateways that were away, or could not ask the provider then.
   */
  async claimUnchecked(quietMs: number, limit: number): Promise<Intent[]> {
    return this.#db.query<Intent>(
      `UPDATE intent SET checked_at = now() WHERE reference IN (
         SELECT reference FROM intent
         WHERE credited_at IS NULL AND created_at > now() - interval '90 days'
           AND COALESCE(checked_at, created_at)
             < now() - GREATEST(make_interval(secs => $1::float8 / 1000), (now() - created_at)
               / CASE WHEN created_at > now() - interval '7 days' THEN 8 ELSE 4 END)
         ORDER BY COALESCE(checked_at, created_at) LIMIT $2 FOR UPDATE SKIP LOCKED)
       RETURNING ${INTENT}`,
      [quietMs, limit],
    )
  }

  /** The top-up that a refund or dispute is of, by its reference, else by the charge. */
  async intentOfCharge(
    provider: ProviderId,
    of: { reference: string | null; chargeId: string | null },
  ): Promise<Intent | null> {
    const rows = await this.#db.query<Intent>(
      `SELECT ${INTENT} FROM intent WHERE provider = $1 AND (reference = $2 OR charge_id = $3)
       ORDER BY reference = $2 DESC NULLS LAST LIMIT 1`,
      [provider, storable(of.reference), storable(of.chargeId)],
    )
    return rows[0] ?? null
  }

  /**
   * Remembers what an operator should look at, and tells them, once per reason and event; true when it
   * is new.
   */
  async flag(flag: Flag, tx?: PluginTx): Promise<boolean> {
    if (!tx) return this.#db.transaction((own) => this.flag(flag, own))
    const { provider, reference, reason, detail, eventId, owedAtomic } = flag
    const shown = {
      provider,
      reference: reference?.replaceAll(CONTROL, '?').slice(0, 200) ?? null,
      reason,
      detail: detail.replaceAll(CONTROL, '?').slice(0, 500),
    }
    const added = await tx.query(
      `INSERT INTO flagged (provider, reference, reason, detail, event_id, owed_atomic)
       VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING RETURNING 1`,
      [
        ...Object.values(shown),
        eventId?.replaceAll(CONTROL, '?').slice(0, 200) ?? null,
        owedAtomic ?? null,
      ],
    )
    if (added.length === 0) return false
    const owed = owedAtomic === undefined ? {} : { owedCredits: atomicToCredits(owedAtomic) }
    await this.#alerts.tell({ type: 'topup.flagged', data: { ...shown, ...owed } }, tx)
    return true
  }

  /** Newest first; with `before` only those below that id. */
  flagged(limit: number, before: string | null = null): Promise<Flagged[]> {
    return this.#db.query<Flagged>(
      `SELECT f.id::text, f.at, f.provider, f.reference, f.reason, f.detail,
         CASE WHEN f.event_id IS NULL THEN COALESCE(i.credited_at, p.credited_at) END
           AS "creditedAt", f.owed_atomic::float8 / 10000 AS "owedCredits"
       FROM flagged f
       LEFT JOIN intent i ON i.reference = f.reference AND i.provider = f.provider
       LEFT JOIN purchase p ON p.request_id = f.reference AND f.provider = 'x402'
       WHERE $2::bigint IS NULL OR f.id < $2::bigint
       ORDER BY f.id DESC LIMIT $1`,
      [limit, before],
    )
  }

  async addPurchase(
    purchase: Omit<Purchase, 'sealedKey' | 'creditedAt' | 'isGivenByHand'> & {
      /** Digest of the payment. */
      paidWith: string | null
    },
  ): Promise<void> {
    const { requestId, keyId, owner, accountId, amountAtomic, retryHash, paidWith } = purchase
    await this.#db.query(
      `INSERT INTO purchase
         (request_id, key_id, owner, account_id, amount_atomic, retry_hash, paid_with)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [requestId, keyId, owner, accountId, amountAtomic, retryHash, paidWith],
    )
  }

  wasPaidWith(digest: string): Promise<boolean> {
    return wasPaidWith(this.#db, digest)
  }

  async purchase(requestId: string): Promise<Purchase | null> {
    const rows = await this.#db.query<Purchase>(
      `SELECT ${PURCHASE} FROM purchase WHERE request_id = $1`,
      [requestId],
    )
    return rows[0] ?? null
  }

  /** The purchase, locked until the transaction ends. */
  async lockPurchase(tx: PluginTx, requestId: string): Promise<Purchase | null> {
    const rows = await tx.query<Purchase>(
      `SELECT ${PURCHASE} FROM purchase WHERE request_id = $1 FOR UPDATE`,
      [requestId],
    )
    return rows[0] ?? null
  }

  /** Notes the key that was made for the purchase; its credits follow. */
  async noteNewKey(
    tx: PluginTx,
    { requestId, keyId, sealedKey }: { requestId: string; keyId: string; sealedKey: string },
  ): Promise<void> {
    await tx.query('UPDATE purchase SET key_id = $2, sealed_key = $3 WHERE request_id = $1', [
      requestId,
      keyId,
      sealedKey,
    ])
  }

  async endPurchase(
    tx: PluginTx,
    { requestId, isGivenByHand }: Pick<Purchase, 'requestId' | 'isGivenByHand'>,
  ): Promise<void> {
    await tx.query(
      'UPDATE purchase SET credited_at = now(), is_given_by_hand = $2 WHERE request_id = $1',
      [requestId, isGivenByHand],
    )
  }

  claimOpenPurchases(quietMs: number, limit: number): Promise<Purchase[]> {
    const ended = 'credited_at'
    return claimOpen<Purchase>(this.#db, { ended, columns: PURCHASE, quietMs, limit })
  }

  /** Forgets keys that were shown a day ago. */
  async purge(): Promise<void> {
    await this.#db.query(
      `UPDATE purchase SET sealed_key = NULL
       WHERE sealed_key IS NOT NULL AND credited_at < now() - interval '24 hours'`,
    )
  }

  forgetUnpaid(requestId: string): Promise<void> {
    return forgetUnpaid(this.#db, 'credited_at', requestId)
  }
}

/** A provider's text as a parameter; one that PostgreSQL cannot hold is found nowhere. */
function storable(text: string | null): string | null {
  return text !== null && text.length <= 200 && !text.includes('\0') ? text : null
}
