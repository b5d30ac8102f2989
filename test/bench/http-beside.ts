/**
 * The gateway beside that of another checkout of this project, on one PostgreSQL, in turns: prepaid
 * calls by one key and by 1,000, a free route, an unpaid 402. Needs wrk.
 *
 *   bun test/bench/http-beside.ts --other ../older-checkout [--seconds 3] [--rounds 5]
 *     [--subjects hot,keys,free,unpaid] [--env RECEIPTS=off]...
 *
 * The other checkout needs its dependencies installed; each has its own products folder and database.
 * `--env` sets a variable of a third gateway, which is this checkout with it. Rates and CPU are
 * medians; the ratios are medians of each round's ratio to the other's run of that round. CPU is that
 * of the gateway's main thread, of its other threads and of the database server, per request; its
 * ratios are of the main thread, the whole gateway and the server.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { withDatabase } from '../../host/embedded-postgres/connection-text.ts'
import { fundedKeys, gatewayEnv } from './lib/bench-gateway.ts'
import { benchDatabase } from './lib/database.ts'
import { costMeter } from './lib/ledger-cost.ts'
import { mainThreadSeconds, startProcess, type MeasuredProcess } from './lib/process.ts'
import { formatNumber, formatTable } from './lib/table.ts'
import { interleaved, median, wrk, type Post, type Sample, type Subject } from './lib/wrk.ts'

const { values } = parseArgs({
  options: {
    other: { type: 'string' },
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '5' },
    subjects: { type: 'string', default: 'hot,keys,free,unpaid' },
    env: { type: 'string', multiple: true, default: [] },
  },
})
if (values.other === undefined) throw new Error('--other names the checkout to compare with')
const seconds = Number(values.seconds)
const rounds = Number(values.rounds)
const chosen = values.subjects.split(',')
const MANY_KEYS = 1000
const body = '{"input":"hello"}'
const root = resolve(import.meta.dirname, '../..')

/** A run, and what it took of the gateway's main thread and of the database server per request. */
type Measured = Sample & { mainUs: number; serverUs: number; walBytes: number }

const folder = mkdtempSync(join(tmpdir(), 'coinop-bench-beside-'))
const bench = await benchDatabase()
const gateways: MeasuredProcess[] = []
try {
  const other = resolve(values.other)
  const versions: [string, string, Record<string, string>][] = [
    ['other', other, {}],
    ['this', root, {}],
  ]
  if (values.env.length > 0) {
    const changed = values.env.map((one) => one.split('=', 2) as [string, string])
    versions.push([`this, ${values.env.join(' ')}`, root, Object.fromEntries(changed)])
  }
  const groups = new Map<string, Subject<Measured>[]>()
  const keyCount = chosen.includes('keys') ? MANY_KEYS + 1 : 1
  for (const [index, [version, checkout, changed]] of versions.entries()) {
    const gateway = await startGateway(`beside_${index}`, checkout, changed)
    gateways.push(gateway)
    const [hot, ...spread] = await fundedKeys(gateway, keyCount)
    const paid = '/v1/paid/hash'
    const requests: [string, string, string, Post][] = [
      ['hot', 'prepaid, one key', paid, { body, keys: [hot!] }],
      ['keys', 'prepaid, 1,000 keys', paid, { body, keys: spread }],
      ['free', 'free route', '/health', null],
      ['unpaid', 'unpaid 402', paid, { body, keys: [] }],
    ]
    for (const [id, subject, path, post] of requests) {
      if (!chosen.includes(id)) continue
      const group = groups.get(subject) ?? []
      group.push([version, () => measured(gateway, path, post)])
      groups.set(subject, group)
    }
  }
  const rows: string[][] = []
  for (const [subject, group] of groups) {
    const samples = await interleaved(group, rounds)
    const base = samples.get('other')!
    for (const [version, taken] of samples) {
      const middle = (of: (one: Measured) => number) => median(taken.map(of))
      const ratio = (of: (one: Measured) => number) =>
        median(taken.map((one, round) => of(one) / of(base[round]!))).toFixed(2)
      rows.push([
        subject,
        version,
        formatNumber(middle(({ perSecond }) => perSecond)),
        ratio(({ perSecond }) => perSecond),
        formatNumber(middle(({ p99Ms }) => p99Ms)),
        ratio(({ p99Ms }) => p99Ms),
        [
          middle(({ mainUs }) => mainUs),
          middle(({ cpuUs, mainUs }) => cpuUs - mainUs),
          middle(({ serverUs }) => serverUs),
        ]
          .map((us) => us.toFixed(0))
          .join(' + '),
        `${ratio(({ mainUs }) => mainUs)}, ${ratio(({ cpuUs }) => cpuUs)}, ${ratio(({ serverUs }) => serverUs)}`,
        formatNumber(middle(({ walBytes }) => walBytes)),
        String(middle(({ failed }) => failed)),
      ])
    }
  }
  console.log(
    `PostgreSQL ${bench.version}, wrk with 64 connections, ${rounds} × ${seconds} s in turns, ${navigator.hardwareConcurrency} cores`,
  )
  const head = ['', 'version', 'per second', '×', 'p99 ms', '×', 'CPU µs', '×', 'log B', 'not 2xx']
  console.log(formatTable(head, rows))
} finally {
  for (const gateway of gateways) await gateway.stop()
  await bench.close()
  rmSync(folder, { recursive: true, force: true })
}

/** Checkouts of before 2026-12-01 begin in `kernel/main.ts`. */
function mainOf(checkout: string): string {
  const main = join(checkout, 'bin/main.ts')
  return existsSync(main) ? main : join(checkout, 'kernel/main.ts')
}

async function startGateway(
  name: string,
  checkout: string,
  changed: Record<string, string>,
): Promise<MeasuredProcess> {
  await bench.db.sql.unsafe(`DROP DATABASE IF EXISTS ${name}`)
  await bench.db.sql.unsafe(`CREATE DATABASE ${name}`)
  const dataDir = join(folder, name)
  mkdirSync(dataDir)
  return startProcess(relative(root, mainOf(checkout)), ['start'], {
    ...gatewayEnv(withDatabase(bench.db.url, name), dataDir),
    PRODUCTS_DIR: join(checkout, 'products'),
    ...changed,
  })
}

async function measured(gateway: MeasuredProcess, path: string, post: Post): Promise<Measured> {
  const meter = await costMeter(bench.db.sql)
  const beforeS = mainThreadSeconds(gateway.pid)
  const sample = await wrk(gateway, path, post, { seconds })
  const requests = sample.perSecond * seconds
  const mainUs = ((mainThreadSeconds(gateway.pid) - beforeS) / requests) * 1e6
  const { serverUs, walBytes } = await meter.per(requests)
  return { ...sample, mainUs, serverUs, walBytes }
}
