/** Subscriptions, their turns and purchases in the plugin's own tables. */
import type { PluginDb, PluginTx } from '#kernel'
import { databaseTime } from '../shared/storage/database-time.ts'
import { claimOpen, forgetUnpaid, wasPaidWith } from '../shared/topup/open-purchases.ts'
import type {
  EndReason,
  Period,
  Subscription,
  SubscriptionState,
  TurnOutcome,
} from './subscription.ts'

const COLUMNS = `id::text, account_id AS "accountId", key_id AS "keyId", plan_id AS "planId", state,
  agreed_atomic AS "agreedAtomic", anchor_at AS "anchorAt", month, period_start AS "periodStart",
  period_end AS "periodEnd", lapsing_atomic AS "lapsingAtomic",
  ends_at_period_end AS "endsAtPeriodEnd", turn, due_at AS "dueAt", created_at AS "createdAt",
  ended_at AS "endedAt", ended_reason AS "endedReason"`
const LEASE_MS = 60_000
/** A plan that no instance has known for so long is gone. */
export const UNKNOWN_PLAN_DAYS = 7

export interface Turn {
  number: number
  at: Date
  outcome: TurnOutcome
  chargedAtomic: bigint
  grantedAtomic: bigint
  lapsedAtomic: bigint
}
export interface Purchase {
  requestId: string
  keyId: string
  planId: string
  amountAtomic: bigint
  /** Whether the account goes on paying by the month: its holder showed a key that may. */
  renews: boolean
  endedAt: Date | null
  subscriptionId: string | null
  /**
   * Ended without anything, because the account cannot have credits ('closed': the operator was told),
   * or because an operator has given them by hand.
   */
  refusedBecause: 'closed' | 'given_by_hand' | null
}
/** A due subscription that this instance alone may turn, as long as its lease lasts. */
export interface Claimed {
  id: string
  token: string
}
/** What a turn leaves behind. */
export interface Outcome {
  state: SubscriptionState
  period: Period
  lapsingAtomic: bigint
  turn: number
  dueAt: Date
  ended?: { at: Date; reason: EndReason }
}

export class PlanStore {
  readonly #db: PluginDb

  constructor(db: PluginDb) {
    this.#db = db
  }

  /** The subscription of an account that has not ended. */
  async ofAccount(accountId: string, tx: PluginTx = this.#db): Promise<Subscription | null> {
    const rows = await tx.query<Subscription>(
      `SELECT ${COLUMNS} FROM subscription WHERE account_id = $1 AND state <> 'ended'`,
      [accountId],
    )
    return rows[0] ?? null
  }

  async find(id: string): Promise<Subscription | null> {
    const rows = await this.#db.query<Subscription>(
      `SELECT ${COLUMNS} FROM subscription WHERE id = $1`,
      [id],
    )
    return rows[0] ?? null
  }

  /** Newest first, older than the one with the id `before`. */
  list(page: { limit: number; before: string | null }): Promise<Subscription[]> {
    return this.#db.query<Subscription>(
      `SELECT ${COLUMNS} FROM subscription
       WHERE $2::uuid IS NULL OR (created_at, id) <
         (SELECT b.created_at, b.id FROM subscription b WHERE b.id = $2::uuid)
       ORDER BY subscription.created_at DESC, subscription.id DESC LIMIT $1`,
      [page.limit, page.before],
    )
  }

  /** The newest turns of a subscription, newest first. */
  turns(subscriptionId: string, limit: number): Promise<Turn[]> {
    return this.#db.query<Turn>(
      `SELECT number, at, outcome, charged_atomic AS "chargedAtomic",
         granted_atomic AS "grantedAtomic", lapsed_atomic AS "lapsedAtomic"
       FROM turn WHERE subscription_id = $1 ORDER BY number DESC LIMIT $2`,
      [subscriptionId, limit],
    )
  }

  /**
   * Account and plan of every subscription that is paid: whose prices hold now. `isPresent`: somebody
   * paid for it who showed no key of the account.
   */
  inForce(): Promise<{ accountId: string; planId: string; isPresent: boolean }[]> {
    return this.#db.query(
      `SELECT account_id AS "accountId", plan_id AS "planId", EXISTS (
         SELECT FROM purchase p WHERE p.subscription_id = s.id AND NOT p.renews) AS "isPresent"
       FROM subscription s WHERE state = 'active'`,
    )
  }

  /** How many subscriptions go on, by state. */
  async counts(): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#db.query<{ state: string; n: bigint }>(
      `SELECT state, count(*) AS n FROM subscription WHERE state <> 'ended' GROUP BY state`,
    )
    return new Map(rows.map(({ state, n }) => [state, Number(n)]))
  }

  /** Inserts it; false: the account has one that has not ended. */
  async add(tx: PluginTx, subscription: Subscription): Promise<boolean> {
    const s = subscription
    const added = await tx.query(
      `INSERT INTO subscription (id, account_id, key_id, plan_id, state, agreed_atomic, anchor_at,
         month, period_start, period_end, lapsing_atomic, ends_at_period_end, turn, due_at, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
       ON CONFLICT (account_id) WHERE state <> 'ended' DO NOTHING RETURNING 1`,
      [
        s.id,
        s.accountId,
        s.keyId,
        s.planId,
        s.state,
        s.agreedAtomic,
        s.anchorAt,
        s.month,
        s.periodStart,
        s.periodEnd,
        s.lapsingAtomic,
        s.endsAtPeriodEnd,
        s.turn,
        s.dueAt,
        s.createdAt,
      ],
    )
    return added.length > 0
  }

  /**
   * The database's time, by which months begin and end: a gateway whose clock is ahead would charge for
   * months that have not come, and one whose clock is behind would sell a month that is over.
   */
  clock(): Promise<Date> {
    return databaseTime(this.#db)
  }

  /**
   * Leases due subscriptions of these plans to this instance; one whose turn failed comes again
   * later. Those of other plans only when they are long overdue: another instance may know the plan.
   */
  claimDue(now: Date, planIds: readonly string[], limit: number): Promise<Claimed[]> {
    return this.#db.query<Claimed>(
      `UPDATE subscription SET lease_token = gen_random_uuid(), attempts = attempts + 1,
         lease_until = $1::timestamptz + make_interval(secs => $2::float8 / 1000)
       WHERE id IN (
         SELECT id FROM subscription
         WHERE state <> 'ended' AND due_at <= $1 AND (lease_until IS NULL OR lease_until <= $1)
           AND (plan_id = ANY($4::text[]) OR due_at <= $1::timestamptz - make_interval(days => $5))
         ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED)
       RETURNING id::text, lease_token::text AS token`,
      [now, LEASE_MS, limit, planIds, UNKNOWN_PLAN_DAYS],
    )
  }

  /** The leased subscription, locked until the transaction ends; null: the lease is another's now. */
  async lockClaimed(tx: PluginTx, { id, token }: Claimed): Promise<Subscription | null> {
    const rows = await tx.query<Subscription>(
      `SELECT ${COLUMNS} FROM subscription WHERE id = $1 AND lease_token = $2 FOR UPDATE`,
      [id, token],
    )
    return rows[0] ?? null
  }

  /** Writes what a turn came to and gives the lease back. */
  async endTurn(tx: PluginTx, id: string, outcome: Outcome): Promise<void> {
    const { state, period, lapsingAtomic, turn, dueAt, ended } = outcome
    await tx.query(
      `UPDATE subscription SET state = $2, anchor_at = $3, month = $4, period_start = $5,
         period_end = $6, lapsing_atomic = $7, turn = $8, due_at = $9, ended_at = $10,
         ended_reason = $11, lease_until = NULL, lease_token = NULL, attempts = 0
       WHERE id = $1`,
      [
        id,
        state,
        period.anchorAt,
        period.month,
        period.periodStart,
        period.periodEnd,
        lapsingAtomic,
        turn,
        dueAt,
        ended?.at ?? null,
        ended?.reason ?? null,
      ],
    )
  }

  async addTurn(tx: PluginTx, subscriptionId: string, turn: Turn): Promise<void> {
    await tx.query(
      `INSERT INTO turn (subscription_id, number, at, outcome, charged_atomic, granted_atomic, lapsed_atomic)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [
        subscriptionId,
        turn.number,
        turn.at,
        turn.outcome,
        turn.chargedAtomic,
        turn.grantedAtomic,
        turn.lapsedAtomic,
      ],
    )
  }

  /** Makes unpaid months of these accounts due. */
  async retryUnpaid(accountIds: readonly string[], now: Date): Promise<void> {
    await this.#db.query(
      `UPDATE subscription SET due_at = $2
       WHERE state = 'past_due' AND account_id = ANY($1::text[]) AND due_at > $2`,
      [accountIds, now],
    )
  }

  /** It ends with its month; one that is past due ends at the next round. The subscription, or null. */
  async cancel(id: string, now: Date): Promise<Subscription | null> {
    const rows = await this.#db.query<Subscription>(
      `UPDATE subscription SET ends_at_period_end = true,
         due_at = CASE state WHEN 'past_due' THEN $2 ELSE due_at END
       WHERE id = $1 AND state <> 'ended' RETURNING ${COLUMNS}`,
      [id, now],
    )
    return rows[0] ?? null
  }

  /**
   * Takes back that the account's plan ends with its month, for whoever agrees to what it costs now (null:
   * it stays given). Limits that nobody of the account had asked for count from now on. Null: no such plan
   * was to end.
   */
  async resume(
    tx: PluginTx,
    wanted: Pick<Subscription, 'accountId' | 'planId' | 'agreedAtomic'>,
  ): Promise<Subscription | null> {
    const rows = await tx.query<Subscription>(
      `WITH resumed AS (
         UPDATE subscription SET ends_at_period_end = false, agreed_atomic = $3
         WHERE account_id = $1 AND plan_id = $2 AND state = 'active' AND ends_at_period_end
           AND (agreed_atomic IS NULL) = ($3::bigint IS NULL) RETURNING *),
       bought AS (
         UPDATE purchase p SET renews = true FROM resumed r WHERE p.subscription_id = r.id)
       SELECT ${COLUMNS} FROM resumed`,
      [wanted.accountId, wanted.planId, wanted.agreedAtomic],
    )
    return rows[0] ?? null
  }

  async addPurchase(
    purchase: Omit<Purchase, 'endedAt' | 'subscriptionId' | 'refusedBecause'> & {
      /** Digest of the payment. */
      paidWith: string | null
    },
  ): Promise<void> {
    const { requestId, keyId, planId, amountAtomic, renews, paidWith } = purchase
    await this.#db.query(
      `INSERT INTO purchase (request_id, key_id, plan_id, amount_atomic, renews, paid_with)
       VALUES ($1, $2, $3, $4, $5, $6)`,
      [requestId, keyId, planId, amountAtomic, renews, paidWith],
    )
  }

  wasPaidWith(digest: string): Promise<boolean> {
    return wasPaidWith(this.#db, digest)
  }

  /** The purchase, locked until the transaction ends. */
  async lockPurchase(tx: PluginTx, requestId: string): Promise<Purchase | null> {
    const rows = await tx.query<Purchase>(
      `SELECT request_id AS "requestId", key_id AS "keyId", plan_id AS "planId",
         amount_atomic AS "amountAtomic", renews, ended_at AS "endedAt",
         subscription_id::text AS "subscriptionId", refused_because AS "refusedBecause"
       FROM purchase WHERE request_id = $1 FOR UPDATE`,
      [requestId],
    )
    return rows[0] ?? null
  }

  async endPurchase(
    tx: PluginTx,
    requestId: string,
    subscriptionId: string | null,
    at: Date,
  ): Promise<void> {
    await tx.query(
      'UPDATE purchase SET ended_at = $2, subscription_id = $3 WHERE request_id = $1',
      [requestId, at, subscriptionId],
    )
  }

  /** Ends a purchase whose credits the account cannot have. */
  async refusePurchase(
    tx: PluginTx,
    requestId: string,
    reason: NonNullable<Purchase['refusedBecause']>,
    at: Date,
  ): Promise<void> {
    await tx.query(
      'UPDATE purchase SET ended_at = $2, refused_because = $3 WHERE request_id = $1',
      [requestId, at, reason],
    )
  }

  /** Those of these plans, and those whose plan has been gone for long. */
  claimOpenPurchases(
    planIds: readonly string[],
    quietMs: number,
    limit: number,
  ): Promise<{ requestId: string; amountAtomic: bigint }[]> {
    return claimOpen(this.#db, {
      ended: 'ended_at',
      columns: 'request_id AS "requestId", amount_atomic AS "amountAtomic"',
      quietMs,
      limit,
      only: {
        condition: 'plan_id = ANY($3::text[]) OR created_at < now() - make_interval(days => $4)',
        parameters: [planIds, UNKNOWN_PLAN_DAYS],
      },
    })
  }

  forgetUnpaid(requestId: string): Promise<void> {
    return forgetUnpaid(this.#db, 'ended_at', requestId)
  }
}
