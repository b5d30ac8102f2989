/**
 * The claims table: which payment runs which request, and how far it came. A claim is
 * `claimed → settling → settled | failed`, or `released` when the work failed. Once its money is here
 * (it has a ledger id) and the answer is not, it is `prepaid → claimed → settled` instead: paid ahead,
 * or bought with a stream that broke off. Every transition names the id of the hold that owns the
 * claim, so a call that lost it (its lease ran out and the payment came again) changes nothing.
 */
import type { StoredAnswer } from '#kernel'
import type { Ledger } from '../../../kernel/ledger/contract.ts'
import type { SqlClient } from '../../../kernel/storage/contract.ts'
import {
  settlementOrderOf,
  toClaim,
  type Backlog,
  type Claim,
  type ClaimOrder,
  type ClaimRow,
  type PaymentKey,
  type SignedPayment,
} from './claim.ts'
import type { SettlingOrder } from './claim-statements.ts'
import type { PrepaidRequest } from './prepaid-requests.ts'
import { ClaimWrites, type Claimed } from './claim-writes.ts'

/** How long a paid answer can be had again. */
const KEEP_HOURS = 24
const LONGEST_WORK_MS = 600_000

/** A settlement of the last minutes. */
export interface JustSettled {
  id: string
  payment: SignedPayment
  amountAtomic: bigint
  transaction: string
  settledAt: Date
}

export class Claims {
  readonly #sql: SqlClient
  readonly #ledger: Ledger
  readonly #writes: ClaimWrites

  constructor(sql: SqlClient, ledger: Ledger) {
    this.#sql = sql
    this.#ledger = ledger
    this.#writes = new ClaimWrites(sql, ledger, (key) => this.byPayment(key))
  }

  /** Claims the payment for a call, before any work; or the claim as another call made it. */
  claim(order: ClaimOrder): Promise<Claimed> {
    return this.#writes.claim(order)
  }

  /**
   * Claims a payment whose money is here and whose stream broke off, for the same request again;
   * null when another call has it.
   */
  async claimAgain(
    known: Claim,
    order: { id: string; fingerprint: string; leaseUntil: Date },
  ): Promise<Claim | null> {
    const rows = await this.#sql<ClaimRow[]>`
      UPDATE coinop.x402_claim SET id = ${order.id}, state = 'claimed', lease_until = ${order.leaseUntil}
      WHERE id = ${known.id} AND fingerprint = ${order.fingerprint} AND NOT prepaid AND ledger_id IS NOT NULL
        AND (state = 'prepaid' OR (state = 'claimed' AND lease_until < now()))
      RETURNING *`
    return rows[0] ? toClaim(rows[0]) : null
  }

  /** Whether POST /v1/credits/refund gave the settlement back as credits: then it buys nothing more. */
  async isRefunded({ ledgerId }: Claim): Promise<boolean> {
    if (ledgerId === null) return false
    const found = await this.#sql`
      SELECT 1 FROM coinop.entry WHERE debit = 'settlement' AND reference = ${`refund:${ledgerId}`}`
    return found.length > 0
  }

  /**
   * Claims what POST /v1/x402/settle paid for: once, for its skill. Null when there is nothing (left), or
   * when this very input was bought already: somebody else may have paid for the same request id.
   */
  async claimPrepaid(
    order: PrepaidRequest & { id: string; fingerprint: string; leaseUntil: Date },
  ): Promise<Claim | null> {
    const rows = await this.#sql<ClaimRow[]>`
      UPDATE coinop.x402_claim
      SET id = ${order.id}, state = 'claimed', fingerprint = ${order.fingerprint}, lease_until = ${order.leaseUntil}
      WHERE id = (
        SELECT id FROM coinop.x402_claim
        WHERE request_id = ${order.requestId} AND skill_id = ${order.skillId} AND prepaid
          AND key_id IS NOT DISTINCT FROM ${order.keyId} AND (state = 'prepaid' OR (state = 'claimed' AND lease_until < now()))
          AND NOT EXISTS (
            SELECT 1 FROM coinop.x402_claim bought
            WHERE bought.request_id = ${order.requestId} AND bought.skill_id = ${order.skillId} AND bought.prepaid
              AND bought.key_id IS NOT DISTINCT FROM ${order.keyId}
              AND bought.state = 'settled' AND bought.fingerprint = ${order.fingerprint})
        LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING *`
    return rows[0] ? toClaim(rows[0]) : null
  }

  /**
   * Gives the payment back after failed work; what is paid for waits to be called again. Nothing
   * happens when the claim has moved on.
   */
  async release(id: string, reason: string): Promise<void> {
    await this.#sql`
      UPDATE coinop.x402_claim
      SET state = CASE WHEN ledger_id IS NULL THEN 'released' ELSE 'prepaid' END, reason = ${reason},
          lease_until = now()
      WHERE id = ${id} AND state = 'claimed'`
  }

  /**
   * Whether nothing comes of a claim any more: its work or its settlement failed, or its worker died
   * before anything moved. A dead one is fenced off here, should it be alive after all.
   */
  async isOver({ id, state, ledgerId, leaseUntil }: Claim): Promise<boolean> {
    if (state === 'released' || state === 'failed') return true
    if (state !== 'claimed' || ledgerId !== null || leaseUntil > new Date()) return false
    const moved = await this.#sql`
      UPDATE coinop.x402_claim SET state = 'released', reason = 'abandoned'
      WHERE id = ${id} AND state = 'claimed' AND ledger_id IS NULL AND lease_until < now()
      RETURNING 1`
    return moved.length > 0
  }

  /**
   * Writes the answer and the state `settling`, before any money moves: from here any instance can
   * finish. `amountAtomic` is what is to be taken when it is less than what was claimed. False when
   * the claim was lost to another call.
   */
  beginSettling(
    id: string,
    answer: StoredAnswer | null,
    lease: SettlingOrder['lease'],
    amountAtomic?: bigint,
  ): Promise<boolean> {
    return this.#writes.beginSettling({
      id,
      answer,
      lease,
      ...(amountAtomic !== undefined && { amountAtomic }),
    })
  }

  /**
   * The money is here: the state, the transaction and the ledger's entry at once. The claim of an
   * answer that is streamed from now on stays under its lease until `streamingUntil`.
   */
  settled(
    id: string,
    transaction: string,
    streamingUntil: Date | null = null,
  ): Promise<{ ledgerId: string }> {
    return this.#writes.settled({ id, transaction, streamingUntil })
  }

  /** What was settled since then and whose answer is kept, oldest first. */
  async settledSince(
    since: Date,
    filter: { chainRef: string | null; limit: number },
  ): Promise<JustSettled[]> {
    // By created_at, which has an index: a claim is settled minutes after it was made at most.
    return this.#sql<JustSettled[]>`
      SELECT id, payment, amount AS "amountAtomic", transaction, settled_at AS "settledAt"
      FROM coinop.x402_claim
      WHERE body IS NOT NULL AND created_at > ${new Date(since.getTime() - LONGEST_WORK_MS)}
        AND settled_at > ${since} AND payment IS NOT NULL AND transaction <> ''
        AND chain_ref IS NOT DISTINCT FROM ${filter.chainRef}
      ORDER BY settled_at LIMIT ${filter.limit}`
  }

  /** A settlement that the chain undid stands in another transaction now. */
  async settledAgain(id: string, transaction: string): Promise<void> {
    await this.#sql`
      UPDATE coinop.x402_claim SET transaction = ${transaction} WHERE id = ${id} AND ledger_id IS NOT NULL`
  }

  /** The answer of a call whose money was here before. False when the claim was lost. */
  async finishPaid(id: string, answer: StoredAnswer | null): Promise<boolean> {
    const sql = this.#sql
    const moved = await sql`
      UPDATE coinop.x402_claim
      SET state = 'settled', status = ${answer?.status ?? null}, headers = ${jsonOf(sql, answer?.headers ?? null)},
          body = ${answer?.body ?? null}
      WHERE id = ${id} AND state = 'claimed' AND ledger_id IS NOT NULL
      RETURNING 1`
    return moved.length > 0
  }

  /** Keeps a paid claim under lease while its answer is streamed. False when the claim was lost. */
  async beginStreaming(id: string, lease: SettlingOrder['lease']): Promise<boolean> {
    const moved = await this.#sql`
      UPDATE coinop.x402_claim SET lease_token = ${lease.token}, lease_until = ${lease.until}
      WHERE id = ${id} AND state = 'claimed' AND ledger_id IS NOT NULL
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

  /** Keeps settlements and streams for who works on them: `held` is the lease token by claim. */
  async renew(held: ReadonlyMap<string, string>, until: Date): Promise<void> {
    const members = JSON.stringify([...held].map(([id, token]) => ({ id, token })))
    await this.#sql`
      UPDATE coinop.x402_claim c SET lease_until = ${until}
      FROM json_to_recordset(${members}::text::json) AS o(id uuid, token uuid)
      WHERE c.id = o.id AND c.state IN ('settling', 'claimed') AND c.lease_token = o.token`
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
      const entry = settlementOrderOf(order, transaction)
      const { ledgerId } = await this.#ledger.recordSettlement(entry, tx)
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

  /** The prepaid claim of a request that ran this input, else its newest, whatever its state. */
  async prepaidByRequest(
    { requestId, skillId, keyId }: PrepaidRequest,
    fingerprint: string,
  ): Promise<Claim | null> {
    const rows = await this.#sql<ClaimRow[]>`
      SELECT * FROM coinop.x402_claim
      WHERE request_id = ${requestId} AND skill_id = ${skillId} AND prepaid
        AND key_id IS NOT DISTINCT FROM ${keyId}
      ORDER BY state = 'settled' AND fingerprint = ${fingerprint} DESC, created_at DESC LIMIT 1`
    return rows[0] ? toClaim(rows[0]) : null
  }

  /** A claim that was settled by this transaction. */
  async byTransaction(transaction: string): Promise<Claim | null> {
    const rows = await this.#sql<ClaimRow[]>`
      SELECT * FROM coinop.x402_claim WHERE transaction = ${transaction} LIMIT 1`
    return rows[0] ? toClaim(rows[0]) : null
  }

  /** Requests that were paid for beforehand: not made yet, or answered within the last hour. */
  async openPrepaid(): Promise<PrepaidRequest[]> {
    return this.#sql<PrepaidRequest[]>`
      SELECT request_id AS "requestId", skill_id AS "skillId", key_id AS "keyId"
      FROM coinop.x402_claim WHERE prepaid AND state IN ('prepaid', 'claimed')
      UNION
      SELECT request_id, skill_id, key_id FROM coinop.x402_claim
      WHERE body IS NOT NULL AND created_at > now() - interval '1 hour' AND prepaid`
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
        WHERE state IN ('claimed', 'released', 'failed') AND NOT prepaid AND ledger_id IS NULL
          AND lease_until < now() AND valid_before < extract(epoch FROM now() - interval '1 day')::bigint
        LIMIT ${limit} FOR UPDATE SKIP LOCKED)`
    return emptied.count + dropped.count
  }
}

function jsonOf(sql: SqlClient, value: object | null) {
  return value === null ? null : sql.json(value as Parameters<SqlClient['json']>[0])
}
