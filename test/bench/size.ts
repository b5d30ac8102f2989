/**
 * What a call costs on a database that is full, beside an empty one, and how long a gateway takes to
 * start on it: `bun test/bench/size.ts [ledger rows] [keys] [pairs]`. Both databases are on one server and
 * are measured in turns; the figures are CPU time of this process and of its PostgreSQL.
 */
import { readFileSync, readdirSync } from 'node:fs'
import { createLedger } from '../../kernel/ledger/ledger.ts'
import { foldUsage } from '../../kernel/services/usage/fold.ts'
import { connectDatabase } from '../../kernel/storage/connect.ts'
import { migrateDatabase } from '../../kernel/storage/migrate.ts'
import { withDatabase } from '../../embedded-postgres/connection-text.ts'
import { startGateway } from '../support/gateway.ts'
import { silentLog } from '../support/log.ts'
import { callOf, openAccount } from '../support/spenders.ts'
import { benchDatabase } from './lib/database.ts'
import { formatNumber, formatTable } from './lib/table.ts'

const rows = Number(process.argv[2] ?? 1_000_000)
const keys = Number(process.argv[3] ?? 10_000)
const pairs = Number(process.argv[4] ?? 2000)
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
  const ledger = createLedger(db)
  const spenders = await openAccount(db.sql, ledger, {
    keys: SPENDERS,
    amountAtomic: 1_000_000_000n,
  })
  return { name, url, db, ledger, spenders }
}

/** Accounts with a key each, and captured holds with two postings, as the ledger writes them. */
async function fill(sql: typeof server.db.sql): Promise<void> {
  await sql.unsafe(`
    CREATE TEMP TABLE made AS SELECT n, gen_random_uuid() AS account_id, 'key_' || lpad(n::text, 32, '0') AS key_id
      FROM generate_series(0, ${keys - 1}) n;
    INSERT INTO coinop.account (id, mode, available) SELECT account_id, 'test', 0 FROM made;
    INSERT INTO coinop.key_spend (account_id, key_id, day) SELECT account_id, key_id, '2020-01-01' FROM made;
    WITH due AS (
      SELECT m.*, s, now() - make_interval(secs => (${Math.ceil(rows / 2)} - s) * 2.0) AS at
      FROM generate_series(1, ${Math.ceil(rows / 2)}) s JOIN made m ON m.n = s % ${keys}),
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

/** Microseconds of CPU that the server's processes have used so far. */
async function serverCpuUs(): Promise<number> {
  const [row] = await server.db.sql<[{ data_directory: string }]>`SHOW data_directory`
  const pid = Number(readFileSync(`${row.data_directory}/postmaster.pid`, 'utf8').split('\n')[0])
  let ticks = 0
  for (const name of readdirSync('/proc').filter((one) => /^\d+$/.test(one))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ')
      if (Number(name) === pid || Number(stat[1]) === pid)
        ticks += Number(stat[11]) + Number(stat[12])
    } catch {
      // It ended meanwhile.
    }
  }
  return ticks * 10_000
}

const startedMs = performance.now()
const empty = await database('bench_empty', false)
const full = await database('bench_full', true)
const filledMs = performance.now() - startedMs
const costs = new Map<string, { client: number; server: number; wallMs: number }[]>()
for (let round = -1; round < ROUNDS; round++) {
  for (const side of round % 2 ? [full, empty] : [empty, full]) {
    const before = [process.cpuUsage(), await serverCpuUs(), performance.now()] as const
    await sell(side, pairs)
    const { user, system } = process.cpuUsage(before[0])
    const cost = {
      client: (user + system) / pairs,
      server: ((await serverCpuUs()) - before[1]) / pairs,
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
const startTimes: string[][] = []
for (const side of [empty, full]) {
  const beganMs = performance.now()
  const gateway = await startGateway({
    DATABASE_URL: side.url,
    SANDBOX: 'true',
    SANDBOX_CHAIN: 'false',
    COINOP_MASTER_KEY: Buffer.alloc(32, 3).toString('base64'),
  })
  startTimes.push([side.name, formatNumber(performance.now() - beganMs)])
  await gateway.stop()
}
const [size] = await full.db.sql<
  [{ mb: number }]
>`SELECT pg_database_size(current_database()) / 1048576.0::float8 AS mb`
console.log(
  `${server.version}; ${formatNumber(rows)} postings, ${formatNumber(keys)} keys, ${formatNumber(size.mb)} MB, filled in ${formatNumber(filledMs)} ms, usage folded in ${formatNumber(foldMs)} ms`,
)
console.log(formatTable(['database', 'client µs per pair', 'server µs per pair', 'pairs/s'], table))
console.log(formatTable(['start on', 'ms'], startTimes))
for (const side of [empty, full]) await side.db.close()
await server.close()
