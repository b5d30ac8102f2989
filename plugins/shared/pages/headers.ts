/** The headers of a page: nothing from elsewhere, no inline script, no frame, kept nowhere. */

/** Trusted types make the browser refuse a text where markup is expected, whoever wrote that code. */
const POLICY: Readonly<Record<string, string>> = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'connect-src': "'self'",
  'img-src': 'data:',
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
  'require-trusted-types-for': "'script'",
  'trusted-types': "'none'",
}

/** What a page needs otherwise. */
export interface HeaderChanges {
  /** Directives of the policy: another value, or null for none. */
  policy?: Readonly<Record<string, string | null>>
  referrer?: 'no-referrer' | 'same-origin'
  /** Whether windows of other origins that opened the page lose hold of it; default: they do. */
  leavesOpener?: boolean
}

export function pageHeaders(type: string, changes: HeaderChanges = {}): Record<string, string> {
  const { policy = {}, referrer = 'no-referrer', leavesOpener = true } = changes
  const directives = Object.entries({ ...POLICY, ...policy }).filter(([, value]) => value !== null)
  return {
    'content-type': `${type}; charset=utf-8`,
    'content-security-policy': directives.map((directive) => directive.join(' ')).join('; '),
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'referrer-policy': referrer,
    ...(leavesOpener && { 'cross-origin-opener-policy': 'same-origin' }),
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-store',
  }
}
