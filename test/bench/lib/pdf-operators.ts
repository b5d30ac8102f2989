/**
 * PDFs that programs other than browsers write, as raw operators: one file for each way of placing
 * and encoding text that readers are known to trip over.
 */
import { deflateSync } from 'node:zlib'
import { type PdfSpec, show, streamObject, writePdf } from '../../support/pdf-writer.ts'

const SENTENCES = [
  'The committee met in the spring to review the budget of the harbour.',
  'Members asked why the repair of the northern quay had taken so long.',
  'The engineer answered that the stone had to be brought by sea.',
  'A second report is expected before the end of the financial year.',
  'Until then the old crane remains in use on three days of the week.',
  'Nobody objected, and the meeting was closed at half past five.',
]
const escaped = (text: string): string => text.replaceAll(/[\\()]/g, (char) => `\\${char}`)
const hex = (text: string): string =>
  [...text].map((char) => char.codePointAt(0)!.toString(16).padStart(4, '0')).join('')
const paragraph = (make: (text: string, y: number, i: number) => string): string =>
  SENTENCES.map((text, i) => make(text, 700 - i * 14, i)).join('')

/** A ToUnicode stream for the characters of `text`, whose codes are their code points. */
function identityCMap(text: string, map: (char: string) => string = (char) => char): Buffer {
  const chars = [...new Set(text)]
  const lines = chars.map((char) => `<${hex(char)}> <${hex(map(char))}>`).join('\n')
  return streamObject(
    `/CIDInit /ProcSet findresource begin begincmap /CMapName /T def /CMapType 2 def 1 begincodespacerange <0000> <ffff> endcodespacerange ${chars.length} beginbfchar\n${lines}\nendbfchar endcmap end`,
  )
}

/** A composite font (objects 100 to 103) without an embedded program. */
function composite(
  encoding: string,
  ordering: string,
  more: { toUnicode?: Buffer; entries?: string } = {},
): Record<number, string | Buffer> {
  const [registry, order] = ordering.split('-')
  const objects: Record<number, string | Buffer> = {
    100: `<< /Type /Font /Subtype /Type0 /BaseFont /Sample /Encoding /${encoding} /DescendantFonts [101 0 R] ${more.toUnicode ? '/ToUnicode 103 0 R' : ''} >>`,
    101: `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Sample /CIDSystemInfo << /Registry (${registry}) /Ordering (${order}) /Supplement 0 >> /FontDescriptor 102 0 R /DW 1000 ${more.entries ?? ''} >>`,
    102: '<< /Type /FontDescriptor /FontName /Sample /Flags 4 /FontBBox [0 -200 1000 800] /Ascent 800 /Descent -200 /CapHeight 700 /ItalicAngle 0 /StemV 80 >>',
  }
  if (more.toUnicode) objects[103] = more.toUnicode
  return objects
}
const COMPOSITE = '/Font << /F1 3 0 R /F2 4 0 R /C 100 0 R >>'

const BOX =
  '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 100 100] /FontMatrix [0.01 0 0 0.01 0 0] /Encoding << /Differences [97 /a /b /c /d /e /f /g /h /i /j /k /l /m /n /o /p /q /r /s /t /u /v /w /x /y /z] >> /CharProcs << '
const TYPE3 = `${BOX}${[...'abcdefghijklmnopqrstuvwxyz'].map((char) => `/${char} 110 0 R`).join(' ')} >> /FirstChar 97 /LastChar 122 /Widths [${'55 '.repeat(26)}] /Resources << >> >>`

const widget = (y: number, more: string): string =>
  `<< /Type /Annot /Subtype /Widget /Rect [150 ${y} 330 ${y + 14}] /DA (/F1 10 Tf 0 g) ${more} >>`
const form = (content: string, more = ''): Buffer =>
  streamObject(
    content,
    `/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> ${more} >>`,
  )

/** Files by kind, for comparison with another reader. */
export function operatorKinds(): { name: string; spec: PdfSpec }[] {
  const one = (name: string, content: string, more: Partial<PdfSpec> = {}) => ({
    name,
    spec: { pages: [{ content }], ...more },
  })
  const page = (name: string, content: string, extra: string, more: Partial<PdfSpec> = {}) => ({
    name,
    spec: { pages: [{ content, extra }], ...more },
  })
  const text = (lines: string): string => `BT /F1 10 Tf ${lines} ET\n`
  const plain = paragraph((s, y) => show(s, 72, y))
  const han = '会议在春天举行讨论港口预算'
  const kana = 'この会議は春に開かれた。'
  return [
    one('plain', plain),
    one(
      'kerning numbers as spaces',
      paragraph((s, y) =>
        text(
          `1 0 0 1 72 ${y} Tm [${s
            .split(' ')
            .map((w) => `(${escaped(w)})`)
            .join(' -278 ')}] TJ`,
        ),
      ),
    ),
    one(
      'letter by letter',
      paragraph((s, y) => [...s].map((c, i) => show(c, 72 + i * 6, y, 10, 'F3')).join('')),
    ),
    one(
      'word spacing',
      paragraph((s, y) => text(`4 Tw 1 0 0 1 72 ${y} Tm (${escaped(s)}) Tj 0 Tw`)),
    ),
    one(
      'letter spacing',
      paragraph((s, y) => text(`2.2 Tc 1 0 0 1 40 ${y} Tm (${escaped(s)}) Tj 0 Tc`)),
    ),
    one(
      'drawn from bottom to top',
      SENTENCES.toReversed()
        .map((s, i) => show(s, 72, 630 + i * 14))
        .join(''),
    ),
    one(
      'words drawn from right to left',
      paragraph((s, y) =>
        s
          .split(' ')
          .map((w, i) =>
            show(w, 72 + s.split(' ').slice(0, i).join(' ').length * 6 + 6, y, 10, 'F3'),
          )
          .toReversed()
          .join(''),
      ),
    ),
    one(
      'bold by drawing four times',
      paragraph((s, y) =>
        [0, 0.2, 0.4, 0.6].map((d) => show(s, 72 + d, y + (d === 0.4 ? 0.2 : 0))).join(''),
      ),
    ),
    one(
      'shadow',
      paragraph((s, y) => `0.7 g ${show(s, 73, y - 1)}0 g ${show(s, 72, y)}`),
    ),
    one(
      'invisible text over an image',
      `q 500 0 0 200 60 600 cm BI /W 1 /H 1 /BPC 8 /CS /G ID x EI Q ${paragraph((s, y) => text(`3 Tr 1 0 0 1 72 ${y} Tm (${escaped(s)}) Tj`))}`,
    ),
    one('nested forms', '/X1 Do', {
      resources: '/XObject << /X1 120 0 R >>',
      objects: {
        120: form(
          `${show(SENTENCES[0]!, 72, 700)} q 0.5 0 0 0.5 30 200 cm /X2 Do Q`,
          '/XObject << /X2 121 0 R >>',
        ),
        121: form(`${show(SENTENCES[1]!, 72, 650, 20)}${show(SENTENCES[2]!, 72, 620, 20)}`),
      },
    }),
    one(
      'ActualText',
      `${show('The', 72, 700)}/Span << /ActualText (fish) >> BDC ${show('XXXX', 92, 700)} EMC ${show('swims', 125, 700)}/Span << /ActualText <feff00660069> >> BDC ${show('#', 72, 680)} EMC ${show('nd it', 78, 680)}`,
    ),
    ...[90, 180, 270].map((angle) => page(`page turned by ${angle}`, plain, `/Rotate ${angle}`)),
    page('crop box', `${plain}${show('outside of it', 20, 20)}`, '/CropBox [60 400 560 760]'),
    page('boxes that start below nought', plain, '/MediaBox [-50 -50 600 800]'),
    page('a unit larger than a point', plain, '/UserUnit 2.5'),
    one(
      'identity codes with ToUnicode',
      paragraph((s, y) => `BT /C 10 Tf 1 0 0 1 20 ${y} Tm <${hex(s)}> Tj ET `),
      {
        resources: COMPOSITE,
        objects: composite('Identity-H', 'Adobe-Identity', {
          toUnicode: identityCMap(SENTENCES.join('')),
          entries: '/DW 500',
        }),
      },
    ),
    one('identity codes without ToUnicode', `BT /C 10 Tf 1 0 0 1 72 700 Tm <${hex('abc')}> Tj ET`, {
      resources: COMPOSITE,
      objects: composite('Identity-H', 'Adobe-Identity'),
    }),
    ...(
      [
        ['UniGB-UCS2-H', 'Adobe-GB1', han],
        ['UniJIS-UCS2-H', 'Adobe-Japan1', kana],
        ['UniKS-UCS2-H', 'Adobe-Korea1', '위원회는 봄에 회의를 열었다'],
        ['UniCNS-UCS2-H', 'Adobe-CNS1', '委員會於春天開會'],
      ] as const
    ).map(([encoding, ordering, s]) =>
      one(
        `${encoding}, no font program`,
        [0, 1, 2].map((i) => `BT /C 12 Tf 72 ${700 - i * 18} Td <${hex(s)}> Tj ET `).join(''),
        { resources: COMPOSITE, objects: composite(encoding, ordering) },
      ),
    ),
    one(
      'Shift-JIS codes',
      'BT /C 12 Tf 72 700 Td <82b182cc89ef8b6382cd8f7482c98a4a82a982ea82bd> Tj ET',
      { resources: COMPOSITE, objects: composite('90ms-RKSJ-H', 'Adobe-Japan1') },
    ),
    one(
      'vertical writing',
      `BT /C 12 Tf 500 700 Td <${hex(kana)}> Tj ET BT /C 12 Tf 480 700 Td <${hex(kana)}> Tj ET`,
      {
        resources: COMPOSITE,
        objects: composite('UniJIS-UCS2-V', 'Adobe-Japan1'),
      },
    ),
    one(
      'Type 3',
      paragraph((s, y) =>
        s
          .toLowerCase()
          .replaceAll(/[^a-z ]/g, '')
          .split(' ')
          .map(
            (w, i, all) =>
              `BT /T 10 Tf 1 0 0 1 ${72 + all.slice(0, i).join(' ').length * 5.5 + 5} ${y} Tm (${w}) Tj ET `,
          )
          .join(''),
      ),
      {
        resources: '/Font << /T 111 0 R >>',
        objects: { 110: streamObject('55 0 0 0 50 50 d1 0 0 45 45 re f'), 111: TYPE3 },
      },
    ),
    one('named glyphs', text('1 0 0 1 72 700 Tm (A\\001ne \\002our \\003 o\\004ce \\005 20) Tj'), {
      objects: {
        3: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /BaseEncoding /WinAnsiEncoding /Differences [1 /fi /fl /emdash /ffi /Euro] >> >>',
      },
    }),
    one(
      'soft hyphens and hyphens',
      [
        'The har\\255bour was con-',
        'structed by well-',
        'known builders in 1990-',
        '2000 and re\\255',
        'newed later',
      ]
        .map((s, i) => text(`1 0 0 1 72 ${700 - i * 12} Tm (${s}) Tj`))
        .join(''),
    ),
    one(
      'negative font size',
      paragraph((s, y) => `BT /F1 -10 Tf -1 0 0 -1 72 ${y} Tm (${escaped(s)}) Tj ET `),
    ),
    one(
      'mirrored page matrix',
      `q 1 0 0 -1 0 792 cm ${paragraph((s, y) => `BT /F1 10 Tf 1 0 0 -1 72 ${792 - y} Tm (${escaped(s)}) Tj ET `)} Q`,
    ),
    one(
      'scaled matrices',
      paragraph(
        (s, y) =>
          `q 0.1 0 0 0.1 0 0 cm BT /F1 1 Tf 100 0 0 100 720 ${y * 10} Tm (${escaped(s)}) Tj ET Q `,
      ),
    ),
    one(
      'condensed by horizontal scaling',
      paragraph((s, y) => text(`60 Tz 1 0 0 1 72 ${y} Tm (${escaped(s)}) Tj 100 Tz`)),
    ),
    one(
      'slanted lines',
      paragraph(
        (s, y) => `BT /F1 10 Tf 0.996 0.087 -0.087 0.996 72 ${y - 80} Tm (${escaped(s)}) Tj ET `,
      ),
    ),
    one('diagonal stamp', `${plain}BT /F1 60 Tf 0.7 0.7 -0.7 0.7 150 300 Tm (DRAFT COPY) Tj ET`),
    one(
      'margin notes upwards',
      `${plain}BT /F1 8 Tf 0 1 -1 0 40 400 Tm (Printed by the harbour office) Tj ET`,
    ),
    one(
      'raised and lowered signs',
      text(
        '1 0 0 1 72 700 Tm (Water is H) Tj -3 Ts /F1 6 Tf (2) Tj 0 Ts /F1 10 Tf (O and x) Tj 4 Ts /F1 6 Tf (2) Tj 0 Ts /F1 10 Tf ( is a square) Tj',
      ),
    ),
    one(
      'layers off',
      `/OC /Off BDC ${show('Hidden layer text', 72, 720)} EMC /OC /On BDC ${plain} EMC`,
      {
        resources: '/Properties << /Off 130 0 R /On 131 0 R >>',
        objects: { 130: '<< /Type /OCG /Name (a) >>', 131: '<< /Type /OCG /Name (b) >>' },
        catalog:
          '/OCProperties << /OCGs [130 0 R 131 0 R] /D << /ON [131 0 R] /OFF [130 0 R] >> >>',
      },
    ),
    page(
      'fields with drawn values',
      `${show('Name', 72, 700)}${show('Remarks', 72, 660)}`,
      '/Annots [140 0 R 141 0 R]',
      {
        objects: {
          140: widget(697, '/FT /Tx /T (n) /V (Ada King) /AP << /N 142 0 R >>'),
          141: widget(657, '/FT /Tx /T (r) /V (None so far) /AP << /N 143 0 R >>'),
          142: streamObject(
            '/Tx BMC BT /F1 10 Tf 2 4 Td (Ada King) Tj ET EMC',
            '/Type /XObject /Subtype /Form /BBox [0 0 180 14] /Resources << /Font << /F1 3 0 R >> >>',
          ),
          143: streamObject(
            '/Tx BMC BT /F1 10 Tf 2 4 Td (None so far) Tj ET EMC',
            '/Type /XObject /Subtype /Form /BBox [0 0 180 14] /Resources << /Font << /F1 3 0 R >> >>',
          ),
        },
        catalog: '/AcroForm << /Fields [140 0 R 141 0 R] /DR << /Font << /F1 3 0 R >> >> >>',
      },
    ),
    page(
      'choice fields and check boxes',
      `${show('Country', 72, 700)}${show('Agreed', 72, 660)}`,
      '/Annots [140 0 R 141 0 R 142 0 R]',
      {
        objects: {
          140: widget(697, '/FT /Ch /Ff 131072 /T (c) /V (Ghana) /Opt [(Ghana) (Kenya)]'),
          141: widget(657, '/FT /Btn /T (a) /V /Yes /AS /Yes'),
          142: widget(617, '/FT /Ch /T (l) /V (Red) /Opt [(Red) (Green)]'),
        },
        catalog:
          '/AcroForm << /Fields [140 0 R 141 0 R 142 0 R] /NeedAppearances true /DR << /Font << /F1 3 0 R >> >> /DA (/F1 10 Tf 0 g) >>',
      },
    ),
    page('notes and free text', plain, '/Annots [150 0 R 151 0 R 152 0 R]', {
      objects: {
        150: '<< /Type /Annot /Subtype /FreeText /Rect [72 500 300 540] /Contents (A free remark) /DA (/Helv 10 Tf 0 g) >>',
        151: '<< /Type /Annot /Subtype /Text /Rect [400 500 420 520] /Contents (A sticky note) >>',
        152: '<< /Type /Annot /Subtype /Link /Rect [72 600 100 620] /Contents (A link) >>',
      },
    }),
    one(
      'two columns',
      [0, 1]
        .map((c) =>
          Array.from({ length: 18 }, (_, i) =>
            show(SENTENCES[(i + c) % 6]!.slice(0, 42), 60 + c * 260, 700 - i * 12),
          ).join(''),
        )
        .join(''),
    ),
    one('objects in streams', plain, {
      objects: {
        160: streamObject(
          deflateSync('161 0 << /A 1 >>'),
          '/Type /ObjStm /N 1 /First 6 /Filter /FlateDecode',
        ),
      },
    }),
    page('a page 200 inches wide', plain, '/MediaBox [0 0 14400 14400]'),
    {
      name: 'many pages',
      spec: { pages: SENTENCES.map((s) => ({ content: show(s, 72, 700) })), compress: true },
    },
  ]
}

/** The files of `operatorKinds`, written. */
export function operatorFiles(): { name: string; bytes: Uint8Array }[] {
  return operatorKinds().map(({ name, spec }) => ({ name, bytes: writePdf(spec) }))
}
