/** Reads holds, balances and the spending of keys. */
import { BUCKET, DAY_SPENT, HOLD, MONTH, MONTH_SPENT, TODAY } from './fragments.ts'

const HOLD_READ = `
SELECT ${HOLD('h')}, h.state = 'authorized' AND h.expires_at <= now() AS due,
  (SELECT a.available FROM coinop.account a WHERE a.id = h.account_id) AS available
FROM coinop.hold h`

/** A hold by id. */
export const HOLD_BY_ID = `${HOLD_READ} WHERE h.id = $1::uuid`
/** The earlier hold of an authorize order: the same id, or the live owner of its claim. */
export const HOLD_OF_ORDER = `${HOLD_READ} WHERE h.id = $1::uuid
UNION ALL ${HOLD_READ} WHERE h.key_id = $2::text AND h.claim = $3::text AND h.id <> $1::uuid`
/** Holds of a request, newest first. */
export const HOLDS_BY_REQUEST = `${HOLD_READ} WHERE h.request_id = $1::text
AND h.key_id = COALESCE($2::text, h.key_id) ORDER BY h.id DESC LIMIT 20`

/** A `Balance`. */
export const BALANCE = `
SELECT a.id AS "accountId", a.available AS "availableAtomic", a.held AS "heldAtomic",
  a.closed_at IS NOT NULL AS "isClosed"
FROM coinop.account a WHERE a.id = $1::uuid`

/** Rows of `KeySpend`: the key's own, then its products'. */
export const SPEND = `
SELECT s.key_id AS "keyId", s.scope, s.call_cap AS "callCapAtomic", s.day_cap AS "dayCapAtomic",
  s.month_cap AS "monthCapAtomic", ${DAY_SPENT('s')} AS "spentTodayAtomic", ${MONTH_SPENT('s')} AS "spentMonthAtomic"
FROM coinop.key_spend s WHERE s.account_id = $1::uuid AND s.key_id = $2::text
ORDER BY s.scope <> '*', s.scope`

export const FREE_USED = `
SELECT f.used FROM coinop.free_use f
WHERE f.account_id = $1::uuid AND f.skill_id = $2::text AND f.bucket = ${BUCKET('$3::text')}`

export const VOLUME = `
SELECT v.units FROM coinop.volume v
WHERE v.account_id = $1::uuid AND v.skill_id = $2::text AND v.month = ${MONTH(TODAY)}`
