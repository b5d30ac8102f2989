import { describe, expect, test } from 'vitest'
import { extractPdf } from '../../../../../plugins/utils/pdf/extract.ts'
import { texEncoding } from '../../../../../plugins/utils/pdf/read/tex-fonts.ts'
import { type PdfSpec, show, writePdf } from '../../../../support/pdf-writer.ts'

async function textOf(spec: PdfSpec | string): Promise<string> {
  const bytes = writePdf(typeof spec === 'string' ? { pages: [{ content: spec }] } : spec)
  const outcome = await extractPdf({ bytes, includeTables: true, maxPages: 100 }, () => undefined)
  if (!outcome.ok) throw new Error(outcome.message)
  return outcome.output.pages.map((page) => page.text).join('\f')
}

describe('words', () => {
  test('a shift as wide as a space parts words, kerning does not', async () => {
    expect(await textOf('BT /F1 10 Tf 72 700 Td [(W) 60 (ord) -300 (next)] TJ ET')).toBe(
      'Word next',
    )
  })

  test('glyphs placed one by one make words', async () => {
    const letters = [...'spaced'].map((char, i) => show(char, 72 + i * 6, 700, 10, 'F3')).join('')
    expect(await textOf(letters + show('out', 72 + 7 * 6, 700, 10, 'F3'))).toBe('spaced out')
  })

  test('text drawn twice for bold or a shadow counts once', async () => {
    expect(await textOf(show('Total', 72, 700) + show('Total', 72.3, 700))).toBe('Total')
    expect(await textOf(show('Total', 72, 700) + show('Total', 72, 660))).toBe('Total\n\nTotal')
  })

  test('a superscript stays in its line', async () => {
    const text = show('E = mc', 72, 700, 10, 'F3') + show('2', 108, 704, 6, 'F3')
    expect(await textOf(text + show('holds', 120, 700, 10, 'F3'))).toBe('E = mc2 holds')
  })

  test('ligatures are read as letters', async () => {
    const objects = {
      3: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Type /Encoding /Differences [1 /fi /fl] >> >>',
    }
    const content = 'BT /F1 10 Tf 72 700 Td (\\001nd the \\002ow) Tj ET'
    expect(await textOf({ pages: [{ content }], objects })).toBe('find the flow')
  })

  test('variants and ligatures of a font without a map are read by their names', async () => {
    const objects = {
      3: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Differences [1 /a.sc /f_i /one.oldstyle /eacute.alt /rho.1 /uni0416.ss01 /c.sc] >> >>',
    }
    const content = 'BT /F1 10 Tf 72 700 Td (x\\001\\002\\003\\004\\005\\006\\007) Tj ET'
    expect(await textOf({ pages: [{ content }], objects })).toBe('xafi1éρЖc')
  })

  test('accents drawn over their letter belong to it', async () => {
    const acute = 'BT /F1 10 Tf 72 700 Td [(caf) (\\264) 445 (e)] TJ ET'
    expect(await textOf(acute)).toBe('caf\u00e9')
  })

  test('a glyph of unknown meaning does not part its word', async () => {
    const objects = {
      3: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Differences [1 /nosuchglyph] >> >>',
    }
    const content = 'BT /F1 10 Tf 72 700 Td (half\\001way) Tj ET'
    expect(await textOf({ pages: [{ content }], objects })).toBe('halfway')
  })

  test('the size of Type 3 type is guessed from its widths', async () => {
    const glyphs = [...'abcdefghijklmnopqrstuvwxyz']
    const objects = {
      3: `<< /Type /Font /Subtype /Type3 /FontBBox [0 0 60 60] /FontMatrix [0.0125 0 0 0.0125 0 0] /Encoding << /Differences [97 ${glyphs.map((g) => `/${g}`).join('')}] >> /CharProcs << ${glyphs.map((g) => `/${g} 100 0 R`).join('')} >> /FirstChar 97 /LastChar 122 /Widths [${'40 '.repeat(26)}] /Resources << >> >>`,
      100: '<< /Length 34 >>\nstream\n40 0 0 0 40 50 d1 0 0 36 40 re f   \nendstream',
    }
    const lines = [0, 1, 2].map(
      (i) => `BT /F1 10 Tf 72 ${700 - i * 12} Td [(some) -300 (words)] TJ ET`,
    )
    expect(await textOf({ pages: [{ content: lines.join(' ') }], objects })).toBe(
      'some words\nsome words\nsome words',
    )
  })

  test('mirrored matrices and negative sizes that undo each other', async () => {
    const content = 'BT /F1 -10 Tf -1 0 0 -1 72 700 Tm (from left to right) Tj ET'
    expect(await textOf(content)).toBe('from left to right')
  })

  test('codes that the map of a composite font leaves out are not taken for characters', async () => {
    const map = identity({ '0041': 'fish', '0042': 'and', '0043': 'chips' })
    const objects = {
      3: '<< /Type /Font /Subtype /Type0 /BaseFont /S /Encoding /Identity-H /DescendantFonts [201 0 R] /ToUnicode 202 0 R >>',
      201: '<< /Type /Font /Subtype /CIDFontType2 /BaseFont /S /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /DW 1000 >>',
      202: map,
    }
    const content = 'BT /F1 10 Tf 72 700 Td [<0041> -300 <0042> -300 <00430531>] TJ ET'
    expect(await textOf({ pages: [{ content }], objects })).toBe('fish and chips')
  })

  test('codes of Computer Modern fonts are TeX characters', () => {
    expect(texEncoding('ABCDEF+CMR10')?.[0x0c]?.normalize('NFKC')).toBe('fi')
    expect(texEncoding('CMMI7')?.[0x0b]).toBe('α')
    expect(texEncoding('CMSY10')?.[0x66]).toBe('{')
    expect(texEncoding('CMTT10')).toBe(null)
  })
})

describe('lines and order', () => {
  test('columns are read one after the other, below a headline over both', async () => {
    const left = 'the left column goes on and on here'
    const right = 'while the right one follows after it'
    let content = show('A headline that runs over both of the columns', 72, 740, 16)
    for (let i = 0; i < 8; i++) {
      content += show(`${left} ${i}`, 72, 700 - i * 12) + show(`${right} ${i}`, 320, 700 - i * 12)
    }
    const text = await textOf(content)
    expect(text.indexOf('A headline')).toBe(0)
    expect(text.indexOf(`${left} 7`)).toBeLessThan(text.indexOf(`${right} 0`))
  })

  test('labels and values are read across', async () => {
    const content = [0, 1, 2].map(
      (i) => show(`Label ${i}`, 72, 700 - i * 14) + show(`value ${i}`, 200, 700 - i * 14),
    )
    expect(await textOf(content.join(''))).toBe(
      'Label 0  value 0\nLabel 1  value 1\nLabel 2  value 2',
    )
  })

  test('a word parted at the end of a line is made whole, other hyphens are kept', async () => {
    const lines = (...texts: string[]): Promise<string> =>
      textOf(texts.map((text, i) => show(text, 72, 700 - i * 12)).join(''))
    expect(await lines('a compre-', 'hension')).toBe('a comprehension')
    expect(await lines('from 1990-', '2000 in Baden-', 'Baden -', 'there')).toBe(
      'from 1990-\n2000 in Baden-\nBaden -\nthere',
    )
  })

  test('a page turned by its dictionary or by its text reads upright', async () => {
    const content = show('First line', 72, 700) + show('second line', 72, 688)
    const pages = [0, 90, 180, 270].map((angle) => ({ content, extra: `/Rotate ${angle}` }))
    expect(await textOf({ pages })).toBe(Array(4).fill('First line\nsecond line').join('\f'))
    const sideways = 'BT /F1 10 Tf 0 1 -1 0 300 100 Tm (Up the page) Tj 0 -12 Td (second) Tj ET'
    expect(await textOf(sideways)).toBe('Up the page\nsecond')
  })

  test('right-to-left text is in logical order, numbers and Latin words inside it too', async () => {
    // Hebrew letters by glyph name, drawn from left to right as they are seen.
    const objects = {
      3: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 201 0 R >>',
      201: cmap({ a: 'א', b: 'ב', c: 'ג' }),
    }
    const content = show('cba', 72, 700) + show('42', 93, 700, 10, 'F2') + show('ba', 109, 700)
    expect(await textOf({ pages: [{ content }], objects })).toBe('אב 42 אבג')
  })
})

describe('right-to-left writing', () => {
  const objects = (map: Record<string, string>) => ({
    3: '<< /Type /Font /Subtype /Type1 /BaseFont /Courier /ToUnicode 201 0 R >>',
    201: cmap(map),
  })

  test('Arabic digits keep their order', async () => {
    const map = objects({ a: 'ا', b: 'ب', x: '١', y: '٤', z: '٢' })
    expect(await textOf({ pages: [{ content: show('xyyz ba', 72, 700) }], objects: map })).toBe(
      'اب ١٤٤٢',
    )
  })

  test('a long foreign name between two words does not turn the line', async () => {
    const map = objects({ a: 'א', b: 'ב', g: 'ג' })
    const content =
      show('ba', 72, 700) + show('LongForeignName', 90, 700, 10, 'F3') + show('gg', 186, 700)
    expect(await textOf({ pages: [{ content }], objects: map })).toBe('גג LongForeignName אב')
  })

  test('vowel signs drawn before their letter come behind it', async () => {
    const map = objects({ a: 'ا', b: 'ب', v: '\u064e' })
    const raised = 'BT /F1 10 Tf 72 700 Td (a) Tj 2 Ts (v) Tj -6 0 Td 0 Ts ET'
    const content = `${raised} ${show('b', 78, 700)}`
    expect(await textOf({ pages: [{ content }], objects: map })).toBe('ب\u064eا')
  })

  test('a vowel sign that is drawn alone stands on no space', async () => {
    const map = objects({ a: 'ا', b: 'ب', v: '\ufe76' })
    expect(await textOf({ pages: [{ content: show('avb', 72, 700) }], objects: map })).toBe(
      'ب\u064eا',
    )
  })

  test.each([
    // Seen from left to right: word (b) (a) word. Word says ')' of what looks like '('.
    ['as they look', { o: '(', c: ')' }],
    ['as they were typed', { o: ')', c: '(' }],
  ])('brackets that a file states %s', async (_, brackets) => {
    const map = objects({ a: 'א', b: 'ב', g: 'ג', ...brackets })
    const content = show('g obcoac g', 72, 700) + show('(plain) (words)', 72, 650, 10, 'F2')
    expect(await textOf({ pages: [{ content }], objects: map })).toBe(
      'ג (א)(ב) ג\n\n(plain) (words)',
    )
  })
})

describe('fonts of many characters', () => {
  const font = (encoding: string, ordering: string, base: string) => ({
    3: `<< /Type /Font /Subtype /Type0 /BaseFont /${base} /Encoding /${encoding} /DescendantFonts [201 0 R] >>`,
    201: `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /${base} /CIDSystemInfo << /Registry (Adobe) /Ordering (${ordering}) /Supplement 0 >> /DW 500 >>`,
  })
  const hex = (codes: string): string => `BT /F1 10 Tf 72 700 Td <${codes}> Tj ET`

  test.each([
    ['GBK-EUC-H', 'GB1', 'd7dcbcc620313238', '总计 128'],
    ['90ms-RKSJ-H', 'Japan1', '8d878c7620313238', '合計 128'],
    ['ETen-B5-H', 'CNS1', 'c160ad7020313238', '總計 128'],
    ['KSCms-UHC-H', 'Korea1', 'c7d5b0e820313238', '합계 128'],
  ])('%s: letters and digits of one byte are read', async (encoding, ordering, codes, text) => {
    const objects = font(encoding, ordering, 'Some-Light')
    expect(await textOf({ pages: [{ content: hex(codes) }], objects })).toBe(text)
  })

  test('numbered glyphs of a known font that is not in the file are read', async () => {
    const objects = font('Identity-H', 'Identity', 'Verdana')
    const content = hex('003900240037000300140013')
    expect(await textOf({ pages: [{ content }], objects })).toBe('VAT 10')
  })

  test('the code of a space parts words though the map leaves it out', async () => {
    const objects = {
      3: '<< /Type /Font /Subtype /Type0 /BaseFont /ABCDEF+S /Encoding /Identity-H /DescendantFonts [202 0 R] /ToUnicode 201 0 R >>',
      201: identity({ '00af': 'T', '009b': 'h', '00b0': 'e' }),
      202: '<< /Type /Font /Subtype /CIDFontType2 /BaseFont /ABCDEF+S /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /DW 500 >>',
    }
    const content = hex('00af009b00b0002000af009b00b0')
    expect(await textOf({ pages: [{ content }], objects })).toBe('The The')
  })
})

describe('what is shown', () => {
  test('text outside the crop box is left out, invisible text is read', async () => {
    const content =
      show('inside', 120, 500) +
      show('outside', 20, 20) +
      'BT 3 Tr /F1 10 Tf 120 488 Td (scanned) Tj ET'
    const pages = [{ content, extra: '/CropBox [100 100 500 700]' }]
    expect(await textOf({ pages })).toBe('inside\nscanned')
  })

  test('a layer that is off is left out', async () => {
    const content = `/OC /Off BDC ${show('hidden', 72, 700)} EMC /OC /On BDC ${show('shown', 72, 650)} EMC`
    const spec: PdfSpec = {
      pages: [{ content }],
      resources: '/Properties << /Off 100 0 R /On 101 0 R >>',
      objects: { 100: '<< /Type /OCG /Name (a) >>', 101: '<< /Type /OCG /Name (b) >>' },
      catalog: '/OCProperties << /OCGs [100 0 R 101 0 R] /D << /ON [101 0 R] /OFF [100 0 R] >> >>',
    }
    expect(await textOf(spec)).toBe('shown')
  })

  test('form values stand where their fields are', async () => {
    const field = (value: string, y: number, more = ''): string =>
      `<< /Type /Annot /Subtype /Widget /FT /Tx /T (f${y}) /V (${value}) /Rect [150 ${y} 300 ${y + 14}] /DA (/F1 10 Tf) ${more} >>`
    const spec: PdfSpec = {
      pages: [
        {
          content: show('Name', 72, 700) + show('City', 72, 686),
          extra: '/Annots [100 0 R 101 0 R 102 0 R]',
        },
      ],
      objects: {
        100: field('Alice Miller', 697),
        101: field('Lagos', 683),
        102: field('secret', 600, '/F 2'),
      },
      catalog: '/AcroForm << /Fields [100 0 R 101 0 R 102 0 R] >>',
    }
    expect(await textOf(spec)).toBe('Name  Alice Miller\nCity  Lagos')
  })

  test('an empty page has empty text', async () => {
    expect(await textOf('')).toBe('')
  })
})

function cmap(map: Record<string, string>): string {
  const hex = (text: string): string => text.charCodeAt(0).toString(16)
  const lines = Object.entries(map)
    .map(([from, to]) => `<${hex(from)}> <${hex(to).padStart(4, '0')}>`)
    .join('\n')
  const body = `begincmap 1 begincodespacerange <00> <ff> endcodespacerange ${Object.keys(map).length} beginbfchar\n${lines}\nendbfchar endcmap`
  return `<< /Length ${body.length} >>\nstream\n${body}\nendstream`
}

function identity(map: Record<string, string>): string {
  const lines = Object.entries(map).map(
    ([code, text]) => `<${code}> <${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`,
  )
  const body = `begincmap 1 begincodespacerange <0000> <ffff> endcodespacerange ${lines.length} beginbfchar\n${lines.join('\n')}\nendbfchar endcmap`
  return `<< /Length ${body.length} >>\nstream\n${body}\nendstream`
}
