/** Whether a file holds more than one receipt or invoice: their sums must not be mixed up. */
import { documentNumbers } from '../papers/document-id.ts'
import type { Reading } from './reading.ts'
import { isNear } from '../marks/near.ts'
import { findDates } from '../marks/dates.ts'

type Mark = { row: number; kind: 'own' | 'total'; value: string | number }

const TOTALS: ReadonlySet<string> = new Set([
  'total',
  'total_payable',
  'total_inclusive',
  'total_rounded',
])
const CLOCK = /\b\d{1,2}:\d{2}\b/

/**
 * Whether a total is followed by the number (or day and time) of another document and that by another
 * total.
 */
export const holdsSeveral = (reading: Reading): boolean => turnOf(reading) !== null

/** How many pages the first of several documents has; null for one, and where both share a page. */
export function pagesOfFirst(reading: Reading): number | null {
  const turn = turnOf(reading)
  if (!turn) return null
  const [end, begin] = [turn.end, turn.begin].map((row) => reading.document.rows[row]!.page)
  return begin! > end! ? begin! : null
}

/** The row of the first document's total, and that of the next one's number or time. */
interface Turn {
  end: number
  begin: number
}

function turnOf({ document, lines }: Reading): Turn | null {
  const totals: Mark[] = lines
    .filter((l) => TOTALS.has(l.label) && !l.inSummary && l.amount.value > 0)
    .map((l) => ({ row: l.row, kind: 'total', value: l.amount.value }))
  if (totals.length < 2) return null
  const numbers: Mark[] = documentNumbers(document).map(({ row, value }) => ({
    row,
    kind: 'own',
    value,
  }))
  const times: Mark[] = findDates(document)
    .filter((d) => CLOCK.test(document.rows[d.row]!.text))
    .map((d) => ({ row: d.row, kind: 'own', value: document.rows[d.row]!.text.trim() }))
  return alternation([...numbers, ...totals]) ?? alternation([...times, ...totals])
}

/** "own A … total x … own B … total y" with A ≠ B and x ≠ y. */
function alternation(marks: Mark[]): Turn | null {
  const sorted = marks.toSorted((a, b) => a.row - b.row)
  const first = sorted.find((m) => m.kind === 'own')
  if (!first) return null
  const end = sorted.find((m) => m.kind === 'total' && m.row >= first.row)
  if (!end) return null
  const known = new Set(
    sorted.filter((m) => m.kind === 'own' && m.row <= end.row).map((m) => m.value),
  )
  const second = sorted.find((m) => m.kind === 'own' && m.row > end.row && !known.has(m.value))
  if (!second) return null
  const later = sorted.filter((m) => m.kind === 'total' && m.row > second.row)
  const before = sorted.filter((m) => m.kind === 'total' && m.row < second.row)
  const isOther = later.some((m) => !before.some((b) => isNear(Number(b.value), Number(m.value))))
  return isOther ? { end: end.row, begin: second.row } : null
}
