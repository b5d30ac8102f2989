/** One page: loaded on a stage of its own, settled and captured. */
import type { Browser } from 'puppeteer-core'
import type { Failure } from '#kernel'
import { hideBanners } from './banners.ts'
import { inspect } from './inspect.ts'
import { navigate } from './navigate.ts'
import { takeDocument, takePicture } from './picture.ts'
import { loadOf, orNull, scrollThrough, settle, Traffic } from './settle.ts'
import type { CaptureOptions, DrawnPage, Drawing, Picture, Shot } from './shot.ts'
import { prepareStage, type Stage, takeStage } from './stage.ts'
import { CRASHED, Visit } from './visit.ts'

/** For a page whose document does not end: to settle as far as it got, and to answer at all. */
const ENDLESS_SETTLE_MS = 1_000
const ENDLESS_ANSWER_MS = 5_000
const BANNERS_MS = 2_000

/**
 * Takes one picture, or the drawn document where `format` is 'html'. Throws only when the browser
 * itself broke; everything else is a value. The page is closed after the answer (`onClosing`).
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
export async function capture(
  browser: Browser,
  shot: Shot | Drawing,
  { outbound, signal, timeoutMs, onClosing }: CaptureOptions,
): Promise<Picture | DrawnPage | Failure> {
  const startedAt = performance.now()
  const stage = await takeStage(browser, { outbound, timeoutMs })
  try {
    const visit = new Visit(shot, stage, { signal, timeoutMs, startedAt })
    return await Promise.race([shown(visit), stage.crashed.then(() => CRASHED)])
  } finally {
    onClosing(closed(stage))
    prepareStage(browser, { outbound, timeoutMs })
  }
}

/** Whether the page is gone and the browser fit for another. */
const closed = (stage: Stage): Promise<boolean> => stage.close().catch(() => false)

async function shown(visit: Visit): Promise<Picture | DrawnPage | Failure> {
  const { page, shot, stage } = visit
  await stage.enter(shot, visit.signal)
  const load = loadOf(page)
  const traffic = new Traffic(page)
  // What is left of the wait is for quiet, which leaves the browser time for the next stage.
  void load.then(() => prepareStage(page.browser(), stage.options))
  const arrival = await navigate(visit)
  if (!arrival.ok) return arrival
  const { isEndless } = arrival
  if (isEndless && (await orNull(inspect(page, '1'), ENDLESS_ANSWER_MS)) === null)
    return visit.wrong() ?? visit.notCaptured()
  const settleMs = Math.min(visit.leftMs(), isEndless ? ENDLESS_SETTLE_MS : Infinity)
  await Promise.race([settle(page, load, traffic, settleMs), stage.guard.refused])
  const wrong = visit.wrong() ?? (await visit.awaited())
  if (wrong) return wrong
  const { hidesBanners, fullPage, format, height } = shot
  const bannersHidden = hidesBanners ? await hideBanners(page, visit.waitMs(BANNERS_MS)) : undefined
  if (fullPage) await scrollThrough(page, height, visit.leftMs())
  const late = visit.wrong()
  if (late) return late
  if (format === 'html') return takeDocument(visit)
  const picture = await takePicture(visit)
  return picture.ok && bannersHidden !== undefined ? { ...picture, bannersHidden } : picture
}
