/**
 * Milliseconds of a screenshot: first call (browser started), warm calls one after another, whole
 * page. `package` as argument measures the browser of the npm package instead of the system's.
 * Run: bun test/bench/screenshot.ts [package]
 */
import { allowList } from '../../kernel/net/allow-list.ts'
import { createOutbound } from '../../outbound/index.ts'
import { BrowserKeeper } from '../../plugins/utils/screenshot/browser/keeper.ts'
import { capture } from '../../plugins/utils/screenshot/capture.ts'
import { silentLog } from '../support/log.ts'

const WARM = 15
const rows = Array.from(
  { length: 300 },
  (_, row) => `<tr><td>Row ${row}</td><td>${'text '.repeat(8)}</td></tr>`,
)
const site = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: ({ url }) =>
    url.endsWith('/robots.txt')
      ? new Response('', { status: 404 })
      : new Response(`<!doctype html><h1>Rows</h1><table>${rows.join('')}</table>`, {
          headers: { 'content-type': 'text/html' },
        }),
})
const outbound = createOutbound({
  allowPrivate: allowList([`127.0.0.1:${site.port}`]),
  userAgent: 'Coinop/0.1',
})
const isPackage = process.argv[2] === 'package'
const keeper = new BrowserKeeper({
  chromiumPath: undefined,
  log: silentLog,
  ...(isPackage && { searchPath: '' }),
})

async function shoot(fullPage = false): Promise<number> {
  const startedAt = performance.now()
  const signal = AbortSignal.timeout(60_000)
  const shot = {
    url: `http://127.0.0.1:${site.port}/`,
    width: 1280,
    height: 800,
    fullPage,
    format: 'png' as const,
  }
  const used = await keeper.use(
    (browser) =>
      capture(browser, shot, { outbound, signal, timeoutMs: 45_000, onStuck: () => undefined }),
    { signal, share: 'bench' },
  )
  if (!used.ok || !used.value.ok) throw new Error(JSON.stringify(used))
  return Math.round(performance.now() - startedAt)
}

const located = await keeper.locate()
if (!located.ok) throw new Error(located.message)
console.log(
  `browser: ${located.binary.origin}, load ${(await Bun.file('/proc/loadavg').text()).slice(0, 5)}`,
)
console.log(`first call: ${await shoot()} ms`)
const warm: number[] = []
for (let call = 0; call < WARM; call += 1) warm.push(await shoot())
warm.sort((a, b) => a - b)
console.log(`warm: p50 ${warm[Math.floor(WARM / 2)]} ms, slowest ${warm.at(-1)} ms of ${WARM}`)
console.log(`whole page: ${await shoot(true)} ms`)
await keeper.stop()
await site.stop(true)
