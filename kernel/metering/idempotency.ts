/**
 * The store behind Idempotency-Key and the identifier that a rail's credential may carry, scoped to
 * payer and skill (specs/contract.md, "Idempotency"). A claim names the hold it will use. The
 * answer is written before the capture and is valid only once that hold was captured, so a crash in
 * between neither loses a paid answer nor gives away an unpaid one. Follows
 * draft-ietf-httpapi-idempotency-key-header.
 */
import { codeOf } from '../errors.ts'
import type { Receipt, StoredAnswer } from '../rails/contract.ts'
import type { RailRegistry } from '../rails/registry.ts'
import type { SqlClient } from '../storage/contract.ts'
import { withinPatience } from '../work/retry.ts'

/** How long a charged answer can be replayed. */
const KEEP_HOURS = 24
/** How often, and how many times, a key is freed that the database could not free. */
const FREE_EVERY_MS = 1000
const FREE_TRIES_MAX = 600
/** Stored as the status of a withdrawn answer, whose charge is being given back. */
const WITHDRAWN = 0

/** A call's claim on its key, under which its answer is kept. */
export interface Claim {
  /** Payer and skill. */
  scope: string
  key: string
  holdId: string
}

export interface ClaimOrder extends Claim {
  fingerprint: string
  railId: string
  /** How long the call may run; afterwards a claim without an answer is free again. */
  runsForMs: number
}

export type ClaimOutcome =
  | { outcome: 'claimed' }
  | {
      outcome: 'replay'
      answer: StoredAnswer
      chargedAtomic: bigint
      ledgerId: string | null
      railId: string
    }
  /** The key was used for a different request. */
  | { outcome: 'mismatch' }
  | { outcome: 'in_flight' }
  /** Paid for, but too long to keep. */
  | { outcome: 'not_kept' }

/** Tells how an earlier caller's hold or claim ended, and gives its charge back. */
export type Holds = Pick<RailRegistry, 'stateOf' | 'giveBack'>

interface Row {
  fingerprint: string
  rail: string
  hold_id: string
  /** By the database's clock: gateways may disagree about the time. */
  is_running: boolean
  settled: boolean
  status: number | null
  headers: Record<string, string> | null
  body: Uint8Array | null
  charged: bigint | null
  ledger_id: string | null
}

export class IdempotencyStore {
  readonly #sql: SqlClient
  readonly #holds: Holds

  constructor(sql: SqlClient, holds: Holds) {
    this.#sql = sql
    this.#holds = holds
  }

  /** Claims (scope, key) for a new call, or returns the outcome of an earlier call. */
  async claim(order: ClaimOrder): Promise<ClaimOutcome> {
    for (let attempt = 0; attempt < 3; attempt++) {
      const inserted = await this.#sql`
        INSERT INTO idempotency (scope, key, fingerprint, rail, hold_id, deadline, expires_at)
        VALUES (${order.scope}, ${order.key}, ${order.fingerprint}, ${order.railId}, ${order.holdId},
                now() + ${order.runsForMs}::float8 * interval '1 millisecond',
                now() + make_interval(hours => ${KEEP_HOURS}))
        ON CONFLICT (scope, key) DO UPDATE SET
          fingerprint = excluded.fingerprint, rail = excluded.rail, hold_id = excluded.hold_id,
          deadline = excluded.deadline, expires_at = excluded.expires_at, settled = false,
          status = NULL, headers = NULL, body = NULL, charged = NULL, ledger_id = NULL
        WHERE idempotency.expires_at <= now()
        RETURNING 1`
      if (inserted.length > 0) return { outcome: 'claimed' }
      const known = await this.#read(order.scope, order.key)
      if (!known) continue
      if (known.fingerprint !== order.fingerprint) return { outcome: 'mismatch' }
      const answered = await this.#earlier(order, known)
      if (answered) return answered
      await this.free({ ...order, holdId: known.hold_id })
    }
    return { outcome: 'in_flight' }
  }

  /** The outcome of an earlier call; null if it charged nothing, so that its key is free. */
  async #earlier({ scope, key }: ClaimOrder, known: Row): Promise<ClaimOutcome | null> {
    const { rail, hold_id: holdId } = known
    const state = known.settled ? 'captured' : await this.#holds.stateOf(rail, holdId)
    if (state === 'open') return { outcome: 'in_flight' }
    if (known.status === WITHDRAWN) {
      if (state === 'none' || (await this.#holds.giveBack(rail, holdId))) return null
      return { outcome: 'in_flight' }
    }
    if (state === 'none') return known.is_running ? { outcome: 'in_flight' } : null
    if (known.settled && known.status !== null) return replayOf(known)
    // The answer is written before the capture, but perhaps after our read. Taking it here stops
    // anyone from giving the charge back.
    const [taken] = await this.#sql<Row[]>`
      UPDATE idempotency SET settled = true
      WHERE scope = ${scope} AND key = ${key} AND hold_id = ${holdId} AND status <> ${WITHDRAWN}
      RETURNING fingerprint, rail, hold_id, deadline > now() AS is_running, settled, status, headers, body, charged, ledger_id`
    if (taken) return replayOf(taken)
    const now = await this.#read(scope, key)
    if (now?.hold_id !== holdId || now.status !== null) return { outcome: 'in_flight' }
    // A stream may still break off until its end is recorded or its deadline has passed.
    return now.settled || !now.is_running ? { outcome: 'not_kept' } : { outcome: 'in_flight' }
  }

  /**
   * Stores the answer of the running call. It becomes valid once its hold is captured; without a
   * hold, which work that charges by itself does not have, it is valid at once (`isPaid`).
   */
  async prepare(
    { scope, key, holdId }: Claim,
    { status, headers, body }: StoredAnswer,
    isPaid = false,
  ): Promise<void> {
    await this.#sql`
      UPDATE idempotency SET status = ${status}, headers = ${this.#sql.json(headers)},
        body = ${body}, settled = settled OR ${isPaid}
      WHERE scope = ${scope} AND key = ${key} AND hold_id = ${holdId}`
  }

  /** Records the charge; without it a replay works, but has fewer receipt headers. */
  async settle(
    { scope, key, holdId }: Claim,
    receipt: Pick<Receipt, 'chargedAtomic' | 'ledgerId' | 'headers'>,
  ): Promise<void> {
    const { chargedAtomic, ledgerId, headers } = receipt
    await this.#sql`
      UPDATE idempotency SET settled = true, charged = ${chargedAtomic}, ledger_id = ${ledgerId},
        headers = COALESCE(headers, '{}') || ${this.#sql.json(headers)}
      WHERE scope = ${scope} AND key = ${key} AND hold_id = ${holdId}`
  }

  /** Records that the answer went out as a stream, which is not kept. */
  async noteStreamed({ scope, key, holdId }: Claim): Promise<void> {
    await this.#sql`
      UPDATE idempotency SET settled = true
      WHERE scope = ${scope} AND key = ${key} AND hold_id = ${holdId} AND status IS NULL`
  }

  /** The call has ended, and its rail may hold something: the next one asks it. Never rejects. */
  async abandon({ scope, key, holdId }: Claim): Promise<void> {
    const ending = () => this.#sql`
      UPDATE idempotency SET deadline = now()
      WHERE scope = ${scope} AND key = ${key} AND hold_id = ${holdId}`
    await withinPatience(async () => void (await ending())).catch(() => {})
  }

  /**
   * Frees the key after a call that was not charged. Never rejects: while the database is away, it
   * is tried again in the background, until the claim ends by itself at the latest.
   */
  async freeSoon(claim: Claim): Promise<void> {
    await withinPatience(() => this.free(claim)).catch(() => void this.#freeLater(claim))
  }

  async #freeLater(claim: Claim): Promise<void> {
    for (let tries = 0; tries < FREE_TRIES_MAX; tries++) {
      await new Promise((resolve) => setTimeout(resolve, FREE_EVERY_MS).unref())
      const isFree = await this.free(claim).then(
        () => true,
        (error: unknown) => codeOf(error) === 'CONNECTION_ENDED',
      )
      if (isFree) return
    }
  }

  /** The same at once, or rejects. */
  async free({ scope, key, holdId }: Claim): Promise<void> {
    await this.#sql`DELETE FROM idempotency WHERE scope = ${scope} AND key = ${key} AND hold_id = ${holdId}`
  }

  /**
   * Withdraws the answer of a call whose charge is about to be given back, so that no later retry
   * gets it. False if a retry has already received it, so that the charge is due.
   */
  async withdraw({ scope, key, holdId }: Claim): Promise<boolean> {
    await this.#sql`
      UPDATE idempotency SET status = ${WITHDRAWN}, headers = NULL, body = NULL
      WHERE scope = ${scope} AND key = ${key} AND hold_id = ${holdId} AND NOT settled`
    const row = await this.#read(scope, key)
    return row?.hold_id !== holdId || !row.settled
  }

  /** Deletes rows older than 24 hours; returns how many. */
  async purge(limit = 5000): Promise<number> {
    const gone = await this.#sql`
      DELETE FROM idempotency WHERE ctid IN (
        SELECT ctid FROM idempotency WHERE expires_at <= now() LIMIT ${limit} FOR UPDATE SKIP LOCKED)`
    return gone.count
  }

  async #read(scope: string, key: string): Promise<Row | undefined> {
    const rows = await this.#sql<Row[]>`
      SELECT fingerprint, rail, hold_id, deadline > now() AS is_running, settled, status, headers, body, charged, ledger_id
      FROM idempotency WHERE scope = ${scope} AND key = ${key}`
    return rows[0]
  }
}

function replayOf(row: Row): ClaimOutcome {
  return {
    outcome: 'replay',
    answer: { status: row.status!, headers: row.headers ?? {}, body: row.body ?? new Uint8Array() },
    chargedAtomic: row.charged ?? 0n,
    ledgerId: row.ledger_id,
    railId: row.rail,
  }
}
