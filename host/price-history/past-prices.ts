/** Prices of a skill that were in force lately, so that a quote given by any instance is honoured. */
import type { Database, PastPrice } from '#kernel/host'

/** Every price `skillId` had at some moment from `since` to now, newest first. */
export async function pricesSince(
  db: Pick<Database, 'sql'>,
  skillId: string,
  since: Date,
): Promise<PastPrice[]> {
  const rows = await db.sql<{ amount: string; version: number }[]>`
    WITH started AS (
      SELECT COALESCE(max(id), 0) AS id FROM coinop.price_period WHERE effective_at <= ${since}
    ), versions AS (
      SELECT version, max(id) AS newest FROM coinop.price_period
      WHERE id >= (SELECT id FROM started) GROUP BY version
    )
    SELECT price ->> 'usdcAtomic' AS amount, v.version
    FROM versions v
    JOIN coinop.price_table t USING (version)
    CROSS JOIN unnest(t.lists) AS listed(hash)
    JOIN coinop.price_list l ON l.hash = listed.hash
    CROSS JOIN jsonb_array_elements(l.rows) AS price
    WHERE price ->> 'skill' = ${skillId}
    ORDER BY v.newest DESC`
  return rows.map((row) => ({ amountAtomic: BigInt(row.amount), priceVersion: row.version }))
}
