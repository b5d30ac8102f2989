/**
 * PDF invoices from short scenes, drawn the way different software draws them: whole runs, words,
 * kerned arrays without spaces, single glyphs, subset fonts, flipped or scaled coordinates, columns
 * first. The text layer of such files is what tells issuers apart, not their looks.
 *
 * A scene is lines of `y: x text | x text`. y is absolute or `+n`; after it may stand `b` (bold), a
 * size, `s2` (letter-spacing in points), `v` (running upwards). x ends in `r` or `c` for right-aligned or
 * centred text. `---` starts a page, `== x0 x1` draws a rule.
 */
import { createCanvas } from '@napi-rs/canvas'
import { SANS } from '../fonts.ts'
import { seeded, type Random } from '../random.ts'
import { streamObject } from '../../pdf-writer.ts'

export interface SceneStyle {
  emit?: 'runs' | 'words' | 'kerned' | 'glyphs' | 'padded'
  order?: 'drawn' | 'columns' | 'reverse' | 'shuffled'
  space?: 'plain' | 'flipped' | 'scaled'
  font?: 'winansi' | 'subset'
  page?: [number, number]
  compress?: boolean
}
interface Piece {
  x: number
  y: number
  text: string
  size: number
  bold: boolean
  spacing: number
  upwards: boolean
}

const WIN_ANSI = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'
const measure = createCanvas(10, 10).getContext('2d')
/** Width of text in thousandths of the size, as Helvetica has it. */
function widthOf(text: string, bold: boolean): number {
  measure.font = `${bold ? 'bold ' : ''}1000px "${SANS}"`
  return measure.measureText(text).width
}

/** Bytes of a char in WinAnsiEncoding, or null. */
function winAnsi(char: string): number | null {
  const high = WIN_ANSI.indexOf(char)
  if (high >= 0) return 0x80 + high
  const code = char.codePointAt(0)!
  return (code >= 0x20 && code < 0x7f) || (code >= 0xa0 && code < 0x100) ? code : null
}

function parseScene(scene: string): Piece[][] {
  const pages: Piece[][] = [[]]
  let y = 0
  for (const line of scene.trim().split('\n')) {
    if (line.trim() === '---') {
      pages.push([])
      continue
    }
    const m = /^(\+)?(\d+)\s*(b)?(\d+(?:\.\d+)?)?(?:s(\d+))?(v)?:\s?(.*)$/.exec(line.trim())
    if (!m) throw new Error(`not a scene line: ${line}`)
    y = m[1] ? y + Number(m[2]) : Number(m[2])
    const size = Number(m[4] ?? 9)
    const spacing = Number(m[5] ?? 0)
    for (const cell of m[7]!.split(' | ')) {
      const at = /^(\d+)([rc])?\s(.*)$/.exec(cell.trim())
      if (!at) throw new Error(`not a scene cell: ${cell} in ${line}`)
      const text = at[3]!
      const width = (widthOf(text, Boolean(m[3])) / 1000) * size + spacing * (text.length - 1)
      const back = at[2] === 'r' ? width : at[2] === 'c' ? width / 2 : 0
      pages.at(-1)!.push({
        x: Number(at[1]) - back,
        y,
        text,
        size,
        bold: Boolean(m[3]),
        spacing,
        upwards: Boolean(m[6]),
      })
    }
  }
  return pages
}

/** One of the two fonts of a file: how text becomes bytes, and the objects that describe it. */
class Font {
  readonly #glyphs = new Map<string, number>()
  constructor(
    readonly bold: boolean,
    readonly subset: boolean,
  ) {}

  encode(text: string): string {
    if (!this.subset) {
      const bytes = [...text].map((c) => winAnsi(c) ?? 0x3f)
      return `(${bytes.map((b) => (b === 0x28 || b === 0x29 || b === 0x5c ? `\\${String.fromCharCode(b)}` : String.fromCharCode(b))).join('')})`
    }
    return `<${[...text]
      .map((c) => {
        // Glyph numbers of a subset follow first use, never the code point.
        if (!this.#glyphs.has(c)) this.#glyphs.set(c, this.#glyphs.size + 3)
        return this.#glyphs.get(c)!.toString(16).padStart(4, '0')
      })
      .join('')}>`
  }

  objects(first: number): Map<number, Buffer | string> {
    const name = this.bold ? 'Helvetica-Bold' : 'Helvetica'
    if (!this.subset)
      return new Map([
        [first, `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`],
      ])
    const glyphs = [...this.#glyphs]
    const widths = glyphs.map(([c, g]) => `${g} [${Math.round(widthOf(c, this.bold))}]`).join(' ')
    const utf16 = (c: string): string =>
      [...Buffer.from(c, 'utf16le').swap16()].map((b) => b.toString(16).padStart(2, '0')).join('')
    const map = glyphs.map(([c, g]) => `<${g.toString(16).padStart(4, '0')}> <${utf16(c)}>`)
    const cmap = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Adobe-Identity-UCS def /CMapType 2 def
1 begincodespacerange <0000> <ffff> endcodespacerange
${Array.from({ length: Math.ceil(map.length / 100) }, (_, i) => `${Math.min(100, map.length - i * 100)} beginbfchar\n${map.slice(i * 100, i * 100 + 100).join('\n')}\nendbfchar`).join('\n')}
endcmap end end`
    return new Map<number, Buffer | string>([
      [
        first,
        `<< /Type /Font /Subtype /Type0 /BaseFont /ABCDEF+${name} /Encoding /Identity-H /DescendantFonts [${first + 1} 0 R] /ToUnicode ${first + 3} 0 R >>`,
      ],
      [
        first + 1,
        `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /ABCDEF+${name} /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor ${first + 2} 0 R /DW 500 /W [${widths}] >>`,
      ],
      [
        first + 2,
        `<< /Type /FontDescriptor /FontName /ABCDEF+${name} /Flags 4 /FontBBox [-200 -220 1200 930] /ItalicAngle 0 /Ascent 905 /Descent -212 /CapHeight 716 /StemV 80 >>`,
      ],
      [first + 3, streamObject(cmap)],
    ])
  }
}

function ordered(pieces: Piece[], order: SceneStyle['order'], r: Random): Piece[] {
  if (order === 'columns') return pieces.toSorted((a, b) => a.x - b.x || a.y - b.y)
  if (order === 'reverse') return pieces.toReversed()
  if (order === 'shuffled')
    return pieces
      .map((p) => ({ p, key: r.next() }))
      .toSorted((a, b) => a.key - b.key)
      .map((e) => e.p)
  return pieces
}

/** Operators that show one piece; the text matrix is in page space before `space`. */
function showPiece(p: Piece, font: Font, style: SceneStyle, height: number, r: Random): string {
  const flip = style.space === 'flipped' || style.space === 'scaled'
  const unit = style.space === 'scaled' ? 0.24 : 1
  const n = (v: number): string => (v / unit).toFixed(3)
  const matrix = (dx: number): string => {
    const x = n(p.upwards ? p.x : p.x + dx)
    const upY = p.upwards ? p.y - dx : p.y
    const y = n(flip ? upY : height - upY)
    if (p.upwards) return flip ? `0 -1 -1 0 ${x} ${y} Tm` : `0 1 -1 0 ${x} ${y} Tm`
    return flip ? `1 0 0 -1 ${x} ${y} Tm` : `1 0 0 1 ${x} ${y} Tm`
  }
  const advance = (text: string): number =>
    (widthOf(text, p.bold) / 1000) * p.size + p.spacing * text.length
  // Character spacing outlives its text object.
  const head = `/${p.bold ? 'F2' : 'F1'} ${n(p.size)} Tf ${p.spacing > 0 ? n(p.spacing) : '0'} Tc`
  const emit = style.emit ?? 'runs'
  if (emit === 'glyphs')
    return `BT ${head} ${[...p.text]
      .map((c, i) =>
        c === ' ' ? '' : `${matrix(advance(p.text.slice(0, i)))} ${font.encode(c)} Tj`,
      )
      .join(' ')} ET`
  if (emit === 'words') {
    let at = 0
    const shown = p.text.split(' ').map((word) => {
      const op =
        word === '' ? '' : `${matrix(advance(p.text.slice(0, at)))} ${font.encode(word)} Tj`
      at += word.length + 1
      return op
    })
    return `BT ${head} ${shown.join(' ')} ET`
  }
  if (emit === 'kerned') {
    const parts = p.text.split(' ').map((word) => {
      const cut = word.length > 3 ? r.int(1, word.length - 1) : 0
      const kern = r.pick([-15, 10, 18, 27, 28])
      return cut === 0
        ? font.encode(word)
        : `${font.encode(word.slice(0, cut))} ${kern} ${font.encode(word.slice(cut))}`
    })
    const gap = Math.round(widthOf(' ', p.bold) + r.int(-20, 60))
    return `BT ${head} ${matrix(0)} [${parts.join(` ${-gap} `)}] TJ ET`
  }
  const text = emit === 'padded' ? `${p.text}${' '.repeat(r.int(0, 3))}` : p.text
  return `BT ${head} ${matrix(0)} ${font.encode(text)} Tj ET`
}

/** Bytes of the PDF that `scene` describes, drawn in `style`. */
export function drawScene(scene: string, style: SceneStyle = {}): Uint8Array {
  const [width, height] = style.page ?? [595, 842]
  const r = seeded(scene.length)
  const pages = parseScene(scene)
  const all = pages
    .flat()
    .map((p) => p.text)
    .join('')
  const subset = style.font === 'subset' || [...all].some((c) => winAnsi(c) === null)
  const fonts = [new Font(false, subset), new Font(true, subset)] as const
  const objects = new Map<number, Buffer | string>()
  const cm =
    style.space === 'flipped'
      ? `1 0 0 -1 0 ${height} cm\n`
      : style.space === 'scaled'
        ? `0.24 0 0 -0.24 0 ${height} cm\n`
        : ''
  for (const [i, pieces] of pages.entries()) {
    const drawn = ordered(pieces, style.order, r)
      .map((p) => showPiece(p, fonts[p.bold ? 1 : 0], style, height, r))
      .join('\n')
    objects.set(
      20 + i * 2,
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Contents ${21 + i * 2} 0 R /Resources << /Font << /F1 3 0 R /F2 8 0 R >> >> >>`,
    )
    objects.set(21 + i * 2, streamObject(Buffer.from(`q\n${cm}${drawn}\nQ`, 'latin1')))
  }
  objects.set(1, '<< /Type /Catalog /Pages 2 0 R >>')
  objects.set(
    2,
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, i) => `${20 + i * 2} 0 R`).join(' ')}] >>`,
  )
  for (const [number, body] of [...fonts[0].objects(3), ...fonts[1].objects(8)])
    objects.set(number, body)
  return assemble(objects)
}

function assemble(objects: ReadonlyMap<number, Buffer | string>): Uint8Array {
  const parts = [Buffer.from('%PDF-1.5\n%\u00E2\u00E3\u00CF\u00D3\n', 'latin1')]
  const offsets = new Map<number, number>()
  let at = parts[0]!.length
  const entries = [...objects].toSorted(([a], [b]) => a - b)
  for (const [number, body] of entries) {
    const whole = Buffer.concat([
      Buffer.from(`${number} 0 obj\n`),
      typeof body === 'string' ? Buffer.from(body, 'latin1') : body,
      Buffer.from('\nendobj\n'),
    ])
    offsets.set(number, at)
    at += whole.length
    parts.push(whole)
  }
  const rows = entries.map(
    ([number]) => `${number} 1\n${String(offsets.get(number)).padStart(10, '0')} 00000 n \n`,
  )
  const size = Math.max(...objects.keys()) + 1
  parts.push(
    Buffer.from(
      `xref\n0 1\n0000000000 65535 f \n${rows.join('')}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${at}\n%%EOF\n`,
    ),
  )
  return new Uint8Array(Buffer.concat(parts))
}
