/**
 * A page that is ready to go to an address: a fresh context behind its own vetting proxy, with the
 * guard on it. Each serves one call. The next one of a browser is made ready while the call before
 * it waits for its page, because that takes as long as loading a small page does.
 */
import type { Browser, BrowserContext, CDPSession, Page } from 'puppeteer-core'
import { type GuardedRefusal, within } from '#kernel'
import { callTime } from '../../shared/call-time.ts'
import { type EgressProxy, openEgressProxy } from './egress-proxy.ts'
import { closePopups, guardPage, type Guard } from './guard.ts'
import { orNull } from './settle.ts'
import { type CaptureOptions, SHOT_MS } from './shot.ts'
import { applyView, isSameView, USUAL_VIEW, type View } from './view.ts'

const CLOSE_MS = 3_000
/** A browser that needs longer for an empty page has lost the process that makes those of pages. */
const OPEN_MS = 10_000

/** `timeoutMs` is what the call has from start to picture. */
export type StageOptions = Pick<CaptureOptions, 'outbound' | 'timeoutMs'>

const openMsOf = ({ timeoutMs }: StageOptions): number =>
  callTime(timeoutMs, SHOT_MS).limitMs(OPEN_MS)

export class Stage {
  readonly page: Page
  readonly guard: Guard
  readonly options: StageOptions
  /** Resolves when the page broke its own process. */
  readonly crashed: Promise<void>
  readonly #context: BrowserContext
  readonly #proxy: EgressProxy
  readonly #refused: Map<string, GuardedRefusal>
  readonly #ending: AbortController
  #isCrashed = false

  constructor(parts: {
    page: Page
    guard: Guard
    options: StageOptions
    context: BrowserContext
    proxy: EgressProxy
    refused: Map<string, GuardedRefusal>
    ending: AbortController
  }) {
    this.page = parts.page
    this.guard = parts.guard
    this.options = parts.options
    this.#context = parts.context
    this.#proxy = parts.proxy
    this.#refused = parts.refused
    this.#ending = parts.ending
    this.crashed = new Promise((resolve) =>
      parts.page.once('error', () => {
        this.#isCrashed = true
        resolve()
      }),
    )
  }

  get isCrashed(): boolean {
    return this.#isCrashed
  }

  /** What the proxy refused or could not reach of an address's host, the latest; null for nothing. */
  refusalOf(address: string): GuardedRefusal | null {
    return this.#refused.get(hostOf(address) ?? '') ?? null
  }

  /** Shows the page to its one call, which ends with `signal`, in the call's own view. */
  async enter(view: View, signal: AbortSignal): Promise<void> {
    if (signal.aborted) this.#ending.abort()
    signal.addEventListener('abort', () => this.#ending.abort(), { once: true })
    await opened(
      Promise.all([
        this.page.bringToFront(),
        isSameView(view, USUAL_VIEW) || applyView(this.page, view),
      ]),
      openMsOf(this.options),
    )
  }

  /** Closes the page with all that it loads and keeps; false when the browser did not do so in time. */
  async close(): Promise<boolean> {
    this.#ending.abort()
    // What is still loading ends with the proxy, so a page cannot hold its context open.
    await this.#proxy.close()
    if (!this.page.browser().connected) return true
    const closing = this.#context.close().then(() => true)
    return (await orNull(closing, CLOSE_MS)) === true
  }
}

/** A new stage; throws when the browser opens no page. */
async function openStage(
  browser: Browser,
  options: StageOptions,
  isSpare: boolean,
): Promise<Stage> {
  const { outbound } = options
  const openMs = openMsOf(options)
  const refused = new Map<string, GuardedRefusal>()
  const note = ({ url, refusal }: { url: string; refusal: GuardedRefusal }): void => {
    const host = hostOf(url)
    if (host !== null) refused.set(host, refusal)
  }
  const proxy = await openEgressProxy(outbound, {
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
      openMs,
    )
    // The page of the call before stays in front until it is captured.
    const page = await opened(context.newPage({ background: isSpare }), openMs)
    closePopups(context, page)
    const ending = new AbortController()
    const session: CDPSession = await opened(page.createCDPSession(), openMs)
    const [guard] = await opened(
      Promise.all([guardPage(page, session, outbound, ending.signal), applyView(page, USUAL_VIEW)]),
      openMs,
    )
    return new Stage({ page, guard, options, context, proxy, refused, ending })
  } catch (error) {
    await proxy.close()
    if (context && browser.connected) await orNull(context.close(), CLOSE_MS)
    throw error
  }
}

/** What a browser that works gives at once; throws when it does not come. */
function opened<T>(opening: Promise<T>, openMs: number): Promise<T> {
  return within(opening, openMs, () => {
    throw new Error('The browser opens no page')
  })
}

/** The next stage of each browser. */
const spares = new WeakMap<Browser, Promise<Stage>>()
const served = new WeakSet<Browser>()

/** Makes the browser's next stage ready, if it is not already. It goes with its browser. */
export function prepareStage(browser: Browser, options: StageOptions): void {
  if (spares.has(browser) || !browser.connected) return
  const opening = openStage(browser, options, true)
  // Whoever takes it learns that it failed.
  opening.catch(() => undefined)
  spares.set(browser, opening)
  if (served.has(browser)) return
  served.add(browser)
  // A proxy must not outlive its browser.
  browser.once('disconnected', () => {
    spares.get(browser)?.then(
      (stage) => stage.close(),
      () => undefined,
    )
  })
}

/** A stage for one call: the one that was made ready, or a new one; throws when the browser is broken. */
export async function takeStage(browser: Browser, options: StageOptions): Promise<Stage> {
  const spare = spares.get(browser)
  if (spare) {
    spares.delete(browser)
    const stage = await spare
    if (stage.options.outbound === options.outbound && !stage.isCrashed && !stage.page.isClosed())
      return stage
    await stage.close()
  }
  return openStage(browser, options, false)
}

const hostOf = (url: string): string | null =>
  URL.canParse(url) ? hostAndPort(new URL(url)) : null

/** Tunnels are asked for with a port, pages often without. */
function hostAndPort({ hostname, port, protocol }: URL): string {
  return `${hostname}:${port || (protocol === 'http:' ? '80' : '443')}`
}
