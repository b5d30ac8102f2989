/** A small PDF writer for fixtures: Helvetica text at positions, pages, one embedded file. */

export interface PdfText {
  x: number
  /** From the top of the page, in points. */
  y: number
  text: string
  size?: number
  bold?: boolean
}
export interface PdfInput {
  pages: PdfText[][]
  attachment?: { name: string; content: string }
  /** JPEG drawn over the whole first page (a scan). */
  jpeg?: { bytes: Uint8Array; width: number; height: number }
}

const WIDTH = 595
const HEIGHT = 842

const escape = (text: string): string => text.replaceAll(/[\\()]/g, String.raw`\$&`)
const winAnsi = (text: string): string =>
  text.replaceAll('€', '\u0080').replaceAll('•', '\u0095').replaceAll(/[–—]/g, '-')

/** Bytes of a PDF 1.7 file. */
export function writePdf({ pages, attachment, jpeg }: PdfInput): Uint8Array {
  const objects: Buffer[] = []
  const add = (body: string | Buffer): number =>
    objects.push(typeof body === 'string' ? Buffer.from(body, 'latin1') : body)
  const stream = (dict: string, data: Buffer): Buffer =>
    Buffer.concat([
      Buffer.from(`<< ${dict} /Length ${data.length} >>\nstream\n`, 'latin1'),
      data,
      Buffer.from('\nendstream', 'latin1'),
    ])
  const regular = add(
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  )
  const bold = add(
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>',
  )
  const image = jpeg
    ? add(
        stream(
          `/Type /XObject /Subtype /Image /Width ${jpeg.width} /Height ${jpeg.height} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode`,
          Buffer.from(jpeg.bytes),
        ),
      )
    : null
  const parent = objects.length + pages.length * 2 + 1
  const kids: number[] = []
  for (const [index, texts] of pages.entries()) {
    const drawing = texts
      .map(
        (t) =>
          `BT /${t.bold ? 'F2' : 'F1'} ${t.size ?? 10} Tf 1 0 0 1 ${t.x} ${HEIGHT - t.y} Tm (${escape(winAnsi(t.text))}) Tj ET`,
      )
      .join('\n')
    const picture = image && index === 0 ? `q ${WIDTH} 0 0 ${HEIGHT} 0 0 cm /Im Do Q\n` : ''
    const content = add(stream('', Buffer.from(picture + drawing, 'latin1')))
    kids.push(
      add(
        `<< /Type /Page /Parent ${parent} 0 R /MediaBox [0 0 ${WIDTH} ${HEIGHT}] /Contents ${content} 0 R /Resources << /Font << /F1 ${regular} 0 R /F2 ${bold} 0 R >>${image ? ` /XObject << /Im ${image} 0 R >>` : ''} >> >>`,
      ),
    )
  }
  add(`<< /Type /Pages /Count ${kids.length} /Kids [${kids.map((k) => `${k} 0 R`).join(' ')}] >>`)
  let names = ''
  if (attachment) {
    const file = add(
      stream('/Type /EmbeddedFile /Subtype /text#2Fxml', Buffer.from(attachment.content, 'utf8')),
    )
    const spec = add(
      `<< /Type /Filespec /F (${attachment.name}) /UF (${attachment.name}) /AFRelationship /Alternative /EF << /F ${file} 0 R >> >>`,
    )
    names = ` /Names << /EmbeddedFiles << /Names [(${attachment.name}) ${spec} 0 R] >> >> /AF [${spec} 0 R]`
  }
  const catalog = add(`<< /Type /Catalog /Pages ${parent} 0 R${names} >>`)
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n%\u00E2\u00E3\u00CF\u00D3\n', 'latin1')]
  const offsets: number[] = []
  let length = parts[0]!.length
  for (const [index, body] of objects.entries()) {
    offsets.push(length)
    const whole = Buffer.concat([
      Buffer.from(`${index + 1} 0 obj\n`, 'latin1'),
      body,
      Buffer.from('\nendobj\n', 'latin1'),
    ])
    parts.push(whole)
    length += whole.length
  }
  const table = offsets.map((o) => `${String(o).padStart(10, '0')} 00000 n \n`).join('')
  parts.push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root ${catalog} 0 R >>\nstartxref\n${length}\n%%EOF\n`,
      'latin1',
    ),
  )
  return new Uint8Array(Buffer.concat(parts))
}
