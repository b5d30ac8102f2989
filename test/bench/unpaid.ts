/**
 * What an unpaid call costs the gateway, by the dialects that its 402 speaks, and what one MPP
 * challenge costs beside that of mppx: `bun test/bench/unpaid.ts [seconds] [rounds]`.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Challenge } from 'mppx'
import { Challenges, expiresIn } from '../../plugins/mpp/challenges.ts'
import { encodeJcs } from '../../plugins/mpp/wire/base64url.ts'
import { challengeText, idKey } from '../../plugins/mpp/wire/challenge.ts'
import { benchDatabase } from './lib/database.ts'
import { runLoad } from './lib/load.ts'
import { startProcess, type MeasuredProcess } from './lib/process.ts'
import { formatNumber, formatTable } from './lib/table.ts'

const seconds = Number(process.argv[2] ?? 3)
const ROUNDS = Number(process.argv[3] ?? 3)
const folder = mkdtempSync(join(tmpdir(), 'coinop-bench-unpaid-'))
const database = await benchDatabase()

const started = (name: string, env: Record<string, string>): Promise<MeasuredProcess> =>
  startProcess('bin/main.ts', ['start'], {
    DATABASE_URL: database.db.url,
    DATA_DIR: join(folder, name),
    SANDBOX: 'true',
    PORT: '0',
    LOG_LEVEL: 'error',
    LOG_FORMAT: 'json',
    COINOP_MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
    ...env,
  })
const subjects: Record<string, MeasuredProcess> = {
  'credits alone': await started('credits', { SANDBOX_CHAIN: 'false' }),
  'x402 as well': await started('x402', {}),
  'x402 and MPP': await started('mpp', { MPP_METHODS: 'evm/charge' }),
}

/** CPU of the server per 402, in microseconds. */
async function unpaid(server: MeasuredProcess): Promise<number> {
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'accept-payment': 'evm/charge' },
    body: '{"message":"hi"}',
  }
  const before = server.cpuS()
  const { operations } = await runLoad({
    callers: 16,
    durationMs: seconds * 1000,
    async operation() {
      const answer = await fetch(`${server.url}/v1/paid/echo`, init)
      await answer.arrayBuffer()
      if (answer.status !== 402) throw new Error(`${answer.status}`)
    },
  })
  return ((server.cpuS() - before) / operations) * 1e6
}

const samples = new Map(Object.keys(subjects).map((name) => [name, [] as number[]]))
for (let round = -1; round < ROUNDS; round++) {
  for (const [name, server] of Object.entries(subjects)) {
    const cpuUs = await unpaid(server)
    if (round >= 0) samples.get(name)!.push(cpuUs)
  }
}
const medianOf = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
const rows = [...samples].map(([name, values]) => [name, formatNumber(medianOf(values))])
process.stdout.write(`${formatTable(['unpaid 402', 'CPU us/request'], rows)}\n\n`)
for (const server of Object.values(subjects)) await server.stop()
await database.close()
rmSync(folder, { recursive: true, force: true })

const REQUEST = {
  amount: '10000',
  currency: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  recipient: '0x1111111111111111111111111111111111111111',
  methodDetails: { chainId: 8453, credentialTypes: ['authorization'], decimals: 6 },
}
const secretKey = 'a secret of the bench, long enough'
const realm = 'api.example.com'
const own = new Challenges({ realm, keys: [idKey(Buffer.from(secretKey))] })
const asked = { method: 'evm', intent: 'charge', request: encodeJcs(REQUEST) }
const place = { transport: 'http', method: 'POST', target: '/v1/paid/echo' } as const
const makers: Record<string, () => string> = {
  'one challenge': () =>
    challengeText(own.issue(asked, { place, expires: expiresIn(90), header: null })),
  'the same by mppx': () =>
    Challenge.serialize(
      Challenge.from({
        realm,
        secretKey,
        method: 'evm',
        intent: 'charge',
        request: REQUEST,
        expires: expiresIn(90),
        meta: { n: crypto.randomUUID(), r: 'POST /v1/paid/echo' },
      } as never),
    ),
}
const TIMES = 20_000
const made = Object.entries(makers).map(([name, make]) => {
  for (let i = 0; i < TIMES / 10; i++) make()
  const before = process.cpuUsage()
  for (let i = 0; i < TIMES; i++) make()
  const { user, system } = process.cpuUsage(before)
  return [name, formatNumber((user + system) / TIMES)]
})
process.stdout.write(`${formatTable(['', 'CPU us'], made)}\n`)
