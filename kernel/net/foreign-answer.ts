/**
 * Restricts what a forwarded upstream's answer may do in a browser. It is served on the gateway's
 * own origin, which may also serve the operator's page: it may run no script there, and headers
 * that affect the whole origin are removed.
 */
import { isOfRail } from './reserved-headers.ts'

/** Set for every such answer. Without `allow-` words: no script, no form, no origin, no popup. */
const SANDBOX = 'sandbox'

/** Connection headers, RFC 9110 section 7.6.1. */
const CONNECTION = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]

/** What the gateway itself says: receipts, limits, and what a browser may make of the answer. */
const OWN = [
  'idempotency-replayed',
  'payment-required',
  'payment-response',
  'ratelimit',
  'ratelimit-policy',
  'x-balance-credits',
  'x-charge-note',
  'x-charged-credits',
  'x-charged-units',
  'x-content-type-options',
  'x-held-credits',
  'x-payment-rail',
  'x-payment-response',
  'x-price-capped',
  'x-price-version',
  'x-request-id',
]

/**
 * Orders to proxies and caches in front of the gateway: what they serve instead, and for how long
 * they keep an answer whatever Cache-Control says. They are the operator's, and obey nobody behind.
 */
const OF_PROXIES: ReadonlySet<string> = new Set(['edge-control', 'x-sendfile', 'x-sendfile2'])
const OF_PROXIES_PREFIXES = ['surrogate-', 'x-accel-', 'x-lighttpd-', 'x-litespeed-', 'x-reproxy-']
const CDN_CACHE_CONTROL = /(?:^|-)cdn-cache-control$/

/** The gateway says itself who may read an answer. */
const CORS = 'access-control-'

const NEVER_PASSED: ReadonlySet<string> = new Set([...CONNECTION, ...OWN])

/** Whether no product can have an upstream's header of this name passed on. */
export function neverPasses(name: string): boolean {
  const lower = name.toLowerCase()
  return NEVER_PASSED.has(lower) || lower.startsWith(CORS) || isOfRail(lower) || isOfProxies(lower)
}

/**
 * Headers that outlive the answer or reach beyond it: storage, sign-in, transport and reports of
 * the whole origin, other documents, and where the browser goes next without being asked.
 */
const OF_THE_ORIGIN: ReadonlySet<string> = new Set([
  'accept-ch',
  'accept-ch-lifetime',
  'activate-storage-access',
  'alt-svc',
  'authentication-info',
  'clear-site-data',
  'content-security-policy-report-only',
  'critical-ch',
  'document-policy-report-only',
  'expect-ct',
  'nel',
  'observe-browsing-topics',
  'origin-agent-cluster',
  'origin-trial',
  'permissions-policy-report-only',
  'proxy-authentication-info',
  'public-key-pins',
  'public-key-pins-report-only',
  'refresh',
  'report-to',
  'reporting-endpoints',
  'service-worker-allowed',
  'set-cookie',
  'set-cookie2',
  'set-login',
  'sourcemap',
  'speculation-rules',
  'strict-transport-security',
  'supports-loading-mode',
  'timing-allow-origin',
  'use-as-dictionary',
  'www-authenticate',
  'x-permitted-cross-domain-policies',
  'x-sourcemap',
])
const OF_THE_ORIGIN_PREFIXES = [
  'attribution-reporting-',
  'cross-origin-',
  'sec-',
  'secure-session-',
  'shared-storage-',
]

/**
 * What was charged for, which the gateway says. An upstream's own one is a measure before it is
 * withheld (`from: header:X-Usage`), so it is not among OWN.
 */
const USAGE = 'x-usage'

/** Cookies of the gateway's own pages, also as browsers write them without a name. */
const OWN_COOKIE = /^[\s=]*(__secure-|__host-)?coinop-/i

/**
 * `headers` of a foreign answer as they may go out; `passed` names, in lower case, the withheld
 * ones that the product opened. A policy of the answer's own stands beside the gateway's.
 */
export function confine(headers: Headers, passed: readonly string[]): void {
  const withheld = Array.from(headers.keys()).filter(
    (name) =>
      name.startsWith(CORS) || isOfProxies(name) || (isWithheld(name) && !passed.includes(name)),
  )
  for (const name of withheld) headers.delete(name)
  const cookies = headers.getSetCookie()
  if (cookies.some((cookie) => OWN_COOKIE.test(cookie))) {
    headers.delete('set-cookie')
    for (const cookie of cookies) {
      if (!OWN_COOKIE.test(cookie)) headers.append('set-cookie', cookie)
    }
  }
  headers.append('content-security-policy', SANDBOX)
  headers.set('x-content-type-options', 'nosniff')
}

function isOfProxies(name: string): boolean {
  // Turns off nginx's buffering for streams, which is harmless.
  if (name === 'x-accel-buffering') return false
  return (
    OF_PROXIES.has(name) ||
    OF_PROXIES_PREFIXES.some((prefix) => name.startsWith(prefix)) ||
    CDN_CACHE_CONTROL.test(name)
  )
}

function isWithheld(name: string): boolean {
  return (
    name === USAGE ||
    OF_THE_ORIGIN.has(name) ||
    OF_THE_ORIGIN_PREFIXES.some((prefix) => name.startsWith(prefix))
  )
}
