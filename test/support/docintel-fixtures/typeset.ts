/** Fixture lines as a typeset PDF page: columns, right-aligned amounts, a headline. */
import { createCanvas } from '@napi-rs/canvas'
import { SANS } from './fonts.ts'
import { writePdf, type PdfText } from './pdf.ts'

const measure = createCanvas(10, 10).getContext('2d')
function widthOf(text: string, size: number): number {
  measure.font = `${size}px "${SANS}"`
  return measure.measureText(text).width
}

/** A PDF of the lines, 58 to a page. */
export function typeset(lines: readonly string[]): Uint8Array {
  const pages: PdfText[][] = [[]]
  let y = 60
  for (const [index, line] of lines.entries()) {
    if (y > 800) {
      pages.push([])
      y = 60
    }
    const page = pages.at(-1)!
    const cells = line.split(' | ')
    const size = index === 0 ? 15 : 10
    const last = cells.length - 1
    for (const [i, cell] of cells.entries()) {
      if (cell.trim() === '') continue
      const right = i > 0 && /\d/.test(cell) && i === last && cells.length > 1
      const left = i === 0 ? 50 : 50 + ((545 - 50) * i) / Math.max(cells.length, 2)
      const x = right
        ? 545 - widthOf(cell, size)
        : i === last && cells.length > 2
          ? 545 - widthOf(cell, size)
          : left
      page.push({ x, y, text: cell, size, bold: index === 0 })
    }
    y += line.trim() === '' ? 10 : index === 0 ? 20 : 13
  }
  return writePdf({ pages })
}
