/** One page: a fresh context behind its own vetting proxy, loaded, settled and captured. */
import type { Browser, BrowserContext, ElementHandle, Page } from 'puppeteer-core'
import {
  fail,
  invalid,
  KERNEL_REASONS,
  type Failure,
  type GuardedRefusal,
  unlessAborted,
  within,
} from '#kernel'
import { refusalFailure, statusFailure } from '../refusals.ts'
import { hideBanners } from './banners.ts'
import { isBlank, PIXELS_PER_BYTE } from './blank.ts'
import { openEgressProxy } from './egress-proxy.ts'
import { closePopups, guardPage, type Guard } from './guard.ts'
import { inspect } from './inspect.ts'
import { HEIGHT_MAX, heightOf, loadOf, orNull, scrollThrough, settle, Traffic } from './settle.ts'
import { REASONS } from '../reasons.ts'
import type { Area, Shot, Drawing, Picture, DrawnPage, CaptureOptions } from './shot.ts'
import { applyView, scaleOf } from './view.ts'

const CLOSE_MS = 3_000
/** A browser that needs longer for an empty page has lost the process that makes those of pages. */
const OPEN_MS = 10_000
const JPEG_QUALITY = 85
/** From the call to the page's head, and from there to the end of its document. */
const HEAD_MS = 20_000
const DOCUMENT_MS = 10_000
const SELECTOR_MS = 10_000
/** For a page whose document does not end: to settle as far as it got, and to answer at all. */
const ENDLESS_SETTLE_MS = 1_000
const ENDLESS_ANSWER_MS = 5_000
/** A4 at 96 pixels to the inch. */
const PAPER = { width: 794, height: 1123 }
/** Longest document that is taken. */
const HTML_MAX = 10 * 1024 * 1024
const HTML = `document.documentElement ? document.documentElement.outerHTML.slice(0, ${HTML_MAX}) : ''`

/** The page broke its own process: a bug of the browser, or one process of it was too large. */
const CRASHED = fail('PROCESSING_FAILURE', 'The page crashes the browser that shows it', {
  details: { reason: REASONS.page_crashed },
})
/** What the browser itself refuses of a redirect: it leads out of the web. */
const UNSAFE = new Set([
  'ERR_UNSAFE_REDIRECT',
  'ERR_DISALLOWED_URL_SCHEME',
  'ERR_UNKNOWN_URL_SCHEME',
])

class Capture {
  readonly #shot: Shot | Drawing
  readonly #options: CaptureOptions
  readonly #until: number
  /** What the proxy refused or could not reach, by host, the latest of each. */
  readonly #refused = new Map<string, GuardedRefusal>()
  #isCrashed = false
  /** The document was still coming when the wait for its end was given up. */
  #isEndless = false

  constructor(shot: Shot | Drawing, options: CaptureOptions) {
    this.#shot = shot
    this.#options = options
    this.#until = Date.now() + options.timeoutMs * 0.75
  }

  async run(browser: Browser): Promise<Picture | DrawnPage | Failure> {
    const note = ({ url, refusal }: { url: string; refusal: GuardedRefusal }): void => {
      const host = hostOf(url)
      if (host !== null) this.#refused.set(host, refusal)
    }
    const proxy = await openEgressProxy(this.#options.outbound, {
      // Only loopback can reach it and it opens nothing private; credentials would break WebSockets.
      authenticate: false,
      onBlocked: note,
      onUnreached: note,
    })
    let context: BrowserContext | null = null
    try {
      context = await opened(
        browser.createBrowserContext({
          proxyServer: proxy.url,
          proxyBypassList: ['<-loopback>'],
          downloadBehavior: { policy: 'deny' },
        }),
      )
      return await this.#inContext(context)
    } finally {
      // What is still loading ends with the proxy, so a page cannot hold its context open.
      await proxy.close()
      if (
        context &&
        browser.connected &&
        (await orNull(
          context.close().then(() => true),
          CLOSE_MS,
        )) === null
      )
        this.#options.onStuck()
    }
  }

  #left(): number {
    return this.#until - Date.now()
  }

  async #inContext(context: BrowserContext): Promise<Picture | DrawnPage | Failure> {
    const page = await opened(context.newPage())
    closePopups(context, page)
    const crashed = new Promise<void>((resolve) =>
      page.once('error', () => {
        this.#isCrashed = true
        resolve()
      }),
    )
    return Promise.race([this.#shown(page), crashed.then(() => CRASHED)])
  }

  async #shown(page: Page): Promise<Picture | DrawnPage | Failure> {
    const session = await page.createCDPSession()
    const [guard] = await Promise.all([
      guardPage(page, session, this.#options.outbound, this.#options.signal),
      applyView(page, this.#shot),
    ])
    const load = loadOf(page)
    const traffic = new Traffic(page)
    const failure = await this.#load(page, guard)
    if (failure) return failure
    if (this.#isEndless && (await orNull(inspect(page, '1'), ENDLESS_ANSWER_MS)) === null)
      return this.#wrong(guard) ?? this.#notCaptured(page)
    const settleMs = Math.min(this.#left(), this.#isEndless ? ENDLESS_SETTLE_MS : Infinity)
    await Promise.race([settle(page, load, traffic, settleMs), guard.refused])
    const wrong = this.#wrong(guard) ?? (await this.#waited(page, guard))
    if (wrong) return wrong
    const { hidesBanners, fullPage, format, height } = this.#shot
    const bannersHidden = hidesBanners ? await hideBanners(page) : undefined
    if (fullPage) await scrollThrough(page, height, this.#left())
    const late = this.#wrong(guard)
    if (late) return late
    if (format === 'html') return this.#document(page, guard)
    const picture = await this.#picture(page, guard)
    return picture.ok && bannersHidden !== undefined ? { ...picture, bannersHidden } : picture
  }

  async #load(page: Page, guard: Guard): Promise<Failure | null> {
    // A head that came and a document that never ends are a page that is shown as far as it got.
    const slow = new AbortController()
    let timer = setTimeout(() => slow.abort(), Math.max(1, Math.min(HEAD_MS, this.#left())))
    page.on('response', () => {
      if (guard.status() === null || slow.signal.aborted) return
      clearTimeout(timer)
      timer = setTimeout(() => slow.abort(), Math.max(1, Math.min(DOCUMENT_MS, this.#left())))
    })
    try {
      // The library does not listen to a signal while it goes to a page.
      await unlessAborted(
        page.goto(this.#shot.url, {
          waitUntil: 'domcontentloaded',
          timeout: Math.max(1, this.#left()),
        }),
        AbortSignal.any([this.#options.signal, slow.signal]),
        () => Promise.reject(new Error('The navigation timeout was reached')),
      )
    } catch (error) {
      if (this.#options.signal.aborted)
        return fail('TIMEOUT', 'The screenshot was aborted', {
          details: { reason: KERNEL_REASONS.aborted },
        })
      const wrong = this.#wrong(guard)
      if (wrong) return wrong
      const message = String(error)
      const isSlow = slow.signal.aborted || /timeout/i.test(message)
      if (isSlow && guard.status() !== null) {
        this.#isEndless = true
        return null
      }
      if (isSlow)
        return fail('TIMEOUT', 'The page did not answer in time', {
          details: { reason: KERNEL_REASONS.timeout },
        })
      if (!page.browser().connected) throw error
      const refusal = this.#refusalOf(guard)
      return refusal ? refusalFailure(refusal) : unreachable(message, guard.status())
    } finally {
      clearTimeout(timer)
    }
    return this.#wrong(guard)
  }

  /** What the proxy said of the host that the page went to last. */
  #refusalOf(guard: Guard): GuardedRefusal | null {
    return this.#refused.get(hostOf(guard.target() ?? this.#shot.url) ?? '') ?? null
  }

  /** Why what the page shows must not be sold: crash, refused target, error status. */
  #wrong(guard: Guard): Failure | null {
    if (this.#isCrashed) return CRASHED
    const refused = guard.refusal()
    if (refused) return refusalFailure(refused)
    const status = guard.status()
    const refusal = this.#refusalOf(guard)
    // The answers that the proxy itself gives.
    if (refusal?.reason === 'ssrf' && (status === null || status === 403))
      return refusalFailure(refusal)
    if (refusal && status === 502) return refusalFailure(refusal)
    return status !== null && status >= 400 ? statusFailure(status) : null
  }

  /** Waits for what the caller wants to see; the failure when it does not come. */
  async #waited(page: Page, guard: Guard): Promise<Failure | null> {
    const { waitFor } = this.#shot
    if (waitFor === undefined) return null
    if (typeof waitFor === 'number') {
      await Promise.race([
        new Promise((resolve) => setTimeout(resolve, Math.max(0, Math.min(waitFor, this.#left())))),
        guard.refused,
      ])
      return this.#wrong(guard)
    }
    const found = await this.#element(page, '/wait_for', waitFor, guard)
    return 'ok' in found ? found : null
  }

  /** The first element of a selector once it is seen, or why there is none. */
  async #element(
    page: Page,
    path: string,
    selector: string,
    guard: Guard,
  ): Promise<ElementHandle | Failure> {
    const timeout = Math.max(1, Math.min(SELECTOR_MS, this.#left()))
    // Other kinds of selector that the library knows are not CSS.
    const asks = `(() => { try { document.createDocumentFragment().querySelector(${JSON.stringify(selector)}); return true } catch { return false } })()`
    if ((await orNull(inspect(page, asks), 2_000)) === false)
      return invalid([{ path, message: 'is not a valid CSS selector' }])
    try {
      const waiting = page.waitForSelector(selector, { visible: true, timeout })
      waiting.catch(() => undefined)
      const found = await Promise.race([waiting, guard.refused.then(() => null)])
      if (found) return found
    } catch (error) {
      if (!page.browser().connected) throw error
    }
    return (
      this.#wrong(guard) ??
      fail('TIMEOUT', `No element of the page that ${path.slice(1)} names was seen in time`, {
        retryable: false,
        details: {
          reason: REASONS.selector,
          issues: [{ path, message: 'names nothing that was seen in time' }],
        },
      })
    )
  }

  async #document(page: Page, guard: Guard): Promise<DrawnPage | Failure> {
    const html = await orNull(inspect(page, HTML), this.#budget())
    const wrong = this.#wrong(guard)
    if (wrong) return wrong
    if (typeof html !== 'string') return this.#notCaptured(page)
    return { ok: true, url: this.#shownUrl(page), html }
  }

  async #picture(page: Page, guard: Guard): Promise<Picture | Failure> {
    const { format } = this.#shot
    if (format === 'pdf') return this.#paper(page, guard)
    const framed = await this.#frame(page, guard)
    if ('ok' in framed) return framed
    const { size, clip, cutFrom } = framed
    const taken = page.screenshot({
      type: format === 'html' ? 'png' : format,
      encoding: 'base64',
      optimizeForSpeed: format === 'png',
      ...(format !== 'png' && { quality: this.#shot.quality ?? JPEG_QUALITY }),
      ...(clip && { clip, captureBeyondViewport: true }),
    })
    const base64 = await orNull(taken, this.#budget())
    // A navigation during the capture may have been refused, and then the picture is of an error.
    const wrong = this.#wrong(guard)
    if (wrong) return wrong
    if (base64 === null) return this.#notCaptured(page)
    const scale = scaleOf(this.#shot)
    return {
      ok: true,
      url: this.#shownUrl(page),
      width: Math.round(size.width * scale),
      height: Math.round(size.height * scale),
      base64,
      isBlank: await this.#isBlank(page, base64, size, clip),
      ...(cutFrom !== undefined && { cutFrom }),
    }
  }

  /** Looks at a lossless picture; one of other formats is taken where theirs is suspiciously small. */
  async #isBlank(
    page: Page,
    base64: string,
    { width, height }: { width: number; height: number },
    clip: Area | undefined,
  ): Promise<boolean> {
    if (this.#shot.format === 'png') return isBlank(Buffer.from(base64, 'base64'))
    const pixels = width * height * scaleOf(this.#shot) ** 2
    if (base64.length * PIXELS_PER_BYTE > pixels) return false
    const looking = page.screenshot({
      encoding: 'base64',
      optimizeForSpeed: true,
      ...(clip && { clip, captureBeyondViewport: true }),
    })
    const look = await orNull(looking, this.#budget())
    return look !== null && isBlank(Buffer.from(look, 'base64'))
  }

  /** What of the page is captured, in CSS pixels; no clip is the window. */
  async #frame(
    page: Page,
    guard: Guard,
  ): Promise<{ size: { width: number; height: number }; clip?: Area; cutFrom?: number } | Failure> {
    const { width, height, fullPage, selector, clip } = this.#shot
    const heightMax = Math.floor(HEIGHT_MAX / scaleOf(this.#shot))
    const cut = (area: Area) => {
      const cutHeight = Math.min(area.height, heightMax)
      return {
        size: { width: area.width, height: cutHeight },
        clip: { ...area, height: cutHeight },
        ...(cutHeight < area.height && { cutFrom: area.height }),
      }
    }
    if (selector !== undefined) {
      const element = await this.#element(page, '/selector', selector, guard)
      if ('ok' in element) return element
      const box = await orNull(element.boundingBox(), 3_000)
      if (!box || box.width < 1 || box.height < 1)
        return invalid([{ path: '/selector', message: 'names an element without size' }])
      const scroll = await orNull(inspect(page, '[window.scrollX, window.scrollY]'), 1_000)
      const [left, top] = Array.isArray(scroll) ? scroll.map(Number) : [0, 0]
      return cut({
        x: Math.max(0, box.x + (left || 0)),
        y: Math.max(0, box.y + (top || 0)),
        width: Math.min(Math.ceil(box.width), heightMax),
        height: Math.ceil(box.height),
      })
    }
    if (clip) return cut(clip)
    if (!fullPage) return { size: { width, height } }
    const whole = await heightOf(page)
    return cut({ x: 0, y: 0, width, height: Math.max(height, whole ?? height) })
  }

  async #paper(page: Page, guard: Guard): Promise<Picture | Failure> {
    const printing = page.pdf({
      format: 'A4',
      printBackground: true,
      // Waited for already, as long as that makes sense.
      waitForFonts: false,
      timeout: this.#budget(),
    })
    const bytes = await orNull(printing, this.#budget())
    const wrong = this.#wrong(guard)
    if (wrong) return wrong
    if (bytes === null) return this.#notCaptured(page)
    const base64 = Buffer.from(bytes).toString('base64')
    const look = await orNull(page.screenshot({ encoding: 'base64' }), this.#budget())
    const isBlankPaper = look !== null && (await isBlank(Buffer.from(look, 'base64')))
    const text = await orNull(
      inspect(page, 'document.body ? document.body.innerText.length : 0'),
      1_000,
    )
    const url = this.#shownUrl(page)
    return { ok: true, url, ...PAPER, base64, isBlank: isBlankPaper && text === 0 }
  }

  #budget(): number {
    return Math.max(5_000, this.#options.timeoutMs * 0.25 - 1_000)
  }

  #notCaptured(page: Page): Failure {
    if (!page.browser().connected) throw new Error('The browser ended during the capture')
    return fail('TIMEOUT', 'The page could not be captured in time', {
      details: { reason: REASONS.capture },
    })
  }

  #shownUrl(page: Page): string {
    const shown = page.url()
    return shown === 'about:blank' ? this.#shot.url : shown
  }
}

/** What a browser that works gives at once; throws when it does not come. */
function opened<T>(opening: Promise<T>): Promise<T> {
  return within(opening, OPEN_MS, () => {
    throw new Error('The browser opens no page')
  })
}

const hostOf = (url: string): string | null =>
  URL.canParse(url) ? hostAndPort(new URL(url)) : null

/** Tunnels are asked for with a port, pages often without. */
function hostAndPort({ hostname, port, protocol }: URL): string {
  return `${hostname}:${port || (protocol === 'http:' ? '80' : '443')}`
}

function unreachable(message: string, status: number | null): Failure {
  const code = /net::(ERR_\w+)/.exec(message)?.[1] ?? null
  // A redirect that the browser drops leads to what it would hand to another program.
  const isDropped = code === 'ERR_ABORTED' && status !== null && status >= 300 && status < 400
  if (isDropped || (code !== null && UNSAFE.has(code))) {
    const why = 'The page leads to an address that is no web page'
    return refusalFailure({ reason: 'ssrf', message: why })
  }
  if (code === 'ERR_ABORTED') {
    return fail('UNSUPPORTED_FORMAT', 'The address is a download, not a page', {
      details: { reason: REASONS.download },
    })
  }
  if (code === 'ERR_TOO_MANY_REDIRECTS')
    return refusalFailure({
      reason: 'too_many_redirects',
      message: 'The page redirects without end',
    })
  return fail('UPSTREAM_FAILURE', `The page cannot be loaded${code ? ` (${code})` : ''}`, {
    details: { reason: REASONS.unreachable, ...(code && { error: code }) },
  })
}

/**
 * Takes one picture, or the drawn document where `format` is 'html'. Throws only when the browser
 * itself broke; everything else is a value.
 */
export function capture(
  browser: Browser,
  shot: Drawing,
  options: CaptureOptions,
): Promise<DrawnPage | Failure>
export function capture(
  browser: Browser,
  shot: Shot,
  options: CaptureOptions,
): Promise<Picture | Failure>
export function capture(
  browser: Browser,
  shot: Shot | Drawing,
  options: CaptureOptions,
): Promise<Picture | DrawnPage | Failure> {
  return new Capture(shot, options).run(browser)
}
