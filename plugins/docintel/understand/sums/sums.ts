/** Subtotal, sum paid and balance: what their labels name, as far as it fits the total. */
import { looksLikeMoney } from '../marks/amounts.ts'
import type { MoneyLine } from '../marks/money-line.ts'
import type { RowMoney } from '../marks/row-money.ts'
import { isNear } from '../marks/near.ts'
import type { Chosen, LabelledAmounts } from '../marks/labelled-amounts.ts'
import { isNetBeforeTax } from './total-rivals.ts'

const choose = (line: MoneyLine, confidence: number): Chosen => ({
  value: line.amount.value,
  confidence,
  row: line.row,
  line,
})
const usable = (line: MoneyLine): boolean =>
  !line.inSummary && (looksLikeMoney(line.amount) || line.amount.value > 50)

/** The subtotal: one that plus a tax line gives the total first, then "subtotal" by name. */
export function chooseSubtotal(
  labelled: LabelledAmounts,
  total: Chosen | null,
  itemsSum: number | null,
): Chosen | null {
  const named = labelled.lines.filter(
    (l) => l.label === 'subtotal' && usable(l) && (l.amount.value >= 0 || (total?.value ?? 0) < 0),
  )
  // "Net at 19%" beside "net at 7%": neither is that of the document.
  const rated = new Set(named.flatMap(({ rate }) => rate ?? []))
  const whole = rated.size > 1 ? named.filter(({ rate }) => rate === null) : named
  const taxable = labelled.lines.filter(
    (l) => l.label === 'taxable' && usable(l) && l.amount.value > 0,
  )
  const rates = [...new Set(labelled.of('tax'))]
  const taxes = [...rates, rates.reduce((sum, tax) => sum + tax, 0)]
  // With a tax of a few cents the total itself would make the total.
  const agrees = ({ amount: { value } }: MoneyLine): boolean =>
    total !== null &&
    !isNear(value, total.value) &&
    taxes.some((t) => t !== 0 && isNear(value + t, total.value, 0.06))
  // A tax table's sum, or a "net amount", is the subtotal where the tax makes it the total.
  const other = (): MoneyLine | undefined =>
    labelled.lines.find(
      (l) =>
        (l.inSummary
          ? l.label === 'subtotal'
          : l.label.startsWith('total') || l.label === 'taxable') &&
        looksLikeMoney(l.amount) &&
        agrees(l),
    )
  const best =
    named.find(agrees) ??
    whole.find((l) => itemsSum !== null && isNear(l.amount.value, itemsSum)) ??
    whole.find((l) => /SUB|ZWISCHEN|SOUS/.test(l.folded)) ??
    whole[0] ??
    taxable.find(agrees) ??
    taxable.find((l) => itemsSum !== null && isNear(l.amount.value, itemsSum)) ??
    other() ??
    labelled.lines.find((l) => usable(l) && isNetBeforeTax(l, labelled.lines))
  if (!best) return null
  const confidence = agrees(best) ? 0.96 : best.label === 'subtotal' ? 0.88 : 0.7
  return choose(best, best.amount.repaired ? confidence - 0.1 : confidence)
}

/** Net and tax beside the total in one row, as tables by rate and rows of totals print them. */
export function splitBesideTotal(
  entries: RowMoney[],
  total: Chosen | null,
): { net: number; tax: number } | null {
  if (!total) return null
  for (const entry of entries) {
    const money = entry.amounts.filter((a) => looksLikeMoney(a) && !a.percent)
    if (money.length < 3 || !money.some((a) => isNear(a.value, total.value))) continue
    for (const [i, net] of money.entries()) {
      const tax = money.find(
        (a, at) => at > i && isNear(net.value + a.value, total.value) && a.value < net.value * 0.35,
      )
      if (tax && tax.value > 0) return { net: net.value, tax: tax.value }
    }
  }
  return null
}

/** What was handed over, given back, and paid by both. */
export interface Paid {
  /** What was paid, change aside. */
  paid: Pick<Chosen, 'value' | 'confidence'> | null
  tendered: Chosen | null
  change: Chosen | null
}

/** The payment: cash or tender before card, the first with a sum; less the change, if printed. */
export function choosePaid(labelled: LabelledAmounts, total: Chosen | null): Paid {
  const order = ['tendered', 'cash', 'card', 'mobile', 'paid'] as const
  // Beside sums with hundredths a bare number is the end of a card's: "CARD # **** 9013".
  const hundredths = labelled.lines.some((l) => l.amount.decimals === 2)
  const isSum = (line: MoneyLine): boolean =>
    usable(line) && line.amount.value > 0 && (!hundredths || looksLikeMoney(line.amount))
  const find = (...labels: readonly string[]): MoneyLine | undefined =>
    labels.flatMap((label) => labelled.lines.filter((l) => l.label === label && isSum(l)))[0]
  const line = find(...order)
  const given = line ? choose(line, line.label === 'paid' ? 0.85 : 0.9) : null
  const back = labelled.lines.find((l) => l.label === 'change' && l.amount.value !== 0)
  const change = back && given ? choose(back, 0.9) : null
  if (!given || !change) {
    const isCash = line?.label === 'tendered' || line?.label === 'cash'
    // More cash than the total: some of it went back, printed or not.
    const isMore = total !== null && given !== null && given.value > total.value + 0.051
    return isCash && isMore
      ? { paid: { value: total.value, confidence: 0.75 }, tendered: given, change: null }
      : { paid: given, tendered: isCash ? given : null, change: null }
  }
  // What is computed only confirms what is printed.
  const kept = given.value - Math.abs(change.value)
  const agrees = total !== null && isNear(kept, total.value, 0.051)
  // What was kept is the total, or the total and the change are read wrong.
  if (!agrees && total !== null && given.value <= total.value + 0.051)
    return { paid: given, tendered: given, change: null }
  return {
    paid: agrees ? { value: total.value, confidence: 0.97 } : null,
    tendered: given,
    change: { ...change, value: Math.abs(change.value) },
  }
}

/** The balance that is left, where a label says so and it is not the total itself. */
export function chooseBalance(labelled: LabelledAmounts, total: Chosen | null): Chosen | null {
  const lines = labelled.lines.filter(
    (l) =>
      usable(l) &&
      l.amount.value >= 0 &&
      (l.label === 'balance_due' ||
        (l.label === 'total_payable' &&
          /DUE|OUTSTANDING|OFFEN|RESTE|PAYABLE|TO PAY|ZU ZAHLEN|A PAYER|TE BETALEN|A PAGAR|A PAGARE/.test(
            l.folded,
          ))),
  )
  const line =
    lines.findLast((l) => l !== total?.line) ??
    (labelled.of('change').length > 0
      ? undefined
      : lines.find((l) => /DUE|OUTSTANDING|BALANCE/.test(l.folded)))
  return line ? choose(line, line.label === 'balance_due' ? 0.85 : 0.75) : null
}
