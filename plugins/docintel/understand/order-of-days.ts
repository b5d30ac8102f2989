/** How ambiguous days are written, told by the order of two of them. */
import type { DocumentText } from '../model/document.ts'
import { findDates } from './dates.ts'

/** "03/04/2024" as the other half of the world reads it. */
const swapped = (iso: string): string => iso.replace(/-(\d\d)-(\d\d)$/, '-$2-$1')

/**
 * A reading of the days in a document that is issued on one and due on another: month first where they
 * can be so and only that has it issued before it is due, else as they are. Points stand in no day that
 * is written month-first.
 */
export function readingByOrder(
  document: DocumentText,
  issued: string | null,
  due: string | null,
): (iso: string) => string {
  const ambiguous = new Set(
    findDates(document)
      .filter((d) => d.ambiguous && !document.rows[d.row]!.text.slice(d.start, d.end).includes('.'))
      .map((d) => d.iso),
  )
  const monthFirst = (iso: string): string => (ambiguous.has(iso) ? swapped(iso) : iso)
  const isProven =
    issued !== null && due !== null && due < issued && monthFirst(issued) <= monthFirst(due)
  return isProven ? monthFirst : (iso) => iso
}
