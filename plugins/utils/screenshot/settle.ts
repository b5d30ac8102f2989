/** Waiting until a page looks finished, always within a deadline: then it is shown as it is. */
import type { Page } from 'puppeteer-core'
import { within } from '#kernel'
import { inspect } from './inspect.ts'

/** How long nothing may be in flight after scrolling, and before a load event that does not come. */
const IDLE_MS = 250
/** After a load that requests of scripts followed. */
const IDLE_LATE_MS = 150
/** After a load that nothing followed: of a page with scripts, and of one without. */
const IDLE_SCRIPTED_MS = 100
const IDLE_PLAIN_MS = 20
const LOOK_MS = 10
const SETTLE_MS = 6_000
const AFTER_SCROLL_MS = 3_000
const SCROLL_MS = 8_000
const HEIGHT_MS = 3_000
const SCROLL_PAUSE_MS = 120
const FONTS = 'document.fonts ? document.fonts.ready.then(() => true) : true'
const FONTS_MS = 1_000
const SCRIPTED_MS = 500
/**
 * Resolves when the page has worked off what it had to do, timers apart: on a busy machine the time
 * without requests alone may be one in which its scripts were not run.
 */
const IDLE =
  'new Promise((resolve) => requestAnimationFrame(() => requestIdleCallback(() => resolve(true))))'
const IDLE_WORK_MS = 1_000
/** Taller pages are cut: more than this is beyond what the renderer's surfaces hold. */
export const HEIGHT_MAX = 16_384

/** Resolves with the value, or with null when it takes longer; a rejection counts as null. */
export function orNull<T>(work: Promise<T>, timeoutMs: number): Promise<T | null> {
  return within(
    work.catch(() => null),
    timeoutMs,
    () => null,
  )
}

/** Calls back with the browser's error when the document of the page itself breaks off. */
export function documentFailed(page: Page, onFailed: (error: string | undefined) => void): void {
  page.on('requestfailed', (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame())
      onFailed(request.failure()?.errorText)
  })
}

/**
 * Resolves at the page's load event, or where its document broke off, after which none comes; ask before
 * the navigation starts.
 */
export const loadOf = (page: Page): Promise<void> =>
  new Promise((resolve) => {
    page.once('load', () => resolve())
    // One that another navigation replaces is aborted.
    documentFailed(page, (error) => error !== 'net::ERR_ABORTED' && resolve())
  })

/** What the page asks the network for. */
export class Traffic {
  readonly #open = new Set<unknown>()
  /** When the last request began or ended, by the clock of `performance.now()`. */
  #changedAt = performance.now()
  #begun = 0

  constructor(page: Page) {
    page.on('request', (request) => {
      this.#open.add(request)
      this.#begun += 1
      this.#changedAt = performance.now()
    })
    const end = (request: unknown): void => {
      this.#open.delete(request)
      this.#changedAt = performance.now()
    }
    page.on('requestfinished', end)
    page.on('requestfailed', end)
  }

  /** Requests that ever began. */
  get begun(): number {
    return this.#begun
  }

  /** Resolves when nothing was in flight for `idleMs`, or after `leftMs`. */
  async quiet(idleMs: () => number, leftMs: number): Promise<void> {
    const until = performance.now() + leftMs
    while (performance.now() < until) {
      if (this.#open.size === 0 && performance.now() - this.#changedAt >= idleMs()) return
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
    }
  }
}

/**
 * Waits for load, quiet network, fonts and scripts at rest, for as long as `leftMs` and good sense
 * allow. The network of a page that asks for nothing more after its load is believed to be quiet
 * much sooner.
 */
export async function settle(
  page: Page,
  load: Promise<void>,
  traffic: Traffic,
  leftMs: number,
): Promise<void> {
  const until = performance.now() + Math.min(leftMs, SETTLE_MS)
  const left = (): number => Math.max(1, until - performance.now())
  const asked = (script: string, timeoutMs: number): Promise<unknown> =>
    orNull(inspect(page, script), Math.min(timeoutMs, left()))
  const isLoaded =
    (await orNull(
      load.then(() => true),
      left(),
    )) === true
  const before = traffic.begun
  const fonts = asked(FONTS, FONTS_MS)
  const isPlain = (await asked('document.scripts.length > 0', SCRIPTED_MS)) === false
  const idleMs = (): number => {
    if (!isLoaded) return IDLE_MS
    if (traffic.begun > before) return IDLE_LATE_MS
    return isPlain ? IDLE_PLAIN_MS : IDLE_SCRIPTED_MS
  }
  let seen: number
  do {
    seen = traffic.begun
    await traffic.quiet(idleMs, left())
    if (!isPlain) await asked(IDLE, IDLE_WORK_MS)
    // What the page asked for while it worked is waited for as well.
  } while (traffic.begun > seen && performance.now() < until)
  await fonts
}

/** The height of the whole document in CSS pixels, or null when the page does not answer in time. */
export async function heightOf(page: Page, limitMs: number): Promise<number | null> {
  const script =
    'Math.max(document.documentElement ? document.documentElement.scrollHeight : 0, document.body ? document.body.scrollHeight : 0)'
  const height = await orNull(inspect(page, script), limitMs)
  return typeof height === 'number' && Number.isFinite(height) ? Math.ceil(height) : null
}

/** Scrolls slowly to the end and back, so that content which waits to be seen is loaded. */
export async function scrollThrough(
  page: Page,
  viewportHeight: number,
  leftMs: number,
): Promise<void> {
  const until = performance.now() + Math.min(leftMs, SCROLL_MS)
  const step = Math.max(200, Math.floor(viewportHeight * 0.8))
  for (let top = 0; top < HEIGHT_MAX && performance.now() < until; top += step) {
    const height = await heightOf(page, HEIGHT_MS)
    if (height === null || top > height) break
    await orNull(inspect(page, `window.scrollTo({ top: ${top}, behavior: 'instant' })`), 1_000)
    await new Promise((resolve) => setTimeout(resolve, SCROLL_PAUSE_MS))
  }
  await orNull(
    page.waitForNetworkIdle({ idleTime: IDLE_MS, timeout: AFTER_SCROLL_MS }),
    Math.min(AFTER_SCROLL_MS, until + AFTER_SCROLL_MS - performance.now()),
  )
  await orNull(inspect(page, "window.scrollTo({ top: 0, behavior: 'instant' })"), 1_000)
  await new Promise((resolve) => setTimeout(resolve, SCROLL_PAUSE_MS))
}
