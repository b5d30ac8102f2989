/** Statements that end holds: capture, release, expiry and refund. */
import {
  AFTER,
  ENTRY_INSERT,
  FALL,
  FALLEN,
  FEW,
  HOLD,
  HOLD_DAY,
  IS_OPEN,
  LOW_BALANCE,
  MONTH,
  NEW_ID,
  PATIENCE,
  RISE,
  SEEN,
  type PatienceMs,
} from './fragments.ts'

const ACCOUNTS_LOCKED = (count: string) => `
l AS MATERIALIZED (
  SELECT a.id FROM (SELECT DISTINCT k.account_id FROM k ${FEW(count)}) AS k
    JOIN coinop.account a ON a.id = k.account_id
  ORDER BY a.id FOR NO KEY UPDATE OF a)`

/**
 * Returns what the ended holds `h` did not capture, or `given`, to their budgets, if the UTC day or
 * month of the hold is still the current one of the row. A row's day is never before that of its
 * newest hold, so only holds of the newest day or month can count.
 */
const BUDGETS_GIVEN_BACK = (count: string, given = 'h.amount - COALESCE(h.captured, 0)') => `
g0 AS (
  SELECT h.account_id, h.key_id, v.scope, ${HOLD_DAY('h')} AS day, ${given} AS given
  FROM h CROSS JOIN LATERAL (VALUES ('*'), (h.product_id)) AS v(scope)
  WHERE ${given} > 0),
g1 AS (SELECT g0.*, max(g0.day) OVER (PARTITION BY g0.key_id, g0.scope) AS newest FROM g0),
g AS (
  SELECT g1.account_id, g1.key_id, g1.scope, g1.newest,
    COALESCE(sum(g1.given) FILTER (WHERE g1.day = g1.newest), 0)::bigint AS day_given,
    COALESCE(sum(g1.given) FILTER (WHERE ${MONTH('g1.day')} = ${MONTH('g1.newest')}), 0)::bigint AS month_given
  FROM g1 GROUP BY 1, 2, 3, 4 ${FEW(`2 * ${count}`)}),
s AS (
  UPDATE coinop.key_spend s SET
    day_spent = s.day_spent - CASE WHEN s.day = g.newest THEN g.day_given ELSE 0 END,
    month_spent = s.month_spent - CASE WHEN ${MONTH('s.day')} = ${MONTH('g.newest')} THEN g.month_given ELSE 0 END
  FROM g WHERE s.account_id = g.account_id AND s.key_id = g.key_id AND s.scope = g.scope
    AND ${AFTER('u')})`
const FREE_CALLS_GIVEN_BACK = (count: string, which = 'true') => `
f AS (
  UPDATE coinop.free_use f SET used = f.used - c.n
  FROM (SELECT h.account_id, h.skill_id, h.free_bucket, count(*) AS n FROM h
    WHERE h.free_bucket IS NOT NULL AND ${which} AND ${AFTER('u')} GROUP BY 1, 2, 3 ${FEW(count)}) AS c
  WHERE f.account_id = c.account_id AND f.skill_id = c.skill_id AND f.bucket = c.free_bucket)`

/** The SQL for prices by tiers, where the captured amount depends on the volume. */
interface TierPart {
  arrays: string
  names: string
  items: string
  source: string
  set: string
  isPartial: string
}

const FLAT: TierPart = {
  arrays: '',
  names: '',
  items: '',
  source: 'k',
  set: `captured = CASE WHEN k.free_bucket IS NULL THEN COALESCE(k.amount, h.amount) ELSE 0 END`,
  isPartial: 'k.free_bucket IS NULL AND k.amount < h.amount',
}

const IS_TIERED = 'k.prices IS NOT NULL AND k.free_bucket IS NULL'
const SAME_VOLUME = `PARTITION BY k.account_id, k.skill_id, k.month, k.prices IS NULL OR k.free_bucket IS NOT NULL`

const TIERED: TierPart = {
  arrays: ', $9::bigint[], $10::bigint[], $11::text[], $12::text[]',
  names: ', volume_units, base, upto, prices',
  items: `
v AS (
  INSERT INTO coinop.volume AS v (account_id, skill_id, month, units)
  SELECT k.account_id, k.skill_id, k.month, sum(k.volume_units)::bigint
  FROM k WHERE ${IS_TIERED} AND ${AFTER('l')} GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (account_id, skill_id, month) DO UPDATE SET units = v.units + excluded.units
  RETURNING account_id, skill_id, month, units),
m0 AS (
  SELECT k.*, CASE WHEN ${IS_TIERED} THEN v.units - sum(k.volume_units) OVER (${SAME_VOLUME})
      + sum(k.volume_units) OVER (${SAME_VOLUME} ORDER BY k.id) - k.volume_units END::bigint AS before
  FROM k FULL JOIN v ON v.account_id = k.account_id AND v.skill_id = k.skill_id AND v.month = k.month),
m AS (
  SELECT m0.*, CASE WHEN m0.free_bucket IS NOT NULL THEN 0
    WHEN m0.before IS NULL THEN COALESCE(m0.amount, m0.most)
    ELSE LEAST(m0.most, COALESCE(m0.base, 0)
      + coinop.graduated(m0.before + m0.volume_units, m0.upto::bigint[], m0.prices::bigint[])
      - coinop.graduated(m0.before, m0.upto::bigint[], m0.prices::bigint[])) END AS due
  FROM m0),`,
  source: 'm',
  set: `captured = m.due, volume_before = m.before,
    volume_units = CASE WHEN m.before IS NOT NULL THEN m.volume_units END`,
  isPartial: 'm.due < h.amount',
}

/** The columns of its holds that a capture passes along and returns. */
interface ShownPart {
  returned: string
  selected: string
}
const WHOLE: ShownPart = { returned: HOLD('h'), selected: 'h.*' }
/** For callers who pass the hold: only the columns that the capture changed, as `EndedRow`. */
const END: ShownPart = {
  returned: ['id', 'account_id', 'key_id', 'product_id', 'amount', 'captured', 'created_at']
    .map((column) => `h.${column}`)
    .join(', '),
  selected: 'h.id, h.captured, h.end_id AS ledger_id',
}

/**
 * Captures the holds in the arrays ($8: how many); returns rows of the captured ones. Amounts are
 * at most the hold's, null for all of it; a free call captures nothing. With tiers: $9 units, $10
 * base, $11 and $12 the tiers' bounds and prices as array literals, all null if the price has none.
 */
const capture = (patience: string, tiers: TierPart, shown: ShownPart = WHOLE) => `
WITH o AS MATERIALIZED (
  SELECT o.*${patience}
  FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::bigint[], $5::bigint[], $6::uuid[], $7::uuid[]${tiers.arrays})
    AS o(id, account_id, key_id, amount, units, end_id, rest_id${tiers.names}) ${FEW('$8')}),
k AS MATERIALIZED (
  SELECT o.*, h.amount AS most, h.skill_id, h.free_bucket, ${MONTH(HOLD_DAY('h'))} AS month
  FROM o JOIN coinop.hold h ON h.id = o.id AND h.account_id = o.account_id
  WHERE ${IS_OPEN} AND h.key_id = o.key_id AND h.expires_at > now()
    AND (h.free_bucket IS NOT NULL OR COALESCE(o.amount, h.amount) <= h.amount)
  ORDER BY h.id FOR NO KEY UPDATE OF h),${ACCOUNTS_LOCKED('$8')},${tiers.items}
h AS (
  UPDATE coinop.hold h SET state = 'captured', ${tiers.set},
    units = ${tiers.source}.units, end_id = ${tiers.source}.end_id,
    rest_id = CASE WHEN ${tiers.isPartial} THEN ${tiers.source}.rest_id END
  FROM ${tiers.source} WHERE h.id = ${tiers.source}.id AND h.account_id = ${tiers.source}.account_id
  RETURNING ${shown.returned}, h.end_id, h.rest_id),
t AS (
  SELECT h.account_id, ${SEEN('h')} AS seen, sum(h.amount)::bigint AS amount, sum(h.captured)::bigint AS captured
  FROM h WHERE ${AFTER('l')} GROUP BY 1 ${FEW('$8')}),
u AS (
  UPDATE coinop.account a SET
    held = CASE WHEN a.epoch = t.seen THEN a.held - t.amount ELSE -1 END,
    available = a.available + t.amount - t.captured, ${FALL('t.captured')}
  FROM t WHERE a.id = t.account_id
  RETURNING a.id AS account_id, a.available, ${FALLEN}),${BUDGETS_GIVEN_BACK('$8')},
n AS (${LOW_BALANCE}),
e AS (
  ${ENTRY_INSERT}
  SELECT h.end_id, now(), 'capture'::coinop.entry_kind, h.account_id, h.key_id, h.id, h.captured, 'held', 'revenue'
  FROM h
  UNION ALL
  SELECT h.rest_id, now(), 'release'::coinop.entry_kind, h.account_id, h.key_id, h.id, h.amount - h.captured,
    'held', 'available'
  FROM h WHERE h.captured < h.amount)
SELECT ${shown.selected}, u.available FROM h FULL JOIN u USING (account_id)`

/**
 * Captures the holds in the arrays ($6: how many) in full; returns rows of the captured ones, as
 * `EndedRow` (holds.ts). Nothing is given back, so budgets do not change. The update itself locks
 * the holds in the order of their ids, which the nested loop over `o` keeps. As in authorize, the
 * postings are inserted before the account is locked.
 */
const captureWhole = (patience: PatienceMs) => `
WITH o AS MATERIALIZED (
  SELECT o.*, ${PATIENCE(patience)}
  FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::bigint[], $5::uuid[])
    AS o(id, account_id, key_id, units, end_id) ORDER BY o.id ${FEW('$6')}),
h AS (
  UPDATE coinop.hold h SET state = 'captured', captured = h.amount, units = o.units, end_id = o.end_id
  FROM o WHERE h.id = o.id AND h.account_id = o.account_id AND h.key_id = o.key_id
    AND ${IS_OPEN} AND h.expires_at > now()
  RETURNING h.id, h.account_id, h.key_id, h.captured, h.end_id),
e AS (
  ${ENTRY_INSERT}
  SELECT h.end_id, now(), 'capture', h.account_id, h.key_id, h.id, h.captured, 'held', 'revenue' FROM h
  RETURNING 1),
t AS (
  SELECT h.account_id, sum(h.captured)::bigint AS captured FROM h WHERE ${AFTER('e')}
  GROUP BY 1 ${FEW('$6')}),
l AS MATERIALIZED (
  SELECT a.id, t.captured, ${SEEN('t')} AS seen FROM t JOIN coinop.account a ON a.id = t.account_id
  ORDER BY a.id FOR NO KEY UPDATE OF a),
u AS (
  UPDATE coinop.account a SET
    held = CASE WHEN a.epoch = l.seen THEN a.held - l.captured ELSE -1 END, ${FALL('l.captured')}
  FROM l WHERE a.id = l.id
  RETURNING a.id AS account_id, a.available, ${FALLEN}),
n AS (${LOW_BALANCE})
SELECT h.id, h.captured, h.end_id AS ledger_id, u.available FROM h FULL JOIN u USING (account_id)`

/** The statements of one kind of capture; one with tiers costs more than a flat one. */
export interface CaptureTexts {
  flat: string
  tiered: string
  /** The same for callers who pass their hold; `whole` if each captures all of it. */
  ends?: Omit<CaptureTexts, 'ends'> & { whole: string }
}
const captures = (patience: PatienceMs): CaptureTexts => {
  const wait = `, ${PATIENCE(patience)}`
  return {
    flat: capture(wait, FLAT),
    tiered: capture(wait, TIERED),
    ends: {
      flat: capture(wait, FLAT, END),
      tiered: capture(wait, TIERED, END),
      whole: captureWhole(patience),
    },
  }
}
export const CAPTURE_ONE = captures(2000)
export const CAPTURE_MANY = captures(500)
/** For a caller's transaction with its own lock_timeout; run LOCK_HOLD and LOCK_ACCOUNT first. */
export const CAPTURE_IN: CaptureTexts = { flat: capture('', FLAT), tiered: capture('', TIERED) }

/**
 * Locks taken one after the other before a capture in a caller's transaction: afterwards the
 * capture sees no concurrent change, so that no CHECK fails and undoes the caller's own work.
 */
export const LOCK_HOLD = `
SELECT 1 FROM coinop.hold h WHERE h.id = $1::uuid AND h.account_id = $2::uuid FOR NO KEY UPDATE`
export const LOCK_ACCOUNT = `SELECT 1 FROM coinop.account a WHERE a.id = $1::uuid FOR NO KEY UPDATE`

/** Gives back the holds `k` in full, with their free places, and frees their claims. */
const returned = (
  state: 'released' | 'expired',
  kind: 'release' | 'expire',
  chosen: string,
  count: string,
) => `
WITH ${chosen},${ACCOUNTS_LOCKED(count)},
h AS (
  UPDATE coinop.hold h SET state = '${state}', claim = NULL, end_id = k.end_id
  FROM k WHERE h.id = k.id AND h.account_id = k.account_id
  RETURNING ${HOLD('h')}, h.end_id, k.seen),
t AS (
  SELECT h.account_id, max(h.seen) AS seen, sum(h.amount)::bigint AS amount
  FROM h WHERE ${AFTER('l')} GROUP BY 1 ${FEW(count)}),
u AS (
  UPDATE coinop.account a SET
    held = CASE WHEN a.epoch = t.seen THEN a.held - t.amount ELSE -1 END, available = a.available + t.amount
  FROM t WHERE a.id = t.account_id
  RETURNING a.id AS account_id, a.available),${BUDGETS_GIVEN_BACK(count)},${FREE_CALLS_GIVEN_BACK(count)},
e AS (
  ${ENTRY_INSERT}
  SELECT h.end_id, now(), '${kind}'::coinop.entry_kind, h.account_id, h.key_id, h.id, h.amount, 'held', 'available'
  FROM h)
SELECT h.*, u.available FROM h FULL JOIN u USING (account_id)`

/** The open holds in the arrays ($5: how many). */
const NAMED = (patience: PatienceMs, condition: string) => `
o AS MATERIALIZED (
  SELECT o.*, ${PATIENCE(patience)} FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[])
    AS o(id, account_id, key_id, end_id) ${FEW('$5')}),
k AS MATERIALIZED (
  SELECT o.*, ${SEEN('o')} AS seen FROM o JOIN coinop.hold h ON h.id = o.id AND h.account_id = o.account_id
  WHERE ${IS_OPEN} AND h.key_id = o.key_id ${condition}
  ORDER BY h.id FOR NO KEY UPDATE OF h)`

const DUE = 'AND h.expires_at <= now()'

export const RELEASE_ONE = returned('released', 'release', NAMED(2000, ''), '$5')
export const RELEASE_MANY = returned('released', 'release', NAMED(500, ''), '$5')
export const EXPIRE_ONE = returned('expired', 'expire', NAMED(2000, DUE), '$5')

/** Expires up to $1 due holds that no other statement has locked. */
export const EXPIRE_DUE = returned(
  'expired',
  'expire',
  `
k AS MATERIALIZED (
  SELECT h.id, h.account_id, ${NEW_ID} AS end_id, ${SEEN('h')} AS seen, ${PATIENCE(500)}
  FROM coinop.hold h WHERE h.state = 'authorized' ${DUE}
  ORDER BY h.expires_at LIMIT $1::bigint FOR NO KEY UPDATE SKIP LOCKED)`,
  '$1',
)

/** Up to $1 due holds of accounts other than $2, oldest first. */
export const DUE_HOLDS = `
SELECT h.id, h.account_id, h.key_id FROM coinop.hold h
WHERE h.state = 'authorized' ${DUE} AND h.account_id <> ALL ($2::uuid[])
ORDER BY h.expires_at LIMIT $1::bigint`

/**
 * A refund does not change budgets and free calls: they limit what was bought. A charge that is
 * undone ($4) bought nothing, and gives them back. Volumes keep the units of both.
 */
export const REFUND_ONE = `
WITH h AS (
  UPDATE coinop.hold h SET state = 'refunded', refund_id = $3::uuid, is_undone = $4::boolean
  WHERE h.id = $1::uuid AND h.state = 'captured'
  RETURNING ${HOLD('h')}, h.is_undone, ${SEEN('h')} AS seen),
u AS (
  UPDATE coinop.account a SET
    available = CASE WHEN a.epoch = h.seen THEN a.available + h.captured ELSE -1 END, ${RISE('h.captured')}
  FROM h WHERE a.id = h.account_id
  RETURNING a.available),${BUDGETS_GIVEN_BACK('1', 'CASE WHEN h.is_undone THEN h.captured ELSE 0 END')},${FREE_CALLS_GIVEN_BACK('1', 'h.is_undone')},
e AS (
  INSERT INTO coinop.entry (id, at, kind, account_id, key_id, hold_id, amount, debit, credit, note)
  SELECT h.ledger_id, now(), 'refund', h.account_id, h.key_id, h.id, h.captured, 'revenue', 'available', $2::text
  FROM h)
SELECT h.*, u.available FROM h, u`
