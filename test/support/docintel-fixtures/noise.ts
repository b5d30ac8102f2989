/** What OCR and text conversion do to a document: confusions, lost points, columns run together. */
import type { Random } from './random.ts'

const CONFUSIONS: readonly [string, string][] = [
  ['0', 'O'],
  ['1', 'l'],
  ['5', 'S'],
  ['O', '0'],
  ['I', '1'],
  ['B', '8'],
  ['S', '5'],
  ['E', 'F'],
  ['M', 'N'],
  ['H', 'N'],
  ['D', 'O'],
  [',', '.'],
  ['.', ','],
  ['L', 'I'],
  ['T', 'I'],
  ['A', '4'],
]

export type Layout = 'rows' | 'columns' | 'boxes' | 'right'

/**
 * Boxes as an engine sorts them by their upper edge: in a tilted scan the right cell of a row may
 * come before the left one, or after the first cell of the next row.
 */
export function skewedBoxes(lines: readonly string[], rate: number, r: Random): string {
  const boxes = lines.flatMap((line) => {
    const cells = line.split(' | ').filter((c) => c !== '')
    if (cells.length > 1 && r.chance(rate)) cells.unshift(cells.pop()!)
    return cells.map((text, at) => ({ text, first: at === 0 }))
  })
  for (let at = 0; at + 1 < boxes.length; at++)
    if (!boxes[at]!.first && boxes[at + 1]!.first && r.chance(rate / 2)) {
      ;[boxes[at], boxes[at + 1]] = [boxes[at + 1]!, boxes[at]!]
      at++
    }
  return boxes.map((box) => box.text).join('\n')
}

/** Lines as text in a layout: cells one space apart, in columns, or each on a line of its own. */
export function layOut(lines: readonly string[], layout: Layout): string {
  return lines
    .map((line) => {
      const cells = line.split(' | ').filter((c) => c !== '')
      if (layout === 'rows') return cells.join(' ')
      if (layout === 'boxes') return cells.join('\n')
      if (cells.length === 1)
        return layout === 'right' ? ' '.repeat(Math.max(0, (44 - line.length) >> 1)) + line : line
      if (cells.length === 2)
        return cells[0]!.padEnd(Math.max(cells[0]!.length + 2, 44 - cells[1]!.length)) + cells[1]!
      return cells
        .map((c, i) =>
          i === cells.length - 1 ? c.padStart(10) : c.padEnd(Math.max(c.length + 2, 14)),
        )
        .join('')
    })
    .join('\n')
}

/** Letters (and rarely digits) damaged at `rate`; digits of amounts stay, so that truth stays true. */
export function damage(text: string, rate: number, r: Random): string {
  return [...text]
    .map((char, i) => {
      if (char === '\n' || !r.chance(rate)) return char
      const amountLike =
        /[\d.,]/.test(char) && /[\d.,]/.test((text[i - 1] ?? '') + (text[i + 1] ?? ''))
      if (amountLike) return char
      const options = CONFUSIONS.filter(([from]) => from === char)
      if (options.length > 0) return r.pick(options)[1]
      return r.chance(0.15) ? '' : char
    })
    .join('')
}
