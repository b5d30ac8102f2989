/** A page's text from its lines: blocks in reading order, an empty line between paragraphs. */
import { type Block, blocksOf } from './blocks.ts'
import { isRightToLeft } from './bidi.ts'
import type { Line } from './lines.ts'
import { inReadingOrder } from './order.ts'
import { type Box, union } from './words.ts'

/** Between the parts of one row. */
const CELL_SEPARATOR = '  '
/** Distance to the next block, in font sizes, above which an empty line is written. */
const PARAGRAPH_GAP = 1.6

/** A hyphen between a letter and a small letter on the next line, or in the next column. */
const BROKEN_WORD = /(\p{L})[-\u00ad\u2010]\n{1,2}(?=\p{Ll})/gu

/** A block of a page, or the lines of one of its tables. */
export interface PlacedBlock extends Block {
  /** Which of the tables it is. */
  table?: number
}

/** The blocks of a page in reading order; those inside one of the `tables` boxes are one block. */
export function orderedBlocks(
  lines: readonly Line[],
  tables: readonly Box[],
): { blocks: PlacedBlock[]; rightToLeft: boolean } {
  const inside = tables.map((): Line[] => [])
  const outside: Line[] = []
  for (const line of lines) {
    const table = tables.findIndex((box) => centreIn(line.box, box))
    if (table >= 0 && line.turn === 0 && !line.vertical) inside[table]!.push(line)
    else outside.push(line)
  }
  const blocks: PlacedBlock[] = blocksOf(outside)
  for (const [table, group] of inside.entries()) {
    if (group.length === 0) continue
    blocks.push({ lines: group, box: union(group.map((l) => l.box)), rowWise: true, table })
  }
  const rightToLeft = isRightToLeft(lines.map((l) => l.text).join('\n'))
  return { blocks: inReadingOrder(blocks, rightToLeft), rightToLeft }
}

/** The text of a page. Lines inside one of the `tables` boxes are read row by row. '' when empty. */
export function pageText(lines: readonly Line[], tables: readonly Box[] = []): string {
  if (lines.length === 0) return ''
  const { blocks: ordered, rightToLeft } = orderedBlocks(lines, tables)
  let text = ''
  ordered.forEach((block, i) => {
    const previous = ordered[i - 1]
    if (previous) text += follows(previous, block) ? '\n' : '\n\n'
    text += block.rowWise
      ? rowsText(block.lines, rightToLeft)
      : block.lines.map((l) => l.text).join('\n')
  })
  return withoutBreaks(text)
}

/** Words parted at line ends made whole, as pdftotext does; other hyphens are left alone. */
export function withoutBreaks(text: string): string {
  return text.replaceAll(BROKEN_WORD, '$1')
}

function centreIn(inner: Box, outer: Box): boolean {
  const x = (inner.x0 + inner.x1) / 2
  const y = (inner.y0 + inner.y1) / 2
  return x >= outer.x0 && x <= outer.x1 && y >= outer.y0 && y <= outer.y1
}

function follows(previous: Block, block: Block): boolean {
  const last = previous.lines.at(-1)!
  const first = block.lines[0]!
  if (last.turn !== first.turn || last.vertical !== first.vertical) return false
  const distance = first.v - last.v
  const overlaps = Math.min(last.u1, first.u1) > Math.max(last.u0, first.u0)
  return overlaps && distance > 0 && distance < PARAGRAPH_GAP * last.size
}

export function rowsText(lines: readonly Line[], rightToLeft: boolean): string {
  const rows: Line[][] = []
  for (const line of lines.toSorted((a, b) => a.v - b.v)) {
    const row = rows.at(-1)
    if (row && Math.abs(row[0]!.v - line.v) < 0.4 * Math.min(row[0]!.size, line.size))
      row.push(line)
    else rows.push([line])
  }
  return rows
    .map((row) => {
      const sorted = row.toSorted((a, b) => a.u0 - b.u0)
      return (rightToLeft ? sorted.toReversed() : sorted).map((l) => l.text).join(CELL_SEPARATOR)
    })
    .join('\n')
}
