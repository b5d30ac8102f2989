/**
 * Prepaid calls and free routes of the real gateway beside bare Elysia and beside a hand-written
 * two-statement gateway, in one run: `bun test/bench/http.ts [seconds] [rounds]`. Needs wrk.
 * LOG_LEVEL=error leaves the line per call out.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHash } from 'node:crypto'
import { fundedKeys, gatewayEnv } from './lib/bench-gateway.ts'
import { benchDatabase } from './lib/database.ts'
import { startProcess } from './lib/process.ts'
import { formatNumber, formatTable } from './lib/table.ts'
import { interleaved, median, wrk, type Sample } from './lib/wrk.ts'

const seconds = Number(process.argv[2] ?? 4)
const ROUNDS = Number(process.argv[3] ?? 5)
const folder = mkdtempSync(join(tmpdir(), 'coinop-bench-http-'))

const database = await benchDatabase()
const environment = gatewayEnv(database.db.url, folder)
await database.db
  .sql`CREATE TABLE IF NOT EXISTS public.bench_key (id serial PRIMARY KEY, secret_hash bytea UNIQUE, balance bigint NOT NULL)`
const twoKeys = Array.from({ length: 1000 }, (_, i) => `two-statement-key-${i}`)
await database.db
  .sql`INSERT INTO public.bench_key (secret_hash, balance) SELECT decode(h, 'hex'), 1000000000000 FROM unnest(${twoKeys.map((key) => createHash('sha256').update(key).digest('hex'))}::text[]) AS h`

const bare = await startProcess('test/bench/peers/bare-elysia.ts')
const two = await startProcess('test/bench/peers/two-statements.ts', [], {
  DATABASE_URL: `${database.db.url}${database.db.url.includes('?') ? '&' : '?'}search_path=public`,
})
const one = await startProcess('bin/main.ts', ['start'], environment)
const other = await startProcess('bin/main.ts', ['start'], environment)
const [hot, ...spread] = await fundedKeys(one, 1001)
const body = '{"input":"hello"}'

const FREE = 'coinop GET /health'
const UNPAID = 'coinop unpaid 402'
const BARE = 'bare Elysia, GET JSON'
const HOT = 'coinop prepaid, one key'
const TWO_HOT = 'two statements, one key'
const SPREAD = 'coinop prepaid, 1,000 keys'
const TWO_SPREAD = 'two statements, 1,000 keys'
const BOTH = 'coinop prepaid, one key, 2 instances'

const time = { seconds }
const samples = await interleaved<Sample>(
  [
    [BARE, () => wrk(bare, '/free', null, time)],
    [FREE, () => wrk(one, '/health', null, time)],
    [UNPAID, () => wrk(one, '/v1/paid/hash', { body, keys: [] }, time)],
    [TWO_HOT, () => wrk(two, '/paid', { body, keys: [twoKeys[0]!] }, time)],
    [HOT, () => wrk(one, '/v1/paid/hash', { body, keys: [hot!] }, time)],
    [TWO_SPREAD, () => wrk(two, '/paid', { body, keys: twoKeys }, time)],
    [SPREAD, () => wrk(one, '/v1/paid/hash', { body, keys: spread }, time)],
    [
      BOTH,
      async () => {
        const [a, b] = await Promise.all(
          [one, other].map((server) =>
            wrk(server, '/v1/paid/hash', { body, keys: [hot!] }, { seconds, connections: 32 }),
          ),
        )
        return {
          perSecond: a!.perSecond + b!.perSecond,
          p50Ms: Math.max(a!.p50Ms, b!.p50Ms),
          p99Ms: Math.max(a!.p99Ms, b!.p99Ms),
          cpuUs: (a!.cpuUs + b!.cpuUs) / 2,
          failed: a!.failed + b!.failed,
        }
      },
    ],
  ],
  ROUNDS,
)

const medianOf = (name: string, member: keyof Sample): number =>
  median(samples.get(name)!.map((sample) => sample[member]))
process.stdout.write(
  `wrk, 64 connections, medians of ${ROUNDS} x ${seconds} s in turns, PostgreSQL ${database.version}, everything on ${navigator.hardwareConcurrency} cores, log level ${environment['LOG_LEVEL']}\n`,
)
process.stdout.write(
  `${formatTable(
    ['', 'per second', 'p50 ms', 'p99 ms', 'CPU us/request', 'not 2xx'],
    [...samples.keys()].map((name) => [
      name,
      formatNumber(medianOf(name, 'perSecond')),
      formatNumber(medianOf(name, 'p50Ms')),
      formatNumber(medianOf(name, 'p99Ms')),
      formatNumber(medianOf(name, 'cpuUs')),
      String(medianOf(name, 'failed')),
    ]),
  )}\n\n`,
)
/** Medians of the ratios within a round: by rate, and by CPU of the server per request. */
const ratio = (label: string, name: string, peer: string): string[] => {
  const pairs = samples
    .get(name)!
    .map((sample, round) => [sample, samples.get(peer)![round]!] as const)
  return [
    label,
    formatNumber(median(pairs.map(([own, other]) => own.perSecond / other.perSecond))),
    formatNumber(median(pairs.map(([own, other]) => other.cpuUs / own.cpuUs))),
  ]
}
process.stdout.write(
  `${formatTable(
    ['', 'by rate', 'by CPU'],
    [
      ratio('free route / bare Elysia', FREE, BARE),
      ratio('unpaid 402 / bare Elysia', UNPAID, BARE),
      ratio('prepaid / two statements (hot)', HOT, TWO_HOT),
      ratio('prepaid / two statements (1000)', SPREAD, TWO_SPREAD),
      ratio('two instances / one (hot)', BOTH, HOT),
    ],
  )}\n`,
)

for (const server of [bare, two, one, other]) await server.stop()
await database.close()
rmSync(folder, { recursive: true, force: true })
