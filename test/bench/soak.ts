/**
 * A gateway under mixed load for some time: memory, descriptors, processes and table sizes, minute by minute,
 * which must stay flat: `bun test/bench/soak.ts [minutes] [callers] [pause of a caller, ms]`. Rows of calls grow with the calls;
 * everything else must not. Exit code 1 when the second half kept growing.
 */
import { readFileSync, readdirSync } from 'node:fs'
import { createClient } from '../../database/client.ts'
import { startGateway } from '../support/gateway.ts'
import { benchDatabase } from './lib/database.ts'
import { MIXED_LOAD_ENV, mixedLoad } from './lib/mixed-load.ts'
import { formatNumber, formatTable } from './lib/table.ts'

const minutes = Number(process.argv[2] ?? 5)
const callers = Number(process.argv[3] ?? 8)
const pauseMs = Number(process.argv[4] ?? 0)
const SAMPLES = 12
/** Growth of the second half that is no leak: the heap of a runtime breathes. */
const BREATH = 0.2
const WRITTEN_BY_CALLS = [
  'hold',
  'entry',
  'idempotency',
  'delivery',
  'dedupe',
  'forward',
  'attempt',
  // The console's request log, until REQUEST_LOG_RETENTION ends its rows.
  'request',
]

const database = await benchDatabase()
const gateway = await startGateway({
  DATABASE_URL: database.db.url,
  SANDBOX: 'true',
  SANDBOX_CHAIN: 'false',
  RATE_LIMIT_RPM: '1000000',
  RATE_LIMIT_BURST: '100000',
  COINOP_MASTER_KEY: Buffer.alloc(32, 3).toString('base64'),
  ...MIXED_LOAD_ENV,
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
  bytesPerCall: number
  deadRows: number
}

const load = await mixedLoad(gateway, callers, pauseMs)
const callsSoFar = (): number => [...load.answered.values()].reduce((sum, count) => sum + count, 0)

const startedMs = performance.now()
const samples: Sample[] = []
let [firstCalls, firstBytes] = [0, 0]
for (let n = 0; n <= SAMPLES; n++) {
  const dueMs = startedMs + (n * minutes * 60_000) / SAMPLES
  await Bun.sleep(Math.max(0, dueMs - performance.now()))
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
for (const line of load.failed) console.log(`WRONG ${line}`)
const half = samples[SAMPLES / 2]!
const last = samples.at(-1)!
const grown = (['residentMb', 'descriptors', 'connections', 'steadyKb'] as const).filter(
  (name) => last[name] > half[name] * (1 + BREATH) + 8,
)
if (grown.length > 0) console.log(`KEPT GROWING in the second half: ${grown.join(', ')}`)
process.exit(grown.length > 0 || load.failed.length > 0 ? 1 : 0)

/** `bytesPerCall` is here still the bytes of the tables that grow with calls. */
async function measure(): Promise<Sample> {
  const status = readFileSync(`/proc/${gateway.pid}/status`, 'utf8')
  const [row] = await sql<[{ calls: number; steady: number; dead: number; connections: number }]>`
    SELECT sum(pg_total_relation_size(relid)) FILTER (WHERE relname = ANY(${WRITTEN_BY_CALLS}))::float8 AS calls,
      sum(pg_total_relation_size(relid)) FILTER (WHERE relname <> ALL(${WRITTEN_BY_CALLS}))::float8 AS steady,
      sum(n_dead_tup)::float8 AS dead,
      (SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database()) AS connections
    FROM pg_stat_user_tables`
  return {
    second: Math.round((performance.now() - startedMs) / 1000),
    calls: callsSoFar(),
    residentMb: Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1024,
    descriptors: readdirSync(`/proc/${gateway.pid}/fd`).length,
    connections: row.connections,
    steadyKb: row.steady / 1024,
    bytesPerCall: row.calls,
    deadRows: row.dead,
  }
}
