/**
 * Which web pages may talk to this endpoint: a page of a foreign origin gets 403, also one whose
 * name was rebound to this address (MCP `basic/transports`). Programs send no Origin.
 */

const LOOPBACK = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/

/** Tells allowed from foreign origins; '*' in `allowed` admits any. */
export function originCheck(
  publicUrl: () => string,
  allowed: readonly string[],
): (origin: string | null) => boolean {
  const listed = new Set(allowed.map((origin) => origin.toLowerCase().replace(/\/$/, '')))
  return (origin) =>
    origin === null ||
    listed.has('*') ||
    listed.has(origin.toLowerCase()) ||
    LOOPBACK.test(origin) ||
    origin === originOf(publicUrl())
}

function originOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).origin : null
}
