/** One call at its page: how long it may take, and why what the page shows must not be sold. */
import { invalid, fail, type Failure, type GuardedRefusal } from '#kernel'
import type { Page } from 'puppeteer-core'
import { callTime, type CallTime } from '../../shared/call-time.ts'
import { refusalFailure, statusFailure } from '../refusals.ts'
import { REASONS } from '../reasons.ts'
import { inspect } from './inspect.ts'
import { orNull } from './settle.ts'
import { type Drawing, type Shot, SHOT_MS } from './shot.ts'
import type { Stage } from './stage.ts'

const SELECTOR_MS = 10_000

/** The page broke its own process: a bug of the browser, or one process of it was too large. */
export const CRASHED = fail('PROCESSING_FAILURE', 'The page crashes the browser that shows it', {
  details: { reason: REASONS.page_crashed },
})

export class Visit {
  readonly shot: Shot | Drawing
  readonly stage: Stage
  readonly signal: AbortSignal
  readonly #timeoutMs: number
  readonly #time: CallTime
  readonly #until: number

  /** The last quarter of `timeoutMs`, which began at `startedAt`, is kept for the capture. */
  constructor(
    shot: Shot | Drawing,
    stage: Stage,
    { signal, timeoutMs, startedAt }: { signal: AbortSignal; timeoutMs: number; startedAt: number },
  ) {
    this.shot = shot
    this.stage = stage
    this.signal = signal
    this.#timeoutMs = timeoutMs
    this.#time = callTime(timeoutMs, SHOT_MS)
    this.#until = startedAt + timeoutMs * 0.75
  }

  get page(): Page {
    return this.stage.page
  }

  /** Milliseconds left until the page must be captured as it is. */
  leftMs(): number {
    return this.#until - performance.now()
  }

  /** Milliseconds that a wait may last which is `usualMs` in a call of the usual length. */
  waitMs(usualMs: number): number {
    return Math.max(1, Math.min(this.#time.limitMs(usualMs), this.leftMs()))
  }

  /** Milliseconds that each question of the capture may take. */
  captureMs(): number {
    return Math.max(5_000, this.#timeoutMs * 0.25 - 1_000)
  }

  /** The address that is shown, after redirects. */
  shownUrl(): string {
    const shown = this.page.url()
    return shown === 'about:blank' ? this.shot.url : shown
  }

  /** What the proxy said of the host that the page went to last. */
  refusal(): GuardedRefusal | null {
    return this.stage.refusalOf(this.stage.guard.target() ?? this.shot.url)
  }

  /** Why what the page shows must not be sold: crash, refused target, error status. */
  wrong(): Failure | null {
    const { guard, isCrashed } = this.stage
    if (isCrashed) return CRASHED
    const refused = guard.refusal()
    if (refused) return refusalFailure(refused)
    const status = guard.status()
    const refusal = this.refusal()
    // The answers that the proxy itself gives.
    if (refusal?.reason === 'ssrf' && (status === null || status === 403))
      return refusalFailure(refusal)
    if (refusal && status === 502) return refusalFailure(refusal)
    return status !== null && status >= 400 ? statusFailure(status) : null
  }

  /** That the page did not let itself be captured; throws where the browser is gone. */
  notCaptured(): Failure {
    if (!this.page.browser().connected) throw new Error('The browser ended during the capture')
    return fail('TIMEOUT', 'The page could not be captured in time', {
      details: { reason: REASONS.capture },
    })
  }

  /** Waits for what the caller wants to see; the failure when it does not come. */
  async awaited(): Promise<Failure | null> {
    const { waitFor } = this.shot
    if (waitFor === undefined) return null
    if (typeof waitFor === 'number') {
      await Promise.race([
        new Promise((resolve) =>
          setTimeout(resolve, Math.max(0, Math.min(waitFor, this.leftMs()))),
        ),
        this.stage.guard.refused,
      ])
      return this.wrong()
    }
    return this.unseen('/wait_for', waitFor)
  }

  /** Waits until the first element of a selector is seen; the failure when it is not. */
  async unseen(path: string, selector: string): Promise<Failure | null> {
    const { page } = this
    const timeout = this.waitMs(SELECTOR_MS)
    // Other kinds of selector that the library knows are not CSS.
    const asks = `(() => { try { document.createDocumentFragment().querySelector(${JSON.stringify(selector)}); return true } catch { return false } })()`
    if ((await orNull(inspect(page, asks), timeout)) === false)
      return invalid([{ path, message: 'is not a valid CSS selector' }])
    try {
      const waiting = page.waitForSelector(selector, { visible: true, timeout })
      waiting.catch(() => undefined)
      const found = await Promise.race([waiting, this.stage.guard.refused.then(() => null)])
      if (found) return null
    } catch (error) {
      if (!page.browser().connected) throw error
    }
    return (
      this.wrong() ??
      fail('TIMEOUT', `No element of the page that ${path.slice(1)} names was seen in time`, {
        retryable: false,
        details: {
          reason: REASONS.selector,
          issues: [{ path, message: 'names nothing that was seen in time' }],
        },
      })
    )
  }
}
