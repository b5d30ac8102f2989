/** The part of an OpenAPI document that an import is limited to: a tag, or a path and what is below it. */
import { asList, type Json } from './terms.ts'

/** Tags or paths of the document that a message names. */
const PARTS_NAMED = 60

/** Why an operation is not of the part that is imported; null if it is. */
export function otherPart(operation: Json, path: string, part: string | undefined): string | null {
  if (part === undefined) return null
  if (!isPath(part))
    return asList(operation['tags']).includes(part) ? null : `it has no tag ${part}`
  const above = part.replace(/\/+$/, '')
  return path === above || path.startsWith(`${above}/`) ? null : `it is not below ${part}`
}

export const isPath = (part: string): boolean => part.startsWith('/')

/** The tags or, where it has none, the paths that an import can be limited to. */
export function named(tags: ReadonlySet<string>, document: Json): string {
  const paths = Object.keys(document['paths'] as Json)
  const [word, all] = tags.size > 0 ? ['tags', [...tags]] : ['paths', firstPaths(paths)]
  const first = all.slice(0, PARTS_NAMED).join(', ')
  return `its ${word} are ${first}${all.length > PARTS_NAMED ? ', …' : ''}`
}

/** The beginnings of paths by which a document falls into parts: as short as there are two. */
function firstPaths(paths: readonly string[]): string[] {
  for (let segments = 1; segments <= 4; segments++) {
    const starts = paths.map((path) => path.split('/').slice(0, segments + 1))
    const texts = new Set(
      starts.map((start) => start.join('/')).filter((one) => !one.includes('{')),
    )
    if (texts.size > 1) return [...texts]
  }
  return [...paths]
}
