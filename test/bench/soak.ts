/**
 * A gateway under load for some time: memory, descriptors, processes and table sizes, minute by minute,
 * which must stay flat: `bun test/bench/soak.ts [minutes] [callers]`. Rows of calls grow with the calls;
 * everything else must not. Exit code 1 when the second half kept growing.
 */
import { readFileSync, readdirSync } from 'node:fs'
import { newId } from '../../kernel/ids.ts'
import { createClient } from '../../kernel/storage/address.ts'
import { startGateway } from '../support/gateway.ts'
import { benchDatabase } from './lib/database.ts'
import { formatNumber, formatTable } from './lib/table.ts'

const minutes = Number(process.argv[2] ?? 5)
const callers = Number(process.argv[3] ?? 8)
const SAMPLES = 12
/** Growth of the second half that is no leak: the heap of a runtime breathes. */
const BREATH = 0.2
const KEYS = 10

const database = await benchDatabase()
const gateway = await startGateway({
  DATABASE_URL: database.db.url,
  SANDBOX: 'true',
  SANDBOX_CHAIN: 'false',
  RATE_LIMIT_RPM: '1000000',
  RATE_LIMIT_BURST: '100000',
  COINOP_MASTER_KEY: Buffer.alloc(32, 3).toString('base64'),
})
const keys = await Promise.all(Array.from({ length: KEYS }, () => gateway.key(1_000_000)))
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

let calls = 0
let failed = 0
const over = new AbortController()
const calling = Promise.all(
  Array.from({ length: callers }, async (_, caller) => {
    for (let n = caller; !over.signal.aborted; n++) {
      const answer = await gateway.call('POST', '/v1/paid/hash', {
        body: { input: `soak ${n}` },
        headers: {
          'x-api-key': keys[n % KEYS]!.key,
          ...(n % 5 === 0 && { 'idempotency-key': newId() }),
        },
      })
      if (answer.status === 200) calls += 1
      else failed += 1
    }
  }),
)

const startedMs = performance.now()
const samples: Sample[] = []
let [firstCalls, firstBytes] = [0, 0]
for (let n = 0; n <= SAMPLES; n++) {
  const dueMs = startedMs + (n * minutes * 60_000) / SAMPLES
  await Bun.sleep(Math.max(0, dueMs - performance.now()))
  const sample = await measure()
  if (n === 0) [firstCalls, firstBytes] = [calls, sample.bytesPerCall]
  samples.push({
    ...sample,
    bytesPerCall:
      calls > firstCalls ? (sample.bytesPerCall - firstBytes) / (calls - firstCalls) : 0,
  })
}
over.abort()
await calling
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
console.log(`${formatNumber(calls)} calls answered, ${failed} not`)
const half = samples[SAMPLES / 2]!
const last = samples.at(-1)!
const grown = (['residentMb', 'descriptors', 'connections', 'steadyKb'] as const).filter(
  (name) => last[name] > half[name] * (1 + BREATH) + 8,
)
if (grown.length > 0) console.log(`KEPT GROWING in the second half: ${grown.join(', ')}`)
process.exit(grown.length > 0 || failed > 0 ? 1 : 0)

/** `bytesPerCall` is here still the bytes of the tables that grow with calls. */
async function measure(): Promise<Sample> {
  const status = readFileSync(`/proc/${gateway.pid}/status`, 'utf8')
  const [row] = await sql<[{ calls: number; steady: number; dead: number; connections: number }]>`
    SELECT sum(pg_total_relation_size(relid)) FILTER (WHERE relname IN ('hold', 'entry', 'idempotency'))::float8 AS calls,
      sum(pg_total_relation_size(relid)) FILTER (WHERE relname NOT IN ('hold', 'entry', 'idempotency'))::float8 AS steady,
      sum(n_dead_tup)::float8 AS dead,
      (SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database()) AS connections
    FROM pg_stat_user_tables`
  return {
    second: Math.round((performance.now() - startedMs) / 1000),
    calls,
    residentMb: Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1024,
    descriptors: readdirSync(`/proc/${gateway.pid}/fd`).length,
    connections: row.connections,
    steadyKb: row.steady / 1024,
    bytesPerCall: row.calls,
    deadRows: row.dead,
  }
}
