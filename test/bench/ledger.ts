/**
 * The ledger alone: authorize + capture pairs per second, beside single statements and pgbench in
 * the same run; what budgets, tiers and free calls cost; refusals beside paid calls; and the cost as
 * the tables grow.
 *
 *   bun test/bench/ledger.ts [--seconds 3] [--rounds 3] [--rows 1000,10000,100000,1000000]
 *     [--only compare,prices,refusals,grow]
 *
 * Uses the embedded PostgreSQL in a new folder, or the server of DATABASE_URL. Client and server
 * share the machine: read the ratios.
 */
import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { AuthorizeOrder, CaptureOrder, Ledger, Spender } from '../../kernel/ledger/contract.ts'
import { createLedger } from '../../kernel/ledger/ledger.ts'
import { singleWrites } from '../support/single-writes.ts'
import { verifyLedger } from '../../host/reporting/verify.ts'
import { connectDatabase } from '../../host/database/connect.ts'
import type { SqlClient } from '../../kernel/storage/contract.ts'
import { callOf, openAccount, setBudget, type Caps } from '../support/spenders.ts'
import { silentLog } from '../support/log.ts'
import { benchDatabase, type BenchDatabase } from './lib/database.ts'
import { median, runLoad, type LoadResult } from './lib/load.ts'
import { costMeter, type Cost } from './lib/ledger-cost.ts'
import { formatNumber, formatTable } from './lib/table.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '3' },
    rows: { type: 'string', default: '1000,100000,1000000' },
    only: { type: 'string', default: 'compare,prices,refusals,grow' },
    // Set by the bench itself for the processes that it starts.
    share: { type: 'string' },
  },
})
const durationMs = Number(values.seconds) * 1000
const rounds = Number(values.rounds)
const sizes = values.rows.split(',').map(Number)

const PLENTY_ATOMIC = 10n ** 14n
const BUDGETS: Partial<Caps> = { call: 10n ** 6n, day: PLENTY_ATOMIC, month: PLENTY_ATOMIC }
const TIERS = [
  { upTo: 1000n, unitAtomic: 2000n },
  { upTo: 100_000n, unitAtomic: 1500n },
  { upTo: null, unitAtomic: 1000n },
]
const FREE = { calls: 1000, period: 'day' } as const
const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)]!
const cpuOf = (cost: Cost): number => cost.serverUs + cost.clientUs

type Measured = Pick<CaptureOrder, 'amountAtomic' | 'units' | 'graduated'>

/** One process's part of a load. */
interface Share {
  url: string
  keys: readonly Spender[]
  callers: number
}

if (values.share === undefined) {
  for (const part of [compare, prices, refusals, grow]) {
    if (values.only.split(',').includes(part.name)) await onFreshDatabase(part)
  }
} else {
  await runShare(JSON.parse(values.share) as Share)
}

async function onFreshDatabase(measure: (bench: BenchDatabase) => Promise<void>): Promise<void> {
  const bench = await benchDatabase()
  const { kind, sql } = bench.db
  try {
    console.log(`\nPostgreSQL ${bench.version} (${kind}), ${rounds} × ${values.seconds} s, medians`)
    await measure(bench)
    const { ok, checked, violations } = await verifyLedger(sql)
    console.log(`verify: ${ok ? 'the books balance' : 'BROKEN'}, ${JSON.stringify(checked)}`)
    if (!ok) throw new Error(JSON.stringify(violations))
  } finally {
    await bench.close()
  }
}

/** `count` accounts with as many keys each, which will not run out of credits. */
async function fundedKeys({ db }: BenchDatabase, count: number, keys = 1): Promise<Spender[]> {
  const ledger = createLedger(db)
  const opened = Array.from({ length: count }, () =>
    openAccount(db.sql, ledger, { keys, amountAtomic: PLENTY_ATOMIC }),
  )
  return (await Promise.all(opened)).flat()
}

/** One paid call's ledger work on a random key; caller i uses instance i modulo their number. */
function pair(
  ledgers: readonly Ledger[],
  keys: readonly Spender[],
  price: Partial<AuthorizeOrder> = {},
  measured: Measured = {},
) {
  return async (caller: number): Promise<void> => {
    const ledger = ledgers[caller % ledgers.length]!
    const spender = pick(keys)
    const order = callOf(spender, 10_000n, { ttlMs: 90_000, priceVersion: 1, ...price })
    const authorized = await ledger.authorize(order)
    if (authorized.outcome !== 'authorized') throw new Error(authorized.outcome)
    // A free call has nothing to take a part of.
    const part = authorized.hold.freeBucket === null ? measured : {}
    const captured = await ledger.capture({ holdId: order.holdId, ...spender, ...part })
    if (captured.outcome !== 'done') throw new Error(captured.outcome)
  }
}

async function compare(bench: BenchDatabase): Promise<void> {
  const hot = await fundedKeys(bench, 1)
  const shared = await fundedKeys(bench, 1, 64)
  const spread = await fundedKeys(bench, 1000)
  const second = bench.open()
  const combined = [createLedger(bench.db), createLedger(second)]
  const single = [singleWrites(bench.db)]
  const pgbench = pgbenchRunner(bench, hot[0]!.accountId)
  const rows: string[][] = []
  for (const [name, keys] of [
    ['one hot key', hot],
    ['64 keys, one account', shared],
    ['1,000 accounts', spread],
  ] as const) {
    for (const callers of [1, 16, 64]) {
      const subjects: [string, () => Promise<LoadResult>][] = [
        ['combiner', () => load(pair([combined[0]!], keys), callers)],
        ['combiner, 2 instances', () => load(pair(combined, keys), callers)],
        ['single statements', () => load(pair(single, keys), callers)],
      ]
      if (callers > 1) {
        subjects.push(['combiner, 2 processes', () => twoProcesses(bench, keys, callers)])
      }
      const results = await interleaved(subjects)
      const singleRate = results.get('single statements')!.perSecond
      for (const [subject, result] of results)
        rows.push(row(name, callers, subject, result, singleRate))
      const rate = pgbench?.(callers)
      if (rate) {
        rows.push([
          name,
          String(callers),
          'pgbench, UPDATE of the hot row',
          formatNumber(rate),
          '',
          '',
          '',
        ])
      }
    }
  }
  console.log(
    formatTable(['keys', 'callers', 'subject', 'pairs/s', 'p50 ms', 'p99 ms', '× single'], rows),
  )
}

/** The same load from two processes, each with its own combiners, as two gateways have them. */
async function twoProcesses(
  { db }: BenchDatabase,
  keys: readonly Spender[],
  callers: number,
): Promise<LoadResult> {
  const share: Share = { url: db.url, keys, callers: callers / 2 }
  const command = [process.execPath, import.meta.path, '--seconds', values.seconds]
  const results = await Promise.all(
    [1, 2].map(async () => {
      const child = Bun.spawn([...command, '--share', JSON.stringify(share)], { stderr: 'inherit' })
      return (await new Response(child.stdout).json()) as LoadResult
    }),
  )
  const [one, two] = results as [LoadResult, LoadResult]
  return {
    perSecond: one.perSecond + two.perSecond,
    p50Ms: Math.max(one.p50Ms, two.p50Ms),
    p99Ms: Math.max(one.p99Ms, two.p99Ms),
    operations: one.operations + two.operations,
  }
}

async function runShare({ url, keys, callers }: Share): Promise<void> {
  const db = connectDatabase({ url, kind: 'server', log: silentLog })
  const operation = pair([createLedger(db)], keys)
  const result = await runLoad({ callers, durationMs, warmupMs: 1000, operation })
  process.stdout.write(JSON.stringify(result))
  await db.close()
}

function load(operation: (caller: number) => Promise<void>, callers: number): Promise<LoadResult> {
  return runLoad({ callers, durationMs, warmupMs: 300, operation })
}

/** Medians over the rounds; the subjects take turns, so that a busy moment hits them all. */
async function interleaved(
  subjects: readonly [string, () => Promise<LoadResult>][],
): Promise<Map<string, LoadResult>> {
  const results = new Map<string, LoadResult[]>(subjects.map(([name]) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (const [name, run] of subjects) results.get(name)!.push(await run())
  }
  return new Map([...results].map(([name, runs]) => [name, median(runs)]))
}

function row(
  name: string,
  callers: number,
  subject: string,
  result: LoadResult,
  singleRate: number,
): string[] {
  return [
    name,
    String(callers),
    subject,
    formatNumber(result.perSecond),
    result.p50Ms.toFixed(1),
    result.p99Ms.toFixed(1),
    (result.perSecond / singleRate).toFixed(2),
  ]
}

/** pgbench's transactions per second of a one-row UPDATE of the hot account; null without pgbench. */
function pgbenchRunner(
  database: BenchDatabase,
  accountId: string,
): ((callers: number) => number) | null {
  const found = ['pgbench', '/usr/lib/postgresql/15/bin/pgbench'].find(
    (command) => spawnSync(command, ['--version']).status === 0,
  )
  if (found === undefined) {
    console.log('pgbench is not installed: its column is left out')
    return null
  }
  const script = join(tmpdir(), `coinop-pgbench-${process.pid}.sql`)
  writeFileSync(
    script,
    `UPDATE coinop.account SET available = available WHERE id = '${accountId}';\n`,
  )
  process.on('exit', () => rmSync(script, { force: true }))
  return (callers) => {
    const seconds = String(Math.max(1, Math.round(durationMs / 1000)))
    const options = ['-n', '-M', 'prepared', '-c', String(Math.min(callers, 32)), '-T', seconds]
    const run = spawnSync(found, [...options, '-f', script, database.db.url], { encoding: 'utf8' })
    const rate = /tps = ([\d.]+)/.exec(run.stdout)?.[1]
    if (rate === undefined) throw new Error(`pgbench: ${run.stderr}`)
    return Number(rate)
  }
}

/** What budgets, part captures, tiers and free calls cost, in time, CPU and log written. */
async function prices(bench: BenchDatabase): Promise<void> {
  const ledgers = [createLedger(bench.db)]
  const rows: string[][] = []
  for (const [name, accountCount, keys] of [
    ['one hot key', 1, 1],
    ['64 keys, one account', 1, 64],
    ['1,000 accounts', 1000, 1],
  ] as const) {
    const plain = await fundedKeys(bench, accountCount, keys)
    const capped = await fundedKeys(bench, accountCount, keys)
    const both = await fundedKeys(bench, accountCount, keys)
    for (const spender of [...capped, ...both]) await setBudget(bench.db.sql, spender, '*', BUDGETS)
    for (const spender of both) await setBudget(bench.db.sql, spender, 'demo', BUDGETS)
    const units = 5n
    const tiered = { units, graduated: { units, baseAtomic: 1000n, tiers: TIERS } }
    const subjects: [string, (caller: number) => Promise<void>][] = [
      ['no budget', pair(ledgers, plain)],
      ['call, day, month', pair(ledgers, capped)],
      ['and of a product', pair(ledgers, both)],
      ['60 % captured', pair(ledgers, plain, {}, { amountAtomic: 6000n })],
      ['tiers and free calls', pair(ledgers, plain, { free: FREE }, tiered)],
    ]
    const results = new Map(subjects.map(([subject]) => [subject, [] as Measurement[]]))
    // Rounds with an odd number run backwards: what a round leaves behind hits each in turn.
    for (let round = 0; round < rounds; round++) {
      for (const [subject, operation] of round % 2 ? subjects.toReversed() : subjects) {
        results.get(subject)!.push(await measured(bench, operation))
      }
    }
    const base = summary(results.get('no budget')!)
    for (const [subject, measurements] of results) {
      const { load: result, cost } = summary(measurements)
      rows.push([
        name,
        subject,
        formatNumber(result.perSecond),
        (result.perSecond / base.load.perSecond).toFixed(2),
        result.p99Ms.toFixed(1),
        `${cost.serverUs.toFixed(0)} + ${cost.clientUs.toFixed(0)}`,
        (cpuOf(cost) / cpuOf(base.cost)).toFixed(2),
        cost.walBytes.toFixed(0),
      ])
    }
  }
  const head = ['keys', 'price', 'pairs/s', '× plain', 'p99 ms', 'server + client µs', '× plain']
  console.log(formatTable([...head, 'WAL bytes'], rows))
}

interface Measurement {
  load: LoadResult
  cost: Cost
}

async function measured(
  bench: BenchDatabase,
  operation: (caller: number) => Promise<void>,
): Promise<Measurement> {
  await runLoad({ callers: 64, durationMs: 300, operation })
  const meter = await costMeter(bench.db.sql)
  const result = await runLoad({ callers: 64, durationMs, operation })
  return { load: result, cost: await meter.per(result.operations) }
}

/** The median load of the rounds, and the mean cost of all their pairs. */
function summary(measurements: readonly Measurement[]): Measurement {
  const pairs = measurements.reduce((sum, { load: { operations } }) => sum + operations, 0)
  const mean = (of: (cost: Cost) => number) =>
    measurements.reduce((sum, { load: { operations }, cost }) => sum + of(cost) * operations, 0) /
    pairs
  return {
    load: median(measurements.map((one) => one.load)),
    cost: {
      serverUs: mean(({ serverUs }) => serverUs),
      clientUs: mean(({ clientUs }) => clientUs),
      walBytes: mean(({ walBytes }) => walBytes),
    },
  }
}

/** Paid calls of one key beside another of its account that is over its budget, 32 callers each. */
async function refusals(bench: BenchDatabase): Promise<void> {
  const [poor, rich] = (await fundedKeys(bench, 1, 2)) as [Spender, Spender]
  await setBudget(bench.db.sql, poor, '*', { day: 0n })
  const rows: string[][] = []
  for (const [name, ledger] of [
    ['combiner', createLedger(bench.db)],
    ['single statements', singleWrites(bench.db)],
  ] as const) {
    const pay = pair([ledger], [rich])
    let refused = 0
    const results: LoadResult[] = []
    for (let round = 0; round < rounds; round++) {
      const end = new AbortController()
      const refusing = Array.from({ length: 32 }, async () => {
        while (!end.signal.aborted) {
          const result = await ledger.authorize(callOf(poor, 10_000n))
          if (result.outcome !== 'over_budget') throw new Error(result.outcome)
          refused += 1
        }
      })
      results.push(await runLoad({ callers: 32, durationMs, operation: pay }))
      end.abort()
      await Promise.all(refusing)
    }
    rows.push([
      name,
      formatNumber(median(results).perSecond),
      formatNumber(refused / ((rounds * durationMs) / 1000)),
    ])
  }
  console.log(formatTable(['writes', 'paid pairs/s', 'refusals/s'], rows))
}

/** Pairs per second and p99 with so many captured holds in the books already. */
async function grow(bench: BenchDatabase): Promise<void> {
  const { sql } = bench.db
  const keys = await fundedKeys(bench, 1)
  const ledger = createLedger(bench.db)
  const rows: string[][] = []
  for (const size of sizes) {
    const before = await fill(sql, size)
    const results = await interleaved([
      ['combiner', () => load(pair([ledger], keys), 64)],
      ['alone', () => load(pair([ledger], keys), 1)],
    ])
    const startedMs = performance.now()
    const report = await verifyLedger(sql)
    if (!report.ok) throw new Error(JSON.stringify(report.violations))
    const [busy, alone] = [results.get('combiner')!, results.get('alone')!]
    rows.push([
      formatNumber(before),
      formatNumber(busy.perSecond),
      busy.p99Ms.toFixed(1),
      formatNumber(alone.perSecond),
      alone.p99Ms.toFixed(1),
      ((performance.now() - startedMs) / 1000).toFixed(1),
    ])
  }
  const head = ['holds in the books', '64 callers/s', 'p99 ms', '1 caller/s', 'p99 ms', 'verify s']
  console.log(`\n${formatTable(head, rows)}`)
}

/** Tops the books up to `target` holds, as if 1,000 other keys had called; returns how many there are. */
async function fill(sql: SqlClient, target: number): Promise<number> {
  const [{ count }] = await sql<[{ count: number }]>`SELECT count(*)::float8 AS count FROM hold`
  const missing = target - count
  if (missing <= 0) return count
  await sql.unsafe(`
    WITH made AS (
      INSERT INTO coinop.hold (id, account_id, amount, captured, created_at, expires_at, end_id,
        state, price_version, key_id, request_id, skill_id, product_id, path)
      SELECT format('01900000-0000-7000-8000-%s', lpad(to_hex(${count} + n), 12, '0'))::uuid,
        md5('filler' || n % 1000)::uuid, 10000, 10000, now() - interval '62 days',
        now() - interval '62 days',
        format('01900000-0000-7000-9000-%s', lpad(to_hex(${count} + n), 12, '0'))::uuid, 'captured', 1,
        'key_filler' || n % 1000, 'filler-' || (${count} + n), 'demo.echo', 'demo', '/v1/paid/echo'
      FROM generate_series(1, ${missing}) n
      RETURNING *),
    opened AS (
      INSERT INTO coinop.account (id, mode)
      SELECT account_id, 'test' FROM made GROUP BY 1 ON CONFLICT DO NOTHING),
    keyed AS (
      INSERT INTO coinop.key_spend (account_id, key_id)
      SELECT account_id, key_id FROM made GROUP BY 1, 2 ON CONFLICT DO NOTHING),
    granted AS (
      INSERT INTO coinop.entry (id, at, kind, account_id, amount, debit, credit)
      SELECT gen_random_uuid(), now(), 'grant', account_id, sum(amount), 'sandbox', 'available'
      FROM made GROUP BY account_id)
    INSERT INTO coinop.entry (id, at, kind, account_id, key_id, hold_id, amount, debit, credit)
    SELECT id, created_at, 'authorize'::coinop.entry_kind, account_id, key_id, id, amount, 'available', 'held' FROM made
    UNION ALL
    SELECT end_id, created_at, 'capture'::coinop.entry_kind, account_id, key_id, id, amount, 'held', 'revenue' FROM made`)
  // What a bulk load leaves behind must not run beside the measurement.
  await sql`VACUUM (ANALYZE) coinop.hold, coinop.entry, coinop.account, coinop.key_spend`
  return target
}
