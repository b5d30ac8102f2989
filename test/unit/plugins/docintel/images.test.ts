import { createCanvas } from '@napi-rs/canvas'
import { expect, it } from 'vitest'
import { readDocument, type ReadJob } from '../../../../plugins/docintel/pipeline.ts'
import { tiltOf } from '../../../../plugins/shared/ocr/engine.ts'
import {
  decodeImage,
  declaredSize,
  exifOrientation,
} from '../../../../plugins/shared/ocr/raster.ts'
import { MONO, SANS } from '../../../support/docintel-fixtures/fonts.ts'
import { bookshop, malaysian } from '../../../support/docintel-fixtures/malaysia.ts'
import { writePdf } from '../../../support/docintel-fixtures/pdf.ts'
import { photograph } from '../../../support/docintel-fixtures/photo.ts'
import { seeded } from '../../../support/docintel-fixtures/random.ts'

const job = (source: ReadJob['source'], rest: Partial<ReadJob> = {}): ReadJob => ({
  source,
  preferred: 'receipt',
  tier: 'auto',
  nowMs: Date.UTC(2025, 0, 1),
  ocr: 'embedded',
  // Far more than it takes: a slow machine turns no page twice otherwise, and reads less.
  ocrBudgetMs: 400_000,
  ...rest,
})
const fixture = malaysian(seeded(11), bookshop)

it('reads a tilted photo, and the same as a scanned PDF', async () => {
  const photo = await photograph(
    fixture.lines,
    { format: 'jpeg', fontSize: 26, tiltDegrees: 1, grain: 25, family: MONO },
    seeded(1),
  )
  const seen: unknown[] = []
  const image = await readDocument(job({ kind: 'image/jpeg', bytes: photo.bytes }), (p) =>
    seen.push(p),
  )
  expect(image).toMatchObject({
    ok: true,
    result: { total: fixture.truth.total, issued_at: fixture.truth.date },
  })
  expect(seen).toContainEqual({ stage: 'ocr', progress: 1 })
  const scan = writePdf({ pages: [[]], jpeg: photo })
  expect(await readDocument(job({ kind: 'application/pdf', bytes: scan }))).toMatchObject({
    ok: true,
    result: { total: fixture.truth.total },
  })
  expect(
    await readDocument(job({ kind: 'application/pdf', bytes: scan }, { tier: 'S' })),
  ).toMatchObject({ ok: true, result: { total: null, doc_type: 'unknown' } })
})

it('reads the scans of a PDF page by page', async () => {
  const photo = await photograph(
    fixture.lines,
    { format: 'jpeg', fontSize: 26, tiltDegrees: 0, grain: 5, family: MONO },
    seeded(1),
  )
  const footer = { x: 40, y: 830, text: 'Scanned with PaperScan 4.2, 12 pages per minute' }
  const read = (pages: Parameters<typeof writePdf>[0]['pages'], rest = {}) =>
    readDocument(job({ kind: 'application/pdf', bytes: writePdf({ pages, jpeg: photo }) }, rest))
  const wanted = { ok: true, result: { total: fixture.truth.total, issued_at: fixture.truth.date } }
  expect(await read([[footer]])).toMatchObject(wanted)
  const cover = [
    { x: 60, y: 80, text: 'Dear colleagues, attached you find what I spent on my journey.' },
  ]
  expect(await read([[], cover])).toMatchObject(wanted)
  const unread = await read([[footer]], { tier: 'S' })
  expect(unread).toMatchObject({ ok: true, result: { total: null, doc_type: 'unknown' } })
  expect(unread.ok && unread.result.warnings).toContain('pages_are_images_not_read')
})

it('reads a bill in front of a picture by its text', async () => {
  const canvas = createCanvas(600, 800)
  const context = canvas.getContext('2d')
  const paper = context.createLinearGradient(0, 0, 600, 800)
  paper.addColorStop(0, '#ffffff')
  paper.addColorStop(1, '#d0d4da')
  context.fillStyle = paper
  context.fillRect(0, 0, 600, 800)
  const jpeg = { bytes: new Uint8Array(await canvas.encode('jpeg')), width: 600, height: 800 }
  const lines = [
    ['Harbour Bakery Ltd', ''],
    ['Receipt R-1044', '2024-07-24'],
    ['Rye bread', '6.40'],
    ['Cinnamon rolls', '9.10'],
    ['Total', '15.50'],
  ]
  const page = lines.flatMap(([name, amount], at) => [
    { x: 60, y: 100 + 24 * at, text: name! },
    ...(amount ? [{ x: 400, y: 100 + 24 * at, text: amount }] : []),
  ])
  const bytes = writePdf({ pages: [page], jpeg })
  const recognised: unknown[] = []
  const read = await readDocument(job({ kind: 'application/pdf', bytes }), (p) =>
    recognised.push(p),
  )
  expect(read).toMatchObject({ ok: true, result: { total: 15.5, issued_at: '2024-07-24' } })
  expect(recognised).toEqual([])
})

it('draws text in a font nobody has with files of pdf.js, whatever is installed', () => {
  const context = createCanvas(10, 10).getContext('2d')
  const widthIn = (families: string) => {
    context.font = `1000px ${families}`
    return context.measureText('Total 7.10').width
  }
  expect(widthIn('"Qwertzuiop", sans-serif')).toBe(widthIn(`"${SANS}"`))
  expect(widthIn('"Qwertzuiop", monospace')).toBe(widthIn(`"${MONO}"`))
})

it('refuses images in tier S, broken ones and too many pixels', async () => {
  const png = new Uint8Array(await createCanvas(20, 10).encode('png'))
  expect(declaredSize(png)).toEqual({ width: 20, height: 10 })
  expect(await readDocument(job({ kind: 'image/png', bytes: png }, { tier: 'S' }))).toMatchObject({
    ok: false,
    code: 'UNSUPPORTED_FORMAT',
  })
  expect(await readDocument(job({ kind: 'image/png', bytes: png.subarray(0, 40) }))).toMatchObject({
    ok: false,
    code: 'UNSUPPORTED_FORMAT',
  })
  const bomb = png.slice()
  new DataView(bomb.buffer).setUint32(16, 60_000)
  new DataView(bomb.buffer).setUint32(20, 60_000)
  expect(await decodeImage(bomb)).toMatchObject({ ok: false, reason: 'too_large' })
})

it('reads the orientation of a JPEG', () => {
  const exif = Buffer.concat([
    Buffer.from([0xff, 0xd8, 0xff, 0xe1, 0, 34]),
    Buffer.from('Exif\0\0MM\0*\0\0\0\x08', 'latin1'),
    Buffer.from([0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0]),
  ])
  expect(exifOrientation(new Uint8Array(exif))).toBe(6)
  expect(exifOrientation(new Uint8Array([0xff, 0xd8, 0xff, 0xd9]))).toBe(1)
})

it('measures the tilt over wide lines', () => {
  const word = (x: number, y: number) => ({ text: 'abc', x0: x, x1: x + 30, y0: y, y1: y + 20 })
  expect(
    tiltOf([
      [word(0, 0), word(400, 8)],
      [word(0, 40), word(400, 48)],
    ]),
  ).toBeCloseTo(0.02)
  expect(tiltOf([[word(0, 0)]])).toBe(0)
})
