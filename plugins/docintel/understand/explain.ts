/** Why a document was read as it was: what chose its kind, its total, net, tax, goods and its seller. */
import type { DocumentText } from '../model/document.ts'
import { looksLikeMoney } from './amounts.ts'
import { natureOf } from './doc-type.ts'
import { isProduct } from './item-quantities.ts'
import { domainsOf, rateSpot } from './merchant-score.ts'
import { isNear } from './near.ts'
import { prepared } from './prepared.ts'
import { readingOf, type Reading } from './reading.ts'
import type { Score } from './rules.ts'
import { totalCandidates } from './total-candidates.ts'

/** One value that was weighed, with the rules that applied to it; the best of a field comes first. */
export interface Explanation {
  field: 'doc_type' | 'total' | 'subtotal and tax' | 'line_items' | 'merchant.name'
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
  const { labelled, entries, itemsSum, proven, zones } = reading
  const totals = totalCandidates(labelled, entries, itemsSum)
  for (const { line, score } of totals.slice(0, TOLD))
    told.push({
      field: 'total',
      value: `${line.folded}: ${line.amount.value}`,
      row: line.row,
      points: score.points,
      because: score.because,
    })
  for (const sums of proven.slice(0, TOLD))
    told.push({
      field: 'subtotal and tax',
      value: `${sums.net} + ${sums.tax} = ${sums.total}`,
      row: sums.rows.total,
      points: sums.score.points,
      because: sums.score.because,
    })
  told.push(...goodsOf(reading))
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

/** The lines of goods: how they were found, and which of the document's sums they make. */
function goodsOf({ items, itemsSum, goodsWay, entries }: Reading): Explanation[] {
  if (itemsSum === null) return []
  const multiplied = items.filter(isProduct).length
  const repeated = entries.some(({ amounts }) =>
    amounts.some((a) => looksLikeMoney(a) && isNear(a.value, itemsSum)),
  )
  return [
    {
      field: 'line_items',
      value: `${items.length} lines, together ${itemsSum}`,
      row: goodsWay.row,
      points: multiplied + Number(repeated),
      because: [
        { rule: goodsWay.name, points: 0 },
        { rule: 'quantity and price make the amount', points: multiplied },
        { rule: 'their sum is printed', points: Number(repeated) },
      ],
    },
  ]
}
