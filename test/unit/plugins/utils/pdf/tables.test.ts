import { describe, expect, test } from 'vitest'
import { extractPdf, type PdfTable } from '../../../../../plugins/utils/pdf/extract.ts'
import { line, show, writePdf } from '../../../../support/pdf-writer.ts'

async function tablesOf(content: string): Promise<PdfTable[]> {
  const bytes = writePdf({ pages: [{ content }] })
  const outcome = await extractPdf({ bytes, includeTables: true, maxPages: 1 }, () => undefined)
  if (!outcome.ok) throw new Error(outcome.message)
  return outcome.output.tables
}

const ROWS = [
  ['Region', '2003', '2004'],
  ['North', '12.5', '13.0'],
  ['South', '7.1', '8.4'],
  ['West', '3.3', '-1.2'],
]
const X = [72, 200, 300]
const place = (rows: readonly string[][], top = 700, step = 20): string =>
  rows
    .map((row, r) => row.map((cell, c) => show(cell, X[c]! + 4, top - r * step)).join(''))
    .join('')
const horizontals = (count: number, from = 72, to = 400, top = 714): string =>
  Array.from({ length: count }, (_, i) => line(from, top - i * 20, to, top - i * 20)).join('')
const verticals = (xs: readonly number[], top = 714, bottom = 634): string =>
  xs.map((x) => line(x, top, x, bottom)).join('')

describe('ruled tables', () => {
  test('a full grid', async () => {
    const found = await tablesOf(place(ROWS) + horizontals(5) + verticals([72, 200, 300, 400]))
    expect(found).toEqual([{ page: 1, rows: ROWS }])
  })

  test('without the outer borders', async () => {
    const inner = [694, 674, 654].map((y) => line(72, y, 400, y)).join('')
    const found = await tablesOf(place(ROWS) + inner + verticals([200, 300]))
    expect(found.map((t) => t.rows)).toEqual([ROWS])
  })

  test('lines drawn as thin filled rectangles', async () => {
    const bar = (x: number, y: number, w: number, h: number): string => `${x} ${y} ${w} ${h} re f\n`
    const lines =
      [714, 694, 674, 654, 634].map((y) => bar(72, y, 328, 0.8)).join('') +
      [72, 200, 300, 399].map((x) => bar(x, 634, 0.8, 80)).join('')
    expect((await tablesOf(place(ROWS) + lines)).map((t) => t.rows)).toEqual([ROWS])
  })

  test('a merged cell stands in its first, the rest are empty', async () => {
    const rows = [['Region', 'Production', ''], ...ROWS.slice(1)]
    const lines = horizontals(5) + verticals([72, 200, 400]) + verticals([300], 694)
    expect((await tablesOf(place(rows) + lines)).map((t) => t.rows)).toEqual([rows])
  })

  test('two grids on a page are two tables', async () => {
    const grid = horizontals(5) + verticals([72, 200, 300, 400])
    const below = `q 1 0 0 1 0 -200 cm ${place(ROWS)}${grid} Q `
    expect(await tablesOf(place(ROWS) + grid + below)).toHaveLength(2)
  })

  test('a box around a paragraph is no table', async () => {
    const box = '60 600 400 120 re S\n'
    const text = Array.from({ length: 5 }, (_, i) =>
      show('some words of a paragraph in a box', 72, 700 - i * 14),
    )
    expect(await tablesOf(box + text.join(''))).toEqual([])
  })
})

describe('tables without vertical lines', () => {
  test('horizontal rules only', async () => {
    expect((await tablesOf(place(ROWS) + horizontals(5))).map((t) => t.rows)).toEqual([ROWS])
  })

  test('alignment only', async () => {
    expect((await tablesOf(place(ROWS, 700, 14))).map((t) => t.rows)).toEqual([ROWS])
  })

  test('a caption parts two tables', async () => {
    const second = [ROWS[0]!, ROWS[3]!, ROWS[2]!, ROWS[1]!]
    const content = place(ROWS, 700, 14) + show('Table 2: Prices', 72, 636) + place(second, 616, 14)
    expect((await tablesOf(content)).map((t) => t.rows)).toEqual([ROWS, second])
  })
})

describe('cells of several lines', () => {
  const rows = [
    ['Body', 'State of the work', 'Due'],
    ['Water board', 'Dikes raised along the river; the rest is planned', '3 May'],
    ['Survey', 'Completed', '9 June'],
    ['Ministry of finance', 'Draft law before parliament', '1 July'],
  ]
  const WIDTHS = [14, 26, 10]
  const wrap = (text: string, width: number): string[] =>
    text.match(new RegExp(`.{1,${width}}(?= |$)`, 'g'))!.map((part) => part.trim())
  const set = (gap: number, rule: boolean): string => {
    let y = 700
    let content = ''
    for (const cells of rows) {
      const lines = cells.map((cell, c) => wrap(cell, WIDTHS[c]!))
      lines.forEach((parts, c) =>
        parts.forEach((part, i) => (content += show(part, [72, 170, 330][c]!, y - i * 12))),
      )
      y -= 12 * Math.max(...lines.map((parts) => parts.length)) + gap
      if (rule) content += line(72, y + 9, 400, y + 9)
    }
    return content
  }

  test.each([
    ['parted by wider gaps', 6, false],
    ['parted by rules', 3, true],
  ])('%s', async (_, gap, rule) => {
    expect((await tablesOf(set(gap, rule))).map((t) => t.rows)).toEqual([rows])
  })

  test('heads whose lower lines stand on one level', async () => {
    const head =
      show('Number of', 202, 724) +
      show('firms', 202, 712) +
      show('Share', 304, 712) +
      show('Area', 76, 712)
    expect((await tablesOf(head + place(ROWS.slice(1), 696, 14)))[0]?.rows[0]).toEqual([
      'Area',
      'Number of firms',
      'Share',
    ])
  })
})

describe('what is no table', () => {
  test('a listing with line numbers', async () => {
    const code = ['begin', 'read the file', 'count its lines', 'print the sum', 'end']
    const content = code.map(
      (text, i) =>
        show(`${i + 1}`, 72, 700 - i * 14) +
        show(text, 100, 700 - i * 14) +
        show('# so', 300, 700 - i * 14),
    )
    expect(await tablesOf(content.join(''))).toEqual([])
  })

  test('titles beside page numbers', async () => {
    const content = [3, 9, 14, 22, 31].map(
      (n, i) =>
        show(`Chapter on subject ${'abcde'[i]}`, 72, 700 - i * 14) +
        show(`${n}`, 400, 700 - i * 14),
    )
    expect(await tablesOf(content.join(''))).toEqual([])
  })

  test('equations set at their signs', async () => {
    const content = ['x', 'y', 'z', 'w'].map(
      (name, i) =>
        show(name, 150, 700 - i * 16) +
        show('=', 200, 700 - i * 16) +
        show(`${i + 2}`, 250, 700 - i * 16),
    )
    expect(await tablesOf(content.join(''))).toEqual([])
  })

  test('the labels of bars', async () => {
    const content = [90, 140, 60, 120].map(
      (width, i) =>
        show(`Area ${'abcd'[i]}`, 72, 700 - i * 20) +
        `150 ${697 - i * 20} ${width} 12 re f\n` +
        show(`${width}`, 310, 700 - i * 20),
    )
    expect(await tablesOf(content.join(''))).toEqual([])
  })

  const prose = 'the words of a sentence that goes on and on'

  test('three narrow columns of a newspaper, whose lines go on in the lines below', async () => {
    const columns = [
      [
        'Slashing the',
        'energy bills of',
        'each campus is',
        'what the team',
        'was asked for',
        'last spring.',
      ],
      [
        'The merger of',
        'departments will',
        'help to meet the',
        'needs of those',
        'who build homes',
        'in this century.',
      ],
      [
        'In pursuit of',
        'leisure: how the',
        'Victorians spent',
        'the long hours',
        'that they had',
        'after work.',
      ],
    ]
    const content = columns
      .flatMap((lines, c) => lines.map((text, r) => show(text, 72 + c * 130, 700 - r * 12, 9)))
      .join('')
    expect(await tablesOf(content)).toEqual([])
  })

  test('columns of text', async () => {
    const lines = Array.from(
      { length: 12 },
      (_, i) =>
        show(`${prose} ${i % 3}`, 72, 700 - i * 12, 9) + show(`${prose} too`, 320, 700 - i * 12, 9),
    )
    expect(await tablesOf(lines.join(''))).toEqual([])
  })

  test('a table of contents', async () => {
    const lines = Array.from(
      { length: 9 },
      (_, i) =>
        show(`Chapter ${i} ${'. '.repeat(60 - i)}`, 72, 700 - i * 14) +
        show(String(i * 9 + 1), 500, 700 - i * 14),
    )
    expect(await tablesOf(lines.join(''))).toEqual([])
  })

  test('a numbered list', async () => {
    const lines = Array.from(
      { length: 6 },
      (_, i) => show(`${i + 1}.`, 72, 700 - i * 14) + show(`${prose} ${i}`, 100, 700 - i * 14),
    )
    expect(await tablesOf(lines.join(''))).toEqual([])
  })
})
