/**
 * Blocks from lines: lines that follow each other one to one, close and of one size. A line with
 * two neighbours below (a headline over columns) ends its block, so no block spans columns.
 */
import { Groups } from '../groups.ts'
import type { Line } from './lines.ts'
import { isProse, isRunning } from './prose.ts'
import { union, type Box } from './words.ts'

export interface Block {
  lines: Line[]
  box: Box
  /** Lines side by side belong to one row and are read across. */
  rowWise: boolean
}

/** Largest distance of baselines in a block, in font sizes. */
const LEADING_MAX = 1.75
const SIZE_RATIO_MAX = 1.35

const overlapOf = (a: Line, b: Line): number => Math.min(a.u1, b.u1) - Math.max(a.u0, b.u0)

/** Blocks of a page, in no order yet. */
export function blocksOf(lines: readonly Line[]): Block[] {
  const byDirection = Map.groupBy(lines, (line) => `${line.turn}${line.vertical ? 'v' : ''}`)
  return [...byDirection.values()].flatMap((group) => sideBySide(chains(group)))
}

/** Lines that follow each other one to one. */
export function chains(lines: readonly Line[]): Block[] {
  const sorted = lines.toSorted((a, b) => a.v - b.v || a.u0 - b.u0)
  const below = new Map<Line, Line[]>()
  const above = new Map<Line, Line[]>()
  for (let i = 0; i < sorted.length; i++) {
    const line = sorted[i]!
    const reach = line.v + LEADING_MAX * line.size
    const found: Line[] = []
    for (let j = i + 1; j < sorted.length && sorted[j]!.v <= reach; j++) {
      const next = sorted[j]!
      if (next.v - line.v < 0.3 * Math.min(line.size, next.size)) continue
      if (overlapOf(line, next) <= 0) continue
      // Only direct neighbours: not one that stands below another that was found.
      if (found.some((f) => next.v - f.v > 0.3 * f.size && overlapOf(f, next) > 0)) continue
      found.push(next)
    }
    below.set(line, found)
    for (const next of found) {
      const list = above.get(next)
      if (list) list.push(line)
      else above.set(next, [line])
    }
  }
  const blocks: Block[] = []
  const taken = new Set<Line>()
  for (const first of sorted) {
    if (taken.has(first)) continue
    const chain = [first]
    taken.add(first)
    for (let line = first; ;) {
      const next = below.get(line)!
      const only = next.length === 1 ? next[0]! : null
      if (!only || taken.has(only) || above.get(only)!.length !== 1) break
      const ratio = Math.max(only.size, line.size) / Math.min(only.size, line.size)
      if (ratio > SIZE_RATIO_MAX) break
      chain.push(only)
      taken.add(only)
      line = only
    }
    blocks.push({ lines: chain, box: union(chain.map((l) => l.box)), rowWise: false })
  }
  return blocks
}

/** Joins blocks whose lines are rows of labels and values, to be read across. */
function sideBySide(blocks: Block[]): Block[] {
  const groups = new Groups(blocks.length)
  const sorted = blocks
    .map((block, i) => ({ block, i }))
    .toSorted((a, b) => top(a.block) - top(b.block))
  for (let a = 0; a < sorted.length; a++) {
    for (let b = a + 1; b < sorted.length; b++) {
      if (top(sorted[b]!.block) > bottom(sorted[a]!.block) + 1) break
      if (areRows(sorted[a]!.block, sorted[b]!.block)) groups.join(sorted[a]!.i, sorted[b]!.i)
    }
  }
  const joined = Map.groupBy(blocks, (_, i) => groups.of(i))
  return [...joined.values()].map((group) => (group.length === 1 ? group[0]! : rows(group)))
}

const top = (block: Block): number => block.lines[0]!.v
const bottom = (block: Block): number => block.lines.at(-1)!.v

function rows(group: readonly Block[]): Block {
  const lines = group.flatMap((block) => block.lines)
  return { lines, box: union(lines.map((l) => l.box)), rowWise: true }
}

/** Whether two blocks stand side by side with their lines on common baselines and are not prose. */
function areRows(a: Block, b: Block): boolean {
  const [left, right] = a.box.x0 <= b.box.x0 ? [a, b] : [b, a]
  const [less, more] = a.lines.length <= b.lines.length ? [a, b] : [b, a]
  if (less.lines.some((x) => more.lines.some((y) => overlapOf(x, y) > 0.5 * x.size))) return false
  const shared = less.lines.filter((x) =>
    more.lines.some((y) => Math.abs(x.v - y.v) < 0.25 * Math.min(x.size, y.size)),
  ).length
  if (shared === 0 || shared < 0.7 * less.lines.length) return false
  if (less.lines.length === 1) {
    // A single line beside a longer block: a label or a value, when it is near or short.
    const gap = Math.min(...right.lines.map((l) => l.u0)) - Math.max(...left.lines.map((l) => l.u1))
    return more.lines.length <= 2 || gap < 3 * less.lines[0]!.size
  }
  return (
    !(isProse(left.lines) && isProse(right.lines)) &&
    !isRunning(left.lines) &&
    !isRunning(right.lines)
  )
}
