/**
 * The unpaid 402 beside bare Elysia, and the paid path with a facilitator that says yes at once,
 * each beside @x402/hono on Bun and the same skill free, in one run: `bun test/bench/x402.ts
 * [payments]`. Needs no chain. Then both are sent 200 payments a second, whenever they answer: how
 * long the middle call and the slowest in a hundred take. The JIT compiler goes on for some 20,000
 * calls and counts as CPU of the server: 12 % of a paid call at 2,000 payments a round, 4 % at 5,000.
 * CPU is that of the server process (/proc), so it holds on a busy machine; throughput and times do not.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { privateKeyToAccount } from 'viem/accounts'
import { TEST_WALLET } from '../../plugins/x402/sandbox/wallets.ts'
import { decodePayment } from '../../plugins/x402/payment/decode.ts'
import { recoverSigner } from '../../plugins/shared/signing/ethereum.ts'
import { Verifier } from '../../plugins/x402/evm/verify.ts'
import { isEvm } from '../../plugins/x402/payment/wire.ts'
import type { Quote } from '../../kernel/rails/contract.ts'
import { baseAsset } from '../support/x402/chain.ts'
import { soleOffers } from '../support/x402/offers.ts'
import { decode, encode, requirementsIn, signPayment } from '../support/x402/payments.ts'
import { benchDatabase } from './lib/database.ts'
import { startProcess, type MeasuredProcess } from './lib/process.ts'
import { formatNumber, formatTable } from './lib/table.ts'

const payments = Number(process.argv[2] ?? 1200)
const UNPAID = payments * 10
const ROUNDS = 3
const CALLERS = 32
/** Payments that are sent in a second without waiting for answers, and for how long. */
const STEADY = { perSecond: 200, seconds: 5 }
const PAY_TO = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const KEY = 'bench-admin-token-of-at-least-32-characters'
const account = privateKeyToAccount(TEST_WALLET.privateKey)
const body = '{"message":"hello"}'

interface Sample {
  cpuUs: number
  perSecond: number
}

interface SteadySample {
  cpuUs: number
  p50Ms: number
  p99Ms: number
}

/** One request; throws on an answer of another status. */
async function ask(
  server: MeasuredProcess,
  path: string,
  expected: number,
  headers: Record<string, string>,
): Promise<void> {
  const response = await fetch(server.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  })
  const text = await response.text()
  if (response.status !== expected) throw new Error(`${path}: ${response.status} ${text}`)
}

/** `count` requests by CALLERS callers. */
async function load(
  server: MeasuredProcess,
  path: string,
  expected: number,
  count: number,
  headersOf: (index: number) => Record<string, string>,
): Promise<Sample> {
  let next = 0
  const cpuBefore = server.cpuS()
  const startedMs = performance.now()
  const caller = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) {
      await ask(server, path, expected, headersOf(index))
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, caller))
  const elapsedS = (performance.now() - startedMs) / 1000
  return { cpuUs: ((server.cpuS() - cpuBefore) / count) * 1e6, perSecond: count / elapsedS }
}

/** The middle one of ROUNDS samples after a warm-up. */
async function median(run: () => Promise<Sample>): Promise<Sample> {
  await run()
  const samples: Sample[] = []
  for (let round = 0; round < ROUNDS; round++) samples.push(await run())
  return samples.toSorted((a, b) => a.cpuUs - b.cpuUs)[Math.floor(ROUNDS / 2)]!
}

/** So many fresh payments of a route as their header's texts, signed before any clock starts. */
async function signedFor(server: MeasuredProcess, path: string, count: number): Promise<string[]> {
  const unpaid = await fetch(server.url + path, { method: 'POST', body })
  const requirements = requirementsIn(decode(unpaid.headers.get('payment-required')))
  const authorization = { validBefore: BigInt(Math.floor(Date.now() / 1000) + 3600) }
  const signed: string[] = []
  for (let index = 0; index < count; index++) {
    signed.push(encode(await signPayment(account, requirements, { authorization })))
  }
  return signed
}

function paid(server: MeasuredProcess, path: string): Promise<Sample> {
  return median(async () => {
    const signed = await signedFor(server, path, payments)
    return load(server, path, 200, payments, (index) => ({ 'payment-signature': signed[index]! }))
  })
}

/** Payments at the pace of STEADY: what a call costs and takes that shares little with others. */
async function steady(server: MeasuredProcess, path: string): Promise<SteadySample> {
  const signed = await signedFor(server, path, STEADY.perSecond * STEADY.seconds)
  const tookMs: number[] = []
  const cpuBefore = server.cpuS()
  const startedMs = performance.now()
  const calls = signed.map(async (payment, index) => {
    const dueMs = startedMs + (index * 1000) / STEADY.perSecond
    await Bun.sleep(Math.max(0, dueMs - performance.now()))
    const sentMs = performance.now()
    await ask(server, path, 200, { 'payment-signature': payment })
    tookMs.push(performance.now() - sentMs)
  })
  await Promise.all(calls)
  const cpuUs = ((server.cpuS() - cpuBefore) / signed.length) * 1e6
  const sorted = tookMs.toSorted((one, other) => one - other)
  const at = (share: number): number => sorted[Math.floor(share * sorted.length)]!
  return { cpuUs, p50Ms: at(0.5), p99Ms: at(0.99) }
}

/** CPU of decoding and verifying one payment in this process, and of its signature alone. */
async function verification(): Promise<{ allUs: number; recoverUs: number }> {
  const asset = baseAsset()
  const quote = {
    skillId: 'demo.echo',
    title: '',
    description: '',
    method: 'POST',
    path: '/v1/paid/echo',
    resourceUrl: 'http://localhost/v1/paid/echo',
    transport: 'http',
    amountAtomic: 10_000n,
    priceVersion: 1,
    timeoutMs: 30_000,
  } as Quote
  const { offers, prices } = soleOffers(PAY_TO, asset)
  const verifier = new Verifier({ asset, payTo: PAY_TO, offers, prices, contractSigned: null })
  const header = encode(await signPayment(account, offers.of(quote)[0]!))
  const deadline = new Date(Date.now() + 30_000)
  const times = async (work: () => Promise<unknown>): Promise<number> => {
    for (let warm = 0; warm < 1000; warm++) await work()
    const before = process.cpuUsage()
    for (let index = 0; index < 2000; index++) await work()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 2000
  }
  const decoded = decodePayment('payment-signature', header)
  if (!decoded.ok || !isEvm(decoded.payment)) throw new Error('the payment does not decode')
  const { payment } = decoded
  return {
    allUs: await times(async () => {
      const read = decodePayment('payment-signature', header)
      return read.ok && isEvm(read.payment) && verifier.examine(read.payment, quote, deadline)
    }),
    recoverUs: await times(() => recoverSigner(verifier.digest(payment), payment.signature)),
  }
}

const folder = mkdtempSync(join(tmpdir(), 'coinop-bench-x402-'))
const database = await benchDatabase()
const facilitator = await startProcess('test/bench/peers/x402-facilitator.ts')
const bare = await startProcess('test/bench/peers/bare-elysia.ts')
const hono = await startProcess('test/bench/peers/x402-hono.ts', [], {
  FACILITATOR_URL: facilitator.url,
})
const freeProducts = join(folder, 'products')
mkdirSync(freeProducts)
writeFileSync(
  join(freeProducts, 'demo.yaml'),
  `product_id: demo
title: Demo
description: The skill of the paid route, for nothing.
base_path: /v1/paid
plugin: demo
metered: false
skills:
  - skill: demo.echo
    route: POST /echo
`,
)

function gateway(env: Record<string, string>): Promise<MeasuredProcess> {
  return startProcess('bin/main.ts', ['start'], {
    DATABASE_URL: database.db.url,
    DATA_DIR: folder,
    SANDBOX: 'true',
    ADMIN_TOKEN: KEY,
    PORT: '0',
    LOG_LEVEL: 'error',
    LOG_FORMAT: 'json',
    SETTLEMENT_ADDRESS: PAY_TO,
    X402_FACILITATOR_URL: facilitator.url,
    RATE_LIMIT_RPM: '1000000',
    RATE_LIMIT_BURST: '100000',
    ...env,
  })
}

async function prepaidKey(coinop: MeasuredProcess): Promise<string> {
  const admin = (path: string, value: unknown) =>
    fetch(coinop.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify(value),
    }).then((response) => response.json() as Promise<{ id: string; key: string }>)
  const made = await admin('/v1/keys', { name: 'bench', rpmLimit: 1_000_000, burstLimit: 100_000 })
  await admin('/v1/sandbox/topup', { apiKeyId: made.id, amount: 1_000_000, provider: 'sandbox' })
  return made.key
}

const rows: [string, Sample][] = []
async function measure(name: string, run: () => Promise<Sample>): Promise<Sample> {
  const sample = await run()
  rows.push([name, sample])
  process.stderr.write(`${name}: ${formatNumber(sample.cpuUs)} us\n`)
  return sample
}
const none = () => ({})
const echo = await measure('bare Elysia, POST echo', () =>
  median(() => load(bare, '/echo', 200, UNPAID, none)),
)
const free = await gateway({ PRODUCTS_DIR: freeProducts })
const skill = await measure('coinop, the same skill free', () =>
  median(() => load(free, '/v1/paid/echo', 200, UNPAID, none)),
)
await free.stop()
const coinop = await gateway({})
const ours402 = await measure('coinop, unpaid 402', () =>
  median(() => load(coinop, '/v1/paid/echo', 402, UNPAID, none)),
)
const hono402 = await measure('@x402/hono, unpaid 402', () =>
  median(() => load(hono, '/paid', 402, UNPAID, none)),
)
const honoPaid = await measure('@x402/hono, paid', () => paid(hono, '/paid'))
const oursPaid = await measure('coinop, paid by x402', () => paid(coinop, '/v1/paid/echo'))
const key = await prepaidKey(coinop)
const prepaid = await measure('coinop, paid by credits', () =>
  median(() => load(coinop, '/v1/paid/echo', 200, UNPAID / 4, () => ({ 'x-api-key': key }))),
)
const steadyRows: [string, SteadySample][] = [
  ['@x402/hono', await steady(hono, '/paid')],
  ['coinop', await steady(coinop, '/v1/paid/echo')],
]
const { allUs, recoverUs } = await verification()

process.stdout.write(
  `median of ${ROUNDS} rounds, ${CALLERS} callers, PostgreSQL ${database.version}, everything on ${navigator.hardwareConcurrency} cores\n`,
)
process.stdout.write(
  `${formatTable(
    ['', 'CPU us/request', 'per second'],
    rows.map(([name, s]) => [name, formatNumber(s.cpuUs), formatNumber(s.perSecond)]),
  )}\n\n`,
)
process.stdout.write(
  `${formatTable(
    [`paid, ${STEADY.perSecond} a second`, 'CPU us/request', 'p50 ms', 'p99 ms', 'p99 / p50'],
    steadyRows.map(([name, { cpuUs, p50Ms, p99Ms }]) => [
      name,
      ...[cpuUs, p50Ms, p99Ms, p99Ms / p50Ms].map(formatNumber),
    ]),
  )}\n\n`,
)
process.stdout.write(
  `402: coinop / bare Elysia          ${formatNumber(ours402.cpuUs / echo.cpuUs)}\n` +
    `402: @x402/hono / coinop           ${formatNumber(hono402.cpuUs / ours402.cpuUs)}\n` +
    `paid: coinop / @x402/hono          ${formatNumber(oursPaid.cpuUs / honoPaid.cpuUs)}\n` +
    `paid: x402 over credits            ${formatNumber(oursPaid.cpuUs - prepaid.cpuUs)} us\n` +
    `verification in process            ${formatNumber(allUs)} us, of which the signature ${formatNumber(recoverUs)} us\n` +
    `paid: over the skill, signature aside  ${formatNumber(oursPaid.cpuUs - skill.cpuUs - recoverUs)} us\n`,
)
for (const server of [facilitator, bare, hono, coinop]) await server.stop()
await database.close()
rmSync(folder, { recursive: true, force: true })
