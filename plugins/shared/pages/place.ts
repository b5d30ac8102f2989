/**
 * The place in a set of pages: `#/calls?outcome=open` in one document, or `/account/calls?outcome=open`
 * where each has a document of its own. It never holds a secret.
 */

export interface Place {
  /** ['calls'], ['keys', 'key_…']; empty for the first page. */
  path: readonly string[]
  query: Readonly<Record<string, string>>
}

export type Query = Readonly<Record<string, string | null | undefined>>

/** Path below which each place has a document of its own; null: places stand behind '#'. */
let folder: string | null = null

/** Says, before anything is shown, that places are documents below this path of the browser's. */
export function placesBelow(path: string): void {
  folder = path
}

export function placeOf(hash: string): Place {
  const [path = '', query = ''] = hash.replace(/^#?\/?/, '').split('?')
  return placeAt(path, query)
}

/** Where the browser is. */
export function here(): Place {
  if (folder === null) return placeOf(location.hash)
  return placeAt(location.pathname.slice(folder.length), location.search)
}

/** The hash of a place; members of the query that are empty are left out. */
export function hashOf(path: readonly string[], query: Query = {}): string {
  return `#/${path.map(encodeURIComponent).join('/')}${queryText(query)}`
}

/** What a link to a place says. */
export function hrefOf(path: readonly string[], query: Query = {}): string {
  if (folder === null) return hashOf(path, query)
  return [folder, ...path.map(encodeURIComponent)].join('/') + queryText(query)
}

export function goTo(path: readonly string[], query: Query = {}): void {
  location.assign(hrefOf(path, query))
}

function placeAt(path: string, query: string): Place {
  return {
    path: path.split('/').filter(Boolean).map(decoded),
    query: Object.fromEntries(new URLSearchParams(query)),
  }
}

function queryText(query: Query): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value) parameters.set(name, value)
  const text = parameters.toString()
  return text === '' ? '' : `?${text}`
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
