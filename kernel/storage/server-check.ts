/** The operator's own server: waited for at boot, and checked for what the schema needs. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from '../log/logger.ts'
import type { SqlClient } from './contract.ts'
import { StorageError } from './errors.ts'

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
  'CONNECTION_CLOSED', // by a proxy that has no server yet
  'CONNECTION_DESTROYED',
  '57P03',
])

/** Resolves when the server answers and is fit; a StorageError says what is wrong with it. */
export async function waitForServer(sql: SqlClient, log: Logger, waitMs = WAIT_MS): Promise<void> {
  const until = Date.now() + waitMs
  for (let told = false; ;) {
    try {
      return await check(sql)
    } catch (error) {
      if (error instanceof StorageError) throw error
      const { code = '', message } = error as { code?: string; message: string }
      if (!NOT_YET.has(code) || Date.now() > until) {
        throw new StorageError(
          `The server of DATABASE_URL does not answer: ${message}`,
          'Check that it runs and that host, user, password and database are right.',
          { cause: error },
        )
      }
      if (!told) log.warn({ code }, 'waiting for the server of DATABASE_URL')
      told = true
      await delay(250)
    }
  }
}

async function check(sql: SqlClient): Promise<void> {
  const [row] = await sql<{ version: number; encoding: string }[]>`
    select current_setting('server_version_num')::int as version,
      current_setting('server_encoding') as encoding`
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
}
