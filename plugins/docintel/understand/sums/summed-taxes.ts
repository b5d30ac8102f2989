/**
 * The tax of a document that prints one for each rate and no sum of them: what they add up to, as sure as
 * the sums around it say. Each fact is a named rule.
 */
import type { TaxLine } from '../../schema.ts'
import { agreeWithRowsBetween } from './between-sums.ts'
import type { MoneyLine } from '../marks/money-line.ts'
import { isNear, MONEY_EPSILON } from '../marks/near.ts'
import { moneyOf, type RowMoney } from '../marks/row-money.ts'
import { scoreBy, when, type Rule } from '../marks/rules.ts'

/** The tax of one rate; the rate is null where its row does not print it. */
interface RateTax {
  rate: number | null
  amount: number
}

interface Page {
  entries: readonly RowMoney[]
  net: number | null
  total: number | null
  /** Rows in which taxes stand. */
  taxRows: ReadonlySet<number>
}

interface Subject extends Page {
  taxes: readonly RateTax[]
  sum: number
  /** The sum that is printed for all of them, where taxes of lines were rounded one by one. */
  rounded: number | null
}

export interface SummedTaxes {
  amount: number
  confidence: number
}

/** Taxes may be rounded line by line. */
const ROUNDINGS = 0.06
/** A tax is rounded by less, of each line of goods; its base by as much over the rate. */
const TAX_ROUNDING = 0.0101

/** What was taxed at each rate, and by how much roundings may have moved it; null without every rate. */
function taxedOf(taxes: readonly RateTax[]): { base: number; slack: number } | null {
  let [base, slack] = [0, 0]
  for (const { rate, amount } of taxes) {
    if (!rate) return null
    base += (amount * 100) / rate
    slack += (TAX_ROUNDING * 100) / rate
  }
  return { base, slack }
}

const RULES: readonly Rule<Subject>[] = [
  {
    name: 'net and taxes make the total',
    look: ({ net, total, sum, rounded }) =>
      when(net !== null && total !== null && isNear(net + (rounded ?? sum), total), 3),
  },
  {
    name: 'net and taxes make the total but for roundings',
    look: ({ net, total, sum, rounded }) =>
      when(
        net !== null &&
          total !== null &&
          rounded === null &&
          !isNear(net + sum, total) &&
          isNear(net + sum, total, ROUNDINGS),
        0.5,
      ),
  },
  {
    name: 'net, taxes and the rows between them make the total',
    look: ({ entries, net, total, sum, taxRows }) =>
      when(
        net !== null &&
          total !== null &&
          !isNear(net + sum, total, ROUNDINGS) &&
          agreeWithRowsBetween(entries, { net, tax: sum, total }, taxRows),
        2,
      ),
  },
  {
    name: 'what the rates say was taxed is the net or, with its taxes, the total',
    look: ({ net, total, taxes, sum }) => {
      const taxed = taxedOf(taxes)
      if (!taxed) return null
      const isNet = net !== null && isNear(taxed.base, net, taxed.slack)
      const isTotal = total !== null && isNear(taxed.base + sum, total, taxed.slack)
      return when(isNet || isTotal, 2)
    },
  },
  {
    // What the row of a rate says besides its tax: the base, or both together.
    name: 'a tax is more than its rate of the total',
    look: ({ total, taxes }) =>
      when(
        total !== null &&
          taxes.some(
            ({ rate, amount }) => rate !== null && amount > (total * rate) / 100 + TAX_ROUNDING,
          ),
        -5,
      ),
  },
  {
    name: 'the sum is printed',
    look: ({ entries, sum }) =>
      when(
        entries.some(({ amounts }) => amounts.some((a) => isNear(a.value, sum, MONEY_EPSILON))),
        0.5,
      ),
  },
]

/** How sure a sum of so many points is; none below the least. */
const SURE: readonly (readonly [points: number, confidence: number])[] = [
  [3, 0.95],
  [2, 0.85],
  [0.5, 0.7],
]

/** India halves a tax between the union and the state: two taxes of one rate and amount. */
const HALF = /(?:^| )(CGST|SGST|UTGST)(?: |$)/

/** The taxes that stand in the rows, each once. */
function taxesOf(lines: readonly MoneyLine[]): RateTax[] {
  const taxes = new Map<string, RateTax>()
  for (const { rate, amount, folded } of lines) {
    const { value } = amount
    if (value > 0)
      taxes.set(`${rate} ${value} ${HALF.exec(folded)?.[1] ?? ''}`, { rate, amount: value })
  }
  return [...taxes.values()]
}

/** What total and net differ by, where it is printed as an amount; else null. */
function printedDifference({ entries, net, total }: Page): number | null {
  if (net === null || total === null) return null
  const tax = Math.round((total - net) * 100) / 100
  const isPrinted = entries.some((entry) => moneyOf(entry).some((value) => isNear(value, tax)))
  return isPrinted ? tax : null
}

function sumOf(taxes: readonly RateTax[], page: Page): (SummedTaxes & { points: number }) | null {
  if (taxes.length < 2) return null
  const sum = Math.round(taxes.reduce((all, { amount }) => all + amount, 0) * 100) / 100
  const difference = printedDifference(page)
  const rounded = difference !== null && isNear(difference, sum, ROUNDINGS) ? difference : null
  const { points } = scoreBy(RULES, { ...page, taxes, sum, rounded })
  const confidence = SURE.find(([least]) => points >= least)?.[1]
  return confidence === undefined ? null : { amount: rounded ?? sum, confidence, points }
}

/** The sum of the taxes of the labelled rows, or else of the table of rates; null where nothing fits it. */
export function summedTaxes(
  lines: readonly MoneyLine[],
  table: readonly TaxLine[],
  page: Omit<Page, 'taxRows'>,
): SummedTaxes | null {
  const taxRows = new Set(lines.map(({ row }) => row))
  const listed = table.flatMap(({ rate, amount }) =>
    amount === null || amount <= 0 ? [] : { rate, amount },
  )
  const found = [taxesOf(lines), listed].flatMap(
    (taxes) => sumOf(taxes, { ...page, taxRows }) ?? [],
  )
  return found.toSorted((a, b) => b.points - a.points)[0] ?? null
}
