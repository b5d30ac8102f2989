/** Tables whose columns, bands or parts are drawn apart: one table with all its rows, and no more. */
import { expect, test } from 'vitest'
import { extractPdf } from '../../../../../plugins/utils/pdf/extract.ts'
import { withoutSurroundings } from '../../../../../plugins/utils/pdf/tables/cells.ts'
import { line, show, writePdf } from '../../../../support/pdf-writer.ts'

async function rowsOf(content: string): Promise<string[][][]> {
  const bytes = writePdf({ pages: [{ content }] })
  const outcome = await extractPdf({ bytes, includeTables: true, maxPages: 1 }, () => undefined)
  if (!outcome.ok) throw new Error(outcome.message)
  return outcome.output.tables.map(({ rows }) => rows)
}

const NAMES = ['Bulgaria', 'Cyprus', 'Estonia', 'Hungary', 'Latvia', 'Malta']

test('a head that is ruled beside the lines of its columns stands over them', async () => {
  const xs = [72, 200, 300, 400]
  const shifted = [72, 188, 288, 400]
  const heads = ['Country', 'Fund', 'Total']
  const head =
    heads.map((text, c) => show(text, [76, 191, 291][c]!, 700, 8)).join('') +
    shifted.map((x) => line(x, 714, x, 694)).join('')
  const body = NAMES.map((name, r) =>
    [name, `${r}.5`, `${r + 1}.0`].map((text, c) => show(text, xs[c]! + 20, 680 - r * 20)).join(''),
  ).join('')
  const bottom = 694 - NAMES.length * 20
  const frame =
    Array.from({ length: NAMES.length + 2 }, (_, i) =>
      line(72, 714 - i * 20, 400, 714 - i * 20),
    ).join('') + xs.map((x) => line(x, 694, x, bottom)).join('')
  expect(await rowsOf(head + body + frame)).toEqual([
    [heads, ...NAMES.map((name, r) => [name, `${r}.5`, `${r + 1}.0`])],
  ])
})

test('figures beside some lines of one drawn cell make rows, headings between them too', async () => {
  const xs = [72, 220, 300, 400]
  const labels = [
    'Younger',
    'Treated',
    'Control',
    'Older',
    'Treated group that is',
    'named at length',
    'Control',
  ]
  const figures: Record<number, [string, string]> = {
    1: ['85.1%', '14.9%'],
    2: ['17.3%', '82.7%'],
    4: ['79.8%', '20.2%'],
    6: ['13.9%', '86.1%'],
  }
  const content =
    ['Group', 'Some', 'None'].map((text, c) => show(text, xs[c]! + 4, 700)).join('') +
    labels
      .map(
        (label, i) =>
          show(label, 76, 680 - 14 * i) +
          (figures[i] ?? []).map((text, c) => show(text, xs[c + 1]! + 4, 680 - 14 * i)).join(''),
      )
      .join('') +
    [714, 694, 590].map((y) => line(72, y, 400, y)).join('') +
    xs.map((x) => line(x, 714, x, 590)).join('')
  expect(await rowsOf(content)).toEqual([
    [
      ['Group', 'Some', 'None'],
      ['Younger', '', ''],
      ['Treated', '85.1%', '14.9%'],
      ['Control', '17.3%', '82.7%'],
      ['Older', '', ''],
      ['Treated group that is named at length', '79.8%', '20.2%'],
      ['Control', '13.9%', '86.1%'],
    ],
  ])
})

test('runs of one make below headings are one table, and a new head begins another', async () => {
  const xs = [72, 200, 270, 340]
  const row = (cells: readonly string[], y: number): string =>
    cells.map((text, c) => show(text, xs[c]!, y)).join('')
  const part = (top: number): string =>
    NAMES.slice(0, 3)
      .map((name, r) => row([name, `${r}1`, `${r}2`, `${r}3`], top - r * 14))
      .join('')
  const head = row(['Country', 'First', 'Second', 'Third'], 700)
  const headings = ['By income', 'of households', 'in towns']
    .map((text, i) => show(text, 72, 644 - 14 * i))
    .join('')
  const joined = await rowsOf(head + part(686) + headings + part(602))
  expect(joined).toHaveLength(1)
  expect(joined[0]!.filter((cells) => cells[1] !== '' && cells[0] !== 'Country')).toHaveLength(6)
  const again = row(['Country', 'Fourth', 'Fifth', 'Sixth'], 602)
  expect(await rowsOf(head + part(686) + headings + again + part(588))).toHaveLength(2)
})

test('captions above and notes below a frame are no rows', () => {
  const rows = [
    ['Running head', '', 'Appendix'],
    ['Table A-1. Coverage', '', ''],
    ['by year', '', ''],
    ['Region', '2003', '2004'],
    ['North', '1', '2'],
    ['Table salt', '3', '4'],
    ['Source: the office', '', ''],
    ['', 'and others', ''],
  ]
  expect(withoutSurroundings(rows)).toEqual(rows.slice(3, 6))
  const plain = [
    ['Notes', 'Number'],
    ['Source: river', '4'],
    ['North', '1'],
    ['South', '2'],
  ]
  expect(withoutSurroundings(plain)).toEqual(plain)
})

test('heads wider than their columns of figures stand over them, one each', async () => {
  const heads = ['Loops', 'Trees', 'Aborts', 'Trees/Loop', 'Traces/Loop', 'Speedup']
  // Courier: each letter is 4.8 wide, and the gaps between the heads are equal, as in justified text.
  const starts = heads.map((_, c) => 180 + 4.8 * heads.slice(0, c).join('').length + 8 * c)
  const xs = heads.map((text, c) => starts[c]! + 2.4 * text.length - 7)
  const head = heads.map((text, c) => show(text, starts[c]!, 700, 8, 'F3')).join('')
  const figures = NAMES.map((_, r) => ['2', '7', '3', `1.${r}`, `${r}.2`, `2.${r}0x`])
  const body = NAMES.map(
    (name, r) =>
      show(name, 72, 688 - r * 10, 8) +
      figures[r]!.map((text, c) => show(text, xs[c]!, 688 - r * 10, 8)).join(''),
  ).join('')
  expect(await rowsOf(head + body)).toEqual([
    [['', ...heads], ...NAMES.map((name, r) => [name, ...figures[r]!])],
  ])
})
