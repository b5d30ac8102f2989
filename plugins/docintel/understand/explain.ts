/** Why a document was read as it was: the rules that chose its kind, its total and its seller. */
import type { DocumentText } from '../model/document.ts'
import { natureOf } from './doc-type.ts'
import { domainsOf, rateSpot } from './merchant-score.ts'
import { prepared } from './prepared.ts'
import { readingOf, type Reading } from './reading.ts'
import type { Score } from './rules.ts'
import { totalCandidates } from './total-candidates.ts'

/** One value that was weighed, with the rules that applied to it; the best of a field comes first. */
export interface Explanation {
  field: 'doc_type' | 'total' | 'merchant.name'
  value: string
  /** 0-based row; null where the whole document was weighed. */
  row: number | null
  points: number
  because: Score['because']
}

/** Values of a field that are told, the winner and its rivals. */
const TOLD = 3

/** The weighed values of a document, best first by field. */
export function explain(printed: DocumentText, preferred: Reading['preferred']): Explanation[] {
  const document = prepared(printed)
  if (document.rows.length === 0) return []
  const reading = readingOf(document, preferred)
  const nature = natureOf(reading)
  const told: Explanation[] = [
    {
      field: 'doc_type',
      value: nature.docType,
      row: null,
      points: nature.because.reduce((sum, { points }) => sum + points, 0),
      because: nature.because,
    },
  ]
  const { labelled, entries, itemsSum, zones } = reading
  const totals = totalCandidates(labelled, entries, itemsSum)
  for (const { line, score } of totals.slice(0, TOLD))
    told.push({
      field: 'total',
      value: `${line.folded}: ${line.amount.value}`,
      row: line.row,
      points: score.points,
      because: score.because,
    })
  const domains = domainsOf(document)
  const names = zones.spots.flatMap((spot) => {
    const score = rateSpot(spot, document, zones, domains, preferred)
    return score ? [{ spot, score }] : []
  })
  names.sort((a, b) => b.score.points - a.score.points)
  for (const { spot, score } of names.slice(0, TOLD))
    told.push({
      field: 'merchant.name',
      value: spot.cell.text,
      row: spot.row.index,
      points: score.points,
      because: score.because,
    })
  return told
}
