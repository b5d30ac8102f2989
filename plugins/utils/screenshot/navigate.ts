/** Going to the address of a call: the head and the document of the page, or why there is none. */
import { fail, KERNEL_REASONS, type Failure, unlessAborted } from '#kernel'
import { refusalFailure } from '../refusals.ts'
import { REASONS } from '../reasons.ts'
import { inspect } from './inspect.ts'
import { documentFailed, orNull } from './settle.ts'
import type { Visit } from './visit.ts'

/** From the call to the page's head, and from there to the end of its document. */
const HEAD_MS = 20_000
const DOCUMENT_MS = 10_000
const BROKEN_ANSWER_MS = 2_000
const SHOWN = 'Boolean(document.body && document.body.hasChildNodes())'
/** What the browser itself refuses of a redirect: it leads out of the web. */
const UNSAFE = new Set([
  'ERR_UNSAFE_REDIRECT',
  'ERR_DISALLOWED_URL_SCHEME',
  'ERR_UNKNOWN_URL_SCHEME',
])

/** What the browser says of a document that is not in the encoding its head names; it waits on then. */
const UNDECODABLE = 'net::ERR_CONTENT_DECODING_FAILED'

/** Whether the document came whole; it is endless when the wait for its end was given up. */
export type Arrival = { ok: true; isEndless: boolean }

/** Loads the page up to the end of its document. Throws only when the browser itself broke. */
export async function navigate(visit: Visit): Promise<Arrival | Failure> {
  const { page, shot, signal } = visit
  const { guard } = visit.stage
  // A head that came and a document that never ends are a page that is shown as far as it got.
  const slow = new AbortController()
  const broken = new AbortController()
  documentFailed(page, (error) => error === UNDECODABLE && broken.abort())
  let timer = setTimeout(() => slow.abort(), visit.waitMs(HEAD_MS))
  page.on('response', () => {
    if (guard.status() === null || slow.signal.aborted) return
    clearTimeout(timer)
    timer = setTimeout(() => slow.abort(), visit.waitMs(DOCUMENT_MS))
  })
  try {
    // The library does not listen to a signal while it goes to a page.
    await unlessAborted(
      page.goto(shot.url, {
        waitUntil: 'domcontentloaded',
        timeout: Math.max(1, visit.leftMs()),
      }),
      AbortSignal.any([signal, slow.signal, broken.signal]),
      () => Promise.reject(new Error('The navigation timeout was reached')),
    )
  } catch (error) {
    if (signal.aborted)
      return fail('TIMEOUT', 'The screenshot was aborted', {
        details: { reason: KERNEL_REASONS.aborted },
      })
    const wrong = visit.wrong()
    if (wrong) return wrong
    // Of a document that breaks off later the part before that is shown.
    if (broken.signal.aborted)
      return (await orNull(inspect(page, SHOWN), BROKEN_ANSWER_MS)) === true
        ? { ok: true, isEndless: true }
        : unreachable(UNDECODABLE, guard.status())
    const message = String(error)
    const isSlow = slow.signal.aborted || /timeout/i.test(message)
    if (isSlow && guard.status() !== null) return { ok: true, isEndless: true }
    if (isSlow)
      return fail('TIMEOUT', 'The page did not answer in time', {
        details: { reason: KERNEL_REASONS.timeout },
      })
    if (!page.browser().connected) throw error
    const refusal = visit.refusal()
    return refusal ? refusalFailure(refusal) : unreachable(message, guard.status())
  } finally {
    clearTimeout(timer)
  }
  return visit.wrong() ?? { ok: true, isEndless: false }
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
