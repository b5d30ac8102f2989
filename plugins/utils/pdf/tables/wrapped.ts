/** Rows of a table from its lines of text: cells of several lines are put together. */
import type { Ruling } from '../read/marks.ts'
import type { Word } from '../text/word.ts'
import { cellText, isNumeric } from './cells.ts'
import { median } from './columns.ts'

/** One line of text of a table, by column. */
export interface TableLine {
  v: number
  size: number
  cells: Word[][]
  /** A stretch of it runs over a boundary. */
  crosses: boolean
}

/** Largest distance of two lines of one heading, in font sizes. */
const HEAD_LEADING = 1.75
/** Gaps between rows are at least this much wider than those inside them. */
const GAP_RATIO = 1.15
const LEADING_MAX = 1.75
const YEAR_OR_NUMBER_OF_COLUMN = /^(?:(?:19|20)\d\d(?:[/–-]\d\d(?:\d\d)?)?[a-z*]?|\(\d{1,2}\))$/

/** The rows of the table that the lines make; `rules` run across it. */
export function wrappedRows(lines: readonly TableLine[], rules: readonly Ruling[]): string[][] {
  const texts = lines.map((line) => line.cells.map(cellText))
  const body = bodyStart(texts)
  const grouped = groupedBody(lines, texts, body, rules)
  const merged: Word[][][] = []
  lines.forEach((line, i) => {
    const previous = merged.at(-1)
    if (previous && goesOn(i)) line.cells.forEach((words, c) => previous[c]!.push(...words))
    else merged.push(line.cells.map((words) => [...words]))
  })
  return merged.map((cells) => cells.map(cellText))

  function goesOn(i: number): boolean {
    if (isParted(lines, rules, i)) return false
    if (i < body) return goesOnInHead(lines, texts, i)
    if (grouped) return i > body && !grouped.has(i)
    return i !== body && goesOnInBody(lines, texts, i)
  }
}

/** Index of the first line that holds figures; years and column numbers belong to the heading. */
function bodyStart(texts: readonly string[][]): number {
  const found = texts.findIndex((text) => {
    const filled = text.slice(1).filter((cell) => cell !== '')
    const figures = filled.filter((cell) => isNumeric(cell) && !YEAR_OR_NUMBER_OF_COLUMN.test(cell))
    return filled.length > 0 && figures.length >= 0.5 * filled.length
  })
  return found < 0 ? 1 : found
}

function isParted(lines: readonly TableLine[], rules: readonly Ruling[], i: number): boolean {
  const { v, size } = lines[i]!
  return rules.some((rule) => rule.at > lines[i - 1]!.v && rule.at < v - 0.3 * size)
}

/** Lines of the body that begin a row, where rules or gaps show them for all; else null. */
function groupedBody(
  lines: readonly TableLine[],
  texts: readonly string[][],
  body: number,
  rules: readonly Ruling[],
): Set<number> | null {
  const indices = lines.map((_, i) => i).slice(body + 1)
  if (indices.length < 3) return null
  const ruled = new Set(indices.filter((i) => isParted(lines, rules, i)))
  if (ruled.size >= 2 && areRows(texts, body, ruled)) return ruled
  const gaps = indices.map((i) => (lines[i]!.v - lines[i - 1]!.v) / lines[i]!.size)
  const sorted = gaps.toSorted((a, b) => a - b)
  let best = 0
  let limit = 0
  for (let k = 1; k < sorted.length; k++) {
    const ratio = sorted[k]! / sorted[k - 1]!
    if (sorted[k - 1]! > LEADING_MAX || ratio < GAP_RATIO || ratio <= best) continue
    best = ratio
    limit = (sorted[k]! + sorted[k - 1]!) / 2
  }
  if (best === 0) return null
  const spaced = new Set(indices.filter((_, k) => gaps[k]! > limit))
  return areRows(texts, body, spaced) ? spaced : null
}

/** Whether the lines between two starts look like the lines of one row, throughout. */
function areRows(texts: readonly string[][], body: number, starts: ReadonlySet<number>): boolean {
  const groups: string[][][] = []
  for (let i = body; i < texts.length; i++) {
    if (i === body || starts.has(i)) groups.push([])
    groups.at(-1)!.push(texts[i]!)
  }
  const several = groups.filter((group) => group.length > 1)
  if (several.length === 0 || groups.length < 3) return false
  const filled = (text: readonly string[]): number => text.filter((cell) => cell !== '').length
  const isRow = (group: readonly string[][]): boolean => {
    const figures = group.filter((text) => text.slice(1).some(isNumeric)).length
    const names = group.filter((text) => text[0] !== '').length
    const isFirstFullest = group.slice(1).every((text) => filled(text) < filled(group[0]!))
    // Lines that are nearly full are rows of their own.
    const full = group.filter((text) => text[0] !== '' && filled(text) > 0.75 * text.length).length
    return (
      figures <= 1 &&
      (names < group.length || figures === 1 || isFirstFullest) &&
      full <= 1 + group.length / 3
    )
  }
  if (several.filter(isRow).length < 0.9 * several.length) return false
  const firsts = groups.reduce((n, group) => n + Math.max(...group.map(filled)), 0) / groups.length
  const others = several.flatMap((group) =>
    group
      .map(filled)
      .toSorted((a, b) => b - a)
      .slice(1),
  )
  return others.reduce((a, b) => a + b, 0) / others.length < 0.8 * firsts
}

/** A heading of several lines: each cell above goes on in one that is set like it. */
function goesOnInHead(lines: readonly TableLine[], texts: readonly string[][], i: number): boolean {
  const [above, line] = [lines[i - 1]!, lines[i]!]
  const [before, text] = [texts[i - 1]!, texts[i]!]
  if (line.v - above.v > HEAD_LEADING * line.size || above.crosses) return false
  const isCarriedOn = before.every(
    (cell, c) => cell === '' || (text[c] !== '' && isSetAlike(above.cells[c]!, line.cells[c]!)),
  )
  if (isCarriedOn && before.slice(1).some((cell) => cell !== '')) return true
  // Heads that begin at the top: only the longer ones go on. Units stand below all.
  const under = text.every((cell, c) => cell === '' || before[c] !== '')
  const count = (cells: readonly string[]): number => cells.slice(1).filter((c) => c !== '').length
  return text[0] === '' && under && count(text) < count(before)
}

/** Whether two lines of a cell share their left or right edge or their middle. */
function isSetAlike(above: readonly Word[], below: readonly Word[]): boolean {
  const slack = 0.7 * below[0]!.size
  const left = (words: readonly Word[]): number => Math.min(...words.map((w) => w.u0))
  const right = (words: readonly Word[]): number => Math.max(...words.map((w) => w.u1))
  const [dl, dr] = [left(above) - left(below), right(above) - right(below)]
  return Math.abs(dl) < slack || Math.abs(dr) < slack || Math.abs(dl + dr) < 2 * slack
}

/** Single lines that go on with the row above, where nothing shows it for all. */
function goesOnInBody(lines: readonly TableLine[], texts: readonly string[][], i: number): boolean {
  const gaps = lines.slice(1).map((line, k) => line.v - lines[k]!.v)
  const gap = gaps[i - 1]!
  const [before, text] = [texts[i - 1]!, texts[i]!]
  if (gap > 1.6 * lines[i]!.size && gap > 1.15 * median(gaps)) return false
  const filled = text.filter((cell) => cell !== '')
  const hasNumbers = filled.some(isNumeric)
  // Every cell stands under one that it can continue.
  const under = text.every((cell, c) => cell === '' || before[c] !== '')
  if (text[0] === '') {
    if (hasNumbers || !under) return false
    return filled.length < before.filter((cell) => cell !== '').length
  }
  // A row whose numbers stand in its first line, closer to this line than the next row is.
  const anchored = before.some((cell, c) => isNumeric(cell) && text[c] === '')
  const near = i < gaps.length ? gap < 0.9 * gaps[i]! : gap < 0.9 * Math.max(...gaps)
  if (anchored && under && near && !hasNumbers) return true
  const onlyFirst = filled.length === 1
  const small = /^[\p{Ll}(&]/u.test(text[0]!)
  if (onlyFirst && small && before[0] !== '') return true
  // The label began on the line above, which has nothing else.
  return small && before[0] !== '' && before.slice(1).every((cell) => cell === '')
}
