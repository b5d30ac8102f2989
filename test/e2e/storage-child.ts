/**
 * A small gateway-like process for the storage tests: opens the database of a DATA_DIR, obeys lines
 * on stdin, answers with JSON lines. `coinop` itself has no command that only writes rows.
 */
import { createInterface } from 'node:readline'
import type { Logger } from '../../kernel/log/logger.ts'
import type { EmbeddedPostgres } from '../../kernel/storage/contract.ts'
import { databaseConnector as connector } from '../../host/database/index.ts'
import { openEmbedded } from '../../host/embedded-postgres/embedded.ts'
import { embeddedPostgres } from '../../host/embedded-postgres/index.ts'
import { openDatabase } from '../../kernel/storage/open.ts'
import type { EmbeddedSettings } from './storage-process.ts'

const [dataDir = '', role, settings = '{}'] = process.argv.slice(2)
const { sandbox, graceMs } = JSON.parse(settings) as EmbeddedSettings
const say = (fields: object) => process.stdout.write(`${JSON.stringify(fields)}\n`)
const refused = (error: unknown) =>
  say({ refused: (error as { code?: string }).code ?? String(error) })
const logged: string[] = []
const note = (_fields: object, message = '') => void logged.push(message)
const log: Logger = { debug: () => {}, info: note, warn: note, error: note }

process.on('SIGINT', () => say({ interrupted: true }))
const embedded: EmbeddedPostgres = {
  ...embeddedPostgres,
  open: (options) => openEmbedded(options, graceMs),
}
async function run(): Promise<void> {
  const startedAt = performance.now()
  const options = { databaseUrl: null, dataDir, connector, embedded, sandbox, log }
  const db = await openDatabase(options, role === 'tool' ? 'tool' : 'gateway')
  const [server] = await db.sql`
    select current_setting('data_directory') as directory, pg_postmaster_start_time() as started,
      current_setting('fsync') as fsync, current_setting('listen_addresses') as tcp`
  await db.sql`create table if not exists written (n bigint primary key)`
  say({ ready: true, url: db.url, elapsedMs: Math.round(performance.now() - startedAt), ...server })

  const writing = new AbortController()
  async function write(): Promise<void> {
    for (let n = Date.now() * 1000; !writing.signal.aborted; n++) {
      try {
        await db.sql`insert into written values (${n})`
        say({ acked: n })
      } catch (error) {
        refused(error)
        await Bun.sleep(10)
      }
    }
  }
  for await (const line of createInterface({ input: process.stdin })) {
    if (line === 'write') {
      void write()
    } else if (line === 'listen') {
      await db.listen('storage-e2e', (payload) => say({ heard: payload }))
      say({ listening: true })
    } else if (line.startsWith('notify ')) {
      await db.notify('storage-e2e', line.slice(7)).catch(refused)
    } else if (line === 'rows') {
      const rows = await db.sql`select n::text from written`
      say({ rows: rows.map((row) => Number(row['n'])) })
    } else if (line === 'log') {
      say({ logged })
    }
  }
  writing.abort()
  await db.close()
  say({ closed: true })
}

// Awaited nowhere: a bundle that keeps its compiled form has no await outside of functions.
run().catch((error: Error & { fix?: string }) => {
  say({ failed: error.message, fix: error.fix })
  process.exitCode = 1
})
