/** Writes small PDFs for tests: pages of operators with standard fonts, and whatever else is given. */
import { deflateSync } from 'node:zlib'

export interface PdfPageSpec {
  /** Content stream operators. */
  content: string
  /** Width and height in points; default 612 × 792. */
  size?: [number, number]
  /** Further entries of the page dictionary, such as '/Rotate 90'. */
  extra?: string
}
export interface PdfSpec {
  pages: PdfPageSpec[]
  /** Further objects by number (from 100), written as they are. */
  objects?: Record<number, string | Buffer>
  /** Further entries of the catalog. */
  catalog?: string
  /** Further entries of the page resources. */
  resources?: string
  trailer?: string
  compress?: boolean
}

/** The bytes of a PDF whose fonts are F1 Helvetica, F2 Helvetica-Bold and F3 Courier. */
export function writePdf(spec: PdfSpec): Uint8Array {
  const objects = new Map<number, Buffer>()
  const put = (number: number, body: string | Buffer): void =>
    void objects.set(number, Buffer.from(body))
  const pageNumber = (i: number): number => 1000 + i * 2
  const kids = spec.pages.map((_, i) => `${pageNumber(i)} 0 R`).join(' ')
  put(1, `<< /Type /Catalog /Pages 2 0 R ${spec.catalog ?? ''} >>`)
  put(2, `<< /Type /Pages /Kids [${kids}] /Count ${spec.pages.length} >>`)
  ;['Helvetica', 'Helvetica-Bold', 'Courier'].forEach((name, i) => {
    put(3 + i, `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`)
  })
  const fonts = '/Font << /F1 3 0 R /F2 4 0 R /F3 5 0 R >>'
  spec.pages.forEach((page, i) => {
    const [width, height] = page.size ?? [612, 792]
    const data = spec.compress ? deflateSync(page.content) : Buffer.from(page.content, 'latin1')
    const filter = spec.compress ? '/Filter /FlateDecode' : ''
    put(
      pageNumber(i),
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Resources << ${fonts} ${spec.resources ?? ''} >> /Contents ${pageNumber(i) + 1} 0 R ${page.extra ?? ''} >>`,
    )
    put(pageNumber(i) + 1, streamObject(data, filter))
  })
  for (const [number, body] of Object.entries(spec.objects ?? {})) put(Number(number), body)
  return assemble(objects, spec.trailer ?? '')
}

/** A stream object's body. */
export function streamObject(data: Buffer | string, entries = ''): Buffer {
  const bytes = Buffer.from(data)
  return Buffer.concat([
    Buffer.from(`<< /Length ${bytes.length} ${entries} >>\nstream\n`),
    bytes,
    Buffer.from('\nendstream'),
  ])
}

function assemble(objects: ReadonlyMap<number, Buffer>, trailer: string): Uint8Array {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')]
  const offsets = new Map<number, number>()
  let at = parts[0]!.length
  for (const [number, body] of [...objects].toSorted(([a], [b]) => a - b)) {
    const bytes = Buffer.concat([Buffer.from(`${number} 0 obj\n`), body, Buffer.from('\nendobj\n')])
    offsets.set(number, at)
    at += bytes.length
    parts.push(bytes)
  }
  const entry = (offset: number, generation: number, kind: string): string =>
    `${String(offset).padStart(10, '0')} ${String(generation).padStart(5, '0')} ${kind} \n`
  let xref = `xref\n0 1\n${entry(0, 65535, 'f')}`
  for (const [number, offset] of offsets) xref += `${number} 1\n${entry(offset, 0, 'n')}`
  const size = Math.max(...objects.keys()) + 1
  parts.push(
    Buffer.from(
      `${xref}trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${at}\n%%EOF\n`,
    ),
  )
  return new Uint8Array(Buffer.concat(parts))
}

/** Operators that show `text` at a place; `font` F1, F2 or F3. */
export function show(text: string, x: number, y: number, size = 10, font = 'F1'): string {
  const escaped = text.replaceAll(/[\\()]/g, (char) => `\\${char}`)
  return `BT /${font} ${size} Tf 1 0 0 1 ${x} ${y} Tm (${escaped}) Tj ET\n`
}

/** Operators that draw a line. */
export function line(x0: number, y0: number, x1: number, y1: number): string {
  return `${x0} ${y0} m ${x1} ${y1} l S\n`
}
