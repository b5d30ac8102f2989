/** A database for a bench: the server of DATABASE_URL, or the embedded PostgreSQL in a new folder. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { embeddedPostgres } from '../../../host/embedded-postgres/index.ts'
import { connectDatabase } from '../../../host/database/connect.ts'
import { databaseConnector } from '../../../host/database/index.ts'
import type { Database } from '../../../kernel/storage/contract.ts'
import { openDatabase } from '../../../kernel/storage/open.ts'
import { silentLog } from '../../support/log.ts'

export interface BenchDatabase {
  db: Database
  version: string
  /** Another pool, as a second gateway has one. */
  open(): Database
  close(): Promise<void>
}

export async function benchDatabase(): Promise<BenchDatabase> {
  const dataDir = mkdtempSync(join(tmpdir(), 'coinop-bench-'))
  const databaseUrl = process.env['DATABASE_URL'] ?? null
  const db = await openDatabase({
    dataDir,
    databaseUrl,
    connector: databaseConnector,
    embedded: embeddedPostgres,
    log: silentLog,
  })
  const [row] = await db.sql<{ server_version: string }[]>`SHOW server_version`
  const more: Database[] = []
  return {
    db,
    version: row!.server_version,
    open() {
      const opened = connectDatabase({ url: db.url, kind: 'server', log: silentLog })
      more.push(opened)
      return opened
    },
    async close() {
      await Promise.all(more.map((opened) => opened.close()))
      await db.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
