/**
 * A plugin's tables: the schema `plugin_<id>`, and a small pool whose connections search it first. So
 * a statement is one round trip, plans are cached per plugin, and no SET leaks into the kernel's.
 */
import { createHash } from 'node:crypto'
import type { ParameterOrJSON } from 'postgres'
import { assert } from '../errors.ts'
import type {
  Database,
  Migration,
  PluginDb,
  PluginTx,
  SqlClient,
  SqlTransaction,
} from './contract.ts'
import { StorageError } from './errors.ts'
import { MIGRATION_LOCK } from './migrate.ts'

const POOL_SIZE = 4
const IDLE_TIMEOUT_S = 60

const transactions = new WeakMap<PluginTx, SqlTransaction>()

/** The tables of one plugin; every call for the same plugin shares its pool. */
export function pluginDb(db: Database, pluginId: string): PluginDb {
  const schema = schemaOf(pluginId)
  const client = db.pool(schema, {
    max: POOL_SIZE,
    applicationName: `coinop ${pluginId}`,
    idleTimeoutS: IDLE_TIMEOUT_S,
    schema,
  })
  return {
    query: (text, parameters = []) => run(client, text, parameters),
    transaction: async (work) => {
      const done = await client.begin(async (sql) => {
        const tx: PluginTx = { query: (text, parameters = []) => run(sql, text, parameters) }
        transactions.set(tx, sql)
        return { value: await work(tx) }
      })
      return done.value
    },
  }
}

/** The transaction behind a plugin's, for kernel services that join it; their SQL names its schema. */
export function transactionOf(tx: PluginTx): SqlTransaction {
  const found = transactions.get(tx)
  assert(found !== undefined, 'a transaction made by pluginDb')
  return found
}

/**
 * Applies a plugin's missing migrations in one transaction and returns their ids; safe on any number
 * of instances. They only go forward: a StorageError when an applied one was changed, removed or overtaken by a new one.
 */
export async function migratePlugin(
  db: Database,
  pluginId: string,
  migrations: readonly Migration[],
): Promise<string[]> {
  const schema = schemaOf(pluginId)
  const applied: string[] = []
  await db.sql.begin(async (sql) => {
    await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK.space}, ${MIGRATION_LOCK.id})`
    await sql`create schema if not exists ${sql(schema)}`
    await sql`set local search_path = ${sql(schema)}`
    await sql`create table if not exists applied_migration (
      position integer primary key, id text not null unique, checksum text not null,
      applied_at timestamptz not null default now())`
    const known = await sql<Applied[]>`select id, checksum from applied_migration order by position`
    checkHistory(pluginId, migrations, known)
    for (const [position, migration] of migrations.entries()) {
      if (position < known.length) continue
      await sql.unsafe(migration.up)
      await sql`insert into applied_migration (position, id, checksum)
        values (${position}, ${migration.id}, ${checksum(migration)})`
      applied.push(migration.id)
    }
  })
  return applied
}

export interface Applied {
  id: string
  checksum: string
}

export function checkHistory(
  pluginId: string,
  migrations: readonly Migration[],
  known: readonly Applied[],
): void {
  known.forEach((row, position) => {
    const migration = migrations[position]
    const texts = migration ? [checksum(migration), ...(migration.earlierChecksums ?? [])] : []
    if (migration?.id === row.id && texts.includes(row.checksum)) return
    if (migration === undefined)
      throw new StorageError(
        `The database has ${known.length} migrations of plugin ${pluginId}, this version knows ${migrations.length}.`,
        'Start the newer version that migrated this database, or restore a backup of before it.',
      )
    const what = migration.id === row.id ? 'changed' : 'moved or removed'
    throw new StorageError(
      `Migration ${row.id} of plugin ${pluginId} was ${what} after it was applied to this database.`,
      'Start the version that applied it. For its authors: a change of the tables is a new migration at the end.',
    )
  })
}

function checksum(migration: Migration): string {
  return createHash('sha256').update(migration.up).digest('hex')
}

function schemaOf(pluginId: string): string {
  assert(/^[a-z][a-z0-9_-]{0,39}$/.test(pluginId), `a plugin id, got ${pluginId}`)
  return `plugin_${pluginId}`
}

async function run<R extends object>(
  sql: SqlClient | SqlTransaction,
  text: string,
  parameters: readonly unknown[],
): Promise<R[]> {
  // Never the simple protocol: it takes several statements at once and gives every value as text.
  const options = { prepare: true, simple: false }
  return sql.unsafe<R[]>(text, [...parameters] as ParameterOrJSON<bigint>[], options)
}
