/**
 * What a signed receipt costs a charged call, and a signed offer an unpaid one: the same gateway with
 * and without them in turns, in one run: `bun test/bench/receipts.ts [calls] [rounds]`. CPU is that of
 * the server process (/proc), so it holds on a busy machine. Needs no chain.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { benchDatabase } from './lib/database.ts'
import { startProcess, type MeasuredProcess } from './lib/process.ts'
import { formatNumber, formatTable } from './lib/table.ts'

const calls = Number(process.argv[2] ?? 3000)
const rounds = Number(process.argv[3] ?? 6)
const WARMUP_ROUNDS = 2
const CALLERS = 24
const ADMIN = 'bench-admin-token-of-at-least-32-characters'
const folder = mkdtempSync(join(tmpdir(), 'coinop-bench-receipts-'))
const database = await benchDatabase()

const start = (receipts: string): Promise<MeasuredProcess> =>
  startProcess('bin/main.ts', ['start'], {
    DATABASE_URL: database.db.url,
    DATA_DIR: join(folder, receipts),
    SANDBOX: 'true',
    SANDBOX_CHAIN: 'false',
    ADMIN_TOKEN: ADMIN,
    PORT: '0',
    LOG_LEVEL: 'error',
    LOG_FORMAT: 'json',
    COINOP_MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
    RATE_LIMIT_RPM: '1000000',
    RATE_LIMIT_BURST: '100000',
    RECEIPTS: receipts,
  })

/** An operator's request. */
async function admin(server: MeasuredProcess, path: string, body: object): Promise<any> {
  const response = await fetch(server.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${ADMIN}` },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response.json()
}

/** Microseconds of CPU per call. */
async function load(
  server: MeasuredProcess,
  status: number,
  headersOf: () => Record<string, string>,
): Promise<number> {
  let left = calls
  const before = server.cpuS()
  const caller = async (): Promise<void> => {
    while (left-- > 0) {
      const response = await fetch(`${server.url}/v1/paid/hash`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headersOf() },
        body: '{"input":"hello"}',
      })
      const text = await response.text()
      if (response.status !== status) throw new Error(`${response.status} ${text}`)
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, caller))
  return ((server.cpuS() - before) / calls) * 1e6
}

const [off, on] = [await start('off'), await start('receipts')]
const made = await admin(off, '/v1/keys', { name: 'bench', mode: 'test' })
await admin(off, '/v1/sandbox/topup', {
  apiKeyId: made.id,
  amount: 1_000_000,
  provider: 'sandbox',
})
const key = { 'x-api-key': made.key as string }
const again = (): Record<string, string> => ({ ...key, 'idempotency-key': crypto.randomUUID() })
const none = (): Record<string, string> => ({})
const subjects: readonly (readonly [string, () => Promise<number>])[] = [
  ['charged, RECEIPTS=off', () => load(off, 200, () => key)],
  ['charged, RECEIPTS=receipts', () => load(on, 200, () => key)],
  ['charged and kept for retries, RECEIPTS=off', () => load(off, 200, again)],
  ['charged and kept for retries, RECEIPTS=receipts', () => load(on, 200, again)],
  ['unpaid 402, RECEIPTS=off', () => load(off, 402, none)],
  ['unpaid 402, RECEIPTS=receipts', () => load(on, 402, none)],
]
const samples = new Map<string, number[]>(subjects.map(([name]) => [name, []]))
for (let round = -WARMUP_ROUNDS; round < rounds; round++) {
  for (const [name, run] of subjects) {
    const sample = await run()
    if (round >= 0) samples.get(name)!.push(sample)
  }
}
const median = (of: readonly number[]): number => of.toSorted((a, b) => a - b)[of.length >> 1]!
process.stdout.write(`${rounds} x ${calls} calls in turns, ${CALLERS} callers\n`)
process.stdout.write(
  `${formatTable(
    ['', 'CPU us/call', 'least'],
    [...samples].map(([name, of]) => [
      name,
      formatNumber(median(of)),
      formatNumber(Math.min(...of)),
    ]),
  )}\n`,
)
await Promise.all([off.stop(), on.stop()])
await database.close()
rmSync(folder, { recursive: true, force: true })
