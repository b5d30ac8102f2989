/**
 * What a proxied call costs: the gateway's free and paid routes beside http-proxy-3 alone and Bun's
 * fetch alone, over one upstream, in one run. CPU is that of the proxying process.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startGateway } from '../support/gateway.ts'
import { median, runLoad } from './lib/load.ts'
import { cpuSeconds, startProcess } from './lib/process.ts'
import { formatNumber, formatTable } from './lib/table.ts'

const CALLERS = 32
const ROUNDS = 3
const STREAM_BYTES = 200 * 1024 * 1024

const upstream = await startProcess('test/bench/peers/json-upstream.ts')
const httpProxy3 = await startProcess('test/bench/peers/bare-proxies.ts', [
  'http-proxy-3',
  upstream.url,
])
const bareFetch = await startProcess('test/bench/peers/bare-proxies.ts', ['fetch', upstream.url])
const productsDir = mkdtempSync(join(tmpdir(), 'coinop-bench-proxy-'))
const gateway = await startGateway({
  PRODUCTS_DIR: productsDir,
  X402_RPC_URL: '',
  LOG_LEVEL: 'error',
  RATE_LIMIT_RPM: '1000000',
  RATE_LIMIT_BURST: '100000',
})
const put = await gateway.admin('PUT', '/v1/admin/products/up', {
  product_id: 'up',
  upstream: { url: upstream.url, allow_private: true },
  skills: [
    { route: 'GET /free', metered: false },
    { id: 'up.paid', route: 'GET /paid', price: { credits: 0.01 } },
    { route: 'GET /bytes/{n}', metered: false },
  ],
})
if (put.status !== 200) throw new Error(put.text)
const { key } = await gateway.key(1_000_000)

const subjects = [
  { name: 'fetch alone', url: bareFetch.url, path: '/free', pid: bareFetch.pid },
  { name: 'http-proxy-3 alone', url: httpProxy3.url, path: '/free', pid: httpProxy3.pid },
  { name: 'Coinop, free route', url: `${gateway.url}/v1/up`, path: '/free', pid: gateway.pid },
  { name: 'Coinop, paid route', url: `${gateway.url}/v1/up`, path: '/paid', pid: gateway.pid },
]
const headers = { 'x-api-key': key }

const rows: string[][] = []
const bases = { perSecond: 0, cpuUs: 0 }
for (const { name, url, path, pid } of subjects) {
  const results = []
  const cpuUs: number[] = []
  let count = 0
  const operation = async (): Promise<void> => {
    const response = await fetch(url + path, { headers })
    await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`${name}: ${response.status}`)
    count += 1
  }
  await runLoad({ callers: CALLERS, durationMs: 3000, operation })
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = cpuSeconds(pid)
    count = 0
    results.push(await runLoad({ callers: CALLERS, durationMs: 1500, operation }))
    cpuUs.push(((cpuSeconds(pid) - before) / count) * 1e6)
  }
  const { perSecond, p50Ms, p99Ms } = median(results)
  const cpu = cpuUs.sort((a, b) => a - b)[ROUNDS >> 1]!
  if (name === 'http-proxy-3 alone') Object.assign(bases, { perSecond, cpuUs: cpu })
  rows.push([name, ...[perSecond, cpu, p50Ms, p99Ms].map(formatNumber)])
}
for (const row of rows) {
  const perSecond = Number(row[1]!.replaceAll(',', ''))
  row.push(`${(perSecond / bases.perSecond).toFixed(2)} x`)
}
console.log(`1 KB of JSON, ${CALLERS} callers, median of ${ROUNDS}`)
console.log(
  formatTable(['', 'calls/s', 'CPU µs/call', 'p50 ms', 'p99 ms', 'beside http-proxy-3'], rows),
)

const streamRows: string[][] = []
for (const { name, url, pid } of subjects.slice(0, 3)) {
  const before = cpuSeconds(pid)
  const startedMs = performance.now()
  const response = await fetch(`${url}/bytes/${STREAM_BYTES}`, { headers })
  let bytes = 0
  for await (const part of response.body as unknown as AsyncIterable<Uint8Array>)
    bytes += part.byteLength
  if (bytes !== STREAM_BYTES) throw new Error(`${name}: ${bytes} bytes`)
  const seconds = (performance.now() - startedMs) / 1000
  const mib = bytes / 1024 / 1024
  streamRows.push([name, formatNumber(mib / seconds), formatNumber(cpuSeconds(pid) - before)])
}
console.log(`\n${STREAM_BYTES / 1024 / 1024} MiB down, one caller`)
console.log(formatTable(['', 'MiB/s', 'CPU s'], streamRows))

await gateway.stop()
await Promise.all([httpProxy3.stop(), bareFetch.stop(), upstream.stop()])
rmSync(productsDir, { recursive: true, force: true })
