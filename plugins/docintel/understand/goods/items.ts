/**
 * Lines of goods: under a table's heads by column, else as tills print them: description and amount
 * in one row, or a description row with quantity and price beside or below it. Of several ways to read
 * them, the one whose sum is printed below is taken.
 */
import { foldLabel } from '../../lexicon/fold.ts'
import type { MoneyLabel } from '../../lexicon/money-label.ts'
import { classifyMoneyLabel } from '../../lexicon/money-labels.ts'
import type { DocumentText } from '../../model/document.ts'
import { looksLikeMoney } from '../marks/amounts.ts'
import { PROVEN_LEAST, provenHeads } from './goods-columns.ts'
import { headsOf } from './goods-heads.ts'
import { withoutGroupSums } from './group-sums.ts'
import { countedGoods } from './counted-goods.ts'
import { detailedGoods } from './detailed-goods.ts'
import { withCounters, withTrailingQuantities, type LineItem } from './item-quantities.ts'
import { goodsWithNamesBehind } from './names-behind.ts'
import { isNear } from '../marks/near.ts'
import { nestedGoods } from './nested-goods.ts'
import type { RowMoney } from '../marks/row-money.ts'
import { unsummedGoods, withFactorsOfNames } from './printed-factors.ts'
import { stackedGoods } from './stacked-goods.ts'
import { tableGoods } from './table-goods.ts'
import { tillItems } from './till-goods.ts'

/** The goods with the way in which they were read. */
export interface FoundGoods {
  items: LineItem[]
  way: GoodsWay
}

export interface GoodsWay {
  name: string
  /** Row of the heads; null where there are none. */
  row: number | null
}

/** Rows that sums and heads of another group take between two groups of goods. */
const GROUP_REACH = 14
/** Lines of which chance is unlikely to make a printed sum. */
const LINES_LEAST = 2
/** Heads that may stand over goods: each is tried through the whole document. */
const HEADS_MAX = 24

/** The goods of a document; no items when none are recognised. */
export function findGoods(
  document: DocumentText,
  entries: RowMoney[],
  bodyStart: number,
): FoundGoods {
  const usual = usualGoods(document, entries, bodyStart)
  // Sums of groups are printed too: the most lines that make a printed sum are all of them.
  const [printed] = [usual, ...otherWays(entries, usual, bodyStart)]
    .filter(({ items }) => isPrinted(items, entries))
    .toSorted((a, b) => linesOf(b) - linesOf(a) || a.items.length - b.items.length)
  const unsummed = printed ? [] : unsummedGoods(entries, Math.max(0, bodyStart - 2))
  if (unsummed.length > 0)
    return { items: unsummed, way: { name: 'counts and prices without sums', row: null } }
  const found = printed ?? usual
  return {
    ...found,
    items: withTrailingQuantities(withCounters(withFactorsOfNames(found.items, entries))),
  }
}

/** Labels of what is no line of goods, where no price stands beside it. */
const NO_LINES = new Set<MoneyLabel | null>(['discount', 'shipping', 'tax', 'subtotal', 'total'])

/** Lines that cost something, without discounts, carriage and sums that their label gives away. */
const linesOf = ({ items }: FoundGoods): number =>
  items.filter(
    ({ amount, unit_price: price, description }) =>
      amount !== 0 && (price !== null || !NO_LINES.has(classifyMoneyLabel(foldLabel(description)))),
  ).length

/** Whether what the goods add up to is printed: as a sum of several, or twice for one. */
function isPrinted(items: readonly LineItem[], entries: readonly RowMoney[]): boolean {
  if (items.length === 0) return false
  const sum = items.reduce((all, { amount }) => all + amount, 0)
  const times = entries.reduce(
    (count, { amounts }) =>
      count + amounts.filter((a) => looksLikeMoney(a) && isNear(a.value, sum)).length,
    0,
  )
  return times >= (items.length < LINES_LEAST ? 2 : 1)
}

/** Other readings than the usual one, for goods whose sum is printed nowhere. */
function otherWays(entries: RowMoney[], usual: FoundGoods, bodyStart: number): FoundGoods[] {
  const ways: FoundGoods[] = []
  const all: LineItem[] = []
  let first: number | null = null
  let tried = 0
  for (let at = 0; at < entries.length && tried < HEADS_MAX; at++) {
    const heads = headsOf(entries[at]!)
    if (!heads) continue
    tried++
    const far = tableGoods(entries, at, heads, GROUP_REACH)
    ways.push({
      items: far.items,
      way: { name: 'table in groups', row: entries[at]!.row.index },
    })
    const { items, end } = tableGoods(entries, at, heads)
    if (items.length === 0) continue
    first ??= entries[at]!.row.index
    all.push(...items)
    ways.push({ items: [...all], way: { name: 'several tables', row: first } })
    at = Math.max(at, end - 1)
  }
  const grouped = tillItems(entries, Math.max(0, bodyStart - 2), true)
  if (grouped.length >= LINES_LEAST)
    ways.push({ items: grouped, way: { name: 'rows of a till in groups', row: null } })
  ways.push({
    items: nestedGoods(entries),
    way: { name: 'services with their parts', row: null },
  })
  ways.push({
    items: goodsWithNamesBehind(entries),
    way: { name: 'names behind their numbers', row: null },
  })
  const proven = provenHeads(entries)
  if (proven)
    ways.push({
      items: tableGoods(entries, proven.at, proven.heads, GROUP_REACH).items,
      way: { name: 'columns by arithmetic', row: null },
    })
  return [usual, ...ways].flatMap((way) => {
    const parts = withoutGroupSums(way.items)
    const plain = {
      items: parts,
      way: { ...way.way, name: `${way.way.name}, less sums of groups` },
    }
    return parts.length === way.items.length ? [way] : [way, plain]
  })
}

/** The goods of the first table, or as a till prints them. */
function usualGoods(document: DocumentText, entries: RowMoney[], bodyStart: number): FoundGoods {
  const stacked = stackedGoods(entries)
  if (stacked.length > 0)
    return { items: stacked, way: { name: 'heads below one another', row: null } }
  const counted = countedGoods(entries)
  if (counted.length > 0)
    return { items: counted, way: { name: 'counts below their lines', row: null } }
  const detailed = detailedGoods(entries)
  if (detailed.length > 0)
    return { items: detailed, way: { name: 'names over their details', row: null } }
  const asTill = (items: LineItem[]): FoundGoods => ({
    items,
    way: { name: 'rows of a till', row: null },
  })
  let tried = 0
  for (const [at, entry] of entries.entries()) {
    const heads = headsOf(entry)
    if (!heads) continue
    if (++tried > HEADS_MAX) break
    const { items } = tableGoods(entries, at, heads)
    // Heads one space apart stand over nothing: the columns are lost.
    const till = entry.row.cells.length === 1 ? tillItems(entries, at + 1) : []
    if (till.length > items.length) return asTill(till)
    if (items.length > 0) return { items, way: { name: 'table under heads', row: entry.row.index } }
  }
  const till = tillItems(entries, Math.max(0, Math.min(bodyStart, entries.length) - 2))
  const proven = document.hasGeometry ? provenHeads(entries) : null
  const found = proven ? tableGoods(entries, proven.at, proven.heads).items : []
  const table = found.filter((item) => item.amount !== 0)
  const least = till.length === 0 ? 1 : Math.min(till.length, PROVEN_LEAST)
  return table.length >= Math.max(till.length, least)
    ? { items: table, way: { name: 'columns by arithmetic', row: null } }
    : asTill(till)
}
