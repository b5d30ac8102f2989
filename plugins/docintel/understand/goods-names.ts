/** What stands in the names of goods that have columns of their own: positions, article numbers, units. */
import type { Amount } from './amounts.ts'
import type { LineItem } from './item-quantities.ts'
import type { RowMoney } from './row-money.ts'

const UNIT =
  /^\s*(stk|stck|stück|st|std|stunden?|pcs?|ea|each|units?|hrs?|hours?|h|kg|g|t|l|m|m2|m²|m3|m³|lfm|km|psch|pausch|pièces?|pce|u|uds?|un|und|unid|uur|stuks?|pz|pezzi|nr|ore|szt|godz|kpl|ks|db|fl|sett|tim|timer|dage?|days?|tage?|jours?|heures?|mois|box(?:es)?|pack|set)\.?(?=\s|$)/iu

/** The unit printed right behind a quantity. */
export const unitBehind = ({ row }: RowMoney, quantity: Amount | null | undefined): string | null =>
  (quantity && UNIT.exec(row.text.slice(quantity.end))?.[1]) || null

const CODE = /^((?=[A-Z0-9\-./]*\d)[A-Z0-9][A-Z0-9\-./]{2,19})\s+(?=\p{L}{2})(.+)$/u

/**
 * Positions and article numbers taken off the names, where every line of a table has one: positions
 * count from one, numbers are codes of letters and digits.
 */
export function withColumnsApart(items: LineItem[]): LineItem[] {
  const positions = items.map(({ description }) => /^(\d{1,3})[.)]?\s+(.+)$/u.exec(description))
  const isCounted = items.length > 1 && positions.every((p, at) => Number(p?.[1]) === at + 1)
  const named = isCounted
    ? items.map((item, at) => ({ ...item, description: positions[at]![2]! }))
    : items
  const codes = named.map(({ description }) => CODE.exec(description))
  if (named.length < 2 || !codes.every((code) => code !== null)) return named
  return named.map((item, at) => ({
    ...item,
    description: codes[at]![2]!,
    code: codes[at]![1]!,
  }))
}
