/** Base and tax of each rate, where a document lists them; only what arithmetic confirms. */
import type { TaxLine } from '../../schema.ts'
import { looksLikeMoney } from '../marks/amounts.ts'
import type { MoneyLine } from '../marks/money-line.ts'
import { isNear } from '../marks/near.ts'
import type { RowMoney } from '../marks/row-money.ts'

const RATE_MAX = 30
/** Tax of a base may be rounded per line of goods. */
const ROUNDINGS = 0.03

/** The tax by rate, in the order of the document; empty where no rate stands with its sums. */
export function findTaxLines(entries: readonly RowMoney[], lines: readonly MoneyLine[]): TaxLine[] {
  const taxRows = new Set(lines.filter((l) => l.label === 'tax').map((l) => l.row))
  const found: TaxLine[] = []
  for (const entry of entries) {
    if (!taxRows.has(entry.row.index) && !entry.inSummary) continue
    const line = lineOf(entry)
    if (line && !found.some((f) => f.rate === line.rate && f.amount === line.amount))
      found.push(line)
  }
  return found
}

function lineOf(entry: RowMoney): TaxLine | null {
  const money = entry.amounts.filter((a) => looksLikeMoney(a) && !a.percent)
  const rates = entry.amounts
    .filter((a) => a.percent || (!looksLikeMoney(a) && a.decimals <= 2))
    .map((a) => a.value)
    .concat(entry.inSummary ? money.map((a) => a.value) : [])
    .filter((r) => r > 0 && r <= RATE_MAX)
  for (const rate of rates)
    for (const base of money)
      for (const tax of money)
        if (
          base !== tax &&
          base.value > 0 &&
          tax.value > 0 &&
          tax.value !== rate &&
          isNear((base.value * rate) / 100, tax.value, ROUNDINGS)
        )
          return { rate, base: base.value, amount: tax.value, category: null }
  const [only, more] = money
  const percent = entry.amounts.filter((a) => a.percent)
  if (only && !more && percent.length === 1 && percent[0]!.value <= RATE_MAX && only.value >= 0)
    return { rate: percent[0]!.value, base: null, amount: only.value, category: null }
  return null
}
