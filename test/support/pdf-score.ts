/** How alike extracted text and tables are to what was expected. */

const tokens = (text: string): string[] =>
  text
    .normalize('NFKC')
    .replaceAll(/[\u200e\u200f\u202a-\u202e]/g, '')
    .split(/\s+/)
    .filter(Boolean)

/** F1 of two texts as bags of words parted by white space; 1 when both are empty. */
export function tokenF1(text: string, expected: string): number {
  return bagF1(tokens(text), tokens(expected))
}

function bagF1(found: readonly string[], expected: readonly string[]): number {
  if (found.length + expected.length === 0) return 1
  const counts = new Map<string, number>()
  for (const item of expected) counts.set(item, (counts.get(item) ?? 0) + 1)
  let hits = 0
  for (const item of found) {
    const left = counts.get(item) ?? 0
    if (left === 0) continue
    hits++
    counts.set(item, left - 1)
  }
  return (2 * hits) / (found.length + expected.length)
}

/** Neighbouring pairs of filled cells, to the right and down (Göbel et al., ICDAR 2013). */
export function adjacencies(rows: readonly (readonly string[])[]): string[] {
  const plain = rows.map((row) => row.map((cell) => cell.replaceAll(/\s+/g, '').toLowerCase()))
  const pairs: string[] = []
  plain.forEach((row, r) => {
    row.forEach((cell, c) => {
      if (cell === '') return
      const right = row.slice(c + 1).find((other) => other !== '')
      if (right !== undefined) pairs.push(`${cell} > ${right}`)
      const down = plain.slice(r + 1).find((below) => below[c] !== '')?.[c]
      if (down !== undefined) pairs.push(`${cell} v ${down}`)
    })
  })
  return pairs
}

export interface TableScore {
  tp: number
  fp: number
  fn: number
  /** Pairs of the found, of the expected, and of both. */
  pairsFound: number
  pairsExpected: number
  pairsBoth: number
  rowsRight: number
  columnsRight: number
  matched: number
}

/** Tables of a page against the expected ones, matched by order and counted per page. */
export function scoreTables(
  found: readonly string[][][],
  expected: readonly string[][][],
): TableScore {
  const matched = Math.min(found.length, expected.length)
  const pairsF = found.flatMap(adjacencies)
  const pairsE = expected.flatMap(adjacencies)
  const both = (bagF1(pairsF, pairsE) * (pairsF.length + pairsE.length)) / 2
  return {
    tp: matched,
    fp: found.length - matched,
    fn: expected.length - matched,
    pairsFound: pairsF.length,
    pairsExpected: pairsE.length,
    pairsBoth: pairsF.length + pairsE.length === 0 ? 0 : Math.round(both),
    rowsRight: found.slice(0, matched).filter((t, i) => t.length === expected[i]!.length).length,
    columnsRight: found.slice(0, matched).filter((t, i) => t[0]?.length === expected[i]![0]?.length)
      .length,
    matched,
  }
}

export const f1 = (hits: number, found: number, expected: number): number =>
  found + expected === 0 ? 1 : (2 * hits) / (found + expected)
