/** The environment variables of OAuth. */
import { duration, integer, optional, text, type Variable } from '#kernel'

/** Opens or closes OAuth whatever the product file says; null: the file says it. */
export const MCP_OAUTH: Variable<boolean | null> = {
  name: 'MCP_OAUTH',
  expected: 'true or false',
  example: 'true',
  fallback: null,
  parse: (value) => {
    const known: Record<string, boolean> = { true: true, '1': true, false: false, '0': false }
    const parsed = known[value.toLowerCase()]
    return parsed === undefined ? { ok: false } : { ok: true, value: parsed }
  },
}
/** Origin under which the endpoint has a host of its own; null: it has that of PUBLIC_URL. */
export const MCP_OAUTH_URL = optional('MCP_OAUTH_URL', {
  expected: 'an http or https URL of an origin: a host, perhaps a port, no path',
  example: 'https://mcp.example.com',
  accepts: (value) => URL.canParse(value) && /^https?:\/\/[^/]+\/?$/.test(new URL(value).href),
})
/** What the field `day` of the consent page holds before the person changes it, in credits. */
export const OAUTH_DEFAULT_DAY = integer('OAUTH_DEFAULT_DAY', {
  min: 1,
  max: 1_000_000_000,
  fallback: 200,
})
export const OAUTH_CODE_TTL = duration('OAUTH_CODE_TTL', '60s')
export const OAUTH_ACCESS_TTL = duration('OAUTH_ACCESS_TTL', '1h')
/** How long a refresh token lives without use. */
export const OAUTH_REFRESH_TTL = duration('OAUTH_REFRESH_TTL', '1440h')
/** How long a refresh token that was used gives its successor again. */
export const OAUTH_REFRESH_GRACE = duration('OAUTH_REFRESH_GRACE', '30s')
/** Schemes beside https and loopback http that a client may be sent back to. */
export const OAUTH_REDIRECT_SCHEMES = text('OAUTH_REDIRECT_SCHEMES', {
  expected: 'schemes of apps, comma-separated, or "none"',
  example: 'cursor,vscode',
  fallback: 'cursor,vscode,vscode-insiders,claude,goose',
  accepts: (value) =>
    value.split(',').every((one) => {
      const scheme = one.trim()
      return /^[a-z][a-z0-9+.-]{2,30}$/.test(scheme) && !UNSAFE_SCHEMES.has(scheme)
    }),
})
/** A browser runs these or reads files by them, or they are no app's. */
const UNSAFE_SCHEMES = new Set('javascript,data,file,blob,vbscript,about,http,https'.split(','))

export const VARIABLES: readonly Variable[] = [
  MCP_OAUTH,
  MCP_OAUTH_URL,
  OAUTH_DEFAULT_DAY,
  OAUTH_CODE_TTL,
  OAUTH_ACCESS_TTL,
  OAUTH_REFRESH_TTL,
  OAUTH_REFRESH_GRACE,
  OAUTH_REDIRECT_SCHEMES,
]

/** The schemes of OAUTH_REDIRECT_SCHEMES. */
export function schemesIn(value: string): readonly string[] {
  const schemes = value.split(',').map((one) => one.trim())
  return schemes.includes('none') ? [] : schemes
}
