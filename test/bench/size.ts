/**
 * What a call costs on a database that is full, beside an empty one, and how long a gateway takes to
 * start on it: `bun test/bench/size.ts [ledger rows] [keys] [pairs] [deliveries] [products]`. Both databases are on one server and
 * are measured in turns; the figures are CPU time of this process and of its PostgreSQL.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLedger } from '../../kernel/ledger/ledger.ts'
import { foldUsage } from '../../host/reporting/usage/fold.ts'
import { connectDatabase } from '../../host/database/connect.ts'
import { migrateDatabase } from '../support/migrate.ts'
import { withDatabase } from '../../host/embedded-postgres/connection-text.ts'
import { startGateway } from '../support/gateway.ts'
import { silentLog } from '../support/log.ts'
import { callOf, openAccount } from '../support/spenders.ts'
import { benchDatabase } from './lib/database.ts'
import { fillRelay, lookMs } from './lib/filled-relay.ts'
import { postmasterOf, serverCpuUs } from './lib/server-cpu.ts'
import { formatNumber, formatTable } from './lib/table.ts'

const rows = Number(process.argv[2] ?? 1_000_000)
const keys = Number(process.argv[3] ?? 10_000)
const pairs = Number(process.argv[4] ?? 2000)
const deliveries = Number(process.argv[5] ?? rows / 10)
const products = Number(process.argv[6] ?? 1000)
const ROUNDS = 5
const CALLERS = 32
const SPENDERS = 200

const server = await benchDatabase()

async function database(name: string, filled: boolean) {
  await server.db.sql.unsafe(`CREATE DATABASE ${name}`)
  const url = withDatabase(server.db.url, name)
  await migrateDatabase(url)
  const db = connectDatabase({ url, kind: 'server', log: silentLog })
  if (filled) await fill(db.sql)
  await fillRelay(db, filled ? deliveries : 0)
  const ledger = createLedger(db)
  const spenders = await openAccount(db.sql, ledger, {
    keys: SPENDERS,
    amountAtomic: 1_000_000_000n,
  })
  return { name, url, db, ledger, spenders }
}

/** Holds of one statement: more of them would not fit into its memory. */
const FILL_HOLDS = 250_000

/** Accounts with a key each, and captured holds with two postings, as the ledger writes them. */
async function fill(sql: typeof server.db.sql): Promise<void> {
  await sql.unsafe(`
    CREATE TABLE made AS SELECT n, gen_random_uuid() AS account_id, 'key_' || lpad(n::text, 32, '0') AS key_id
      FROM generate_series(0, ${keys - 1}) n;
    INSERT INTO coinop.account (id, mode, available) SELECT account_id, 'test', 0 FROM made;
    INSERT INTO coinop.key_spend (account_id, key_id, day) SELECT account_id, key_id, '2020-01-01' FROM made`)
  const holds = Math.ceil(rows / 2)
  for (let from = 1; from <= holds; from += FILL_HOLDS) {
    await sql.unsafe(`
    WITH due AS (
      SELECT m.*, s, now() - make_interval(secs => (${holds} - s) * 2.0) AS at
      FROM generate_series(${from}, ${Math.min(holds, from + FILL_HOLDS - 1)}) s JOIN made m ON m.n = s % ${keys}),
    timed AS (
      SELECT *, lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') AS ms, lpad(to_hex(s), 12, '0') AS tail FROM due),
    held AS (
      INSERT INTO coinop.hold (id, account_id, amount, captured, created_at, expires_at, end_id, state,
        price_version, key_id, request_id, skill_id, product_id, path)
      SELECT format('%s-%s-7000-8000-%s', left(ms, 8), right(ms, 4), tail)::uuid, account_id, 100, 100, at, at,
        format('%s-%s-7000-9000-%s', left(ms, 8), right(ms, 4), tail)::uuid, 'captured', 1, key_id,
        'request-' || s, 'demo.echo', 'demo', '/v1/paid/echo'
      FROM timed ORDER BY s RETURNING *)
    INSERT INTO coinop.entry (id, at, kind, account_id, key_id, hold_id, amount, debit, credit)
    SELECT id, created_at, 'authorize'::coinop.entry_kind, account_id, key_id, id, amount, 'available', 'held' FROM held
    UNION ALL SELECT end_id, created_at, 'capture'::coinop.entry_kind, account_id, key_id, id, amount, 'held', 'revenue' FROM held`)
  }
  await sql.unsafe('DROP TABLE made')
  await sql.unsafe('VACUUM (ANALYZE) coinop.hold, coinop.entry, coinop.account, coinop.key_spend')
}

type Filled = Awaited<ReturnType<typeof database>>

async function sell({ ledger, spenders }: Filled, count: number): Promise<void> {
  let left = count
  await Promise.all(
    Array.from({ length: CALLERS }, async (_, caller) => {
      for (let n = caller; left-- > 0; n += CALLERS) {
        const spender = spenders[n % SPENDERS]!
        const order = callOf(spender, 100n)
        const held = await ledger.authorize(order)
        if (held.outcome !== 'authorized') throw new Error(held.outcome)
        const done = await ledger.capture({ holdId: order.holdId, ...spender })
        if (done.outcome !== 'done') throw new Error(done.outcome)
      }
    }),
  )
}

const postmaster = await postmasterOf(server.db.sql)
const startedMs = performance.now()
const empty = await database('bench_empty', false)
const full = await database('bench_full', true)
const filledMs = performance.now() - startedMs
const costs = new Map<string, { client: number; server: number; wallMs: number }[]>()
for (let round = -1; round < ROUNDS; round++) {
  for (const side of round % 2 ? [full, empty] : [empty, full]) {
    const before = [process.cpuUsage(), serverCpuUs(postmaster), performance.now()] as const
    await sell(side, pairs)
    const { user, system } = process.cpuUsage(before[0])
    const cost = {
      client: (user + system) / pairs,
      server: (serverCpuUs(postmaster) - before[1]) / pairs,
      wallMs: performance.now() - before[2],
    }
    // The first round plans and warms up.
    if (round >= 0) costs.set(side.name, [...(costs.get(side.name) ?? []), cost])
  }
}
const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!
const table = [...costs].map(([name, list]) => [
  name,
  formatNumber(median(list.map(({ client }) => client))),
  formatNumber(median(list.map(({ server: us }) => us))),
  formatNumber(pairs / (median(list.map(({ wallMs }) => wallMs)) / 1000)),
])
const foldStartMs = performance.now()
while ((await foldUsage(full.db.sql)) === 'more');
const foldMs = performance.now() - foldStartMs
/** Products of one skill each, beside those that topping up needs. */
function productFolder(count: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'coinop-bench-products-'))
  for (let n = 0; n < count; n++) {
    const spec = `product_id: p${n}\ntitle: P${n}\nbase_path: /v1/p${n}\nplugin: demo\nmetered: true\nskills:\n  - skill: demo.echo\n    route: POST /echo\n    price: { credits: 1 }\n`
    writeFileSync(join(folder, `p${n}.yaml`), spec)
  }
  return folder
}
const looks = [
  [empty.name, '0', (await lookMs(empty.db)).toFixed(2)],
  [full.name, formatNumber(deliveries), (await lookMs(full.db)).toFixed(2)],
]
/** What vacuum takes after the rounds above, and what is dead then. */
const vacuumStartMs = performance.now()
await full.db.sql.unsafe('VACUUM coinop.hold, coinop.entry, coinop.account, coinop.key_spend')
const vacuumMs = performance.now() - vacuumStartMs
const [size] = await full.db.sql<
  [{ mb: number }]
>`SELECT pg_database_size(current_database()) / 1048576.0::float8 AS mb`
console.log(
  `${server.version}; ${formatNumber(rows)} postings, ${formatNumber(keys)} keys, ${formatNumber(size.mb)} MB, filled in ${formatNumber(filledMs)} ms, usage folded in ${formatNumber(foldMs)} ms, vacuum in ${formatNumber(vacuumMs)} ms`,
)
console.log(formatTable(['database', 'client µs per pair', 'server µs per pair', 'pairs/s'], table))
console.log(formatTable(['look for due forwards on', 'deliveries', 'ms'], looks))
const startTimes: string[][] = []
for (const [side, count] of [
  [empty, 1],
  [full, 1],
  [empty, products],
] as const) {
  const folder = productFolder(count)
  const beganMs = performance.now()
  const gateway = await startGateway({
    DATABASE_URL: side.url,
    SANDBOX: 'true',
    SANDBOX_CHAIN: 'false',
    PRODUCTS_DIR: folder,
    COINOP_MASTER_KEY: Buffer.alloc(32, 3).toString('base64'),
  })
  startTimes.push([side.name, String(count), formatNumber(performance.now() - beganMs)])
  await gateway.stop()
  rmSync(folder, { recursive: true, force: true })
}
console.log(formatTable(['start on', 'products', 'ms'], startTimes))
for (const side of [empty, full]) await side.db.close()
await server.close()
