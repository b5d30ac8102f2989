/** The operator's own server: waited for at boot, and checked for what the schema needs. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from '#kernel'
import { codeOf, StorageError, type SqlClient } from '#kernel/host'
import { createClient } from './client.ts'
import { explained } from './server-errors.ts'

/** A compose file starts both at once. */
const WAIT_MS = 30_000
const OLDEST_VERSION = 140_000
/** Not there yet: refused, unknown name, starting up. Anything else will not change by waiting. */
const NOT_YET = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'CONNECT_TIMEOUT',
  'CONNECTION_CLOSED', // by a proxy that has no server yet
  'CONNECTION_DESTROYED',
  '53300', // the connections of instances that were killed just now end soon
  '57P01', // a session that was begun while it stops, to be started anew
  '57P03',
])

/**
 * Settings of a role or a server that statements rely on: a pooler need not pass them on, so that they
 * are looked at and not set.
 */
const NEEDED_SETTINGS = {
  // A statement that waited for a lock must see what was committed meanwhile.
  default_transaction_isolation: 'read committed',
  default_transaction_read_only: 'off',
  bytea_output: 'hex',
  array_nulls: 'on',
} as const

const POOLER_FIX =
  'Name PostgreSQL itself (a gateway keeps at most 16 connections), or a pooler in session mode that passes search_path on.'

/** Resolves when the server answers and is fit; a StorageError says what is wrong with it. */
export async function waitForServer(sql: SqlClient, log: Logger, waitMs = WAIT_MS): Promise<void> {
  const until = performance.now() + waitMs
  for (let told = false; ;) {
    try {
      return await check(sql)
    } catch (error) {
      if (error instanceof StorageError) throw error
      const { message } = error as Error
      const code = codeOf(error)
      if (message.includes('unsupported startup parameter')) {
        throw new StorageError(
          `DATABASE_URL leads to a pooler that refuses settings of a session: ${message}.`,
          POOLER_FIX,
          { cause: error },
        )
      }
      if (!NOT_YET.has(code) || performance.now() > until) {
        const known = explained(error)
        throw new StorageError(
          `The server of DATABASE_URL cannot be used: ${known ? `${known.message} It says: ` : ''}${message}`,
          known?.fix ?? 'Check that it runs and that host, user, password and database are right.',
          { cause: error },
        )
      }
      if (!told)
        log.warn(
          { code, reason: explained(error)?.message },
          'waiting for the server of DATABASE_URL',
        )
      told = true
      await delay(250)
    }
  }
}

async function check(sql: SqlClient): Promise<void> {
  const [row] = await sql<{ version: number; encoding: string; path: string }[]>`
    select current_setting('server_version_num')::int as version,
      current_setting('server_encoding') as encoding, current_setting('search_path') as path`
  if (row === undefined || row.version < OLDEST_VERSION) {
    throw new StorageError(
      'The server of DATABASE_URL is older than PostgreSQL 14.',
      'Use a newer one.',
    )
  }
  if (row.encoding !== 'UTF8') {
    throw new StorageError(
      `The database of DATABASE_URL is encoded in ${row.encoding}.`,
      "Create it with ENCODING 'UTF8'.",
    )
  }
  checkPath(row.path, 'coinop')
  await checkSettings(sql)
}

async function checkSettings(sql: SqlClient): Promise<void> {
  const found = await sql<{ name: keyof typeof NEEDED_SETTINGS; setting: string; role: string }[]>`
    select name, setting, current_user as role from pg_settings
    where name in ${sql(Object.keys(NEEDED_SETTINGS))}`
  for (const { name, setting, role } of found) {
    const needed = NEEDED_SETTINGS[name]
    if (setting === needed) continue
    throw new StorageError(
      `Sessions of DATABASE_URL begin with ${name} = '${setting}'; Coinop needs '${needed}'.`,
      `Give its role a setting of its own: ALTER ROLE "${role}" SET ${name} = '${needed}'.`,
    )
  }
}

/** Throws where tables would be made, and looked for, in another schema. */
function checkPath(path: string, schema: string): void {
  if (path.includes(schema)) return
  throw new StorageError(
    `DATABASE_URL leads to a pooler that drops settings of a session: search_path is ${path}.`,
    POOLER_FIX,
  )
}

/** Any other than the kernel's: the path of a role (ALTER ROLE … SET) is right for one schema alone. */
const OTHER_SCHEMA = 'plugin_check'

/**
 * Throws a StorageError where a session does not get the schema that it asks for, as plugins do, and
 * where a pooler gives one client's statements several sessions: LISTEN, prepared statements and
 * settings would go astray. While another transaction has the session that just served a client, such
 * a pooler gives that client another one.
 */
export async function refuseUnfitSessions(url: string): Promise<void> {
  const settings = { max: 1, applicationName: 'coinop check', permanent: true }
  const one = createClient(url, { ...settings, schema: OTHER_SCHEMA })
  const other = createClient(url, settings)
  const pid = async () => (await one<[{ pid: number }]>`select pg_backend_pid() as pid`)[0].pid
  try {
    const [row] = await one<[{ path: string }]>`select current_setting('search_path') as path`
    checkPath(row.path, OTHER_SCHEMA)
    // Twice: a connection that was lost in between has another number too.
    for (let attempt = 0; attempt < 2; attempt++) {
      const before = await pid()
      const during = await other.begin(async (tx) => {
        await tx`select 1`
        return pid()
      })
      if (before === during) return
    }
  } finally {
    await Promise.all([one, other].map((client) => client.end({ timeout: 1 })))
  }
  throw new StorageError(
    'DATABASE_URL leads to a pooler in transaction mode, which gives a session to many clients.',
    POOLER_FIX,
  )
}
