/** Letters with marks that the recogniser's alphabet lacks: where they are found, what they become. */
import { createCanvas } from '@napi-rs/canvas'
import { describe, expect, it } from 'vitest'
import type { Letter } from '../../../../plugins/shared/ocr/decode.ts'
import {
  findMarks,
  seenSigns,
  withMarks,
  type FoundMark,
  type MarkMap,
} from '../../../../plugins/shared/ocr/marks/find.ts'
import { inkOf, withoutInkAt } from '../../../../plugins/shared/ocr/marks/ink.ts'
import { composed, MARKS, markOf, type Mark } from '../../../../plugins/shared/ocr/marks/letters.ts'
import { openNeural } from '../../../../plugins/shared/ocr/networks.ts'
import { rasterOf } from '../../../../plugins/shared/ocr/raster.ts'
import { SANS } from '../../../support/docintel-fixtures/fonts.ts'

describe('a letter under a mark', () => {
  it.each([
    ['u', 'diaeresis', 'ü'],
    ['B', 'eszett', 'ß'],
    ['t', 'stroke', 'ł'],
    ['f', 'circumflex', 'î'],
    ['Z', 'dot', 'Ż'],
    ['6', 'acute', 'ó'],
    ['e', 'macron', 'ē'],
    ['x', 'ring', null],
    ['b', 'acute', null],
  ] as const)('%s with %s is %s', (read, mark, letter) => {
    expect(composed(read, mark)).toBe(letter)
    if (letter) expect(markOf(letter)).toBe(mark)
  })

  it.each([
    ['€', 'euro'],
    ['Œ', 'oe'],
    ['æ', 'ae'],
    ['a', null],
  ] as const)('%s is a sign of the class %s', (letter, mark) => {
    expect(markOf(letter)).toBe(mark)
  })
})

/** Letters a step apart from the third on, two cells each. */
const lettersOf = (text: string): Letter[] =>
  [...text].map((letter, i) => ({ text: letter, first: i * 3, last: i * 3, confidence: 1 }))
/** Columns of a step. */
const STEP = 8
const cellOf = (at: number): number => Math.floor(((at * 3 + 0.5) * STEP) / 4)

function mapOf(
  marks: readonly { mark: Mark; cells: readonly number[]; likelihood: number }[],
): MarkMap {
  const cells = 80
  const data = new Float32Array(MARKS.length * cells)
  for (const { mark, cells: own, likelihood } of marks)
    for (const cell of own) data[MARKS.indexOf(mark) * cells + cell] = likelihood
  return { data, cells }
}
const around = (cell: number): number[] => [cell - 1, cell, cell + 1]
const marked = (map: MarkMap, text: string): string =>
  withMarks(lettersOf(text), findMarks(map, seenSigns(map), lettersOf(text), STEP), () => true)
    .map((letter) => letter.text)
    .join('')

describe('marks of a line', () => {
  it('stand on the letters below them', () => {
    const map = mapOf([
      { mark: 'diaeresis', cells: around(cellOf(1)), likelihood: 0.9 },
      { mark: 'eszett', cells: around(cellOf(3)), likelihood: 0.9 },
    ])
    expect(marked(map, 'GroBe')).toBe('Große')
    expect(marked(map, 'Grxße')).toBe('Grxße')
  })

  it('stand on one of two neighbours unless both are as likely', () => {
    const both = (second: number): MarkMap =>
      mapOf([
        { mark: 'acute', cells: around(cellOf(2)), likelihood: 0.9 },
        { mark: 'acute', cells: around(cellOf(3)), likelihood: second },
      ])
    expect(marked(both(0.5), 'crees')).toBe('crées')
    expect(marked(both(0.85), 'crees')).toBe('créés')
  })

  it('become signs in the place of what they were read as, or between letters', () => {
    const euro = (cell: number): MarkMap =>
      mapOf([{ mark: 'euro', cells: around(cell), likelihood: 0.97 }])
    expect(marked(euro(cellOf(2)), '12E')).toBe('12€')
    expect(marked(euro(cellOf(3)), '125')).toBe('125€')
    // Another letter stands there: the network is wrong rather than the recogniser.
    expect(marked(euro(cellOf(2)), '12k')).toBe('12k')
    expect(marked(euro(cellOf(1)), 'aEb')).toBe('aEb')
  })

  it('become one letter where two were read', () => {
    const map = mapOf([{ mark: 'oe', cells: [cellOf(0) + 3, cellOf(0) + 4], likelihood: 0.9 }])
    const narrow = (text: string): Letter[] =>
      [...text].map((letter, i) => ({ text: letter, first: i, last: i, confidence: 1 }))
    const letters = narrow(' oeuf')
    expect(
      withMarks(letters, findMarks(map, seenSigns(map), letters, STEP), () => true)
        .map(({ text }) => text)
        .join('')
        .trim(),
    ).toMatch(/^œ/)
  })

  it('are taken from a likelihood on', () => {
    const letters = lettersOf('u5')
    const mark = (rest: Partial<FoundMark>): FoundMark => ({
      mark: 'diaeresis',
      likelihood: 0.99,
      from: 0,
      to: 1,
      text: 'ü',
      step: 0,
      ...rest,
    })
    const marks = [
      mark({}),
      mark({ mark: 'euro', likelihood: 0.98, from: 2, to: 2, text: '€', step: 6 }),
    ]
    const text = (least: number): string =>
      withMarks(letters, marks, ({ likelihood }) => likelihood >= least)
        .map((letter) => letter.text)
        .join('')
    expect(text(0.9)).toBe('ü5€')
    expect(text(0.985)).toBe('ü5')
    expect(text(1)).toBe('u5')
  })
})

it('a letter is taken out of its line', () => {
  const [width, height] = [60, 48]
  const data = new Float32Array(3 * width * height).fill(0.9)
  const stroke = (from: number, to: number): void => {
    for (let plane = 0; plane < 3; plane++)
      for (let y = 10; y < 38; y++)
        data.fill(-0.9, (plane * height + y) * width + from, (plane * height + y) * width + to)
  }
  stroke(10, 18)
  stroke(30, 40)
  const planes = { data, width, height }
  const left = inkOf(withoutInkAt(planes, width, [34]), width)
  const inkIn = (from: number, to: number): number =>
    left.data.reduce(
      (sum, v, i) => sum + (i % width >= from && i % width < to && v > 0.5 ? 1 : 0),
      0,
    )
  expect(inkIn(10, 18)).toBe(8 * 28)
  expect(inkIn(25, 45)).toBe(0)
})

/** Draws lines 60 pixels apart and reads them: the words of each, left to right. */
async function readDrawn(lines: readonly string[], px: number): Promise<string[][]> {
  const canvas = createCanvas(900, 60 * (lines.length + 1))
  const context = canvas.getContext('2d')
  context.fillStyle = '#f7f5f0'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.fillStyle = '#222'
  context.font = `${px}px "${SANS}"`
  for (const [i, line] of lines.entries()) context.fillText(line, 60, 60 + i * 60)
  const engine = await openNeural(() => undefined)
  const { words } = await engine!.read(rasterOf(canvas), Infinity)
  return lines.map((_, i) =>
    words
      .filter(({ y0, y1 }) => Math.abs((y0 + y1) / 2 - (50 + i * 60)) < 25)
      .toSorted((one, other) => one.x0 - other.x0)
      .map(({ text }) => text),
  )
}

describe('a drawn page', () => {
  it('keeps its marks, signs and the digits beside them', async () => {
    const lines = [
      'Größere Übung für Käse',
      'Crème brûlée à la carte',
      'Opłata za usługę: złoty',
      'Señor Muñoz, São João',
      'Blåbærgrød på Ærø',
      'Betrag 2.396,32 €',
    ]
    const read = await readDrawn(lines, 28)
    expect(read.map((words) => words.join(''))).toEqual(
      lines.map((line) => line.replaceAll(' ', '')),
    )
  })

  it('in English gets no marks', async () => {
    const lines = ['Minutes of the year, filed in July', "It's Jill's fifth visit; i.e. 'final'"]
    const read = await readDrawn(lines, 26)
    expect(read.flat().length).toBeGreaterThan(8)
    expect(read.flat().join(' ')).toMatch(/^[\x20-\x7E]+$/)
  })
})
