/**
 * A gateway under mixed load for some time: memory, descriptors, connections, table sizes and vacuum,
 * which must stay flat: `bun test/bench/soak.ts [minutes] [callers] [pause of a caller, ms]`.
 *
 *   bun test/bench/soak.ts 5 8 100 --calls 144000   # what eight hours at 5 calls a second come to
 *
 * With `--calls` it ends when so many were answered, and time is compressed: what is kept for a day or
 * longer is kept for `minutes`, so that tables fill and empty again and again. Rows of the ledger grow
 * with the calls; nothing else must. Exit code 1 when the second half kept growing.
 */
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createClient } from '../../host/database/client.ts'
import { startGateway } from '../support/gateway.ts'
import { productsIn } from '../support/products.ts'
import { ageRows } from './lib/aging.ts'
import { benchDatabase } from './lib/database.ts'
import { MIXED_LOAD_ENV, mixedLoad } from './lib/mixed-load.ts'
import { formatNumber, formatTable } from './lib/table.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { calls: { type: 'string' } },
})
const [minutes = 5, callers = 8, pauseMs = 0] = positionals.map(Number)
/** Null: the run ends by its minutes, and everything is kept for as long as it is in service. */
const mostCalls = values.calls === undefined ? null : Number(values.calls)
const SAMPLES = 12
/** Growth of the second half that is no leak: the heap of a runtime breathes. */
const BREATH = 0.2
/** Rows that only an archive takes away. */
const LEDGER = ['hold', 'entry']
/** Rows that go when their time is over. The console's are its request log. */
const KEPT_FOR_A_TIME = ['idempotency', 'delivery', 'dedupe', 'forward', 'attempt', 'request']
const POLL_MS = 250

const database = await benchDatabase()
const products = mkdtempSync(join(tmpdir(), 'coinop-soak-'))
const gateway = await startGateway({
  DATABASE_URL: database.db.url,
  SANDBOX: 'true',
  SANDBOX_CHAIN: 'false',
  RATE_LIMIT_RPM: '1000000',
  RATE_LIMIT_BURST: '100000',
  COINOP_MASTER_KEY: Buffer.alloc(32, 3).toString('base64'),
  ...MIXED_LOAD_ENV,
  ...(mostCalls !== null && {
    PRODUCTS_DIR: productsIn(products, {
      'webinfra.yaml': 'config: { payloadDays: 1, recordDays: 1 }',
    }),
    REQUEST_LOG_RETENTION: `${Math.ceil(minutes * 60)}s`,
  }),
})
const sql = createClient(database.db.url, { max: 1, applicationName: 'soak' })

interface Sample {
  second: number
  calls: number
  residentMb: number
  descriptors: number
  connections: number
  /** Kilobytes of tables that do not grow with calls. */
  steadyKb: number
  /** Kilobytes of tables whose rows go when their time is over. */
  keptKb: number
  /** Of the ledger, since the first sample. */
  bytesPerCall: number
  deadRows: number
  /** Runs of autovacuum so far. */
  vacuums: number
}

const load = await mixedLoad(gateway, callers, pauseMs)
const callsSoFar = (): number => [...load.answered.values()].reduce((sum, count) => sum + count, 0)

const startedMs = performance.now()
const samples: Sample[] = []
let [firstCalls, firstBytes] = [0, 0]
let aged = 0
for (let n = 0; n <= SAMPLES; n++) {
  await reached(n / SAMPLES)
  const sample = await measure()
  const { calls } = sample
  if (n === 0) [firstCalls, firstBytes] = [calls, sample.bytesPerCall]
  samples.push({
    ...sample,
    bytesPerCall:
      calls > firstCalls ? (sample.bytesPerCall - firstBytes) / (calls - firstCalls) : 0,
  })
}
await load.stop()
const largest = await sql<{ name: string; kb: number }[]>`
  SELECT schemaname || '.' || relname AS name, pg_total_relation_size(relid)::float8 / 1024 AS kb
  FROM pg_stat_user_tables ORDER BY kb DESC LIMIT 10`
await sql.end({ timeout: 1 })
await gateway.stop()
await database.close()
rmSync(products, { recursive: true, force: true })

const columns = Object.keys(samples[0]!) as (keyof Sample)[]
console.log(
  formatTable(
    columns,
    samples.map((sample) => columns.map((name) => formatNumber(sample[name]))),
  ),
)
const byKind = [...load.answered].map(([kind, count]) => `${kind} ${formatNumber(count)}`)
console.log(`${formatNumber(callsSoFar())} calls answered as they should be: ${byKind.join(', ')}`)
console.log(
  `largest: ${largest.map(({ name, kb }) => `${name} ${formatNumber(kb)} KB`).join(', ')}`,
)
if (mostCalls !== null) {
  const hours = formatNumber(mostCalls / (5 * 3600))
  console.log(
    `${formatNumber(aged)} rows grew old; ${hours} hours' worth at 5 calls a second, in ${formatNumber((performance.now() - startedMs) / 60_000)} minutes`,
  )
}
for (const line of load.failed) console.log(`WRONG ${line}`)
const half = samples[SAMPLES / 2]!
const last = samples.at(-1)!
const flat = ['residentMb', 'descriptors', 'connections', 'steadyKb'] as const
const grown = [...flat, ...(mostCalls === null ? [] : ['keptKb' as const])].filter(
  (name) => last[name] > half[name] * (1 + BREATH) + 8,
)
if (grown.length > 0) console.log(`KEPT GROWING in the second half: ${grown.join(', ')}`)
process.exit(grown.length > 0 || load.failed.length > 0 ? 1 : 0)

/** Resolves when this share of the run is over; what has been kept long enough grows old meanwhile. */
async function reached(share: number): Promise<void> {
  const dueMs = startedMs + share * minutes * 60_000
  const isReached = (): boolean =>
    mostCalls === null ? performance.now() >= dueMs : callsSoFar() >= share * mostCalls
  for (let nextMs = 0; !isReached(); await Bun.sleep(POLL_MS)) {
    if (mostCalls === null || performance.now() < nextMs) continue
    aged += await ageRows(sql, minutes * 60_000)
    nextMs = performance.now() + 10_000
  }
}

/** `bytesPerCall` is here still the bytes of the ledger's tables. */
async function measure(): Promise<Sample> {
  const status = readFileSync(`/proc/${gateway.pid}/status`, 'utf8')
  const [row] = await sql<[Record<string, number>]>`
    SELECT sum(pg_total_relation_size(relid)) FILTER (WHERE relname = ANY(${LEDGER}))::float8 AS ledger,
      sum(pg_total_relation_size(relid)) FILTER (WHERE relname = ANY(${KEPT_FOR_A_TIME}))::float8 AS kept,
      sum(pg_total_relation_size(relid)) FILTER (WHERE relname <> ALL(${[...LEDGER, ...KEPT_FOR_A_TIME]}))::float8
        AS steady,
      sum(n_dead_tup)::float8 AS dead, sum(autovacuum_count)::float8 AS vacuums,
      (SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database()) AS connections
    FROM pg_stat_user_tables`
  return {
    second: Math.round((performance.now() - startedMs) / 1000),
    calls: callsSoFar(),
    residentMb: Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1024,
    descriptors: readdirSync(`/proc/${gateway.pid}/fd`).length,
    connections: row.connections!,
    steadyKb: row.steady! / 1024,
    keptKb: row.kept! / 1024,
    bytesPerCall: row.ledger!,
    deadRows: row.dead!,
    vacuums: row.vacuums!,
  }
}
