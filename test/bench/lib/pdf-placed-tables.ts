/**
 * Tables as office programs and old report systems place them, as raw operators: whole lines with
 * runs of spaces, columns drawn one after the other, rules in pieces, sideways pages. Kept apart
 * from the pages that the table code was written with.
 */
import { line, show, writePdf } from '../../support/pdf-writer.ts'

export interface PlacedTable {
  name: string
  bytes: Uint8Array
  tables: string[][][]
}

const PUNCTUATION: Readonly<Record<string, number>> = {
  ' ': 278,
  ',': 278,
  '.': 278,
  '(': 333,
  ')': 333,
  '-': 333,
  $: 556,
  '%': 889,
}
/** Width in Helvetica; letters are taken for average ones, which only left-set cells hold. */
const widthOf = (text: string, size: number): number =>
  [...text].reduce((sum, char) => sum + (PUNCTUATION[char] ?? 556), 0) * 0.001 * size

const PROGRAMMES = [
  ['Food assistance', '1,204', '1,311', '(87)'],
  ['School meals', '412', '398', '14'],
  ['Rural electrification', '97', '103', '(6)'],
  ['Forest service', '2,250', '2,190', '60'],
  ['Soil conservation', '865', '871', '(6)'],
  ['Crop insurance', '3,018', '2,744', '274'],
  ['Research stations', '540', '566', '(26)'],
  ['Total', '8,386', '8,183', '203'],
]
const HEAD = ['Programme', 'Outlays', 'Estimate', 'Change']
const PROSE = [
  'The department spent less than planned on most programmes, as in the',
  'year before. Insurance was the exception, because of the late frost that',
  'hit orchards along the river in April and again in the first week of May.',
  'The service expects that claims will go on to rise until the harvest is in,',
  'and has asked for a supplementary grant, which is not yet part of the table.',
]
const prose = (x: number, y: number, size = 10): string =>
  PROSE.map((text, i) => show(text, x, y - i * 1.2 * size, size)).join('')
const right = (text: string, x: number, y: number, size = 10): string =>
  show(text, x - widthOf(text, size), y, size)

/** A table whose figures are set flush right at the stops. */
function placed(
  rows: readonly string[][],
  x: number,
  stops: readonly number[],
  top: number,
  step = 13,
  size = 10,
): string {
  return rows
    .map((row, r) =>
      row
        .map((cell, c) => {
          if (cell === '') return ''
          const y = top - r * step
          return c === 0 ? show(cell, x, y, size) : right(cell, stops[c - 1]!, y, size)
        })
        .join(''),
    )
    .join('')
}
const fixed = (rows: readonly string[][], widths: readonly number[], filler = ' '): string[] =>
  rows.map((row) =>
    row
      .map((cell, c) => (c === 0 ? cell.padEnd(widths[c]!, filler) : cell.padStart(widths[c]!)))
      .join(''),
  )

export function placedTables(): PlacedTable[] {
  const table = [HEAD, ...PROGRAMMES]
  const one = (name: string, content: string, tables: string[][][], extra = ''): PlacedTable => ({
    name,
    bytes: writePdf({ pages: [{ content, extra }] }),
    tables,
  })
  const stops = [280, 350, 420]
  const dotted = PROGRAMMES.map(([label, ...cells]) => [
    `${label} ${'.'.repeat(30 - label!.length)}`,
    ...cells,
  ])
  const spanned = [
    ['', 'Current year', '', 'Last year', ''],
    ['Office', 'Staff', 'Cost', 'Staff', 'Cost'],
    ['Northern', '12', '840', '11', '795'],
    ['Southern', '31', '2,110', '33', '2,204'],
    ['Head office', '120', '9,730', '118', '9,455'],
  ]
  const long = [
    ['Measure', 'Responsible body', 'State of implementation'],
    [
      '1. Flood protection of the lower valley',
      'Water board',
      'Dikes raised along 12 km; the remainder is planned for next year',
    ],
    ['2. Register of wells', 'Geological survey', 'Completed'],
    ['3. Warning system', 'Interior ministry and the districts', 'Tender published in June'],
    ['4. Insurance pool', 'Finance ministry', 'Draft law before parliament'],
  ]
  const wrap = (text: string, width: number): string[] =>
    text.split(' ').reduce<string[]>((lines, word) => {
      const last = lines.at(-1)
      if (last !== undefined && `${last} ${word}`.length <= width)
        lines[lines.length - 1] = `${last} ${word}`
      else lines.push(word)
      return lines
    }, [])
  const wrapped = (gap: number): string => {
    let y = 600
    return long
      .map((row) => {
        const cells = row.map((cell, c) => wrap(cell, [22, 18, 30][c]!))
        const text = cells.flatMap((lines, c) =>
          lines.map((l, i) => show(l, [72, 210, 330][c]!, y - i * 12)),
        )
        y -= Math.max(...cells.map((lines) => lines.length)) * 12 + gap
        return text.join('')
      })
      .join('')
  }
  const small = PROGRAMMES.slice(0, 5)
  return [
    one(
      'whole lines in Courier',
      prose(72, 740) +
        fixed(table, [26, 12, 12, 12])
          .map((s, i) => show(s, 72, 640 - i * 12, 10, 'F3'))
          .join(''),
      [table],
    ),
    one(
      'dot leaders in Courier',
      fixed([HEAD, ...dotted], [32, 10, 10, 10])
        .map((s, i) => show(s, 60, 700 - i * 12, 9, 'F3'))
        .join('') + prose(60, 560),
      [[HEAD, ...dotted]],
    ),
    one(
      'column by column',
      [0, 1, 2, 3]
        .map((c) =>
          table
            .map((row, r) =>
              c === 0
                ? show(row[0]!, 72, 700 - r * 14)
                : right(row[c]!, stops[c - 1]!, 700 - r * 14),
            )
            .join(''),
        )
        .join('') + prose(72, 560),
      [table],
    ),
    one(
      'three lines',
      prose(72, 740) +
        line(72, 662, 425, 662) +
        line(72, 644, 425, 644) +
        placed(table, 72, stops, 650, 13) +
        line(72, 540, 425, 540),
      [table],
    ),
    one(
      'pieces of rules under heads',
      prose(72, 740) +
        show('Current year', 215, 640) +
        show('Last year', 340, 640) +
        line(200, 635, 300, 635) +
        line(320, 635, 420, 635) +
        placed(spanned.slice(1), 72, [240, 295, 360, 415], 622, 14),
      [spanned],
    ),
    one('tight columns', placed(table, 72, [220, 250, 276], 700, 11, 8) + prose(72, 560), [table]),
    one('wide apart', placed(table, 60, [330, 440, 550], 700, 20) + prose(72, 500), [table]),
    one('wrapped, no space between rows', prose(72, 740) + wrapped(0), [long]),
    one('wrapped, space between rows', prose(72, 740) + wrapped(7), [long]),
    one(
      'sideways by its text',
      `q 0 1 -1 0 612 0 cm ${placed(table, 100, [400, 500, 600], 450, 18)} Q`,
      [table],
    ),
    one('sideways by the page', placed(table, 72, stops, 700), [table], '/Rotate 90'),
    one(
      'two side by side',
      placed([['Item', 'Value'], ...small.map((r) => r.slice(0, 2))], 50, [250], 700) +
        placed([['Item', 'Value'], ...small.map((r) => [r[0]!, r[2]!])], 330, [530], 693),
      [
        [['Item', 'Value'], ...small.map((r) => r.slice(0, 2))],
        [['Item', 'Value'], ...small.map((r) => [r[0]!, r[2]!])],
      ],
    ),
    one(
      'beside prose',
      Array.from({ length: 24 }, (_, i) =>
        show(PROSE[i % 5]!.slice(0, 46), 50, 720 - i * 12, 9),
      ).join('') +
        placed(
          [HEAD, ...PROGRAMMES].map((r) => r.slice(0, 3)),
          310,
          [470, 540],
          690,
          14,
          9,
        ),
      [table.map((r) => r.slice(0, 3))],
    ),
    one(
      'signs in columns of their own',
      placed(
        table.map(([a, b, c]) => [a!, b!, c!]),
        72,
        [280, 350],
        700,
      ) +
        [1, 8].map((r) => show('$', 245, 700 - r * 13) + show('$', 315, 700 - r * 13)).join('') +
        prose(72, 560),
      [
        table.map(([a, b, c], r) => [
          a!,
          r === 1 || r === 8 ? `$ ${b}` : b!,
          r === 1 || r === 8 ? `$ ${c}` : c!,
        ]),
      ],
    ),
    one(
      'boxes of cells',
      table
        .flatMap((_, r) => [0, 1, 2, 3].map((c) => `${72 + c * 90} ${690 - r * 18} 90 18 re S\n`))
        .join('') +
        table
          .flatMap((row, r) => row.map((cell, c) => show(cell, 75 + c * 90, 695 - r * 18, 9)))
          .join(''),
      [table],
    ),
    one(
      'uprights only',
      placed(table, 72, stops, 700) +
        [215, 290, 360].map((x) => line(x, 712, x, 600)).join('') +
        prose(72, 560),
      [table],
    ),
    one(
      'total below a short rule',
      placed(PROGRAMMES, 72, stops, 700) +
        [280, 350, 420].map((x) => line(x - 40, 619, x, 619)).join('') +
        prose(72, 560),
      [PROGRAMMES],
    ),
    one(
      'notes right below',
      placed(table, 72, stops, 700) +
        show('1 Includes advances that were paid back in the course of the year.', 72, 588, 8) +
        show('Source: annual accounts.', 72, 578, 8),
      [table],
    ),
  ]
}
