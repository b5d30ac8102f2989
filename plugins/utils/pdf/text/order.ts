/**
 * Reading order of blocks: Breuel's two rules (High Performance Document Layout Analysis, 2003), as
 * pdftotext applies them. A block precedes one that it stands above and overlaps sideways; and one
 * to its right, unless a third block that spans both lies between them.
 */
import type { Block } from './blocks.ts'
import type { Box } from './words.ts'

/** Above this many blocks rows from top to bottom have to do: the rules cost n cubed. */
const BLOCKS_MAX = 450

/** The blocks as they are read; `rightToLeft` pages start with the right column. */
export function inReadingOrder(blocks: readonly Block[], rightToLeft: boolean): Block[] {
  const sorted = blocks.toSorted(
    (a, b) => a.box.y0 - b.box.y0 || (rightToLeft ? b.box.x1 - a.box.x1 : a.box.x0 - b.box.x0),
  )
  if (sorted.length > BLOCKS_MAX) return sorted
  const boxes = sorted.map(({ box }) => (rightToLeft ? { ...box, x0: -box.x1, x1: -box.x0 } : box))
  return sequence(boxes).map((i) => sorted[i]!)
}

/** Overlap of less than this many points is a touch, not a column shared. */
const TOUCH = 1

const isAbove = (a: Box, b: Box): boolean =>
  Math.min(a.x1, b.x1) - Math.max(a.x0, b.x0) > TOUCH && (a.y0 + a.y1) / 2 < (b.y0 + b.y1) / 2

function sequence(boxes: readonly Box[]): number[] {
  const count = boxes.length
  const above = boxes.map((a) => boxes.map((b) => a !== b && isAbove(a, b)))
  const predecessors: number[][] = boxes.map(() => [])
  for (let a = 0; a < count; a++) {
    for (let b = 0; b < count; b++) {
      if (a === b) continue
      if (above[a]![b]) predecessors[b]!.push(a)
      else if (boxes[a]!.x1 <= boxes[b]!.x0 + TOUCH && !isParted(above, a, b))
        predecessors[b]!.push(a)
    }
  }
  const order: number[] = []
  const visited = new Uint8Array(count)
  for (let start = 0; start < count; start++) visit(start, predecessors, visited, order)
  return order
}

/** Whether some block stands below the left one `a` and above the right one `b`, or the reverse. */
function isParted(above: readonly boolean[][], a: number, b: number): boolean {
  for (let c = 0; c < above.length; c++) {
    if ((above[b]![c] && above[c]![a]) || (above[a]![c] && above[c]![b])) return true
  }
  return false
}

/** Depth first with an own stack: predecessors come before a block; cycles are cut where met. */
function visit(
  start: number,
  predecessors: readonly number[][],
  visited: Uint8Array,
  order: number[],
): void {
  if (visited[start]) return
  visited[start] = 1
  const stack = [{ node: start, next: 0 }]
  while (stack.length > 0) {
    const frame = stack.at(-1)!
    const list = predecessors[frame.node]!
    if (frame.next < list.length) {
      const node = list[frame.next++]!
      if (visited[node]) continue
      visited[node] = 1
      stack.push({ node, next: 0 })
    } else {
      order.push(frame.node)
      stack.pop()
    }
  }
}
