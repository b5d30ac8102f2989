/**
 * Opening and changing accounts and their keys. A change is two statements in one transaction: the
 * first locks the account and raises its epoch; the second has its own snapshot, taken under that
 * lock.
 */
import { HOLD_DAY, MONTH, MONTH_SPENT, TODAY } from './fragments.ts'

export const ACCOUNT_OPEN = `
INSERT INTO coinop.account (id, mode, low_mark) VALUES ($1::uuid, $2::text, $3::bigint)`
export const ACCOUNT_RAISE = `UPDATE coinop.account SET epoch = epoch + 1 WHERE id = $1::uuid RETURNING 1`
export const ACCOUNT_CLOSE = `
UPDATE coinop.account SET closed_at = COALESCE(closed_at, $2::timestamptz) WHERE id = $1::uuid`
export const ACCOUNT_LOW_MARK = `
UPDATE coinop.account SET low_mark = $2::bigint,
  low_at = CASE WHEN available + held < $2::bigint THEN low_at END
WHERE id = $1::uuid`

export const KEY_KNOWN = `
SELECT 1 FROM coinop.key_spend WHERE account_id = $1::uuid AND key_id = $2::text AND scope = '*'`
export const KEY_ADD = `INSERT INTO coinop.key_spend (account_id, key_id) VALUES ($1::uuid, $2::text)`
/** A repeat keeps the time of the first revocation. */
export const KEY_REVOKE = `
UPDATE coinop.key_spend SET revoked_at = COALESCE(revoked_at, $3::timestamptz)
WHERE account_id = $1::uuid AND key_id = $2::text AND scope = '*'`
/** $3 is the scope; each cap is set if the flag before it is true. */
export const BUDGET_CHANGE = `
UPDATE coinop.key_spend SET
  call_cap = CASE WHEN $4::boolean THEN $5::bigint ELSE call_cap END,
  day_cap = CASE WHEN $6::boolean THEN $7::bigint ELSE day_cap END,
  month_cap = CASE WHEN $8::boolean THEN $9::bigint ELSE month_cap END
WHERE account_id = $1::uuid AND key_id = $2::text AND scope = $3::text
RETURNING 1`
/** Run before a product's row is added: moves the key's own row to this day, if it is older. */
export const KEY_DAY = `
UPDATE coinop.key_spend s SET day = ${TODAY}, day_spent = 0, month_spent = ${MONTH_SPENT('s')}
WHERE account_id = $1::uuid AND key_id = $2::text AND scope = '*' AND day < ${TODAY}`
/** The day that the key's own row counts for. */
const ITS_DAY = `(SELECT k.day FROM coinop.key_spend k
  WHERE k.account_id = $1::uuid AND k.key_id = $2::text AND k.scope = '*')`
/**
 * A product's row starts with what the key's holds of this month spent on it. They are found by the
 * key's postings, whose ids increase with time: $7 is a day before the month.
 */
export const BUDGET_ADD = `
INSERT INTO coinop.key_spend (account_id, key_id, scope, call_cap, day_cap, month_cap, day, day_spent, month_spent)
SELECT $1::uuid, $2::text, $3::text, $4::bigint, $5::bigint, $6::bigint, ${ITS_DAY},
  COALESCE(sum(x.amount) FILTER (WHERE x.day = ${ITS_DAY}), 0), COALESCE(sum(x.amount), 0)
FROM (
  SELECT ${HOLD_DAY('h')} AS day, CASE h.state WHEN 'authorized' THEN h.amount ELSE COALESCE(h.captured, 0) END AS amount
  FROM coinop.entry e JOIN coinop.hold h ON h.id = e.hold_id AND h.account_id = e.account_id
  WHERE e.key_id = $2::text AND e.account_id = $1::uuid AND e.kind = 'authorize' AND e.id >= $7::uuid
    AND h.product_id = $3::text AND ${MONTH(HOLD_DAY('h'))} = ${MONTH(ITS_DAY)}) AS x`
export const BUDGET_REMOVE = `
DELETE FROM coinop.key_spend
WHERE account_id = $1::uuid AND key_id = $2::text AND scope = $3::text AND scope <> '*'`
