/** Letters with marks that the recogniser's alphabet lacks: what they become under a mark. */
import { describe, expect, it } from 'vitest'
import { withMarks } from '../../../../plugins/shared/ocr/marks/find.ts'
import { composed, markOf } from '../../../../plugins/shared/ocr/marks/letters.ts'
import {
  bytesOf,
  SIZES,
  weightsOf,
  type Weights,
} from '../../../../plugins/shared/ocr/marks/network.ts'
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
  const off = weights.dense.map((value, i) => Math.abs(value - read.dense[i]!))
  expect(Math.max(...off.slice(0, 5000))).toBeLessThan(0.005)
  expect(() => weightsOf(new Uint8Array(7))).toThrow('7 bytes')
})
