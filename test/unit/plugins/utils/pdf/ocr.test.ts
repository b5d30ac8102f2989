/** Pages that only draw their text are recognised: scans, a scanner's footer, what is switched off. */
import { createCanvas } from '@napi-rs/canvas'
import { describe, expect, it } from 'vitest'
import { extractPdf } from '../../../../../plugins/utils/pdf/extract.ts'
import type { PdfOrder } from '../../../../../plugins/utils/pdf/pdf-order.ts'
import { DrawnPages } from '../../../../../plugins/utils/pdf/read/drawn.ts'
import type { PageMarks } from '../../../../../plugins/utils/pdf/read/marks.ts'
import { SANS } from '../../../../support/docintel-fixtures/fonts.ts'
import { writePdf, type PdfInput } from '../../../../support/docintel-fixtures/pdf.ts'

const SENTENCES = [
  'The committee met on 14 March 2024 and heard the',
  'report of the treasurer. It was accepted as read.',
  'The next meeting takes place in the town hall.',
]
const TABLE = [
  ['Parish', 'Members', 'Dues'],
  ['Northfield', '212', '1,060.00'],
  ['Hillside', '98', '490.00'],
  ['Riverton', '145', '725.00'],
  ['Old Bridge', '61', '305.00'],
]

/** An A4 page at 150 dpi with a heading, a paragraph and a table without lines. */
async function scan(): Promise<NonNullable<PdfInput['jpeg']>> {
  const [width, height] = [1240, 1754]
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  context.fillStyle = '#faf9f5'
  context.fillRect(0, 0, width, height)
  context.fillStyle = '#26262a'
  context.font = `40px "${SANS}"`
  context.fillText('Minutes of the year', 120, 180)
  context.font = `26px "${SANS}"`
  for (const [i, line] of SENTENCES.entries()) context.fillText(line, 120, 270 + i * 38)
  for (const [i, row] of TABLE.entries())
    for (const [k, cell] of row.entries()) context.fillText(cell, [120, 560, 860][k]!, 520 + i * 40)
  return { bytes: new Uint8Array(await canvas.encode('jpeg', 85)), width, height }
}

async function read(input: PdfInput, rest: Partial<PdfOrder> = {}) {
  const order = { bytes: writePdf(input), includeTables: true, maxPages: 100, ...rest }
  const outcome = await extractPdf(order, () => undefined)
  if (!outcome.ok) throw new Error(outcome.message)
  return outcome
}

describe('a page that is an image', () => {
  it('gives text, tables and a confidence, and a footer of its own stays', async () => {
    const footer = { x: 40, y: 830, text: 'Scanned with PaperScan 4.2' }
    const input = { pages: [[footer], [{ x: 72, y: 100, text: 'A second page of text' }]] }
    const { output, isEmpty } = await read({ ...input, jpeg: await scan() }, { ocr: 'auto' })
    const [first, second] = output.pages
    // A space here and there is too narrow to be seen.
    const squashed = first!.text.replaceAll(/\s/g, '')
    for (const line of ['Minutes of the year', ...SENTENCES, footer.text])
      expect(squashed).toContain(line.replaceAll(' ', ''))
    expect(first!.text).toContain('The committee met on 14 March 2024 and heard the')
    expect(first!.ocrConfidence).toBeGreaterThan(0.9)
    expect(output.tables.map(({ rows }) => rows)).toEqual([TABLE])
    expect(second).toEqual({ page: 2, text: 'A second page of text' })
    expect(output.meta.warnings).toEqual([])
    expect(isEmpty).toBe(false)
  })

  it('is only named where recognition is off or sees nothing', async () => {
    const off = await read({ pages: [[]], jpeg: await scan() }, { ocr: 'off' })
    expect(off.output.pages).toEqual([{ page: 1, text: '' }])
    expect(off.output.meta.warnings).toMatchObject([{ page: 1, code: 'image_only' }])
    const canvas = createCanvas(400, 560)
    canvas.getContext('2d').fillRect(0, 0, 400, 560)
    const bytes = new Uint8Array(await canvas.encode('jpeg'))
    const blank = await read(
      { pages: [[]], jpeg: { bytes, width: 400, height: 560 } },
      { ocr: 'auto' },
    )
    expect(blank.isEmpty).toBe(true)
    expect(blank.output.meta.warnings).toMatchObject([{ page: 1, code: 'image_only' }])
  })
  it('is not looked for any more once looking has taken its time', async () => {
    const bytes = writePdf({ pages: [[]], jpeg: await scan() })
    const slide = { glyphs: [{ text: 'Slide' }] } as PageMarks
    const bare = { glyphs: [] as PageMarks['glyphs'] } as PageMarks
    const looking = new DrawnPages({ bytes, ocr: 'auto' })
    expect(await looking.imageShare(slide, 1)).toBeGreaterThan(0.5)
    await looking.close()
    const late = new DrawnPages({ bytes, ocr: 'auto', lookingMs: 0 })
    expect(await late.imageShare(slide, 1)).toBe(0)
    // It may be a scan: it is recognised, or named as left out.
    expect(await late.imageShare(bare, 1)).toBe(1)
    expect(await new DrawnPages({ bytes, ocr: 'off', lookingMs: 0 }).imageShare(bare, 1)).toBe(0)
  })
})
