/** What the outbound guards cost: the same loopback exchange bare and guarded, side by side. */
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { classifyAddress } from '../../host/outbound/classify.ts'
import { allowList } from '../../host/outbound/allow-list.ts'
import { createOutbound } from '../../host/outbound/index.ts'
import { parseRobots } from '../../host/outbound/robots.ts'

const page = Buffer.from('<p>words and more words</p>'.repeat(2000))
const bomb = gzipSync(Buffer.alloc(512 << 20))
const server = http.createServer((request, response) => {
  if (request.url === '/bomb') response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
  else response.end(page)
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const { port } = server.address() as AddressInfo
const url = `http://127.0.0.1:${port}/page`
const outbound = createOutbound({
  allowPrivate: allowList([`127.0.0.1:${port}`]),
  userAgent: 'Coinop/bench',
})

async function p50(count: number, work: () => Promise<unknown>): Promise<number> {
  const taken: number[] = []
  for (let n = 0; n < count; n += 1) {
    const start = performance.now()
    await work()
    taken.push(performance.now() - start)
  }
  return taken.sort((a, b) => a - b)[count >> 1]!
}
function perSecond(count: number, work: () => unknown): string {
  const start = performance.now()
  for (let n = 0; n < count; n += 1) work()
  return Math.round(count / ((performance.now() - start) / 1000)).toLocaleString('en')
}
const rssMib = (): number => Math.round(process.memoryUsage().rss / 1048576)
const bare = async (): Promise<unknown> =>
  (await fetch(url, { keepalive: false, headers: { connection: 'close' } })).arrayBuffer()
const guarded = (): Promise<unknown> => outbound.fetch(url)
const streamed = async (): Promise<unknown> => {
  const answer = await outbound.request(url)
  return answer.ok && new Response(answer.body).arrayBuffer()
}

for (const work of [bare, guarded, streamed]) await p50(50, work)
const base = await p50(300, bare)
const rows = { 'fetch, new connection': base, guarded: await p50(300, guarded) }
for (const [name, ms] of Object.entries({ ...rows, 'guarded, streamed': await p50(300, streamed) }))
  console.log(`${name.padEnd(28)} p50 ${ms.toFixed(2)} ms  ${(ms / base).toFixed(2)} x`)

const before = rssMib()
for (let n = 0; n < 3000; n += 1) await guarded()
console.log(`3,000 guarded fetches        RSS ${before} → ${rssMib()} MiB`)

const start = performance.now()
const answer = await outbound.fetch(`http://127.0.0.1:${port}/bomb`, { maxBytes: 10 << 20 })
const spent = Math.round(performance.now() - start)
console.log(
  `512 MiB gzip bomb            ${answer.ok ? 'read' : answer.reason} in ${spent} ms, RSS ${rssMib()} MiB`,
)

console.log(
  `classifyAddress IPv4         ${perSecond(100_000, () => classifyAddress('93.184.215.14'))} / s`,
)
console.log(
  `classifyAddress IPv6         ${perSecond(100_000, () => classifyAddress('2606:4700::1111'))} / s`,
)
const lines = Array.from({ length: 500 }, (_, n) => `Disallow: /section${n}/*.php$`)
const robots = `User-agent: *\n${lines.join('\n')}\n`
console.log(
  `parse 500 robots rules       ${perSecond(500, () => parseRobots(robots, 'Coinop'))} / s`,
)
const rules = parseRobots(robots, 'Coinop')
console.log(
  `judge a path by 500 rules    ${perSecond(5000, () => rules.allows('/section499/a.html'))} / s`,
)
server.close()
server.closeAllConnections()
