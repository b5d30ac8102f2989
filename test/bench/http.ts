/**
 * Prepaid calls and free routes of the real gateway beside bare Elysia and beside a hand-written
 * two-statement gateway, in one run: `bun test/bench/http.ts [seconds] [rounds]`. Needs wrk.
 * LOG_LEVEL=error leaves the line per call out.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHash } from 'node:crypto'
import { benchDatabase } from './lib/database.ts'
import { startProcess, type MeasuredProcess } from './lib/process.ts'
import { formatNumber, formatTable } from './lib/table.ts'

const seconds = Number(process.argv[2] ?? 4)
const ROUNDS = Number(process.argv[3] ?? 5)
const WARMUP_ROUNDS = 2
const ADMIN = 'bench-admin-token-of-at-least-32-characters'
const folder = mkdtempSync(join(tmpdir(), 'coinop-bench-http-'))

interface Sample {
  perSecond: number
  p50Ms: number
  p99Ms: number
  cpuUs: number
  failed: number
}

/** One wrk run; its Lua script picks a key per request. */
async function wrk(
  server: MeasuredProcess,
  path: string,
  post: { body: string; keys: string[] } | null,
  connections = 64,
): Promise<Sample> {
  const script = join(folder, `${crypto.randomUUID()}.lua`)
  const keys = (post?.keys ?? []).map((key) => `"${key}"`).join(',')
  writeFileSync(
    script,
    `local keys={${keys}} local i=0
request=function() i=i+1
  ${post ? `local h={["content-type"]="application/json"} if #keys>0 then h["x-api-key"]=keys[i%#keys+1] end return wrk.format("POST","${path}",h,'${post.body}')` : `return wrk.format("GET","${path}")`}
end
done=function(s,l,r) io.write(string.format("RESULT %d %f %f %f %d\\n",s.requests,s.duration/1e6,l:percentile(50)/1e3,l:percentile(99)/1e3,s.errors.status)) end`,
  )
  const cpuBefore = server.cpuS()
  const run = Bun.spawn(
    ['wrk', '-t1', `-c${connections}`, `-d${seconds}s`, '-s', script, server.url],
    { stdout: 'pipe', stderr: 'inherit' },
  )
  const output = await new Response(run.stdout).text()
  const match = /RESULT (\d+) ([\d.]+) ([\d.]+) ([\d.]+) (\d+)/.exec(output)
  if (!match) throw new Error(`wrk printed no result:\n${output}`)
  const [requests, durationS, p50Ms, p99Ms, failed] = match.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
    number,
  ]
  return {
    perSecond: requests / durationS,
    p50Ms,
    p99Ms,
    cpuUs: ((server.cpuS() - cpuBefore) / requests) * 1e6,
    failed,
  }
}

type Subject = [name: string, run: () => Promise<Sample>]

/**
 * Every subject's samples. They take turns, so that a busy moment of the machine hits them all and
 * the ratios within a round hold; each is warmed up first, because a JIT takes its time.
 */
async function interleaved(subjects: readonly Subject[]): Promise<Map<string, Sample[]>> {
  const samples = new Map<string, Sample[]>(subjects.map(([name]) => [name, []]))
  for (let round = -WARMUP_ROUNDS; round < ROUNDS; round++) {
    for (const [name, run] of subjects) {
      const sample = await run()
      if (round >= 0) samples.get(name)!.push(sample)
    }
    process.stderr.write(round < 0 ? 'warming up\n' : `round ${round + 1} of ${ROUNDS}\n`)
  }
  return samples
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}

async function admin(gateway: MeasuredProcess, path: string, body: unknown): Promise<any> {
  const response = await fetch(gateway.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${ADMIN}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response.json()
}

async function fundedKeys(gateway: MeasuredProcess, count: number): Promise<string[]> {
  const keys: string[] = []
  for (let i = 0; i < count; i++) {
    const made = await admin(gateway, '/v1/keys', {
      name: `bench ${i}`,
      rpmLimit: 1_000_000,
      burstLimit: 100_000,
    })
    await admin(gateway, '/v1/sandbox/topup', {
      apiKeyId: made.id,
      amount: 10_000_000,
      provider: 'sandbox',
    })
    keys.push(made.key)
  }
  return keys
}

const database = await benchDatabase()
const gatewayEnv = {
  DATABASE_URL: database.db.url,
  DATA_DIR: folder,
  SANDBOX: 'true',
  ADMIN_TOKEN: ADMIN,
  PORT: '0',
  LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'info',
  LOG_FORMAT: 'json',
  COINOP_MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
  SANDBOX_CHAIN: 'false',
}
await database.db
  .sql`CREATE TABLE IF NOT EXISTS public.bench_key (id serial PRIMARY KEY, secret_hash bytea UNIQUE, balance bigint NOT NULL)`
const twoKeys = Array.from({ length: 1000 }, (_, i) => `two-statement-key-${i}`)
await database.db
  .sql`INSERT INTO public.bench_key (secret_hash, balance) SELECT decode(h, 'hex'), 1000000000000 FROM unnest(${twoKeys.map((key) => createHash('sha256').update(key).digest('hex'))}::text[]) AS h`

const bare = await startProcess('test/bench/peers/bare-elysia.ts')
const two = await startProcess('test/bench/peers/two-statements.ts', [], {
  DATABASE_URL: `${database.db.url}${database.db.url.includes('?') ? '&' : '?'}search_path=public`,
})
const one = await startProcess('kernel/main.ts', ['start'], gatewayEnv)
const other = await startProcess('kernel/main.ts', ['start'], gatewayEnv)
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

const samples = await interleaved([
  [BARE, () => wrk(bare, '/free', null)],
  [FREE, () => wrk(one, '/health', null)],
  [UNPAID, () => wrk(one, '/v1/paid/hash', { body, keys: [] })],
  [TWO_HOT, () => wrk(two, '/paid', { body, keys: [twoKeys[0]!] })],
  [HOT, () => wrk(one, '/v1/paid/hash', { body, keys: [hot!] })],
  [TWO_SPREAD, () => wrk(two, '/paid', { body, keys: twoKeys })],
  [SPREAD, () => wrk(one, '/v1/paid/hash', { body, keys: spread })],
  [
    BOTH,
    async () => {
      const [a, b] = await Promise.all(
        [one, other].map((server) => wrk(server, '/v1/paid/hash', { body, keys: [hot!] }, 32)),
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
])

const medianOf = (name: string, member: keyof Sample): number =>
  median(samples.get(name)!.map((sample) => sample[member]))
process.stdout.write(
  `wrk, 64 connections, medians of ${ROUNDS} x ${seconds} s in turns, PostgreSQL ${database.version}, everything on ${navigator.hardwareConcurrency} cores, log level ${gatewayEnv.LOG_LEVEL}\n`,
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
