/**
 * Milliseconds of a screenshot: first call (browser started), warm calls one after another of a page
 * without scripts, of one with scripts and of one that asks for more after its load, whole page.
 * `package` measures the browser of the npm package instead of the system's. `--beside folder` calls
 * the checkout of another version in turns, and the ratio stands on a machine that is busy.
 * Run: bun test/bench/screenshot.ts [package] [--beside folder]
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { allowList } from '../../host/outbound/allow-list.ts'
import { createOutbound } from '../../host/outbound/index.ts'
import type { BrowserKeeper } from '../../plugins/utils/screenshot/browser/keeper.ts'
import type { capture } from '../../plugins/utils/screenshot/capture.ts'
import { silentLog } from '../support/log.ts'
import { formatTable } from './lib/table.ts'

const WARM = 21
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { beside: { type: 'string' } },
})

const rows = Array.from(
  { length: 300 },
  (_, row) => `<tr><td>Row ${row}</td><td>${'text '.repeat(8)}</td></tr>`,
)
const table = `<h1>Rows</h1><table>${rows.join('')}</table>`
const images = Array.from({ length: 20 }, (_, at) => `<img src="/${at}.svg" width="100">`)
const PAGES: Readonly<Record<string, [type: string, body: string]>> = {
  '/plain': ['text/html', `<!doctype html>${table}`],
  '/scripts': [
    'text/html',
    `<!doctype html><link rel="stylesheet" href="/a.css"><script src="/a.js"></script>${images.join('')}${table}`,
  ],
  '/late': [
    'text/html',
    `<!doctype html><script src="/a.js"></script>${table}<script>addEventListener('load', () => setTimeout(async () => document.body.prepend(await (await fetch('/late.json')).text()), 30))</script>`,
  ],
  '/a.css': ['text/css', 'body{font-family:sans-serif}'],
  '/a.js': ['text/javascript', 'globalThis.started = Date.now()'],
  '/late.json': ['application/json', '{"late":true}'],
}
const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="60"><rect width="90" height="50"/></svg>'
const site = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch({ url }) {
    const { pathname } = new URL(url)
    if (pathname === '/robots.txt') return new Response('', { status: 404 })
    const [type, body] = PAGES[pathname] ?? ['image/svg+xml', SVG]
    return new Response(body, { headers: { 'content-type': type } })
  },
})
const outbound = createOutbound({
  allowPrivate: allowList([`127.0.0.1:${site.port}`]),
  userAgent: 'Coinop/0.1',
})

interface Version {
  name: string
  keeper: BrowserKeeper
  capture: typeof capture
}

async function versionOf(name: string, root: string): Promise<Version> {
  const folder = resolve(root, 'plugins/utils/screenshot')
  const keeping = await import(`${folder}/browser/keeper.ts`)
  const keeper = new keeping.BrowserKeeper({
    chromiumPath: undefined,
    log: silentLog,
    ...(positionals[0] === 'package' && { searchPath: '' }),
  })
  return { name, keeper, capture: (await import(`${folder}/capture.ts`)).capture }
}

async function shoot({ keeper, capture }: Version, path: string, fullPage = false) {
  const startedAt = performance.now()
  const signal = AbortSignal.timeout(60_000)
  const shot = {
    url: `http://127.0.0.1:${site.port}${path}`,
    width: 1280,
    height: 800,
    fullPage,
    format: 'png' as const,
  }
  const used = await keeper.use(
    (browser, onClosing = () => undefined) =>
      // Versions before wanted to know of a page that does not close by another name.
      capture(
        browser,
        shot,
        Object.assign(
          { outbound, signal, timeoutMs: 45_000, onClosing },
          { onStuck: () => undefined },
        ),
      ),
    { signal, share: 'bench' },
  )
  if (!used.ok || !used.value.ok) throw new Error(JSON.stringify(used))
  return performance.now() - startedAt
}

const median = (all: number[]): number => all.toSorted((a, b) => a - b)[all.length >> 1]!
const versions = [await versionOf('this', resolve(import.meta.dirname, '../..'))]
if (values.beside !== undefined) versions.push(await versionOf('other', values.beside))

const located = await versions[0]!.keeper.locate()
if (!located.ok) throw new Error(located.message)
const loadNow = (await Bun.file('/proc/loadavg').text()).slice(0, 5)
console.log(`browser: ${located.binary.origin}, load ${loadNow}`)
for (const version of versions)
  console.log(`first call, ${version.name}: ${Math.round(await shoot(version, '/plain'))} ms`)

const lines: string[][] = []
for (const [path, calls, fullPage] of [
  ['/plain', WARM, false],
  ['/scripts', WARM, false],
  ['/late', WARM, false],
  ['/plain', 3, true],
] as const) {
  const times = versions.map((): number[] => [])
  for (let call = 0; call < calls; call += 1)
    for (const [at, version] of versions.entries())
      times[at]!.push(await shoot(version, path, fullPage))
  const p50 = times.map(median)
  lines.push([
    fullPage ? 'whole page' : path.slice(1),
    ...p50.map((ms) => ms.toFixed(0)),
    ...times.map((all) => Math.max(...all).toFixed(0)),
    ...(p50[1] === undefined ? [] : [(p50[0]! / p50[1]).toFixed(2)]),
  ])
}
const names = versions.map(({ name }) => name)
console.log(
  formatTable(
    [
      'warm page',
      ...names.map((name) => `p50 ms, ${name}`),
      ...names.map((name) => `slowest, ${name}`),
      ...(names[1] === undefined ? [] : ['ratio']),
    ],
    lines,
  ),
)
for (const { keeper } of versions) await keeper.stop()
await site.stop(true)
