/** Money that enters, leaves or moves between accounts. */
import { FALL, FALLEN, LOW_BALANCE, RISE } from './fragments.ts'

/** The account of settlements that belong to no account, because a key column cannot be null. */
export const NO_ACCOUNT = '00000000-0000-0000-0000-000000000000'

/**
 * Credits an account once per (debit, reference). The entry is inserted first, so that a duplicate
 * moves nothing. No row if there is no such account or it has no such key. Both are locked first, so that
 * new money does not pass the closing or the revocation that commits in the same moment.
 */
export const CREDIT_ONE = `
WITH l AS MATERIALIZED (
  SELECT a.id, a.mode, a.available, a.closed_at IS NOT NULL AS closed
  FROM coinop.account a WHERE a.id = $1::uuid FOR NO KEY UPDATE),
k AS MATERIALIZED (
  SELECT k.revoked_at IS NOT NULL AS revoked FROM l
    JOIN coinop.key_spend k ON k.account_id = l.id AND k.key_id = $10::text AND k.scope = '*'
  FOR NO KEY UPDATE OF k),
a AS MATERIALIZED (
  SELECT l.*, COALESCE(k.revoked, false) AS revoked FROM l LEFT JOIN k ON true
  WHERE $10::text IS NULL OR k.revoked IS NOT NULL),
e AS (
  INSERT INTO coinop.entry
    (id, at, kind, account_id, key_id, amount, debit, credit, rail, reference, request_id, note)
  SELECT $11::uuid, now(), $2::coinop.entry_kind, $1::uuid, $10::text, $3::bigint, $4::text, 'available',
    'credits', $5::text, $6::text, $7::text
  FROM a WHERE (NOT a.revoked AND NOT a.closed OR $8::boolean) AND a.mode = COALESCE($9::text, a.mode)
  ON CONFLICT DO NOTHING
  RETURNING id, amount),
u AS (
  UPDATE coinop.account a SET available = a.available + e.amount, ${RISE('e.amount')}
  FROM e WHERE a.id = $1::uuid
  RETURNING a.available)
SELECT a.mode, a.revoked, a.closed, a.available, e.id AS ledger_id, u.available AS available_after
FROM a LEFT JOIN e ON true LEFT JOIN u ON true`

/**
 * Takes `amount` from an account, once per reference; the account is locked first, so that no more
 * is taken than it has. The new balance is computed from the locked row, because a CHECK is
 * evaluated first on the row of the snapshot, whose balance may be too low.
 */
const TAKE = (amount: string, condition: string) => `
WITH a AS MATERIALIZED (
  SELECT a.available, a.closed_at IS NOT NULL AS closed
  FROM coinop.account a WHERE a.id = $1::uuid FOR NO KEY UPDATE),
e AS (
  INSERT INTO coinop.entry (id, at, kind, account_id, key_id, amount, debit, credit, rail, reference, note)
  SELECT $6::uuid, now(), 'adjustment', $1::uuid, $7::text, ${amount}, 'available', $3::text, 'credits',
    $4::text, $5::text
  FROM a WHERE ${condition}
  ON CONFLICT DO NOTHING
  RETURNING id, amount),
u AS (
  UPDATE coinop.account a SET available = l.available - e.amount, ${FALL('e.amount')}
  FROM e, a AS l WHERE a.id = $1::uuid
  RETURNING a.id AS account_id, a.available, ${FALLEN}),
n AS (${LOW_BALANCE})
SELECT a.available, a.closed, e.id AS ledger_id, e.amount AS taken, u.available AS available_after
FROM a LEFT JOIN e ON true LEFT JOIN u ON true`

/** Takes at most $2 of what is available. */
export const TAKE_ONE = TAKE('LEAST(a.available, $2::bigint)', 'a.available > 0')
/** Takes exactly $2, or nothing. */
export const CHARGE_ONE = TAKE('$2::bigint', 'a.available >= $2::bigint AND NOT a.closed')

/**
 * Moves $3 from account $1 to $2: one posting each through the system account 'transfer', whose sum
 * is always 0. Both accounts are locked first, in the order of their ids, and their new balances
 * are computed from the locked rows, as in TAKE.
 */
export const TRANSFER = `
WITH a AS MATERIALIZED (
  SELECT a.id, a.mode, a.available, a.closed_at IS NOT NULL AS closed
  FROM coinop.account a WHERE a.id IN ($1::uuid, $2::uuid) ORDER BY a.id FOR NO KEY UPDATE),
c AS (
  SELECT f.mode = t.mode AND f.available >= $3::bigint AND NOT f.closed AND NOT t.closed AS ok
  FROM a f, a t WHERE f.id = $1::uuid AND t.id = $2::uuid),
o AS (
  INSERT INTO coinop.entry (id, at, kind, account_id, amount, debit, credit, rail, reference, note)
  SELECT $6::uuid, now(), 'adjustment', $1::uuid, $3::bigint, 'available', 'transfer', 'credits', $4::text, $5::text
  FROM c WHERE c.ok
  ON CONFLICT DO NOTHING
  RETURNING id, amount),
e AS (
  INSERT INTO coinop.entry (id, at, kind, account_id, amount, debit, credit, rail, reference, note)
  SELECT $7::uuid, now(), 'adjustment', $2::uuid, o.amount, 'transfer', 'available', 'credits', $4::text, $5::text
  FROM o),
u AS (
  UPDATE coinop.account a SET
    available = l.available + CASE WHEN a.id = $1::uuid THEN -o.amount ELSE o.amount END,
    low_at = CASE
      WHEN a.id = $1::uuid AND a.available + a.held - o.amount < a.low_mark THEN COALESCE(a.low_at, now())
      WHEN a.id = $2::uuid AND a.available + a.held + o.amount >= a.low_mark THEN NULL
      ELSE a.low_at END
  FROM o, a AS l WHERE a.id = l.id
  RETURNING a.id AS account_id, a.available, ${FALLEN}),
n AS (${LOW_BALANCE})
SELECT a.id, a.mode, a.available, a.closed, o.id AS ledger_id, u.available AS available_after
FROM a LEFT JOIN o ON true LEFT JOIN u ON u.account_id = a.id`

/** The two sides of an earlier transfer with this reference. */
export const TRANSFER_BY_REFERENCE = `
SELECT f.id AS ledger_id, f.account_id AS from_id, t.account_id AS to_id, f.amount
FROM coinop.entry f JOIN coinop.entry t ON t.debit = 'transfer' AND t.reference = f.reference
WHERE f.debit = 'available' AND f.reference = $1::text AND f.credit = 'transfer'`

/**
 * Whether a settlement was refunded as credits. $1 is its ledger id; $2 is the same if it is a
 * UUID, to find a row that was refunded under its old number.
 */
export const REFUND_OF_SETTLEMENT = `
SELECT 1 FROM coinop.entry WHERE debit = 'settlement' AND (reference = 'refund:' || $1::text
  OR reference = (SELECT 'refund:' || e.legacy_id FROM coinop.entry e
    WHERE e.id = $2::uuid AND e.kind = 'settlement'))`

export const ENTRY_BY_REFERENCE = `
SELECT e.id AS ledger_id, e.account_id, e.amount, a.available AS balance
FROM coinop.entry e LEFT JOIN coinop.account a ON a.id = e.account_id
WHERE e.debit = $1::text AND e.reference = $2::text`
