/** Marks and signs of a line that the recogniser's alphabet lacks, found in its pixels. */
import type { Letter } from '../decode.ts'
import { composed, LIGATURES, MARKS, SIGNS, type Mark } from './letters.ts'

/** Where on a line the network sees which mark: for each class a likelihood per cell of four columns. */
export interface MarkMap {
  data: Float32Array
  cells: number
}

/** Columns of a cell. */
export const CELL = 4

/** A mark that seems to stand on a letter, or a sign of its own. */
export interface FoundMark {
  mark: Mark
  /** 0..1 */
  likelihood: number
  /** The letters of the line that it takes the place of; a sign where none was read takes none. */
  from: number
  to: number
  /** The letter with its mark, or the sign. */
  text: string
  /** Where a sign stands, in steps of the recogniser. */
  step: number
}

/** A run of cells in which one sign is the likeliest. */
export interface SeenSign {
  mark: Mark
  text: string
  likelihood: number
  /** Its middle, in columns. */
  column: number
}

/** Less likely ones are not worth keeping. */
const LEAST = 0.3
/** A sign is wider than a cell. */
const SIGN_CELLS = 2
/** Letters as near to the middle of a sign as this are what it was read as, in columns. */
const OWN_COLUMNS = 9
/** The same for the two halves of a ligature. */
const LIGATURE_COLUMNS = 14
/** What a sign may have been read as. */
const READ_AS: Readonly<Partial<Record<Mark, RegExp>>> = {
  euro: /^[€ECceGO¢6Q]$/,
  pound: /^[£EfLtF]$/,
  oe: /^[œocea]$/i,
  ae: /^[æaeoc]$/i,
}

/** Middle of a letter; `columns` are those of a step. */
const columnOf = (letter: Letter, columns: number): number =>
  ((letter.first + letter.last + 1) / 2) * columns

/** Runs of cells that show a currency sign or a ligature. */
export function seenSigns({ data, cells }: MarkMap): SeenSign[] {
  return [...Object.entries(SIGNS), ...Object.entries(LIGATURES)].flatMap(([mark, text]) => {
    const row = MARKS.indexOf(mark as Mark) * cells
    const found: SeenSign[] = []
    for (let at = 0; at < cells; at++) {
      if (data[row + at]! < 0.5) continue
      const start = at
      let most = 0
      for (; at < cells && data[row + at]! >= 0.5; at++) most = Math.max(most, data[row + at]!)
      if (at - start >= SIGN_CELLS)
        found.push({
          mark: mark as Mark,
          text,
          likelihood: most,
          column: ((start + at) / 2) * CELL,
        })
    }
    return found
  })
}

/** Place of the first letter behind a sign; the number of letters where none is. */
function placeBehind({ column }: SeenSign, letters: readonly Letter[], columns: number): number {
  const next = letters.findIndex((letter) => columnOf(letter, columns) > column)
  return next === -1 ? letters.length : next
}

/** Whether a currency sign stands in a word, where it is a letter that looks like it. */
export function isInWord(sign: SeenSign, letters: readonly Letter[], columns: number): boolean {
  const at = placeBehind(sign, letters, columns)
  return [letters[at - 1], letters[at]].some((near) => near && /\p{Ll}/u.test(near.text))
}

/** How likely a mark stands on a letter: the mean around its middle, which the recogniser knows roughly. */
function likelihoodAt({ data, cells }: MarkMap, mark: number, column: number): number {
  const middle = Math.floor(column / CELL)
  let sum = 0
  for (let cell = middle - 1; cell <= middle + 1; cell++)
    sum += data[mark * cells + Math.max(0, Math.min(cells - 1, cell))]!
  return sum / 3
}

/** Marks of one line with the `signs` seen there; `columns` are those of a step of the recogniser. */
export function findMarks(
  map: MarkMap,
  signs: readonly SeenSign[],
  letters: readonly Letter[],
  columns: number,
): FoundMark[] {
  const found: FoundMark[] = []
  for (const [at, letter] of letters.entries()) {
    const column = columnOf(letter, columns)
    let best: FoundMark | null = null
    for (const [class_, mark] of MARKS.entries()) {
      if (mark === 'none' || SIGNS[mark] || LIGATURES[mark]) continue
      const likelihood = likelihoodAt(map, class_, column)
      if (likelihood < (best?.likelihood ?? LEAST)) continue
      const text = composed(letter.text, mark)
      if (text !== null && text !== letter.text)
        best = { mark, likelihood, from: at, to: at + 1, text, step: letter.first }
    }
    if (best) found.push(best)
  }
  const placedSigns = signs.flatMap((sign) => placed(sign, letters, columns) ?? [])
  return [...withoutNeighbours(found, letters, columns), ...placedSigns]
}

/** Marks closer than this are one mark of which two letters have their share, in columns. */
const APART = 26
/** A letter whose own mark is as likely as this has it beside a neighbour's too. */
const OWN_MARK = 0.8

/** Leaves a mark to that of two neighbours on which it is likelier. */
function withoutNeighbours(
  marks: readonly FoundMark[],
  letters: readonly Letter[],
  columns: number,
): FoundMark[] {
  const place = ({ from }: FoundMark): number => columnOf(letters[from]!, columns)
  return marks.filter(
    (one) =>
      one.likelihood >= OWN_MARK ||
      !marks.some(
        (other) =>
          other !== one &&
          other.likelihood > one.likelihood &&
          Math.abs(other.from - one.from) === 1 &&
          Math.abs(place(other) - place(one)) < APART,
      ),
  )
}

/** A sign in the place of what it was read as, or between two letters; null where another letter is. */
function placed(sign: SeenSign, letters: readonly Letter[], columns: number): FoundMark | null {
  const { mark, likelihood, column } = sign
  const off = (at: number): number => Math.abs(columnOf(letters[at]!, columns) - column)
  const isReadAs = (at: number): boolean => READ_AS[mark]!.test(letters[at]!.text)
  const step = Math.floor(column / columns)
  if (LIGATURES[mark] !== undefined) {
    const [nearest, second] = [...letters.keys()]
      .filter((at) => isReadAs(at) && off(at) < LIGATURE_COLUMNS)
      .toSorted((a, b) => off(a) - off(b))
    if (nearest === undefined) return null
    const isPair = second !== undefined && Math.abs(second - nearest) === 1
    const from = isPair ? Math.min(nearest, second) : nearest
    const text = /\p{Lu}/u.test(letters[from]!.text) ? sign.text.toUpperCase() : sign.text
    return { mark, likelihood, from, to: from + (isPair ? 2 : 1), text, step }
  }
  if (isInWord(sign, letters, columns)) return null
  const near = [...letters.keys()].filter(
    (at) => letters[at]!.text !== ' ' && off(at) < OWN_COLUMNS,
  )
  if (near.length > 0) {
    if (near.length > 2 || !near.every(isReadAs)) return null
    return { ...sign, from: near[0]!, to: near.at(-1)! + 1, step }
  }
  const at = placeBehind(sign, letters, columns)
  return { ...sign, from: at, to: at, step }
}

/** The letters of a line with those marks that are at least so likely. */
export function withMarks(
  letters: readonly Letter[],
  marks: readonly FoundMark[],
  isSure: (mark: FoundMark) => boolean,
): Letter[] {
  const sure = marks
    .filter((mark) => isSure(mark))
    .toSorted((a, b) => a.from - b.from || a.to - b.to)
  const result: Letter[] = []
  let next = 0
  for (const { from, to, text, step, likelihood } of sure) {
    if (from < next) continue
    result.push(...letters.slice(next, from))
    const [first, last] = [letters[from], letters[to - 1]]
    result.push(
      from < to && first && last
        ? { ...first, last: last.last, text }
        : { text, first: step, last: step, confidence: likelihood },
    )
    next = to
  }
  return [...result, ...letters.slice(next)]
}
