/** A call's turn with a browser: its address is vetted first, and what fails becomes its answer. */
import type { Browser } from 'puppeteer-core'
import { fail, KERNEL_REASONS, type Failure, type Outbound, type SkillContext } from '#kernel'
import { shareFull } from '#skillkit'
import { callTime } from '../../shared/call-time.ts'
import { REASONS } from '../reasons.ts'
import { refusalFailure } from '../refusals.ts'
import type { BrowserKeeper, KeeperRefusal } from './browser/keeper.ts'
import { type CaptureOptions, SHOT_MS } from './shot.ts'

/** Calls that show a page have so long as a rule; the rest is to close it, and to answer in time. */
const CALL_MS = 60_000

/** What pages are shown with. */
export interface Browsing {
  keeper: BrowserKeeper
  outbound: Outbound
}

const FAILED = {
  absent: REASONS.browser,
  launch: REASONS.browser,
  slow_launch: REASONS.browser,
  busy: REASONS.busy,
  stopped: KERNEL_REASONS.stopped,
  page_memory: REASONS.page_memory,
  browser_memory: REASONS.browser_memory,
}

/** What another try may not meet. */
const PASSING: ReadonlySet<KeeperRefusal['reason']> = new Set([
  'slow_launch',
  'busy',
  'stopped',
  'browser_memory',
])

function keeperFailure({ reason, message }: KeeperRefusal): Failure {
  if (reason === 'aborted')
    return fail('TIMEOUT', message, { details: { reason: KERNEL_REASONS.aborted } })
  if (reason === 'share_full') return shareFull('pages')
  const isPassing = PASSING.has(reason)
  return fail('PROCESSING_FAILURE', message, {
    retryable: isPassing,
    details: { reason: FAILED[reason] },
    ...(isPassing && { headers: { 'retry-after': '2' } }),
  })
}

/**
 * What `work` gives with a browser of its own and the vetted address, or why there is none: a refused
 * target ends before a browser is started for it.
 */
export async function browse<T>(
  ctx: SkillContext,
  { keeper, outbound }: Browsing,
  address: string,
  work: (browser: Browser, url: string, options: CaptureOptions) => Promise<T | Failure>,
): Promise<T | Failure> {
  const target = await outbound.check(address, { signal: ctx.signal })
  if (!target.ok) return refusalFailure(target)
  const allowed = await outbound.robots(address, { signal: ctx.signal })
  if (!allowed.ok) return refusalFailure(allowed)
  const { signal } = ctx
  const timeoutMs = callTime(ctx.timeoutMs, CALL_MS).budgetMs(SHOT_MS)
  try {
    const used = await keeper.use(
      (browser, onClosing) =>
        work(browser, target.url.href, { outbound, signal, timeoutMs, onClosing }),
      { signal, share: ctx.caller.share },
    )
    return used.ok ? used.value : keeperFailure(used)
  } catch (error) {
    ctx.log.error({ error: String(error) }, 'page not shown')
    return fail('PROCESSING_FAILURE', 'The browser failed while it showed the page', {
      retryable: true,
      details: { reason: REASONS.browser },
    })
  }
}
