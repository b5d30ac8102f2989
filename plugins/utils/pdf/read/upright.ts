/** Turns a page whose text mostly runs sideways upright, so that lines and tables are found alike. */
import type { Glyph, PageMarks, Ruling, Shape, Turn } from './marks.ts'

/** The same marks on a page turned so that most of its glyphs read from left to right. */
export function upright(marks: PageMarks): PageMarks {
  const counts: [number, number, number, number] = [0, 0, 0, 0]
  for (const glyph of marks.glyphs) counts[glyph.turn]++
  const main = counts.indexOf(Math.max(...counts)) as Turn
  return main === 0 ? marks : turned(marks, main)
}

function turned(marks: PageMarks, by: Turn): PageMarks {
  const { width: w, height: h } = marks
  const place = (x: number, y: number): [number, number] => {
    if (by === 1) return [y, w - x]
    return by === 2 ? [w - x, h - y] : [h - y, x]
  }
  return {
    ...marks,
    width: by === 2 ? w : h,
    height: by === 2 ? h : w,
    glyphs: marks.glyphs.map((glyph): Glyph => {
      const [x, y] = place(glyph.x, glyph.y)
      return { ...glyph, x, y, turn: ((glyph.turn - by + 4) % 4) as Turn }
    }),
    shapes: marks.shapes.map((shape): Shape => {
      const [ax, ay] = place(shape.x0, shape.y0)
      const [bx, by_] = place(shape.x1, shape.y1)
      return {
        kind: shape.kind,
        x0: Math.min(ax, bx),
        y0: Math.min(ay, by_),
        x1: Math.max(ax, bx),
        y1: Math.max(ay, by_),
      }
    }),
    rulings: marks.rulings.map((ruling): Ruling => {
      const { horizontal, at, from, to } = ruling
      const [ax, ay] = horizontal ? place(from, at) : place(at, from)
      const [bx, by_] = horizontal ? place(to, at) : place(at, to)
      const lies = Math.abs(bx - ax) >= Math.abs(by_ - ay)
      return {
        ...ruling,
        horizontal: lies,
        at: lies ? ay : ax,
        from: lies ? Math.min(ax, bx) : Math.min(ay, by_),
        to: lies ? Math.max(ax, bx) : Math.max(ay, by_),
      }
    }),
  }
}
