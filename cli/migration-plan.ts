/** What `coinop migrate` would do to a database, and about how long it would take. */
import type { Migration, SqlClient } from '../kernel/storage/contract.ts'
import { pendingMigrations } from '../kernel/storage/migrate.ts'
import { checkHistory, type Applied } from '../kernel/storage/plugin-db.ts'

/** Tables whose rows a migration writes anew; others take no time that is worth a number. */
const REWRITES: Readonly<Record<string, { tables: readonly string[]; does: string }>> = {
  '0005_accounts': {
    tables: ['coinop.account', 'coinop.hold', 'coinop.entry'],
    does: 'gives every key an account of its own and writes holds and postings anew',
  },
  '0013_entry_of_key': { tables: [], does: 'makes the index of the postings of keys anew' },
  '0015_payments_given_back': { tables: [], does: 'makes the index of purchases anew' },
}

/**
 * Rows that one core writes anew in a second, with their indexes: 634,000 rows took 8.3 s of CPU
 * time (PostgreSQL 18, embedded); half of that is assumed.
 */
const ROWS_PER_SECOND = 40_000

export interface PlannedMigration {
  tag: string
  does: string
  /** Rows that it reads and writes anew. */
  rows: number
  /** Whole seconds with a core to itself; the gateway cannot serve meanwhile. */
  estimateSeconds: number
}

/** The migrations that are missing, in their order; empty when the database is up to date. */
export async function planMigrations(sql: SqlClient): Promise<PlannedMigration[]> {
  const planned: PlannedMigration[] = []
  for (const tag of await pendingMigrations(sql)) {
    const { tables, does } = REWRITES[tag] ?? { tables: [], does: 'changes tables' }
    let rows = 0
    for (const table of tables) rows += await countRows(sql, table)
    planned.push({ tag, does, rows, estimateSeconds: Math.ceil(rows / ROWS_PER_SECOND) })
  }
  return planned
}

/** Of a plugin, what its tables need. */
interface WithTables {
  id: string
  migrations?: readonly Migration[]
}

/**
 * The migrations that tables of `plugins` lack: they run when a product of the plugin is mounted. A
 * plugin that has no tables yet gets them then, and is left out. A StorageError when the tables are of
 * another version.
 */
export async function planPluginMigrations(
  sql: SqlClient,
  plugins: readonly WithTables[],
): Promise<PlannedMigration[]> {
  const planned: PlannedMigration[] = []
  for (const { id, migrations = [] } of plugins) {
    const applied = await appliedOf(sql, id)
    if (migrations.length === 0 || applied.length === 0) continue
    checkHistory(id, migrations, applied)
    const does = `changes tables of the plugin ${id}, when a product of it is mounted`
    for (const missing of migrations.slice(applied.length))
      planned.push({ tag: missing.id, does, rows: 0, estimateSeconds: 0 })
  }
  return planned
}

async function appliedOf(sql: SqlClient, pluginId: string): Promise<Applied[]> {
  const table = `"plugin_${pluginId}".applied_migration`
  if (!(await isThere(sql, table))) return []
  return sql.unsafe<Applied[]>(`SELECT id, checksum FROM ${table} ORDER BY position`)
}

/** 0 for a table that an earlier migration, missing as well, has yet to make. */
async function countRows(sql: SqlClient, table: string): Promise<number> {
  if (!(await isThere(sql, table))) return 0
  const [counted] = await sql.unsafe<{ rows: number }[]>(
    `SELECT count(*)::float8 AS rows FROM ${table}`,
  )
  return counted!.rows
}

async function isThere(sql: SqlClient, table: string): Promise<boolean> {
  const [found] = await sql<{ name: string | null }[]>`SELECT to_regclass(${table})::text AS name`
  return found?.name != null
}
