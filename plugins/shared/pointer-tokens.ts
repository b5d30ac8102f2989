/**
 * The tokens of a JSON Pointer in a URI fragment, as '/$defs/city': percent-encoded outside, with `~0`
 * and `~1` inside (RFC 6901, section 6). What is not well-formed percent-encoding stays as it is.
 */
export function pointerTokens(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((token) => percentDecoded(token).replaceAll('~1', '/').replaceAll('~0', '~'))
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
