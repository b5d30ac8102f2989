/** One screenshot: a fresh context behind its own vetting proxy, loaded, settled and captured. */
import type { Browser, BrowserContext, Page } from 'puppeteer-core'
import { fail, KERNEL_REASONS, type Failure, type GuardedRefusal, type Outbound } from '#kernel'
import { refusalFailure, statusFailure } from '../refusals.ts'
import { openEgressProxy } from './egress-proxy.ts'
import { closePopups, guardPage, type Guard } from './guard.ts'
import { HEIGHT_MAX, heightOf, loadOf, orNull, scrollThrough, settle } from './settle.ts'
import { REASONS } from '../reasons.ts'

export interface Shot {
  url: string
  width: number
  height: number
  fullPage: boolean
  format: 'png' | 'jpeg'
}
export interface Picture {
  ok: true
  /** The address that is shown, after redirects. */
  url: string
  width: number
  height: number
  base64: string
}
export interface CaptureOptions {
  outbound: Outbound
  signal: AbortSignal
  /** From start to picture; the last quarter of it is kept for the capture itself. */
  timeoutMs: number
  /** The page could not be closed: the browser should not be used any more. */
  onStuck(): void
}

const CLOSE_MS = 3_000
const JPEG_QUALITY = 85

/** The page broke its own process: a bug of the browser, or one process of it was too large. */
const CRASHED = fail('PROCESSING_FAILURE', 'The page crashes the browser that shows it', {
  details: { reason: REASONS.page_crashed },
})

class Capture {
  readonly #shot: Shot
  readonly #options: CaptureOptions
  readonly #until: number
  #blocked: GuardedRefusal | null = null
  #isCrashed = false

  constructor(shot: Shot, options: CaptureOptions) {
    this.#shot = shot
    this.#options = options
    this.#until = Date.now() + options.timeoutMs * 0.75
  }

  async run(browser: Browser): Promise<Picture | Failure> {
    const proxy = await openEgressProxy(this.#options.outbound, {
      // Only loopback can reach it and it opens nothing private; credentials would break WebSockets.
      authenticate: false,
      onBlocked: ({ url, refusal }) => {
        if (sameHost(url, this.#shot.url)) this.#blocked ??= refusal
      },
    })
    let context: BrowserContext | null = null
    try {
      context = await browser.createBrowserContext({
        proxyServer: proxy.url,
        proxyBypassList: ['<-loopback>'],
        downloadBehavior: { policy: 'deny' },
      })
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

  async #inContext(context: BrowserContext): Promise<Picture | Failure> {
    const page = await context.newPage()
    closePopups(context, page)
    const crashed = new Promise<void>((resolve) =>
      page.once('error', () => {
        this.#isCrashed = true
        resolve()
      }),
    )
    return Promise.race([this.#shown(context, page), crashed.then(() => CRASHED)])
  }

  async #shown(context: BrowserContext, page: Page): Promise<Picture | Failure> {
    const { width, height } = this.#shot
    const session = await page.createCDPSession()
    const [guard, agent] = await Promise.all([
      guardPage(page, session, this.#options.outbound, this.#options.signal),
      agentOf(context.browser()),
      page.setViewport({ width, height, deviceScaleFactor: 1 }),
    ])
    await page.setUserAgent({ userAgent: agent })
    const load = loadOf(page)
    const failure = await this.#load(page, guard)
    if (failure) return failure
    await Promise.race([settle(page, load, this.#left()), guard.refused])
    const wrong = this.#wrong(guard)
    if (wrong) return wrong
    if (this.#shot.fullPage) await scrollThrough(page, height, this.#left())
    return this.#wrong(guard) ?? (await this.#picture(page, guard))
  }

  async #load(page: Page, guard: Guard): Promise<Failure | null> {
    try {
      await page.goto(this.#shot.url, {
        waitUntil: 'domcontentloaded',
        timeout: Math.max(1, this.#left()),
        signal: this.#options.signal,
      })
    } catch (error) {
      if (this.#options.signal.aborted)
        return fail('TIMEOUT', 'The screenshot was aborted', {
          details: { reason: KERNEL_REASONS.aborted },
        })
      const wrong = this.#wrong(guard)
      if (wrong) return wrong
      const message = String(error)
      // A page that came but never finished is shown as far as it got.
      const isSlow = /timeout/i.test(message)
      if (isSlow && guard.status() !== null) return null
      if (isSlow)
        return fail('TIMEOUT', 'The page did not answer in time', {
          details: { reason: KERNEL_REASONS.timeout },
        })
      if (!page.browser().connected) throw error
      return unreachable(message)
    }
    return this.#wrong(guard)
  }

  /** Why what the page shows must not be sold: crash, refused target, error status. */
  #wrong(guard: Guard): Failure | null {
    if (this.#isCrashed) return CRASHED
    const refused = guard.refusal()
    if (refused) return refusalFailure(refused)
    const status = guard.status()
    if (this.#blocked && (status === null || status === 403)) return refusalFailure(this.#blocked)
    return status !== null && status >= 400 ? statusFailure(status) : null
  }

  async #picture(page: Page, guard: Guard): Promise<Picture | Failure> {
    const { width, height, fullPage, format } = this.#shot
    const whole = fullPage ? await heightOf(page) : null
    const size = { width, height: Math.min(HEIGHT_MAX, Math.max(height, whole ?? height)) }
    const budget = Math.max(5_000, this.#options.timeoutMs * 0.25 - 1_000)
    const taken = page.screenshot({
      type: format,
      encoding: 'base64',
      optimizeForSpeed: format === 'png',
      ...(format === 'jpeg' && { quality: JPEG_QUALITY }),
      ...(fullPage && { clip: { x: 0, y: 0, ...size }, captureBeyondViewport: true }),
    })
    const base64 = await orNull(taken, budget)
    // A navigation during the capture may have been refused, and then the picture is of an error.
    const wrong = this.#wrong(guard)
    if (wrong) return wrong
    if (base64 === null) {
      if (!page.browser().connected) throw new Error('The browser ended during the capture')
      return fail('TIMEOUT', 'The page could not be captured in time', {
        details: { reason: REASONS.capture },
      })
    }
    const shown = page.url()
    return { ok: true, url: shown === 'about:blank' ? this.#shot.url : shown, ...size, base64 }
  }
}

const agents = new WeakMap<Browser, string>()

/** The browser's own name, without the mark of headless and with ours: sites may know who comes. */
async function agentOf(browser: Browser): Promise<string> {
  const known = agents.get(browser)
  if (known) return known
  const agent = `${(await browser.userAgent()).replace('HeadlessChrome', 'Chrome')} Coinop`
  agents.set(browser, agent)
  return agent
}

function sameHost(a: string, b: string): boolean {
  return URL.canParse(a) && URL.canParse(b) && new URL(a).host === new URL(b).host
}

function unreachable(message: string): Failure {
  const code = /net::(ERR_\w+)/.exec(message)?.[1] ?? null
  if (code === 'ERR_ABORTED') {
    return fail('UNSUPPORTED_FORMAT', 'The address is a download, not a page', {
      details: { reason: REASONS.download },
    })
  }
  return fail('UPSTREAM_FAILURE', `The page cannot be loaded${code ? ` (${code})` : ''}`, {
    details: { reason: REASONS.unreachable, ...(code && { error: code }) },
  })
}

/** Takes one picture. Throws only when the browser itself broke; everything else is a value. */
export function capture(
  browser: Browser,
  shot: Shot,
  options: CaptureOptions,
): Promise<Picture | Failure> {
  return new Capture(shot, options).run(browser)
}
