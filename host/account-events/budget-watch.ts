/**
 * Finds budgets that are nearly used up. It reads the counters of keys from time to time, so that the
 * statements of calls carry nothing for it; a row for each notice keeps any instance from telling
 * twice.
 */
import type { SqlClient } from '#kernel/host'

/** A budget is near its end when this share of it is spent. */
const NEAR_PERCENT = 80

/**
 * Writes one `key.budget_near` event for each budget that has come near its end: once for a day or
 * month and an amount, so a budget that was raised can come near again. Returns how many.
 */
export async function noteBudgetsNear(sql: SqlClient): Promise<number> {
  const rows = await sql`
    WITH today AS MATERIALIZED (
      SELECT t.day, date_trunc('month', t.day::timestamp)::date AS month
      FROM (SELECT (now() AT TIME ZONE 'utc')::date AS day) AS t),
    near AS MATERIALIZED (
      SELECT s.account_id, s.key_id, s.scope, p.*
      FROM today t JOIN coinop.key_spend s ON s.day >= t.month
      CROSS JOIN LATERAL (VALUES
        ('day', s.day_cap, CASE WHEN s.day >= t.day THEN s.day_spent ELSE 0 END, t.day,
          t.day + interval '1 day'),
        ('month', s.month_cap, s.month_spent, t.month, t.month + interval '1 month')
      ) AS p(period, cap, spent, period_start, ends_at)
      WHERE (s.day_cap IS NOT NULL OR s.month_cap IS NOT NULL)
        AND s.revoked_at IS NULL AND p.cap > 0 AND p.spent * 100 >= p.cap * ${NEAR_PERCENT}::bigint),
    fresh AS (
      INSERT INTO coinop.budget_notice (key_id, scope, period, period_start, cap)
      SELECT n.key_id, n.scope, n.period, n.period_start, n.cap FROM near n
      ORDER BY 1, 2, 3, 4, 5 ON CONFLICT DO NOTHING
      RETURNING key_id, scope, period, period_start, cap)
    INSERT INTO coinop.outbox (account_id, topic, body)
    SELECT n.account_id, 'key.budget_near', jsonb_build_object(
      'key', n.key_id,
      'limit', CASE n.scope WHEN '*' THEN 'key_' ELSE 'product_' END || n.period,
      'product', NULLIF(n.scope, '*'),
      'cap', n.cap, 'spent', n.spent, 'left', n.cap - n.spent,
      'endsAt', to_char(n.ends_at, 'YYYY-MM-DD"T"HH24:MI:SS".000Z"'))
    FROM near n JOIN fresh f USING (key_id, scope, period, period_start, cap)
    RETURNING 1`
  return rows.length
}
