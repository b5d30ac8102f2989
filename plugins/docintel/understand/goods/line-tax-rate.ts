/** The tax rate of a line of goods, where its table has a column of rates. */
import type { ParseResult } from '../../schema.ts'
import { headOf, type HeadColumn } from './goods-heads.ts'
import type { LineItem } from './item-quantities.ts'
import type { RowMoney } from '../marks/row-money.ts'

/** A percentage above it is a discount or a share; the highest rate of VAT in force is 27. */
const RATE_MAX = 40

/** Heads of rates, on folded capitals; under these a number needs no sign of percent. */
const NAMES_RATE =
  /%|(?:^| )(?:RATE|STEUERSATZ|TAUX|STAWKA|ALIQUOTA|TIPO|ORANI|SATS|SAZBA|KULCS)(?: |$)/

/**
 * The rate in percent that a row prints under a printed head of tax; null without one. A number without
 * a sign of percent counts only under a head that names a rate, as under "VAT" it may be a sum.
 */
export function lineTaxRate(entry: RowMoney, heads: readonly HeadColumn[]): number | null {
  const head = heads.find(({ column, label }) => column === 'tax' && label !== undefined)
  if (!head) return null
  const isRate = NAMES_RATE.test(head.label!)
  const [rate, other] = entry.amounts.filter(
    (a) =>
      headOf(a, heads) === 'tax' &&
      (a.percent || isRate) &&
      a.mark === null &&
      a.value >= 0 &&
      a.value <= RATE_MAX,
  )
  return rate && !other ? rate.value : null
}

/**
 * The lines with their rates, or without where none of these is a rate that the document's own sums of
 * tax name: then the column holds something else.
 */
export function withProvenRates(
  items: LineItem[],
  { tax, tax_lines: taxLines }: Pick<ParseResult, 'tax' | 'tax_lines'>,
): LineItem[] {
  const named = [tax.vat_rate, ...taxLines.map(({ rate }) => rate)].filter((rate) => rate !== null)
  const printed = items.flatMap((item) => item.tax_rate ?? [])
  const agrees = named.length === 0 || printed.some((rate) => rate === 0 || named.includes(rate))
  if (printed.length === 0 || agrees) return items
  return items.map((item) => {
    const { tax_rate: rate, ...rest } = item
    return rate === undefined ? item : rest
  })
}
