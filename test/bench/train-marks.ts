/**
 * Draws what the network of letters' marks (`plugins/shared/ocr/marks/`) is taught by: pages in the fonts
 * of a folder, spoilt as scans and photos are, cut into lines by the OCR's own detector.
 * `bun test/bench/train-marks.ts --fonts <folder> --out <file> [--pages 3000] [--from 0]` writes
 * `<file>-train.bin` and `<file>-held.bin` (every eighth dozen of fonts, which is not taught); then
 * `python3 test/bench/train-marks.py <file> <network.onnx> <epochs>` teaches it, with Debian's package
 * python3-torch. Fonts: Debian's packages fonts-*, unpacked into one folder.
 */
import { closeSync, openSync, readdirSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { inkOf } from '../../plugins/shared/ocr/marks/ink.ts'
import { MARKS, markOf } from '../../plugins/shared/ocr/marks/letters.ts'
import { foundLines, type FoundLine } from '../../plugins/shared/ocr/networks.ts'
import { seeded } from '../support/docintel-fixtures/random.ts'
import { drawPage, registerFonts, type DrawnLetter } from './lib/drawn-letters.ts'

const { values: options } = parseArgs({
  options: {
    fonts: { type: 'string' },
    out: { type: 'string' },
    pages: { type: 'string', default: '3000' },
    from: { type: 'string', default: '0' },
  },
})
const { fonts, out } = options
if (!fonts || !out) throw new Error('--fonts names a folder and --out a file')
const families = registerFonts(
  readdirSync(fonts, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ttf|otf)$/i.test(name))
    .toSorted()
    .map((name) => join(fonts, name)),
)
/** Fonts of one family are neighbours: they are held back by the dozen. */
const isHeld = (at: number): boolean => Math.floor(at / 12) % 8 === 3
const groups = {
  train: families.filter((_, at) => !isHeld(at)),
  held: families.filter((_, at) => isHeld(at)),
}
console.log(`${groups.train.length} fonts to learn from, ${groups.held.length} held back`)

const HEAD_BYTES = 4
const LETTER_BYTES = 10

/**
 * Little-endian: width of the line and number of its letters (16 bits each), its ink row by row (a byte a
 * pixel, −0.5 to 1.5), and per letter its middle and its width (32-bit floats, in pixels) and its mark's
 * number (16 bits). Null for a line with hardly a letter.
 */
function bytesOfLine(line: FoundLine, letters: readonly DrawnLetter[]): Buffer | null {
  const { box, planes, width } = line
  const [cos, sin] = [Math.cos(box.angle), Math.sin(box.angle)]
  const scale = width / box.width
  const own = letters.flatMap((letter) => {
    const [dx, dy] = [letter.x - box.cx, letter.y - box.cy]
    const [along, across] = [dx * cos + dy * sin, dy * cos - dx * sin]
    return Math.abs(across) < box.height * 0.3 && Math.abs(along) < box.width / 2
      ? [{ ...letter, column: (along / box.width + 0.5) * width }]
      : []
  })
  if (own.length < 2) return null
  const ink = inkOf(planes, width)
  const bytes = Buffer.alloc(HEAD_BYTES + ink.data.length + own.length * LETTER_BYTES)
  bytes.writeUInt16LE(width, 0)
  bytes.writeUInt16LE(own.length, 2)
  for (const [i, value] of ink.data.entries())
    bytes[HEAD_BYTES + i] = Math.round((value + 0.5) * 127)
  for (const [i, letter] of own.entries()) {
    const at = HEAD_BYTES + ink.data.length + i * LETTER_BYTES
    bytes.writeFloatLE(letter.column, at)
    bytes.writeFloatLE(letter.width * scale, at + 4)
    bytes.writeUInt16LE(MARKS.indexOf(markOf(letter.text) ?? 'none'), at + 8)
  }
  return bytes
}

const files = { train: openSync(`${out}-train.bin`, 'w'), held: openSync(`${out}-held.bin`, 'w') }
let lines = 0
const [from, pages] = [Number(options.from), Number(options.pages)]
for (let k = from; k < from + pages; k++) {
  const r = seeded(k * 613 + 7)
  const group = k % 12 === 11 ? 'held' : 'train'
  // A prime larger than the number of fonts: their order says nothing about the page.
  const font = groups[group][(k * 7919) % groups[group].length]!
  const page = await drawPage(font, r)
  for (const line of await foundLines(page.raster)) {
    const bytes = bytesOfLine(line, page.letters)
    if (!bytes) continue
    writeSync(files[group], bytes)
    lines++
  }
  if ((k - from) % 100 === 99) console.log(`${k - from + 1} pages, ${lines} lines`)
}
for (const file of Object.values(files)) closeSync(file)
process.exit(0)
