/** Days beside the day of issue: when it is due, when it was delivered; and the time of day. */
import { capitals } from '../../lexicon/fold.ts'
import { DELIVERED, DUE, glued } from '../../lexicon/other-days.ts'
import type { DocumentText } from '../../model/document.ts'
import { looksLikeMoney } from '../marks/amounts.ts'
import { findDates } from '../marks/dates.ts'
import { labelsOf, type Scored } from './issued-at.ts'
import type { RowMoney } from '../marks/row-money.ts'

const LABEL_WORDS = 6

/** Days that stand right of or under one of these labels, in document order. */
function daysBy(document: DocumentText, label: RegExp, other: RegExp): LabelledDay[] {
  return findDates(document).flatMap((date): LabelledDay[] => {
    const { own, above, whole } = labelsOf(document, date)
    const near = own.split(' ').slice(-LABEL_WORDS).join(' ')
    const day = { value: date.iso, row: date.row }
    if (label.test(near) && !other.test(near))
      return [{ ...day, confidence: 0.9, because: 'its label' }]
    if (glued(label).test(near))
      return [{ ...day, confidence: 0.85, because: 'its label without spaces' }]
    if ((near === '' || whole) && label.test(above))
      return [{ ...day, confidence: 0.8, because: 'under its label' }]
    return []
  })
}

export interface LabelledDay extends Scored<string> {
  row: number
  /** The rule that found it. */
  because: string
}

/** The days that a label calls due, in document order. */
export const dueDays = (document: DocumentText): LabelledDay[] => daysBy(document, DUE, DELIVERED)

/**
 * The day that the invoice is due. Heads in narrow columns may reach over the day beside theirs: of the
 * days in one row it is the last.
 */
export function findDueDate(document: DocumentText): Scored<string> | null {
  const [first, ...more] = dueDays(document)
  if (!first) return null
  const { value, confidence } = more.reduce(
    (last, day) =>
      day.row === first.row && day.confidence === first.confidence && day.value > last.value
        ? day
        : last,
    first,
  )
  return { value, confidence }
}

/** What may stand beside a day and an amount: a currency, a number or a mark. */
const NO_WORDS = /^(?:[^\p{L}]|(?<!\p{L})\p{L}{1,3}(?!\p{L}))*$/u

/** The day of a table of instalments with one row: a later day and the whole sum, and nothing else. */
export function findInstalmentDay(
  document: DocumentText,
  entries: readonly RowMoney[],
  issuedAt: string,
  total: number,
): Scored<string> | null {
  const days = findDates(document).filter(({ iso, row, start, end }) => {
    const { text } = document.rows[row]!
    const sums = entries[row]!.amounts.filter(looksLikeMoney)
    return (
      iso > issuedAt &&
      sums.length === 1 &&
      sums[0]!.value === total &&
      NO_WORDS.test(text.slice(0, start) + text.slice(end))
    )
  })
  return days.length === 1 ? { value: days[0]!.iso, confidence: 0.85 } : null
}

export function findDeliveryDate(document: DocumentText): Scored<string> | null {
  const [first] = daysBy(document, DELIVERED, DUE)
  return first ? { value: first.value, confidence: first.confidence } : null
}

const CLOCK =
  /(?<![\d:.,])([01]?\d|2[0-3])[:.h]([0-5]\d)(?::[0-5]\d)?(?![\d.,:%]) ?(AM|PM|A\.M\.|P\.M\.)?/
const HOURS =
  /\b(?:OPEN|OPENING|HOURS|OFFNUNGSZEITEN|GEOFFNET|HORAIRES|OUVERT|ORARI|HORARIO|OPENINGSTIJDEN)\b/

/** "18:22" beside the day of issue, or under a word for the time; HH:MM of 24 hours. */
export function findTime(document: DocumentText, day: string | null): Scored<string> | null {
  if (day === null) return null
  const dates = findDates(document).filter((d) => d.iso === day)
  for (const date of dates) {
    const row = document.rows[date.row]!
    const rest = `${row.text.slice(0, date.start)}  ${row.text.slice(date.end)}`
    const found = clockIn(rest, true)
    if (found) return { value: found, confidence: 0.93 }
  }
  for (const row of document.rows) {
    const upper = capitals(row.text)
    if (HOURS.test(upper)) continue
    if (!/\b(?:TIME|UHRZEIT|ZEIT|HEURE|HORA|ORA|TIJD|KLOKKA|KL|MASA|CZAS|CAS|IDO)\b/.test(upper))
      continue
    const found = clockIn(row.text, false)
    if (found) return { value: found, confidence: 0.88 }
  }
  return null
}

/** A point may part hours and minutes only where a day stands in the row: "2.40" is an amount. */
function clockIn(text: string, besideDay: boolean): string | null {
  const match = CLOCK.exec(capitals(text))
  if (!match || (match[0].includes('.') && !/[AP]\.M/.test(match[0]) && !besideDay)) return null
  if (/\.\d\d/.test(match[0])) return null
  const half = match[3]?.replaceAll('.', '')
  const hours = Number(match[1])
  const full = half === 'PM' && hours < 12 ? hours + 12 : half === 'AM' && hours === 12 ? 0 : hours
  return `${String(full).padStart(2, '0')}:${match[2]}`
}
