/** What comes beside text and rows, fonts that nobody can read, and files without anything. */
import { describe, expect, test } from 'vitest'
import { dateOf } from '../../../../../plugins/utils/pdf/about.ts'
import { extractPdf, type PdfOrder } from '../../../../../plugins/utils/pdf/extract.ts'
import {
  pageMarkdown,
  tableCsv,
  tableMarkdown,
} from '../../../../../plugins/utils/pdf/text/markdown.ts'
import { withMergedColumns } from '../../../../../plugins/utils/pdf/tables/cells.ts'
import { type PdfSpec, show, writePdf } from '../../../../support/pdf-writer.ts'

async function read(spec: PdfSpec, order: Partial<PdfOrder> = {}) {
  const bytes = writePdf(spec)
  const whole = { bytes, includeTables: true, maxPages: 100, ...order }
  const outcome = await extractPdf(whole, () => undefined)
  if (!outcome.ok) throw new Error(outcome.message)
  return outcome
}

/** A composite font without a Unicode map, whose codes are the numbers of its glyphs. */
const UNMAPPED = {
  3: '<< /Type /Font /Subtype /Type0 /BaseFont /ABCDEF+S /Encoding /Identity-H /DescendantFonts [201 0 R] >>',
  201: '<< /Type /Font /Subtype /CIDFontType2 /BaseFont /ABCDEF+S /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /DW 500 >>',
}
/** Glyph numbers of most fonts: 29 below ASCII. */
const shifted = (text: string): string =>
  [...text].map((char) => (char.charCodeAt(0) - 29).toString(16).padStart(4, '0')).join('')
const unmapped = (text: string, x: number, y: number): string =>
  `BT /F1 10 Tf 1 0 0 1 ${x} ${y} Tm <${shifted(text)}> Tj ET `

describe('fonts without a Unicode map', () => {
  const rows = ['Item 1 12.50', 'Item 2 13.75', 'Item 3 99.00', 'Sum of all 125.25']

  test('give no text and no tables, and the page is named', async () => {
    const content = rows
      .map((row, at) => unmapped(row, 72, 700 - at * 14) + unmapped('10.00', 300, 700 - at * 14))
      .join('')
    const { output, isEmpty } = await read({ pages: [{ content }], objects: UNMAPPED })
    expect(output.pages).toEqual([{ page: 1, text: '' }])
    expect(output.tables).toEqual([])
    expect(output.meta.warnings).toMatchObject([{ page: 1, code: 'unmapped_text' }])
    expect(isEmpty).toBe(true)
  })

  test('leave what other fonts say', async () => {
    const content = unmapped(rows.join(' '), 72, 700) + 'BT /F2 10 Tf 72 660 Td (Read me) Tj ET'
    const { output, isEmpty } = await read({ pages: [{ content }], objects: UNMAPPED })
    expect(output.pages[0]!.text).toBe('Read me')
    expect(output.meta.warnings).toMatchObject([{ code: 'unmapped_text' }])
    expect(isEmpty).toBe(false)
  })

  test('whose codes are characters are read', async () => {
    const codes = [...'plain words, 12 of them'].map((char) =>
      char.charCodeAt(0).toString(16).padStart(4, '0'),
    )
    const content = `BT /F1 10 Tf 72 700 Td <${codes.join('')}> Tj ET`
    const { output } = await read({ pages: [{ content }], objects: UNMAPPED })
    expect(output.pages[0]!.text).toBe('plain words, 12 of them')
    expect(output.meta.warnings).toEqual([])
  })
})

test('a file of empty pages and pictures says nothing', async () => {
  expect((await read({ pages: [{ content: '' }, { content: '0 0 10 10 re f' }] })).isEmpty).toBe(
    true,
  )
  expect((await read({ pages: [{ content: '' }, { content: show('x', 72, 700) }] })).isEmpty).toBe(
    false,
  )
})

describe('what comes on request', () => {
  const line = (text: string, y: number, size = 10): string => show(text, 72, y, size)
  const spec: PdfSpec = {
    pages: [
      {
        content:
          line('Report', 740, 24) +
          line('All of it is about boats and what becomes of them over time', 700) +
          line('when nobody looks after them.', 688) +
          line('Second', 650, 16) +
          line('Some more words about the harbour stand here as plain text', 620),
        extra:
          '/Annots [<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /URI /URI (https://example.com/a) >> >>]',
      },
      { content: line('Page two', 700) },
    ],
    catalog: '/Outlines 300 0 R',
    objects: {
      300: '<< /Type /Outlines /First 301 0 R /Last 301 0 R /Count 1 >>',
      301: '<< /Title (Start) /Parent 300 0 R /Dest [1002 0 R /Fit] /First 302 0 R /Last 302 0 R >>',
      302: '<< /Title (Below) /Parent 301 0 R /Dest [1000 0 R /Fit] >>',
      303: "<< /Title (Boats) /Author (Ines) /CreationDate (D:20260102030405+01'00') >>",
    },
    trailer: '/Info 303 0 R',
  }

  test('is not there without it', async () => {
    const { output } = await read(spec)
    expect(Object.keys(output)).toEqual(['pages', 'tables', 'meta'])
    expect(Object.keys(output.pages[0]!)).toEqual(['page', 'text'])
  })

  test('Markdown, boxes, outline, metadata and links', async () => {
    const include = ['markdown', 'boxes', 'outline', 'metadata', 'links'] as const
    const { output } = await read(spec, { include })
    expect(output.pages[0]!.markdown).toBe(
      '# Report\n\nAll of it is about boats and what becomes of them over time when nobody looks after them.\n\n## Second\n\nSome more words about the harbour stand here as plain text',
    )
    expect(output.pages[0]).toMatchObject({ width: 612, height: 792 })
    const [x0, y0, x1, y1] = output.pages[0]!.words![0]!.box
    expect([x0, x1 > 100, y0 < 52, y1 > 52]).toEqual([72, true, true, true])
    expect(output.outline).toEqual([
      { title: 'Start', level: 1, page: 2 },
      { title: 'Below', level: 2, page: 1 },
    ])
    expect(output.metadata).toMatchObject({
      title: 'Boats',
      author: 'Ines',
      subject: null,
      created: '2026-01-02T03:04:05+01:00',
    })
    expect(output.links).toEqual([{ page: 1, url: 'https://example.com/a' }])
  })

  test('tables as CSV and Markdown, with nothing that either would act on', () => {
    const rows = [
      ['a', 'b,"c"'],
      ['1|2', 'x\ny'],
    ]
    expect(tableCsv(rows)).toBe('a,"b,""c"""\r\n1|2,"x\ny"\r\n')
    expect(tableMarkdown(rows)).toBe('| a | b,"c" |\n| --- | --- |\n| 1\\|2 | x<br>y |')
    expect(pageMarkdown([], [])).toBe('')
  })

  test.each([
    ['D:2026', '2026-01-01'],
    ['D:20261231', '2026-12-31'],
    ['20260102030405Z', '2026-01-02T03:04:05Z'],
    ['D:20269999', null],
    ['yesterday', null],
  ])('the date %s', (given, expected) => {
    expect(dateOf(given)).toBe(expected)
  })
})

describe('columns that no row fills together', () => {
  test('are one, the heads over two of them keep these apart', () => {
    const items = [
      ['Boats', '', '12'],
      ['', 'of wood', '7'],
      ['Sails', '', '5'],
      ['Oars', '', '9'],
    ]
    expect(withMergedColumns(items)).toEqual([
      ['Boats', '12'],
      ['of wood', '7'],
      ['Sails', '5'],
      ['Oars', '9'],
    ])
    const ledger = [
      ['Debit', 'Credit', 'Day'],
      ['1', '', 'a'],
      ['2', '', 'b'],
      ['', '3', 'c'],
    ]
    expect(withMergedColumns(ledger)).toEqual(ledger)
  })

  test('stay two where both are full: two tables side by side', () => {
    const rows = [
      ['a', '1', '', ''],
      ['', '', 'x', '7'],
      ['b', '2', '', ''],
      ['', '', 'y', '8'],
    ]
    expect(withMergedColumns(rows)).toEqual(rows)
  })
})
