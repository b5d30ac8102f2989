/** Sums whose points and commas OCR set apart from their digits. */
import { expect, it } from 'vitest'
import type { DocumentText } from '../../../../plugins/docintel/model/document.ts'
import { withClosedMarks } from '../../../../plugins/docintel/understand/prepared/split-marks.ts'

/** Rows of cells, parted by bars. */
function document(source: DocumentText['source'], ...lines: string[]): DocumentText {
  const rows = lines.map((line, index) => {
    const cells = line.split(' | ').map((text, at) => ({ text, x0: at * 40, x1: at * 40 + 20 }))
    const text = cells.map((cell) => cell.text).join('  ')
    return { index, page: 0, cells, text, gapAbove: 0, scale: 1 }
  })
  return { rows, source, hasGeometry: true, legibility: 0.9, pages: 1 }
}
const closed = (...lines: string[]): string[] =>
  withClosedMarks(document('ocr', ...lines)).rows.map(({ text }) => text)

it.each([
  ['TE BETALEN | 14 .493 ,77', 'TE BETALEN  14.493,77'],
  ['TOTALE COMPLESSIVO 8. 231,09', 'TOTALE COMPLESSIVO 8.231,09'],
  ['SUMME | 3. 904, 08', 'SUMME  3.904,08'],
  ['Att betala | 5 984 ,22 kr', 'Att betala  5 984,22 kr'],
  ['Metal Car | 124 .56 | 1', 'Metal Car  124.56  1'],
  ['TOTAL | 13,295-33', 'TOTAL  13,295.33'],
  ['Savon | EUR 2 360.08', 'Savon  EUR 2360.08'],
  ['Balance | EUR O', 'Balance  EUR 0'],
  ['Balance | $O', 'Balance  $0'],
  ['Dankort | 7-599,65', 'Dankort  7.599,65'],
])('%s is one number', (read, printed) => {
  expect(closed(read)).toEqual([printed])
})

it.each([
  // The number of a line, and one mark for thousands and hundredths.
  '3. 904,08 | Oak',
  'Timber 3. 904. 08',
  'Carver, 12, 30 rue du Port',
  'Paid 12.03, 10:24',
  'Order 4711-33',
  'Savon | 2 360.08',
  'Tel. 7-599.65-12',
])('%s stays', (read) => {
  expect(closed(read)).toEqual([read.replaceAll(' | ', '  ')])
})

it('takes an ordinal number for one where its amount is printed elsewhere', () => {
  const rows = ['Instalment 3. 904,08', 'Instalment | 904,08']
  expect(closed(...rows)[0]).toBe(rows[0]!)
})

it('leaves what is no photo or scan', () => {
  const printed = document('pdf', 'Summe | 14 .493 ,77')
  expect(withClosedMarks(printed)).toBe(printed)
})
