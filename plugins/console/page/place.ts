/** The place in the console: `#/calls?outcome=open`. It never holds a secret. */

export interface Place {
  /** ['calls'], ['keys', 'key_…']; empty for the overview. */
  path: readonly string[]
  query: Readonly<Record<string, string>>
}

export function placeOf(hash: string): Place {
  const [path = '', query = ''] = hash.replace(/^#?\/?/, '').split('?')
  return {
    path: path.split('/').filter(Boolean).map(decoded),
    query: Object.fromEntries(new URLSearchParams(query)),
  }
}

/** The hash of a place; members of the query that are empty are left out. */
export function hashOf(
  path: readonly string[],
  query: Readonly<Record<string, string | null | undefined>> = {},
): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value) parameters.set(name, value)
  const text = parameters.toString()
  return `#/${path.map(encodeURIComponent).join('/')}${text === '' ? '' : `?${text}`}`
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
