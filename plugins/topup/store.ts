/** Top-ups that were started, callbacks that came, and x402 purchases, in the plugin's own tables. */
import type { Migration, PluginDb, PluginTx } from '#kernel'
import type { ProviderId } from './providers/contract.ts'

export const migrations: readonly Migration[] = [
  {
    id: '1-topups',
    up: `
      CREATE TABLE intent (
        reference text PRIMARY KEY,
        provider text NOT NULL,
        key_id text NOT NULL,
        currency text NOT NULL,
        amount_minor bigint NOT NULL CHECK (amount_minor > 0),
        amount_atomic bigint NOT NULL CHECK (amount_atomic > 0),
        created_at timestamptz NOT NULL DEFAULT now(),
        credited_at timestamptz,
        charge_id text,
        checked_at timestamptz,
        UNIQUE (provider, charge_id)
      );
      CREATE INDEX intent_open ON intent (created_at) WHERE credited_at IS NULL;
      CREATE TABLE flagged (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        at timestamptz NOT NULL DEFAULT now(),
        provider text NOT NULL,
        reference text,
        reason text NOT NULL,
        detail text NOT NULL
      );
      CREATE UNIQUE INDEX flagged_once ON flagged (provider, reference, reason) NULLS NOT DISTINCT;
      CREATE TABLE purchase (
        request_id text PRIMARY KEY,
        key_id text NOT NULL,
        amount_atomic bigint NOT NULL CHECK (amount_atomic > 0),
        created_at timestamptz NOT NULL DEFAULT now(),
        credited_at timestamptz
      );
      CREATE INDEX purchase_open ON purchase (created_at) WHERE credited_at IS NULL;`,
  },
  {
    id: '2-purchased-keys',
    up: `
      ALTER TABLE purchase ALTER key_id DROP NOT NULL;
      ALTER TABLE purchase ADD sealed_key text;
      ALTER TABLE purchase ADD retry_hash text;
      ALTER TABLE purchase ADD checked_at timestamptz;
      CREATE INDEX purchase_sealed ON purchase (credited_at) WHERE sealed_key IS NOT NULL;`,
  },
]

export interface Intent {
  reference: string
  provider: ProviderId
  keyId: string
  currency: string
  amountMinor: bigint
  amountAtomic: bigint
  creditedAt: Date | null
}
export interface Purchase {
  requestId: string
  /** The key to fund; null until the new one is made, after the payment. */
  keyId: string | null
  amountAtomic: bigint
  /** The new key's text under the vault; forgotten a day after it was credited. */
  sealedKey: string | null
  /** SHA-256 of the buyer's Idempotency-Key, the proof that a retry is the buyer's own. */
  retryHash: string | null
  creditedAt: Date | null
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
}

const CONTROL = /\p{Cc}/gu
const PURCHASE = `request_id AS "requestId", key_id AS "keyId", amount_atomic AS "amountAtomic",
  sealed_key AS "sealedKey", retry_hash AS "retryHash", credited_at AS "creditedAt"`
const INTENT = `reference, provider, key_id AS "keyId", currency, amount_minor AS "amountMinor",
  amount_atomic AS "amountAtomic", credited_at AS "creditedAt"`

export class TopupStore {
  readonly #db: PluginDb

  constructor(db: PluginDb) {
    this.#db = db
  }

  async addIntent(intent: Omit<Intent, 'creditedAt'>): Promise<void> {
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

  async intent(provider: ProviderId, reference: string): Promise<Intent | null> {
    const rows = await this.#db.query<Intent>(
      `SELECT ${INTENT} FROM intent WHERE provider = $1 AND reference = $2`,
      [provider, reference],
    )
    return rows[0] ?? null
  }

  /**
   * Uncredited intents of the last week that are due, claimed for a check: the first after
   * `quietMs`, later ones at growing distances, so that abandoned checkouts cost ever less.
   */
  async claimUnchecked(quietMs: number, limit: number): Promise<Intent[]> {
    return this.#db.query<Intent>(
      `UPDATE intent SET checked_at = now() WHERE reference IN (
         SELECT reference FROM intent
         WHERE credited_at IS NULL AND created_at > now() - interval '7 days'
           AND COALESCE(checked_at, created_at)
             < now() - GREATEST(make_interval(secs => $1::float8 / 1000), (now() - created_at) / 8)
         ORDER BY COALESCE(checked_at, created_at) LIMIT $2 FOR UPDATE SKIP LOCKED)
       RETURNING ${INTENT}`,
      [quietMs, limit],
    )
  }

  /** Remembers what an operator should look at, once per reason; true when it is new. */
  async flag(
    provider: string,
    reference: string | null,
    reason: string,
    detail: string,
  ): Promise<boolean> {
    const added = await this.#db.query(
      `INSERT INTO flagged (provider, reference, reason, detail) VALUES ($1, $2, $3, $4)
       ON CONFLICT DO NOTHING RETURNING 1`,
      [
        provider,
        reference?.replaceAll(CONTROL, '?').slice(0, 200) ?? null,
        reason,
        detail.replaceAll(CONTROL, '?').slice(0, 500),
      ],
    )
    return added.length > 0
  }

  flagged(limit: number): Promise<Flagged[]> {
    return this.#db.query<Flagged>(
      `SELECT f.id::text, f.at, f.provider, f.reference, f.reason, f.detail,
         COALESCE(i.credited_at, p.credited_at) AS "creditedAt"
       FROM flagged f
       LEFT JOIN intent i ON i.reference = f.reference AND i.provider = f.provider
       LEFT JOIN purchase p ON p.request_id = f.reference AND f.provider = 'x402'
       ORDER BY f.id DESC LIMIT $1`,
      [limit],
    )
  }

  async addPurchase(
    purchase: Pick<Purchase, 'requestId' | 'keyId' | 'amountAtomic' | 'retryHash'>,
  ): Promise<void> {
    await this.#db.query(
      `INSERT INTO purchase (request_id, key_id, amount_atomic, retry_hash) VALUES ($1, $2, $3, $4)`,
      [purchase.requestId, purchase.keyId, purchase.amountAtomic, purchase.retryHash],
    )
  }

  /** The purchase, locked until the transaction ends. */
  async lockPurchase(tx: PluginTx, requestId: string): Promise<Purchase | null> {
    const rows = await tx.query<Purchase>(
      `SELECT ${PURCHASE} FROM purchase WHERE request_id = $1 FOR UPDATE`,
      [requestId],
    )
    return rows[0] ?? null
  }

  async endPurchase(
    tx: PluginTx,
    purchase: Pick<Purchase, 'requestId' | 'keyId' | 'sealedKey'>,
  ): Promise<void> {
    await tx.query(
      `UPDATE purchase SET key_id = $2, sealed_key = $3, credited_at = now() WHERE request_id = $1`,
      [purchase.requestId, purchase.keyId, purchase.sealedKey],
    )
  }

  /**
   * Purchases without credits that are due, claimed for a check like intents: whether a payment
   * that was signed ever settles is known long after its purchase.
   */
  claimOpenPurchases(quietMs: number, limit: number): Promise<Purchase[]> {
    return this.#db.query<Purchase>(
      `UPDATE purchase SET checked_at = now() WHERE request_id IN (
         SELECT request_id FROM purchase
         WHERE credited_at IS NULL
           AND COALESCE(checked_at, created_at)
             < now() - GREATEST(make_interval(secs => $1::float8 / 1000), (now() - created_at) / 8)
         ORDER BY COALESCE(checked_at, created_at) LIMIT $2 FOR UPDATE SKIP LOCKED)
       RETURNING ${PURCHASE}`,
      [quietMs, limit],
    )
  }

  /** Forgets keys that were shown a day ago, and purchases that were not paid within a month. */
  async purge(): Promise<void> {
    await this.#db.query(
      `UPDATE purchase SET sealed_key = NULL
       WHERE sealed_key IS NOT NULL AND credited_at < now() - interval '24 hours'`,
    )
    await this.#db.query(
      `DELETE FROM purchase WHERE credited_at IS NULL AND created_at < now() - interval '30 days'`,
    )
  }
}
