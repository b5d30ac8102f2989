/**
 * The one model that every input becomes: rows of cells with positions in character units, so that
 * rules for columns work the same on plain text, a PDF text layer and OCR boxes.
 */

/** A run of text without a wide gap; positions are character columns (text) or their equivalent. */
export interface Cell {
  text: string
  x0: number
  x1: number
}

export interface Row {
  /** 0-based place in the document. */
  index: number
  /** 0-based page. */
  page: number
  /** Cells joined by two spaces. */
  text: string
  cells: Cell[]
  /** Empty space above in rows; 0 = directly below the row before. */
  gapAbove: number
  /** Height of the text against the page's median: 1.5 = headline. 1 where unknown. */
  scale: number
  /** Left, top, right and bottom as shares of the page; absent for plain text. */
  box?: [number, number, number, number]
}

export type SourceKind = 'text' | 'pdf' | 'ocr' | 'xml'

export interface DocumentText {
  rows: Row[]
  source: SourceKind
  /** Whether x positions are real; false where a caller's text may have lost its columns. */
  hasGeometry: boolean
  /** Mean word confidence of OCR, 0..1; 1 for other sources. */
  legibility: number
  pages: number
}

/** Place of an offset in a row's text: its cell, and the offset inside that; null behind the last one. */
export function cellAt(row: Row, offset: number): { cell: Cell; inside: number } | null {
  let start = 0
  for (const cell of row.cells) {
    if (offset < start + cell.text.length + 2) return { cell, inside: offset - start }
    start += cell.text.length + 2
  }
  return null
}

/** The row with other cells, and their texts as its own. */
export function withCells(row: Row, cells: Cell[]): Row {
  return { ...row, cells, text: cells.map(({ text }) => text).join('  ') }
}

/** Column (in character units) of the character at `offset` of a cell. */
export function columnAt(cell: Cell, offset: number): number {
  const length = Math.max(cell.text.length, 1)
  return cell.x0 + ((cell.x1 - cell.x0) * Math.min(offset, length)) / length
}
