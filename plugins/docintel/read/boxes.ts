/**
 * Boxed words (PDF text layer, OCR) to rows: words that share a baseline become one row, also when
 * an engine reported label and amount as two lines; wide gaps part cells.
 */
import type { BoxedWord } from '../../shared/ocr/contract.ts'
import { isFormAlone } from '../lexicon/parties.ts'
import type { Cell, Row } from '../model/document.ts'

/** Words overlap this much of the smaller height to stand in one row. */
const OVERLAP_MIN = 0.5
/** A gap wider than this many characters parts two cells. */
const CELL_GAP = 1.9
/** A company form behind its name, which typesetting drew apart: "Aubert    SA". */
const FORM_GAP = 4
/** OCR's boxes are so much taller than those of a PDF, which end with the type; gaps look smaller for it. */
const OCR_BOX_HEIGHT = 1.3

const median = (values: number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? 0
}
const heightOf = (w: BoxedWord): number => Math.max(w.y1 - w.y0, 0.01)

interface Line {
  words: BoxedWord[]
  y0: number
  y1: number
}

/** Words of one page grouped by baseline, top to bottom, each line left to right. */
function groupLines(words: BoxedWord[]): Line[] {
  const lines: Line[] = []
  // Tall words first would swallow rows beside them; by vertical centre keeps neighbours together.
  const sorted = words.toSorted((a, b) => a.y0 + a.y1 - (b.y0 + b.y1))
  for (const word of sorted) {
    const centre = (word.y0 + word.y1) / 2
    let best: Line | undefined
    let bestShare = OVERLAP_MIN
    for (let i = lines.length - 1; i >= 0 && i >= lines.length - 8; i--) {
      const line = lines[i]!
      const overlap = Math.min(line.y1, word.y1) - Math.max(line.y0, word.y0)
      const share = overlap / Math.min(line.y1 - line.y0, heightOf(word))
      const clash = line.words.some(
        (other) =>
          Math.min(other.x1, word.x1) - Math.max(other.x0, word.x0) >
          0.5 * Math.min(other.x1 - other.x0, word.x1 - word.x0),
      )
      if (share > bestShare && !clash && centre > line.y0 - 1 && centre < line.y1 + 1) {
        best = line
        bestShare = share
      }
    }
    if (!best) {
      lines.push({ words: [word], y0: word.y0, y1: word.y1 })
      continue
    }
    best.words.push(word)
    // The line's band is the mean of its words, so that one tall word does not widen it.
    const n = best.words.length
    best.y0 += (word.y0 - best.y0) / n
    best.y1 += (word.y1 - best.y1) / n
  }
  for (const line of lines) line.words.sort((a, b) => a.x0 - b.x0)
  return lines.sort((a, b) => a.y0 + a.y1 - (b.y0 + b.y1))
}

function cellsOf(line: Line, unit: number): Cell[] {
  const cells: Cell[] = []
  const height = line.y1 - line.y0
  let lastX1 = -Infinity
  for (const word of line.words) {
    // A headline's spaces are as wide as its letters: measure its gaps by its own height too.
    const gapUnit = Math.max(unit, height * 0.42)
    const gap = (word.x0 - lastX1) / gapUnit
    const last = cells.at(-1)
    const isForm = gap < FORM_GAP && isFormAlone(word.text) && /\p{L}$/u.test(last?.text ?? '')
    if (last && (gap < CELL_GAP || isForm)) {
      last.text += gap < 0.12 && gluable(last.text, word.text) ? word.text : ` ${word.text}`
      last.x1 = word.x1 / unit
    } else cells.push({ text: word.text, x0: word.x0 / unit, x1: word.x1 / unit })
    lastX1 = Math.max(lastX1, word.x1)
  }
  return cells
}

/** Pieces of one number or word that a producer drew apart ("1" ".234"). */
function gluable(left: string, right: string): boolean {
  return /[\d.,\p{L}]$/u.test(left) && /^[\d.,\p{L}]/u.test(right)
}

/** Share of a page in ten-thousandths, kept inside of it. */
const share = (value: number, whole: number): number =>
  Math.round(Math.max(0, Math.min(1, value / whole)) * 10_000) / 10_000

/** Rows of one page of a size. `startIndex` continues the numbering of earlier pages. */
export function rowsOfPage(
  words: BoxedWord[],
  page: number,
  startIndex: number,
  size: { width: number; height: number },
): Row[] {
  const usable = words.filter((w) => w.text.trim() !== '' && w.x1 > w.x0)
  if (usable.length === 0) return []
  const lines = groupLines(usable)
  const heightMedian = median(usable.map(heightOf))
  const unit = Math.max(
    median(usable.filter((w) => w.text.length > 1).map((w) => (w.x1 - w.x0) / w.text.length)) ||
      heightMedian / 2,
    0.01,
  )
  const boxHeight = usable.some((w) => w.confidence !== undefined) ? OCR_BOX_HEIGHT : 1
  let lastBottom = lines[0]!.y0
  return lines.map((line, at) => {
    const cells = cellsOf(line, unit)
    const gap = ((line.y0 - lastBottom) / heightMedian + 1) * boxHeight - 1
    lastBottom = line.y1
    return {
      index: startIndex + at,
      page,
      cells,
      text: cells.map((c) => c.text).join('  '),
      gapAbove: at === 0 ? 0 : Math.max(0, Math.round((gap - 0.6) * 10) / 10),
      scale: (line.y1 - line.y0) / heightMedian,
      box: [
        share(line.words[0]!.x0, size.width),
        share(line.y0, size.height),
        share(Math.max(...line.words.map((w) => w.x1)), size.width),
        share(line.y1, size.height),
      ],
    }
  })
}
