/**
 * Visual to logical order. Glyphs stand on the page as they are seen; right-to-left runs are turned
 * round so that the text reads as it was typed (the inverse of UAX 9, for whole lines).
 */
import type { Word } from './word.ts'

/** Letters and signs of right-to-left writings; their digits are written from left to right. */
export const RIGHT_TO_LEFT =
  /[\u0590-\u065f\u066d-\u06ef\u06fa-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]|[\u{10800}-\u{10fff}]|[\u{1e800}-\u{1efff}]/u
const LTR = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}\p{N}\\#@_]/u
const LETTER = /\p{L}/u
const NUMERIC = /^[\p{N}.,:/%+\-\u2212$€£\u066a-\u066c]+$/u
const OPENING = '([{<«'
const CLOSING = ')]}>»'

/** Whether it is the first half of a pair of brackets. */
export const isOpening = (text: string): boolean => text !== '' && OPENING.includes(text)

/** The other bracket of the pair; null for what is no bracket. */
export function mirrored(text: string): string | null {
  if (text === '') return null
  const at = OPENING.indexOf(text)
  return (at >= 0 ? CLOSING[at] : OPENING[CLOSING.indexOf(text)]) ?? null
}

/**
 * Compatibility forms that only say how a letter was drawn: ligatures, Arabic presentation forms,
 * full-width Latin is left alone (it is typed so).
 */
const PRESENTATION = /[\ufb00-\ufb4f\ufb50-\ufdff\ufe70-\ufefc]+/g

/**
 * Text with ligatures and presentation forms as plain letters. A vowel sign that was drawn alone (U+FC60,
 * U+FE76) has a space to stand on, which is no space between words.
 */
function plainLetters(text: string): string {
  return text.replace(PRESENTATION, (found) =>
    found.normalize('NFKC').replaceAll(/ (?=\p{M})/gu, ''),
  )
}

/** The text of one line's words in logical order, one space where `spaces` says so. */
export function logicalText(words: readonly Word[], spaces: readonly boolean[]): string {
  const visual = words.map((w, i) => w.text + (spaces[i] ? ' ' : '')).join('')
  if (!RIGHT_TO_LEFT.test(visual)) return plainLetters(visual)
  const units: { text: string; kind: 'rtl' | 'ltr' | 'neutral' }[] = []
  words.forEach((word, i) => {
    for (const part of word.parts) units.push({ text: plainLetters(part), kind: kindOf(part) })
    if (spaces[i]) units.push({ text: ' ', kind: 'neutral' })
  })
  return reordered(units)
}

function kindOf(text: string): 'rtl' | 'ltr' | 'neutral' {
  if (RIGHT_TO_LEFT.test(text)) return 'rtl'
  return LTR.test(text) ? 'ltr' : 'neutral'
}

type Unit = { text: string; kind: 'rtl' | 'ltr' | 'neutral' }

/** The direction of a line: that of both its ends, which a foreign name between them does not turn, or of most letters. */
function baseOf(units: readonly Unit[]): 'rtl' | 'ltr' {
  const letters = units.filter(({ text }) => LETTER.test(text)).map(({ kind }) => kind)
  if (letters[0] === 'rtl' && letters.at(-1) === 'rtl') return 'rtl'
  const right = letters.filter((kind) => kind === 'rtl').length
  const left = letters.filter((kind) => kind === 'ltr').length
  return right >= left ? 'rtl' : 'ltr'
}

function reordered(units: readonly Unit[]): string {
  const base = baseOf(units)
  const runs = runsOf(units, base)
  const texts = runs.map(({ kind, units: inside }) =>
    kind === 'rtl'
      ? inside
          .toReversed()
          .map((u) => mirrored(u.text) ?? u.text)
          .join('')
      : inside.map((u) => u.text).join(''),
  )
  return (base === 'rtl' ? texts.toReversed() : texts).join('')
}

/** Runs of one direction; neutrals between two of a kind take it, others that of the line. */
function runsOf(
  units: readonly Unit[],
  base: 'rtl' | 'ltr',
): { kind: Unit['kind']; units: Unit[] }[] {
  const kinds = units.map((u) => u.kind)
  for (let i = 0; i < kinds.length; i++) {
    if (kinds[i] !== 'neutral') continue
    let end = i
    while (end < kinds.length && kinds[end] === 'neutral') end++
    const before = i > 0 ? kinds[i - 1] : base
    const after = end < kinds.length ? kinds[end] : base
    const isNumber =
      before === 'ltr' &&
      after === 'ltr' &&
      NUMERIC.test(
        units
          .slice(i - 1, end + 1)
          .map((u) => u.text)
          .join(''),
      )
    kinds.fill(before === after || isNumber ? before! : base, i, end)
    i = end - 1
  }
  const runs: { kind: Unit['kind']; units: Unit[] }[] = []
  units.forEach((unit, i) => {
    const last = runs.at(-1)
    if (last && last.kind === kinds[i]) last.units.push(unit)
    else runs.push({ kind: kinds[i]!, units: [unit] })
  })
  return runs
}

/** Whether most letters of a page are written from right to left. */
export function isRightToLeft(text: string): boolean {
  let right = 0
  let left = 0
  for (const char of text) {
    if (RIGHT_TO_LEFT.test(char)) right++
    else if (LETTER.test(char)) left++
  }
  return right > left
}
