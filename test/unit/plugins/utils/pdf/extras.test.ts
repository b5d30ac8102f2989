/** What comes beside text and rows, fonts that nobody can read, and files without anything. */
import { describe, expect, test } from 'vitest'
import { dateOf } from '../../../../../plugins/utils/pdf/about.ts'
import { extractPdf } from '../../../../../plugins/utils/pdf/extract.ts'
import type { PdfOrder } from '../../../../../plugins/utils/pdf/pdf-order.ts'
import {
  pageMarkdown,
  tableCsv,
  tableMarkdown,
} from '../../../../../plugins/utils/pdf/text/markdown.ts'
import { withMergedColumns } from '../../../../../plugins/utils/pdf/tables/cells.ts'
import { type PdfSpec, show, streamObject, writePdf } from '../../../../support/pdf-writer.ts'

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

  test('give no text though one of their numbers is the code of a space', async () => {
    const codes = Array.from({ length: 40 }, (_, at) => (at + 1).toString(16).padStart(4, '0'))
    const content = `BT /F1 10 Tf 72 700 Td <${codes.join('')}> Tj ET`
    const { output } = await read({ pages: [{ content }], objects: UNMAPPED })
    expect(output.pages[0]!.text).toBe('')
    expect(output.meta.warnings).toMatchObject([{ code: 'unmapped_text' }])
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

/** A Type 3 font of digits that are drawn as such; `meanings` are those of codes 1 to 10, in hexadecimal. */
const drawnDigits = (meanings?: readonly string[]) => {
  const names = [...'0123456789'].map((digit) => `/d${digit}`)
  const pairs = meanings?.map(
    (meaning, at) => `<${(at + 1).toString(16).padStart(2, '0')}> <${meaning}>`,
  )
  const map = `1 begincodespacerange <00> <ff> endcodespacerange 10 beginbfchar ${pairs?.join(' ')} endbfchar`
  return {
    5: `<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1000 1000] /FontMatrix [0.001 0 0 0.001 0 0] /Encoding << /Differences [1 ${names.join(' ')}] >> /CharProcs << ${names.map((name, at) => `${name} ${210 + at} 0 R`).join(' ')} >> /FirstChar 1 /LastChar 10 /Widths [${'556 '.repeat(10)}] /Resources << /Font << /H 3 0 R >> >> ${meanings ? '/ToUnicode 209 0 R' : ''} >>`,
    209: streamObject(map),
    ...Object.fromEntries(
      names.map((_, digit) => [
        210 + digit,
        streamObject(`556 0 d0 BT /H 1000 Tf (${digit}) Tj ET`),
      ]),
    ),
  }
}
const digits = (text: string): string =>
  [...text].map((digit) => (Number(digit) + 1).toString(16).padStart(2, '0')).join('')

describe('digits that a Type 3 font draws', () => {
  const amount = (label: string, y: number, value: string): string =>
    `${show(`${label} of all the accounts together`, 72, y, 14)} BT /F3 14 Tf 320 ${y} Td <${digits(value)}> Tj ET`
  const content = amount('Sum', 700, '90417') + amount('Rest', 660, '23568')

  test('have no text where the map says that of each, and the page is named', async () => {
    const objects = drawnDigits(Array.from({ length: 10 }, () => '0000'))
    const { output } = await read({ pages: [{ content }], objects })
    expect(output.pages[0]!.text).not.toMatch(/\d/)
    expect(output.meta.warnings).toMatchObject([{ code: 'unmapped_text' }])
  })

  test('have none where their codes are numbers', async () => {
    const { output } = await read({ pages: [{ content }], objects: drawnDigits() })
    expect(output.meta.warnings).toMatchObject([{ code: 'unmapped_text' }])
  })

  test('are recognised where they stand, amid the text of other fonts', async () => {
    const objects = drawnDigits(Array.from({ length: 10 }, () => '0000'))
    const { output } = await read({ pages: [{ content }], objects }, { ocr: 'auto' })
    expect(output.pages[0]!.text.replaceAll(/ +/g, ' ').split(/\n+/)).toEqual([
      'Sum of all the accounts together 90417',
      'Rest of all the accounts together 23568',
    ])
    expect(output.meta.warnings).toEqual([])
  })

  test('are read where the map says what they are', async () => {
    const objects = drawnDigits(Array.from({ length: 10 }, (_, digit) => `003${digit}`))
    const { output } = await read({ pages: [{ content }], objects })
    expect(output.pages[0]!.text).toContain('90417')
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
