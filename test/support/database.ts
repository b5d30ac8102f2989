/** A database of its own for a test file, cloned from the migrated template. */
import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { codeOf } from '../../kernel/errors.ts'
import { createClient } from '../../host/database/client.ts'
import { withDatabase } from '../../host/embedded-postgres/connection-text.ts'
import { connectDatabase } from '../../host/database/connect.ts'
import type { Database } from '../../kernel/storage/contract.ts'
import { silentLog } from './log.ts'

export interface TestDatabase {
  db: Database
  /** For a process under test, as its DATABASE_URL. */
  url: string
  /** Another pool on the same database, as a second gateway has one. Closed with the rest. */
  open(applicationName?: string): Database
  close(): Promise<void>
}

export interface TestDatabaseOptions {
  poolSize?: number
  /** Runs on the new database and returns the connection text that its pools use. */
  prepare?(url: string): Promise<string>
}

/** Call it in beforeAll and its `close` in afterAll. */
export async function testDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const serverUrl = inject('serverUrl')
  const name = `test_${randomBytes(8).toString('hex')}`
  await administer(serverUrl, `create database ${name} template ${inject('templateDatabase')}`)
  const created = withDatabase(serverUrl, name)
  const url = (await options.prepare?.(created)) ?? created
  const opened: Database[] = []
  function open(applicationName?: string): Database {
    const db = connectDatabase({
      url,
      kind: 'server',
      log: silentLog,
      poolSize: options.poolSize,
      applicationName,
    })
    opened.push(db)
    return db
  }
  return {
    db: open(),
    url,
    open,
    async close() {
      await Promise.all(opened.map((db) => db.close()))
      await administer(serverUrl, `drop database ${name} with (force)`)
    },
  }
}

/** SQLSTATE object_in_use: PostgreSQL waits five seconds for the last user of a database to go. */
const IN_USE = '55006'

async function administer(serverUrl: string, statement: string): Promise<void> {
  const sql = createClient(serverUrl, { max: 1, applicationName: 'coinop tests' })
  try {
    for (let isDone = false; !isDone;) {
      isDone = await sql.unsafe(statement).then(
        () => true,
        (error: unknown) => {
          if (codeOf(error) === IN_USE) return false
          throw error
        },
      )
    }
  } finally {
    await sql.end({ timeout: 1 })
  }
}
