/** Statements that place holds, one or many at once. */
import {
  AFTER,
  BUCKET,
  COMMIT_AS,
  DAY_SPENT,
  ENTRY_INSERT,
  FEW,
  HOLD_DAY,
  IS_CAPPED,
  MONTH,
  MONTH_SPENT,
  PATIENCE,
  SEEN,
  TODAY,
  type PatienceMs,
} from './fragments.ts'

/** The SQL for free quotas, left out for batches without one. */
interface FreePart {
  arrays: string
  names: string
  bucket: string
  left: (before: SumBefore) => string
  join: string
  amount: string
  use: string
}

/** SQL (bigint): the sum over earlier groups of the batch that agree in `columns`. */
type SumBefore = (of: string, columns: string) => string

/** For batches with one group per account, where no group has an earlier one to add. */
const NOTHING: SumBefore = () => '0'
const SUMMED: SumBefore = (of, columns) => `COALESCE(sum(${of})
      OVER (PARTITION BY ${columns} ORDER BY ord ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)::bigint`

const NO_FREE: FreePart = {
  arrays: '',
  names: '',
  bucket: 'NULL::text',
  left: () => '0',
  join: '',
  amount: 'i.price',
  use: '',
}

/**
 * A call is free if the used places plus its own place in the batch are within the quota; a quota
 * that was used up concurrently makes `used` negative, so that the CHECK undoes the statement. If
 * an order misses the quota only because of earlier orders in the batch, which may turn out to take
 * no place (a repeat makes no hold), it is left undecided rather than charged.
 */
const FREE: FreePart = {
  arrays: ', $16::bigint[], $17::text[]',
  names: ', free_cap, free_period',
  bucket: `CASE WHEN COALESCE(f.used, 0) < i.free_cap THEN ${BUCKET('i.free_period')} END`,
  left: (before) =>
    `i.free_cap - COALESCE(f.used, 0) - ${before(
      'CASE WHEN k.revoked_at IS NULL AND i.free_cap IS NOT NULL THEN i.count ELSE 0 END',
      'i.account_id, i.skill_id, i.free_period',
    )}`,
  join: `
    LEFT JOIN coinop.free_use f ON i.free_cap IS NOT NULL AND f.account_id = i.account_id
      AND f.skill_id = i.skill_id AND f.bucket = ${BUCKET('i.free_period')}`,
  amount: 'CASE WHEN i.free_bucket IS NULL THEN i.price ELSE 0 END',
  use: `,
f AS (
  INSERT INTO coinop.free_use AS f (account_id, skill_id, bucket, cap, used)
  SELECT w.account_id, w.skill_id, w.free_bucket, max(w.free_cap), count(*)
  FROM (SELECT h.account_id, h.skill_id, h.free_bucket, o.free_cap
    FROM h FULL JOIN o USING (id) OFFSET 0) AS w
  WHERE w.free_bucket IS NOT NULL AND ${AFTER('u')}
  GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (account_id, skill_id, bucket) DO UPDATE SET
    used = CASE WHEN f.used + excluded.used <= excluded.cap THEN f.used + excluded.used ELSE -1 END,
    cap = excluded.cap)`,
}

/**
 * The UTC day that a hold counts on: that of the statement, or a later one that its budgets already
 * count for, if the clock was set back. A budget's day never goes back: the spending of the earlier
 * day is no longer recorded and could be spent again.
 */
const COUNTED_ON = `GREATEST(${TODAY}, CASE WHEN ${IS_CAPPED('k')} OR ${IS_CAPPED('p')} THEN k.day END,
      CASE WHEN ${IS_CAPPED('p')} THEN p.day END)`
/** The creation time of a hold that counts on `day`, which may be in the future. */
const MADE_ON = (day: string) => `GREATEST(now(), ${day}::timestamp AT TIME ZONE 'utc')`

/**
 * Places holds for orders, in groups of orders that differ only in id, request and time ($14:
 * number of groups): balance and budgets are looked up and compared once per group, and its orders
 * are numbered (`place`). Returns one row per order whose account and key are known: with `amount`
 * if the hold was made; else `refused` says why the order alone is impossible (with the limit, its
 * cap and the spending); with neither, its id or claim is taken or it does not fit together with
 * the others. 'undecided' is not a refusal: see FREE. `k` is the key's own row, `p` the product's.
 * Groups that are refused on their own do not count in the sums for later ones, and free calls not
 * in any budget. The postings are inserted before the account is locked, to keep the lock short. A
 * budget that was used up or moved to another day concurrently undoes the statement. $15 is 'off'
 * for holds that may reach the disk later (AuthorizeOrder.isProvisional).
 */
const authorize = (patience: PatienceMs, free: FreePart, before: SumBefore) => `
WITH i AS MATERIALIZED (
  SELECT i.*, a.available, a.closed_at, k.revoked_at,
    d.day, k.call_cap, k.day_cap, k.month_cap,
    ${DAY_SPENT('k', 'd.day')} AS day_spent, ${MONTH_SPENT('k', 'd.day')} AS month_spent,
    p.call_cap AS p_call_cap, p.day_cap AS p_day_cap, p.month_cap AS p_month_cap,
    ${DAY_SPENT('p', 'd.day')} AS p_day_spent, ${MONTH_SPENT('p', 'd.day')} AS p_month_spent,
    ${free.bucket} AS free_bucket, ${free.left(before)} AS free_left, ${PATIENCE(patience)}, ${COMMIT_AS('$15')}
  FROM (SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[],
      $7::integer[], $8::text[], $9::text[], $10::integer[], $11::text[], $12::text[],
      $13::text[]${free.arrays})
      WITH ORDINALITY AS i(account_id, key_id, skill_id, product_id, path, price, price_version,
        acquisition, claim_prefix, count, ids, request_ids, ttls_ms${free.names}, ord)
      ${FEW('$14')}) AS i
    JOIN coinop.account a ON a.id = i.account_id
    CROSS JOIN LATERAL (SELECT k.* FROM coinop.key_spend k
      WHERE k.account_id = i.account_id AND k.key_id = i.key_id AND k.scope = '*' LIMIT 1) AS k
    LEFT JOIN LATERAL (SELECT p.* FROM coinop.key_spend p
      WHERE p.account_id = i.account_id AND p.key_id = i.key_id AND p.scope = i.product_id LIMIT 1) AS p
      ON true
    CROSS JOIN LATERAL (SELECT ${COUNTED_ON} AS day) AS d${free.join}),
j AS (SELECT i.*, ${free.amount} AS amount FROM i),
m AS (
  SELECT j.*, CASE
    WHEN j.closed_at IS NOT NULL THEN 'closed'
    WHEN j.revoked_at IS NOT NULL THEN 'revoked'
    WHEN j.amount > j.available THEN 'insufficient'
    WHEN j.amount = 0 THEN NULL
    WHEN j.amount > j.call_cap THEN 'key_call'
    WHEN j.day_spent + j.amount > j.day_cap THEN 'key_day'
    WHEN j.month_spent + j.amount > j.month_cap THEN 'key_month'
    WHEN j.amount > j.p_call_cap THEN 'product_call'
    WHEN j.p_day_spent + j.amount > j.p_day_cap THEN 'product_day'
    WHEN j.p_month_spent + j.amount > j.p_month_cap THEN 'product_month' END AS refused
  FROM j),
r AS (SELECT m.*, CASE WHEN m.refused IS NULL THEN m.count * m.amount END AS wanted FROM m),
q AS (
  SELECT r.*, LEAST(r.available - ${before('r.wanted', 'r.account_id')},
    LEAST(r.day_cap - r.day_spent, r.month_cap - r.month_spent)
      - ${before('r.wanted', 'r.account_id, r.key_id')},
    LEAST(r.p_day_cap - r.p_day_spent, r.p_month_cap - r.p_month_spent)
      - ${before('r.wanted', 'r.account_id, r.key_id, r.product_id')}) AS left_over
  FROM r),
o AS MATERIALIZED (
  SELECT o.id, o.request_id, o.ttl_ms, q.claim_prefix || o.request_id AS claim,
    q.day, q.account_id, q.key_id, q.skill_id, q.product_id, q.path, q.amount, q.price_version, q.acquisition,
    q.free_bucket, ${free === FREE ? 'q.free_cap, ' : ''}q.available,
    CASE WHEN q.refused IS NULL AND q.free_bucket IS NOT NULL AND o.place > q.free_left THEN 'undecided'
      ELSE q.refused END AS refused,
    q.amount = 0 OR o.place * q.amount <= q.left_over AS fits,
    CASE q.refused WHEN 'key_call' THEN q.call_cap WHEN 'key_day' THEN q.day_cap
      WHEN 'key_month' THEN q.month_cap WHEN 'product_call' THEN q.p_call_cap
      WHEN 'product_day' THEN q.p_day_cap WHEN 'product_month' THEN q.p_month_cap END AS cap,
    CASE q.refused WHEN 'key_day' THEN q.day_spent WHEN 'key_month' THEN q.month_spent
      WHEN 'product_day' THEN q.p_day_spent WHEN 'product_month' THEN q.p_month_spent ELSE 0 END AS spent
  FROM q CROSS JOIN LATERAL unnest(q.ids::uuid[], q.request_ids::text[], q.ttls_ms::bigint[])
    WITH ORDINALITY AS o(id, request_id, ttl_ms, place)),
h AS (
  INSERT INTO coinop.hold (id, account_id, key_id, request_id, claim, skill_id, product_id, path, amount,
    price_version, acquisition, state, created_at, expires_at, free_bucket)
  SELECT o.id, o.account_id, o.key_id, o.request_id, o.claim, o.skill_id, o.product_id, o.path, o.amount,
    o.price_version, o.acquisition, 'authorized', ${MADE_ON('o.day')}, now() + o.ttl_ms * interval '1 millisecond',
    o.free_bucket
  FROM o WHERE o.refused IS NULL AND o.fits
  ORDER BY o.key_id, o.claim, o.id
  ON CONFLICT DO NOTHING
  RETURNING id, account_id, key_id, skill_id, product_id, amount, free_bucket, created_at),
e AS (
  ${ENTRY_INSERT}
  SELECT h.id, now(), 'authorize', h.account_id, h.key_id, h.id, h.amount, 'available', 'held' FROM h
  RETURNING 1),
t AS (
  SELECT h.account_id, sum(h.amount)::bigint AS amount FROM h WHERE ${AFTER('e')}
  GROUP BY h.account_id ${FEW('$14')}),
l AS MATERIALIZED (
  SELECT a.id, t.amount, ${SEEN('t')} AS seen FROM t JOIN coinop.account a ON a.id = t.account_id
  ORDER BY a.id FOR NO KEY UPDATE OF a),
u AS (
  UPDATE coinop.account a SET
    available = CASE WHEN a.epoch = l.seen THEN a.available - l.amount ELSE -1 END,
    held = a.held + l.amount
  FROM l WHERE a.id = l.id
  RETURNING a.id AS account_id, a.available),
g AS (
  SELECT h.account_id, h.key_id, v.scope, sum(h.amount)::bigint AS amount,
    max(${HOLD_DAY('h')}) AS day, min(${HOLD_DAY('h')}) AS first_day
  FROM h CROSS JOIN LATERAL (VALUES ('*'), (h.product_id)) AS v(scope)
  WHERE h.amount > 0
  GROUP BY 1, 2, 3 ${FEW('2 * $14')}),
s AS (
  UPDATE coinop.key_spend s SET
    day_spent = CASE
      WHEN (s.day_cap IS NULL OR ${DAY_SPENT('s', 'g.day')} + g.amount <= s.day_cap)
        AND (s.month_cap IS NULL OR ${MONTH_SPENT('s', 'g.day')} + g.amount <= s.month_cap)
        AND (s.day <= g.day OR NOT ${IS_CAPPED('s')}) AND g.day = g.first_day
      THEN CASE WHEN s.day > g.day THEN s.day_spent ELSE ${DAY_SPENT('s', 'g.day')} + g.amount END
      ELSE -1 END,
    month_spent = CASE WHEN ${MONTH('s.day')} > ${MONTH('g.day')} THEN s.month_spent
      ELSE ${MONTH_SPENT('s', 'g.day')} + g.amount END,
    day = GREATEST(s.day, g.day)
  FROM g WHERE s.account_id = g.account_id AND s.key_id = g.key_id AND s.scope = g.scope
    AND ${AFTER('u')})${free.use}
SELECT o.id, o.refused, o.available, CASE WHEN h.id IS NULL THEN ${MADE_ON('o.day')} ELSE now() END AS at, o.cap, o.spent, h.amount, h.free_bucket,
  u.available AS available_after
FROM o FULL JOIN h ON h.id = o.id FULL JOIN u ON u.account_id = o.account_id`

/** For each kind of batch, also with free quotas: $16 calls, $17 periods. */
const both = (patience: PatienceMs, before: SumBefore) => ({
  paid: authorize(patience, NO_FREE, before),
  free: authorize(patience, FREE, before),
})
/** For a single order, for batches with one group per account, and for any batch. */
export const AUTHORIZE = {
  one: both(2000, NOTHING),
  alike: both(500, NOTHING),
  many: both(500, SUMMED),
}
