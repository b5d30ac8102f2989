/**
 * tools/list and tools/call of the gateway beside the official SDK's server on Bun and on Node, with
 * the same tools, in one run: `bun test/bench/mcp.ts [seconds]`. Needs wrk and node.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { modern } from '../support/mcp.ts'
import { benchDatabase } from './lib/database.ts'
import { cpuSeconds, startProcess, type MeasuredProcess } from './lib/process.ts'
import { formatNumber, formatTable } from './lib/table.ts'

const seconds = Number(process.argv[2] ?? 3)
const ROUNDS = 3
const CONNECTIONS = 32
const ACCEPT = { accept: 'application/json, text/event-stream' }
const ADMIN = 'bench-admin-token-of-at-least-32-characters'
const root = resolve(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'coinop-bench-mcp-'))

interface Target {
  server: MeasuredProcess
  path: string
}
interface Load {
  body: object
  headers: Record<string, string>
}
interface Sample {
  perSecond: number
  cpuUs: number
  p99Ms: number
}

/** Time in which a burst of 100,000 is full again at 1,000,000 a minute. */
const BURST_REFILL_MS = 6500

/** One wrk run; an answer that is not 2xx ends the bench. */
async function wrk({ server, path }: Target, { body, headers }: Load): Promise<Sample> {
  const script = join(folder, `${crypto.randomUUID()}.lua`)
  const all = { 'content-type': 'application/json', ...ACCEPT, ...headers }
  const members = Object.entries(all).map(([name, value]) => `["${name}"]="${value}"`)
  writeFileSync(
    script,
    `wrk.method="POST" wrk.path="${path}" wrk.body=[[${JSON.stringify(body)}]] wrk.headers={${members.join(',')}}
done=function(s,l,r) io.write(string.format("RESULT %d %f %f %d\\n",s.requests,s.duration/1e6,l:percentile(99)/1e3,s.errors.status)) end`,
  )
  const cpuBefore = server.cpuS()
  const run = Bun.spawn(
    ['wrk', '-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '-s', script, server.url],
    { stdout: 'pipe', stderr: 'inherit' },
  )
  const output = await new Response(run.stdout).text()
  const cpuS = server.cpuS() - cpuBefore
  const match = /RESULT (\d+) ([\d.]+) ([\d.]+) (\d+)/.exec(output)
  if (!match || match[4] !== '0') throw new Error(`wrk on ${server.url}${path}:\n${output}`)
  const [requests, durationS, p99Ms] = match.slice(1).map(Number) as [number, number, number]
  return { perSecond: requests / durationS, cpuUs: (cpuS / requests) * 1e6, p99Ms }
}

/** An error that costs little must not pass for a fast answer. */
async function mustSucceed({ server, path }: Target, { body, headers }: Load): Promise<void> {
  const response = await fetch(server.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...ACCEPT, ...headers },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok || /"isError":true|"error":\{"code"/.test(text))
    throw new Error(`${server.url}${path}: ${response.status} ${text}`)
}

/** `pauseMs` comes before each run. */
async function median(target: Target, load: Load, pauseMs = 0): Promise<Sample> {
  await mustSucceed(target, load)
  await Bun.sleep(pauseMs)
  await wrk(target, load)
  await mustSucceed(target, load)
  const samples: Sample[] = []
  for (let i = 0; i < ROUNDS; i++) {
    await Bun.sleep(pauseMs)
    samples.push(await wrk(target, load))
  }
  return samples.toSorted((a, b) => a.cpuUs - b.cpuUs)[Math.floor(ROUNDS / 2)]!
}

/** A script on Node, which `startProcess` cannot start. */
async function startNode(script: string, args: string[]): Promise<MeasuredProcess> {
  const child = Bun.spawn(['node', join(root, script), ...args], {
    cwd: root,
    stdout: 'pipe',
    stderr: 'inherit',
  })
  let printed = ''
  for await (const chunk of child.stdout as unknown as AsyncIterable<Uint8Array>) {
    printed += new TextDecoder().decode(chunk)
    const match = /listening on (http:\/\/\S+)/.exec(printed)
    if (!match) continue
    const stop = async (): Promise<void> => {
      child.kill('SIGTERM')
      await child.exited
    }
    return { url: match[1]!, pid: child.pid, cpuS: () => cpuSeconds(child.pid), stop }
  }
  throw new Error(`${script} ended before it listened:\n${printed}`)
}

/** The products as they are sold, with demo.echo for free: its call costs the adapter alone. */
function benchProducts(): string {
  const products = join(folder, 'products')
  Bun.spawnSync(['mkdir', '-p', products])
  for (const name of readdirSync(join(root, 'products')).filter((file) => file.endsWith('.yaml'))) {
    if (name !== 'demo.yaml')
      writeFileSync(join(products, name), readFileSync(join(root, 'products', name)))
  }
  writeFileSync(
    join(products, 'demo.yaml'),
    `product_id: demo
base_path: /v1/paid
plugin: demo
skills:
  - { skill: demo.echo, route: POST /echo, metered: false }
  - { skill: demo.hash, route: POST /hash, price: { credits: 0.01 } }
`,
  )
  return products
}

async function admin(gateway: MeasuredProcess, path: string, body: unknown): Promise<any> {
  const response = await fetch(gateway.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${ADMIN}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response.json()
}

const database = await benchDatabase()
const started: MeasuredProcess[] = []
const keep = (server: MeasuredProcess): MeasuredProcess => {
  started.push(server)
  return server
}

async function main(): Promise<void> {
  const gateway = keep(
    await startProcess('bin/main.ts', ['start'], {
      DATABASE_URL: database.db.url,
      DATA_DIR: folder,
      PRODUCTS_DIR: benchProducts(),
      SANDBOX: 'true',
      ADMIN_TOKEN: ADMIN,
      HOST: '127.0.0.1',
      PORT: '0',
      LOG_LEVEL: 'error',
      LOG_FORMAT: 'json',
      COINOP_MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
      SANDBOX_CHAIN: 'false',
      RATE_LIMIT_RPM: '1000000',
      RATE_LIMIT_BURST: '100000',
    }),
  )
  const { id, key } = await admin(gateway, '/v1/keys', {
    name: 'bench',
    rpmLimit: 1_000_000,
    burstLimit: 100_000,
  })
  await admin(gateway, '/v1/sandbox/topup', {
    apiKeyId: id,
    amount: 10_000_000,
    provider: 'sandbox',
  })

  const listed = await fetch(`${gateway.url}/mcp`, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  })
  const { tools } = ((await listed.json()) as { result: { tools: object[] } }).result
  const toolsFile = join(folder, 'tools.json')
  writeFileSync(toolsFile, JSON.stringify(tools))
  const onBun = keep(await startProcess('test/bench/peers/mcp-sdk.mjs', [toolsFile]))
  const onNode = keep(await startNode('test/bench/peers/mcp-sdk.mjs', [toolsFile]))

  const [listBody, listHeaders] = modern('tools/list')
  const [echoBody, echoHeaders] = modern('tools/call', {
    name: 'demo.echo',
    arguments: { message: 'hello' },
  })
  const [hashBody, hashHeaders] = modern('tools/call', {
    name: 'demo.hash',
    arguments: { input: 'hello' },
  })
  const loads: [string, Load][] = [
    ['tools/list, 2026-07-28', { body: listBody, headers: listHeaders }],
    [
      'tools/list, 2025-11-25',
      { body: { jsonrpc: '2.0', id: 1, method: 'tools/list' }, headers: {} },
    ],
    ['tools/call, 2026-07-28', { body: echoBody, headers: echoHeaders }],
    [
      'tools/call, 2025-11-25',
      {
        body: {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'demo.echo', arguments: { message: 'hello' } },
        },
        headers: {},
      },
    ],
  ]
  const servers: [string, Target][] = [
    ['coinop', { server: gateway, path: '/mcp' }],
    ['SDK v2 on Bun', { server: onBun, path: '/mcp' }],
    ['SDK v2 on Node', { server: onNode, path: '/mcp' }],
  ]

  const rows: string[][] = []
  const cpuUs = new Map<string, number>()
  const measure = async (
    name: string,
    target: Target,
    load: Load,
    pauseMs?: number,
  ): Promise<Sample> => {
    const sample = await median(target, load, pauseMs)
    cpuUs.set(name, sample.cpuUs)
    rows.push([
      name,
      formatNumber(sample.cpuUs),
      formatNumber(sample.perSecond),
      formatNumber(sample.p99Ms),
    ])
    process.stderr.write(`${name}: ${formatNumber(sample.cpuUs)} us\n`)
    return sample
  }
  for (const [load, sent] of loads) {
    for (const [server, target] of servers) await measure(`${server}, ${load}`, target, sent)
  }
  const paid = { 'x-api-key': key as string }
  const mcpPaid = await measure('coinop, tools/call prepaid', servers[0]![1], {
    body: hashBody,
    headers: { ...hashHeaders, ...paid },
  })
  const httpPaid = await measure(
    'coinop, the same call over HTTP',
    { server: gateway, path: '/v1/paid/hash' },
    { body: { input: 'hello' }, headers: paid },
  )
  const httpFree = await measure(
    'coinop, unmetered echo over HTTP',
    { server: gateway, path: '/v1/paid/echo' },
    { body: { message: 'hello' }, headers: {} },
    // It is faster than the highest limit that can be set, so a full burst has to carry each run.
    BURST_REFILL_MS,
  )

  process.stdout.write(
    `${tools.length} tools, wrk with ${CONNECTIONS} connections, median CPU of ${ROUNDS} x ${seconds} s, everything on ${navigator.hardwareConcurrency} cores, Bun ${Bun.version}, Node ${Bun.spawnSync(['node', '--version']).stdout.toString().trim()}\n`,
  )
  process.stdout.write(`${formatTable(['', 'CPU us/request', 'per second', 'p99 ms'], rows)}\n\n`)
  for (const [load] of loads) {
    const ours = cpuUs.get(`coinop, ${load}`)!
    const ratios = servers
      .slice(1)
      .map(
        ([server]) =>
          `${formatNumber(cpuUs.get(`${server}, ${load}`)! / ours)} times less CPU than ${server}`,
      )
    process.stdout.write(`${load}: ${ratios.join(', ')}\n`)
  }
  process.stdout.write(
    `adapter beside the HTTP route: ${formatNumber(mcpPaid.cpuUs - httpPaid.cpuUs)} us prepaid, ${formatNumber(cpuUs.get('coinop, tools/call, 2026-07-28')! - httpFree.cpuUs)} us unmetered\n`,
  )
}

try {
  await main()
} finally {
  await Promise.all(started.map((server) => server.stop()))
  await database.close()
  rmSync(folder, { recursive: true, force: true })
}
