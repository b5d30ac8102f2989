/** Paths as prefixes of each other, by whole segments. */

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
