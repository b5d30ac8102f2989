/**
 * The path of an upstream request: the upstream's base, the mount when it is preserved, and the
 * caller's path as written. Whatever could mean another place behind the gateway is refused.
 */

export interface Mount {
  /** Upstream base URL without query and fragment. */
  base: URL
  /** Path of PUBLIC_URL, without a slash at its end: a proxy in front takes it away. */
  publicPath: string
  /** base_path of the product. */
  basePath: string
  rewrite: 'strip' | 'preserve'
}

/** Everything RFC 3986 allows in a path, the escapes included, and what URL parsers leave alone. */
const PATH_CHARACTERS = /^\/[A-Za-z0-9\-._~!$&'()*+,;=:@%/|^[\]]*$/
const MALFORMED_ESCAPE = /%(?![0-9A-Fa-f]{2})/
/** '/', '\', '.', '%' and control characters, escaped twice: a careless upstream decodes twice. */
const DOUBLE_ESCAPE = /%25(2[ef5]|5c|[01][0-9a-f]|7f)/i

/**
 * The path to ask the upstream for (query not included), or null when `path` could leave the base:
 * dot segments in any spelling, encoded slashes and backslashes, empty segments, absolute forms.
 */
export function upstreamPath(mount: Mount, path: string): string | null {
  if (!isContained(path)) return null
  const base = mount.base.pathname.replace(/\/$/, '')
  const prefix = mount.rewrite === 'preserve' ? base + mount.basePath : base
  // The base itself is asked for as the operator wrote it, with or without its slash.
  if (path === '/' && prefix !== '') return prefix === base ? mount.base.pathname : prefix
  const whole = prefix + path
  // The same rules once more, by the parser that will read it.
  return new URL(whole, mount.base.origin).pathname === whole ? whole : null
}

function isContained(path: string): boolean {
  if (!PATH_CHARACTERS.test(path) || MALFORMED_ESCAPE.test(path) || DOUBLE_ESCAPE.test(path))
    return false
  const segments = path.slice(1).split('/')
  return segments.every((segment, index) => {
    if (segment === '') return index === segments.length - 1
    let plain: string
    try {
      plain = decodeURIComponent(segment)
    } catch {
      return false
    }
    // Servlet containers drop ';…' from a segment before they resolve dots.
    const name = plain.split(';', 1)[0]!
    if (name === '.' || name === '..') return false
    return !hasSeparatorOrControl(plain)
  })
}

function hasSeparatorOrControl(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code < 0x20 || code === 0x7f || code === 0x2f || code === 0x5c) return true
  }
  return false
}

/**
 * A Location of the upstream as the caller can follow it: below the mount when it lies below the
 * upstream's base, unchanged for another origin, null when it would only show the upstream's own
 * address. `requestPath` is the upstream path it is relative to.
 */
export function callerLocation(mount: Mount, location: string, requestPath: string): string | null {
  const at = new URL(requestPath, mount.base.origin)
  if (!URL.canParse(location, at)) return null
  const target = new URL(location, at)
  if (target.origin !== mount.base.origin) return target.href
  const base = mount.base.pathname.replace(/\/$/, '')
  const prefix = mount.rewrite === 'preserve' ? base + mount.basePath : base
  const { pathname } = target
  if (pathname !== prefix && !pathname.startsWith(`${prefix}/`)) return null
  const shown = mount.publicPath + mount.basePath + pathname.slice(prefix.length)
  return shown + target.search + target.hash
}

/**
 * A Link of the upstream (RFC 8288) with its targets as the caller can follow them. Links that would
 * only show the upstream's own address are removed; null when none is left.
 */
export function callerLinks(
  links: string,
  locationOf: (target: string) => string | null,
): string | null {
  const kept: string[] = []
  for (const [, target, parameters] of links.matchAll(LINK)) {
    const shown = locationOf(target!)
    if (shown !== null) kept.push(`<${shown}>${parameters!.trimEnd()}`)
  }
  return kept.length === 0 ? null : kept.join(', ')
}

/** A target and its parameters, whose quoted values may hold commas. */
const LINK = /<([^<>]*)>((?:"(?:[^"\\]|\\.)*"|[^",])*)/g
