/**
 * The kernel's migrations: plain SQL files in the order of migrations/meta/_journal.json, applied
 * by drizzle's migrator in one transaction. drizzle takes no lock (three at once: two fail), so one
 * connection holds an advisory lock around it and instances that start together wait for it.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readMigrationFiles, type MigrationMeta } from 'drizzle-orm/migrator'
import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate } from 'drizzle-orm/postgres-js/migrator'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { OpenClient, SqlClient } from './contract.ts'
import { StorageError } from './errors.ts'
import { withoutRetired } from './retired-migrations.ts'

const FOLDER = fileURLToPath(new URL('./migrations', import.meta.url))
const SCHEMA = 'coinop'
const TABLE = 'migration'
/** Advisory lock of the kernel's and the plugins' migrations: 'coin' in ASCII, and a number. */
export const MIGRATION_LOCK = { space: 0x636f696e, id: 1 } as const

interface Migrations {
  tags: readonly string[]
  files: readonly MigrationMeta[]
}

const migrationsIn = (folder: string): Migrations => ({
  tags: migrationTags(folder),
  files: readMigrationFiles({ migrationsFolder: folder }),
})

/** This program's migrations, cached because an upgrade may replace the files while it runs. */
let shipped: Migrations | undefined

/** Applies what is missing and returns the tags it applied; safe on any number of instances. */
export async function migrateDatabase(
  url: string,
  openClient: OpenClient,
  folder = FOLDER,
): Promise<string[]> {
  const sql = openClient(url, { max: 1, applicationName: 'coinop migrate', permanent: true })
  try {
    await sql`select pg_advisory_lock(${MIGRATION_LOCK.space}, ${MIGRATION_LOCK.id})`
    const pending = await pendingMigrations(sql, folder)
    if (pending.length > 0) {
      await migrate(drizzle(sql), {
        migrationsFolder: folder,
        migrationsSchema: SCHEMA,
        migrationsTable: TABLE,
      })
    }
    return pending
  } finally {
    // Ends the session and the lock with it.
    await sql.end({ timeout: 5 })
  }
}

/**
 * The tags that are not applied yet. A StorageError when an applied file was changed since, or when
 * the database is ahead of this program.
 */
export async function pendingMigrations(sql: SqlClient, folder = FOLDER): Promise<string[]> {
  const { tags, files } =
    folder === FOLDER ? (shipped ??= migrationsIn(FOLDER)) : migrationsIn(folder)
  const applied = withoutRetired(await appliedHashes(sql))
  applied.forEach((hash, index) => {
    const file = files[index]
    if (file === undefined) {
      throw new StorageError(
        `The database has ${applied.length} migrations, this version of Coinop knows ${files.length}.`,
        'Start the newer version that migrated this database.',
      )
    }
    if (file.hash !== hash) {
      throw new StorageError(
        `Migration ${tags[index]} was changed after it was applied to this database.`,
        'Restore the file of the released version; a change of the schema is a new migration.',
      )
    }
  })
  return tags.slice(applied.length)
}

async function appliedHashes(sql: SqlClient): Promise<string[]> {
  const [found] = await sql<{ name: string | null }[]>`
    select to_regclass(${`${SCHEMA}.${TABLE}`})::text as name`
  if (found?.name == null) return []
  const rows = await sql<{ hash: string }[]>`
    select hash from ${sql(SCHEMA)}.${sql(TABLE)} order by created_at, id`
  return rows.map((row) => row.hash)
}

/** The journal that drizzle-kit keeps beside the SQL files; drizzle itself drops the tags. */
const journalShape = Compile(
  Type.Object({ entries: Type.Array(Type.Object({ tag: Type.String(), when: Type.Integer() })) }),
)

/** Migration names in the order they are applied. */
function migrationTags(folder: string): string[] {
  const parsed: unknown = JSON.parse(readFileSync(`${folder}/meta/_journal.json`, 'utf8'))
  return journalShape.Parse(parsed).entries.map((entry) => entry.tag)
}
