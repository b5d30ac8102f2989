/**
 * Whether the console's own script made a request. A page of another origin cannot add the header
 * without a preflight, which no route of the console grants; what the browser says of the origin
 * must agree.
 */

const HEADER = 'x-coinop-console'

/** `publicUrl`: a proxy in front may have put another Host in the place of the page's. */
export function isOwnPage({ headers, url }: Request, publicUrl: string): boolean {
  if (headers.get(HEADER) !== '1') return false
  const site = headers.get('sec-fetch-site')
  if (site !== null && site !== 'same-origin') return false
  const origin = headers.get('origin')
  // Reading requests of a page's own origin have none.
  if (origin === null) return true
  if (!URL.canParse(origin)) return false
  const { host } = new URL(origin)
  return site === 'same-origin' || host === new URL(url).host || host === new URL(publicUrl).host
}

/**
 * Whether the browser shows the page over HTTPS. A proxy may have ended that, and reading requests say
 * no origin: then the address of one of `places` says it for its host.
 */
export function isOverHttps({ headers, url }: Request, places: readonly string[]): boolean {
  const origin = headers.get('origin')
  if (origin !== null) return origin.startsWith('https:')
  const { protocol, host } = new URL(url)
  return (
    protocol === 'https:' ||
    places.some((place) => place.startsWith('https:') && new URL(place).host === host)
  )
}
