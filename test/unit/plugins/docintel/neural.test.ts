/** The parts of the neural OCR that need no network, and one photo that lies on its side. */
import { createCanvas, loadImage } from '@napi-rs/canvas'
import { describe, expect, it } from 'vitest'
import { readDocument } from '../../../../plugins/docintel/pipeline.ts'
import { along, mainAngle, textBoxes } from '../../../../plugins/shared/ocr/boxes.ts'
import { alphabetOf, lettersOf, wordsOf } from '../../../../plugins/shared/ocr/decode.ts'
import { level } from '../../../../plugins/shared/ocr/level.ts'
import { SANS } from '../../../support/docintel-fixtures/fonts.ts'
import { photograph } from '../../../support/docintel-fixtures/photo.ts'
import { seeded } from '../../../support/docintel-fixtures/random.ts'

const degrees = (angle: number): number => (angle * 180) / Math.PI
const radians = (angle: number): number => (angle * Math.PI) / 180

/** A map of likelihoods with bars of text along an angle. */
function mapOf(angle: number, bars: readonly { cx: number; cy: number; length: number }[]) {
  const side = 400
  const map = new Float32Array(side * side)
  const [cos, sin] = [Math.cos(radians(angle)), Math.sin(radians(angle))]
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++)
      for (const { cx, cy, length } of bars) {
        const u = (x - cx) * cos + (y - cy) * sin
        const v = (y - cy) * cos - (x - cx) * sin
        if (Math.abs(u) < length / 2 && Math.abs(v) < 4) map[y * side + x] = 0.9
      }
  return textBoxes(map, side, side)
}

describe('lines of text', () => {
  it.each([-12, 0, 7, 40, 85])('at %i degrees are found with their angle', (angle) => {
    const boxes = mapOf(angle, [
      { cx: 200, cy: 120, length: 180 },
      { cx: 200, cy: 280, length: 90 },
    ])
    expect(boxes).toHaveLength(2)
    expect(degrees(mainAngle(boxes))).toBeCloseTo(angle, 0)
    // The box is larger than the core that the map shows.
    expect(boxes[0]!.height).toBeGreaterThan(14)
  })

  it('of a letter or two are read along the others', () => {
    const box = { cx: 0, cy: 0, width: 20, height: 16, angle: radians(80), score: 1 }
    expect(along(box, 0)).toMatchObject({ width: 16, height: 20, angle: 0 })
    expect(degrees(along({ ...box, width: 200, angle: radians(5) }, 0).angle)).toBeCloseTo(5)
  })

  it('are level after the tilt and the perspective are taken out', () => {
    const lines = [-150, -100, -50, 0, 50, 100, 150].flatMap((y) =>
      [-100, 100].map((x) => {
        const slope = 0.03 + y * 0.0001
        const angle = Math.atan(slope)
        const box = { cx: 200 + x, cy: 200 + y + slope * x, width: 90, height: 12, angle, score: 1 }
        return { box, words: [{ text: 'a', from: 0, to: 1, confidence: 1 }] }
      }),
    )
    const { words } = level(lines, 0, { width: 400, height: 400 })
    for (let i = 0; i < words.length; i += 2) expect(words[i]!.y0).toBeCloseTo(words[i + 1]!.y0, 0)
  })
})

describe('what a recogniser says', () => {
  const alphabet = alphabetOf('a\nb\n中\n')
  /** One class of five at each step: blank, a, b, 中, space. */
  const read = (classes: readonly number[], paper?: Uint8Array, withHan = true) => {
    const output = new Float32Array(classes.length * 5)
    for (const [step, at] of classes.entries()) {
      output[step * 5 + at] = 0.9
      // What a Latin page would say where a Chinese letter was seen.
      if (at === 3) output[step * 5 + 2] = 0.05
    }
    const all = paper ?? new Uint8Array(classes.length * 8)
    const letters = lettersOf(output, classes.length, alphabet, withHan)
    return wordsOf(letters, classes.length, all).map((w) => w.text)
  }
  it('is letters without repeats and blanks, parted by spaces', () => {
    expect(read([1, 1, 0, 1, 2, 0, 4, 0, 1])).toEqual(['aab', 'a'])
  })
  it('has no Chinese letters on a Latin page', () => {
    expect(read([1, 0, 3, 0], undefined, false)).toEqual(['ab'])
    expect(read([1, 0, 3, 0])).toEqual(['a中'])
  })
  it('is parted where letters stand apart with paper between them', () => {
    const classes = [1, 0, 2, 0, 1, 0, 0, 0, 2, 0, 1, 0, 2]
    const paper = new Uint8Array(classes.length * 8)
    paper.fill(1, 5 * 8, 8 * 8)
    expect(read(classes, paper)).toEqual(['aba', 'bab'])
    expect(read([1, 0, 2, 0, 1, 0, 0, 2, 0, 1, 0, 2])).toEqual(['abab'.slice(0, 3) + 'bab'])
  })
})

it('reads a photo that lies on its side, tilted', async () => {
  const lines = [
    'BLUE HERON CAFE',
    '12 Canal Street, Leeds LS1 4AB',
    'Receipt No: 00417 | 14/03/2024 09:12',
    'Flat white | 3.20',
    'Almond croissant | 3.90',
    'Total | 7.10',
    'Cash | 10.00',
    'Change | 2.90',
  ]
  const photo = await photograph(
    lines,
    { format: 'png', fontSize: 22, tiltDegrees: 0, grain: 15, family: SANS },
    seeded(4),
  )
  const upright = await loadImage(Buffer.from(photo.bytes))
  const side = Math.ceil(Math.hypot(photo.width, photo.height))
  const canvas = createCanvas(side, side)
  const context = canvas.getContext('2d')
  context.fillStyle = '#777777'
  context.fillRect(0, 0, side, side)
  context.translate(side / 2, side / 2)
  context.rotate(radians(270 + 11))
  context.drawImage(upright, -photo.width / 2, -photo.height / 2)
  const outcome = await readDocument({
    source: { kind: 'image/png', bytes: new Uint8Array(await canvas.encode('png')) },
    preferred: 'receipt',
    tier: 'auto',
    nowMs: Date.UTC(2025, 0, 1),
    ocr: 'embedded',
    ocrBudgetMs: 400_000,
    withEvidence: true,
  })
  expect(outcome).toMatchObject({
    ok: true,
    result: {
      total: 7.1,
      issued_at: '2024-03-14',
      issued_time: '09:12',
      tendered: 10,
      change: 2.9,
      evidence: { total: { page: 1, box: expect.any(Array) } },
    },
  })
})
