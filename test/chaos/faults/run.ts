/**
 * Faults on the real thing: gateways as processes over a PostgreSQL of Debian's, callers who send each
 * call until it has its answer, one fault at a time, and an audit after each.
 *
 *   npm run chaos:faults -- [--seed 1] [--short] [--strict] [frozen full-disk customers-frozen ...]
 *
 * Needs Debian's postgresql (any version from 14), pgbouncer and libfaketime; what is missing is
 * skipped and said so, and with --strict it is a failure. With --short each takes some seconds, as in
 * test/e2e/faults.test.ts. Exit code 1 when anything was wrong.
 */
import { mkdtempSync, rmSync, chmodSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { debianPostgres } from './postgres.ts'
import { SCENARIOS } from './scenarios.ts'
import { LONG, SHORT } from './sizes.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    short: { type: 'boolean', default: false },
    strict: { type: 'boolean', default: false },
  },
})
const seed = Number(values.seed)
const size = values.short ? SHORT : LONG
const unknown = positionals.filter((name) => !(name in SCENARIOS))
if (unknown.length > 0) {
  console.error(
    `no such fault: ${unknown.join(', ')}; there are ${Object.keys(SCENARIOS).join(', ')}`,
  )
  process.exit(64)
}
console.log(`seed ${seed}`)
let isWrong = false
const names = positionals.length > 0 ? positionals : Object.keys(SCENARIOS)
for (const name of names) {
  const scenario = SCENARIOS[name]!
  const missing = debianPostgres() === null ? "Debian's postgresql" : scenario.missing()
  if (missing !== null) {
    console.log(`${name}: SKIPPED, ${missing} is missing`)
    if (values.strict) isWrong = true
    continue
  }
  const folder = mkdtempSync(join(tmpdir(), 'coinop-faults-'))
  chmodSync(folder, 0o755)
  const startedMs = performance.now()
  try {
    const { wrong, counts, ...rest } = await scenario.run({ databaseUrl: null, folder, seed, size })
    const told = Object.entries({ ...rest, ...counts }).map(([what, count]) => `${what} ${count}`)
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(0)
    console.log(`${name}: ${told.join(', ')}; wrong ${wrong.length} (${seconds} s)`)
    for (const line of wrong.slice(0, 20)) console.log(`WRONG ${line}`)
    if (wrong.length > 0) isWrong = true
  } catch (error) {
    console.log(`${name}: FAILED ${(error as Error).stack}`)
    isWrong = true
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
process.exit(isWrong ? 1 : 0)
