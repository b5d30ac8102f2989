/** What a caller may ask of a picture, and pages that would have it wait for ever: a clear end in time. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allowList } from '../../host/outbound/allow-list.ts'
import type { Outbound } from '../../kernel/net/contract.ts'
import { createOutbound } from '../../host/outbound/index.ts'
import type { Failure } from '../../kernel/errors.ts'
import { BrowserKeeper } from '../../plugins/utils/screenshot/browser/keeper.ts'
import { locateBrowser } from '../../plugins/utils/screenshot/browser/locate.ts'
import { capture } from '../../plugins/utils/screenshot/capture.ts'
import type { DrawnPage, Picture, Shot } from '../../plugins/utils/screenshot/shot.ts'
import { closeServers, httpServer, type TestServer } from '../integration/net/servers.ts'
import { silentLog } from '../support/log.ts'
import { PATIENT } from '../support/patience.ts'
import { skipPart } from '../support/skips.ts'

const located = await locateBrowser({ chromiumPath: process.env['CHROMIUM_PATH'] })
const without = !located.ok && skipPart('screenshot features', located.message)

const PAGES: Readonly<Record<string, string>> = {
  '/blank': '<body>',
  '/one-colour': '<body style="background:#123456">',
  '/dot':
    '<body><div style="position:absolute;left:600px;top:440px;width:2px;height:2px;background:#000">',
  '/late': `<body><script>setTimeout(() => { document.body.innerHTML = '<p id="done">Drawn late</p>' }, 700)</script>`,
  '/box':
    '<body style="margin:0"><div style="height:700px"></div><div id="box" style="width:120px;height:80px;background:#080;margin-left:40px">x</div>',
  '/edge':
    '<body style="margin:0"><div id="half" style="position:absolute;left:-60px;top:-20px;width:120px;height:80px;background:linear-gradient(90deg,#800 50%,#080 50%)"></div><div id="off" style="position:absolute;left:-9999px">x</div>',
  '/replaced':
    '<body><div id="box" style="width:120px;height:80px;background:linear-gradient(#800,#080)"></div><script>setInterval(() => box.replaceWith(box.cloneNode(true)), 5)</script>',
  '/tall':
    '<body style="margin:0"><div style="height:20000px;background:linear-gradient(#fff,#000)">',
  '/dark':
    '<style>body{background:#fff;color:#000}@media (prefers-color-scheme:dark){body{background:#000;color:#fff}}</style><p>Text',
  '/mobile':
    '<meta name="viewport" content="width=device-width"><p id="w"></p><script>w.textContent = [innerWidth, devicePixelRatio, navigator.userAgent, "ontouchstart" in window].join("|")</script>',
  '/banner':
    '<body><h1>News</h1><div id="bar" style="position:fixed;bottom:0;left:0;right:0;background:#fff">We use cookies. <button>Accept</button></div><p id="own" style="position:fixed">Own fixed text</p>',
  '/dialogs':
    '<h1>Ask</h1><script>alert(1); confirm(2); prompt(3); onbeforeunload = () => "stay"</script>',
  '/popups': '<h1>Open</h1><script>for (let i = 0; i < 20; i++) window.open("/blank")</script>',
  '/script-loop': '<h1>Loop</h1><script>setTimeout(() => location.reload(), 50)</script>',
}

let site: TestServer
let keeper: BrowserKeeper
let guarded: Outbound

beforeAll(async () => {
  site = await httpServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://site')
    if (url.pathname === '/robots.txt') return void response.writeHead(404).end()
    if (url.pathname === '/never') return
    if (url.pathname === '/drip') {
      response.setHeader('content-type', 'text/html')
      response.write('<h1>Dripping</h1>')
      const drip = setInterval(() => response.write('<p>drop</p>'), 100)
      return void response.on('close', () => clearInterval(drip))
    }
    if (url.pathname === '/loop') return void response.writeHead(302, { location: '/loop' }).end()
    if (url.pathname === '/redirect')
      return void response.writeHead(302, { location: url.searchParams.get('to') ?? '/' }).end()
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(PAGES[url.pathname] ?? '<h1>Plain</h1>')
  })
  guarded = createOutbound({
    allowPrivate: allowList([`127.0.0.1:${site.port}`]),
    userAgent: 'Coinop/0.1',
  })
  keeper = new BrowserKeeper({
    chromiumPath: process.env['CHROMIUM_PATH'],
    log: silentLog,
    launchTimeoutMs: PATIENT.timeout,
  })
})
afterAll(async () => {
  await keeper.stop()
  await closeServers()
})

/**
 * A picture of a very tall page took 20 s on two busy cores, and a quarter of this is for it; each
 * of the waits before it grows with it.
 */
const PATIENT_MS = 400_000

type Order = Omit<Partial<Shot>, 'format'> & { format?: Shot['format'] | 'html' }

async function shoot(
  path: string,
  order: Order = {},
  { timeoutMs = PATIENT_MS, change = (outbound: Outbound) => outbound } = {},
): Promise<Picture | DrawnPage | Failure> {
  const signal = AbortSignal.timeout(PATIENT_MS + 20_000)
  const size = { width: 640, height: 480 }
  const shot = { url: `${site.url}${path}`, ...size, fullPage: false, format: 'png', ...order }
  const used = await keeper.use(
    (browser, onClosing) =>
      capture(browser, shot as Shot, { outbound: change(guarded), signal, timeoutMs, onClosing }),
    { signal, share: 'test' },
  )
  if (!used.ok) throw new Error(used.message)
  return used.value
}

async function picture(path: string, order: Order = {}, limits = {}): Promise<Picture> {
  const result = await shoot(path, order, limits)
  if (!result.ok || !('base64' in result)) throw new Error(`no picture: ${JSON.stringify(result)}`)
  return result
}

const bytesOf = ({ base64 }: Picture): Buffer => Buffer.from(base64, 'base64')

describe.skipIf(without)('what is asked of a picture', () => {
  it('comes as WebP, as PDF and in the quality that is asked for', async () => {
    const webp = bytesOf(await picture('/', { format: 'webp' }))
    expect(webp.toString('latin1', 8, 12)).toBe('WEBP')
    const paper = await picture('/', { format: 'pdf' })
    expect(bytesOf(paper).toString('latin1', 0, 5)).toBe('%PDF-')
    expect(paper).toMatchObject({ width: 794, height: 1123, isBlank: false })
    const [low, high] = [10, 95].map((quality) => picture('/tall', { format: 'jpeg', quality }))
    expect(bytesOf(await low!).length).toBeLessThan(bytesOf(await high!).length)
  })

  it('waits for what a script draws, and says when it does not come', async () => {
    const drawn = await shoot('/late', { format: 'html', waitFor: '#done' })
    expect(drawn).toMatchObject({ ok: true, html: expect.stringContaining('Drawn late') })
    const later = await shoot('/late', { format: 'html', waitFor: 1200 })
    expect(later).toMatchObject({ ok: true, html: expect.stringContaining('Drawn late') })
    expect(await shoot('/', { waitFor: '#never' }, { timeoutMs: 4_000 })).toMatchObject({
      ok: false,
      code: 'TIMEOUT',
      retryable: false,
      details: { reason: 'selector' },
    })
    expect(await shoot('/', { waitFor: 'p[[' })).toMatchObject({
      ok: false,
      code: 'INVALID_INPUT',
      details: { issues: [{ path: '/wait_for' }] },
    })
  })

  it('shows one element, one part, or says how much of a page it left out', async () => {
    expect(await picture('/box', { selector: '#box' })).toMatchObject({ width: 120, height: 80 })
    const clip = { x: 40, y: 700, width: 120, height: 80 }
    const [element, part] = [
      await picture('/box', { selector: '#box' }),
      await picture('/box', { clip }),
    ]
    expect(bytesOf(part).equals(bytesOf(element))).toBe(true)
    expect(await picture('/tall', { fullPage: true })).toMatchObject({
      height: 16_384,
      cutFrom: 20_000,
    })
    // The format holds no more; its encoder would give an empty file.
    const webp = await picture('/tall', { fullPage: true, format: 'webp' })
    expect(webp).toMatchObject({ height: 16_383, cutFrom: 20_000 })
    expect(bytesOf(webp).subarray(8, 12).toString()).toBe('WEBP')
    expect(await picture('/box', { fullPage: true })).not.toHaveProperty('cutFrom')
  })

  it('shows of an element what can be seen, and one that its page replaces all the time', async () => {
    const half = await picture('/edge', { selector: '#half' })
    expect(half).toMatchObject({ width: 60, height: 60, isBlank: true })
    const green = await picture('/edge', { clip: { x: 0, y: 0, width: 60, height: 60 } })
    expect(bytesOf(half).equals(bytesOf(green))).toBe(true)
    expect(await shoot('/edge', { selector: '#off' })).toMatchObject({
      ok: false,
      code: 'INVALID_INPUT',
      message: expect.stringContaining('outside of the page'),
    })
    expect(await picture('/replaced', { selector: '#box' })).toMatchObject({
      width: 120,
      height: 80,
    })
  })

  it('takes the part of a device, at its scale and in dark', async () => {
    const phone = await shoot('/mobile', {
      device: 'mobile',
      width: 390,
      height: 844,
      format: 'html',
    })
    expect(phone).toMatchObject({
      html: expect.stringMatching(/390\|3\|[^|]*Android[^|]*Mobile[^|]*\|true/),
    })
    expect(await picture('/', { scale: 2 })).toMatchObject({ width: 1280, height: 960 })
    const [light, dark] = [await picture('/dark'), await picture('/dark', { isDark: true })]
    expect(light.base64).not.toBe(dark.base64)
  })

  it('hides consent banners and nothing else', async () => {
    const { bannersHidden } = await picture('/banner', { hidesBanners: true })
    expect(bannersHidden).toBe(1)
    const { html } = (await shoot('/banner', { hidesBanners: true, format: 'html' })) as DrawnPage
    expect(html).toMatch(/id="bar"[^>]*display: none/)
    expect(html).toMatch(/id="own" style="position:fixed"/)
    expect(await picture('/', { hidesBanners: true })).toMatchObject({ bannersHidden: 0 })
  })

  it('says that a picture is blank, in every format', async () => {
    for (const format of ['png', 'jpeg', 'webp'] as const) {
      expect(await picture('/blank', { format })).toMatchObject({ isBlank: true })
      expect(await picture('/one-colour', { format })).toMatchObject({ isBlank: true })
    }
    // A file of few pixels is mostly its frame.
    const clip = { x: 0, y: 0, width: 20, height: 20 }
    for (const format of ['png', 'jpeg', 'webp'] as const)
      expect(await picture('/one-colour', { format, clip })).toMatchObject({ isBlank: true })
    expect(await picture('/dot', { clip: { ...clip, x: 590, y: 430 } })).toMatchObject({
      isBlank: false,
    })
    expect(await picture('/dot')).toMatchObject({ isBlank: false })
    expect(await picture('/', { format: 'jpeg' })).toMatchObject({ isBlank: false })
    expect(await picture('/blank', { format: 'pdf' })).toMatchObject({ isBlank: true })
  })
})

describe.skipIf(without)('pages that do not end', () => {
  it('a site that never answers is a time-out, not an error of the site', async () => {
    // The gateway's own patience, made short.
    const impatient = (outbound: Outbound): Outbound => ({
      ...outbound,
      request: (url, init) => outbound.request(url, { ...init, headersTimeoutMs: 300 }),
    })
    expect(await shoot('/never', {}, { change: impatient })).toMatchObject({
      ok: false,
      code: 'TIMEOUT',
      details: { reason: 'timeout' },
    })
    expect(await shoot('/never', {}, { timeoutMs: 2_000 })).toMatchObject({ code: 'TIMEOUT' })
  })

  it('redirects without end are not worth another try, and those out of the web are refused', async () => {
    expect(await shoot('/loop')).toMatchObject({
      ok: false,
      code: 'UPSTREAM_FAILURE',
      retryable: false,
      details: { reason: 'too_many_redirects' },
    })
    for (const to of [
      'file:///etc/passwd',
      'ftp://example.com/',
      'chrome://version',
      'data:text/html,x',
    ])
      expect(await shoot(`/redirect?to=${encodeURIComponent(to)}`)).toMatchObject({
        ok: false,
        status: 403,
        details: { reason: 'ssrf' },
      })
  })

  it('a document that drips is shown as far as it got', async () => {
    expect(await picture('/drip', {}, { timeoutMs: 6_000 })).toMatchObject({ isBlank: false })
  })

  it.each(['/dialogs', '/popups'])('%s is shown', async (path) => {
    expect(await picture(path)).toMatchObject({ ok: true, isBlank: false })
  })

  it('a page that loads itself again and again ends in time', async () => {
    const result = await shoot('/script-loop', {}, { timeoutMs: 4_000 })
    if (!result.ok)
      expect(result).toMatchObject({ code: 'TIMEOUT', details: { reason: 'capture' } })
  })
})
