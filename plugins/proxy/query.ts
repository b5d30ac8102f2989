/**
 * What an operator adds to the query of each upstream request, such as the key of an API that takes it
 * nowhere else. The caller's members of the same names are left out: they must not take its place.
 */

export interface QueryRules {
  names: ReadonlySet<string>
  /** Escaped pairs, joined by `&`; '' for none. */
  added: string
}

export function queryRules(query: Readonly<Record<string, string>>): QueryRules {
  const pairs = Object.entries(query)
    // `${NAME:-}`: an optional secret that is not set.
    .filter(([, value]) => value !== '')
  const added = pairs.map((pair) => pair.map(encodeURIComponent).join('=')).join('&')
  return { names: new Set(pairs.map(([name]) => name)), added }
}

/** The query to ask the upstream with, out of the caller's: both begin with `?`, or are ''. */
export function upstreamSearch({ names, added }: QueryRules, search: string): string {
  if (added === '') return search
  const kept = search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && !names.has(nameOf(pair)))
  return `?${[...kept, added].join('&')}`
}

/** As servers read it; text with a malformed escape is taken as it is written. */
function nameOf(pair: string): string {
  const text = pair.split('=', 1)[0]!.replaceAll('+', ' ')
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
