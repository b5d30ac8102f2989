/**
 * Tree-edit-distance similarity of tables (TEDS, Zhong et al. 2020) for grids without spans: a table's
 * children are rows and theirs are cells, so the distance is an alignment of rows whose costs are
 * alignments of cells.
 */

/** Edits between two texts, 0..1 of the longer one. */
function textDistance(a: string, b: string): number {
  if (a === b) return 0
  const [x, y] = [[...a], [...b]]
  let before = Array.from({ length: y.length + 1 }, (_, i) => i)
  for (const [i, one] of x.entries()) {
    const row = [i + 1]
    for (const [k, other] of y.entries())
      row.push(Math.min(row[k]! + 1, before[k + 1]! + 1, before[k]! + (one === other ? 0 : 1)))
    before = row
  }
  return before.at(-1)! / Math.max(x.length, y.length)
}

/** Least cost of turning one sequence into the other. */
function alignment<T>(
  a: readonly T[],
  b: readonly T[],
  lone: (one: T) => number,
  pair: (one: T, other: T) => number,
): number {
  let before = [0]
  for (const other of b) before.push(before.at(-1)! + lone(other))
  for (const one of a) {
    const row = [before[0]! + lone(one)]
    for (const [k, other] of b.entries())
      row.push(
        Math.min(row[k]! + lone(other), before[k + 1]! + lone(one), before[k]! + pair(one, other)),
      )
    before = row
  }
  return before.at(-1)!
}

const squeezed = (text: string): string => text.replaceAll(/\s+/g, '').toLowerCase()

/** 0..1; white space and case do not count. */
export function teds(a: readonly string[][], b: readonly string[][]): number {
  const size = (table: readonly string[][]): number =>
    1 + table.reduce((sum, row) => sum + 1 + row.length, 0)
  const [x, y] = [a, b].map((table) => table.map((row) => row.map(squeezed))) as [
    string[][],
    string[][],
  ]
  const distance = alignment(
    x,
    y,
    (row) => 1 + row.length,
    (one, other) => alignment(one, other, () => 1, textDistance),
  )
  return 1 - distance / Math.max(size(x), size(y))
}
