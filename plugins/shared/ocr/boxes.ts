/** Text lines in the map of a detector (differentiable binarisation): where they stand and lie. */
import type { TextBox } from './pixels.ts'

/** Likelihood from which a pixel belongs to text. */
const TEXT_MIN = 0.3
/** Mean likelihood of a line. */
const SCORE_MIN = 0.5
/** The network sees the core of a line only: the box grows by its area × this / its perimeter. */
const GROWTH = 1.6
const SIDE_MIN = 3
const BOXES_MAX = 1500

interface Point {
  x: number
  y: number
}

/** The lines of text in a map of likelihoods, row by row; angles are −90..90 degrees. */
export function textBoxes(map: Float32Array, width: number, height: number): TextBox[] {
  const seen = new Uint8Array(width * height)
  const boxes: TextBox[] = []
  const stack: number[] = []
  for (let start = 0; start < map.length && boxes.length < BOXES_MAX; start++) {
    if (seen[start] === 1 || map[start]! < TEXT_MIN) continue
    // Leftmost and rightmost pixel of each row: the hull of those is the hull of all.
    const left = new Map<number, number>()
    const right = new Map<number, number>()
    let sum = 0
    let count = 0
    stack.push(start)
    seen[start] = 1
    while (stack.length > 0) {
      const at = stack.pop()!
      const x = at % width
      const y = (at - x) / width
      sum += map[at]!
      count++
      left.set(y, Math.min(left.get(y) ?? x, x))
      right.set(y, Math.max(right.get(y) ?? x, x))
      for (let dy = -1; dy <= 1; dy++)
        for (let dx = -1; dx <= 1; dx++) {
          const nx = x + dx
          const ny = y + dy
          if (nx < 0 || ny < 0 || nx >= width || ny >= height) continue
          const next = ny * width + nx
          if (seen[next] === 1 || map[next]! < TEXT_MIN) continue
          seen[next] = 1
          stack.push(next)
        }
    }
    if (count < 6 || sum / count < SCORE_MIN) continue
    const points: Point[] = []
    for (const [y, x] of left) points.push({ x, y }, { x, y: y + 1 })
    for (const [y, x] of right) points.push({ x: x + 1, y }, { x: x + 1, y: y + 1 })
    const box = smallestBox(hullOf(points))
    if (!box || Math.min(box.width, box.height) < SIDE_MIN) continue
    const grow = (2 * GROWTH * box.width * box.height) / (2 * (box.width + box.height))
    boxes.push({
      ...box,
      width: box.width + grow,
      height: box.height + grow,
      score: sum / count,
    })
  }
  return boxes
}

/** Convex hull, counter-clockwise (monotone chain). */
function hullOf(points: Point[]): Point[] {
  const sorted = points.toSorted((a, b) => a.x - b.x || a.y - b.y)
  const turns = (o: Point, a: Point, b: Point): number =>
    (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x)
  const half = (list: Point[]): Point[] => {
    const chain: Point[] = []
    for (const point of list) {
      while (chain.length >= 2 && turns(chain.at(-2)!, chain.at(-1)!, point) <= 0) chain.pop()
      chain.push(point)
    }
    chain.pop()
    return chain
  }
  return [...half(sorted), ...half(sorted.toReversed())]
}

/** The rectangle of least area around a hull; its longer side is its width. */
function smallestBox(hull: Point[]): Omit<TextBox, 'score'> | null {
  let best: (Omit<TextBox, 'score'> & { area: number }) | null = null
  for (const [i, from] of hull.entries()) {
    const to = hull[(i + 1) % hull.length]!
    const length = Math.hypot(to.x - from.x, to.y - from.y)
    if (length === 0) continue
    const cos = (to.x - from.x) / length
    const sin = (to.y - from.y) / length
    let [u0, u1, v0, v1] = [Infinity, -Infinity, Infinity, -Infinity]
    for (const { x, y } of hull) {
      const u = x * cos + y * sin
      const v = y * cos - x * sin
      u0 = Math.min(u0, u)
      u1 = Math.max(u1, u)
      v0 = Math.min(v0, v)
      v1 = Math.max(v1, v)
    }
    const area = (u1 - u0) * (v1 - v0)
    if (best && area >= best.area) continue
    const u = (u0 + u1) / 2
    const v = (v0 + v1) / 2
    const isUpright = v1 - v0 > u1 - u0
    best = {
      area,
      cx: u * cos - v * sin,
      cy: u * sin + v * cos,
      width: isUpright ? v1 - v0 : u1 - u0,
      height: isUpright ? u1 - u0 : v1 - v0,
      angle: halfTurn(Math.atan2(sin, cos) + (isUpright ? Math.PI / 2 : 0)),
    }
  }
  return best
}

/** The same line's angle in −90..90 degrees. */
export function halfTurn(angle: number): number {
  const turned = angle - Math.PI * Math.round(angle / Math.PI)
  return turned
}

/** The direction in which most text runs, in −90..90 degrees; long lines count more. */
export function mainAngle(boxes: readonly TextBox[]): number {
  const lines = boxes.filter((b) => b.width > 2.5 * b.height)
  // Doubled angles, so that −89 and 89 degrees are neighbours.
  let x = 0
  let y = 0
  for (const { angle, width } of lines) {
    x += width * width * Math.cos(2 * angle)
    y += width * width * Math.sin(2 * angle)
  }
  if (lines.length === 0) return 0
  const mean = Math.atan2(y, x) / 2
  // The median of what deviates from it is not led astray by a few large pieces.
  const near = lines
    .map((b) => ({ off: halfTurn(b.angle - mean), weight: b.width }))
    .filter((l) => Math.abs(l.off) < 0.35)
    .toSorted((a, b) => a.off - b.off)
  const half = near.reduce((sum, l) => sum + l.weight, 0) / 2
  let sum = 0
  for (const { off, weight } of near) {
    sum += weight
    if (sum >= half) return mean + off
  }
  return mean
}

/** A box read along `direction`: where it is nearly square or lies across, it is turned to it. */
export function along(box: TextBox, direction: number): TextBox {
  const off = halfTurn(box.angle - direction)
  const isAlong = Math.abs(off) <= Math.PI / 4
  const own = isAlong ? off : halfTurn(off + Math.PI / 2)
  // Hardly longer than high: its own angle says little.
  const angle = direction + (box.width < 1.6 * box.height ? 0 : own)
  return isAlong ? { ...box, angle } : { ...box, width: box.height, height: box.width, angle }
}
