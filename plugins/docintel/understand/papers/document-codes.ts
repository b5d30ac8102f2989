/** What can be the number of a document, and where it stands below its label. */
import type { Cell, DocumentText, Row } from '../../model/document.ts'
import { datesOfRow } from '../marks/dates.ts'
import { wordsUnder, type Word } from '../marks/head-columns.ts'
import { isIban } from '../marks/iban.ts'
import { pointsOf, type Score } from '../marks/rules.ts'

/** A number that may be the document's. */
export interface Candidate {
  value: string
  score: number
  row: number
  /** What the score is made of. */
  because: Score['because']
}

/** A candidate with the points of its rules. */
export const candidate = (value: string, row: number, because: Score['because']): Candidate => ({
  value,
  score: pointsOf(because),
  row,
  because,
})

/** A number that one rule found by itself. */
export const named = (rule: string, value: string, points: number, row: number): Candidate =>
  candidate(value, row, [{ rule, points }])

/** A code: has a digit; letters, digits and the marks of codes. */
const CODE =
  /^[:#.\s]*((?:(?!N[OR]? )[A-Z]{1,6}[ ]?(?=[-/\d]))?[A-Z0-9](?:[A-Z0-9\-/_.\\]*[A-Z0-9])?)/i
/** A number set in groups ("462 118 9034") up to the end of its cell. */
const GROUPED = /^[:#.\s]*((?:[A-Z]{1,4} )?\d{2,6}(?: \d{2,6}){1,5}(?:-\d{1,3})?)(?= {2}|$)/

/** "INV25510date:": the next column's label begins where the code ends. */
const LABEL_BEHIND = /(?<=\d)\p{Ll}{3,}(?=:)/u

/** The code that a text begins with; null where it has no digit, is a time or somebody's account. */
export function codeAt(text: string): string | null {
  const grouped = GROUPED.exec(text)?.[1]
  if (grouped) return grouped
  const match = CODE.exec(text.replace(LABEL_BEHIND, ' '))
  const code = match?.[1]
  if (!code || !/\d/.test(code) || code.length < 2 || code.length > 40) return null
  // Digits that go on after one space: "7808F714 02", "2023 0042".
  if (/^\d{1,2}[:.]\d{2}$/.test(code) || isIban(code)) return null
  return code
}

/**
 * A code of a cell with what follows where the cell ends in a hyphen ("2024-" over "46677"); null where
 * that is not to be found.
 */
export function wholeCode(
  { rows }: DocumentText,
  { index, page, cells }: Row,
  cell: Cell,
  code: string,
): string | null {
  if (!cell.text.endsWith(`${code}-`)) return code
  const next = rows[index + 1]
  if (next?.page !== page) return null
  const isAlone = cells.length === 1 && next.cells.length === 1
  const end = next.cells.find(
    ({ text, x0, x1 }) =>
      /^(?=\D*\d)[A-Z\d]{1,12}$/i.test(text) && (isAlone || (x0 < cell.x1 + 1 && x1 > cell.x0 - 1)),
  )
  return end ? `${code}-${end.text}` : null
}

/** Whether a code is, or is in, a day of its row. */
export function looksLikeDate(code: string, row: Row): boolean {
  return datesOfRow(row).some((d) => {
    const day = row.text.slice(d.start, d.end)
    if (day.includes(code) && code.length >= 6) return true
    // "Due: 23 November 2026": the day of a month that is named.
    const rest = row.text.slice(0, d.start) + row.text.slice(d.end)
    if (/\p{L}{3}/u.test(day) && day.includes(code) && !rest.includes(code)) return true
    // "INV-04-17-2024" has letters of its own beside the day.
    return /[-/.]\d/.test(day) && code.includes(day) && !/[A-Z]/i.test(code.replace(day, ''))
  })
}

/** "Total 100.00", "roll 4.50": a word before an amount. */
export const isAmount = (code: string): boolean =>
  /^(?:\D* )?(?:\d+[.,]\d{2}|\d{1,3}[.,]\d)$/.test(code)

/** The code in the column of a label, one or two rows below it. */
export function valueBelow(
  document: DocumentText,
  row: Row,
  cell: Cell,
): { code: string; row: number } | null {
  for (let step = 1; step <= 2; step++) {
    const next = document.rows[row.index + step]
    if (!next || next.page !== row.page) return null
    const under = next.cells.filter(
      (c) => Math.min(c.x1, cell.x1 + 2) - Math.max(c.x0, cell.x0 - 2) > 0,
    )
    const usable =
      under.length > 0 ? under : row.cells.length === 1 && next.cells.length === 1 ? next.cells : []
    for (const c of usable) {
      const begun = codeAt(c.text)
      const code = begun && wholeCode(document, next, c, begun)
      // "Plot 14, Park Road" under the label begins with a number of another kind.
      const most = code !== null && code.length >= 0.5 * c.text.trim().length
      if (code && most && c.text.length <= 40 && !looksLikeDate(code, next) && !isAmount(code))
        return { code, row: next.index }
    }
  }
  return null
}

/** A code in the columns of a head, where its cell holds other values as well. */
export function wordBelow(
  document: DocumentText,
  row: Row,
  head: Word,
): { value: string; row: number } | null {
  for (const [{ text }, under] of wordsUnder(document, head, row.index)) {
    const code = codeAt(text)
    if (code && code.length >= 0.8 * text.length && !looksLikeDate(code, under) && !isAmount(code))
      return { value: code, row: under.index }
  }
  return null
}
