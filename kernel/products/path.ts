/** Paths as prefixes of each other, by whole segments, and the segments of routes. */

/** Whether a path is `parent` or lies below it. */
export function isWithin(path: string, parent: string): boolean {
  return path === parent || path.startsWith(`${parent}/`)
}

/** '/v1/a/b', '/v1/a', '/v1'. */
export function withAncestors(path: string): string[] {
  const found: string[] = []
  for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
    found.push(path.slice(0, end))
  }
  return found
}

const TEXT = '[A-Za-z0-9._~@:-]'
/** A segment of a route: a text, or one parameter with text around it: `{id}`, `{id}.json`, `{name}:cancel`. */
export const ROUTE_SEGMENT_PATTERN = `(${TEXT}+|${TEXT}*\\{[a-z][A-Za-z0-9_]*\\}${TEXT}*)`

/** A segment of a route with a parameter, and the text around it: '{id}', '{id}.json'. */
export interface Parameter {
  before: string
  name: string
  after: string
}

/** The parameter of a route's segment; null for a fixed one. */
export function parameterOf(segment: string): Parameter | null {
  const [, before = '', name, after = ''] = /^([^{]*)\{([^}]+)\}(.*)$/.exec(segment) ?? []
  return name === undefined ? null : { before, name, after }
}

/** What a segment of a path has in the parameter's place; null where it does not fit. */
export function valueIn(segment: string, { before, after }: Parameter): string | null {
  const isFit =
    segment.length > before.length + after.length &&
    segment.startsWith(before) &&
    segment.endsWith(after)
  return isFit ? segment.slice(before.length, segment.length - after.length) : null
}
