/**
 * What the log of requests costs: CPU of the gateway per refused call (402, 401, 400) with and without
 * it, and of paid calls while refusals flood: `bun test/bench/request-log.ts [seconds] [rounds]`. The
 * two gateways take turns on one database server; "without" has no console product.
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { benchDatabase } from './lib/database.ts'
import { runLoad } from './lib/load.ts'
import { startProcess, type MeasuredProcess } from './lib/process.ts'
import { formatNumber, formatTable } from './lib/table.ts'

const seconds = Number(process.argv[2] ?? 3)
const ROUNDS = Number(process.argv[3] ?? 3)
const ADMIN_TOKEN = 'bench-admin-token-of-at-least-32-characters'
const folder = mkdtempSync(join(tmpdir(), 'coinop-bench-request-log-'))
const products = (name: string, isKept: (file: string) => boolean): string => {
  const to = join(folder, name)
  cpSync(resolve(import.meta.dirname, '../../products'), to, {
    recursive: true,
    filter: (from) => isKept(from),
  })
  return to
}

interface Subject {
  server: MeasuredProcess
  key: string
  close(): Promise<void>
}

async function subject(name: string, productsDir: string): Promise<Subject> {
  const database = await benchDatabase()
  const server = await startProcess('bin/main.ts', ['start'], {
    DATABASE_URL: database.db.url,
    DATA_DIR: join(folder, `${name}-data`),
    PRODUCTS_DIR: productsDir,
    ADMIN_TOKEN,
    SANDBOX: 'true',
    SANDBOX_CHAIN: 'false',
    RATE_LIMIT_RPM: '1000000',
    RATE_LIMIT_BURST: '100000',
    PORT: '0',
    LOG_LEVEL: 'error',
    LOG_FORMAT: 'json',
    COINOP_MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
  })
  const admin = async (path: string, body: object): Promise<Record<string, string>> => {
    const headers = { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' }
    const answer = await fetch(server.url + path, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    return (await answer.json()) as Record<string, string>
  }
  const { id, key } = await admin('/v1/keys', { name: 'bench' })
  await admin('/v1/sandbox/topup', { apiKeyId: id, amount: 1_000_000, provider: 'sandbox' })
  return {
    server,
    key: key!,
    async close() {
      await server.stop()
      await database.close()
    },
  }
}

const subjects: Record<string, Subject> = {
  without: await subject(
    'without',
    products('without', (file) => !file.endsWith('console.yaml')),
  ),
  with: await subject(
    'with',
    products('with', () => true),
  ),
}

type Kind = readonly [name: string, status: number, make: (key: string) => RequestInit]
const json = { 'content-type': 'application/json' }
const KINDS: readonly Kind[] = [
  ['402 unpaid', 402, () => ({ headers: json, body: '{"input":"a"}' })],
  [
    '401 wrong key',
    401,
    () => ({ headers: { ...json, 'x-api-key': 'ck_test_wrong' }, body: '{"input":"a"}' }),
  ],
  [
    '400 bad input',
    400,
    (key) => ({ headers: { ...json, 'x-api-key': key }, body: '{"inptu":"a"}' }),
  ],
  ['200 paid', 200, (key) => ({ headers: { ...json, 'x-api-key': key }, body: '{"input":"a"}' })],
]

/** CPU of the server per request, in microseconds. */
async function cpuUs({ server, key }: Subject, [, status, make]: Kind): Promise<number> {
  const init = { method: 'POST', ...make(key) }
  const before = server.cpuS()
  const { operations } = await runLoad({
    callers: 16,
    durationMs: seconds * 1000,
    async operation() {
      const answer = await fetch(`${server.url}/v1/paid/hash`, init)
      await answer.arrayBuffer()
      if (answer.status !== status) throw new Error(`${answer.status} instead of ${status}`)
    },
  })
  return ((server.cpuS() - before) / operations) * 1e6
}

const medianOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
const rows: string[][] = []
for (const kind of KINDS) {
  const samples: Record<string, number[]> = { with: [], without: [] }
  for (let round = -1; round < ROUNDS; round++) {
    for (const [name, one] of Object.entries(subjects)) {
      const us = await cpuUs(one, kind)
      if (round >= 0) samples[name]!.push(us)
    }
  }
  const [without, with_] = [medianOf(samples['without']!), medianOf(samples['with']!)]
  rows.push([kind[0], ...[without, with_, with_ - without].map(formatNumber)])
}
process.stdout.write(
  `${formatTable(['CPU us/request', 'without', 'with', 'more'], rows)}\nload average ${loadavg()[0]!.toFixed(1)}\n`,
)
for (const one of Object.values(subjects)) await one.close()
rmSync(folder, { recursive: true, force: true })
