/**
 * What spreading accounts over several PostgreSQL gives: calls a second and CPU per call of the ledger
 * on one, two and four embedded servers, in turns in one run, each account on the shard of its hash:
 * `bun test/bench/shards.ts [shards] [pairs] [rounds] [each|all]`. With 'each' (default) every shard has
 * as many callers as one has alone, as a set of gateways for each shard has; with 'all' they share those
 * callers, and the batches become smaller. Afterwards `ledger verify` runs on every shard,
 * and the sums over all are compared with what was sold. The gateway needs no map for it here: each
 * shard has a ledger of its own, as a set of gateways for each shard has.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { databaseConnector } from '../../host/database/index.ts'
import { embeddedPostgres } from '../../host/embedded-postgres/index.ts'
import type { Spender } from '../../kernel/ledger/contract.ts'
import { createLedger } from '../../kernel/ledger/ledger.ts'
import { verifyLedger } from '../../host/reporting/verify.ts'
import { openDatabase } from '../../kernel/storage/open.ts'
import { silentLog } from '../support/log.ts'
import { callOf, openAccount } from '../support/spenders.ts'
import { postmasterOf, serverCpuUs } from './lib/server-cpu.ts'
import { formatNumber, formatTable } from './lib/table.ts'

const largest = Number(process.argv[2] ?? 4)
const pairs = Number(process.argv[3] ?? 4000)
const rounds = Number(process.argv[4] ?? 5)
const isEach = process.argv[5] !== 'all'
const ACCOUNTS = 400
const CALLERS = 64
const PRICE_ATOMIC = 100n
const GRANT_ATOMIC = 1_000_000_000n

async function openShard() {
  const dataDir = mkdtempSync(join(tmpdir(), 'coinop-bench-'))
  const db = await openDatabase({
    dataDir,
    databaseUrl: null,
    connector: databaseConnector,
    embedded: embeddedPostgres,
    log: silentLog,
  })
  const pid = await postmasterOf(db.sql)
  return { dataDir, db, ledger: createLedger(db), pid, spenders: [] as Spender[], sold: 0 }
}
type Shard = Awaited<ReturnType<typeof openShard>>

/** Whose account is on which of so many shards, by the hash of its number: as an engine spreads it. */
const shardOf = (account: number, shards: number): number =>
  Number(Bun.hash(String(account)) % BigInt(shards))

async function sell(shards: readonly Shard[], count: number): Promise<void> {
  let left = count
  const callers = isEach ? CALLERS * shards.length : CALLERS
  await Promise.all(
    Array.from({ length: callers }, async (_, caller) => {
      for (let n = caller; left-- > 0; n += callers) {
        const shard = shards[shardOf(n % ACCOUNTS, shards.length)]!
        const spender = shard.spenders[n % shard.spenders.length]!
        const order = callOf(spender, PRICE_ATOMIC)
        const held = await shard.ledger.authorize(order)
        if (held.outcome !== 'authorized') throw new Error(held.outcome)
        const done = await shard.ledger.capture({ holdId: order.holdId, ...spender })
        if (done.outcome !== 'done') throw new Error(done.outcome)
        shard.sold += 1
      }
    }),
  )
}

const shards = await Promise.all(Array.from({ length: largest }, openShard))
for (const shard of shards) {
  for (let n = 0; n < ACCOUNTS; n++) {
    const [spender] = await openAccount(shard.db.sql, shard.ledger, { amountAtomic: GRANT_ATOMIC })
    shard.spenders.push(spender)
  }
}
const counts = [1, 2, 4, 8].filter((count) => count <= largest)
const measured = new Map<number, { perSecond: number; clientUs: number; serverUs: number }[]>()
for (let round = -1; round < rounds; round++) {
  for (const count of round % 2 ? counts.toReversed() : counts) {
    const used = shards.slice(0, count)
    const before = [
      process.cpuUsage(),
      used.map(({ pid }) => serverCpuUs(pid)),
      performance.now(),
    ] as const
    const sold = isEach ? pairs * count : pairs
    await sell(used, sold)
    const { user, system } = process.cpuUsage(before[0])
    const serverUs = used.reduce((sum, one, at) => sum + serverCpuUs(one.pid) - before[1][at]!, 0)
    // The first round plans and warms up.
    if (round < 0) continue
    const one = {
      perSecond: sold / ((performance.now() - before[2]) / 1000),
      clientUs: (user + system) / sold,
      serverUs: serverUs / sold,
    }
    measured.set(count, [...(measured.get(count) ?? []), one])
  }
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!
const alone = measured.get(1)!
const rows = [...measured].map(([count, list]) => {
  const ratios = list.map(({ perSecond }, at) => perSecond / alone[at]!.perSecond)
  const serverUs = median(list.map((one) => one.serverUs))
  return [
    String(count),
    formatNumber(median(list.map(({ perSecond }) => perSecond))),
    median(ratios).toFixed(2),
    formatNumber(serverUs),
    formatNumber(median(list.map(({ clientUs }) => clientUs))),
    formatNumber(1e6 / serverUs),
  ]
})
console.log(
  formatTable(
    ['servers', 'calls/s', 'of one server', 'server µs', 'client µs', 'calls/s of a full core'],
    rows,
  ),
)

let isWrong = false
let [takenAtomic, sold] = [0n, 0]
for (const [at, { db, sold: ownSold }] of shards.entries()) {
  const { violations } = await verifyLedger(db.sql)
  const [row] = await db.sql<[{ taken: bigint }]>`
    SELECT COALESCE(sum(captured), 0)::bigint AS taken FROM coinop.hold WHERE state = 'captured'`
  takenAtomic += row.taken
  sold += ownSold
  console.log(`shard ${at}: ${ownSold} calls, ledger verify: ${violations.length} violations`)
  isWrong ||= violations.length > 0
}
const isEqual = takenAtomic === BigInt(sold) * PRICE_ATOMIC
console.log(`over all: ${sold} calls, ${takenAtomic} taken: ${isEqual ? 'equal' : 'NOT EQUAL'}`)
for (const { db, dataDir } of shards) {
  await db.close()
  rmSync(dataDir, { recursive: true, force: true })
}
process.exit(isWrong || !isEqual ? 1 : 0)
