/** Charts, whose labels stand in rows and columns: what is drawn among the words tells them. */
import type { Shape } from '../read/marks.ts'
import type { Box } from '../text/words.ts'
import type { Word } from '../text/word.ts'
import { heightOf, middleOf } from './cells.ts'

/** Bars of one chart, and how many different lengths they must have. */
const BARS_LEAST = 3
/** Curves and slanted lines inside a table are rare. */
const STROKES_LEAST = 2
const SAME = 1
/** Areas looked at in one table. */
const AREAS_MAX = 300

/** Whether the words in the box label the bars or the lines of a chart. */
export function isChart(box: Box, shapes: readonly Shape[], words: readonly Word[]): boolean {
  const inside = shapes.filter((shape) => {
    const x = (shape.x0 + shape.x1) / 2
    const y = (shape.y0 + shape.y1) / 2
    return x > box.x0 && x < box.x1 && y > box.y0 && y < box.y1
  })
  if (inside.filter(({ kind }) => kind === 'stroke').length >= STROKES_LEAST) return true
  const near = words.filter((word) => holds(box, word))
  const areas = inside.filter(({ kind }) => kind === 'area').slice(0, AREAS_MAX)
  const bars = areas.filter((area) => !near.some((word) => holds(area, word)))
  return (
    areBars(
      bars,
      (bar) => bar.x0,
      (bar) => bar.x1,
    ) ||
    areBars(
      bars,
      (bar) => bar.y1,
      (bar) => bar.y0,
    )
  )
}

function holds(area: Box, word: Word): boolean {
  const x = middleOf(word)
  const y = heightOf(word)
  return x > area.x0 && x < area.x1 && y > area.y0 && y < area.y1
}

/** Whether areas begin on one line and end at several places. */
function areBars(
  areas: readonly Shape[],
  startOf: (area: Shape) => number,
  endOf: (area: Shape) => number,
): boolean {
  return areas.some((first) => {
    const bars = areas.filter((area) => Math.abs(startOf(area) - startOf(first)) < SAME)
    const ends = new Set(bars.map((bar) => Math.round(endOf(bar))))
    return bars.length >= BARS_LEAST && ends.size >= BARS_LEAST
  })
}
