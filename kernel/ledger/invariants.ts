/**
 * What is true of the ledger at every moment, each as one set-based query that finds the rows which
 * break it: `subject` names the key, hold or posting, `message` says what disagrees.
 */

export interface Invariant {
  name: string
  query: string
}

const POSTING_SHAPE = `
SELECT id::text AS subject, format('%s of %s from %s to %s', kind, amount, debit, credit) AS message
FROM coinop.entry e
WHERE amount <= 0 OR debit = credit
  OR (key_id IS NULL AND (debit IN ('available', 'held') OR credit IN ('available', 'held')))
  OR (kind IN ('authorize', 'capture', 'release', 'expire')) <> (hold_id IS NOT NULL AND kind <> 'refund')
  OR NOT COALESCE(CASE kind
    WHEN 'authorize' THEN debit = 'available' AND credit = 'held'
    WHEN 'capture' THEN debit = 'held' AND credit = 'revenue'
    WHEN 'release' THEN debit = 'held' AND credit = 'available'
    WHEN 'expire' THEN debit = 'held' AND credit = 'available'
    WHEN 'refund' THEN credit = 'available' AND debit NOT IN ('held', 'available')
    WHEN 'adjustment' THEN 'available' IN (debit, credit)
      AND debit NOT IN ('held', 'revenue') AND credit NOT IN ('held', 'revenue')
    WHEN 'settlement' THEN credit = 'settlement' AND debit NOT IN ('held', 'available')
    ELSE credit = 'available' AND debit NOT IN ('held', 'available', 'revenue')
  END, false)`

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
  SELECT key_id,
    sum(CASE WHEN credit = 'available' THEN amount WHEN debit = 'available' THEN -amount ELSE 0 END) AS available,
    sum(CASE WHEN credit = 'held' THEN amount WHEN debit = 'held' THEN -amount ELSE 0 END) AS held
  FROM coinop.entry WHERE key_id IS NOT NULL GROUP BY key_id)
SELECT key_id AS subject, CASE WHEN a.available IS NULL THEN 'has postings but no account'
  ELSE format('available %s and held %s, postings say %s and %s',
    a.available, a.held, COALESCE(p.available, 0), COALESCE(p.held, 0)) END AS message
FROM coinop.account a FULL JOIN posted p USING (key_id)
WHERE a.available IS NULL OR a.available <> COALESCE(p.available, 0) OR a.held <> COALESCE(p.held, 0)`

const NOT_NEGATIVE = `
SELECT key_id AS subject, format('available %s, held %s', available, held) AS message
FROM coinop.account WHERE available < 0 OR held < 0`

const HELD = `
WITH open AS (
  SELECT key_id, sum(amount) AS amount FROM coinop.hold WHERE state = 'authorized' GROUP BY key_id)
SELECT key_id AS subject,
  format('held %s, authorized holds sum to %s', a.held, COALESCE(o.amount, 0)) AS message
FROM coinop.account a FULL JOIN open o USING (key_id)
WHERE a.held IS DISTINCT FROM COALESCE(o.amount, 0)`

/** Exactly the postings that its state asks for, of its key, with its amounts, named by the hold. */
const HOLD_POSTINGS = `
WITH p AS (
  SELECT hold_id, count(*) AS n, min(key_id) AS key_low, max(key_id) AS key_high,
    count(*) FILTER (WHERE kind = 'authorize') AS authorizes,
    sum(amount) FILTER (WHERE kind = 'authorize') AS authorized,
    max(id) FILTER (WHERE kind = 'authorize') AS authorize_entry,
    count(*) FILTER (WHERE kind = 'capture') AS captures,
    sum(amount) FILTER (WHERE kind = 'capture') AS captured,
    max(id) FILTER (WHERE kind = 'capture') AS capture_entry,
    count(*) FILTER (WHERE kind = 'release') AS releases,
    sum(amount) FILTER (WHERE kind = 'release') AS released,
    max(id) FILTER (WHERE kind = 'release') AS release_entry,
    count(*) FILTER (WHERE kind = 'expire') AS expires,
    sum(amount) FILTER (WHERE kind = 'expire') AS expired,
    max(id) FILTER (WHERE kind = 'expire') AS expire_entry,
    count(*) FILTER (WHERE kind = 'refund') AS refunds,
    sum(amount) FILTER (WHERE kind = 'refund') AS refunded,
    max(id) FILTER (WHERE kind = 'refund') AS refund_entry
  FROM coinop.entry WHERE hold_id IS NOT NULL GROUP BY hold_id)
SELECT COALESCE(h.id, p.hold_id)::text AS subject,
  format('%s hold of %s (captured %s) has postings authorize %s of %s, capture %s of %s, release %s of %s, expire %s of %s, refund %s of %s',
    COALESCE(h.state::text, 'unknown'), h.amount, h.captured, p.authorizes, p.authorized,
    p.captures, p.captured, p.releases, p.released, p.expires, p.expired, p.refunds, p.refunded) AS message
FROM coinop.hold h FULL JOIN p ON p.hold_id = h.id
WHERE h.id IS NULL OR p.hold_id IS NULL
  OR p.key_low IS DISTINCT FROM h.key_id OR p.key_high IS DISTINCT FROM h.key_id
  OR p.authorizes <> 1 OR p.authorized <> h.amount OR p.authorize_entry <> h.authorize_entry
  OR NOT COALESCE(CASE h.state
    WHEN 'authorized' THEN p.n = 1 AND h.captured IS NULL AND h.end_entry IS NULL
    WHEN 'released' THEN p.n = 2 AND h.captured IS NULL AND p.releases = 1 AND p.released = h.amount
      AND p.release_entry = h.end_entry
    WHEN 'expired' THEN p.n = 2 AND h.captured IS NULL AND p.expires = 1 AND p.expired = h.amount
      AND p.expire_entry = h.end_entry
    ELSE p.captures = 1 AND p.captured = h.captured AND p.capture_entry = h.end_entry
      AND p.releases = (h.captured < h.amount)::integer
      AND COALESCE(p.released, 0) = h.amount - h.captured
      AND p.release_entry IS NOT DISTINCT FROM h.rest_entry
      AND p.refunds = (h.state = 'refunded')::integer
      AND COALESCE(p.refunded, 0) = CASE WHEN h.state = 'refunded' THEN h.captured ELSE 0 END
      AND p.refund_entry IS NOT DISTINCT FROM h.refund_entry
      AND p.n = 2 + p.releases + p.refunds
  END, false)`

const CHARGED_ONCE = `
SELECT format('%s %s', key_id, claim) AS subject, format('%s live holds of one request', count(*)) AS message
FROM coinop.hold WHERE claim IS NOT NULL GROUP BY key_id, claim HAVING count(*) > 1
UNION ALL
SELECT id::text, format('a %s hold of request %s claims %s', state, request_id, claim)
FROM coinop.hold WHERE claim <> request_id OR (claim IS NOT NULL AND state IN ('released', 'expired'))`

const CREDITED_ONCE = `
SELECT format('%s %s', debit, reference) AS subject, format('credited %s times', count(*)) AS message
FROM coinop.entry WHERE reference IS NOT NULL GROUP BY debit, reference HAVING count(*) > 1`

const SPENT = `
WITH spent AS (
  SELECT h.key_id, sum(CASE h.state WHEN 'authorized' THEN h.amount ELSE COALESCE(h.captured, 0) END) AS amount
  FROM coinop.hold h JOIN coinop.account a USING (key_id)
  WHERE (h.created_at AT TIME ZONE 'utc')::date = a.spent_day GROUP BY h.key_id)
SELECT key_id AS subject, format('spent %s on %s, holds of that day say %s',
  a.spent_today, a.spent_day, COALESCE(s.amount, 0)) AS message
FROM coinop.account a LEFT JOIN spent s USING (key_id)
WHERE a.spent_today <> COALESCE(s.amount, 0)`

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
]
