/** Rules for the total by its label, its place and how its digits were read. */
import type { MoneyLabel } from '../../lexicon/money-label.ts'
import { isNear } from '../marks/near.ts'
import { when, type Rule } from '../marks/rules.ts'
import type { Sums, TotalSubject } from './total-sums.ts'

/** The points of a label by itself; a sum with any other label is no candidate. */
export const LABEL_POINTS: Partial<Record<MoneyLabel, number>> = {
  total_rounded: 5,
  total_payable: 4.4,
  total_inclusive: 4,
  total: 3.4,
  balance_due: 2.4,
}

/** A discount for early payment. */
const EARLY =
  /(?:^| )(?:SKONTO|DISCOUNT|ESCOMPTE|SCONTO|DESCUENTO|DESCONTO|KORTING|RABATT?|SKONTA|KASSARABATT|KONTANTRABATT)(?: |$)/

/** "AMOUNT" heads a column or a card slip's line more often than the sum. */
const HEADS_COLUMN = /^(?:AMOUNT|AMT|BETRAG|IMPORTE|MONTANT|IMPORTO|VALOR)(?: \w{2,3})?$/
/** What a sum's label and place say of it. */
export const LABEL_RULES: readonly Rule<TotalSubject>[] = [
  { name: 'label', look: ({ line }) => LABEL_POINTS[line.label] ?? 0 },
  { name: 'in a table of taxes', look: ({ line }) => when(line.inSummary, -3) },
  { name: 'zero', look: ({ value }) => when(value === 0, -6) },
  { name: 'negative', look: ({ value, sums }) => when(value < 0 && !sums.isRefund, -5) },
  {
    name: 'label in another row',
    look: ({ line }) => when(line.pairing === 'sequence', -0.8),
  },
  { name: 'label above', look: ({ line }) => when(line.pairing === 'column', -0.2) },
  { name: 'digits repaired', look: ({ line }) => when(line.amount.repaired, -0.4) },
  {
    name: 'other amounts beside it',
    look: ({ line, value }) => {
      const others = line.companions.filter((a) => a !== line.amount && !isNear(a.value, value))
      const sum = others.reduce((s, a) => s + a.value, 0)
      const areItsParts = others.length >= 2 && isNear(sum, value)
      return when(others.length > 0 && !areItsParts, -1.6)
    },
  },
  {
    name: 'whole number among decimals',
    look: ({ line: { amount }, value, sums }) =>
      when(
        amount.decimals === 0 &&
          amount.mark === null &&
          !amount.whole &&
          sums.hasDecimals &&
          !isRoundedToWhole(value, sums),
        -4.5,
      ),
  },
  {
    name: 'the rounding itself',
    look: ({ line, value }) => when(line.label === 'total_rounded' && Math.abs(value) < 0.1, -4),
  },
  { name: 'head of a column', look: ({ line }) => when(HEADS_COLUMN.test(line.folded), -0.8) },
  {
    name: 'printed more than once',
    look: ({ value, sums }) => when((sums.countOf.get(value) ?? 0) > 1, 0.6),
  },
  {
    // "If paid by 8 May we grant 2 % discount, 98.00 to pay then".
    name: 'in a sentence',
    look: ({ line, sums }) => {
      const words = sums.sentences.get(line.row)
      return words === undefined ? null : EARLY.test(words) ? -4 : -1
    },
  },
]

/** A rounding and a subtotal not far below: the total is a whole number, as in India. */
const isRoundedToWhole = (value: number, { roundings, subtotals }: Sums): boolean =>
  roundings.length > 0 && subtotals.some((net) => net > value * SUBTOTAL_LEAST && net <= value + 1)
/** A total is rarely more than twice its subtotal. */
const SUBTOTAL_LEAST = 0.5
