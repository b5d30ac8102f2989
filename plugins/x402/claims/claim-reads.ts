/** What is asked of the claims table: one claim by what names it, and lists for background work. */
import { firstIdAt, type PluginDb, type PluginTx } from '#kernel'
import { databaseTime } from '../../shared/storage/database-time.ts'
import { CHANNEL_NONCE } from '../payment/nonces.ts'
import {
  toClaim,
  type Backlog,
  type Claim,
  type ClaimOrder,
  type ClaimRow,
  type EntryPlace,
  type PaymentKey,
  type SignedPayment,
  type PrepaidRequest,
} from './claim.ts'
import { isLeased } from './leases-sql.ts'

const SELECT = `SELECT *, ${isLeased()} FROM x402_claim`
const LONGEST_WORK_MS = 600_000
/** Ids have the clocks of the gateways that made them. */
const CLOCKS_DIFFER_MS = 3_600_000
const UNSERVED_MAX = 10
/** A settlement of the last minutes. */
export interface JustSettled {
  id: string
  payment: SignedPayment
  /** Of the asset. */
  units: bigint
  transaction: string
  /** Since it was settled, by the database's clock, which every instance has. */
  ageMs: number
}

export class ClaimReads {
  readonly #db: PluginDb

  constructor(db: PluginDb) {
    this.#db = db
  }

  /** What an entry settled in the last `ageMaxMs`, oldest first. */
  async settledWithin(
    ageMaxMs: number,
    { network, asset, chainRef, isChannels, limit }: EntryPlace & { limit: number },
  ): Promise<JustSettled[]> {
    const now = await databaseTime(this.#db)
    const madeAfter = firstIdAt(
      new Date(now.getTime() - ageMaxMs - LONGEST_WORK_MS - CLOCKS_DIFFER_MS),
    )
    // By its id: a claim is settled minutes after its call began at most. Those with an answer also by
    // created_at, which has an index and is right whatever the clock of their gateway said.
    const rows = await this.#db.query<Omit<JustSettled, 'units'> & { units: string }>(
      `SELECT id, payment, COALESCE(units, amount)::text AS units, transaction,
         (extract(epoch FROM now() - settled_at) * 1000)::float8 AS "ageMs"
       FROM x402_claim
       WHERE (id > $8::uuid
           OR (body IS NOT NULL AND created_at > now() - $1::float8 * interval '1 millisecond'))
         AND settled_at > now() - $2::float8 * interval '1 millisecond' AND payment IS NOT NULL
         AND starts_with(nonce, '${CHANNEL_NONCE}') = $7 AND transaction <> '' AND chain_ref IS NOT DISTINCT FROM $3 AND network = $5 AND asset = $6
       ORDER BY settled_at LIMIT $4`,
      [
        ageMaxMs + LONGEST_WORK_MS,
        ageMaxMs,
        chainRef,
        limit,
        network,
        asset,
        isChannels === true,
        madeAfter,
      ],
    )
    return rows.map((row) => ({ ...row, units: BigInt(row.units) }))
  }

  byPayment({ network, asset, payer, nonce }: PaymentKey): Promise<Claim | null> {
    return this.one(`${SELECT} WHERE network = $1 AND asset = $2 AND payer = $3 AND nonce = $4`, [
      network,
      asset,
      payer,
      nonce,
    ])
  }

  byId(id: string): Promise<Claim | null> {
    return this.one(`${SELECT} WHERE id = $1`, [id])
  }

  /** The prepaid claim of a request that ran this input, else its newest, whatever its state. */
  prepaidByRequest(
    { requestId, skillId, keyId }: PrepaidRequest,
    fingerprint: string,
  ): Promise<Claim | null> {
    return this.one(
      `${SELECT}
       WHERE request_id = $1 AND skill_id = $2 AND prepaid AND key_id IS NOT DISTINCT FROM $3
       ORDER BY state = 'settled' AND fingerprint = $4 DESC, created_at DESC LIMIT 1`,
      [requestId, skillId, keyId, fingerprint],
    )
  }

  /**
   * What the payer of a payment that is new here has paid for the same request and not got, oldest first;
   * few of many. `fingerprints` are those by which that request may be known.
   */
  async unserved(order: ClaimOrder, fingerprints: readonly string[]): Promise<Claim[]> {
    const { network, asset, payer, nonce, chainRef, rail } = order
    const rows = await this.#db.query<ClaimRow>(
      `${SELECT}
       WHERE payer = $1 AND asset = $2 AND network = $3 AND fingerprint = ANY($4::text[])
         AND ledger_id IS NOT NULL AND chain_ref IS NOT DISTINCT FROM $5 AND rail IS NOT DISTINCT FROM $6
         AND ((state = 'prepaid' AND NOT prepaid)
           OR (state = 'claimed' AND NOT prepaid AND lease_until < now()))
         AND NOT EXISTS (
           SELECT 1 FROM x402_claim own
           WHERE own.network = $3 AND own.asset = $2 AND own.payer = $1 AND own.nonce = $7)
       ORDER BY created_at LIMIT ${UNSERVED_MAX}`,
      [payer, asset, network, fingerprints, chainRef, rail ?? null, nonce],
    )
    return rows.map(toClaim)
  }

  /** Units that calls under way beside this claim may still take from its payer's own account. */
  async openUnits(
    { id, network, asset, payer }: Pick<Claim, 'id' | keyof PaymentKey>,
    db: PluginTx = this.#db,
  ): Promise<bigint> {
    const [row] = await db.query<{ sum: string }>(
      // In two steps, because PostgreSQL cannot know that a payer with many claims has few open ones:
      // in one it prefers indexes by which it reads the open claims of everybody, or all of the payer.
      `WITH open AS MATERIALIZED (
         SELECT * FROM x402_claim
         WHERE network = $2 AND asset = $3 AND payer = $4 AND state IN ('claimed', 'settling'))
       SELECT COALESCE(sum(COALESCE(units, amount)), 0)::text AS sum FROM open
       WHERE id <> $1 AND NOT starts_with(nonce, '${CHANNEL_NONCE}')
         AND (state = 'settling' OR (ledger_id IS NULL AND lease_until > now()))`,
      [id, network, asset, payer],
    )
    return BigInt(row!.sum)
  }

  /** A claim that was settled by this transaction. */
  byTransaction(transaction: string): Promise<Claim | null> {
    return this.one(`${SELECT} WHERE transaction = $1 LIMIT 1`, [transaction])
  }

  /** Requests that were paid for beforehand: not made yet, or answered within the last hour. */
  openPrepaid(): Promise<PrepaidRequest[]> {
    return this.#db.query<PrepaidRequest>(`
      SELECT request_id AS "requestId", skill_id AS "skillId", key_id AS "keyId"
      FROM x402_claim WHERE prepaid AND state IN ('prepaid', 'claimed')
      UNION
      SELECT request_id, skill_id, key_id FROM x402_claim
      WHERE body IS NOT NULL AND created_at > now() - interval '1 hour' AND prepaid`)
  }

  async backlog(): Promise<Backlog> {
    const [row] = await this.#db.query<Backlog>(`
      SELECT count(*) FILTER (WHERE state = 'claimed' AND lease_until > now())::int AS claimed,
             count(*) FILTER (WHERE state = 'settling')::int AS settling,
             count(*) FILTER (WHERE state = 'settling' AND uncertain)::int AS uncertain,
             COALESCE(extract(epoch FROM now() - min(created_at) FILTER (WHERE state = 'settling'))
               * 1000, 0)::float8 AS "oldestMs"
      FROM x402_claim WHERE state IN ('claimed', 'settling')`)
    return row!
  }

  /** The claim of the first row, or null. */
  protected async one(text: string, parameters: readonly unknown[]): Promise<Claim | null> {
    const [row] = await this.#db.query<ClaimRow>(text, parameters)
    return row ? toClaim(row) : null
  }
}
