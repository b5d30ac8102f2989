/** Lines of goods, and the quantities that stand in their names rather than in a column. */
import { isNear } from '../marks/near.ts'
import type { RowMoney } from '../marks/row-money.ts'

export interface LineItem {
  description: string
  quantity: number | null
  unit_price: number | null
  amount: number
  /** As printed behind the quantity. */
  unit?: string
  /** The seller's article number. */
  code?: string
  /** Percent, where the table has a column of it. */
  tax_rate?: number
}

/** Whether quantity and price, neither of them nil, make the amount. */
export const isProduct = ({ quantity, unit_price: price, amount }: LineItem): boolean =>
  quantity !== null && price !== null && isNear(quantity * price, amount, 0.011)

/** A description without marks, codes and spaces around it, at most 300 characters. */
export function tidy(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .replace(/^Pos(?:ition)?\.? ?\d+ ?[:.)-]\s*(?=\p{L})/iu, '')
    .replace(/^[\s*#\-.:|]+/, '')
    .replace(/[\s*#\-:|@]+$/, '')
    .replace(/\s(?:RM|X|x|@|à|S\/|\$|€|£)$/, '')
    .trim()
    .slice(0, 300)
}

/** "2 ", "3x " before a name. */
export const LEADING = /^\s*(\d{1,3})\s*(?:[xX]|of:)?\s+\p{L}/u
/** A name without the quantity before it. */
export const unnumbered = (text: string): string =>
  tidy(text.replace(/^\s*\d{1,3}\s*(?:[xX]|of:)?\s+(?=\p{L})/u, ''))

/** A count alone in the row between a name and its sum. */
export function countAbove(entry: RowMoney | undefined): number | null {
  const count = Number(/^\s*[xX]?\s*(\d{1,2})\s*[xX]?\s*$/.exec(entry?.row.text ?? '')?.[1] ?? 0)
  return count >= 1 ? count : null
}

/** A number that ends the description: "CHOCO BUN 1  9,500". */
const TRAILING = /^(.*\p{L}.*?)\s+[xX]?(\d{1,3})[xX]?$/u
const TRAILING_MAX = 200

/**
 * Quantities between name and sum where no price is printed. One number might be part of its name
 * ("A4 PAPER 80"): only where every line has one, they are a column.
 */
export function withTrailingQuantities(items: LineItem[]): LineItem[] {
  const parts = items.map((i) => (i.quantity === null ? TRAILING.exec(i.description) : null))
  const fits = parts.every((p) => p && Number(p[2]) >= 1 && Number(p[2]) <= TRAILING_MAX)
  if (items.length < 2 || !fits) return items
  return items.map((item, i) => ({
    ...item,
    description: tidy(parts[i]![1]!),
    quantity: Number(parts[i]![2]),
  }))
}

/** "2コX単150": a count with its counter, then the price of one. */
const COUNTED = /\s*(\d{1,3}) ?[コ個点本枚杯つ개份]\s*[xX×]?\s*(?:[単@]\s?(?:¥\s?)?([\d,]+))?\s*$/u

export function withCounters(items: LineItem[]): LineItem[] {
  return items.map((item) => {
    const match = item.quantity === null ? COUNTED.exec(item.description) : null
    if (!match || match.index < 1) return item
    const unit = match[2] ? Number(match[2].replaceAll(',', '')) : null
    return {
      ...item,
      description: tidy(item.description.slice(0, match.index)),
      quantity: Number(match[1]),
      unit_price: item.unit_price ?? unit,
    }
  })
}
