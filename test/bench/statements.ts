/**
 * What the account pages read of an account with many postings: a page of calls, with and without a
 * filter that no index answers, and the usage of a month: `bun test/bench/statements.ts [calls] [keys]`.
 * The calls lie in 30 days on 20 keys, or as many as are asked for; each has two postings.
 */
import { foldUsage } from '../../host/reporting/usage/fold.ts'
import { accountServices } from '../support/account-services.ts'
import { benchDatabase } from './lib/database.ts'
import { formatNumber, formatTable } from './lib/table.ts'

const calls = Number(process.argv[2] ?? 100_000)
const KEYS = Number(process.argv[3] ?? 20)
const DAYS = 30
const RUNS = 5
const DAY_MS = 86_400_000
const { db, version, close } = await benchDatabase()
const { sql } = db
const services = accountServices(db)
const { statements } = services

const { accountId } = await services.accounts.open({ name: 'bench', mode: 'test' })
const keyIds: string[] = []
for (let at = 0; at < KEYS; at++) {
  const made = await services.keys.createOn(accountId, {
    name: `key ${at}`,
    mode: 'test',
    max: KEYS,
  })
  if (made.outcome !== 'created') throw new Error(made.outcome)
  keyIds.push(made.record.id)
}

/** Calls as the ledger writes them, in one statement: one at a time would take minutes. */
await sql.unsafe(
  `WITH due AS (
    SELECT n, now() - make_interval(secs => (${calls} - n) * ${(DAYS * 86_400) / calls}::float8) AS at,
      ($2::text[])[1 + n % ${KEYS}] AS key_id
    FROM generate_series(1, ${calls}) n),
  timed AS (
    SELECT *, lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') AS ms,
      lpad(to_hex(n), 12, '0') AS number
    FROM due),
  made AS (
    INSERT INTO coinop.hold (id, account_id, amount, captured, created_at, expires_at, end_id,
      state, price_version, key_id, request_id, skill_id, product_id, path)
    SELECT format('%s-%s-7000-8000-%s', left(ms, 8), right(ms, 4), number)::uuid, $1::uuid, 10000, 10000,
      at, at, format('%s-%s-7000-9000-%s', left(ms, 8), right(ms, 4), number)::uuid, 'captured', 1,
      key_id, 'request-' || n, 'demo.skill' || n % 7, 'demo', '/v1/paid/echo'
    FROM timed RETURNING *)
  INSERT INTO coinop.entry (id, at, kind, account_id, key_id, hold_id, amount, debit, credit)
  SELECT id, created_at, 'authorize'::coinop.entry_kind, account_id, key_id, id, amount, 'available', 'held' FROM made
  UNION ALL
  SELECT end_id, created_at, 'capture'::coinop.entry_kind, account_id, key_id, id, amount, 'held', 'revenue' FROM made`,
  [accountId, keyIds],
)
await sql`VACUUM (ANALYZE) coinop.hold, coinop.entry, coinop.api_key`

/** The least of some runs, in milliseconds, and how many rows came back. */
async function measured(read: () => Promise<readonly unknown[]>): Promise<[number, number]> {
  let bestMs = Infinity
  let rows = 0
  for (let run = 0; run < RUNS; run++) {
    const startedMs = performance.now()
    rows = (await read()).length
    bestMs = Math.min(bestMs, performance.now() - startedMs)
  }
  return [bestMs, rows]
}

const page = { limit: 50, cursor: null }
const until = new Date()
const from = new Date(until.getTime() - DAYS * DAY_MS)
const reads: Record<string, () => Promise<readonly unknown[]>> = {
  'a page of 50 calls': async () => (await statements.calls(accountId, {}, page)).calls,
  'a page of 1,000': async () =>
    (await statements.calls(accountId, {}, { limit: 1000, cursor: null })).calls,
  'of one skill of seven': async () =>
    (await statements.calls(accountId, { skillId: 'demo.skill1' }, page)).calls,
  'of a skill without calls': async () =>
    (await statements.calls(accountId, { skillId: 'demo.none' }, page)).calls,
  'usage of a day': () => statements.usage(accountId, new Date(until.getTime() - DAY_MS), until),
  'usage of 30 days': () => statements.usage(accountId, from, until),
}
const months = {
  from: new Date(Math.ceil(from.getTime() / DAY_MS) * DAY_MS),
  until: new Date(Math.ceil(until.getTime() / DAY_MS) * DAY_MS),
}
const WHOLE_DAYS = 'usage of whole days, today too'
reads[WHOLE_DAYS] = () => statements.usage(accountId, months.from, months.until)
/** What each read takes, by its name. */
async function measuredReads(): Promise<Map<string, [number, number]>> {
  const found = new Map<string, [number, number]>()
  for (const [name, read] of Object.entries(reads)) found.set(name, await measured(read))
  return found
}

const before = await measuredReads()
/** Milliseconds of each slice, as a gateway folds them after an upgrade. */
const sliceMs: number[] = []
for (let folded = 'more'; folded === 'more';) {
  const startedMs = performance.now()
  folded = await foldUsage(sql)
  sliceMs.push(performance.now() - startedMs)
}
const after = await measuredReads()
const rows = [...before].map(([name, [ms, found]]) => {
  const [foldedMs, foldedFound] = after.get(name)!
  return [
    name,
    formatNumber(ms),
    formatNumber(foldedMs),
    formatNumber(found),
    formatNumber(foldedFound),
  ]
})
console.log(`PostgreSQL ${version}, ${formatNumber(calls)} calls on ${KEYS} keys in ${DAYS} days`)
console.log(formatTable(['read', 'ms before folding', 'ms after', 'rows', 'after'], rows))
console.log(
  `folded in ${sliceMs.length} slices, ${formatNumber(sliceMs.reduce((a, b) => a + b, 0))} ms, the longest ${formatNumber(Math.max(...sliceMs))} ms`,
)
await close()
