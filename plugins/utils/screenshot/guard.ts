/**
 * What one page may do. The context's proxy vets every connection; this stops what a proxy does
 * not see (other schemes, popups, dialogs) and asks robots.txt before each navigation of the page and
 * of its frames: a frame would show what the page itself may not be.
 */
import type { BrowserContext, CDPSession, Page, Protocol, Target } from 'puppeteer-core'
import type { GuardedRefusal, Outbound } from '#kernel'

const SCHEMES = new Set(['http:', 'https:', 'data:', 'blob:', 'about:'])
/** Only documents are held up here: asking about every image costs more than the image. */
const PATTERNS: Protocol.Fetch.RequestPattern[] = [
  { urlPattern: '*', resourceType: 'Document' },
  ...['file', 'ftp', 'chrome', 'devtools', 'view-source', 'filesystem'].map((scheme) => ({
    urlPattern: `${scheme}:*`,
  })),
]

/** A page that finds no service workers registers none; bypassing alone still runs them. */
const NO_SERVICE_WORKERS = 'delete Navigator.prototype.serviceWorker'

export interface Guard {
  /** The first navigation of the page itself that was refused; null when none was. */
  refusal(): GuardedRefusal | null
  /** Resolves when one was refused. */
  refused: Promise<void>
  /** Status of the page's latest document; null before one came. */
  status(): number | null
  /** Where the page went last, reached or not; null before its first request. */
  target(): string | null
}

/** Closes every page that a page opens; a popup left open stalls the capture. */
export function closePopups(context: BrowserContext, own: Page): void {
  context.on('targetcreated', (target: Target) => {
    if (target.type() !== 'page' || target === own.target()) return
    void target
      .page()
      .then((page) => page?.close())
      .catch(() => undefined)
  })
}

async function judge(
  url: string,
  isPage: boolean,
  outbound: Outbound,
  signal: AbortSignal,
): Promise<{ ok: true } | GuardedRefusal> {
  const scheme = URL.canParse(url) ? new URL(url).protocol : ''
  if (!SCHEMES.has(scheme))
    return { ok: false, reason: 'ssrf', message: `No page may go to ${scheme}` }
  if (!scheme.startsWith('http')) return { ok: true }
  // Where a frame goes is vetted by the proxy alone; of the page it is an answer of its own.
  const target = isPage ? await outbound.check(url, { signal }) : { ok: true as const }
  return target.ok ? outbound.robots(url, { signal }) : target
}

/** Frames of other sites run in processes of their own, each a target with a session of its own. */
const FRAMES: Protocol.Target.SetAutoAttachRequest = {
  autoAttach: true,
  waitForDebuggerOnStart: true,
  flatten: true,
  filter: [{ type: 'iframe' }, { exclude: true }],
}

/** Holds up the documents that a session's frames ask for, and those of the frames in them. */
async function holdDocuments(
  session: CDPSession,
  onPaused: (session: CDPSession, paused: Protocol.Fetch.RequestPausedEvent) => void,
): Promise<void> {
  session.on('Fetch.requestPaused', (paused) => onPaused(session, paused))
  session.on('sessionattached', (frame) => {
    // In this order: the frame goes nowhere before it is watched. One that is gone needs nothing.
    holdDocuments(frame, onPaused).catch(() => undefined)
    frame.send('Runtime.runIfWaitingForDebugger').catch(() => undefined)
  })
  await Promise.all([
    session.send('Fetch.enable', { patterns: PATTERNS }),
    session.send('Target.setAutoAttach', FRAMES),
  ])
}

/** Puts the guard on a page before its first navigation. */
export async function guardPage(
  page: Page,
  session: CDPSession,
  outbound: Outbound,
  signal: AbortSignal,
): Promise<Guard> {
  let refused: GuardedRefusal | null = null
  let status: number | null = null
  let target: string | null = null
  let tellRefused!: () => void
  const whenRefused = new Promise<void>((resolve) => (tellRefused = resolve))
  const { frameTree } = await session.send('Page.getFrameTree')
  const pageFrame = frameTree.frame.id
  const judgePaused = (
    from: CDPSession,
    { requestId, request, frameId }: Protocol.Fetch.RequestPausedEvent,
  ): void => {
    const isPage = frameId === pageFrame
    if (isPage) target = request.url
    void judge(request.url, isPage, outbound, signal)
      .then((verdict) => {
        if (verdict.ok) return from.send('Fetch.continueRequest', { requestId })
        if (isPage) {
          refused ??= verdict
          tellRefused()
        }
        return from.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' })
      })
      // The page or the browser is gone, and the request with it.
      .catch(() => undefined)
  }
  await Promise.all([
    holdDocuments(session, judgePaused),
    page.setBypassServiceWorker(true),
    page.evaluateOnNewDocument(NO_SERVICE_WORKERS),
  ])
  page.on('response', (response) => {
    const isPage = response.frame() === page.mainFrame()
    if (isPage && response.request().isNavigationRequest()) status = response.status()
  })
  page.on('dialog', (dialog) => void dialog.dismiss().catch(() => undefined))
  return {
    refusal: () => refused,
    refused: whenRefused,
    status: () => status,
    target: () => target,
  }
}
