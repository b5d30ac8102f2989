/** Tables of one page: ruled ones first, then those that alignment shows among the other words. */
import type { PageMarks } from '../read/marks.ts'
import type { Box } from '../text/words.ts'
import type { Word } from '../text/word.ts'
import { alignedTables } from './aligned.ts'
import { isChart } from './charts.ts'
import { heightOf, middleOf } from './cells.ts'
import { ruledTable } from './ruled.ts'
import { framesOf, wholeLines } from './rulings.ts'
import type { Table } from './table.ts'

/** More words than any table page has; looking for columns among them is not worth the time. */
const WORDS_MAX = 20_000

/** The tables of an upright page, from top to bottom. */
export function tablesOf(marks: PageMarks, words: readonly Word[]): Table[] {
  const level = words.filter((word) => word.turn === 0 && !word.vertical)
  if (level.length < 4 || level.length > WORDS_MAX) return []
  const lines = wholeLines(marks.rulings)
  const ruled: Table[] = []
  for (const frame of framesOf(lines)) {
    const table = ruledTable(frame, level)
    if (table) ruled.push(table)
  }
  const outermost = ruled.filter(
    (table) => !ruled.some((other) => other !== table && contains(other.box, table.box)),
  )
  const rest = level.filter((word) => !outermost.some(({ box }) => holds(box, word)))
  const rules = lines.horizontals.filter(
    (h) => !outermost.some(({ box }) => h.at > box.y0 - 1 && h.at < box.y1 + 1),
  )
  const aligned = alignedTables(rest, rules).filter(({ box }) => !isChart(box, marks.shapes, level))
  return [...outermost, ...aligned].toSorted((a, b) => a.box.y0 - b.box.y0 || a.box.x0 - b.box.x0)
}

function contains(outer: Box, inner: Box): boolean {
  const isSame = outer.x0 === inner.x0 && outer.y0 === inner.y0 && outer.x1 === inner.x1
  return (
    !isSame &&
    outer.x0 <= inner.x0 + 1 &&
    outer.x1 >= inner.x1 - 1 &&
    outer.y0 <= inner.y0 + 1 &&
    outer.y1 >= inner.y1 - 1
  )
}

function holds(box: Box, word: Word): boolean {
  const x = middleOf(word)
  const y = heightOf(word)
  return x > box.x0 && x < box.x1 && y > box.y0 && y < box.y1
}
