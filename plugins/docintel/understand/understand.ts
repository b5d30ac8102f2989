/** Rows of a document to the shared result: the order of the layers, the checks, the confidence. */
import type { DocumentText } from '../model/document.ts'
import type { ParseResult } from '../schema.ts'
import { overallConfidence, warningsOf } from './sums/checks.ts'
import { localeHints } from './parties/country.ts'
import { natureOf } from './sale/doc-type.ts'
import { Draft } from './result/draft.ts'
import { emptyResult } from './result/empty.ts'
import { evidenceOf } from './result/evidence.ts'
import { fillHead, fillInstalmentDay, fillParties } from './result/fill-head.ts'
import { fillGoods, fillSums } from './result/fill-sums.ts'
import { documentKindOf } from './result/kind.ts'
import { prepared } from './prepared/prepared.ts'
import { readingOf, type Reading } from './result/reading.ts'
import { holdsSeveral, pagesOfFirst } from './result/several.ts'

export interface UnderstandOptions {
  /** Which skill asks: names the document when nothing in it does. */
  preferred: Reading['preferred']
  now: Date
  withEvidence?: boolean
}

const EXCERPT_LENGTH = 1000

/** The first 1000 characters of what was read; null for nothing. */
export function excerptOf(document: DocumentText): string | null {
  const text = document.rows
    .map((r) => r.text)
    .join('\n')
    .slice(0, EXCERPT_LENGTH)
  return text.trim() === '' ? null : text
}

const firstPages = ({ rows, ...document }: DocumentText, pages: number): DocumentText => ({
  ...document,
  rows: rows.filter(({ page }) => page < pages),
  pages,
})

/** What a document says. Values are those printed in it; what is not there is null. */
export function understand(printed: DocumentText, options: UnderstandOptions): ParseResult {
  const result = emptyResult(excerptOf(printed))
  const whole = prepared(printed)
  if (whole.rows.length === 0) {
    result.warnings.push('no_text_found')
    return result
  }
  const all = readingOf(whole, options.preferred)
  const pages = pagesOfFirst(all)
  // The seller of one invoice and the total of another make no answer.
  const document = pages === null ? whole : prepared(firstPages(printed, pages))
  const reading = pages === null ? all : readingOf(document, options.preferred)
  result.locale_hints = localeHints(document, reading.country?.value ?? null)
  const nature = natureOf(reading)
  if (!nature.isSale) {
    result.warnings.push('not_a_receipt_or_invoice')
    result.confidence.overall = 0.1
    return result
  }
  const draft = new Draft(result, document)
  result.doc_type = nature.docType
  result.document_kind = documentKindOf(document, nature.docType)
  draft.trust('doc_type', nature.confidence)
  fillParties(draft, reading)
  fillHead(draft, reading, options.now)
  fillSums(draft, reading)
  fillInstalmentDay(draft, reading)
  fillGoods(draft, reading)
  result.warnings.push(...warningsOf({ ...reading, result }))
  if (pages !== null || holdsSeveral(reading)) draft.warn('several_documents')
  result.confidence.fields = draft.confidences
  result.confidence.overall = overallConfidence(draft.confidences, result.warnings)
  if (options.withEvidence) result.evidence = evidenceOf(result, reading)
  return result
}
