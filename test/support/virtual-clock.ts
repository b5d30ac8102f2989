/**
 * A clock of its own for one database. The kernel's statements say `now()` without a schema, and
 * pg_catalog is searched first only where search_path does not name it: a function of that name in
 * a schema that stands before pg_catalog takes its place. The connection text carries that
 * search_path, so neither the statements nor the pools know of it.
 */
import { createClient } from '../../host/database/client.ts'
import { testDatabase, type TestDatabase } from './database.ts'

export interface VirtualClock {
  /** Connection text of the database; connections opened with it live by this clock. */
  url: string
  /** The clock runs on from this instant. */
  set(at: Date): Promise<void>
  advance(ms: number): Promise<void>
  now(): Promise<Date>
  close(): Promise<void>
}

/**
 * Gives the database of `url` a clock that first shows the real time. A statement reads it in its own
 * snapshot: one that began before the clock moved goes on at the old time, as at a real midnight.
 */
export async function installClock(url: string, schemas = ['coinop']): Promise<VirtualClock> {
  const sql = createClient(url, { max: 1, applicationName: 'virtual clock' })
  await sql.unsafe(`
    CREATE SCHEMA IF NOT EXISTS virtual_clock;
    CREATE TABLE IF NOT EXISTS virtual_clock.shift (by interval NOT NULL);
    INSERT INTO virtual_clock.shift SELECT '0' WHERE NOT EXISTS (SELECT FROM virtual_clock.shift);
    CREATE OR REPLACE FUNCTION virtual_clock.now() RETURNS timestamptz LANGUAGE sql STABLE
      AS 'SELECT pg_catalog.now() + (SELECT by FROM virtual_clock.shift)'`)
  const clocked = new URL(url)
  clocked.searchParams.set('search_path', ['virtual_clock', 'pg_catalog', ...schemas].join(', '))
  return {
    url: clocked.href,
    async set(at) {
      await sql`UPDATE virtual_clock.shift SET by = ${at}::timestamptz - pg_catalog.now()`
    },
    async advance(ms) {
      await sql`UPDATE virtual_clock.shift SET by = by + ${ms}::float8 * interval '1 millisecond'`
    },
    async now() {
      const [row] = await sql<[{ now: Date }]>`SELECT virtual_clock.now() AS now`
      return row.now
    },
    close: () => sql.end({ timeout: 1 }),
  }
}

/** A test database whose pools all live by a virtual clock; those of `plugin` find its tables as well. */
export async function clockedDatabase(
  options: { poolSize?: number; plugin?: string } = {},
): Promise<TestDatabase & { clock: VirtualClock }> {
  let clock: VirtualClock | undefined
  const database = await testDatabase({
    ...options,
    prepare: async (url) => {
      const { plugin } = options
      clock = await installClock(url, plugin ? ['coinop', `plugin_${plugin}`] : ['coinop'])
      return clock.url
    },
  })
  return {
    ...database,
    clock: clock!,
    async close() {
      await clock!.close()
      await database.close()
    },
  }
}
