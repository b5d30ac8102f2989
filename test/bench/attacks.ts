/**
 * What one stranger can do to everybody: runs each attack against a real gateway and prints how long
 * /health took meanwhile, how long one turn of the gateway's loop was on the processor (the same on a
 * busy machine), and its memory: `bun test/bench/attacks.ts [seconds] [name]`.
 * An attack is a function that sends once; eight of it run side by side. To add one, put it into
 * ATTACKS.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { constants, setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { decode, encode, requirementsIn, signPayment } from '../support/x402/payments.ts'
import { startProbe } from './lib/health-probe.ts'
import { startProcess } from './lib/process.ts'
import { formatNumber, formatTable } from './lib/table.ts'

const seconds = Number(process.argv[2] ?? 5)
const only = process.argv[3]
const ADMIN = 'bench-admin-token-of-at-least-32-characters'
const SENDERS = 8
const MIB = 1_048_576

interface Target {
  url: string
  /** A key with credits. */
  key: string
  /** A payment of an empty wallet for this route, signed as it should be. */
  signed(path: string): Promise<string>
}

/** Sends once; what came back, in a word. */
type Attack = (target: Target) => Promise<string>

const lazy = (make: () => string): (() => Uint8Array) => {
  let made: Uint8Array | null = null
  return () => (made ??= new TextEncoder().encode(make()))
}
const repeated = (text: string, mib: number): string =>
  Array<string>(Math.floor((mib * MIB) / (text.length + 1)))
    .fill(text)
    .join(',')
const members = (count: number): string =>
  Array.from({ length: count }, (_, n) => `"k${n}":1`).join(',')

const UNKNOWN_MEMBERS = lazy(() => `{${members(1_200_000)}}`)
const NESTED_MEMBERS = lazy(() => `{"schema":{"type":"object"},"instance":{${members(550_000)}}}`)
const WRONG_ITEMS = lazy(() => `{"schema":{},"instance":[${repeated('1', 7)}]}`)
const DIGITS = lazy(() => `[${repeated('1'.repeat(199), 19)}]`)
const SMALL_OBJECTS = lazy(() => `[${repeated('{"a":{},"b":[]}', 19)}]`)
const ESCAPES = lazy(() => `{"html":"${'\\u0041'.repeat(1.9 * MIB)}"}`)
const BASE64 = lazy(() => JSON.stringify({ file_base64: 'QUJD'.repeat(3.5 * MIB) }))

async function post(
  url: string,
  path: string,
  body: Uint8Array,
  headers: Record<string, string> = {},
): Promise<string> {
  const answer = await fetch(url + path, {
    method: 'POST',
    body: body as BodyInit,
    headers: { 'content-type': 'application/json', ...headers },
  })
  await answer.arrayBuffer()
  return String(answer.status)
}

/** A body of which one byte a second comes, until the time is over. */
async function drip(url: string, path: string, headers: Record<string, string>): Promise<string> {
  const { hostname, port, host } = new URL(url)
  const socket = connect(Number(port), hostname)
  const lines = Object.entries({ host, 'content-length': String(10 * MIB), ...headers })
  socket.on('error', () => {})
  socket.write(`POST ${path} HTTP/1.1\r\n`)
  socket.write(`${lines.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n`)
  socket.write(Buffer.alloc(2 * MIB, 0x20))
  for (let sent = 0; sent < seconds && !socket.destroyed; sent++) {
    await Bun.sleep(1000)
    socket.write(' ')
  }
  socket.destroy()
  return 'dripped'
}

const RECEIPT = '/v1/docintel/extract/receipt'
const SCHEMA = '/v1/utils/schema'
const DIFF = '/v1/utils/diff'
const JUNK = { 'payment-signature': 'junk' }

const ATTACKS: Record<string, Attack> = {
  'nothing (for comparison)': async () => Bun.sleep(50).then(() => 'idle'),
  'unknown members, junk payment': ({ url }) => post(url, RECEIPT, UNKNOWN_MEMBERS(), JUNK),
  'unknown members, no payment': ({ url }) => post(url, RECEIPT, UNKNOWN_MEMBERS()),
  'unknown members, signed by an empty wallet': async ({ url, signed }) =>
    post(url, RECEIPT, UNKNOWN_MEMBERS(), { 'payment-signature': await signed(RECEIPT) }),
  'unknown members, with a key': ({ url, key }) =>
    post(url, RECEIPT, UNKNOWN_MEMBERS(), { 'x-api-key': key }),
  'members of an instance, with a key': ({ url, key }) =>
    post(url, SCHEMA, NESTED_MEMBERS(), { 'x-api-key': key }),
  'items of an instance, with a key': ({ url, key }) =>
    post(url, SCHEMA, WRONG_ITEMS(), { 'x-api-key': key }),
  'a long file, with a key': ({ url, key }) => post(url, RECEIPT, BASE64(), { 'x-api-key': key }),
  'numbers of 199 digits to /mcp': ({ url }) => post(url, '/mcp', DIGITS()),
  'small objects to /mcp': ({ url }) => post(url, '/mcp', SMALL_OBJECTS()),
  'unknown members to /mcp': ({ url }) => post(url, '/mcp', UNKNOWN_MEMBERS()),
  'escapes to /mcp': ({ url }) => post(url, '/mcp', ESCAPES()),
  'slow uploads to /mcp': ({ url }) => drip(url, '/mcp', { 'content-type': 'application/json' }),
  'slow uploads, with a key': ({ url, key }) => drip(url, DIFF, { 'x-api-key': key }),
}

async function send(
  target: Target,
  attack: Attack,
  untilMs: number,
  seen: Map<string, number>,
): Promise<void> {
  while (performance.now() < untilMs) {
    const word = await attack(target).catch((error: Error) => error.name)
    seen.set(word, (seen.get(word) ?? 0) + 1)
  }
}

async function targetOf(url: string): Promise<Target> {
  const operator = { authorization: `Bearer ${ADMIN}`, 'content-type': 'application/json' }
  const ask = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const init = { method: 'POST', headers: operator, body: JSON.stringify(body) }
    return (await (await fetch(url + path, init)).json()) as Record<string, unknown>
  }
  const made = await ask('/v1/keys', { name: 'bench', rpmLimit: 1_000_000, burstLimit: 100_000 })
  await ask('/v1/sandbox/topup', { apiKeyId: made['id'], amount: 1e6, provider: 'sandbox' })
  return {
    url,
    key: made['key'] as string,
    async signed(path) {
      const unpaid = await fetch(url + path, { method: 'POST' })
      await unpaid.arrayBuffer()
      const challenge = decode(unpaid.headers.get('payment-required'))
      const wallet = privateKeyToAccount(generatePrivateKey())
      return encode(await signPayment(wallet, requirementsIn(challenge)))
    },
  }
}

const folder = mkdtempSync(join(tmpdir(), 'coinop-bench-attacks-'))
const turns = join(folder, 'turns')
writeFileSync(turns, '')
const environment = {
  LOOP_PROBE_FILE: turns,
  DATA_DIR: folder,
  PORT: '0',
  ADMIN_TOKEN: ADMIN,
  LOG_LEVEL: 'error',
  LOG_FORMAT: 'json',
  // The limit of calls would hide what one call costs.
  RATE_LIMIT_RPM: '1000000',
  RATE_LIMIT_BURST: '100000',
}
const gateway = await startProcess(
  'bin/main.ts',
  ['start'],
  environment,
  'test/bench/lib/loop-probe.ts',
)

/** The longest that one turn of the gateway's loop was on the processor since then. */
function longestTurnMs(sinceMs: number): number {
  const lines = readFileSync(turns, 'utf8').trim().split('\n')
  const noted = lines.map((line) => line.split(' ').map(Number) as [number, number])
  return Math.max(0, ...noted.filter(([atMs]) => atMs >= sinceMs).map(([, ms]) => ms))
}

const probe = startProbe(gateway.url, gateway.pid)
// A stranger's machine is another one: what is sent here must not take the gateway's processor.
setPriority(constants.priority.PRIORITY_LOW)
const rows: string[][] = []
try {
  const target = await targetOf(gateway.url)
  for (const [name, attack] of Object.entries(ATTACKS)) {
    if (only !== undefined && !name.includes(only)) continue
    await Bun.sleep(1000)
    await probe.take()
    const seen = new Map<string, number>()
    const sinceMs = Date.now()
    const untilMs = performance.now() + seconds * 1000
    await Promise.all(Array.from({ length: SENDERS }, () => send(target, attack, untilMs, seen)))
    const { longestMs, p99Ms, peakRssMib, asked } = await probe.take()
    const words = [...seen].map(([word, count]) => `${count}×${word}`).join(' ')
    const turnMs = longestTurnMs(sinceMs)
    const figures = [longestMs, p99Ms, turnMs, peakRssMib, asked].map(formatNumber)
    rows.push([name, ...figures, words])
    console.error(rows.at(-1)!.join('  '))
  }
} finally {
  await probe.stop()
  await gateway.stop()
  rmSync(folder, { recursive: true, force: true })
}
const head = [
  'attack',
  '/health ms',
  'p99 ms',
  'longest turn ms',
  'peak RSS MiB',
  'asked',
  'answers',
]
console.log(formatTable(head, rows))
