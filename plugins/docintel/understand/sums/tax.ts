/** Rate, sum and label of the tax, and whether prices include it. Nothing is computed but a sum of taxes by rate. */
import { MONEY_EPSILON, isNear } from '../marks/near.ts'
import type { MoneyLine } from '../marks/money-line.ts'
import type { RowMoney } from '../marks/row-money.ts'
import type { TaxLine } from '../../schema.ts'
import type { DocumentText } from '../../model/document.ts'
import { capitals } from '../../lexicon/fold.ts'
import { looksLikeMoney } from '../marks/amounts.ts'
import { summedTaxes } from './summed-taxes.ts'
import { findTaxLines } from './tax-lines.ts'

export interface FoundTax {
  rate: number | null
  amount: number | null
  label: string | null
  inclusive: boolean | null
  rateConfidence: number
  amountConfidence: number
  /** Several tax lines whose sum is not printed. */
  unsummed: boolean
}

const NAME =
  /\b(GST|VAT|SST|SERVICE TAX|SALES TAX|TVA|IVA|MWST|UST|MEHRWERTSTEUER|UMSATZSTEUER|BTW|IGST|HST|PST|QST|CGST|SGST|ICMS|ISS|IGV|MOMS|MVA|ALV|DPH|AFA|KDV|TAX|KODI|CUKAI)\b/
const RATE = /(?:@|\b)\s?(\d{1,2}(?:[.,]\d{1,2})?)\s?%/g
const USUAL = new Set([
  3, 4, 4.5, 5, 5.5, 6, 7, 7.5, 8, 9, 10, 12, 12.5, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24,
  25, 27, 28,
])

/** Rates printed in tax rows and tax tables, zero aside. */
function ratesOf(document: DocumentText, entries: RowMoney[]): number[] {
  const rates: number[] = []
  for (const [at, row] of document.rows.entries()) {
    const upper = capitals(row.text)
    const inTaxRow =
      NAME.test(upper) || entries[at]!.inSummary || /^\W*(?:SR|S|A|B|C|T|V)\d?\W+.*%/.test(upper)
    if (!inTaxRow || (/SERVICE CHARGE|SERV(?:ICE)? CHG|DISC|TIP/.test(upper) && !NAME.test(upper)))
      continue
    for (const match of upper.matchAll(RATE)) {
      const rate = Number(match[1]!.replace(',', '.'))
      if (rate > 0 && rate <= 30) rates.push(rate)
    }
    if (entries[at]!.inSummary && !upper.includes('%')) {
      // A table whose head says "%": the first small whole number after the code.
      const cell = /^\W*(?:SR|S|TX|GST)\W+(\d{1,2})(?:\.00?)?\s+\d/.exec(upper)
      if (cell && USUAL.has(Number(cell[1]))) rates.push(Number(cell[1]))
    }
  }
  return rates
}

/** Points of a tax that makes the total of the net, and of one that a printed rate makes. */
const AGREES = 3
const OF_RATE = 1.5
/** Taxes may be rounded line by line. */
const ROUNDINGS = 0.06
/** Confidence of a sum of taxes that fits the sums around it. */
const SUM_FITS = 0.85

const negated = <T extends { value: number }>(amount: T): T => ({ ...amount, value: -amount.value })

/**
 * The document's tax; `total` and `subtotal` confirm or decide between candidates. A credit note that prints
 * its sums below zero is read as the invoice that it takes back.
 */
export function findTax(
  document: DocumentText,
  entries: RowMoney[],
  lines: MoneyLine[],
  total: number | null,
  subtotal: number | null,
): FoundTax {
  if (total === null || total >= 0) return findTaxOf(document, entries, lines, total, subtotal)
  const found = findTaxOf(
    document,
    entries.map((entry) => ({
      ...entry,
      amounts: entry.amounts.map((amount) => (amount.percent ? amount : negated(amount))),
    })),
    lines.map((line) => ({
      ...line,
      amount: negated(line.amount),
      companions: line.companions.map(negated),
    })),
    -total,
    subtotal === null ? null : -subtotal,
  )
  return { ...found, amount: found.amount === null ? null : -found.amount }
}

function findTaxOf(
  document: DocumentText,
  entries: RowMoney[],
  lines: MoneyLine[],
  total: number | null,
  subtotal: number | null,
): FoundTax {
  const rates = [...new Set(ratesOf(document, entries))]
  const taxLines = lines.filter(
    (l) => l.label === 'tax' && looksLikeMoney(l.amount) && l.amount.value >= 0,
  )
  const named = taxLines[0] ?? null
  const upperAll = capitals(document.rows.map((r) => r.text).join('\n'))
  const label = labelOf(named?.folded ?? null, upperAll)
  const plausible = taxLines.filter(
    (l) => total === null || l.amount.value < total * 0.5 + MONEY_EPSILON,
  )
  const outside = plausible.filter((l) => !l.inSummary)
  const pool = outside.length > 0 ? outside : plausible
  const extras = namedExtras(lines)
  const agrees = (v: number): boolean =>
    total !== null &&
    subtotal !== null &&
    v > 0 &&
    (isNear(subtotal + v, total, ROUNDINGS) || isNear(subtotal + v + extras, total, ROUNDINGS))
  const fromRate = (v: number): boolean =>
    total !== null &&
    rates.some(
      (r) =>
        isNear((total * r) / (100 + r), v, 0.06) ||
        (subtotal !== null && isNear((subtotal * r) / 100, v, 0.06)),
    )
  const ranked = pool
    .map((line) => ({
      line,
      score:
        (agrees(line.amount.value) ? AGREES : 0) +
        (fromRate(line.amount.value) ? OF_RATE : 0) +
        (/^TOTAL|TOTAL$/.test(line.folded) ? 1 : 0) +
        (line.amount.value > 0 ? 0.3 : 0) -
        (line.companions.length > 1 ? 0.5 : 0),
    }))
    .toSorted((a, b) => b.score - a.score)
  let best = ranked[0] ?? null
  const distinct = new Set(
    pool.map((l) => l.folded.replaceAll(/\b\d+(?: \d+)?%/g, '').trim() + l.amount.value),
  )
  const isSeveral =
    distinct.size > 1 && best !== null && pool.filter((l) => l.amount.value > 0).length > 1
  const summed =
    isSeveral && best!.score < AGREES
      ? summedTaxes(pool, findTaxLines(entries, lines), { entries, net: subtotal, total })
      : null
  // One rate's tax, of the whole net, is a part where all of them together fit the total.
  const isPart = isSeveral && (best!.score < OF_RATE || (summed?.confidence ?? 0) >= SUM_FITS)
  // One of several rates whose other rows were not read, or a sum that OCR read wrong, is not the tax.
  // Other rows that would make the total with it prove nothing: these may be the other taxes.
  const isLonePart =
    (rates.length > 1 || document.source === 'ocr') &&
    best !== null &&
    best.score < OF_RATE &&
    total !== null &&
    subtotal !== null &&
    !isNear(subtotal, total, 0.06)
  let amount = best?.line.amount.value ?? null
  let confidence =
    best === null ? 0 : best.score >= AGREES ? 0.96 : best.score >= OF_RATE ? 0.92 : 0.8
  let unsummed = false
  if (isPart || isLonePart) {
    amount = summed?.amount ?? null
    confidence = summed?.confidence ?? 0
    unsummed = isPart && summed === null
    best = null
  }
  const listed = listedTaxes(findTaxLines(entries, lines), total)
  if (listed !== null && listed.some((one) => one === amount)) {
    amount = sumOf(listed)
    confidence = SUM_FITS
    best = null
  }
  if (amount === null && !unsummed) {
    const cell = summaryTax(entries, total)
    if (cell !== null) {
      amount = cell
      confidence = 0.75
    }
  }
  const rate =
    best?.line.rate && best.line.rate <= 30 ? best.line.rate : rates.length === 1 ? rates[0]! : null
  return {
    rate: rate !== null && rate > 0 ? rate : rates.length === 0 && named?.rate === 0 ? 0 : null,
    amount,
    label,
    inclusive: inclusiveOf(lines, amount, total, subtotal, upperAll),
    rateConfidence: rates.length === 1 ? 0.93 : 0.75,
    amountConfidence: confidence,
    unsummed,
  }
}

/** What labels say is added beside the tax, less what they say is taken off: a restaurant's tip. */
const namedExtras = (lines: readonly MoneyLine[]): number =>
  lines.reduce((sum, { label, amount: { value } }) => {
    if (label === 'tip' || label === 'service' || label === 'shipping') return sum + value
    return label === 'discount' ? sum - Math.abs(value) : sum
  }, 0)

const sumOf = (values: readonly number[]): number =>
  Math.round(values.reduce((sum, value) => sum + value, 0) * 100) / 100

/** The taxes of several rates that with what they were taken of make the total; null where they do not. */
function listedTaxes(taxes: readonly TaxLine[], total: number | null): number[] | null {
  if (total === null || taxes.length < 2) return null
  const parts = taxes.map(({ base, amount }) =>
    base === null || amount === null ? null : { base, amount },
  )
  const known = parts.filter((part) => part !== null)
  if (known.length < taxes.length) return null
  const all = sumOf(known.map(({ base, amount }) => base + amount))
  return isNear(all, total, ROUNDINGS) ? known.map(({ amount }) => amount) : null
}

/** The tax of a tax table, where base and tax beside each other make the total. */
function summaryTax(entries: RowMoney[], total: number | null): number | null {
  if (total === null) return null
  const money = entries
    .filter((e) => e.inSummary)
    .flatMap((e) => e.amounts.filter((a) => looksLikeMoney(a) && !a.percent))
  for (let i = 1; i < money.length; i++) {
    const [base, tax] = [money[i - 1]!.value, money[i]!.value]
    if (tax > 0 && tax < base * 0.35 && isNear(base + tax, total, 0.06)) return tax
  }
  return null
}

function labelOf(folded: string | null, all: string): string | null {
  const own = folded ? NAME.exec(folded)?.[1] : undefined
  const name =
    own && own !== 'TAX'
      ? own
      : (/\b(GST|VAT|SST|TVA|IVA|MWST|BTW|IGST|HST)\b/.exec(all)?.[1] ?? own ?? null)
  if (!name) return null
  if (name === 'MWST' || name === 'MEHRWERTSTEUER') return 'MwSt'
  if (name === 'UST' || name === 'UMSATZSTEUER') return 'USt'
  if (name === 'SALES TAX' || name === 'SERVICE TAX' || name === 'TAX')
    return name.toLowerCase().replaceAll(/\b[a-z]/g, (c) => c.toUpperCase())
  return name
}

function inclusiveOf(
  lines: MoneyLine[],
  amount: number | null,
  total: number | null,
  subtotal: number | null,
  all: string,
): boolean | null {
  if (amount !== null && amount > 0 && total !== null && subtotal !== null) {
    if (isNear(subtotal, total, 0.06)) return true
    const excluded = lines.some(
      (l) =>
        l.label === 'subtotal' && /EXCL|EXC |BEFORE|HT|NETTO|NET |OHNE|BASE/.test(`${l.folded} `),
    )
    if (isNear(subtotal + amount, total, 0.06)) return excluded ? null : false
  }
  if (
    /(?:PRICES?|TOTAL|AMOUNT|BETRAG)\W+(?:ARE |IS )?(?:INCL|INCLUSIVE|INCLUDES?|INCLUDING|INKL)\W*(?:OF )?(?:\d+ ?%\W*)?(?:GST|VAT|SST|TAX|MWST|BTW|TVA|IVA)|\bINKL\.? ?(?:\d+[,.]?\d* ?% ?)?MWST|DI CUI IVA|IVA INCLU|DONT TVA|TVA INCLUSE|INCL\.? BTW|INCLUSIVE (?:OF )?(?:GST|VAT|SST)|\b(?:GST|VAT|SST|TAXE?S?|TVA|IVA|MWST|BTW)\W{1,2}(?:\d+(?:[.,]\d+)? ?%\W{1,2})?(?:IS |ARE )?(?:INCL\b|INCLUDED|INCLUS[AE]S?\b|INCLUID[AO]S?\b|COMPRISE?S?\b|INBEGREPEN|INBEGRIFFEN|ENTHALTEN)/.test(
      all,
    )
  )
    return true
  return null
}
