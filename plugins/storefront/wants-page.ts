/** Who gets a page for an address where there is nothing. */

/**
 * Whether it comes from a browser that goes to a page; programs ask for JSON or anything, and below
 * /v1 is the API, whose answers are the declared ones.
 */
export function wantsPage({ method, headers, url }: Request): boolean {
  if ((method !== 'GET' && method !== 'HEAD') || new URL(url).pathname.startsWith('/v1/'))
    return false
  return /^\s*text\/html\b/i.test(headers.get('accept') ?? '')
}
