/** Why a document was read as it was: what was weighed for its kind, sums, goods, parties, number and days. */
import type { DocumentText } from '../model/document.ts'
import { looksLikeMoney } from './marks/amounts.ts'
import { natureOf } from './sale/doc-type.ts'
import { numberCandidates } from './papers/document-id.ts'
import { weighDays } from './days/issued-at.ts'
import { isProduct } from './goods/item-quantities.ts'
import { domainsOf } from './marks/domains.ts'
import { rateSpot } from './parties/merchant-score.ts'
import { isNear } from './marks/near.ts'
import { dueDays } from './days/other-days.ts'
import { weighParties } from './result/parties.ts'
import { EMPTY } from './parties/party-weights.ts'
import { prepared } from './prepared/prepared.ts'
import { readingOf, type Reading } from './result/reading.ts'
import { pointsOf, type Score } from './marks/rules.ts'
import { totalCandidates } from './sums/total-candidates.ts'

/** One value that was weighed, with the rules that applied to it; the best of a field comes first. */
export interface Explanation {
  field:
    | 'doc_type'
    | 'total'
    | 'subtotal and tax'
    /** A sum that OCR misread, and what was printed. */
    | 'misread sum'
    | 'line_items'
    | 'merchant.name'
    | 'buyer'
    /** A line of the head by the rules for names, which the seller of an invoice is weighed with. */
    | 'name'
    | 'document_id'
    | 'issued_at'
    | 'due_date'
  value: string
  /** 0-based row; null where the whole document was weighed. */
  row: number | null
  points: number
  because: Score['because']
}

/** Values of a field that are told, the winner and its rivals. */
const TOLD = 3

/** The weighed values of a document, best first by field. */
export function explain(
  printed: DocumentText,
  preferred: Reading['preferred'],
  now: Date,
): Explanation[] {
  const document = prepared(printed)
  if (document.rows.length === 0) return []
  const reading = readingOf(document, preferred)
  const nature = natureOf(reading)
  const told: Explanation[] = [
    {
      field: 'doc_type',
      value: nature.docType,
      row: null,
      points: pointsOf(nature.because),
      because: nature.because,
    },
  ]
  const { labelled, entries, itemsSum, proven } = reading
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
  for (const { row, read, meant, rule } of reading.misread)
    told.push({
      field: 'misread sum',
      value: `${read} is ${meant}`,
      row,
      points: 0,
      because: [{ rule, points: 0 }],
    })
  told.push(...goodsOf(reading))
  if (preferred === 'invoice') told.push(...partiesTold(reading))
  told.push(...namesTold(reading, preferred === 'invoice' ? 'name' : 'merchant.name'))
  for (const { value, row, because } of numberCandidates(document).slice(0, TOLD))
    told.push({ field: 'document_id', value, row, points: pointsOf(because), because })
  for (const { date, because } of weighDays(document, now).slice(0, TOLD))
    told.push({
      field: 'issued_at',
      value: date.iso,
      row: date.row,
      points: pointsOf(because),
      because,
    })
  for (const { value, row, confidence, because } of dueDays(document).slice(0, TOLD))
    told.push({
      field: 'due_date',
      value,
      row,
      points: confidence,
      because: [{ rule: because, points: confidence }],
    })
  return told
}

/** The candidates for seller and buyer; what a role is worth that stays empty is one of them. */
function partiesTold(reading: Reading): Explanation[] {
  const { roles } = weighParties(reading)
  return (['seller', 'buyer'] as const).flatMap((role) => {
    const chosen = roles[role]?.candidate
    const all = roles.rated.map(({ candidate, ...points }) => ({ candidate, score: points[role] }))
    all.sort(
      (a, b) =>
        Number(b.candidate === chosen) - Number(a.candidate === chosen) ||
        b.score.points - a.score.points,
    )
    const field = role === 'seller' ? 'merchant.name' : 'buyer'
    const told = all.slice(0, TOLD).map(({ candidate: { name, spot }, score }): Explanation => ({
      field,
      value: name,
      row: spot?.row.index ?? null,
      points: score.points,
      because: score.because,
    }))
    const rule = chosen
      ? 'what a name must have more than'
      : 'nobody is likelier, or two are about as likely'
    const because = [{ rule, points: EMPTY[role] }]
    const nobody = { field, value: '(nobody)', row: null, points: EMPTY[role], because } as const
    return chosen ? [...told, nobody] : [nobody, ...told]
  })
}

/** The lines that look most like a name. */
function namesTold(
  { document, zones, preferred }: Reading,
  field: 'name' | 'merchant.name',
): Explanation[] {
  const domains = domainsOf(document)
  const names = zones.spots.flatMap((spot) => {
    const score = rateSpot(spot, document, zones, domains, preferred)
    return score ? [{ spot, score }] : []
  })
  names.sort((a, b) => b.score.points - a.score.points)
  return names.slice(0, TOLD).map(({ spot, score }) => ({
    field,
    value: spot.cell.text,
    row: spot.row.index,
    points: score.points,
    because: score.because,
  }))
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
