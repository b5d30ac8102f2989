/** The total that no label names: the bases of all rates with their taxes, printed as one sum. */
import { wordCount } from '../../lexicon/fold.ts'
import { LABEL_WORDS_MAX } from '../../lexicon/money-labels.ts'
import { looksLikeMoney } from '../marks/amounts.ts'
import type { Chosen, LabelledAmounts } from '../marks/labelled-amounts.ts'
import { isNear } from '../marks/near.ts'
import type { RowMoney } from '../marks/row-money.ts'
import { findTaxLines } from './tax-lines.ts'

const CONFIDENCE = 0.85
const ROUNDINGS = 0.02

/** What bases and taxes by rate make, and what the named net and taxes do. */
function grossSums(entries: readonly RowMoney[], { lines, of }: LabelledAmounts): number[] {
  const proven = findTaxLines(entries, lines).filter((line) => line.base !== null)
  const byRate = proven.reduce((sum, line) => sum + (line.base ?? 0) + (line.amount ?? 0), 0)
  const taxes = of('tax').filter((tax) => tax > 0)
  const tax = taxes.reduce((sum, one) => sum + one, 0)
  const named = of('subtotal').filter((net) => tax > 0 && net > tax)
  return [...(proven.length > 0 ? [byRate] : []), ...named.map((net) => net + tax)]
}

/** The printed sum of all nets and taxes; null without one. */
export function totalOfTaxes(
  entries: readonly RowMoney[],
  labelled: LabelledAmounts,
): Chosen | null {
  for (const gross of grossSums(entries, labelled))
    for (const { row, amounts, folded } of entries) {
      // What a sentence says of a sum is not known.
      if (wordCount(folded) > LABEL_WORDS_MAX) continue
      for (const amount of amounts)
        if (looksLikeMoney(amount) && isNear(amount.value, gross, ROUNDINGS))
          return { value: amount.value, confidence: CONFIDENCE, row: row.index, line: null }
    }
  return null
}
