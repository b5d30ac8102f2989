/** Rows that are over, deleted in slices: no statement is long, and a stop waits for one slice only. */
import type { PluginDb } from '#kernel'

const SLICE = 1000

/** What is deleted: SQL of our own, nothing in it comes from a caller. */
export interface Ended {
  table: string
  /** A column or row id that names one row. */
  key: string
  /** The condition under which a row is over. */
  isOver: string
}

/** Deletes them until none is left, `stopping` fires or it was enough for one round. */
export async function deleteInSlices(
  db: Pick<PluginDb, 'query'>,
  { table, key, isOver }: Ended,
  stopping: AbortSignal,
  slicesMax = Number.POSITIVE_INFINITY,
): Promise<void> {
  const text = `DELETE FROM ${table} WHERE ${key} IN
    (SELECT ${key} FROM ${table} WHERE ${isOver} LIMIT ${SLICE}) RETURNING 1`
  for (let slice = 0; slice < slicesMax && !stopping.aborted; slice++) {
    const gone = await db.query(text)
    if (gone.length < SLICE) return
  }
}
