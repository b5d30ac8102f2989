/**
 * Rulings from drawn paths: stroked horizontal and vertical segments, thin filled rectangles
 * (many programs draw lines so) and the edges of larger filled or stroked rectangles.
 */
import { OPS } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { apply, type Matrix } from './matrix.ts'
import type { Ruling, Shape } from './marks.ts'

const MOVE = 0
const LINE = 1
const CURVE = 2
const QUADRATIC = 3
const CLOSE = 4

/** Paths examined per page; drawings with more are maps and charts. */
const PATHS_MAX = 60_000
const RULINGS_MAX = 20_000
const SHAPES_MAX = 2000
/** Curves and slanted lines smaller than this are signs and bullets, in points. */
const STROKE_LEAST = 20
/** A filled rectangle up to this thick is a line, in points. */
const THIN = 3
const SHORTEST = 3
/** How far a line may lean over its length, in points. */
const LEAN = 0.6

const STROKES: ReadonlySet<number> = new Set([
  OPS.stroke,
  OPS.closeStroke,
  OPS.fillStroke,
  OPS.eoFillStroke,
  OPS.closeFillStroke,
  OPS.closeEOFillStroke,
])
const FILLS: ReadonlySet<number> = new Set([
  OPS.fill,
  OPS.eoFill,
  OPS.fillStroke,
  OPS.eoFillStroke,
  OPS.closeFillStroke,
  OPS.closeEOFillStroke,
])

type Point = [number, number]

export class PathReader {
  readonly rulings: Ruling[] = []
  readonly shapes: Shape[] = []
  truncated = false
  readonly #width: number
  readonly #height: number
  #paths = 0

  constructor(page: { width: number; height: number }) {
    this.#width = page.width
    this.#height = page.height
  }

  /** Reads one constructPath operator: [paint operator, [coordinates], bounds]. */
  read(args: unknown[], ctm: Matrix, lineWidth: number): void {
    const paint = Number(args[0])
    const data = (args[1] as (ArrayLike<number> | null)[] | undefined)?.[0]
    const strokes = STROKES.has(paint)
    const fills = FILLS.has(paint)
    if (!data || (!strokes && !fills)) return
    if (++this.#paths > PATHS_MAX || this.rulings.length > RULINGS_MAX) {
      this.truncated = true
      return
    }
    const thickness = lineWidth * Math.sqrt(Math.abs(ctm[0] * ctm[3] - ctm[1] * ctm[2]))
    for (const shape of shapesOf(data, ctm)) {
      if (shape.curved || isSlanted(shape.points)) this.#note('stroke', shape.points)
      if (shape.curved) continue
      // A very thick stroke is a filled area, drawn with a pen.
      if (strokes && thickness <= 8) this.#stroke(shape.points)
      if (fills) this.#fill(shape.points, strokes)
    }
  }

  #stroke(points: readonly Point[]): void {
    for (let i = 1; i < points.length; i++) this.#segment(points[i - 1]!, points[i]!, true)
  }

  #fill(points: readonly Point[], stroked: boolean): void {
    const box = rectangleOf(points)
    if (!box) return
    const [x0, y0, x1, y1] = box
    const wide = x1 - x0
    const high = y1 - y0
    if (high <= THIN && wide > high) {
      const y = (y0 + y1) / 2
      this.#segment([x0, y], [x1, y], true)
    } else if (wide <= THIN && high > wide) {
      const x = (x0 + x1) / 2
      this.#segment([x, y0], [x, y1], true)
    } else if (!stroked && wide > 8 && high > 5) {
      // The page's own background bounds nothing.
      if (wide > this.#width * 0.96 && high > this.#height * 0.9) return
      this.#note('area', points)
      this.#segment([x0, y0], [x1, y0], false)
      this.#segment([x0, y1], [x1, y1], false)
      this.#segment([x0, y0], [x0, y1], false)
      this.#segment([x1, y0], [x1, y1], false)
    }
  }

  #note(kind: Shape['kind'], points: readonly Point[]): void {
    if (this.shapes.length >= SHAPES_MAX) return
    const xs = points.map(([x]) => x)
    const ys = points.map(([, y]) => y)
    const [x0, x1] = [Math.min(...xs), Math.max(...xs)]
    const [y0, y1] = [Math.min(...ys), Math.max(...ys)]
    if (kind === 'stroke' && Math.max(x1 - x0, y1 - y0) < STROKE_LEAST) return
    this.shapes.push({ kind, x0, y0, x1, y1 })
  }

  #segment([x0, y0]: Point, [x1, y1]: Point, drawn: boolean): void {
    const dx = Math.abs(x1 - x0)
    const dy = Math.abs(y1 - y0)
    const horizontal = dx >= dy
    if (Math.min(dx, dy) > LEAN || Math.max(dx, dy) < SHORTEST) return
    const limit = horizontal ? this.#width : this.#height
    const crossLimit = horizontal ? this.#height : this.#width
    const at = horizontal ? (y0 + y1) / 2 : (x0 + x1) / 2
    const from = Math.max(0, horizontal ? Math.min(x0, x1) : Math.min(y0, y1))
    const to = Math.min(limit, horizontal ? Math.max(x0, x1) : Math.max(y0, y1))
    if (at < -1 || at > crossLimit + 1 || to - from < SHORTEST) return
    this.rulings.push({ horizontal, at, from, to, drawn })
  }
}

function isSlanted(points: readonly Point[]): boolean {
  return points.slice(1).some(([x, y], i) => {
    const dx = Math.abs(x - points[i]![0])
    const dy = Math.abs(y - points[i]![1])
    return Math.min(dx, dy) > LEAN && Math.max(dx, dy) > SHORTEST
  })
}

/** Bounds of a path that is an upright rectangle, else null. */
function rectangleOf(points: readonly Point[]): [number, number, number, number] | null {
  if (points.length < 4 || points.length > 6) return null
  const xs = points.map(([x]) => x)
  const ys = points.map(([, y]) => y)
  const [x0, x1] = [Math.min(...xs), Math.max(...xs)]
  const [y0, y1] = [Math.min(...ys), Math.max(...ys)]
  const near = (a: number, b: number): boolean => Math.abs(a - b) <= LEAN
  const upright = points.every(
    ([x, y]) => (near(x, x0) || near(x, x1)) && (near(y, y0) || near(y, y1)),
  )
  return upright ? [x0, y0, x1, y1] : null
}

/** Subpaths in page points; a curved one is only marked as such. */
function* shapesOf(
  data: ArrayLike<number>,
  ctm: Matrix,
): Generator<{ points: Point[]; curved: boolean }> {
  let points: Point[] = []
  let curved = false
  let i = 0
  const point = (): Point => apply(ctm, data[i++] ?? NaN, data[i++] ?? NaN)
  while (i < data.length) {
    const op = data[i++]
    if (op === MOVE) {
      if (points.length > 1) yield { points, curved }
      points = [point()]
      curved = false
    } else if (op === LINE) points.push(point())
    else if (op === CURVE || op === QUADRATIC) {
      i += op === CURVE ? 4 : 2
      points.push(point())
      curved = true
    } else if (op === CLOSE) {
      if (points[0]) points.push(points[0])
    } else break
  }
  if (points.length > 1) yield { points, curved }
}
