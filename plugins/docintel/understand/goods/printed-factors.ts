/**
 * Lines of goods that say how many and at what price in words of one row: "Consulting 10h @ 80 EUR",
 * "Diesel" over "12.874 gal @ $3.499/gal". Their sum may stand behind them or nowhere.
 */
import { MARK_SOURCE } from '../../lexicon/currencies.ts'
import { letterWeight } from '../../lexicon/other-scripts.ts'
import { looksLikeMoney } from '../marks/amounts.ts'
import { datesOfRow } from '../marks/dates.ts'
import { isSumRow } from './goods-columns.ts'
import { isUnit } from './goods-names.ts'
import { tidy, type LineItem } from './item-quantities.ts'
import { isNear, roundedToCents } from '../marks/near.ts'
import { ITEMS_MAX } from './no-goods.ts'
import { detectDecimalMark, parseNumber, type DecimalMark } from '../marks/numbers.ts'
import type { RowMoney } from '../marks/row-money.ts'

const NUMBER = String.raw`\d{1,3}(?:[.,' ]\d{3})+(?:[.,]\d{1,2})?|\d+(?:[.,]\d{1,4})?`
const UNIT = String.raw`\p{L}{1,9}\.?`
const MARK = `(?:${MARK_SOURCE})`
const EACH = String.raw`(?:\s?(?:\/|(?:per|pro|par|por|je|a|an|al|the)\s)?\s?${UNIT})?`
const LEAD = String.raw`^(?<name>.*?)[\s:,(–-]*(?<![\p{L}\d.,#])`
const END = String.raw`\s?\)?[\s:=]*$`
const BY = String.raw`\s?(?:[x×*@]|à|at(?=\s))\s?`
/** "10h @ 80 EUR", "2 x 1,50", "(4.5 days @ £250/day)". */
const COUNT_FIRST = new RegExp(
  `${LEAD}(?<count>${NUMBER})\\s?(?<unit>${UNIT})?${BY}${MARK}?\\s?(?<price>${NUMBER})\\s?(?:${MARK}(?!\\p{L}))?${EACH}${END}`,
  'iu',
)
/** "$95/hr x 40 hrs": only a price has a mark. */
const PRICE_FIRST = new RegExp(
  `${LEAD}(?:${MARK}\\s?(?<price>${NUMBER})|(?<price2>${NUMBER})\\s?${MARK}(?!\\p{L}))${EACH}${BY}(?<count>${NUMBER})\\s?(?<unit>${UNIT})?${END}`,
  'iu',
)
const TEXT_MAX = 120

interface Factors {
  name: string
  quantity: number
  price: number
  unit: string | null
}

/** The count and price that end a text; null where there are none. */
function factorsAtEnd(text: string, mark: DecimalMark): Factors | null {
  if (text.length > TEXT_MAX) return null
  // OCR reads the nothing before a unit as a letter: "1Oh @ 80".
  const read = text.replaceAll(/(?<=\d)[oO](?=[hd]?\s?[@x×])/gu, '0')
  const groups = (COUNT_FIRST.exec(read) ?? PRICE_FIRST.exec(read))?.groups
  if (!groups) return null
  const quantity = parseNumber(groups['count']!, mark)?.value
  const price = parseNumber((groups['price'] ?? groups['price2'])!, mark)?.value
  if (!quantity || !price) return null
  const unit = groups['unit'] ?? null
  return { name: groups['name']!, quantity, price, unit: unit && isUnit(unit) ? unit : null }
}

const itemOf = ({ name, quantity, price, unit }: Factors, amount: number): LineItem => ({
  description: tidy(name),
  quantity,
  unit_price: price,
  amount,
  ...(unit === null ? {} : { unit }),
})

const markOf = (entries: readonly RowMoney[]): DecimalMark =>
  detectDecimalMark(entries.map(({ row }) => row.text).join('\n'))

/** Whether a row ends the goods. */
const isSum = (entry: RowMoney): boolean =>
  (entry.label !== null && entry.label !== 'other') || isSumRow(entry)

/**
 * Goods of which some have no sum of their own: what count and price make is theirs, where all of them
 * make a sum that is printed below. None where that is not so.
 */
export function unsummedGoods(entries: readonly RowMoney[], start: number): LineItem[] {
  const mark = markOf(entries)
  const items: LineItem[] = []
  let computed = 0
  let above = ''
  for (let at = start; at < entries.length && items.length < ITEMS_MAX; at++) {
    const entry = entries[at]!
    const money = entry.amounts.filter(looksLikeMoney)
    const found = factorsAtEnd(entry.row.text, mark)
    if (found) {
      if (letterWeight(found.name) < 3) found.name = above
      above = ''
      if (letterWeight(found.name) < 3) continue
      items.push(itemOf(found, roundedToCents(found.quantity * found.price)))
      computed++
      continue
    }
    if (isSum(entry) && entry.amounts.length > 0) {
      if (computed > 0) return makesSumBelow(items, entries.slice(at)) ? items : []
      continue
    }
    if (datesOfRow(entry.row).length > 0) continue
    const [sum] = money.slice(-1)
    if (!sum) {
      above = entry.row.text
      continue
    }
    const before = entry.row.text.slice(0, sum.start)
    const own = factorsAtEnd(before, mark)
    const isProduct = own !== null && isNear(own.quantity * own.price, sum.value, 0.011)
    const name = isProduct ? own.name : before
    if (letterWeight(name) < 3) continue
    items.push(
      isProduct
        ? itemOf(own, sum.value)
        : { description: tidy(name), quantity: null, unit_price: null, amount: sum.value },
    )
  }
  return []
}

function makesSumBelow(items: readonly LineItem[], below: readonly RowMoney[]): boolean {
  const sum = items.reduce((all, { amount }) => all + amount, 0)
  return below.some(
    (entry) => isSum(entry) && entry.amounts.some((a) => !a.percent && isNear(a.value, sum, 0.011)),
  )
}

/** "3 jours", "12 pcs", "×2" at the end of a name. */
const COUNT_AT_END = new RegExp(
  String.raw`^(.*\p{L}.*?)[\s,(–-]+(?:[x×]\s?)?(${NUMBER})\s?(${UNIT})?\)?$`,
  'iu',
)

/** Goods whose names end in the count and price that make their sum, which are no part of the name. */
export function withFactorsOfNames(
  items: readonly LineItem[],
  entries: readonly RowMoney[],
): LineItem[] {
  const mark = markOf(entries)
  return items.map((item) => {
    const entry = entries.find(({ row }) =>
      row.text.replaceAll(/\s+/g, ' ').includes(item.description),
    )
    if (!entry) return item
    const found = factorsAtEnd(item.description, mark)
    if (
      found &&
      letterWeight(found.name) >= 3 &&
      (item.quantity === null || item.quantity === found.quantity) &&
      isNear(found.quantity * found.price, item.amount, 0.011)
    )
      return { ...item, ...itemOf(found, item.amount) }
    const [, name, count, unit] = COUNT_AT_END.exec(item.description) ?? []
    const isCount =
      name !== undefined &&
      (unit === undefined || isUnit(unit) || item.quantity !== 1) &&
      item.unit_price !== null &&
      parseNumber(count!, mark)?.value === item.quantity &&
      entry.row.text.split(
        new RegExp(`(?<![\\d.,])${count!.replace('.', String.raw`\.`)}(?![\\d.,])`),
      ).length === 2 &&
      // Where each number has its row, the count stands there: "1L" is part of the name.
      entry.amounts.some((a) => isNear(a.value, item.amount)) &&
      letterWeight(name) >= 3
    return isCount
      ? {
          ...item,
          description: tidy(name),
          ...(unit && isUnit(unit) && !item.unit ? { unit } : {}),
        }
      : item
  })
}
