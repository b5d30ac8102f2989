/**
 * The SQL of the hot path, one statement per transition, prepared by name-less text on every
 * connection. Rules that keep it right under concurrency: locks are taken hold → account; the hold
 * row comes first and the balance moves from its RETURNING; CHECK constraints are the guard, the
 * unlocked look at the account before it is only a cheap refusal; batches lock in sorted order.
 */

const TODAY = `(now() AT TIME ZONE 'utc')::date`
const HOLD_DAY = (hold: string) => `(${hold}.created_at AT TIME ZONE 'utc')::date`

/**
 * How long a statement waits for a row that somebody else has locked. A batch gives up soon and its
 * members go on singly, so that one stuck key does not hold up the others; set for this transaction.
 */
const PATIENCE = (ms: 500 | 2000) => `set_config('lock_timeout', '${ms}', true)`

/** What the account's ceiling counts so far on the UTC day of this statement. */
const SPENT = `CASE WHEN a.spent_day >= ${TODAY} THEN a.spent_today ELSE 0 END`

/** Columns of a hold as `HoldRow` (holds.ts) reads them. */
const HOLD = (hold: string) =>
  ['id', 'key_id', 'request_id', 'skill_id', 'path', 'amount', 'captured', 'state']
    .concat(['price_version', 'acquisition', 'created_at', 'expires_at'])
    .map((column) => `${hold}.${column}`)
    .join(', ') +
  `, COALESCE(${hold}.refund_entry, ${hold}.end_entry, ${hold}.authorize_entry) AS ledger_id`

const HOLD_INSERT = `INSERT INTO coinop.hold
  (id, key_id, request_id, claim, skill_id, path, amount, price_version, acquisition,
   state, created_at, expires_at, authorize_entry)`

/**
 * Debits of an authorize. A revoked key or a full ceiling found only under the lock makes
 * `available` negative on purpose: the CHECK then undoes the whole statement, hold included.
 */
const DEBIT_SET = (amount: string) => `
    available = CASE WHEN a.revoked_at IS NULL
        AND (a.ceiling IS NULL OR ${SPENT} + ${amount} <= a.ceiling)
      THEN a.available - ${amount} ELSE -1 END,
    held = a.held + ${amount},
    spent_today = CASE WHEN a.spent_day > ${TODAY} THEN a.spent_today ELSE ${SPENT} + ${amount} END,
    spent_day = GREATEST(a.spent_day, ${TODAY})`

const ENTRY_INSERT = `INSERT INTO coinop.entry (id, at, kind, key_id, hold_id, amount, debit, credit)`

/**
 * A LIMIT that cuts nothing: its parameter makes the planner expect one row, so that it looks holds
 * and accounts up by index even when it plans while the tables are empty. Without it the cached
 * plan scans the whole table, and every batch gets slower as holds gather.
 */
const FEW = (count: string) => `LIMIT ${count}::bigint`

/** Every hold has its account here and the reverse; only a FULL join is never a nested loop. */
const WITH_BALANCE = `FROM h FULL JOIN u USING (key_id)`

const NEXT_ENTRY = `nextval('coinop.entry_id')`

/**
 * Whether a hold named by its id is open. As text, because the plain comparison lets the planner
 * take the index of open holds instead of the key, and then every statement reads all of them.
 */
const IS_OPEN = `h.state::text = 'authorized'`

/**
 * One hold. Always one row for a known key: the account as the pre-check saw it, and the hold and
 * new balance when it was made. No `created_at`: refused, or the id or claim is taken.
 */
export const AUTHORIZE_ONE = `
WITH a AS MATERIALIZED (
  SELECT a.available, a.revoked_at IS NOT NULL AS revoked, a.ceiling, ${SPENT} AS spent,
    ${PATIENCE(2000)}
  FROM coinop.account a WHERE a.key_id = $2::text),
h AS (
  ${HOLD_INSERT}
  SELECT $1::uuid, $2::text, $3::text, $4::text, $5::text, $6::text, $7::bigint, $8::integer,
    $9::text, 'authorized', now(), now() + $10::bigint * interval '1 millisecond', ${NEXT_ENTRY}
  FROM a WHERE NOT a.revoked AND a.available >= $7::bigint
    AND (a.ceiling IS NULL OR a.spent + $7::bigint <= a.ceiling)
  ON CONFLICT DO NOTHING
  RETURNING id, key_id, amount, created_at, expires_at, authorize_entry),
u AS (
  UPDATE coinop.account a SET ${DEBIT_SET('h.amount')}
  FROM h WHERE a.key_id = h.key_id
  RETURNING a.available),
e AS (
  ${ENTRY_INSERT}
  SELECT h.authorize_entry, now(), 'authorize', h.key_id, h.id, h.amount, 'available', 'held' FROM h)
SELECT a.available, a.revoked, a.ceiling, a.spent,
  h.created_at, h.expires_at, h.authorize_entry AS ledger_id, u.available AS available_after
FROM a LEFT JOIN h ON true LEFT JOIN u ON true`

/**
 * Many holds: the made ones come back, in any order. Orders of one key are admitted while their
 * running sum fits; what is left out is decided singly.
 */
export const AUTHORIZE_MANY = `
WITH o AS MATERIALIZED (
  SELECT o.*, a.available, a.revoked_at, a.ceiling, ${SPENT} AS spent,
    (sum(o.amount) OVER (PARTITION BY o.key_id ORDER BY o.ord))::bigint AS running,
    ${PATIENCE(500)}
  FROM (SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[],
      $7::bigint[], $8::integer[], $9::text[], $10::bigint[]) WITH ORDINALITY
    AS o(id, key_id, request_id, claim, skill_id, path, amount, price_version, acquisition, ttl_ms, ord)
    ${FEW('$11')}) AS o
  JOIN coinop.account a USING (key_id)),
h AS (
  ${HOLD_INSERT}
  SELECT o.id, o.key_id, o.request_id, o.claim, o.skill_id, o.path, o.amount, o.price_version,
    o.acquisition, 'authorized', now(), now() + o.ttl_ms * interval '1 millisecond', ${NEXT_ENTRY}
  FROM o WHERE o.revoked_at IS NULL AND o.running <= o.available
    AND (o.ceiling IS NULL OR o.spent + o.running <= o.ceiling)
  ORDER BY o.key_id, o.claim, o.id
  ON CONFLICT DO NOTHING
  RETURNING id, key_id, amount, created_at, expires_at, authorize_entry),
s AS (SELECT h.key_id, sum(h.amount)::bigint AS amount FROM h GROUP BY h.key_id ${FEW('$11')}),
l AS MATERIALIZED (
  SELECT a.key_id, s.amount FROM coinop.account a JOIN s USING (key_id)
  ORDER BY a.key_id FOR NO KEY UPDATE OF a),
u AS (
  UPDATE coinop.account a SET ${DEBIT_SET('l.amount')}
  FROM l WHERE a.key_id = l.key_id
  RETURNING a.key_id, a.available),
e AS (
  ${ENTRY_INSERT}
  SELECT h.authorize_entry, now(), 'authorize', h.key_id, h.id, h.amount, 'available', 'held' FROM h)
SELECT h.id, h.created_at, h.expires_at, h.authorize_entry AS ledger_id, u.available AS available_after
${WITH_BALANCE}`

/** Gives `given` of the hold's amount back to the ceiling when its UTC day still counts. */
const CREDIT_SPENT = (day: string, given: string) =>
  `spent_today = a.spent_today - CASE WHEN a.spent_day = ${day} THEN ${given} ELSE 0 END`

const CAPTURE_SET = (amount: string) => `
    state = 'captured', captured = COALESCE(${amount}, h.amount), end_entry = ${NEXT_ENTRY},
    rest_entry = CASE WHEN ${amount} < h.amount THEN ${NEXT_ENTRY} END`

const CAPTURE_ENTRIES = `
  ${ENTRY_INSERT}
  SELECT h.ledger_id, now(), 'capture'::coinop.entry_kind, h.key_id, h.id, h.captured, 'held', 'revenue' FROM h
  UNION ALL
  SELECT h.rest_entry, now(), 'release'::coinop.entry_kind, h.key_id, h.id, h.amount - h.captured, 'held', 'available'
  FROM h WHERE h.rest_entry IS NOT NULL`

const WAIT_BRIEFLY = `AND ${PATIENCE(2000)} IS NOT NULL`

const CAPTURE = (wait: string) => `
WITH h AS (
  UPDATE coinop.hold h SET ${CAPTURE_SET('$3::bigint')}
  WHERE h.id = $1::uuid AND h.key_id = $2::text AND ${IS_OPEN} AND h.expires_at > now()
    AND COALESCE($3::bigint, h.amount) <= h.amount ${wait}
  RETURNING ${HOLD('h')}, h.rest_entry),
u AS (
  UPDATE coinop.account a SET held = a.held - h.amount,
    available = a.available + h.amount - h.captured,
    ${CREDIT_SPENT(HOLD_DAY('h'), 'h.amount - h.captured')}
  FROM h WHERE a.key_id = h.key_id
  RETURNING a.available),
e AS (${CAPTURE_ENTRIES})
SELECT h.*, u.available FROM h, u`

export const CAPTURE_ONE = CAPTURE(WAIT_BRIEFLY)
/** For a caller's transaction, whose lock_timeout is the caller's. */
export const CAPTURE_IN = CAPTURE('')

/**
 * Moves a batch of ended holds `h` on their accounts, one update per key: `amount` leaves held,
 * `given` returns to available. A ceiling's day is never older than the newest hold's, so only the
 * holds of that newest day can still count.
 */
const MOVE_MANY = (given: string) => `
d AS (
  SELECT h.key_id, h.amount, ${given} AS given, ${HOLD_DAY('h')} AS day,
    max(${HOLD_DAY('h')}) OVER (PARTITION BY h.key_id) AS newest FROM h),
s AS (
  SELECT d.key_id, d.newest, sum(d.amount)::bigint AS amount, sum(d.given)::bigint AS given,
    COALESCE(sum(d.given) FILTER (WHERE d.day = d.newest), 0)::bigint AS unspent
  FROM d GROUP BY d.key_id, d.newest),
l AS MATERIALIZED (
  SELECT s.* FROM coinop.account a JOIN s USING (key_id)
  ORDER BY a.key_id FOR NO KEY UPDATE OF a),
u AS (
  UPDATE coinop.account a SET held = a.held - l.amount, available = a.available + l.given,
    ${CREDIT_SPENT('l.newest', 'l.unspent')}
  FROM l WHERE a.key_id = l.key_id
  RETURNING a.key_id, a.available)`

export const CAPTURE_MANY = `
WITH o AS MATERIALIZED (
  SELECT o.*, ${PATIENCE(500)} FROM unnest($1::uuid[], $2::text[], $3::bigint[]) AS o(id, key_id, amount)
  ${FEW('$4')}),
k AS MATERIALIZED (
  SELECT o.* FROM coinop.hold h JOIN o USING (id) ORDER BY h.id FOR NO KEY UPDATE OF h),
h AS (
  UPDATE coinop.hold h SET ${CAPTURE_SET('k.amount')}
  FROM k WHERE h.id = k.id AND h.key_id = k.key_id AND ${IS_OPEN}
    AND h.expires_at > now() AND COALESCE(k.amount, h.amount) <= h.amount
  RETURNING ${HOLD('h')}, h.rest_entry),
${MOVE_MANY('h.amount - h.captured')},
e AS (${CAPTURE_ENTRIES})
SELECT h.*, u.available ${WITH_BALANCE}`

const RETURN_ENTRIES = (kind: 'release' | 'expire') => `
  ${ENTRY_INSERT}
  SELECT h.ledger_id, now(), '${kind}', h.key_id, h.id, h.amount, 'held', 'available' FROM h`

/** A hold that ends without capture frees its request id and gives everything back. */
const RETURN_ONE = (state: 'released' | 'expired', kind: 'release' | 'expire', due: string) => `
WITH h AS (
  UPDATE coinop.hold h SET state = '${state}', claim = NULL, end_entry = ${NEXT_ENTRY}
  WHERE h.id = $1::uuid AND h.key_id = $2::text AND ${IS_OPEN} ${due}
  RETURNING ${HOLD('h')}),
u AS (
  UPDATE coinop.account a SET held = a.held - h.amount, available = a.available + h.amount,
    ${CREDIT_SPENT(HOLD_DAY('h'), 'h.amount')}
  FROM h WHERE a.key_id = h.key_id
  RETURNING a.available),
e AS (${RETURN_ENTRIES(kind)})
SELECT h.*, u.available FROM h, u`

export const RELEASE_ONE = RETURN_ONE('released', 'release', WAIT_BRIEFLY)
export const EXPIRE_ONE = RETURN_ONE(
  'expired',
  'expire',
  `AND h.expires_at <= now() ${WAIT_BRIEFLY}`,
)

export const RELEASE_MANY = `
WITH o AS MATERIALIZED (
  SELECT o.*, ${PATIENCE(500)} FROM unnest($1::uuid[], $2::text[]) AS o(id, key_id) ${FEW('$3')}),
k AS MATERIALIZED (
  SELECT o.* FROM coinop.hold h JOIN o USING (id) ORDER BY h.id FOR NO KEY UPDATE OF h),
h AS (
  UPDATE coinop.hold h SET state = 'released', claim = NULL, end_entry = ${NEXT_ENTRY}
  FROM k WHERE h.id = k.id AND h.key_id = k.key_id AND ${IS_OPEN}
  RETURNING ${HOLD('h')}),
${MOVE_MANY('h.amount')},
e AS (${RETURN_ENTRIES('release')})
SELECT h.*, u.available ${WITH_BALANCE}`

/** Expires up to $1 due holds that nobody else is ending right now. */
export const EXPIRE_DUE = `
WITH k AS MATERIALIZED (
  SELECT h.id, ${PATIENCE(500)} FROM coinop.hold h
  WHERE h.state = 'authorized' AND h.expires_at <= now()
  ORDER BY h.expires_at LIMIT $1::integer FOR NO KEY UPDATE SKIP LOCKED),
h AS (
  UPDATE coinop.hold h SET state = 'expired', claim = NULL, end_entry = ${NEXT_ENTRY}
  FROM k WHERE h.id = k.id AND ${IS_OPEN}
  RETURNING ${HOLD('h')}),
${MOVE_MANY('h.amount')},
e AS (${RETURN_ENTRIES('expire')})
SELECT count(*)::integer AS expired FROM h JOIN u USING (key_id)`

/** Up to $1 due holds of keys other than $2, oldest first. */
export const DUE_HOLDS = `
SELECT h.id, h.key_id FROM coinop.hold h
WHERE h.state = 'authorized' AND h.expires_at <= now() AND h.key_id <> ALL ($2::text[])
ORDER BY h.expires_at LIMIT $1::integer`

/** A refund leaves spent_today alone: the ceiling bounds what was bought that day. */
export const REFUND_ONE = `
WITH h AS (
  UPDATE coinop.hold h SET state = 'refunded', refund_entry = ${NEXT_ENTRY}
  WHERE h.id = $1::uuid AND h.state = 'captured'
  RETURNING ${HOLD('h')}),
u AS (
  UPDATE coinop.account a SET available = a.available + h.captured
  FROM h WHERE a.key_id = h.key_id
  RETURNING a.available),
e AS (
  INSERT INTO coinop.entry (id, at, kind, key_id, hold_id, amount, debit, credit, note)
  SELECT h.ledger_id, now(), 'refund', h.key_id, h.id, h.captured, 'revenue', 'available', $2::text
  FROM h)
SELECT h.*, u.available FROM h, u`

/** Credits a key once per (debit, reference). The entry comes first: a duplicate moves nothing. */
export const CREDIT_ONE = `
WITH a AS MATERIALIZED (
  SELECT a.mode, a.revoked_at IS NOT NULL AS revoked, a.available
  FROM coinop.account a WHERE a.key_id = $1::text),
e AS (
  INSERT INTO coinop.entry
    (id, at, kind, key_id, amount, debit, credit, rail, reference, request_id, note)
  SELECT ${NEXT_ENTRY}, now(), $2::coinop.entry_kind, $1::text, $3::bigint, $4::text, 'available',
    'credits', $5::text, $6::text, $7::text
  FROM a WHERE (NOT a.revoked OR $8::boolean) AND a.mode = COALESCE($9::text, a.mode)
  ON CONFLICT DO NOTHING
  RETURNING id, amount),
u AS (
  UPDATE coinop.account a SET available = a.available + e.amount
  FROM e WHERE a.key_id = $1::text
  RETURNING a.available)
SELECT a.mode, a.revoked, a.available, e.id AS ledger_id, u.available AS available_after
FROM a LEFT JOIN e ON true LEFT JOIN u ON true`

/**
 * Takes at most $2 of what a key has available, once per reference; nothing when it has nothing.
 * The account is locked first, so that what is taken is what is there.
 */
export const TAKE_ONE = `
WITH a AS MATERIALIZED (
  SELECT a.available FROM coinop.account a WHERE a.key_id = $1::text FOR NO KEY UPDATE),
e AS (
  INSERT INTO coinop.entry
    (id, at, kind, key_id, amount, debit, credit, rail, reference, note)
  SELECT ${NEXT_ENTRY}, now(), 'adjustment', $1::text, LEAST(a.available, $2::bigint), 'available',
    $3::text, 'credits', $4::text, $5::text
  FROM a WHERE a.available > 0
  ON CONFLICT DO NOTHING
  RETURNING id, amount),
u AS (
  UPDATE coinop.account a SET available = a.available - e.amount
  FROM e WHERE a.key_id = $1::text)
SELECT e.id AS ledger_id, e.amount AS taken FROM a LEFT JOIN e ON true`

export const SETTLEMENT_ONE = `
INSERT INTO coinop.entry (id, at, kind, key_id, amount, debit, credit, rail, request_id, skill_id,
  path, price_version, acquisition, transaction, reference)
VALUES (${NEXT_ENTRY}, now(), 'settlement', $1::text, $2::bigint, $3::text, 'settlement', $4::text,
  $5::text, $6::text, $7::text, $8::integer, $9::text, $10::text, $11::text)
ON CONFLICT DO NOTHING
RETURNING id AS ledger_id`

/**
 * A settlement for each row of the WITH item `source`, whose columns are network, reference, key_id,
 * amount, request_id, skill_id, path, price_version, acquisition and transaction.
 */
export const settlementsInsert = (rail: string, source: string): string => `
  INSERT INTO coinop.entry (id, at, kind, key_id, amount, debit, credit, rail, request_id, skill_id,
    path, price_version, acquisition, transaction, reference)
  SELECT ${NEXT_ENTRY}, now(), 'settlement', key_id, amount, '${rail}:' || network, 'settlement',
    '${rail}', request_id, skill_id, path, price_version, acquisition, transaction, reference
  FROM ${source}
  ON CONFLICT DO NOTHING
  RETURNING id::text AS ledger_id, substr(debit, ${rail.length + 2}) AS network, reference`

/** Whether a settlement was given back as credits. */
export const REFUND_OF_SETTLEMENT = `
SELECT 1 FROM coinop.entry WHERE debit = 'settlement' AND reference = 'refund:' || $1::text`

export const ENTRY_BY_REFERENCE = `
SELECT e.id AS ledger_id, e.key_id, e.amount FROM coinop.entry e
WHERE e.debit = $1::text AND e.reference = $2::text`

const HOLD_READ = `
SELECT ${HOLD('h')}, a.available, h.state = 'authorized' AND h.expires_at <= now() AS due
FROM coinop.hold h JOIN coinop.account a USING (key_id)`

/** A hold by id. */
export const HOLD_BY_ID = `${HOLD_READ} WHERE h.id = $1::uuid`
/** The hold of an authorize order made before: the same id, or the live owner of its claim. */
export const HOLD_OF_ORDER = `${HOLD_READ} WHERE h.id = $1::uuid
UNION ALL ${HOLD_READ} WHERE h.key_id = $2::text AND h.claim = $3::text AND h.id <> $1::uuid`
/** Holds of a request, newest first. */
export const HOLDS_BY_REQUEST = `${HOLD_READ} WHERE h.request_id = $1::text
AND h.key_id = COALESCE($2::text, h.key_id) ORDER BY h.authorize_entry DESC LIMIT 20`

export const BALANCE = `
SELECT a.key_id, a.available, a.held, ${SPENT} AS spent FROM coinop.account a WHERE a.key_id = $1::text`

export const ACCOUNT_OPEN = `
INSERT INTO coinop.account (key_id, mode, ceiling) VALUES ($1::text, $2::text, $3::bigint)`
export const ACCOUNT_CEILING = `
UPDATE coinop.account SET ceiling = $2::bigint WHERE key_id = $1::text`
/** The first revocation stands. */
export const ACCOUNT_REVOKE = `
UPDATE coinop.account SET revoked_at = COALESCE(revoked_at, $2::timestamptz) WHERE key_id = $1::text`
