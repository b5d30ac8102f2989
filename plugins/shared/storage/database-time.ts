import type { PluginDb } from '#kernel'

/** The database's time: a gateway whose own clock is ahead for a moment acts too early by its own. */
export async function databaseTime(db: Pick<PluginDb, 'query'>): Promise<Date> {
  const [row] = await db.query<{ now: Date }>('SELECT now() AS now')
  return row!.now
}
