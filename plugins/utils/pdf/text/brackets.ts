/**
 * Brackets in right-to-left text. Most files say of a bracket how it looks; others, as those of Word, say
 * what was typed: an opening bracket that looks like ')'. Whichever leaves fewer brackets without
 * their other half is the page's way.
 */
import type { Glyph } from '../read/marks.ts'
import { isOpening, mirrored, RIGHT_TO_LEFT } from './bidi.ts'

const LEFT_TO_RIGHT = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}]/u

/** The glyphs with brackets of right-to-left text as they look. */
export function bracketsAsDrawn(glyphs: readonly Glyph[]): readonly Glyph[] {
  if (!glyphs.some(({ text }) => RIGHT_TO_LEFT.test(text))) return glyphs
  const brackets = rowsOf(glyphs).map(rightToLeftBrackets)
  const asStated = brackets.reduce((sum, row) => sum + unpaired(row.map(({ text }) => text)), 0)
  const asTyped = brackets.reduce(
    (sum, row) => sum + unpaired(row.map(({ text }) => mirrored(text)!)),
    0,
  )
  if (asStated <= asTyped) return glyphs
  const turned = new Set(brackets.flat())
  return glyphs.map((glyph) =>
    turned.has(glyph) ? { ...glyph, text: mirrored(glyph.text)! } : glyph,
  )
}

/** Glyphs of one baseline from left to right. */
function rowsOf(glyphs: readonly Glyph[]): Glyph[][] {
  const rows = new Map<number, Glyph[]>()
  for (const glyph of glyphs) {
    if (glyph.turn !== 0 || glyph.vertical || glyph.text.trim() === '') continue
    const row = rows.get(Math.round(glyph.y))
    if (row) row.push(glyph)
    else rows.set(Math.round(glyph.y), [glyph])
  }
  return [...rows.values()].map((row) => row.toSorted((a, b) => a.x - b.x))
}

/** The brackets of a row whose nearest letters, on both sides, are not written from left to right. */
function rightToLeftBrackets(row: readonly Glyph[]): Glyph[] {
  if (!row.some(({ text }) => RIGHT_TO_LEFT.test(text))) return []
  const isLeftward: boolean[] = []
  let before = true
  for (const { text } of row) {
    if (LEFT_TO_RIGHT.test(text)) before = false
    else if (RIGHT_TO_LEFT.test(text)) before = true
    isLeftward.push(before)
  }
  let after = true
  for (let i = row.length - 1; i >= 0; i--) {
    const { text } = row[i]!
    if (LEFT_TO_RIGHT.test(text)) after = false
    else if (RIGHT_TO_LEFT.test(text)) after = true
    isLeftward[i] &&= after
  }
  return row.filter(({ text }, i) => isLeftward[i] && mirrored(text) !== null)
}

/** How many brackets of a row have no other half. */
function unpaired(brackets: readonly string[]): number {
  const open: string[] = []
  let alone = 0
  for (const bracket of brackets) {
    if (isOpening(bracket)) open.push(bracket)
    else if (open.at(-1) === mirrored(bracket)) open.pop()
    else alone++
  }
  return alone + open.length
}
