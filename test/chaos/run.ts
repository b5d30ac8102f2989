/**
 * The chaos run: series over 1, 10 and 1,000 keys on one account and one with real gateways, on an
 * embedded PostgreSQL of its own that is killed again and again together with the instances.
 *
 *   npm run chaos -- [--minutes 3] [--keys 1,10,1000] [--callers 64] [--seed 1]
 *
 * Every series must end with a clean ledger, no sample over a budget and no acknowledged answer
 * that the ledger does not know. With DATABASE_URL the server is not killed. Exit code 1 when
 * anything was wrong; the seed that is printed repeats the disturbances.
 */
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { withDatabase } from '../../host/embedded-postgres/connection-text.ts'
import { embeddedPostgres } from '../../host/embedded-postgres/index.ts'
import { newId } from '../../kernel/ids.ts'
import { createClient } from '../../host/database/client.ts'
import { migrateDatabase } from '../support/migrate.ts'
import { formatTable } from '../bench/lib/table.ts'
import { silentLog } from '../support/log.ts'
import { runGateways, type GatewaysReport } from './gateways.ts'
import { runSeries, type SeriesReport } from './series.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '3' },
    keys: { type: 'string', default: '1,10,1000' },
    callers: { type: 'string', default: '64' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})
const keyCounts = values.keys.split(',').map(Number)
const seriesMs = (Number(values.minutes) * 60_000) / (keyCounts.length + 1)

const dataDir = mkdtempSync(join(tmpdir(), 'coinop-chaos-'))
chmodSync(dataDir, 0o755)
const given = process.env['DATABASE_URL']
const server =
  given === undefined
    ? await embeddedPostgres.open({ dataDir, role: 'gateway', sandbox: false, log: silentLog })
    : null
const url = server?.url ?? given!
console.log(`seed ${values.seed}, ${values.minutes} minutes, keys ${values.keys}`)

const rows: string[][] = []
let isWrong = false
try {
  for (const [index, keys] of keyCounts.entries()) {
    const endMs = performance.now() + seriesMs
    const series = (databaseUrl: string) =>
      runSeries({
        url: databaseUrl,
        folder: dataDir,
        keys,
        callers: Number(values.callers),
        seed: Number(values.seed) + index,
        goesOn: () => performance.now() < endMs,
        killServer: server === null ? null : killServer,
      })
    await onOwnDatabase(`${keys} keys`, series)
  }
  await onOwnDatabase('gateways', (databaseUrl) => {
    const endMs = performance.now() + seriesMs
    return runGateways({
      url: databaseUrl,
      callers: Number(values.callers),
      seed: Number(values.seed),
      goesOn: () => performance.now() < endMs,
      killServer: server === null ? null : killServer,
    })
  })
} finally {
  for (const line of lockTrouble()) console.log(`server log: ${line}`)
  await server?.close()
  // What was found wrong stays to be looked at.
  if (isWrong) console.log(`the database stays in ${dataDir}`)
  else rmSync(dataDir, { recursive: true, force: true })
}
console.log(formatTable(['series', 'what came of it'], rows))
process.exit(isWrong ? 1 : 0)

async function onOwnDatabase(
  name: string,
  series: (url: string) => Promise<SeriesReport | GatewaysReport>,
): Promise<void> {
  const database = `chaos_${newId().slice(-12)}`
  await administer(`CREATE DATABASE ${database}`)
  const databaseUrl = withDatabase(url, database)
  await migrateDatabase(databaseUrl)
  const { wrong, ...counts } = await series(databaseUrl)
  const told = Object.entries(counts).map(([what, count]) => `${what} ${count}`)
  rows.push([name, `${told.join(', ')}; wrong ${wrong.length}`])
  console.log(rows.at(-1)!.join(': '))
  for (const line of wrong.slice(0, 50)) console.log(`WRONG ${line}`)
  if (wrong.length > 0) isWrong = true
  else await administer(`DROP DATABASE ${database} WITH (FORCE)`)
}

async function administer(statement: string): Promise<void> {
  const sql = createClient(url, { max: 1, applicationName: 'chaos' })
  try {
    await sql.unsafe(statement)
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/** SIGKILL to the postmaster, as the kernel's killer for want of memory does it. */
async function killServer(): Promise<void> {
  const sql = createClient(url, { max: 1, applicationName: 'chaos' })
  try {
    const [row] = await sql<[{ data_directory: string }]>`SHOW data_directory`
    const pid = Number(
      readFileSync(join(row.data_directory, 'postmaster.pid'), 'utf8').split('\n')[0],
    )
    process.kill(pid, 'SIGKILL')
  } finally {
    await sql.end({ timeout: 0 })
  }
}

/** Lines of the server's log that tell of deadlocks and of locks that were waited for too long. */
function lockTrouble(): string[] {
  return readdirSync(dataDir, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.log(\.\d+)?$/.test(name))
    .flatMap((name) => readFileSync(join(dataDir, name), 'utf8').split('\n'))
    .filter((line) => /deadlock detected|lock timeout/.test(line))
}
