/**
 * The ledger alone: authorize + capture pairs per second, beside single statements and pgbench in
 * the same run, and its cost as the tables grow.
 *
 *   bun test/bench/ledger.ts [--seconds 3] [--rounds 3] [--rows 1000,10000,100000,1000000]
 *
 * Uses the embedded PostgreSQL in a new folder, or the server of DATABASE_URL. Client and server
 * share the machine: read the ratios.
 */
import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { newId } from '../../kernel/ids.ts'
import type { Ledger } from '../../kernel/ledger/contract.ts'
import { createLedger } from '../../kernel/ledger/ledger.ts'
import { singleWrites } from '../support/single-writes.ts'
import { verifyLedger } from '../../kernel/ledger/verify.ts'
import { connectDatabase } from '../../kernel/storage/connect.ts'
import type { SqlClient } from '../../kernel/storage/contract.ts'
import { silentLog } from '../support/log.ts'
import { benchDatabase, type BenchDatabase } from './lib/database.ts'
import { median, runLoad, type LoadResult } from './lib/load.ts'
import { formatNumber, formatTable } from './lib/table.ts'
import { ownAccount, openKey } from '../support/accounts.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '3' },
    rows: { type: 'string', default: '1000,100000,1000000' },
    // Set by the bench itself for the processes that it starts.
    share: { type: 'string' },
  },
})
const durationMs = Number(values.seconds) * 1000
const rounds = Number(values.rounds)
const sizes = values.rows.split(',').map(Number)

/** One process's part of a load. */
interface Share {
  url: string
  keys: readonly string[]
  callers: number
}

if (values.share === undefined) {
  await onFreshDatabase(compare)
  await onFreshDatabase(grow)
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

async function fundedKeys({ db }: BenchDatabase, count: number): Promise<string[]> {
  const ledger = createLedger(db)
  return Promise.all(
    Array.from({ length: count }, async () => {
      const keyId = `key_${newId().replaceAll('-', '')}`
      await openKey(db.sql, keyId)
      const grant = { keyId, amountAtomic: 10n ** 14n, source: 'sandbox', reference: keyId }
      await ledger.credit({ ...grant, accountId: ownAccount(keyId), kind: 'grant' })
      return keyId
    }),
  )
}

/** One paid call's ledger work on a random key; caller i uses instance i modulo their number. */
function pair(ledgers: readonly Ledger[], keys: readonly string[]) {
  return async (caller: number): Promise<void> => {
    const ledger = ledgers[caller % ledgers.length]!
    const keyId = keys[Math.floor(Math.random() * keys.length)]!
    const holdId = newId()
    const authorized = await ledger.authorize({
      holdId,
      accountId: ownAccount(keyId),
      keyId,
      requestId: newId(),
      skillId: 'demo.echo',
      productId: 'demo',
      path: '/v1/paid/echo',
      amountAtomic: 10_000n,
      ttlMs: 90_000,
      priceVersion: 1,
      scope: 'call',
    })
    if (authorized.outcome !== 'authorized') throw new Error(authorized.outcome)
    const captured = await ledger.capture({ holdId, accountId: ownAccount(keyId), keyId })
    if (captured.outcome !== 'done') throw new Error(captured.outcome)
  }
}

async function compare(bench: BenchDatabase): Promise<void> {
  const hot = await fundedKeys(bench, 1)
  const spread = await fundedKeys(bench, 1000)
  const second = bench.open()
  const combined = [createLedger(bench.db), createLedger(second)]
  const single = [singleWrites(bench.db)]
  const pgbench = pgbenchRunner(bench, hot[0]!)
  const rows: string[][] = []
  for (const [name, keys] of [
    ['one hot key', hot],
    ['1,000 keys', spread],
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
  keys: readonly string[],
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
  keyId: string,
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
    `UPDATE coinop.account SET available = available WHERE id = '${ownAccount(keyId)}';\n`,
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
      INSERT INTO coinop.hold (id, account_id, amount, captured, created_at, expires_at,
        end_id, state, price_version, key_id, request_id, skill_id, product_id, path)
      SELECT format('01900000-0000-7000-8000-%s', lpad(to_hex(${count} + n), 12, '0'))::uuid, md5('key_filler' || n % 1000)::uuid, 10000, 10000, now() - interval '2 days', now() - interval '2 days',
        format('01900000-0000-7000-9000-%s', lpad(to_hex(${count} + n), 12, '0'))::uuid, 'captured', 1,
        'key_filler' || n % 1000, 'filler-' || (${count} + n), 'demo.echo', 'demo', '/v1/paid/echo'
      FROM generate_series(1, ${missing}) n
      RETURNING *),
    opened AS (
      INSERT INTO coinop.account (id, mode)
      SELECT account_id, 'test' FROM made GROUP BY 1 ON CONFLICT DO NOTHING),
    spending AS (
      INSERT INTO coinop.key_spend (account_id, key_id)
      SELECT account_id, key_id FROM made GROUP BY 1, 2 ON CONFLICT DO NOTHING),
    granted AS (
      INSERT INTO coinop.entry (id, at, kind, account_id, key_id, amount, debit, credit)
      SELECT gen_random_uuid(), now(), 'grant', account_id, key_id, sum(amount), 'sandbox', 'available'
      FROM made GROUP BY account_id, key_id)
    INSERT INTO coinop.entry (id, at, kind, account_id, key_id, hold_id, amount, debit, credit)
    SELECT id, created_at, 'authorize'::coinop.entry_kind, account_id, key_id, id, amount, 'available', 'held' FROM made
    UNION ALL
    SELECT end_id, created_at, 'capture'::coinop.entry_kind, account_id, key_id, id, amount, 'held', 'revenue' FROM made`)
  // What a bulk load leaves behind must not run beside the measurement.
  await sql`VACUUM (ANALYZE) coinop.hold, coinop.entry, coinop.account, coinop.key_spend`
  return target
}
