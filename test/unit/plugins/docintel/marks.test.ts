/** Letters with marks that the recogniser's alphabet lacks: what they become, and one drawn page. */
import { createCanvas } from '@napi-rs/canvas'
import { describe, expect, it } from 'vitest'
import { openEngine } from '../../../../plugins/shared/ocr/engine.ts'
import { withMarks } from '../../../../plugins/shared/ocr/marks/find.ts'
import { composed, markOf } from '../../../../plugins/shared/ocr/marks/letters.ts'
import {
  bytesOf,
  SIZES,
  weightsOf,
  type Weights,
} from '../../../../plugins/shared/ocr/marks/network.ts'
import { rasterOf } from '../../../../plugins/shared/ocr/raster.ts'
import { SANS } from '../../../support/docintel-fixtures/fonts.ts'
import { seeded } from '../../../support/docintel-fixtures/random.ts'

describe('a letter under a mark', () => {
  it.each([
    ['u', 'diaeresis', 'ü'],
    ['B', 'eszett', 'ß'],
    ['t', 'stroke', 'ł'],
    ['f', 'circumflex', 'î'],
    ['Z', 'dot', 'Ż'],
    ['x', 'ring', null],
    ['b', 'acute', null],
  ] as const)('%s with %s is %s', (read, mark, letter) => {
    expect(composed(read, mark)).toBe(letter)
    if (letter) expect(markOf(letter)).toBe(mark)
  })

  it('changes its word, and a sign gets a place of its own', () => {
    const letters = ['u', '5'].map((text, i) => ({ text, first: i, last: i, confidence: 1 }))
    const marks = [
      { mark: 'diaeresis' as const, likelihood: 0.99, at: 0, text: 'ü', step: null },
      { mark: 'euro' as const, likelihood: 0.98, at: 2, text: '€', step: 3 },
      { mark: 'acute' as const, likelihood: 0.6, at: 1, text: 'x', step: null },
    ]
    const text = (least: number): string =>
      withMarks(letters, marks, ({ likelihood }) => likelihood >= least)
        .map((letter) => letter.text)
        .join('')
    expect(text(0.9)).toBe('ü5€')
    expect(text(1)).toBe('u5')
  })
})

it('weights are kept in bytes', () => {
  const r = seeded(2)
  const weights = Object.fromEntries(
    Object.entries(SIZES).map(([name, size]) => [
      name,
      Float32Array.from({ length: size }, () => r.next() - 0.5),
    ]),
  ) as unknown as Weights
  const read = weightsOf(bytesOf(weights))
  for (const [i, value] of weights.dense.entries()) expect(read.dense[i]).toBeCloseTo(value, 2)
  expect(() => weightsOf(new Uint8Array(7))).toThrow('7 bytes')
})

it('a page of European names is read with their letters', { timeout: 240_000 }, async () => {
  const lines = [
    'Bäckerei Müller, Königstraße 5',
    'Señor Muñoz, Málaga, España',
    'Łódź, złoty, główny, śnieg',
    'Københavns Fælledvej, Ålesund',
    'Gesamt 1.234,50 €  Porto € 8,99',
  ]
  const canvas = createCanvas(1000, 480)
  const context = canvas.getContext('2d')
  context.fillStyle = '#fbfaf7'
  context.fillRect(0, 0, 1000, 480)
  context.fillStyle = '#222226'
  context.font = `34px "${SANS}"`
  for (const [i, line] of lines.entries()) context.fillText(line, 50, 80 + i * 80)
  const engine = await openEngine('embedded', () => undefined)
  const { words } = await engine.recognize(rasterOf(canvas))
  const read = words.map(({ text }) => text).join(' ')
  const wanted = [...lines.join('')].filter((letter) => markOf(letter) !== null)
  const found = [...read].filter((letter) => markOf(letter) !== null)
  const right = wanted.filter((letter) => {
    const at = found.indexOf(letter)
    if (at !== -1) found.splice(at, 1)
    return at !== -1
  })
  expect(right.length / wanted.length).toBeGreaterThan(0.7)
  // What is left over was seen where nothing of the kind stands.
  expect(found.length).toBeLessThanOrEqual(2)
})
