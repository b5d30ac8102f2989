/** JSON Pointers (RFC 6901). Imports nothing, so that jobs of the document pool start quickly. */

/** Escapes one key of a pointer. */
export function escapePointer(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** The keys of a pointer, unescaped. */
export function pointerKeys(pointer: string): string[] {
  const tokens = pointer.split('/').slice(1)
  return tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The value at a pointer; undefined when there is none. */
export function valueAt(root: unknown, pointer: string): unknown {
  let value = root
  for (const key of pointerKeys(pointer)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<string, unknown>)[key]
  }
  return value
}

/**
 * The pointer in a URI fragment, which is percent-encoded as a whole (section 6). What is not
 * well-formed percent-encoding stays as it is.
 */
export function pointerOfFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}
