/** What a document is to an accountant, by the words at the head of it. */
import { capitals } from '../../lexicon/fold.ts'
import {
  CREDIT_NOTE,
  CORRECTION,
  GUTSCHRIFT,
  PREPAYMENT,
  SELF_BILLED,
  TITLED_SELF_BILLED,
} from '../../lexicon/kinds.ts'
import type { DocumentText } from '../../model/document.ts'
import type { ParseResult } from '../../schema.ts'

const HEAD_ROWS = 30
/** A longer cell is a sentence, which may speak of other papers. */
const TITLE_MAX = 64

/** The kind of a sale's record; `docType` decides where no title says more. */
export function documentKindOf(
  { rows }: DocumentText,
  docType: ParseResult['doc_type'],
): ParseResult['document_kind'] {
  const titles = rows
    .slice(0, HEAD_ROWS)
    .flatMap((row) => row.cells)
    .map((cell) => capitals(cell.text).trim())
    .filter((title) => title.length <= TITLE_MAX)
  const says = (words: RegExp): boolean => titles.some((title) => words.test(title))
  const isCredit = says(CREDIT_NOTE)
  if (says(SELF_BILLED) || says(TITLED_SELF_BILLED)) {
    // German law calls the self-billed invoice "Gutschrift": the word takes nothing away there.
    const takesAway = titles.some((t) => CREDIT_NOTE.test(t) && !GUTSCHRIFT.test(t))
    return takesAway ? 'self_billed_credit_note' : 'self_billed'
  }
  if (isCredit) return 'credit_note'
  if (says(CORRECTION)) return 'corrected_invoice'
  if (docType === 'proforma' || docType === 'receipt' || docType === 'unknown') return docType
  return says(PREPAYMENT) ? 'prepayment_invoice' : 'invoice'
}
