/** Where the pages are, all of it from PUBLIC_URL and nothing from a request. */

/** Path of the pages on the gateway; a proxy may put it below the path of PUBLIC_URL. */
export const FOLDER = '/account'

export interface Site {
  /** 'https://pay.example.com', as browsers send it in `Origin`. */
  origin: string
  /** Host with its port, as EIP-4361 names a domain. */
  host: string
  /** FOLDER as the browser sees it. */
  home: string
  /** The URL of the pages: what a wallet signs for. */
  uri: string
  isHttps: boolean
  /** Relying party of passkeys: the host; null where browsers allow none (an address, plain http). */
  passkeyHost: string | null
  /** Why nobody can sign in here; null: everybody can. */
  closedBecause: string | null
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/
const ADDRESS = /^(\[.*\]|\d{1,3}(\.\d{1,3}){3})$/

export function siteOf(publicUrl: string): Site {
  const { origin, host, hostname, protocol, pathname } = new URL(publicUrl)
  const isHttps = protocol === 'https:'
  const home = pathname.replace(/\/+$/, '') + FOLDER
  const isName = !ADDRESS.test(hostname)
  return {
    origin,
    host,
    home,
    uri: origin + home,
    isHttps,
    passkeyHost: isName && (isHttps || hostname === 'localhost') ? hostname : null,
    closedBecause:
      isHttps || LOOPBACK.test(hostname)
        ? null
        : 'PUBLIC_URL is plain http, over which a session could be read: set it to the https address',
  }
}

/**
 * A path of this site to go on to after sign-in, from what a link or form says; the first page for
 * anything else: no other origin, no backslash, no control character, no second slash.
 */
export function safeNext(site: Site, next: string | null): string {
  if (next === null || next.length > 2000) return site.home
  if (!/^\/(?!\/)[\x21-\x5b\x5d-\x7e]*$/.test(next)) return site.home
  if (next.split(/[?#]/, 1)[0]!.includes('//')) return site.home
  const url = URL.parse(next, site.origin)
  if (url === null || url.origin !== site.origin) return site.home
  return url.pathname + url.search
}

/** Path of the sign-in page that leads on to `next`. */
export function signInUrl(site: Site, next: string): string {
  return `${site.home}/sign-in?${new URLSearchParams({ next: safeNext(site, next) })}`
}
