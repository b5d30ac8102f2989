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
UPDATE coinop.account SET closed_at = COALESCE(closed_at, now()) WHERE id = $1::uuid`
export const ACCOUNT_LOW_MARK = `
UPDATE coinop.account SET low_mark = $2::bigint,
  low_at = CASE WHEN available + held < $2::bigint THEN low_at END
WHERE id = $1::uuid`

export const KEY_KNOWN = `
SELECT 1 FROM coinop.key_spend WHERE account_id = $1::uuid AND key_id = $2::text AND scope = '*'`
export const KEY_ADD = `INSERT INTO coinop.key_spend (account_id, key_id) VALUES ($1::uuid, $2::text)`
/** A repeat keeps the time of the first revocation. */
export const KEY_REVOKE = `
UPDATE coinop.key_spend SET revoked_at = COALESCE(revoked_at, now())
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
const OWN = `k.account_id = $1::uuid AND k.key_id = $2::text AND k.scope = '*'`
/**
 * The key's holds of the month of `day` whose ids are in a range: ids increase with time. For
 * few, 'LIMIT 1' keeps the planner from reading all holds of the account.
 */
const HOLDS = (range: string, day: string, limit = 'LIMIT 1') => `
  SELECT h.* FROM coinop.entry e CROSS JOIN LATERAL (SELECT h.* FROM coinop.hold h
    WHERE h.id = e.hold_id AND h.account_id = e.account_id AND h.is_undone IS NOT TRUE ${limit}) AS h
  WHERE e.key_id = $2::text AND e.account_id = $1::uuid AND e.kind = 'authorize' AND ${range}
    AND ${MONTH(HOLD_DAY('h'))} = ${MONTH(day)}`
/**
 * What the key's ended holds spent by product, and the ids of open ones, from $3 (a day before the
 * month) to $4 (some seconds ago). No rows if each product of $5 has a budget.
 */
export const SPEND_COUNTED = `
SELECT d.day::text, h.product_id, COALESCE(sum(h.captured), 0)::bigint AS month,
  COALESCE(sum(h.captured) FILTER (WHERE ${HOLD_DAY('h')} = d.day), 0)::bigint AS today,
  string_agg(h.id::text, ',') FILTER (WHERE h.state = 'authorized') AS open
FROM (SELECT GREATEST(k.day, ${TODAY}) AS day FROM coinop.key_spend k WHERE ${OWN} AND EXISTS (
    SELECT unnest($5::text[]) EXCEPT SELECT s.scope FROM coinop.key_spend s
    WHERE s.account_id = $1::uuid AND s.key_id = $2::text)) AS d
  LEFT JOIN LATERAL (${HOLDS('e.id >= $3::uuid AND e.id < $4::uuid', 'd.day', '')}) AS h ON true
GROUP BY 1, 2`
/**
 * A product's row starts with what the key's holds of this month spent on it: those from id $7, the
 * open ones of $8, and the sums of the others as counted for day $9 ($10, $11). Adds nothing if the
 * whole key's sums ($12, $13) then differ from its own row: a hold was made later than its id says.
 */
export const BUDGET_ADD = `
INSERT INTO coinop.key_spend (account_id, key_id, scope, call_cap, day_cap, month_cap, day, day_spent, month_spent)
SELECT $1::uuid, $2::text, $3::text, $4::bigint, $5::bigint, $6::bigint, k.day,
  $10::bigint + COALESCE(sum(x.today) FILTER (WHERE x.product_id = $3::text), 0),
  $11::bigint + COALESCE(sum(x.amount) FILTER (WHERE x.product_id = $3::text), 0)
FROM coinop.key_spend k LEFT JOIN LATERAL (
  SELECT h.product_id, m.amount, CASE WHEN ${HOLD_DAY('h')} = k.day THEN m.amount ELSE 0 END AS today
  FROM (${HOLDS('e.id >= $7::uuid', 'k.day')} UNION ALL ${HOLDS('e.id = ANY ($8::uuid[])', 'k.day')}) AS h
    CROSS JOIN LATERAL (SELECT CASE h.state WHEN 'authorized' THEN h.amount
      ELSE COALESCE(h.captured, 0) END AS amount) AS m) AS x ON true
WHERE ${OWN}
GROUP BY k.day, k.day_spent, k.month_spent
HAVING $9::date IS NULL OR (k.day = $9::date
  AND k.day_spent = $12::bigint + COALESCE(sum(x.today), 0)
  AND k.month_spent = $13::bigint + COALESCE(sum(x.amount), 0))
RETURNING 1`
export const BUDGET_REMOVE = `
DELETE FROM coinop.key_spend
WHERE account_id = $1::uuid AND key_id = $2::text AND scope = $3::text AND scope <> '*'`
