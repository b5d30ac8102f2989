/** Rulings made whole: pieces of one line joined, and lines that meet gathered into frames. */
import type { Ruling } from '../read/marks.ts'

/** Lines this near to each other are one, in points. */
export const SNAP = 2
/** A line may be drawn in pieces with gaps up to this. */
const JOIN_GAP = 3
const MEET = 3
/** Above this many lines the page is a drawing. */
const LINES_MAX = 1500

export interface Frame {
  horizontals: Ruling[]
  verticals: Ruling[]
}

/** Collinear pieces joined into whole lines; one list for each direction, by position. */
export function wholeLines(rulings: readonly Ruling[]): Frame {
  const join = (horizontal: boolean): Ruling[] =>
    joined(
      rulings.filter((r) => r.horizontal === horizontal),
      JOIN_GAP,
    )
  return { horizontals: join(true), verticals: join(false) }
}

/** Pieces at the same place joined when they are at most `gap` apart. */
export function joined(rulings: readonly Ruling[], gap: number): Ruling[] {
  const levels: { at: number; pieces: Ruling[] }[] = []
  for (const ruling of rulings.toSorted((a, b) => a.at - b.at)) {
    const level = levels.at(-1)
    if (level && ruling.at - level.at <= SNAP) level.pieces.push(ruling)
    else levels.push({ at: ruling.at, pieces: [ruling] })
  }
  const lines: Ruling[] = []
  for (const { pieces } of levels) {
    const at = pieces.reduce((sum, p) => sum + p.at, 0) / pieces.length
    let line: Ruling | null = null
    for (const piece of pieces.toSorted((a, b) => a.from - b.from)) {
      if (line && piece.from - line.to <= gap) {
        line.to = Math.max(line.to, piece.to)
        line.drawn ||= piece.drawn
      } else {
        line = { ...piece, at }
        lines.push(line)
      }
    }
  }
  return lines
}

/** Groups of lines that cross or touch; a page of more than 1500 lines is a drawing and has none. */
export function framesOf({ horizontals, verticals }: Frame): Frame[] {
  const all = [...horizontals, ...verticals]
  if (all.length > LINES_MAX) return []
  const owner = all.map((_, i) => i)
  const rootOf = (i: number): number => {
    let root = i
    while (owner[root] !== root) {
      owner[root] = owner[owner[root]!]!
      root = owner[root]!
    }
    return root
  }
  horizontals.forEach((h, i) => {
    verticals.forEach((v, j) => {
      const meets =
        v.at >= h.from - MEET && v.at <= h.to + MEET && h.at >= v.from - MEET && h.at <= v.to + MEET
      if (meets) owner[rootOf(i)] = rootOf(horizontals.length + j)
    })
  })
  const groups = Map.groupBy(all, (_, i) => rootOf(i))
  return [...groups.values()].map((group) => ({
    horizontals: group.filter((r) => r.horizontal),
    verticals: group.filter((r) => !r.horizontal),
  }))
}

/** Distinct positions of lines, ascending. */
export function positions(values: readonly number[], snap = SNAP): number[] {
  const found: number[] = []
  for (const value of values.toSorted((a, b) => a - b)) {
    if (found.length === 0 || value - found.at(-1)! > snap) found.push(value)
  }
  return found
}
