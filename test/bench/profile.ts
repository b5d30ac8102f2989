/**
 * Where the time of a call goes in the gateway, by layer: `bun test/bench/profile.ts [seconds]`. A
 * gateway runs under Bun's sampling profiler while 64 callers pay with one key, and then while 64
 * callers bring nothing. A sample counts for the innermost file of ours on its stack; what has none of
 * ours is the driver of the database, or Bun itself (promises, HTTP). The profiler slows the gateway
 * down: read the shares.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { benchDatabase } from './lib/database.ts'
import { runLoad } from './lib/load.ts'
import { startProcess } from './lib/process.ts'
import { formatTable } from './lib/table.ts'

const seconds = Number(process.argv[2] ?? 6)
const ADMIN = 'bench-admin-token-of-at-least-32-characters'
const CALLERS = 64
const INTERVAL_US = 500
const WARM_UP_MS = 2000
/** A longer gap between two samples is time in which nothing ran. */
const IDLE_US = 20_000
const root = resolve(import.meta.dirname, '../..')
const PROFILE = 'gateway.cpuprofile'

/** The layer of a file: the first of these that its path begins with or holds. */
const LAYERS: readonly (readonly [part: string, layer: string])[] = [
  ['plugins/receipts/', 'signed receipt'],
  ['plugins/console/', 'log line, metrics, request log'],
  ['kernel/log/', 'log line, metrics, request log'],
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
  ['kernel/', 'other parts of ours'],
  ['plugins/', 'other parts of ours'],
]
const BUN = 'Bun: promises, HTTP, sockets, memory'

interface CpuProfile {
  /** Microseconds since 1970. */
  startTime: number
  nodes: { id: number; callFrame: { url: string }; children?: number[] }[]
  samples: number[]
  timeDeltas: number[]
}

/** Shares of the samples between two moments by layer, largest first. */
function sharesOf(
  { startTime, nodes, samples, timeDeltas }: CpuProfile,
  [fromMs, untilMs]: readonly [number, number],
): [layer: string, share: number][] {
  const parentOf = new Map<number, number>()
  for (const { id, children = [] } of nodes) for (const child of children) parentOf.set(child, id)
  const urls = new Map(nodes.map(({ id, callFrame }) => [id, callFrame.url]))
  const layerOf = (sample: number): string => {
    for (let at: number | undefined = sample; at !== undefined; at = parentOf.get(at)) {
      const url = urls.get(at) ?? ''
      const path = url.slice(Math.max(0, url.indexOf(root)))
      const found = LAYERS.find(([part]) => path.includes(`/${part}`))
      if (found) return found[1]
    }
    return BUN
  }
  const times = new Map<string, number>()
  let sumUs = 0
  let atUs = startTime
  for (const [at, sample] of samples.entries()) {
    const us = timeDeltas[at]!
    atUs += us
    if (us > IDLE_US || atUs < fromMs * 1000 || atUs > untilMs * 1000) continue
    const layer = layerOf(sample)
    times.set(layer, (times.get(layer) ?? 0) + us)
    sumUs += us
  }
  return [...times]
    .map(([layer, us]) => [layer, us / sumUs] as [string, number])
    .toSorted(([, one], [, other]) => other - one)
}

/** One kind of call under the profiler, in a gateway of its own. */
async function profiled(name: string, isPaid: boolean): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'coinop-bench-profile-'))
  const database = await benchDatabase()
  const gateway = await startProcess('kernel/main.ts', ['start'], {
    BUN_OPTIONS: `--cpu-prof --cpu-prof-interval=${INTERVAL_US} --cpu-prof-dir=${folder} --cpu-prof-name=${PROFILE}`,
    DATABASE_URL: database.db.url,
    DATA_DIR: join(folder, 'data'),
    SANDBOX: 'true',
    ADMIN_TOKEN: ADMIN,
    PORT: '0',
    LOG_FORMAT: 'json',
    COINOP_MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
    ...(isPaid ? { SANDBOX_CHAIN: 'false' } : { MPP_METHODS: 'evm/charge' }),
  })
  const admin = async (path: string, body: object): Promise<{ id: string; key: string }> => {
    const answer = await fetch(gateway.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${ADMIN}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as { id: string; key: string }
  }
  const made = await admin('/v1/keys', { name: 'b', rpmLimit: 1_000_000, burstLimit: 100_000 })
  await admin('/v1/sandbox/topup', { apiKeyId: made.id, amount: 10_000_000, provider: 'sandbox' })
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(isPaid && { 'x-api-key': made.key }) },
    body: '{"message":"hello"}',
  }
  const load = (durationMs: number) =>
    runLoad({
      callers: CALLERS,
      durationMs,
      async operation() {
        const answer = await fetch(`${gateway.url}/v1/paid/echo`, init)
        await answer.arrayBuffer()
        if (answer.status !== (isPaid ? 200 : 402)) throw new Error(`${answer.status}`)
      },
    })
  await load(WARM_UP_MS)
  const fromMs = Date.now()
  const cpuBefore = gateway.cpuS()
  const { operations } = await load(seconds * 1000)
  const cpuUs = ((gateway.cpuS() - cpuBefore) / operations) * 1e6
  const untilMs = Date.now()
  await gateway.stop()
  const profile = JSON.parse(readFileSync(join(folder, PROFILE), 'utf8')) as CpuProfile
  const shares = sharesOf(profile, [fromMs, untilMs])
  const rows = shares.map(([layer, share]) => [
    layer,
    `${(share * 100).toFixed(1)} %`,
    (share * cpuUs).toFixed(1),
  ])
  console.log(`${name}: ${operations} calls, ${cpuUs.toFixed(0)} us CPU each under the profiler`)
  console.log(`${formatTable(['layer', 'share', 'us'], rows)}\n`)
  await database.close()
  rmSync(folder, { recursive: true, force: true })
}

await profiled('prepaid, one key', true)
await profiled('unpaid 402 of credits, x402, sign-in and MPP', false)
