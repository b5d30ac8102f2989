/** The `accounts` service: balances that a plugin charges and fills by itself, such as for plans. */
import { isAccountId, assert, leftOf, type KeySpend, type Accounts } from '#kernel'
import {
  type AccountDirectory,
  type Keys,
  type Owners,
  WHOLE_KEY,
  type Ledger,
  type SqlClient,
  transactionOf,
  ID_SLOT,
  LOWEST_ID,
} from '#kernel/host'

export interface AccountsDeps {
  sql: SqlClient
  ledger: Pick<Ledger, 'charge' | 'credit' | 'take' | 'spend'>
  keys: Pick<Keys, 'accountOf' | 'ownGrant'>
  directory: Pick<AccountDirectory, 'get' | 'patch' | 'openForPayer'>
  owners: Owners
}

const BELOW_MARK_MAX = 1000

export function createAccounts({ sql, ledger, keys, directory, owners }: AccountsDeps): Accounts {
  return {
    ofKey: (keyId) => keys.accountOf(keyId),
    open: (order, tx) => directory.openForPayer(order, tx && transactionOf(tx)),
    async get(accountId) {
      const record = await directory.get(accountId)
      if (!record) return null
      const { id: _, ...account } = record
      return { accountId, ...account }
    },
    async belowMark(accountIds) {
      assert(accountIds.length <= BELOW_MARK_MAX, `at most ${BELOW_MARK_MAX} accounts at once`)
      return sql<Awaited<ReturnType<Accounts['belowMark']>>[number][]>`
        SELECT id AS "accountId", available AS "availableAtomic", held AS "heldAtomic",
          low_mark AS "lowMarkAtomic", low_at AS "lowAt"
        FROM coinop.account
        WHERE id = ANY (${accountIds.filter(isAccountId)}::uuid[]) AND low_at IS NOT NULL
          AND low_mark IS NOT NULL AND closed_at IS NULL`
    },
    async setLowMark(accountId, lowMarkAtomic) {
      const changed = await directory.patch(accountId, { lowMarkAtomic })
      assert(changed, `there is no account ${accountId}`)
    },
    ofOwner: (subject, open) => owners.accountOf(subject, open),
    owners: async (accountId) => (isAccountId(accountId) ? owners.list(accountId) : []),
    async addOwner(accountId, subject, tx) {
      const added = tx
        ? await owners.add(transactionOf(tx), accountId, subject)
        : await sql.begin((own) => owners.add(own, accountId, subject))
      assert(added !== 'unknown_account', `there is no account ${accountId}`)
      return added
    },
    removeOwner: (accountId, subject, tx) =>
      tx
        ? owners.remove(transactionOf(tx), accountId, subject)
        : sql.begin((own) => owners.remove(own, accountId, subject)),
    ownKey: (accountId, purpose) => keys.ownGrant(accountId, purpose),
    async buyer(keyId, pluginTx, productId) {
      const tx = transactionOf(pluginTx)
      const [key] = await tx<
        { accountId: string; mode: 'live' | 'test'; isOver: boolean; products: string[] | null }[]
      >`
        SELECT k.account_id AS "accountId", a.mode,
          -- One that may buy single skills may buy no product whole.
          CASE WHEN k.skills IS NULL THEN k.products ELSE '{}' END AS products,
          (k.revoked_at IS NOT NULL OR a.closed_at IS NOT NULL
            OR COALESCE(k.expires_at <= now(), false)) AS "isOver"
        FROM coinop.api_key k JOIN coinop.account a ON a.id = k.account_id WHERE k.id = ${keyId}`
      if (!key) return null
      const spend = await ledger.spend({ accountId: key.accountId, keyId })
      const counted = spend.filter(({ scope }) => scope === WHOLE_KEY || scope === productId)
      return { ...key, leftAtomic: leastOf(counted.map(leastLeftOf)) }
    },
    async standing(accountId, since, pluginTx) {
      const tx = transactionOf(pluginTx)
      const [account] = await tx<{ available: bigint; held: bigint; isClosed: boolean }[]>`
        SELECT available, held, closed_at IS NOT NULL AS "isClosed" FROM coinop.account WHERE id = ${accountId}::uuid FOR UPDATE`
      if (!account) return null
      // A statement of its own: it sees what was captured until the lock was had.
      const [spent] = await tx.unsafe<{ atomic: bigint }[]>(SPENT, [accountId, since])
      const [after] = await tx.unsafe<{ atomic: bigint | null }[]>(MOVED_AFTER, [accountId, since])
      const { available, held, isClosed } = account
      const { atomic: movedAtomic } = after!
      return {
        availableAtomic: available,
        heldAtomic: held,
        isClosed,
        keptAtomic: movedAtomic === null ? null : available + held - movedAtomic,
        spentAtomic: spent!.atomic > 0n ? spent!.atomic : 0n,
      }
    },
    async charge(order, tx) {
      const result = await ledger.charge(order, transactionOf(tx))
      if (result.outcome !== 'charged') return { ok: false, reason: result.outcome }
      return { ok: true, duplicate: result.duplicate, ledgerId: result.ledgerId }
    },
    async credit(order, tx) {
      const result = await ledger.credit({ ...order, kind: 'topup' }, transactionOf(tx))
      if (result.outcome === 'credited') {
        return { ok: true, duplicate: result.duplicate, ledgerId: result.ledgerId }
      }
      return { ok: false, reason: result.outcome === 'closed' ? 'closed' : 'unknown_account' }
    },
    async take(order, tx) {
      const result = await ledger.take(order, transactionOf(tx))
      if (result.outcome !== 'taken') return { ok: false, reason: 'unknown_account' }
      return { ok: true, takenAtomic: result.takenAtomic, ledgerId: result.ledgerId }
    },
    async tell({ accountId, type, data }, tx) {
      await transactionOf(tx).unsafe(
        `INSERT INTO coinop.outbox (account_id, topic, body) VALUES ($1::uuid, $2, $3::text::jsonb)`,
        [accountId, type, JSON.stringify(data)],
      )
    },
  }
}

/** How far a gateway's clock may be behind: calls that it makes in that time are found all the same. */
const CLOCK_LAG = '2 days'

/**
 * What calls of account $1 captured since $2, less what of that was refunded. Months that were archived
 * have only sums of whole days: a first day counts in full and refunds do not, so that the buyer gains.
 */
const SPENT = `
WITH kept AS MATERIALIZED (
  -- Where the postings of calls are complete: from $2 on, or from the end of what was archived.
  SELECT GREATEST($2::timestamptz, max(before)) AS since, max(before) AS archived
  FROM coinop.ledger_archive),
-- Ids have the time of the gateway that made them, whose clock may be behind that of the database.
earliest AS MATERIALIZED (SELECT ${LOWEST_ID(`since - interval '${CLOCK_LAG}'`)} AS id FROM kept)
SELECT (
  SELECT COALESCE(sum(CASE e.kind WHEN 'capture' THEN e.amount ELSE -e.amount END), 0)
  FROM coinop.api_key k
  JOIN coinop.entry e ON e.key_id = k.id AND e.id >= (SELECT id FROM earliest)
    AND ${ID_SLOT('e.id')} >= (SELECT ${ID_SLOT('id')} FROM earliest)
  WHERE k.account_id = $1::uuid AND e.account_id = $1::uuid
    AND e.at >= (SELECT since FROM kept)
    -- What was captured earlier, or paid by another rail, was not spent since then. Looked up for each
    -- refund, because a join by all postings lets the planner read every hold of the database.
    AND CASE e.kind WHEN 'capture' THEN true WHEN 'refund' THEN (
      SELECT c.at FROM coinop.hold h JOIN coinop.entry c ON c.id = h.end_id
      WHERE h.id = e.hold_id AND h.account_id = e.account_id) >= (SELECT since FROM kept) END
)::bigint + (
  SELECT COALESCE(sum(u.charged), 0) FROM coinop.usage_day u, kept
  WHERE u.account_id = $1::uuid AND u.day >= ($2::timestamptz AT TIME ZONE 'utc')::date
    AND u.day < (kept.archived AT TIME ZONE 'utc')::date
)::bigint AS atomic`

/**
 * For each moment since $2 in which credits left account $1 other than by calls and plans (refunds of
 * top-ups, transfers): what came in after it, less what left. The greatest of these sums; null: there was no
 * such moment. What the account has beyond it is the most that can be left of credits from before $2.
 * Credits that are given back to the account do not count as new.
 */
const MOVED_AFTER = `
WITH moved AS (
  SELECT e.id, e.at, CASE e.debit WHEN 'available' THEN -e.amount ELSE e.amount END AS amount
  FROM (
    SELECT e.* FROM coinop.api_key k
    JOIN coinop.entry e ON e.key_id = k.id
      AND ${ID_SLOT('e.id')} >= ${ID_SLOT(LOWEST_ID(`$2::timestamptz - interval '${CLOCK_LAG}'`))}
    WHERE k.account_id = $1::uuid
    UNION ALL
    SELECT e.* FROM coinop.entry e WHERE e.account_id = $1::uuid AND e.key_id IS NULL) e
  WHERE e.account_id = $1::uuid AND e.at >= $2::timestamptz AND e.hold_id IS NULL
    AND e.kind IN ('topup', 'grant', 'adjustment', 'refund')
    AND NOT starts_with(e.debit, 'plan:') AND NOT starts_with(e.credit, 'plan:')
    AND NOT (e.kind = 'adjustment' AND starts_with(e.debit, 'topup:'))),
after AS (
  SELECT amount, COALESCE(sum(amount) OVER (ORDER BY at DESC, id DESC
    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS later FROM moved)
SELECT max(later)::bigint AS atomic FROM after WHERE amount < 0`

/** The least that the budgets of a key leave for one purchase; null: it has none. */
function leastLeftOf(spend: KeySpend): bigint | null {
  const { callCapAtomic, dayCapAtomic, monthCapAtomic } = spend
  return leastOf([
    callCapAtomic,
    dayCapAtomic && leftOf(dayCapAtomic, spend.spentTodayAtomic),
    monthCapAtomic && leftOf(monthCapAtomic, spend.spentMonthAtomic),
  ])
}

/** The least of those that are there; null: none is. */
function leastOf(amounts: readonly (bigint | null)[]): bigint | null {
  return amounts.reduce<bigint | null>(
    (least, amount) => (least === null || (amount !== null && amount < least) ? amount : least),
    null,
  )
}
