/**
 * The claims table: which payment runs which request, and how far it came. The states and the
 * statement of each transition are drawn in states.ts.
 */
import {
  newId,
  untilReached,
  type PluginDb,
  type PluginTx,
  type Settlements,
  type StoredAnswer,
} from '#kernel'
import { CHANNEL_NONCE } from '../payment/nonces.ts'
import {
  settlementOrderOf,
  toClaim,
  type Claim,
  type ClaimFacts,
  type ClaimOrder,
  type ClaimRow,
  type EntryPlace,
  type Lease,
  type PrepaidRequest,
} from './claim.ts'
import { isLeased, leaseFor } from './leases-sql.ts'
import { NO_INPUT } from './states.ts'
import { ClaimWrites } from './claim-writes.ts'

/** How long a paid answer can be had again. */
const KEEP_HOURS = 24

export class Claims extends ClaimWrites {
  readonly #db: PluginDb
  readonly #settlements: Settlements

  constructor(db: PluginDb, settlements: Settlements) {
    super(db, settlements)
    this.#db = db
    this.#settlements = settlements
  }

  /**
   * Claims an `interrupted` payment for the same request again, uncharged; null when another call
   * holds it, or when the payment is in any other state.
   */
  async claimAgain(
    known: Claim,
    order: { id: string; fingerprint: string; leaseMs: number },
  ): Promise<Claim | null> {
    return this.one(
      `UPDATE x402_claim SET id = $2, state = 'claimed', lease_until = ${leaseFor('$3')}
       WHERE id = $1 AND fingerprint = $4 AND NOT prepaid AND ledger_id IS NOT NULL
         AND (state = 'prepaid' OR (state = 'claimed' AND lease_until < now()))
       RETURNING *, ${isLeased()}`,
      [known.id, order.id, order.leaseMs, order.fingerprint],
    )
  }

  /** Whether POST /v1/credits/refund gave the settlement back as credits: then it buys nothing more. */
  async isRefunded({ ledgerId }: Claim): Promise<boolean> {
    return ledgerId !== null && (await this.#settlements.isRefunded(ledgerId))
  }

  /**
   * Claims what POST /v1/x402/settle paid for: once, for its skill. Null when nothing is (left) to
   * claim, or when this input was bought already: two payers may have chosen one request id.
   */
  async claimPrepaid(
    order: PrepaidRequest & { id: string; fingerprint: string; leaseMs: number },
  ): Promise<Claim | null> {
    return this.one(
      `UPDATE x402_claim SET id = $1, state = 'claimed', fingerprint = $2, lease_until = ${leaseFor('$3')}
       WHERE id = (
         SELECT id FROM x402_claim
         WHERE request_id = $4 AND skill_id = $5 AND prepaid AND key_id IS NOT DISTINCT FROM $6
           AND (state = 'prepaid' OR (state = 'claimed' AND lease_until < now()))
           AND NOT EXISTS (
             SELECT 1 FROM x402_claim bought
             WHERE bought.request_id = $4 AND bought.skill_id = $5 AND bought.prepaid
               AND bought.key_id IS NOT DISTINCT FROM $6
               AND bought.state = 'settled' AND bought.fingerprint = $2)
         LIMIT 1 FOR UPDATE SKIP LOCKED)
       RETURNING *, ${isLeased()}`,
      [order.id, order.fingerprint, order.leaseMs, order.requestId, order.skillId, order.keyId],
    )
  }

  /**
   * Ends a claim that `claimPrepaid` took, because its money was given back: it buys no call. Its id
   * is a new one, so that the call's hold can take another claim.
   */
  async closeRefunded(id: string): Promise<void> {
    await this.#db.query(
      `UPDATE x402_claim SET id = $2, state = 'settled', fingerprint = '${NO_INPUT}', lease_until = now()
       WHERE id = $1 AND state = 'claimed' AND prepaid`,
      [id, newId()],
    )
  }

  /**
   * Gives the payment back after failed work; what is paid for waits to be called again. Nothing
   * happens when the claim has moved on.
   */
  async release(id: string, reason: string, db: PluginTx = this.#db): Promise<void> {
    await db.query(
      `UPDATE x402_claim
       SET state = CASE WHEN ledger_id IS NULL THEN 'released' ELSE 'prepaid' END, reason = $2,
           lease_until = now()
       WHERE id = $1 AND state = 'claimed'`,
      [id, reason],
    )
  }

  /**
   * Releases a claim that `balance` does not cover beside the payer's other calls under way. One claim
   * of a payer after the other, so that those which the balance covers stay. Whether it was released.
   */
  releaseUncovered(claim: ClaimFacts, balance: bigint, reason: string): Promise<boolean> {
    return this.#db.transaction(async (tx) => {
      const { id, network, asset, payer, units } = claim
      const lock = `x402 payer ${network} ${asset} ${payer}`
      await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [lock])
      if ((await this.openUnits(claim, tx)) + units <= balance) return false
      await this.release(id, reason, tx)
      return true
    })
  }

  /**
   * Whether nothing comes of a claim any more: its work or its settlement failed, or its worker died
   * before anything moved. An abandoned claim is fenced: its worker, if alive after all, loses it.
   */
  async isOver({ id, state }: Claim): Promise<boolean> {
    if (state === 'released' || state === 'failed') return true
    return state === 'abandoned' && this.#fence(id)
  }

  /** Releases an abandoned claim; false when it has moved on. */
  #fence(id: string): Promise<boolean> {
    return this.#moves(
      `UPDATE x402_claim SET state = 'released', reason = 'abandoned'
       WHERE id = $1 AND state = 'claimed' AND ledger_id IS NULL AND lease_until < now()
       RETURNING 1`,
      [id],
    )
  }

  /** Records the transaction that settled again what a chain reorganisation had undone. */
  async settledAgain(id: string, transaction: string): Promise<void> {
    await this.#db.query(
      'UPDATE x402_claim SET transaction = $2 WHERE id = $1 AND ledger_id IS NOT NULL',
      [id, transaction],
    )
  }

  /** Stores the answer of a call that was paid before it ran. False when the claim was lost. */
  finishPaid(id: string, answer: StoredAnswer | null): Promise<boolean> {
    return untilReached(() =>
      this.#moves(
        `UPDATE x402_claim SET state = 'settled', status = $2, headers = $3::jsonb, body = $4
         WHERE id = $1 AND state = 'claimed' AND ledger_id IS NOT NULL
         RETURNING 1`,
        [id, answer?.status ?? null, answer?.headers ?? null, answer?.body ?? null],
      ),
    )
  }

  /** Keeps a paid claim under lease while its answer is streamed. False when the claim was lost. */
  beginStreaming(id: string, lease: Lease): Promise<boolean> {
    return this.#moves(
      `UPDATE x402_claim SET lease_token = $2, lease_until = ${leaseFor('$3')}
       WHERE id = $1 AND state = 'claimed' AND ledger_id IS NOT NULL
       RETURNING 1`,
      [id, lease.token, lease.ms],
    )
  }

  /** Settlement was refused for good: the answer is forgotten. False when the lease was lost. */
  failed(id: string, token: string, reason: string): Promise<boolean> {
    return this.#moves(
      `UPDATE x402_claim
       SET state = 'failed', reason = $3, status = NULL, headers = NULL, body = NULL, lease_until = now()
       WHERE id = $1 AND state = 'settling' AND lease_token = $2
       RETURNING 1`,
      [id, token, reason],
    )
  }

  /** Renews the leases of settlements and streams, for `ms`: `held` has the lease token by claim. */
  async renew(held: ReadonlyMap<string, string>, ms: number): Promise<void> {
    const members = JSON.stringify([...held].map(([id, token]) => ({ id, token })))
    await this.#db.query(
      `UPDATE x402_claim c SET lease_until = ${leaseFor('$2')}
       FROM json_to_recordset($1::text::json) AS o(id uuid, token uuid)
       WHERE c.id = o.id AND c.state IN ('settling', 'claimed') AND c.lease_token = o.token`,
      [members, ms],
    )
  }

  /** Ends the lease of a settlement; it is due again after `retryMs`. */
  async postpone(
    id: string,
    token: string,
    trouble: { reason: string; uncertain: boolean; retryMs: number },
  ): Promise<void> {
    await this.#db.query(
      `UPDATE x402_claim SET lease_until = ${leaseFor('$3')}, reason = $4, uncertain = $5
       WHERE id = $1 AND state = 'settling' AND lease_token = $2`,
      [id, token, trouble.retryMs, trouble.reason, trouble.uncertain],
    )
  }

  /**
   * Leases settlements of an entry that nobody is working on; `id` asks for one of them. Their `uncertain` is
   * as the last worker left it: a worker that died leaves it true, because it may have paid.
   */
  async leaseSettling(
    lease: Lease,
    filter: EntryPlace & { limit: number; id?: string },
  ): Promise<Claim[]> {
    const only = filter.id === undefined ? [] : [filter.id]
    const rows = await this.#db.query<ClaimRow & { was_uncertain: boolean }>(
      `UPDATE x402_claim c
       SET lease_token = $1, lease_until = ${leaseFor('$2')}, attempts = attempts + 1, uncertain = true
       FROM (
         SELECT id, uncertain AS was_uncertain FROM x402_claim
         WHERE state = 'settling' AND lease_until < now() AND chain_ref IS NOT DISTINCT FROM $3
           AND network = $5 AND asset = $6 AND starts_with(nonce, '${CHANNEL_NONCE}') = $7
           ${filter.id === undefined ? '' : 'AND id = $8'}
         ORDER BY lease_until LIMIT $4 FOR UPDATE SKIP LOCKED) due
       WHERE c.id = due.id
       RETURNING c.*, due.was_uncertain, ${isLeased('c')}`,
      [
        lease.token,
        lease.ms,
        filter.chainRef,
        filter.limit,
        filter.network,
        filter.asset,
        filter.isChannels === true,
        ...only,
      ],
    )
    return rows.map((row) => ({ ...toClaim(row), uncertain: row.was_uncertain }))
  }

  /** Fails settlements of a sandbox chain that is gone; its money is gone with it. Returns how many. */
  async failOtherChains(chainRef: string): Promise<number> {
    const gone = await this.#db.query(
      `UPDATE x402_claim
       SET state = 'failed', reason = 'sandbox_chain_reset', status = NULL, headers = NULL, body = NULL
       WHERE state = 'settling' AND chain_ref IS NOT NULL AND chain_ref <> $1 AND lease_until < now()
       RETURNING 1`,
      [chainRef],
    )
    return gone.length
  }

  /** Records a payment that was settled before its call; null when that payment is known already. */
  addPrepaid(order: ClaimOrder, transaction: string): Promise<{ ledgerId: string } | null> {
    return this.#db.transaction(async (tx) => {
      const added = await tx.query(
        `INSERT INTO x402_claim (id, network, asset, payer, nonce, state, prepaid, fingerprint, request_id,
           key_id, skill_id, path, amount, units, price_version, acquisition, payment, valid_before, chain_ref,
           lease_until, transaction, settled_at)
         VALUES ($1, $2, $3, $4, $5, 'prepaid', true, '${NO_INPUT}', $6, $7, $8, $9, $16, $10, $11, $12, NULL, $13, $14,
           now(), $15, now())
         ON CONFLICT DO NOTHING RETURNING 1`,
        [
          order.id,
          order.network,
          order.asset,
          order.payer,
          order.nonce,
          order.requestId,
          order.keyId,
          order.skillId,
          order.path,
          order.amountAtomic,
          order.priceVersion,
          order.acquisition,
          order.validBefore,
          order.chainRef,
          transaction,
          String(order.units),
        ],
      )
      if (added.length === 0) return null
      const settlement = settlementOrderOf(order, transaction)
      const { ledgerId } = await this.#settlements.record('x402', settlement, tx)
      await tx.query('UPDATE x402_claim SET ledger_id = $2 WHERE id = $1', [order.id, ledgerId])
      return { ledgerId }
    })
  }

  /** Turns a settled claim of POST /v1/x402/settle into one that can be called once. */
  makePrepaid(id: string): Promise<boolean> {
    return this.#moves(
      `UPDATE x402_claim SET state = 'prepaid', prepaid = true
       WHERE id = $1 AND state = 'settled' AND NOT prepaid AND fingerprint = '${NO_INPUT}' RETURNING 1`,
      [id],
    )
  }

  /**
   * Forgets answers older than a day, and claims that ended a day ago with nothing moved; how many rows.
   * By the end of their last lease: a payer without money may sign payments that are valid for centuries,
   * and what was paid ahead, or could not be settled for a day, has its answer much later than its row.
   */
  async purge(limit = 5000): Promise<number> {
    const emptied = await this.#db.query(
      `UPDATE x402_claim SET status = NULL, headers = NULL, body = NULL WHERE id IN (
         SELECT id FROM x402_claim
         WHERE body IS NOT NULL AND state = 'settled'
           AND created_at < now() - make_interval(hours => $1)
           AND lease_until < now() - make_interval(hours => $1)
         LIMIT $2 FOR UPDATE SKIP LOCKED)
       RETURNING 1`,
      [KEEP_HOURS, limit],
    )
    const dropped = await this.#db.query(
      `DELETE FROM x402_claim WHERE id IN (
         SELECT id FROM x402_claim
         WHERE state IN ('claimed', 'released', 'failed') AND NOT prepaid AND ledger_id IS NULL
           AND lease_until < now() - interval '1 day'
         LIMIT $1 FOR UPDATE SKIP LOCKED)
       RETURNING 1`,
      [limit],
    )
    return emptied.length + dropped.length
  }

  /** Whether the statement, which returns what it changed, changed a row. */
  async #moves(text: string, parameters: readonly unknown[]): Promise<boolean> {
    return (await this.#db.query(text, parameters)).length > 0
  }
}
