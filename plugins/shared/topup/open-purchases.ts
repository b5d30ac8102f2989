/** Purchases that another rail's payments pay, in a plugin's own table: until it is known whether one was paid. */
import type { PluginDb } from '#kernel'

type Queries = Pick<PluginDb, 'query'>

/** The column that is null while a purchase is open. */
type EndColumn = 'credited_at' | 'ended_at'

interface OpenOrder {
  ended: EndColumn
  /** What is returned of each, as SQL of our own. */
  columns: string
  /** A purchase is looked at so long after it was noted; later looks come at ever greater distances. */
  quietMs: number
  limit: number
  /** Which ones alone: SQL of our own, whose `parameters` begin with $3. */
  only?: { condition: string; parameters: readonly unknown[] }
}

/**
 * Open purchases that are due, claimed for a check by this instance: whether a payment that was signed ever
 * settles is known long after its purchase.
 */
export function claimOpen<Row extends object>(db: Queries, order: OpenOrder): Promise<Row[]> {
  const { ended, columns, quietMs, limit, only } = order
  return db.query<Row>(
    `UPDATE purchase SET checked_at = now() WHERE request_id IN (
       SELECT request_id FROM purchase
       WHERE ${ended} IS NULL ${only ? `AND (${only.condition})` : ''}
         AND COALESCE(checked_at, created_at)
           < now() - GREATEST(make_interval(secs => $1::float8 / 1000), (now() - created_at) / 8)
       ORDER BY COALESCE(checked_at, created_at) LIMIT $2 FOR UPDATE SKIP LOCKED)
     RETURNING ${columns}`,
    [quietMs, limit, ...(only?.parameters ?? [])],
  )
}

/**
 * Forgets a purchase that was just found unpaid, if it is a month old. Never by its age alone: after a
 * month without a gateway the first look may find that it was paid.
 */
export async function forgetUnpaid(
  db: Queries,
  ended: EndColumn,
  requestId: string,
): Promise<void> {
  await db.query(
    `DELETE FROM purchase WHERE request_id = $1 AND ${ended} IS NULL
       AND created_at < now() - interval '30 days'`,
    [requestId],
  )
}

/** Whether a payment with this digest was taken for a purchase. */
export async function wasPaidWith(db: Queries, digest: string): Promise<boolean> {
  const rows = await db.query('SELECT FROM purchase WHERE paid_with = $1 LIMIT 1', [digest])
  return rows.length > 0
}
