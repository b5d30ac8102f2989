/** The upstream of a product document. */
import { neverPasses, type UpstreamSpec } from '#kernel'
import { parseDurationMs, type SpecPath } from '#kernel/host'
import type { ProductDocument } from './document.ts'
import { MAX_TIMEOUT_MS } from './interpret-skill.ts'
import type { Findings } from './problem.ts'

const DEFAULT_TIMEOUT_MS = 30_000
const DEFAULT_BREAKER = { failures: 5, resetMs: 30_000 }

/** With its timeouts in milliseconds, and a default for all that is not said. */
export function interpretUpstream(
  upstream: NonNullable<ProductDocument['upstream']>,
  { problem, warning }: Findings,
): UpstreamSpec {
  const url = URL.canParse(upstream.url) ? new URL(upstream.url) : null
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    problem(['upstream', 'url'], 'must be an http or https URL')
  else if (url.username !== '' || url.password !== '')
    problem(['upstream', 'url'], 'must hold no user name: send it in `headers`')
  else if (url.search !== '' || url.hash !== '')
    problem(
      ['upstream', 'url'],
      'must end with the path: a query stands in `query`, and a fragment is never sent',
    )
  for (const [name, value] of Object.entries(upstream.headers ?? {})) {
    if (/[^\t\u0020-\u007e\u0080-\uffff]/.test(value))
      problem(['upstream', 'headers', name], 'holds a control character')
  }
  for (const [name, value] of Object.entries(upstream.query ?? {})) {
    if (!(name + value).isWellFormed())
      problem(['upstream', 'query', name], 'holds half of a surrogate pair, which no URL can')
  }
  const passHeaders = (upstream.pass_headers ?? []).map((name) => name.toLowerCase())
  for (const [index, name] of passHeaders.entries()) {
    const path = ['upstream', 'pass_headers', index]
    if (neverPasses(name))
      problem(path, `names ${name}, which is the gateway's own to say and never passes`)
    else if (passHeaders.indexOf(name) < index) problem(path, `names ${name} again`)
  }
  const breaker = upstream.circuit_breaker
  const duration = (text: string | undefined, path: SpecPath, fallback: number): number => {
    if (text === undefined) return fallback
    const read = parseDurationMs(text) ?? 0
    if (read < 1) problem(path, 'must be at least 1ms')
    return read
  }
  const timeoutMs = duration(upstream.timeout, ['upstream', 'timeout'], DEFAULT_TIMEOUT_MS)
  if (timeoutMs > MAX_TIMEOUT_MS)
    warning(
      ['upstream', 'timeout'],
      `is longer than any call lasts: each ends after ${MAX_TIMEOUT_MS / 1000}s, or its \`limits.timeout\``,
    )
  return {
    url: upstream.url,
    headers: upstream.headers ?? {},
    query: upstream.query ?? {},
    timeoutMs,
    circuitBreaker: {
      failures: breaker?.failures ?? DEFAULT_BREAKER.failures,
      resetMs: duration(
        breaker?.reset,
        ['upstream', 'circuit_breaker', 'reset'],
        DEFAULT_BREAKER.resetMs,
      ),
    },
    allowPrivate: upstream.allow_private ?? false,
    forwardHeaders: upstream.forward_headers ?? [],
    passHeaders,
    // `${NAME:-}`: an optional token that is not set.
    serviceToken: upstream.service_token || null,
  }
}
