/**
 * Where the time of a call goes in the gateway, by layer and by function: `bun test/bench/profile.ts
 * [seconds] [kinds]`. A gateway runs under Bun's sampling profiler while 64 callers pay with one key,
 * ask for a free route, bring nothing, or pay by x402 (the kinds: prepaid, free, unpaid, x402; default:
 * prepaid,unpaid). A sample counts for the layer of the innermost file of ours on its stack; what has
 * none of ours is the driver of the database, or Bun itself (promises, HTTP). Functions are listed by
 * the time that they take themselves. The profiler slows the gateway down: read the shares.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { privateKeyToAccount } from 'viem/accounts'
import { TEST_WALLET } from '../../plugins/x402/sandbox/wallets.ts'
import { decode, encode, requirementsIn, signPayment } from '../support/x402/payments.ts'
import { benchDatabase } from './lib/database.ts'
import { runLoad } from './lib/load.ts'
import { startProcess } from './lib/process.ts'
import { formatTable } from './lib/table.ts'

type Kind = 'prepaid' | 'free' | 'unpaid' | 'x402'
const seconds = Number(process.argv[2] ?? 6)
const kinds = (process.argv[3] ?? 'prepaid,unpaid').split(',') as Kind[]
const ADMIN = 'bench-admin-token-of-at-least-32-characters'
const CALLERS = 64
const PAY_TO = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const INTERVAL_US = 500
const WARM_UP_MS = 2000
const FUNCTIONS = 24
/** Payments are signed before they are sent: so many for each second. */
const PAYMENTS_PER_SECOND = 1500
/** A longer gap between two samples is time in which nothing ran. */
const IDLE_US = 20_000
const root = resolve(import.meta.dirname, '../..')
const PROFILE = 'gateway.cpuprofile'

/** The layer of a file: the first of these that its path begins with or holds. */
const LAYERS: readonly (readonly [part: string, layer: string])[] = [
  ['plugins/receipts/', 'signed receipt'],
  ['plugins/console/', 'log line, metrics, request log'],
  ['kernel/log/', 'log line, metrics, request log'],
  ['host/telemetry/', 'log line, metrics, request log'],
  ['kernel/metering/observe-call', 'log line, metrics, request log'],
  ['kernel/http/', 'HTTP: request, routing, answer'],
  ['kernel/products/', 'HTTP: request, routing, answer'],
  ['kernel/schema/', 'JSON and schemas'],
  ['kernel/auth/', 'credentials and rate limit'],
  ['kernel/ledger/', 'ledger and batches'],
  ['kernel/work/', 'ledger and batches'],
  ['kernel/rails/', 'rails and offers'],
  ['plugins/x402/', 'rails and offers'],
  ['plugins/mpp/', 'rails and offers'],
  ['plugins/wallet/', 'rails and offers'],
  ['kernel/metering/', 'metering'],
  ['plugins/demo/', 'the skill itself'],
  ['node_modules/postgres/', 'database driver'],
  ['kernel/storage/', 'database driver'],
  ['host/database/', 'database driver'],
  ['kernel/', 'other parts of ours'],
  ['plugins/', 'other parts of ours'],
  ['host/outbound/', 'other parts of ours'],
  ['host/reporting/', 'other parts of ours'],
]
const BUN = 'Bun: promises, HTTP, sockets, memory'

interface CpuProfile {
  /** Microseconds since 1970. */
  startTime: number
  nodes: {
    id: number
    callFrame: { url: string; functionName: string; lineNumber: number }
    children?: number[]
  }[]
  samples: number[]
  timeDeltas: number[]
}

interface Share {
  name: string
  share: number
}
const TITLES: Record<Kind, string> = {
  prepaid: 'prepaid, one key',
  free: 'a free route',
  unpaid: 'unpaid 402 of credits, x402, sign-in and MPP',
  x402: 'paid by x402, a facilitator that says yes at once',
}
const body = '{"message":"hello"}'

/** Shares of the samples between two moments by layer and by function, largest first. */
function sharesOf(
  { startTime, nodes, samples, timeDeltas }: CpuProfile,
  [fromMs, untilMs]: readonly [number, number],
): { layers: Share[]; functions: Share[] } {
  const parentOf = new Map<number, number>()
  for (const { id, children = [] } of nodes) for (const child of children) parentOf.set(child, id)
  const urls = new Map(nodes.map(({ id, callFrame }) => [id, callFrame.url]))
  const pathOf = (url: string): string => url.slice(Math.max(0, url.indexOf(root)))
  const layerOf = (sample: number): string => {
    for (let at: number | undefined = sample; at !== undefined; at = parentOf.get(at)) {
      const path = pathOf(urls.get(at) ?? '')
      const found = LAYERS.find(([part]) => path.includes(`/${part}`))
      if (found) return found[1]
    }
    return BUN
  }
  const names = new Map(
    nodes.map(({ id, callFrame: { url, functionName, lineNumber } }) => {
      const file = pathOf(url).replace(`${root}/`, '')
      return [id, file === '' ? functionName : `${functionName} ${file}:${lineNumber + 1}`]
    }),
  )
  const byLayer = new Map<string, number>()
  const byFunction = new Map<string, number>()
  let sumUs = 0
  let atUs = startTime
  for (const [at, sample] of samples.entries()) {
    const us = timeDeltas[at]!
    atUs += us
    if (us > IDLE_US || atUs < fromMs * 1000 || atUs > untilMs * 1000) continue
    const layer = layerOf(sample)
    const name = names.get(sample) ?? ''
    byLayer.set(layer, (byLayer.get(layer) ?? 0) + us)
    byFunction.set(name, (byFunction.get(name) ?? 0) + us)
    sumUs += us
  }
  const sorted = (times: Map<string, number>): Share[] =>
    [...times]
      .map(([name, us]) => ({ name, share: us / sumUs }))
      .toSorted((one, other) => other.share - one.share)
  return { layers: sorted(byLayer), functions: sorted(byFunction).slice(0, FUNCTIONS) }
}

function tableOf(title: string, shares: readonly Share[], cpuUs: number): string {
  const rows = shares.map(({ name, share }) => [
    name,
    `${(share * 100).toFixed(1)} %`,
    (share * cpuUs).toFixed(1),
  ])
  return formatTable([title, 'share', 'us'], rows)
}

/** Fresh payments of the paid route as texts of their header. */
async function signedFor(url: string, count: number): Promise<string[]> {
  const unpaid = await fetch(url, { method: 'POST', body })
  const requirements = requirementsIn(decode(unpaid.headers.get('payment-required')))
  const account = privateKeyToAccount(TEST_WALLET.privateKey)
  const authorization = { validBefore: BigInt(Math.floor(Date.now() / 1000) + 3600) }
  const signed: string[] = []
  while (signed.length < count)
    signed.push(encode(await signPayment(account, requirements, { authorization })))
  return signed
}

/** One kind of call under the profiler, in a gateway of its own. */
async function profiled(kind: Kind): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'coinop-bench-profile-'))
  const database = await benchDatabase()
  const facilitator =
    kind === 'x402' ? await startProcess('test/bench/peers/x402-facilitator.ts') : null
  const gateway = await startProcess('bin/main.ts', ['start'], {
    BUN_OPTIONS: `--cpu-prof --cpu-prof-interval=${INTERVAL_US} --cpu-prof-dir=${folder} --cpu-prof-name=${PROFILE}`,
    DATABASE_URL: database.db.url,
    DATA_DIR: join(folder, 'data'),
    SANDBOX: 'true',
    ADMIN_TOKEN: ADMIN,
    PORT: '0',
    LOG_FORMAT: 'json',
    RATE_LIMIT_RPM: '1000000',
    RATE_LIMIT_BURST: '100000',
    COINOP_MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
    ...(kind === 'unpaid' ? { MPP_METHODS: 'evm/charge' } : { SANDBOX_CHAIN: 'false' }),
    ...(facilitator && { SETTLEMENT_ADDRESS: PAY_TO, X402_FACILITATOR_URL: facilitator.url }),
  })
  const admin = async (path: string, order: object): Promise<{ id: string; key: string }> => {
    const answer = await fetch(gateway.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${ADMIN}`, 'content-type': 'application/json' },
      body: JSON.stringify(order),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as { id: string; key: string }
  }
  const made = await admin('/v1/keys', { name: 'b', rpmLimit: 1_000_000, burstLimit: 100_000 })
  await admin('/v1/sandbox/topup', { apiKeyId: made.id, amount: 10_000_000, provider: 'sandbox' })
  const paidUrl = `${gateway.url}/v1/paid/echo`
  const json = { 'content-type': 'application/json' }
  const payments =
    kind === 'x402'
      ? await signedFor(paidUrl, PAYMENTS_PER_SECOND * (seconds + WARM_UP_MS / 1000))
      : []
  const request: Record<Kind, () => [url: string, status: number, init: RequestInit]> = {
    prepaid: () => [
      paidUrl,
      200,
      { method: 'POST', headers: { ...json, 'x-api-key': made.key }, body },
    ],
    free: () => [`${gateway.url}/health`, 200, {}],
    unpaid: () => [paidUrl, 402, { method: 'POST', headers: json, body }],
    x402: () => [
      paidUrl,
      200,
      { method: 'POST', headers: { ...json, 'payment-signature': payments.pop() ?? '' }, body },
    ],
  }
  const load = (durationMs: number) =>
    runLoad({
      callers: CALLERS,
      durationMs,
      async operation() {
        const [url, status, init] = request[kind]()
        const answer = await fetch(url, init)
        const text = await answer.text()
        if (answer.status !== status) throw new Error(`${answer.status} ${text}`)
      },
    })
  await load(WARM_UP_MS)
  const fromMs = Date.now()
  const cpuBefore = gateway.cpuS()
  const { operations } = await load(seconds * 1000)
  const cpuUs = ((gateway.cpuS() - cpuBefore) / operations) * 1e6
  const untilMs = Date.now()
  await gateway.stop()
  await facilitator?.stop()
  const profile = JSON.parse(readFileSync(join(folder, PROFILE), 'utf8')) as CpuProfile
  const { layers, functions } = sharesOf(profile, [fromMs, untilMs])
  console.log(
    `${TITLES[kind]}: ${operations} calls, ${cpuUs.toFixed(0)} us CPU each under the profiler`,
  )
  console.log(`${tableOf('layer', layers, cpuUs)}\n`)
  console.log(`${tableOf('function, by itself', functions, cpuUs)}\n`)
  await database.close()
  rmSync(folder, { recursive: true, force: true })
}

for (const kind of kinds) await profiled(kind)
