/**
 * What one payer can do to the others with slow work, on a real gateway: pages that take memory
 * without end, in each part of the browser, and 200 documents that take long, while another payer
 * calls. Prints what the other waited, the memory of the browsers, the longest time an answer of
 * /health took, and what was charged: `bun test/bench/attacks-pages.ts [name]`.
 */
import { readFileSync, readdirSync } from 'node:fs'
import { proportionalMib, sampleTree } from '../../plugins/utils/screenshot/browser/process-tree.ts'
import { startGateway, type GatewayProcess } from '../support/gateway.ts'
import { HOSTILE_PAGES } from '../support/hostile-pages.ts'
import { startProbe } from './lib/health-probe.ts'
import { formatTable } from './lib/table.ts'

const only = process.argv[2]
const JOBS = 200
const CREDITS = 100_000
const SAMPLE_MS = 50

interface Payer {
  balance(): Promise<number>
  post(path: string, body: object): Promise<{ word: string; ms: number }>
}

async function payer(gateway: GatewayProcess): Promise<Payer> {
  const { key } = await gateway.key(CREDITS, { rpmLimit: 1_000_000, burstLimit: 100_000 })
  const headers = { 'x-api-key': key }
  return {
    balance: async () =>
      (await gateway.call('GET', '/v1/credits/balance', { headers })).json.credits as number,
    async post(path, body) {
      const startedMs = performance.now()
      const { status, json } = await gateway.call('POST', path, { body, headers })
      const details = json?.error?.details ?? {}
      const why = details.reason ?? details.limit ?? json?.error?.code ?? ''
      return { word: `${status} ${why}`.trim(), ms: Math.round(performance.now() - startedMs) }
    },
  }
}

/** Process ids of the browsers that the gateway has started. */
function browsersOf(pid: number): number[] {
  const threads = readdirSync(`/proc/${pid}/task`)
  const children = threads.flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean),
  )
  return children
    .filter((child) => {
      try {
        return readFileSync(`/proc/${child}/cmdline`, 'utf8').includes(`coinop-browser-${pid}-`)
      } catch {
        return false
      }
    })
    .map(Number)
}

/** Samples the memory of the browsers until `stop`, which tells the most of one and of all, in MiB. */
function watchBrowsers(pid: number): { stop(): Promise<{ one: number; all: number }> } {
  const most = { one: 0, all: 0 }
  const over = new AbortController()
  const watching = (async () => {
    while (!over.signal.aborted) {
      const each = await Promise.all(
        browsersOf(pid).map(async (browser) => proportionalMib(await sampleTree(browser))),
      )
      most.one = Math.max(most.one, ...each)
      most.all = Math.max(
        most.all,
        each.reduce((sum, mib) => sum + mib, 0),
      )
      await Bun.sleep(SAMPLE_MS)
    }
  })()
  return {
    async stop() {
      over.abort()
      await watching
      return most
    },
  }
}

/** Calls one after another until `until` has ended, and once more. */
async function callWhile(
  until: Promise<unknown>,
  call: () => Promise<{ word: string; ms: number }>,
): Promise<{ words: string; medianMs: number; longestMs: number }> {
  const over = new AbortController()
  void until.finally(() => over.abort())
  const seen: { word: string; ms: number }[] = []
  do seen.push(await call())
  while (!over.signal.aborted)
  const times = seen.map(({ ms }) => ms).sort((a, b) => a - b)
  return {
    words: counted(seen.map(({ word }) => word)),
    medianMs: times[Math.floor(times.length / 2)]!,
    longestMs: times.at(-1)!,
  }
}

function counted(words: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return [...counts].map(([word, count]) => `${count} × ${word}`).join(', ')
}

const site = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch(request) {
    const name = new URL(request.url).pathname.slice(1)
    if (name === 'robots.txt') return new Response('', { status: 404 })
    const html = HOSTILE_PAGES[name]?.() ?? '<h1>Plain</h1>'
    return new Response(`<!doctype html>${html}`, { headers: { 'content-type': 'text/html' } })
  },
})
const gateway = await startGateway({
  SANDBOX_CHAIN: 'false',
  ALLOW_PRIVATE_TARGETS: `127.0.0.1:${site.port}`,
})
const probe = startProbe(gateway.url, gateway.pid)
const [attacker, other] = [await payer(gateway), await payer(gateway)]
const shoot = (by: Payer, name: string) =>
  by.post('/v1/utils/screenshot', { url: `http://127.0.0.1:${site.port}/${name}` })

async function pages(): Promise<void> {
  await shoot(other, 'plain')
  await probe.take()
  await Bun.sleep(5_000)
  const idle = await probe.take()
  const rows = [['nothing', '', '', '', '', '', String(Math.round(idle.longestMs))]]
  for (const name of ['plain', ...Object.keys(HOSTILE_PAGES)]) {
    if (only !== undefined && only !== name && only !== 'pages') continue
    await probe.take()
    const before = await attacker.balance()
    const memory = watchBrowsers(gateway.pid)
    // As many as the attacker finds places for.
    const hostile = Promise.all(Array.from({ length: 4 }, () => shoot(attacker, name)))
    const seen = await callWhile(hostile, () => shoot(other, 'plain'))
    const outcomes = await hostile
    const { one, all } = await memory.stop()
    const { longestMs } = await probe.take()
    rows.push([
      name,
      counted(outcomes.map(({ word }) => word)),
      String(before - (await attacker.balance())),
      `${Math.round(one)} / ${Math.round(all)}`,
      seen.words,
      `${seen.medianMs} / ${seen.longestMs}`,
      String(Math.round(longestMs)),
    ])
  }
  console.log(
    formatTable(
      [
        'page, four times',
        'answers',
        'credits',
        'MiB one/all',
        'other',
        'ms median/longest',
        '/health ms',
      ],
      rows,
    ),
  )
}

/** A small schema that asks the same question 2^40 times: its job ends at its time limit, unpaid. */
const SLOW = {
  schema: {
    $ref: '#/$defs/d0',
    $defs: Object.fromEntries([
      ...Array.from({ length: 40 }, (_, n) => {
        const next = { $ref: `#/$defs/d${n + 1}` }
        return [`d${n}`, { anyOf: [next, next] }]
      }),
      ['d40', { type: 'number' }],
    ]),
  },
  instance: 'x',
}
const QUICK = { schema: { type: 'string' }, instance: 'x' }

async function jobs(): Promise<void> {
  const quick = () => other.post('/v1/utils/schema', QUICK)
  await quick()
  const alone = await callWhile(Bun.sleep(3_000), quick)
  await probe.take()
  const before = await attacker.balance()
  const slow = Promise.all(
    Array.from({ length: JOBS }, () => attacker.post('/v1/utils/schema', SLOW)),
  )
  const during = await callWhile(Promise.race([slow, Bun.sleep(60_000)]), quick)
  const { longestMs } = await probe.take()
  console.log(
    formatTable(
      ['a quick job of another payer', 'ms median/longest', 'answers'],
      [
        ['alone', `${alone.medianMs} / ${alone.longestMs}`, alone.words],
        [`beside ${JOBS} slow ones`, `${during.medianMs} / ${during.longestMs}`, during.words],
      ],
    ),
  )
  console.log(`/health at most ${Math.round(longestMs)} ms`)
  const outcomes = await slow
  console.log(
    `slow: ${counted(outcomes.map(({ word }) => word))}; ${before - (await attacker.balance())} credits`,
  )
}

if (only === undefined || only === 'jobs') await jobs()
if (only !== 'jobs') await pages()
probe.stop()
await gateway.stop()
await site.stop(true)
process.exit()
