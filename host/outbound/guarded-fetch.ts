/** The guarded fetch of skills: checked and pinned hops, capped and decoded bodies, robots.txt. */
import type { GuardedFetch, GuardedFetchInit, GuardedRefusal, GuardedResponse } from '#kernel'
import { ACCEPT_ENCODING, readBody } from './body.ts'
import { startDeadline, type Deadline } from './deadline.ts'
import { exchange } from './exchange.ts'
import type { NetOptions } from './options.ts'
import { nextHop, type Hop } from './redirect.ts'
import { refusalOf, refuse } from './refusal.ts'
import type { RobotsGate } from './robots-gate.ts'
import { checkTarget, targetPolicy } from './target.ts'

const MAX_REDIRECTS = 5
const MAX_BYTES = 10 * 1024 * 1024
const TIMEOUT_MS = 15_000

type Fetched = ({ ok: true } & GuardedResponse) | GuardedRefusal
type Limits = Required<Pick<GuardedFetchInit, 'maxRedirects' | 'maxBytes'>> & GuardedFetchInit

function responseHeaders(raw: readonly string[]): Headers {
  const headers = new Headers()
  for (let index = 0; index + 1 < raw.length; index += 2) {
    try {
      headers.append(raw[index]!, raw[index + 1]!)
    } catch {
      // A value that no Headers can hold is of no use to a skill.
    }
  }
  return headers
}

const originOf = (url: string): string | null => (URL.canParse(url) ? new URL(url).origin : null)

/**
 * The fetch that skills get. Every hop is checked from the start (specs/contract.md, Outbound requests), connected by
 * address, and asked of robots.txt when `robots` is set; credentials and own headers stay with the
 * first origin. All refusals are values; it never throws for what a server does.
 */
export function createGuardedFetch(options: NetOptions, gate: RobotsGate): GuardedFetch {
  async function hopOnce(hop: Hop, origin: string | null, limits: Limits, deadline: Deadline) {
    const { signal } = deadline
    // What the operator trusts is the host that the caller named, not where it may point.
    const allowPrivate = limits.allowPrivate === true && originOf(hop.url) === origin
    const target = await checkTarget(hop.url, targetPolicy(options, { allowPrivate, signal }))
    if (!target.ok) return target
    if (limits.robots) {
      const verdict = await gate(target.url, { signal, allowPrivate })
      if (!verdict.ok) return verdict
    }
    const { userAgent, ca } = options
    const headers = { 'accept-encoding': ACCEPT_ENCODING, ...hop.headers }
    return exchange(target, { ...hop, headers, userAgent, ca }, signal)
  }

  async function follow(start: Hop, limits: Limits, deadline: Deadline): Promise<Fetched> {
    const origin = originOf(start.url)
    let hop = start
    for (let count = 0; ; count += 1) {
      const answer = await hopOnce(hop, origin, limits, deadline)
      if (!answer.ok) return answer
      const { message } = answer
      const status = message.statusCode ?? 0
      const next = limits.maxRedirects === 0 ? null : nextHop(hop, status, message.headers.location)
      if (next === null) {
        const body = await readBody(message, hop.method, limits.maxBytes)
        if (!body.ok) return body
        const headers = responseHeaders(message.rawHeaders)
        return { ok: true, status, headers, body: body.bytes, url: hop.url }
      }
      message.destroy()
      if (!next.ok) return next
      if (count >= limits.maxRedirects)
        return refuse('too_many_redirects', `More than ${limits.maxRedirects} redirects`)
      hop = next.hop
    }
  }

  const guardedFetch: GuardedFetch = async (url, init = {}) => {
    const limits = {
      ...init,
      maxRedirects: init.maxRedirects ?? MAX_REDIRECTS,
      maxBytes: init.maxBytes ?? MAX_BYTES,
    }
    const deadline = startDeadline(init.timeoutMs ?? TIMEOUT_MS, init.signal)
    const hop: Hop = {
      url,
      method: (init.method ?? 'GET').toUpperCase(),
      headers: init.headers ?? {},
      ...(init.body !== undefined && { body: init.body }),
    }
    try {
      const fetched = await follow(hop, limits, deadline)
      // Dropping the connection looks like the proper end of a body that has no length.
      return deadline.refusal() ?? fetched
    } catch (error) {
      return deadline.refusal() ?? refusalOf(error, URL.canParse(url) ? new URL(url).hostname : url)
    } finally {
      deadline.clear()
    }
  }
  return guardedFetch
}
