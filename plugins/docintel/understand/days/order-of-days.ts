/** How ambiguous days are written, told by the order of two of them. */
import type { DocumentText } from '../../model/document.ts'
import { findDates } from '../marks/dates.ts'

/** "03/04/2024" as the other half of the world reads it. */
const swapped = (iso: string): string => iso.replace(/-(\d\d)-(\d\d)$/, '-$2-$1')

/**
 * A reading of the days in a document: month first where they can be so and only that has it issued before
 * it is due, or the same day stands in it once more, written so that nobody doubts it; else as they are.
 * Points stand in no day that is written month-first.
 */
export function readingByOrder(
  document: DocumentText,
  issued: string | null,
  due: string | null,
): (iso: string) => string {
  const days = findDates(document)
  const ambiguous = new Set(
    days
      .filter((d) => d.ambiguous && !document.rows[d.row]!.text.slice(d.start, d.end).includes('.'))
      .map((d) => d.iso),
  )
  const monthFirst = (iso: string): string => (ambiguous.has(iso) ? swapped(iso) : iso)
  const isProven =
    issued !== null && due !== null && due < issued && monthFirst(issued) <= monthFirst(due)
  const sure = new Set(days.filter((d) => !d.ambiguous).map((d) => d.iso))
  const isRepeated =
    ambiguous.size > 0 && [...ambiguous].every((iso) => sure.has(swapped(iso)) && !sure.has(iso))
  return isProven || isRepeated ? monthFirst : (iso) => iso
}
