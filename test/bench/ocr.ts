/**
 * Scores recognition (OCR) on drawn pages of made-up words in the fonts of a folder: letters right, words
 * parted right, letters with marks and currency signs right, processor seconds a page.
 * `bun test/bench/ocr.ts --fonts <folder> [--count 12] [--from 500] [--lines]`.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { BoxedWord } from '../../plugins/shared/ocr/contract.ts'
import { openEngine } from '../../plugins/shared/ocr/engine.ts'
import { markOf } from '../../plugins/shared/ocr/marks/letters.ts'
import { seeded } from '../support/docintel-fixtures/random.ts'
import { drawPage, registerFonts } from './lib/drawn-letters.ts'

const { values: options } = parseArgs({
  options: {
    fonts: { type: 'string' },
    count: { type: 'string', default: '12' },
    from: { type: 'string', default: '500' },
    lines: { type: 'boolean', default: false },
  },
})
if (!options.fonts) throw new Error('--fonts names the folder of the fonts to draw with')
const files = readdirSync(options.fonts, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(ttf|otf)$/i.test(name))
  .toSorted()
  .map((name) => join(options.fonts!, name))
// Those that `train-marks.ts` does not learn from.
const families = registerFonts(files).filter((_, i) => i % 8 === 3)

/** Text of the lines of a level page, top to bottom. */
function linesOf(words: readonly BoxedWord[]): string[] {
  const lines: BoxedWord[][] = []
  for (const word of words.toSorted((a, b) => a.y0 + a.y1 - b.y0 - b.y1)) {
    const last = lines.at(-1)
    const middle = (word.y0 + word.y1) / 2
    if (last && middle < (last[0]!.y0 + 2 * last[0]!.y1) / 3) last.push(word)
    else lines.push([word])
  }
  return lines.map((line) =>
    line
      .toSorted((a, b) => a.x0 - b.x0)
      .map(({ text }) => text)
      .join(' '),
  )
}

/** How many of `wanted` are among `given`, each used once. */
function common<T>(wanted: readonly T[], given: readonly T[]): number {
  const left = new Map<T, number>()
  for (const one of given) left.set(one, (left.get(one) ?? 0) + 1)
  return wanted.filter((one) => {
    const count = left.get(one) ?? 0
    left.set(one, count - 1)
    return count > 0
  }).length
}
const fold = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()

const sums = {
  letters: 0,
  read: 0,
  words: 0,
  parted: 0,
  given: 0,
  exact: 0,
  marks: 0,
  marked: 0,
  said: 0,
}
const engine = await openEngine('embedded', () => undefined)
const before = process.cpuUsage()
for (let k = Number(options.from); k < Number(options.from) + Number(options.count); k++) {
  const page = await drawPage(families[(k * 5) % families.length]!, seeded(k * 101 + 3))
  const { words } = await engine.recognize(page.raster)
  const read = linesOf(words)
  const [wantedText, givenText] = [page.lines.join(' '), read.join(' ')]
  const [wanted, given] = [wantedText.split(/\s+/), givenText.split(/\s+/)]
  sums.letters += fold(wantedText).replaceAll(' ', '').length
  sums.read += common([...fold(wantedText).replaceAll(' ', '')], [...fold(givenText)])
  sums.words += wanted.length
  sums.given += given.length
  sums.parted += common(
    wanted.map((word) => word.length),
    given.map((word) => word.length),
  )
  sums.exact += common(wanted, given)
  const marks = (text: string): string[] => [...text].filter((letter) => markOf(letter) !== null)
  sums.marks += marks(wantedText).length
  sums.said += marks(givenText).length
  sums.marked += common(marks(wantedText), marks(givenText))
  if (options.lines)
    for (const [i, line] of page.lines.entries()) console.log(`${line}\n${read[i]}\n`)
}
const { user, system } = process.cpuUsage(before)
const percent = (part: number, all: number): string => ((100 * part) / all).toFixed(1)
console.table({
  'letters, without marks': percent(sums.read, sums.letters),
  'words of a length that is there': percent(sums.parted, Math.max(sums.words, sums.given)),
  'words exact': percent(sums.exact, sums.words),
  'marks and signs found': percent(sums.marked, sums.marks),
  'marks and signs right': percent(sums.marked, Math.max(1, sums.said)),
  'cpu s a page': ((user + system) / 1e6 / Number(options.count)).toFixed(2),
})
process.exit(0)
