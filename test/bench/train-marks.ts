/**
 * Teaches the network of letters' marks (`plugins/shared/ocr/marks/`) on pages drawn in the fonts of a
 * folder, as the OCR itself finds their letters; every eighth font is kept for the test.
 * `bun test/bench/train-marks.ts --fonts <folder> [--pages 240] [--epochs 6] [--write]`.
 */
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openNeural, type SeenLine } from '../../plugins/shared/ocr/networks.ts'
import { markOf } from '../../plugins/shared/ocr/marks/letters.ts'
import {
  bytesOf,
  forward,
  emptyActivations,
  MARKS,
  PATCH_HEIGHT,
  PATCH_WIDTH,
} from '../../plugins/shared/ocr/marks/network.ts'
import {
  columnOf,
  inkOf,
  isMarkable,
  patchAt,
  unreadRuns,
} from '../../plugins/shared/ocr/marks/patches.ts'
import { seeded, type Random } from '../support/docintel-fixtures/random.ts'
import { drawPage, registerFonts, type DrawnPage } from './lib/drawn-letters.ts'
import { Trainer } from './lib/train-network.ts'

const { values: options } = parseArgs({
  options: {
    fonts: { type: 'string' },
    pages: { type: 'string', default: '240' },
    epochs: { type: 'string', default: '6' },
    write: { type: 'boolean', default: false },
  },
})
if (!options.fonts) throw new Error('--fonts names the folder of the fonts to draw with')
const files = readdirSync(options.fonts, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(ttf|otf)$/i.test(name))
  .toSorted()
  .map((name) => join(options.fonts!, name))
const families = registerFonts(files)

interface Sample {
  /** Ink of the patch, −50..150. */
  patch: Int16Array
  label: number
}

/** Patches of a page around the letters and runs of ink that the engine found, with what stands there. */
function samplesOf({ letters }: DrawnPage, line: SeenLine, r: Random): Sample[] {
  const { box, planes, width, letters: read, lineSteps } = line
  const columns = width / lineSteps
  const ink = inkOf(planes, width)
  const [cos, sin] = [Math.cos(box.angle), Math.sin(box.angle)]
  const own = letters
    .map((letter) => {
      const [dx, dy] = [letter.x - box.cx, letter.y - box.cy]
      return { ...letter, u: dx * cos + dy * sin, v: dy * cos - dx * sin }
    })
    .filter(({ u, v }) => Math.abs(v) < box.height * 0.3 && Math.abs(u) < box.width / 2)
    .map((letter) => ({ ...letter, column: (letter.u / box.width + 0.5) * width }))
  const scale = width / box.width
  const at = (column: number): (typeof own)[number] | undefined =>
    own.find((letter) => Math.abs(letter.column - column) < letter.width * scale * 0.5)
  const samples: Sample[] = []
  const add = (column: number, text: string, isKept: boolean): void => {
    const mark = markOf(text) ?? 'none'
    if (mark === 'none' && !isKept) return
    const patch = Int16Array.from(patchAt(ink, width, column), (value) => Math.round(value * 100))
    samples.push({ patch, label: MARKS.indexOf(mark) })
  }
  for (const letter of read) {
    const truth = at(columnOf(letter, columns))
    if (isMarkable(letter) && truth) add(columnOf(letter, columns), truth.text, r.next() < 0.55)
  }
  for (const column of unreadRuns(ink, width, read, columns))
    add(column, at(column)?.text ?? '', true)
  return samples
}

async function samplesOfPages(
  fonts: readonly string[],
  from: number,
  count: number,
): Promise<Sample[]> {
  const samples: Sample[] = []
  for (let k = from; k < from + count; k++) {
    const r = seeded(k * 613 + 7)
    const page = await drawPage(fonts[k % fonts.length]!, r)
    const engine = await openNeural(
      () => undefined,
      (line) => samples.push(...samplesOf(page, line, r)),
    )
    await engine!.read(page.raster, Infinity)
    if (k % 20 === 19) console.log(`${k + 1 - from} pages, ${samples.length} patches`)
  }
  return samples
}

const shuffled = seeded(5)
const held = families.filter((_, i) => i % 8 === 3)
const learned = families.filter((_, i) => i % 8 !== 3)
console.log(`${learned.length} fonts to learn from, ${held.length} kept for the test`)
const pages = Number(options.pages)
const examined = await samplesOfPages(held, 900_000, Math.max(4, Math.round(pages / 12)))
const lessons = await samplesOfPages(learned, 1, pages)

const trainer = new Trainer(seeded(11))
const patchOf = ({ patch }: Sample): Float32Array => Float32Array.from(patch, (v) => v / 100)

/** A patch a little beside its place, lighter or darker and with grain: each lesson differs. */
function varied({ patch }: Sample, r: Random): Float32Array {
  const [dx, dy] = [r.int(-3, 3), r.int(-2, 2)]
  const brightness = 0.75 + r.next() * 0.5
  const grain = r.chance(0.4) ? r.next() * 0.25 : 0
  const result = new Float32Array(patch.length)
  for (let y = 0; y < PATCH_HEIGHT; y++)
    for (let x = 0; x < PATCH_WIDTH; x++) {
      const column = Math.max(0, Math.min(PATCH_WIDTH - 1, x + dx))
      const row = Math.max(0, Math.min(PATCH_HEIGHT - 1, y + dy))
      const value = (patch[row * PATCH_WIDTH + column]! / 100) * brightness
      result[y * PATCH_WIDTH + x] = value + (grain === 0 ? 0 : (r.next() - 0.5) * grain)
    }
  return result
}
const epochs = Number(options.epochs)
for (let epoch = 0; epoch < epochs; epoch++) {
  for (let i = lessons.length - 1; i > 0; i--) {
    const j = Math.floor(shuffled.next() * (i + 1))
    ;[lessons[i], lessons[j]] = [lessons[j]!, lessons[i]!]
  }
  const rate = 0.0015 * (1 - epoch / epochs) ** 1.5
  let loss = 0
  for (const [i, sample] of lessons.entries()) {
    loss += trainer.learn(varied(sample, shuffled), sample.label)
    if (i % 32 === 31) trainer.step(rate)
  }
  examine(`epoch ${epoch + 1}, loss ${(loss / lessons.length).toFixed(3)}`)
  if (options.write) {
    const file = new URL('../../plugins/shared/ocr/marks/marks.bin', import.meta.url)
    writeFileSync(file, bytesOf(trainer.weights))
  }
}

/** Precision and recall of what is said with a likelihood of 0.85, by mark. */
function examine(title: string): void {
  const activations = emptyActivations()
  const table: Record<string, { all: number; found: number; said: number }> = {}
  for (const sample of examined) {
    forward(trainer.weights, patchOf(sample), activations)
    const { last } = activations
    const best = last.indexOf(last.reduce((a, b) => Math.max(a, b)))
    const truth = MARKS[sample.label]!
    ;(table[truth] ??= { all: 0, found: 0, said: 0 }).all++
    if (last[best]! < 0.85) continue
    const said = (table[MARKS[best]!] ??= { all: 0, found: 0, said: 0 })
    said.said++
    if (best === sample.label) said.found++
  }
  console.log(title)
  console.table(
    Object.fromEntries(
      Object.entries(table).map(([mark, { all, found, said }]) => [
        mark,
        { all, recall: (found / all).toFixed(3), precision: (found / said).toFixed(3) },
      ]),
    ),
  )
}
process.exit(0)
