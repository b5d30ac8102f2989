/**
 * A thousand products added, changed and removed, half by file and half by PUT, while callers pay
 * for others; several times, so that what the first round warms up is not taken for a leak. What
 * stays of a product is its series in /metrics and its place in the order of changes.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { churn, mountOthers, residentMib } from '../e2e/churn-run.ts'
import { startGateway } from '../support/gateway.ts'
import { startUpstream } from '../support/upstream.ts'
import { formatNumber, formatTable } from './lib/table.ts'

const PRODUCTS = Number(process.argv[2] ?? 1000)
const ROUNDS = Number(process.argv[3] ?? 3)
const REST_MS = 5000

const upstream = await startUpstream((_, response) => response.end('{}'))
const productsDir = mkdtempSync(join(tmpdir(), 'coinop-churn-'))
const databaseUrl = process.env['DATABASE_URL']
const gateway = await startGateway({
  BUN_OPTIONS: `--preload ${resolve(import.meta.dirname, 'lib/heap-probe.ts')}`,
  SANDBOX: 'true',
  SANDBOX_CHAIN: 'false',
  PRODUCTS_DIR: productsDir,
  ALLOW_PRIVATE_TARGETS: `127.0.0.1:${upstream.port}`,
  ...(databaseUrl !== undefined && {
    DATABASE_URL: databaseUrl,
    COINOP_MASTER_KEY: Buffer.alloc(32, 3).toString('base64'),
  }),
})

/** What the gateway holds after a full garbage collection, its `count`-th one. */
async function liveHeapMib(count: number): Promise<number> {
  process.kill(gateway.pid, 'SIGUSR2')
  for (;;) {
    const told = [...gateway.output().matchAll(/live heap (\d+) bytes/g)]
    if (told.length === count) return Number(told.at(-1)![1]) / 2 ** 20
    await Bun.sleep(50)
  }
}

try {
  await mountOthers(gateway, upstream.url)
  const rows: string[][] = []
  for (let round = 1; round <= ROUNDS; round++) {
    const before = residentMib(gateway.pid)
    const result = await churn({
      gateway,
      productsDir,
      upstreamUrl: upstream.url,
      products: PRODUCTS,
      prefix: `round${round}-`,
    })
    const after = residentMib(gateway.pid)
    await Bun.sleep(REST_MS)
    const heapMib = await liveHeapMib(round)
    rows.push([
      String(round),
      String(result.changes),
      formatNumber(result.seconds),
      String(result.calls + result.checks),
      String(result.failures.length),
      String(result.priceVersions),
      ...[before, after, residentMib(gateway.pid), heapMib].map(formatNumber),
    ])
    for (const failure of result.failures.slice(0, 10)) console.log(failure.slice(0, 300))
  }
  console.log(
    formatTable(
      [
        'round',
        'changes',
        'seconds',
        'paid calls',
        'failures',
        'versions paid under',
        'RSS before MiB',
        'RSS after MiB',
        'RSS after GC MiB',
        'live heap MiB',
      ],
      rows,
    ),
  )
  const printed = gateway
    .output()
    .split('\n')
    .filter((line) => line.includes('"level"'))
  console.log(`${printed.length} warnings and errors in the log; the first:`)
  for (const line of printed.slice(0, 5)) console.log(line.slice(0, 300))
} finally {
  await gateway.stop()
  await upstream.close()
  rmSync(productsDir, { recursive: true, force: true })
}
