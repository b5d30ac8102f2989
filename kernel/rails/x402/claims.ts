/**
 * The claims table: which payment runs which request, and how far it came. A claim is
 * `claimed → settling → settled | failed`, or `released` when the work failed; a prepaid one is
 * `prepaid → claimed → settled`. Every transition names the id of the hold that owns the claim, so
 * a call that lost it (its lease ran out and the same payment came again) changes nothing.
 */
import { assert } from '../../errors.ts'
import type { Ledger } from '../../ledger/contract.ts'
import type { SqlClient, SqlTransaction } from '../../storage/contract.ts'
import type { StoredAnswer } from '../contract.ts'
import {
  toClaim,
  type Backlog,
  type Claim,
  type ClaimOrder,
  type ClaimRow,
  type PaymentKey,
} from './claim.ts'

/** uint256 does not fit a bigint column; anything later than this never expires for us. */
const LATEST_S = 253_402_300_799n
/** How long a paid answer can be had again. */
const KEEP_HOURS = 24

export class Claims {
  readonly #sql: SqlClient
  readonly #ledger: Ledger

  constructor(sql: SqlClient, ledger: Ledger) {
    this.#sql = sql
    this.#ledger = ledger
  }

  /**
   * Claims the payment for a call, before any work. It is taken over from a call whose work failed,
   * whose settlement was refused, or whose lease ran out before it settled; else the claim as it
   * stands is returned.
   */
  async claim(
    order: ClaimOrder,
  ): Promise<{ outcome: 'claimed' } | { outcome: 'known'; claim: Claim }> {
    const sql = this.#sql
    for (let attempt = 0; attempt < 3; attempt++) {
      const taken = await sql`
        INSERT INTO coinop.x402_claim AS c (id, network, asset, payer, nonce, state, fingerprint, request_id,
          key_id, skill_id, path, amount, price_version, acquisition, payment, valid_before, chain_ref, lease_until)
        VALUES (${order.id}, ${order.network}, ${order.asset}, ${order.payer}, ${order.nonce}, 'claimed',
          ${order.fingerprint}, ${order.requestId}, ${order.keyId}, ${order.skillId}, ${order.path},
          ${order.amountAtomic}, ${order.priceVersion}, ${order.acquisition}, ${jsonOf(sql, order.payment)},
          ${order.validBefore < LATEST_S ? order.validBefore : LATEST_S}, ${order.chainRef}, ${order.leaseUntil})
        ON CONFLICT ON CONSTRAINT x402_claim_payment DO UPDATE SET
          id = excluded.id, state = 'claimed', fingerprint = excluded.fingerprint,
          request_id = excluded.request_id, key_id = excluded.key_id, skill_id = excluded.skill_id,
          path = excluded.path, amount = excluded.amount, price_version = excluded.price_version,
          acquisition = excluded.acquisition, payment = excluded.payment, chain_ref = excluded.chain_ref,
          lease_until = excluded.lease_until, lease_token = NULL, attempts = 0, uncertain = false,
          reason = NULL, status = NULL, headers = NULL, body = NULL, created_at = now()
        WHERE NOT c.prepaid AND (c.state IN ('released', 'failed') OR (c.state = 'claimed' AND c.lease_until < now()))
        RETURNING 1`
      if (taken.length > 0) return { outcome: 'claimed' }
      const known = await this.byPayment(order)
      if (known) return { outcome: 'known', claim: known }
    }
    throw new Error('A payment claim vanished three times while it was read')
  }

  /** Claims what POST /v1/x402/settle paid for: once, for its skill. Null when there is nothing (left). */
  async claimPrepaid(order: {
    id: string
    requestId: string
    skillId: string
    fingerprint: string
    leaseUntil: Date
  }): Promise<Claim | null> {
    const rows = await this.#sql<ClaimRow[]>`
      UPDATE coinop.x402_claim
      SET id = ${order.id}, state = 'claimed', fingerprint = ${order.fingerprint}, lease_until = ${order.leaseUntil}
      WHERE id = (
        SELECT id FROM coinop.x402_claim
        WHERE request_id = ${order.requestId} AND skill_id = ${order.skillId} AND prepaid
          AND (state = 'prepaid' OR (state = 'claimed' AND lease_until < now()))
        LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING *`
    return rows[0] ? toClaim(rows[0]) : null
  }

  /** Gives the payment back after failed work. Nothing happens when the claim has moved on. */
  async release(id: string, reason: string): Promise<void> {
    await this.#sql`
      UPDATE coinop.x402_claim
      SET state = CASE WHEN prepaid THEN 'prepaid' ELSE 'released' END, reason = ${reason}, lease_until = now()
      WHERE id = ${id} AND state = 'claimed'`
  }

  /**
   * Writes the answer and the state `settling` in one statement, before any money moves: from here
   * any instance can finish. False when the claim was lost to another call.
   */
  async beginSettling(
    id: string,
    answer: StoredAnswer | null,
    lease: { token: string; until: Date },
  ): Promise<boolean> {
    const sql = this.#sql
    const moved = await sql`
      UPDATE coinop.x402_claim
      SET state = 'settling', status = ${answer?.status ?? null}, headers = ${jsonOf(sql, answer?.headers ?? null)},
          body = ${answer?.body ?? null}, lease_token = ${lease.token}, lease_until = ${lease.until},
          attempts = 1, uncertain = true
      WHERE id = ${id} AND state = 'claimed' AND NOT prepaid
      RETURNING 1`
    return moved.length > 0
  }

  /** The money is here: the state, the transaction and the ledger's usage event in one transaction. */
  async settled(claim: Claim | ClaimOrder, transaction: string): Promise<{ ledgerId: string }> {
    return this.#sql.begin(async (tx) => {
      const { ledgerId } = await this.#record(tx, claim, transaction)
      const moved = await tx`
        UPDATE coinop.x402_claim
        SET state = 'settled', transaction = ${transaction}, ledger_id = ${ledgerId}, settled_at = now(), reason = NULL
        WHERE id = ${claim.id} AND state IN ('settling', 'settled')
        RETURNING 1`
      assert(moved.length > 0, `settled claim ${claim.id} is no longer settling`)
      return { ledgerId }
    })
  }

  /** The answer of a prepaid call; its money was recorded when it was paid. False when it was lost. */
  async finishPrepaid(id: string, answer: StoredAnswer | null): Promise<boolean> {
    const sql = this.#sql
    const moved = await sql`
      UPDATE coinop.x402_claim
      SET state = 'settled', status = ${answer?.status ?? null}, headers = ${jsonOf(sql, answer?.headers ?? null)},
          body = ${answer?.body ?? null}
      WHERE id = ${id} AND state = 'claimed' AND prepaid
      RETURNING 1`
    return moved.length > 0
  }

  /** Settlement was refused for good: the answer is forgotten. False when the lease was lost. */
  async failed(id: string, token: string, reason: string): Promise<boolean> {
    const moved = await this.#sql`
      UPDATE coinop.x402_claim
      SET state = 'failed', reason = ${reason}, status = NULL, headers = NULL, body = NULL, lease_until = now()
      WHERE id = ${id} AND state = 'settling' AND lease_token = ${token}
      RETURNING 1`
    return moved.length > 0
  }

  /** Keeps a settlement for its worker. */
  async renew(id: string, token: string, until: Date): Promise<void> {
    await this.#sql`
      UPDATE coinop.x402_claim SET lease_until = ${until}
      WHERE id = ${id} AND state = 'settling' AND lease_token = ${token}`
  }

  /** Leaves a settlement to whoever looks next, not before `retryAt`. */
  async postpone(
    id: string,
    token: string,
    trouble: { reason: string; uncertain: boolean; retryAt: Date },
  ): Promise<void> {
    await this.#sql`
      UPDATE coinop.x402_claim
      SET lease_until = ${trouble.retryAt}, reason = ${trouble.reason}, uncertain = ${trouble.uncertain}
      WHERE id = ${id} AND state = 'settling' AND lease_token = ${token}`
  }

  /**
   * Leases settlements that nobody is working on; `id` asks for one of them. Their `uncertain` is
   * as the last worker left it: a worker that died leaves it true, because it may have sent.
   */
  async leaseSettling(
    lease: { token: string; until: Date },
    filter: { chainRef: string | null; limit: number; id?: string },
  ): Promise<Claim[]> {
    const sql = this.#sql
    const rows = await sql<(ClaimRow & { was_uncertain: boolean })[]>`
      UPDATE coinop.x402_claim c
      SET lease_token = ${lease.token}, lease_until = ${lease.until}, attempts = attempts + 1, uncertain = true
      FROM (
        SELECT id, uncertain AS was_uncertain FROM coinop.x402_claim
        WHERE state = 'settling' AND lease_until < now() AND chain_ref IS NOT DISTINCT FROM ${filter.chainRef}
          ${filter.id === undefined ? sql`` : sql`AND id = ${filter.id}`}
        ORDER BY lease_until LIMIT ${filter.limit} FOR UPDATE SKIP LOCKED) due
      WHERE c.id = due.id
      RETURNING c.*, due.was_uncertain`
    return rows.map((row) => ({ ...toClaim(row), uncertain: row.was_uncertain }))
  }

  /** Fails settlements of a sandbox chain that is gone; its money is gone with it. Returns how many. */
  async failOtherChains(chainRef: string): Promise<number> {
    const gone = await this.#sql`
      UPDATE coinop.x402_claim
      SET state = 'failed', reason = 'sandbox_chain_reset', status = NULL, headers = NULL, body = NULL
      WHERE state = 'settling' AND chain_ref IS NOT NULL AND chain_ref <> ${chainRef} AND lease_until < now()`
    return gone.count
  }

  /** Records a payment that was settled before its call; false when that payment is known already. */
  async addPrepaid(order: ClaimOrder, transaction: string): Promise<{ ledgerId: string } | null> {
    return this.#sql.begin(async (tx) => {
      const added = await tx`
        INSERT INTO coinop.x402_claim (id, network, asset, payer, nonce, state, prepaid, fingerprint, request_id,
          key_id, skill_id, path, amount, price_version, acquisition, payment, valid_before, chain_ref, lease_until,
          transaction, settled_at)
        VALUES (${order.id}, ${order.network}, ${order.asset}, ${order.payer}, ${order.nonce}, 'prepaid', true, '',
          ${order.requestId}, ${order.keyId}, ${order.skillId}, ${order.path}, ${order.amountAtomic},
          ${order.priceVersion}, ${order.acquisition}, NULL, ${order.validBefore}, ${order.chainRef}, now(),
          ${transaction}, now())
        ON CONFLICT DO NOTHING RETURNING 1`
      if (added.length === 0) return null
      const { ledgerId } = await this.#record(tx, order, transaction)
      await tx`UPDATE coinop.x402_claim SET ledger_id = ${ledgerId} WHERE id = ${order.id}`
      return { ledgerId }
    })
  }

  /** Turns a settled claim of POST /v1/x402/settle into one that can be called once. */
  async makePrepaid(id: string): Promise<boolean> {
    const moved = await this.#sql`
      UPDATE coinop.x402_claim SET state = 'prepaid', prepaid = true
      WHERE id = ${id} AND state = 'settled' AND NOT prepaid AND fingerprint = '' RETURNING 1`
    return moved.length > 0
  }

  async byPayment(key: PaymentKey): Promise<Claim | null> {
    const rows = await this.#sql<ClaimRow[]>`
      SELECT * FROM coinop.x402_claim
      WHERE network = ${key.network} AND asset = ${key.asset} AND payer = ${key.payer} AND nonce = ${key.nonce}`
    return rows[0] ? toClaim(rows[0]) : null
  }

  async byId(id: string): Promise<Claim | null> {
    const rows = await this.#sql<ClaimRow[]>`SELECT * FROM coinop.x402_claim WHERE id = ${id}`
    return rows[0] ? toClaim(rows[0]) : null
  }

  /** The newest prepaid claim of a request id, whatever its state. */
  async prepaidByRequest(requestId: string): Promise<Claim | null> {
    const rows = await this.#sql<ClaimRow[]>`
      SELECT * FROM coinop.x402_claim WHERE request_id = ${requestId} AND prepaid ORDER BY created_at DESC LIMIT 1`
    return rows[0] ? toClaim(rows[0]) : null
  }

  /** A claim that was settled by this transaction. */
  async byTransaction(transaction: string): Promise<Claim | null> {
    const rows = await this.#sql<ClaimRow[]>`
      SELECT * FROM coinop.x402_claim WHERE transaction = ${transaction} LIMIT 1`
    return rows[0] ? toClaim(rows[0]) : null
  }

  /** Request ids that were paid for beforehand: not called yet, or answered within the last hour. */
  async openPrepaid(): Promise<string[]> {
    const rows = await this.#sql<{ request_id: string }[]>`
      SELECT request_id FROM coinop.x402_claim WHERE prepaid AND state IN ('prepaid', 'claimed')
      UNION
      SELECT request_id FROM coinop.x402_claim
      WHERE body IS NOT NULL AND created_at > now() - interval '1 hour' AND prepaid`
    return rows.map((row) => row.request_id)
  }

  async backlog(): Promise<Backlog> {
    const rows = await this.#sql<
      { claimed: number; settling: number; uncertain: number; oldest_ms: number }[]
    >`
      SELECT count(*) FILTER (WHERE state = 'claimed' AND lease_until > now())::int AS claimed,
             count(*) FILTER (WHERE state = 'settling')::int AS settling,
             count(*) FILTER (WHERE state = 'settling' AND uncertain)::int AS uncertain,
             coalesce(extract(epoch FROM now() - min(created_at) FILTER (WHERE state = 'settling')) * 1000, 0)::float8
               AS oldest_ms
      FROM coinop.x402_claim WHERE state IN ('claimed', 'settling')`
    const row = rows[0]!
    return {
      claimed: row.claimed,
      settling: row.settling,
      uncertain: row.uncertain,
      oldestMs: Math.max(0, Math.round(row.oldest_ms)),
    }
  }

  /** Forgets answers older than a day, and claims that nothing can come of any more. */
  async purge(limit = 5000): Promise<number> {
    const sql = this.#sql
    const emptied = await sql`
      UPDATE coinop.x402_claim SET status = NULL, headers = NULL, body = NULL WHERE id IN (
        SELECT id FROM coinop.x402_claim
        WHERE body IS NOT NULL AND state = 'settled' AND created_at < now() - make_interval(hours => ${KEEP_HOURS})
        LIMIT ${limit} FOR UPDATE SKIP LOCKED)`
    const dropped = await sql`
      DELETE FROM coinop.x402_claim WHERE id IN (
        SELECT id FROM coinop.x402_claim
        WHERE state IN ('claimed', 'released', 'failed') AND NOT prepaid AND lease_until < now()
          AND valid_before < extract(epoch FROM now() - interval '1 day')::bigint
        LIMIT ${limit} FOR UPDATE SKIP LOCKED)`
    return emptied.count + dropped.count
  }

  #record(tx: SqlTransaction, claim: ClaimOrder | Claim, transaction: string) {
    return this.#ledger.recordSettlement(
      {
        keyId: claim.keyId,
        requestId: claim.requestId,
        rail: 'x402',
        network: claim.network,
        skillId: claim.skillId,
        path: claim.path,
        amountAtomic: claim.amountAtomic,
        priceVersion: claim.priceVersion,
        acquisition: claim.acquisition,
        transaction,
        reference: `${claim.asset}:${claim.payer}:${claim.nonce}`,
      },
      tx,
    )
  }
}

function jsonOf(sql: SqlClient, value: object | null) {
  return value === null ? null : sql.json(value as Parameters<SqlClient['json']>[0])
}
