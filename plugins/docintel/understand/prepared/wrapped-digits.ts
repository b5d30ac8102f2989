/**
 * Numbers that a narrow column broke like words: "1045.4" over "7", where the row below has nothing but such
 * ends and the rest of a name.
 */
import {
  columnAt,
  withCells,
  type Cell,
  type DocumentText,
  type Row,
} from '../../model/document.ts'
import { wordsOfRow, type Word } from '../marks/head-columns.ts'

/** A number with a mark of decimals, or one that ends in it. */
const BROKEN = /^\d[\d.,]*[.,]\d*$/
const END = /^\d{1,2}$/
/** Columns by which the end may stand out beside its number. */
const SLACK = 1
/** Rows with ends that make a broken column; one is chance. */
const ENDS_LEAST = 2

interface Ends {
  /** Ends with the words above them that they go on. */
  pairs: { word: Word; end: Word }[]
  /** The rest of a name; null without one. */
  name: Cell | null
}

/** The ends of numbers that a row consists of; null where it says anything else. */
function endsIn(row: Row, above: Row | undefined): Ends | null {
  if (!above || above.page !== row.page || row.gapAbove > 0.8) return null
  const [first, ...others] = row.cells
  const isName = first !== undefined && /^\p{L}[\p{L} ]*$/u.test(first.text)
  const ends = (isName ? others : row.cells).flatMap((cell) =>
    wordsOfRow({ ...row, cells: [cell] }),
  )
  if (ends.length === 0 || !ends.every(({ text }) => END.test(text))) return null
  const words = wordsOfRow(above).filter(({ text }) => BROKEN.test(text))
  const pairs = ends.flatMap((end) => {
    const word = words.find(({ x0, x1 }) => x0 - SLACK < end.x0 && end.x1 < x1 + SLACK)
    return word ? [{ word, end }] : []
  })
  return pairs.length === ends.length ? { pairs, name: isName ? first : null } : null
}

/** The row with the ends of its numbers behind them. */
function joined(row: Row, { pairs, name }: Ends): Row {
  let isNameJoined = name === null
  const cells = row.cells.map((cell): Cell => {
    const words = [...cell.text.matchAll(/\S+/g)]
    const text = words
      .map(({ 0: word, index }) => {
        const x0 = columnAt(cell, index)
        const pair = pairs.find((one) => one.word.x0 === x0)
        return pair ? `${word}${pair.end.text}` : word
      })
      .join(' ')
    return { ...cell, text }
  })
  const joinedCells = cells.map((cell): Cell => {
    const isOwn = !isNameJoined && name!.x0 <= cell.x1 && name!.x0 >= cell.x0 - SLACK
    const letters = /^(.*\p{L})(?=$|\s[\d%.,\s]*$)/u.exec(cell.text)?.[1]
    if (!isOwn || !letters) return cell
    isNameJoined = true
    return { ...cell, text: `${letters}${name!.text}${cell.text.slice(letters.length)}` }
  })
  return withCells(row, joinedCells)
}

/** The document with its broken numbers whole; the same where no column broke any. */
export function withWholeNumbers(document: DocumentText): DocumentText {
  if (!document.hasGeometry) return document
  const { rows } = document
  const ends = rows.map((row, at) => endsIn(row, rows[at - 1]))
  if (ends.filter((end) => end !== null).length < ENDS_LEAST) return document
  const whole = rows.flatMap((row, at) => {
    if (ends[at]) return []
    const below = ends[at + 1]
    return [below ? joined(row, below) : row]
  })
  return { ...document, rows: whole.map((row, index) => ({ ...row, index })) }
}
