/** Real screenshots by a real browser; a hostile page must not reach a private victim by any channel. */
import dgram from 'node:dgram'
import { readFileSync } from 'node:fs'
import net, { type AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { allowList } from '../../host/outbound/allow-list.ts'
import type { Outbound } from '../../kernel/net/contract.ts'
import { createOutbound } from '../../host/outbound/index.ts'
import { BrowserKeeper } from '../../plugins/utils/screenshot/browser/keeper.ts'
import { sampleTree } from '../../plugins/utils/screenshot/browser/process-tree.ts'
import { locateBrowser } from '../../plugins/utils/screenshot/browser/locate.ts'
import { capture } from '../../plugins/utils/screenshot/capture.ts'
import type { CaptureOptions, Drawing, Picture, Shot } from '../../plugins/utils/screenshot/shot.ts'
import type { Failure } from '../../kernel/errors.ts'
import { HOSTILE_PAGES } from '../support/hostile-pages.ts'
import { silentLog } from '../support/log.ts'
import { PATIENT } from '../support/patience.ts'
import { skipPart } from '../support/skips.ts'
import { closeServers, httpServer, type TestServer } from '../integration/net/servers.ts'

const TALL = `<body style="margin:0">${Array.from({ length: 60 }, (_, row) => `<div style="height:100px"><img loading="lazy" width="20" height="20" src="/lazy/${row}.svg"></div>`).join('')}`
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"/>'

const located = await locateBrowser({ chromiumPath: process.env['CHROMIUM_PATH'] })
const without = !located.ok && skipPart('screenshots', located.message)
const packaged = await locateBrowser({ chromiumPath: undefined, searchPath: '' })
const unpackaged = !packaged.ok && skipPart('the packaged browser', packaged.message)

let site: TestServer
let other: TestServer
let victim: net.Server
let victimPort = 0
let connections = 0
let udp: dgram.Socket
let datagrams = 0
let keeper: BrowserKeeper
let outbound: Outbound

function hostile(port: number, udpPort: number): string {
  const bad = `http://127.0.0.1:${port}`
  return `<!doctype html><link rel="icon" href="${bad}/icon"><link rel="prefetch" href="${bad}/prefetch">
<link rel="preconnect" href="${bad}"><link rel="dns-prefetch" href="${bad}"><link rel="stylesheet" href="${bad}/css">
<style>@import "${bad}/import";body{background:url(${bad}/background)}@font-face{font-family:x;src:url(${bad}/font)}p{font-family:x}</style>
<p>text<img src="${bad}/img"><img src="http://localhost:${port}/localhost"><img src="http://[::1]:${port}/six">
<img src="http://2130706433:${port}/decimal"><img src="http://0x7f.1:${port}/hex"><img src="/redirect?to=${bad}/redirected">
<iframe src="${bad}/frame"></iframe><iframe src="file:///etc/passwd"></iframe><iframe srcdoc="<img src='${bad}/srcdoc'>"></iframe>
<video src="${bad}/video" autoplay></video><audio src="${bad}/audio" autoplay></audio><object data="${bad}/object"></object><embed src="${bad}/embed">
<svg><image href="${bad}/svg"/></svg><form id="f" action="${bad}/form" method="post" target="t"></form><iframe name="t"></iframe>
<a id="ping" href="#" ping="${bad}/ping">x</a>
<script>
const quiet = (work) => { try { const made = work(); if (made && made.catch) made.catch(() => {}) } catch {} }
quiet(() => fetch('${bad}/fetch', { mode: 'no-cors' }))
quiet(() => { const x = new XMLHttpRequest(); x.open('GET', '${bad}/xhr'); x.send() })
quiet(() => navigator.sendBeacon('${bad}/beacon', 'x'))
quiet(() => new WebSocket('ws://127.0.0.1:${port}/socket'))
quiet(() => new EventSource('${bad}/events'))
quiet(() => window.open('${bad}/popup'))
quiet(() => document.getElementById('f').submit())
quiet(() => document.getElementById('ping').click())
quiet(() => new Worker(URL.createObjectURL(new Blob(["fetch('${bad}/worker',{mode:'no-cors'}).catch(()=>{});try{new WebSocket('ws://127.0.0.1:${port}/worker-socket')}catch{}"]))))
quiet(() => navigator.serviceWorker.register('/sw.js'))
quiet(() => { const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${udpPort}' }, { urls: 'turn:127.0.0.1:${port}?transport=tcp', username: 'u', credential: 'c' }] }); peer.createDataChannel('x'); peer.createOffer().then((offer) => peer.setLocalDescription(offer)) })
quiet(() => import('${bad}/module.js'))
quiet(() => alert('stop'))
</script>`
}

/** Says what it finds of an earlier visit, and leaves everything that a page can leave. */
const KEEP = `<!doctype html><link rel="stylesheet" href="/kept.css"><script>
const database = new Promise((resolve) => {
  const opening = indexedDB.open('kept')
  let isNew = false
  opening.onupgradeneeded = () => { isNew = true; opening.result.createObjectStore('s') }
  opening.onsuccess = () => resolve(isNew ? 'no' : 'yes')
})
addEventListener('load', async () => {
  const has = (text) => (text ? 'yes' : 'no')
  const found = ['cookie:' + has(document.cookie), 'storage:' + has(localStorage.kept),
    'session:' + has(sessionStorage.kept), 'database:' + (await database),
    'cache:' + has(await caches.match('/kept')),
    'worker:' + ('serviceWorker' in navigator ? 'some' : 'none')]
  document.cookie = 'kept=1;max-age=100000'
  localStorage.kept = sessionStorage.kept = '1'
  await (await caches.open('kept')).put('/kept', new Response('kept'))
  document.body.innerHTML = '<p id="found">' + found.join(' ') + '</p>'
})
</script><body>`

beforeAll(async () => {
  udp = dgram.createSocket('udp4')
  udp.on('message', () => (datagrams += 1))
  await new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve))
  // A connection counts, whatever comes over it.
  victim = net.createServer((socket) => {
    connections += 1
    socket.on('error', () => undefined).end()
  })
  await new Promise<void>((resolve) => victim.listen(0, '127.0.0.1', resolve))
  victimPort = (victim.address() as AddressInfo).port
  site = await httpServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://site')
    const html = (body: string): void => {
      response.setHeader('content-type', 'text/html; charset=utf-8')
      response.end(body)
    }
    if (url.pathname === '/robots.txt') return void response.end('User-agent: *\nDisallow: /closed')
    if (url.pathname.startsWith('/lazy/'))
      return void response.setHeader('content-type', 'image/svg+xml').end(SVG)
    if (url.pathname === '/redirect')
      return void response.writeHead(302, { location: url.searchParams.get('to') ?? '/' }).end()
    if (url.pathname === '/sw.js')
      return void response.setHeader('content-type', 'text/javascript').end('fetch("/sw-ran")')
    if (url.pathname === '/missing') return void response.writeHead(404).end('gone')
    if (url.pathname === '/hang') return
    if (url.pathname === '/hostile') return html(hostile(victimPort, udp.address().port))
    if (url.pathname === '/refresh')
      return html(`<meta http-equiv="refresh" content="0;url=http://127.0.0.1:${victimPort}/">`)
    if (url.pathname === '/jump') return html('<script>location.href = "/closed"</script>')
    if (url.pathname === '/slow') return html('<h1>Slow</h1><img src="/hang">')
    if (url.pathname === '/keep') return html(KEEP)
    if (url.pathname === '/kept.css') {
      response.setHeader('cache-control', 'public, max-age=31536000, immutable')
      return void response.setHeader('content-type', 'text/css').end('p{color:#000}')
    }
    if (url.pathname === '/file')
      return html('<script>location.href = "file:///etc/passwd"</script><h1>Stays</h1>')
    if (url.pathname === '/frames')
      return html(`<iframe src="/closed/frame"></iframe><iframe src="http://framed.com:${other.port}/framed"></iframe>
<script>onmessage = () => setTimeout(() => (document.body.innerHTML += '<p id="framed">there'), 1000)</script>`)
    if (url.pathname === '/element') return html(url.searchParams.get('html') ?? '')
    html(url.pathname === '/tall' ? TALL : '<body style="background:#0a0"><h1>Plain</h1>')
  })
  // Another site than the first, so its frames have a process of their own.
  other = await httpServer((request, response) => {
    response.setHeader('content-type', 'text/html')
    if (request.url === '/robots.txt') return void response.end('User-agent: *\nDisallow: /closed')
    if (request.url === '/framed')
      return void response.end(
        '<iframe src="/closed/inner"></iframe><script>parent.postMessage("there", "*"); location.href = "/closed/outer"</script>',
      )
    response.end('closed')
  })
  outbound = createOutbound({
    allowPrivate: allowList([`127.0.0.1:${site.port}`, `framed.com:${other.port}`]),
    userAgent: 'Coinop/0.1',
    resolver: async () => [{ address: '127.0.0.1', family: 4 }],
  })
  const chromiumPath = process.env['CHROMIUM_PATH']
  keeper = new BrowserKeeper({ chromiumPath, log: silentLog, launchTimeoutMs })
})
afterAll(async () => {
  await keeper.stop()
  udp.close()
  victim.close()
  await closeServers()
})

/** For one page; the waits for its parts grow with it. */
const PATIENT_MS = 120_000
const launchTimeoutMs = PATIENT.timeout

const shotOf = (path: string, extra: Partial<Shot> = {}): Shot => ({
  url: `${site.url}${path}`,
  width: 640,
  height: 480,
  fullPage: false,
  format: 'png',
  ...extra,
})

const captureOptions = (
  signal: AbortSignal,
  onClosing: CaptureOptions['onClosing'],
): CaptureOptions => ({ outbound, signal, timeoutMs: PATIENT_MS, onClosing })

async function shoot(
  path: string,
  extra: Partial<Shot> = {},
  shooter = keeper,
): Promise<Picture | Failure> {
  const signal = AbortSignal.timeout(2 * PATIENT_MS)
  const used = await shooter.use(
    (browser, onClosing) =>
      capture(browser, shotOf(path, extra), captureOptions(signal, onClosing)),
    { signal, share: 'test' },
  )
  if (!used.ok) throw new Error(used.message)
  return used.value
}

/** Width and height in the header of a PNG. */
function sizeOf(base64: string): [number, number] {
  const bytes = Buffer.from(base64, 'base64')
  expect(bytes.subarray(1, 4).toString()).toBe('PNG')
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
}

function taken(result: Picture | Failure): Picture {
  if (!result.ok) throw new Error(`no picture: ${result.message}`)
  return result
}

describe.skipIf(without)('screenshot', () => {
  it('takes the viewport, as PNG and JPEG', async () => {
    const png = taken(await shoot('/'))
    expect(sizeOf(png.base64)).toEqual([640, 480])
    const jpeg = taken(await shoot('/', { format: 'jpeg' }))
    expect(Buffer.from(jpeg.base64, 'base64').subarray(0, 2).toString('hex')).toBe('ffd8')
  })

  it('takes the whole page with its lazy images', async () => {
    const lazyHits = () => new Set(site.hits.filter((hit) => hit.includes('/lazy/'))).size
    // They are looked for within seconds, of which a busy machine may leave the browser none.
    for (let left = 3; left > 0 && lazyHits() < 60; left--) {
      site.hits.length = 0
      const picture = taken(await shoot('/tall', { fullPage: true }))
      expect(sizeOf(picture.base64)).toEqual([640, 6000])
    }
    expect(lazyHits()).toBe(60)
  })

  it('reaches a private victim by no channel', async () => {
    site.hits.length = 0
    const picture = taken(await shoot('/hostile'))
    expect(sizeOf(picture.base64)).toEqual([640, 480])
    expect(site.hits).toContain('GET /hostile')
    expect(site.hits.some((hit) => hit.includes('sw-ran'))).toBe(false)
    expect(connections).toBe(0)
    expect(datagrams).toBe(0)
  })

  it('refuses a page that leads to a private address', async () => {
    const refused = { ok: false, code: 'INVALID_INPUT', status: 403, details: { reason: 'ssrf' } }
    expect(await shoot('/refresh')).toMatchObject(refused)
    expect(await shoot(`/redirect?to=http://127.0.0.1:${victimPort}/`)).toMatchObject(refused)
    expect(await shoot('/file')).toMatchObject({ ok: true })
    expect(connections).toBe(0)
  })

  it('would have counted a connection', async () => {
    await new Promise<void>((resolve) =>
      net
        .connect(victimPort, '127.0.0.1')
        .on('close', () => resolve())
        .on('data', () => undefined),
    )
    expect(connections).toBe(1)
  })

  it('asks robots.txt also where a script goes', async () => {
    expect(await shoot('/jump')).toMatchObject({
      ok: false,
      status: 403,
      details: { reason: 'robots' },
    })
    expect(site.hits).not.toContain('GET /closed')
  })

  it('asks robots.txt also where frames go, of the same site and of others', async () => {
    site.hits.length = 0
    const order: Drawing = { ...shotOf('/frames'), format: 'html', waitFor: '#framed' }
    const signal = AbortSignal.timeout(2 * PATIENT_MS)
    const used = await keeper.use(
      (browser, onClosing) => capture(browser, order, captureOptions(signal, onClosing)),
      { signal, share: 'test' },
    )
    expect(used).toMatchObject({ ok: true, value: { ok: true } })
    expect(other.hits).toContain('GET /framed')
    expect([...site.hits, ...other.hits].filter((hit) => hit.includes('/closed'))).toEqual([])
  })

  it('keeps nothing of a call for the next', async () => {
    const found = async (): Promise<string> => {
      const signal = AbortSignal.timeout(2 * PATIENT_MS)
      const order: Drawing = { ...shotOf('/keep'), format: 'html', waitFor: '#found' }
      const used = await keeper.use(
        (browser, onClosing) => capture(browser, order, captureOptions(signal, onClosing)),
        { signal, share: 'test' },
      )
      if (!used.ok || !used.value.ok) throw new Error(JSON.stringify(used))
      return /<p id="found">(cookie[^<]*)/.exec(used.value.html)?.[1] ?? ''
    }
    site.hits.length = 0
    const nothing = 'cookie:no storage:no session:no database:no cache:no worker:none'
    for (let call = 0; call < 4; call += 1) expect(await found()).toBe(nothing)
    expect(keeper.pids()).toHaveLength(1)
    // Nor does the browser keep what it was told to keep for a year.
    expect(site.hits.filter((hit) => hit.endsWith('/kept.css'))).toHaveLength(4)
    expect(site.hits.some((hit) => hit.includes('sw-ran'))).toBe(false)
  })

  it('does not sell an error page', async () => {
    expect(await shoot('/missing')).toMatchObject({
      ok: false,
      code: 'UPSTREAM_FAILURE',
      details: { status: 404 },
    })
  })

  it('shows a page whose loading never ends as it is', async () => {
    expect(sizeOf(taken(await shoot('/slow')).base64)).toEqual([640, 480])
  })

  it.skipIf(process.platform !== 'linux')(
    'goes on after the process was killed that makes the processes of pages',
    async () => {
      expect(taken(await shoot('/')).ok).toBe(true)
      const [pid] = keeper.pids()
      const zygotes = (await sampleTree(pid!)).pids.filter((one) =>
        readFileSync(`/proc/${one}/cmdline`, 'utf8').includes('--type=zygote'),
      )
      expect(zygotes.length).toBeGreaterThan(0)
      for (const zygote of zygotes) process.kill(zygote, 'SIGKILL')
      // The first has its process already: it was made ready during the call before.
      expect(taken(await shoot('/')).ok).toBe(true)
      expect(taken(await shoot('/')).ok).toBe(true)
      expect(keeper.pids()).not.toContain(pid)
    },
  )

  it('goes on after the browser was killed', async () => {
    const [pid] = keeper.pids()
    expect(pid).toBeGreaterThan(0)
    process.kill(pid!, 'SIGKILL')
    expect(taken(await shoot('/')).ok).toBe(true)
    expect(keeper.pids()).not.toContain(pid)
  })
})

describe.skipIf(without)('a page that takes memory without end', () => {
  let strict: BrowserKeeper
  beforeAll(() => {
    const memory = { pageMib: 192, totalMib: 4096 }
    const chromiumPath = process.env['CHROMIUM_PATH']
    strict = new BrowserKeeper({ chromiumPath, log: silentLog, memory, launchTimeoutMs })
  })
  afterAll(() => strict.stop())

  // In a renderer, in its workers, in the graphics process and in the browser's own.
  it.each(['arrays', 'workers', 'canvases', 'webgl', 'blobs'])(
    'as %s is ended, and nobody else',
    async (name) => {
      const hostile = strict.use(
        async (browser) => {
          const page = await (await browser.createBrowserContext()).newPage()
          // Nothing but its memory ends this call.
          await page.setContent(HOSTILE_PAGES[name]!()).catch(() => undefined)
          return new Promise<never>(() => undefined)
        },
        { signal: AbortSignal.timeout(300_000), share: 'hostile' },
      )
      const picture = await shoot('/', {}, strict)
      expect(sizeOf(taken(picture).base64)).toEqual([640, 480])
      expect(await hostile).toMatchObject({ ok: false, reason: 'page_memory' })
    },
  )
})

describe.skipIf(without)('a page that crashes its renderer', () => {
  it('is no picture, and the browser goes on', async () => {
    const signal = AbortSignal.timeout(2 * PATIENT_MS)
    const before = taken(await shoot('/'))
    const crashed = await keeper.use(
      async (browser, onClosing) => {
        const failing = capture(browser, shotOf('/slow'), captureOptions(signal, onClosing))
        const page = await vi.waitUntil(async () => {
          const pages = await Promise.all(browser.browserContexts().map((one) => one.pages()))
          return pages.flat().find((one) => one.url().endsWith('/slow'))
        }, PATIENT)
        const session = await page.createCDPSession()
        session.send('Page.crash').catch(() => undefined)
        return failing
      },
      { signal, share: 'test' },
    )
    expect(crashed).toMatchObject({
      ok: true,
      value: { ok: false, code: 'PROCESSING_FAILURE', details: { reason: 'page_crashed' } },
    })
    expect(taken(await shoot('/')).base64).toBe(before.base64)
  })
})

describe.skipIf(unpackaged)('the packaged browser', () => {
  let brought: BrowserKeeper
  beforeAll(() => {
    const place = { chromiumPath: undefined, searchPath: '' }
    brought = new BrowserKeeper({ ...place, log: silentLog, launchTimeoutMs })
  })
  afterAll(() => brought.stop())

  it.each([
    '<p>$</p>',
    '<input value="$">',
    '<select><option>$</select>',
    '<textarea>$</textarea>',
  ])('paints the text of %s', async (element) => {
    // The same box with and without text: a difference is ink.
    const sized = `<style>p,input,select,textarea{width:200px;height:40px}</style>${element}`
    const shootWith = async (text: string): Promise<string> => {
      const html = encodeURIComponent(sized.replace('$', text))
      return taken(await shoot(`/element?html=${html}`, {}, brought)).base64
    }
    expect(await shootWith('Seven lamps')).not.toBe(await shootWith(''))
  })
})
