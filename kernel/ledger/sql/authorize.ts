/** Placing holds, one or many in a statement. */
import {
  AFTER,
  BUCKET,
  DAY_SPENT,
  ENTRY_INSERT,
  FEW,
  MONTH,
  MONTH_SPENT,
  PATIENCE,
  SEEN,
  TODAY,
  type PatienceMs,
} from './fragments.ts'

/** The part for free quotas, which batches without one leave out. */
interface FreePart {
  arrays: string
  names: string
  bucket: string
  isUnsure: string
  join: string
  amount: string
  use: string
}

const NO_FREE: FreePart = {
  arrays: '',
  names: '',
  bucket: 'NULL::text',
  isUnsure: 'false',
  join: '',
  amount: 'i.price',
  use: '',
}

/** Its place among the calls of the batch that ask for the same free quota. */
const FREE_PLACE = `count(i.free_cap) FILTER (WHERE k.revoked_at IS NULL)
        OVER (PARTITION BY i.account_id, i.skill_id, i.free_period ORDER BY i.ord)`

/**
 * A call is free while the used places and its own place in the batch are within the quota; a quota
 * that was used up meanwhile makes `used` negative, so that the CHECK undoes the statement. Where the
 * places before it in the batch decide, they may not be taken after all (a repeat makes no hold): the
 * order is left undecided rather than charged.
 */
const FREE: FreePart = {
  arrays: ', $14::bigint[], $15::text[]',
  names: ', free_cap, free_period',
  bucket: `CASE WHEN i.free_cap IS NOT NULL AND COALESCE(f.used, 0) + ${FREE_PLACE} <= i.free_cap
      THEN ${BUCKET('i.free_period')} END`,
  isUnsure: `i.free_cap IS NOT NULL AND COALESCE(f.used, 0) < i.free_cap
      AND COALESCE(f.used, 0) + ${FREE_PLACE} > i.free_cap`,
  join: `
    LEFT JOIN coinop.free_use f ON i.free_cap IS NOT NULL AND f.account_id = i.account_id
      AND f.skill_id = i.skill_id AND f.bucket = ${BUCKET('i.free_period')}`,
  amount: 'CASE WHEN i.free_bucket IS NULL THEN i.price ELSE 0 END',
  use: `
f AS (
  INSERT INTO coinop.free_use AS f (account_id, skill_id, bucket, cap, used)
  SELECT w.account_id, w.skill_id, w.free_bucket, max(w.free_cap), count(*)
  FROM (SELECT h.account_id, h.skill_id, h.free_bucket, o.free_cap
    FROM h FULL JOIN o USING (id) OFFSET 0) AS w
  WHERE w.free_bucket IS NOT NULL AND ${AFTER('u')}
  GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (account_id, skill_id, bucket) DO UPDATE SET
    used = CASE WHEN f.used + excluded.used <= excluded.cap THEN f.used + excluded.used ELSE -1 END,
    cap = excluded.cap),`,
}

/**
 * Holds for the orders of the arrays ($13: how many). One row for each order whose account and key
 * are known: with `amount` when its hold was made; else `refused` says why it cannot be, by
 * itself (with the limit, its cap and what is spent of it); with neither its id or claim is taken, or
 * it does not fit beside the others. 'undecided' is no refusal: see FREE. `k` is the key's own row,
 * `p` the product's. Orders refused for themselves are left out of the running sums, and free calls
 * out of all budgets.
 */
const authorize = (patience: PatienceMs, free: FreePart) => `
WITH i AS MATERIALIZED (
  SELECT i.*, a.available, a.closed_at, k.revoked_at,
    k.call_cap, k.day_cap, k.month_cap, ${DAY_SPENT('k')} AS day_spent, ${MONTH_SPENT('k')} AS month_spent,
    p.call_cap AS p_call_cap, p.day_cap AS p_day_cap, p.month_cap AS p_month_cap,
    ${DAY_SPENT('p')} AS p_day_spent, ${MONTH_SPENT('p')} AS p_month_spent,
    ${free.bucket} AS free_bucket, ${free.isUnsure} AS is_unsure, ${PATIENCE(patience)}
  FROM (SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[],
      $7::text[], $8::text[], $9::bigint[], $10::integer[], $11::text[], $12::bigint[]${free.arrays})
      WITH ORDINALITY AS i(id, account_id, key_id, request_id, claim, skill_id, product_id, path,
        price, price_version, acquisition, ttl_ms${free.names}, ord)
      ${FEW('$13')}) AS i
    JOIN coinop.account a ON a.id = i.account_id
    CROSS JOIN LATERAL (SELECT k.* FROM coinop.key_spend k
      WHERE k.account_id = i.account_id AND k.key_id = i.key_id AND k.scope = '*' LIMIT 1) AS k
    LEFT JOIN LATERAL (SELECT p.* FROM coinop.key_spend p
      WHERE p.account_id = i.account_id AND p.key_id = i.key_id AND p.scope = i.product_id LIMIT 1) AS p
      ON true${free.join}),
j AS (SELECT i.*, ${free.amount} AS amount FROM i),
m AS (
  SELECT j.*, CASE
    WHEN j.closed_at IS NOT NULL THEN 'closed'
    WHEN j.revoked_at IS NOT NULL THEN 'revoked'
    WHEN j.is_unsure THEN 'undecided'
    WHEN j.amount > j.available THEN 'insufficient'
    WHEN j.amount = 0 THEN NULL
    WHEN j.amount > j.call_cap THEN 'key_call'
    WHEN j.day_spent + j.amount > j.day_cap THEN 'key_day'
    WHEN j.month_spent + j.amount > j.month_cap THEN 'key_month'
    WHEN j.amount > j.p_call_cap THEN 'product_call'
    WHEN j.p_day_spent + j.amount > j.p_day_cap THEN 'product_day'
    WHEN j.p_month_spent + j.amount > j.p_month_cap THEN 'product_month' END AS refused
  FROM j),
o AS MATERIALIZED (
  SELECT m.*,
    sum(m.amount) FILTER (WHERE m.refused IS NULL) OVER (PARTITION BY m.account_id ORDER BY m.ord) AS running,
    sum(m.amount) FILTER (WHERE m.refused IS NULL)
      OVER (PARTITION BY m.account_id, m.key_id ORDER BY m.ord) AS k_running,
    sum(m.amount) FILTER (WHERE m.refused IS NULL)
      OVER (PARTITION BY m.account_id, m.key_id, m.product_id ORDER BY m.ord) AS p_running
  FROM m),
h AS (
  INSERT INTO coinop.hold (id, account_id, key_id, request_id, claim, skill_id, product_id, path, amount,
    price_version, acquisition, state, created_at, expires_at, free_bucket)
  SELECT o.id, o.account_id, o.key_id, o.request_id, o.claim, o.skill_id, o.product_id, o.path, o.amount,
    o.price_version, o.acquisition, 'authorized', now(), now() + o.ttl_ms * interval '1 millisecond',
    o.free_bucket
  FROM o WHERE o.refused IS NULL AND (o.amount = 0 OR (o.running <= o.available
    AND (o.day_cap IS NULL OR o.day_spent + o.k_running <= o.day_cap)
    AND (o.month_cap IS NULL OR o.month_spent + o.k_running <= o.month_cap)
    AND (o.p_day_cap IS NULL OR o.p_day_spent + o.p_running <= o.p_day_cap)
    AND (o.p_month_cap IS NULL OR o.p_month_spent + o.p_running <= o.p_month_cap)))
  ORDER BY o.key_id, o.claim, o.id
  ON CONFLICT DO NOTHING
  RETURNING id, account_id, key_id, skill_id, product_id, amount, free_bucket),
t AS (SELECT h.account_id, sum(h.amount)::bigint AS amount FROM h GROUP BY h.account_id ${FEW('$13')}),
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
  SELECT h.account_id, h.key_id, v.scope, sum(h.amount)::bigint AS amount
  FROM h CROSS JOIN LATERAL (VALUES ('*'), (h.product_id)) AS v(scope)
  WHERE h.amount > 0
  GROUP BY 1, 2, 3 ${FEW('2 * $13')}),
s AS (
  UPDATE coinop.key_spend s SET
    day_spent = CASE
      WHEN (s.day_cap IS NULL OR ${DAY_SPENT('s')} + g.amount <= s.day_cap)
        AND (s.month_cap IS NULL OR ${MONTH_SPENT('s')} + g.amount <= s.month_cap)
      THEN CASE WHEN s.day > ${TODAY} THEN s.day_spent ELSE ${DAY_SPENT('s')} + g.amount END
      ELSE -1 END,
    month_spent = CASE WHEN ${MONTH('s.day')} > ${MONTH(TODAY)} THEN s.month_spent
      ELSE ${MONTH_SPENT('s')} + g.amount END,
    day = GREATEST(s.day, ${TODAY})
  FROM g WHERE s.account_id = g.account_id AND s.key_id = g.key_id AND s.scope = g.scope
    AND ${AFTER('u')}),${free.use}
e AS (
  ${ENTRY_INSERT}
  SELECT h.id, now(), 'authorize', h.account_id, h.key_id, h.id, h.amount, 'available', 'held' FROM h)
SELECT o.id, o.refused, o.available, now() AS at,
  CASE o.refused WHEN 'key_call' THEN o.call_cap WHEN 'key_day' THEN o.day_cap
    WHEN 'key_month' THEN o.month_cap WHEN 'product_call' THEN o.p_call_cap
    WHEN 'product_day' THEN o.p_day_cap WHEN 'product_month' THEN o.p_month_cap END AS cap,
  CASE o.refused WHEN 'key_day' THEN o.day_spent WHEN 'key_month' THEN o.month_spent
    WHEN 'product_day' THEN o.p_day_spent WHEN 'product_month' THEN o.p_month_spent ELSE 0 END AS spent,
  h.amount, h.free_bucket, u.available AS available_after
FROM o FULL JOIN h ON h.id = o.id FULL JOIN u ON u.account_id = o.account_id`

export const AUTHORIZE_ONE = authorize(2000, NO_FREE)
export const AUTHORIZE_MANY = authorize(500, NO_FREE)
/** The same with free quotas: $14 calls, $15 periods. */
export const AUTHORIZE_ONE_FREE = authorize(2000, FREE)
export const AUTHORIZE_MANY_FREE = authorize(500, FREE)
