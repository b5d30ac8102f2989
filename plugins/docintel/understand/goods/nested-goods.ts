/**
 * Services with what each is made of below it, in rows of a name and a sum: "Storage 62.40" over "Charges
 * 62.40" and "VAT 0.00", as cloud services bill them.
 */
import { letterWeight } from '../../lexicon/other-scripts.ts'
import { looksLikeMoney } from '../marks/amounts.ts'
import { tidy, type LineItem } from './item-quantities.ts'
import { isNear } from '../marks/near.ts'
import type { RowMoney } from '../marks/row-money.ts'

interface Named {
  name: string
  amount: number
}

/** A service and its parts. */
interface Service extends Named {
  parts: Named[]
}

const NAME_LETTERS = 2
/** Services that are a list, and the parts that one may have. */
const SERVICES_LEAST = 2
const PARTS_MAX = 40

/** The name and the only sum of a row, which ends it; null for other rows. */
function namedSum({ row, amounts }: RowMoney): Named | null {
  const [sum, more] = amounts.filter(looksLikeMoney)
  if (!sum || more || /[\p{L}\d]/u.test(row.text.slice(sum.end))) return null
  const name = tidy(row.text.slice(0, sum.start))
  return letterWeight(name) < NAME_LETTERS ? null : { name, amount: sum.value }
}

/** The parts right below row `at` that make its sum, with the nil ones after them; null without such. */
function partsBelow(rows: readonly (Named | null)[], at: number): Named[] | null {
  const parts: Named[] = []
  let sum = 0
  for (const row of rows.slice(at + 1, at + 1 + PARTS_MAX)) {
    const isWhole = parts.length > 0 && isNear(sum, rows[at]!.amount)
    if (!row || (isWhole && row.amount !== 0)) break
    parts.push(row)
    sum += row.amount
  }
  return parts.length > 0 && isNear(sum, rows[at]!.amount) ? parts : null
}

/** The longest list of services that follow one another, the first of equal ones. */
function longestList(rows: readonly (Named | null)[]): Service[] {
  const partsOf = rows.map((row, at) => (row && row.amount > 0 ? partsBelow(rows, at) : null))
  // From the last row up, so that each list is the one behind its first service and that service.
  const lengths = Array.from(rows, () => 0)
  for (let at = rows.length - 1; at >= 0; at--) {
    const parts = partsOf[at]
    if (parts) lengths[at] = 1 + (lengths[at + 1 + parts.length] ?? 0)
  }
  const most = lengths.reduce((a, b) => Math.max(a, b), 0)
  const services: Service[] = []
  for (let at = lengths.indexOf(most); services.length < most;) {
    const parts = partsOf[at]!
    services.push({ ...rows[at]!, parts })
    at += 1 + parts.length
  }
  return services
}

/**
 * The longest list of services as lines of goods: the services themselves where each has one part that
 * costs something, else their parts. Empty without a list.
 */
export function nestedGoods(entries: readonly RowMoney[]): LineItem[] {
  const rows = entries.map(namedSum)
  const services = longestList(rows)
  if (services.length < SERVICES_LEAST) return []
  const isPlain = services.every(
    ({ parts }) => parts.filter(({ amount }) => amount !== 0).length === 1,
  )
  const lines: Named[] = isPlain
    ? services
    : services.flatMap(({ parts }) => parts.filter(({ amount }) => amount !== 0))
  return lines.map(({ name, amount }) => ({
    description: name,
    quantity: null,
    unit_price: null,
    amount,
  }))
}
