/** Whether a file holds more than one receipt or invoice: their sums must not be mixed up. */
import { documentNumbers } from './document-id.ts'
import type { Reading } from './reading.ts'
import { isNear } from './near.ts'
import { findDates } from './dates.ts'

type Mark = { row: number; kind: 'own' | 'total'; value: string | number }

const TOTALS: ReadonlySet<string> = new Set([
  'total',
  'total_payable',
  'total_inclusive',
  'total_rounded',
])
const CLOCK = /\b\d{1,2}:\d{2}\b/

/**
 * True where a total is followed by the number (or day and time) of another document and that by
 * another total.
 */
export function holdsSeveral({ document, lines }: Reading): boolean {
  const totals: Mark[] = lines
    .filter((l) => TOTALS.has(l.label) && !l.inSummary && l.amount.value > 0)
    .map((l) => ({ row: l.row, kind: 'total', value: l.amount.value }))
  if (totals.length < 2) return false
  const numbers: Mark[] = documentNumbers(document).map(({ row, value }) => ({
    row,
    kind: 'own',
    value,
  }))
  const times: Mark[] = findDates(document)
    .filter((d) => CLOCK.test(document.rows[d.row]!.text))
    .map((d) => ({ row: d.row, kind: 'own', value: document.rows[d.row]!.text.trim() }))
  return [numbers, times].some((own) => alternates([...own, ...totals]))
}

/** "own A … total x … own B … total y" with A ≠ B and x ≠ y. */
function alternates(marks: Mark[]): boolean {
  const sorted = marks.toSorted((a, b) => a.row - b.row)
  const first = sorted.find((m) => m.kind === 'own')
  if (!first) return false
  const end = sorted.find((m) => m.kind === 'total' && m.row >= first.row)
  if (!end) return false
  const known = new Set(
    sorted.filter((m) => m.kind === 'own' && m.row <= end.row).map((m) => m.value),
  )
  const second = sorted.find((m) => m.kind === 'own' && m.row > end.row && !known.has(m.value))
  if (!second) return false
  const later = sorted.filter((m) => m.kind === 'total' && m.row > second.row)
  const before = sorted.filter((m) => m.kind === 'total' && m.row < second.row)
  return later.some((m) => !before.some((b) => isNear(Number(b.value), Number(m.value))))
}
