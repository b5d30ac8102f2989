/** Codes of tax in lines of goods ("A", "S", "1"), and what the document says that they mean. */
import { looksLikeMoney, type Amount } from '../marks/amounts.ts'
import type { RowMoney } from '../marks/row-money.ts'

const CODE = /^(?:[A-Z]\d?|\d|\*{1,2})$/
const RATE_MAX = 30
/** The code that stands alone in a cell beside the numbers of a line; null without one. */
export function taxCodeOf({ row, amounts }: RowMoney, amount: Amount): string | null {
  const first = amounts.find((a) => looksLikeMoney(a))
  const cells = row.cells.map(({ text }) => text.trim())
  const behind = cells.slice(amount.cell + 1).find((text) => CODE.test(text))
  if (behind) return behind
  const clinging = /^\s?([A-Z])$/.exec(row.text.slice(amount.end).trimEnd())?.[1]
  if (clinging) return clinging
  const before = first ? cells.slice(1, first.cell) : []
  return before.findLast((text) => /^[A-Z]\d?$/.test(text)) ?? null
}

/** "A: 19 % MwSt", "S 20%", "(B) = 7,00 %": a code at the start of a row with a rate. */
const LEGEND =
  /^\W*(?:(?:VAT|MWST|UST|TVA|IVA|BTW|TAX)\W*)?\(?([A-Z]\d?|\d|\*{1,2})\)?(?![\p{L}\d%.,])/iu

/** Rates in per cent by their codes, as the rows that explain them say; a code with two rates has none. */
export function ratesByCode(entries: readonly RowMoney[]): ReadonlyMap<string, number> {
  const rates = new Map<string, number | null>()
  for (const { row, amounts, inSummary } of entries) {
    const code = LEGEND.exec(row.text)?.[1]?.toUpperCase()
    if (!code) continue
    const percents = amounts.filter((a) => a.percent && a.value <= RATE_MAX)
    // In a table of taxes the first number behind the code is the rate, "20.00" or "20".
    const second = amounts.find((a) => a.start > 0 && !a.percent && a.value <= RATE_MAX)
    const found = percents[0] ?? (inSummary ? second : undefined)
    if (!found || percents.length > 1) continue
    const known = rates.get(code)
    rates.set(code, known === undefined || known === found.value ? found.value : null)
  }
  return new Map([...rates].filter((entry): entry is [string, number] => entry[1] !== null))
}
