/**
 * What is true of the ledger at every moment, each as one set-based query that finds the rows which
 * break it: `subject` names the account, key, hold or posting, `message` says what disagrees.
 */
import { FREE_USE_KEPT_SINCE, type Invariant, NO_ACCOUNT } from '#kernel/host'

/** Holds and postings of earlier months may be in archives; counters of those months are not compared. */
const KEPT_SINCE = `(SELECT COALESCE(max(before), '-infinity') FROM coinop.ledger_archive)`
const KEPT_DAY = `(${KEPT_SINCE} AT TIME ZONE 'utc')::date`

const POSTING_SHAPE = `
SELECT id::text AS subject, format('%s of %s from %s to %s', kind, amount, debit, credit) AS message
FROM coinop.entry e
WHERE amount < 0 OR (amount = 0 AND hold_id IS NULL) OR debit = credit
  OR (account_id = '${NO_ACCOUNT}' AND (debit IN ('available', 'held') OR credit IN ('available', 'held')))
  OR (kind IN ('authorize', 'capture', 'release', 'expire')) <> (hold_id IS NOT NULL AND kind <> 'refund')
  OR (hold_id IS NOT NULL AND key_id IS NULL)
  OR NOT COALESCE(CASE kind
    WHEN 'authorize' THEN debit = 'available' AND credit = 'held' AND id = hold_id
    WHEN 'capture' THEN debit = 'held' AND credit = 'revenue'
    WHEN 'release' THEN debit = 'held' AND credit = 'available'
    WHEN 'expire' THEN debit = 'held' AND credit = 'available'
    WHEN 'refund' THEN credit = 'available' AND debit NOT IN ('held', 'available')
      AND (hold_id IS NULL OR debit = 'revenue')
    WHEN 'adjustment' THEN 'available' IN (debit, credit)
      AND debit NOT IN ('held', 'revenue') AND credit NOT IN ('held', 'revenue')
    WHEN 'settlement' THEN credit = 'settlement' AND debit NOT IN ('held', 'available')
    ELSE credit = 'available' AND debit NOT IN ('held', 'available', 'revenue')
  END, false)`

/** What leaves one account arrives at another: the way between them is empty. */
const TRANSFERS = `
SELECT reference AS subject,
  format('%s left an account and %s reached one', COALESCE(sum(amount) FILTER (WHERE credit = 'transfer'), 0),
    COALESCE(sum(amount) FILTER (WHERE debit = 'transfer'), 0)) AS message
FROM coinop.entry WHERE kind = 'adjustment' AND 'transfer' IN (debit, credit)
GROUP BY reference
HAVING sum(CASE WHEN credit = 'transfer' THEN amount ELSE -amount END) <> 0`

/** Both sides of every posting, per account: the sides of one posting cancel out. */
const ZERO_SUM = `
WITH side AS (
  SELECT credit AS account, sum(amount) AS net FROM coinop.entry
  WHERE credit IS NOT NULL GROUP BY credit
  UNION ALL
  SELECT debit, -sum(amount) FROM coinop.entry WHERE debit IS NOT NULL GROUP BY debit)
SELECT 'all accounts' AS subject, format('the postings sum to %s', sum(net)) AS message
FROM side HAVING sum(net) <> 0`

const BALANCES = `
WITH posted AS (
  SELECT account_id AS id,
    sum(CASE WHEN credit = 'available' THEN amount WHEN debit = 'available' THEN -amount ELSE 0 END) AS available,
    sum(CASE WHEN credit = 'held' THEN amount WHEN debit = 'held' THEN -amount ELSE 0 END) AS held
  FROM (
    SELECT account_id, debit, credit, amount FROM coinop.entry
    UNION ALL SELECT account_id, 'available', 'revenue', captured FROM coinop.archived_balance
    UNION ALL SELECT account_id, 'revenue', 'available', refunded FROM coinop.archived_balance
  ) AS posting WHERE account_id <> '${NO_ACCOUNT}' GROUP BY account_id)
SELECT id::text AS subject, CASE WHEN a.available IS NULL THEN 'has postings but no account'
  ELSE format('available %s and held %s, postings say %s and %s',
    a.available, a.held, COALESCE(p.available, 0), COALESCE(p.held, 0)) END AS message
FROM coinop.account a FULL JOIN posted p USING (id)
WHERE a.available IS NULL OR a.available <> COALESCE(p.available, 0) OR a.held <> COALESCE(p.held, 0)`

const NOT_NEGATIVE = `
SELECT id::text AS subject, format('available %s, held %s', available, held) AS message
FROM coinop.account WHERE available < 0 OR held < 0`

const HELD = `
WITH open AS (
  SELECT account_id AS id, sum(amount) AS amount FROM coinop.hold WHERE state = 'authorized' GROUP BY account_id)
SELECT id::text AS subject,
  format('held %s, authorized holds sum to %s', a.held, COALESCE(o.amount, 0)) AS message
FROM coinop.account a FULL JOIN open o USING (id)
WHERE a.held IS DISTINCT FROM COALESCE(o.amount, 0)`

/** Exactly the postings that its state asks for, of its key, with its amounts, named by the hold. */
const HOLD_POSTINGS = `
WITH p AS (
  SELECT hold_id, count(*) AS n, min(key_id) AS key_low, max(key_id) AS key_high,
    min(account_id::text) AS account_low, max(account_id::text) AS account_high,
    count(*) FILTER (WHERE kind = 'authorize') AS authorizes,
    sum(amount) FILTER (WHERE kind = 'authorize') AS authorized,
    count(*) FILTER (WHERE kind = 'capture') AS captures,
    sum(amount) FILTER (WHERE kind = 'capture') AS captured,
    max(id::text) FILTER (WHERE kind = 'capture') AS capture_id,
    count(*) FILTER (WHERE kind = 'release') AS releases,
    sum(amount) FILTER (WHERE kind = 'release') AS released,
    max(id::text) FILTER (WHERE kind = 'release') AS release_id,
    count(*) FILTER (WHERE kind = 'expire') AS expires,
    sum(amount) FILTER (WHERE kind = 'expire') AS expired,
    max(id::text) FILTER (WHERE kind = 'expire') AS expire_id,
    count(*) FILTER (WHERE kind = 'refund') AS refunds,
    sum(amount) FILTER (WHERE kind = 'refund') AS refunded,
    max(id::text) FILTER (WHERE kind = 'refund') AS refund_id
  FROM coinop.entry WHERE hold_id IS NOT NULL GROUP BY hold_id)
SELECT COALESCE(h.id, p.hold_id)::text AS subject,
  format('%s hold of %s (captured %s) has postings authorize %s of %s, capture %s of %s, release %s of %s, expire %s of %s, refund %s of %s',
    COALESCE(h.state::text, 'unknown'), h.amount, h.captured, p.authorizes, p.authorized,
    p.captures, p.captured, p.releases, p.released, p.expires, p.expired, p.refunds, p.refunded) AS message
FROM coinop.hold h FULL JOIN p ON p.hold_id = h.id
WHERE h.id IS NULL OR p.hold_id IS NULL
  OR p.key_low IS DISTINCT FROM h.key_id OR p.key_high IS DISTINCT FROM h.key_id
  OR p.account_low <> h.account_id::text OR p.account_high <> h.account_id::text
  OR p.authorizes <> 1 OR p.authorized <> h.amount
  OR NOT COALESCE(CASE h.state
    WHEN 'authorized' THEN p.n = 1 AND h.captured IS NULL AND h.end_id IS NULL
    WHEN 'released' THEN p.n = 2 AND h.captured IS NULL AND p.releases = 1 AND p.released = h.amount
      AND p.release_id = h.end_id::text
    WHEN 'expired' THEN p.n = 2 AND h.captured IS NULL AND p.expires = 1 AND p.expired = h.amount
      AND p.expire_id = h.end_id::text
    ELSE p.captures = 1 AND p.captured = h.captured AND p.capture_id = h.end_id::text
      AND p.releases = (h.captured < h.amount)::integer
      AND COALESCE(p.released, 0) = h.amount - h.captured
      AND p.release_id IS NOT DISTINCT FROM h.rest_id::text
      AND p.refunds = (h.state = 'refunded')::integer
      AND COALESCE(p.refunded, 0) = CASE WHEN h.state = 'refunded' THEN h.captured ELSE 0 END
      AND p.refund_id IS NOT DISTINCT FROM h.refund_id::text
      AND p.n = 2 + p.releases + p.refunds
  END, false)`

const CHARGED_ONCE = `
SELECT format('%s %s', key_id, claim) AS subject, format('%s live holds of one request', count(*)) AS message
FROM coinop.hold WHERE claim IS NOT NULL GROUP BY key_id, claim HAVING count(*) > 1
UNION ALL
SELECT id::text, format('a %s hold of request %s claims %s', state, request_id, claim)
FROM coinop.hold WHERE claim NOT IN (request_id, E'\\t' || request_id) OR (claim IS NOT NULL AND state IN ('released', 'expired'))`

const CREDITED_ONCE = `
SELECT format('%s %s', debit, reference) AS subject, format('credited %s times', count(*)) AS message
FROM coinop.entry WHERE reference IS NOT NULL GROUP BY debit, reference HAVING count(*) > 1`

/** Holds by the key and product that they count for, with what they took or hold; undone ones do not. */
const COUNTED = `
  SELECT h.account_id, h.key_id, v.scope, (h.created_at AT TIME ZONE 'utc')::date AS day,
    CASE h.state WHEN 'authorized' THEN h.amount ELSE COALESCE(h.captured, 0) END AS amount
  FROM coinop.hold h CROSS JOIN LATERAL (VALUES ('*'), (h.product_id)) AS v(scope)
  WHERE h.is_undone IS NOT TRUE`

const SPENT = `
WITH counted AS (${COUNTED}),
spent AS (
  SELECT s.account_id, s.key_id, s.scope, COALESCE(sum(c.amount) FILTER (WHERE c.day = s.day), 0) AS day_spent,
    sum(c.amount) AS month_spent
  FROM coinop.key_spend s JOIN counted c USING (account_id, key_id, scope)
  WHERE date_trunc('month', c.day::timestamp) = date_trunc('month', s.day::timestamp)
  GROUP BY 1, 2, 3)
SELECT format('%s %s', key_id, scope) AS subject,
  format('spent %s on %s and %s in its month, holds say %s and %s', s.day_spent, s.day, s.month_spent,
    COALESCE(p.day_spent, 0), COALESCE(p.month_spent, 0)) AS message
FROM coinop.key_spend s LEFT JOIN spent p USING (account_id, key_id, scope)
WHERE s.day >= ${KEPT_DAY}
  AND (s.day_spent <> COALESCE(p.day_spent, 0) OR s.month_spent <> COALESCE(p.month_spent, 0))`

/** A key is on one account, whose row it has, and every hold and posting of it is of that account. */
const KEYS_OF_ACCOUNTS = `
SELECT key_id AS subject, format('on %s accounts', count(DISTINCT account_id)) AS message
FROM coinop.key_spend GROUP BY key_id HAVING count(DISTINCT account_id) > 1
UNION ALL
SELECT s.key_id, format('has a row for %s but none of its own', min(s.scope))
FROM coinop.key_spend s GROUP BY s.account_id, s.key_id HAVING count(*) FILTER (WHERE s.scope = '*') = 0
UNION ALL
SELECT s.key_id, format('its account %s does not exist', s.account_id)
FROM coinop.key_spend s LEFT JOIN coinop.account a ON a.id = s.account_id
WHERE s.scope = '*' AND a.id IS NULL
UNION ALL
SELECT k.id, format('has no row on its account %s', k.account_id)
FROM coinop.api_key k LEFT JOIN coinop.key_spend s ON s.account_id = k.account_id AND s.key_id = k.id AND s.scope = '*'
WHERE s.key_id IS NULL
UNION ALL
SELECT h.key_id, format('has a hold on account %s, which it is not on', h.account_id)
FROM coinop.hold h LEFT JOIN coinop.key_spend s
  ON s.account_id = h.account_id AND s.key_id = h.key_id AND s.scope = '*'
WHERE s.key_id IS NULL
UNION ALL
SELECT e.key_id, format('has a posting on account %s, which it is not on', e.account_id)
FROM coinop.entry e
WHERE e.key_id IS NOT NULL AND e.hold_id IS NULL AND e.account_id <> '${NO_ACCOUNT}'
  AND NOT EXISTS (SELECT FROM coinop.key_spend s
    WHERE s.account_id = e.account_id AND s.key_id = e.key_id AND s.scope = '*')`

const FREE_CALLS = `
WITH taken AS (
  SELECT account_id, skill_id, free_bucket AS bucket, count(*) AS n FROM coinop.hold
  WHERE free_bucket IS NOT NULL AND state NOT IN ('released', 'expired') AND is_undone IS NOT TRUE GROUP BY 1, 2, 3)
SELECT format('%s %s %s', account_id, skill_id, bucket) AS subject,
  format('%s of %s used, holds say %s', f.used, f.cap, COALESCE(t.n, 0)) AS message
FROM coinop.free_use f FULL JOIN taken t USING (account_id, skill_id, bucket)
WHERE (f.used IS DISTINCT FROM COALESCE(t.n, 0) OR f.used > f.cap) AND left(bucket, 7) >= ${FREE_USE_KEPT_SINCE}
UNION ALL
SELECT id::text, format('a free call of %s', amount) FROM coinop.hold WHERE free_bucket IS NOT NULL AND amount <> 0`

/** The units of a month lie side by side, without a gap or an overlap. */
const VOLUMES = `
WITH part AS (
  SELECT account_id, skill_id, date_trunc('month', created_at AT TIME ZONE 'utc')::date AS month,
    id, volume_before, volume_units FROM coinop.hold
  WHERE volume_before IS NOT NULL AND created_at >= ${KEPT_SINCE}),
tile AS (
  SELECT part.*, COALESCE(lag(volume_before + volume_units)
    OVER (PARTITION BY account_id, skill_id, month ORDER BY volume_before, volume_units), 0) AS expected
  FROM part),
total AS (SELECT account_id, skill_id, month, sum(volume_units) AS units FROM part GROUP BY 1, 2, 3)
SELECT format('%s %s %s', account_id, skill_id, month) AS subject,
  format('%s units, captured holds have %s', v.units, COALESCE(t.units, 0)) AS message
FROM coinop.volume v FULL JOIN total t USING (account_id, skill_id, month)
WHERE v.units IS DISTINCT FROM COALESCE(t.units, 0) AND month >= ${KEPT_DAY}
UNION ALL
SELECT id::text, format('its units begin at %s, those before end at %s', volume_before, expected)
FROM tile WHERE volume_before <> expected`

/**
 * What a graduated price took is what its tiers say for the units before it. Checked where the table
 * of the hold's version tells the whole sum: one graduated price, of calls or of the only unit.
 */
const GRADUATED_CHARGES = `
WITH listed AS (
  SELECT t.version, line ->> 'skill' AS skill_id, line ->> 'product' AS product_id, line -> 'rule' AS rule
  FROM coinop.price_table t CROSS JOIN unnest(t.lists) AS named(list)
  JOIN coinop.price_list l ON l.hash = named.list
  CROSS JOIN jsonb_array_elements(l.rows) AS line WHERE line ? 'rule'),
graduated AS (
  SELECT version, skill_id, product_id, 0::bigint AS base, rule -> 'tiers' AS tiers
  FROM listed WHERE jsonb_typeof(rule -> 'tiers') = 'array' AND rule -> 'per' = '[]'
  UNION ALL
  SELECT version, skill_id, product_id, (rule #>> '{base,usdcAtomic}')::bigint, rule #> '{per,0,tiers}'
  FROM listed WHERE jsonb_typeof(rule -> 'tiers') = 'null'
    AND rule #> '{per,1}' IS NULL AND jsonb_typeof(rule #> '{per,0,tiers}') = 'array'),
scale AS (
  SELECT version, skill_id, product_id, base,
    (SELECT array_agg((tier ->> 'upTo')::bigint ORDER BY place) FROM jsonb_array_elements(tiers)
      WITH ORDINALITY AS one(tier, place)) AS upto,
    (SELECT array_agg((tier ->> 'usdcAtomic')::bigint ORDER BY place) FROM jsonb_array_elements(tiers)
      WITH ORDINALITY AS one(tier, place)) AS price
  FROM graduated)
SELECT h.id::text AS subject, format('captured %s, its price gives %s', h.captured, due.amount) AS message
FROM coinop.hold h
JOIN scale s ON s.version = h.price_version AND s.skill_id = h.skill_id AND s.product_id = h.product_id
CROSS JOIN LATERAL (SELECT LEAST(h.amount, s.base
  + coinop.graduated(h.volume_before + h.volume_units, s.upto, s.price)
  - coinop.graduated(h.volume_before, s.upto, s.price)) AS amount) AS due
WHERE h.volume_before IS NOT NULL AND h.captured IS DISTINCT FROM due.amount`

/** A mark is crossed once before a credit lifts the balance over it again. */
const LOW_MARKS = `
SELECT account_id::text AS subject, format('%s events of one crossing', count(*)) AS message
FROM coinop.outbox o JOIN coinop.account a ON a.id = o.account_id
WHERE o.topic = 'account.low_balance' AND o.made_at = a.low_at
GROUP BY account_id HAVING count(*) > 1`

/** The sums of days are those of the postings before their mark (reporting/usage). */
const USAGE_SUMS = `
WITH posted AS (
  SELECT e.account_id, (e.at AT TIME ZONE 'utc')::date AS day, e.key_id, h.skill_id,
    count(*) FILTER (WHERE e.kind = 'capture') AS calls,
    COALESCE(sum(e.amount) FILTER (WHERE e.kind = 'capture'), 0) AS charged,
    COALESCE(sum(e.amount) FILTER (WHERE e.kind = 'refund'), 0) AS refunded
  FROM coinop.entry e JOIN coinop.hold h ON h.id = e.hold_id
  WHERE e.kind IN ('capture', 'refund') AND e.at < (SELECT folded_to FROM coinop.usage_fold)
  GROUP BY 1, 2, 3, 4)
SELECT format('%s %s %s', day, key_id, skill_id) AS subject,
  format('%s calls, %s charged and %s refunded, postings say %s, %s and %s', u.calls, u.charged, u.refunded,
    p.calls, p.charged, p.refunded) AS message
FROM coinop.usage_day u FULL JOIN posted p USING (account_id, day, key_id, skill_id)
WHERE day >= ${KEPT_DAY}
  AND (u.calls, u.charged, u.refunded) IS DISTINCT FROM (p.calls, p.charged, p.refunded)`

/** Those that a hold and its postings fulfil by themselves, in an archive too. */
export const OF_HOLDS: readonly Invariant[] = [
  { name: 'postings_are_well_formed', query: POSTING_SHAPE },
  { name: 'holds_match_postings', query: HOLD_POSTINGS },
]

export const INVARIANTS: readonly Invariant[] = [
  { name: 'postings_sum_to_zero', query: ZERO_SUM },
  { name: 'postings_are_well_formed', query: POSTING_SHAPE },
  { name: 'balances_equal_postings', query: BALANCES },
  { name: 'balances_not_negative', query: NOT_NEGATIVE },
  { name: 'held_equals_authorized_holds', query: HELD },
  { name: 'holds_match_postings', query: HOLD_POSTINGS },
  { name: 'request_charged_once', query: CHARGED_ONCE },
  { name: 'reference_credited_once', query: CREDITED_ONCE },
  { name: 'spent_today_equals_holds', query: SPENT },
  { name: 'keys_are_on_their_accounts', query: KEYS_OF_ACCOUNTS },
  { name: 'free_calls_equal_holds', query: FREE_CALLS },
  { name: 'volumes_equal_units', query: VOLUMES },
  { name: 'graduated_charges_follow_prices', query: GRADUATED_CHARGES },
  { name: 'transfers_arrive', query: TRANSFERS },
  { name: 'low_marks_told_once', query: LOW_MARKS },
  { name: 'usage_sums_equal_postings', query: USAGE_SUMS },
]
