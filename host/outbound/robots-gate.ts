/** Asks a site's robots.txt before a fetch: cached for a day per origin, one look-up in flight. */
import {
  unlessAborted,
  type GuardedFetch,
  type GuardedFetchInit,
  type GuardedRefusal,
} from '#kernel'
import { refuse } from './refusal.ts'
import { parseRobots, type RobotsRules } from './robots.ts'

/** Ok when the URL may be fetched; 'robots' when the site or its absence of an answer forbids it. */
export type RobotsGate = (
  url: URL,
  init?: Pick<GuardedFetchInit, 'signal' | 'allowPrivate'>,
) => Promise<{ ok: true } | GuardedRefusal>

const MAX_ORIGINS = 1000
const FRESH_MS = 24 * 3_600_000
/** A site that could not be read is asked again soon; until then it stays forbidden. */
const RETRY_MS = 5 * 60_000
const TIMEOUT_MS = 10_000
/** RFC 9309 section 2.5: at least 500 KiB are parsed, the rest may be ignored. */
const PARSED_BYTES = 500 * 1024
const MAX_BYTES = 5 * 1024 * 1024

interface Entry {
  rules: RobotsRules
  /** By a clock that nobody sets. */
  expiresAtMs: number
}
type Known = { ok: true; entry: Entry } | GuardedRefusal

const EVERYTHING: RobotsRules = { allows: () => true }
const NOTHING: RobotsRules = { allows: () => false }

/**
 * A gate for the product token that `userAgent` starts with. 2xx is parsed, 4xx allows all, 5xx
 * and no answer forbid all (RFC 9309 section 2.3.1); a refusal by the target check is passed on.
 */
export function createRobotsGate(
  fetch: GuardedFetch,
  userAgent: string,
  nowMs: () => number = () => performance.now(),
): RobotsGate {
  const token = /^[a-zA-Z_-]+/.exec(userAgent)?.[0] ?? ''
  // A Map keeps insertion order; re-inserting on use makes it a least-recently-used list.
  const entries = new Map<string, Entry>()
  const inFlight = new Map<string, Promise<Known>>()

  async function load(origin: string, allowPrivate: boolean): Promise<Known> {
    const answer = await fetch(`${origin}/robots.txt`, {
      maxBytes: MAX_BYTES,
      timeoutMs: TIMEOUT_MS,
      allowPrivate,
    })
    let rules = NOTHING
    let freshMs = RETRY_MS
    if (answer.ok && answer.status >= 200 && answer.status < 300) {
      const text = new TextDecoder().decode(answer.body.subarray(0, PARSED_BYTES))
      rules = parseRobots(text, token)
      freshMs = FRESH_MS
    } else if (answer.ok && answer.status >= 400 && answer.status < 500) {
      rules = EVERYTHING
      freshMs = FRESH_MS
    } else if (!answer.ok && answer.reason === 'ssrf') {
      return answer
    }
    const entry = { rules, expiresAtMs: nowMs() + freshMs }
    entries.set(origin, entry)
    if (entries.size > MAX_ORIGINS) entries.delete(entries.keys().next().value!)
    return { ok: true, entry }
  }

  function find(origin: string, allowPrivate: boolean): Promise<Known> {
    const entry = entries.get(origin)
    entries.delete(origin)
    if (entry && entry.expiresAtMs > nowMs()) {
      entries.set(origin, entry)
      return Promise.resolve({ ok: true, entry })
    }
    // Only equally trusted callers may share a look-up: the other's check must not be skipped.
    const key = `${allowPrivate} ${origin}`
    const running = inFlight.get(key)
    if (running) return running
    const started = load(origin, allowPrivate).finally(() => inFlight.delete(key))
    inFlight.set(key, started)
    return started
  }

  return async (url, init = {}) => {
    const { signal } = init
    const path = `${url.pathname}${url.search}`
    // The shared look-up goes on for the others when one caller gives up.
    const known = await unlessAborted(find(url.origin, init.allowPrivate === true), signal, () =>
      refuse('aborted', 'The request was aborted'),
    )
    if (!known.ok) return known
    return known.entry.rules.allows(path)
      ? { ok: true }
      : refuse('robots', `robots.txt of ${url.host} does not allow this URL for ${token}`)
  }
}
