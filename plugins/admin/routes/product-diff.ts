/** What changes between two specs, for a dry run: one line per value, skills matched by their id. */

export interface Difference {
  path: string
  before?: unknown
  after?: unknown
}

const MAX_DIFFERENCES = 500

/** Every value that differs, in the order of the paths; an absent side is left out. */
export function diffDocuments(before: unknown, after: unknown): Difference[] {
  const found: Difference[] = []
  compare(before, after, '', found)
  return found.slice(0, MAX_DIFFERENCES)
}

function compare(before: unknown, after: unknown, path: string, found: Difference[]): void {
  const [left, right] = [membersOf(before), membersOf(after)]
  if (left && right) {
    for (const name of [...new Set([...left.keys(), ...right.keys()])].sort()) {
      const next = path === '' ? name : `${path}.${name}`
      compare(left.get(name), right.get(name), next, found)
    }
    return
  }
  if (JSON.stringify(before) === JSON.stringify(after)) return
  found.push({
    path,
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
  })
}

/** Members by name; of an array of skills by what names the skill. Null for a plain value. */
function membersOf(value: unknown): Map<string, unknown> | null {
  if (value === null || typeof value !== 'object') return null
  if (!Array.isArray(value)) return new Map(Object.entries(value))
  return new Map(value.map((item, index) => [keyOf(item) ?? String(index), item]))
}

function keyOf(item: unknown): string | null {
  if (item === null || typeof item !== 'object') return null
  const { skill, id, route } = item as Record<string, unknown>
  const key = skill ?? id ?? route
  return typeof key === 'string' ? key : null
}
