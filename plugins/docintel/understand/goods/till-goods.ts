/**
 * Goods as tills print them, without columns: description and amount in one row, or a description row with
 * quantity and price beside or below it.
 */
import { foldLabel } from '../../lexicon/fold.ts'
import { letterWeight } from '../../lexicon/other-scripts.ts'
import { classifyMoneyLabel } from '../../lexicon/money-labels.ts'
import { TITLE } from '../../lexicon/parties.ts'
import { looksLikeMoney, type Amount } from '../marks/amounts.ts'
import { datesOfRow } from '../marks/dates.ts'
import { moneyOf, type RowMoney } from '../marks/row-money.ts'
import { isSumRow } from './goods-columns.ts'
import { isNear } from '../marks/near.ts'
import { headsOf } from './goods-heads.ts'
import { numbersOfRun } from './item-numbers.ts'
import {
  countAbove,
  isProduct,
  LEADING,
  tidy,
  unnumbered,
  type LineItem,
} from './item-quantities.ts'
import { hasUnitAlone } from './goods-names.ts'
import { ITEMS_MAX, NOT_GOODS } from './no-goods.ts'

/** Whether an amount is what all goods before it make. */
const sumOfAll = (items: readonly LineItem[], amount: number): boolean =>
  isNear(
    items.reduce((sum, item) => sum + item.amount, 0),
    amount,
  )

/** Whether a row without a price is the sum of the goods: of many, or of those with prices. */
const areGoodsOver = (items: readonly LineItem[], amount: number): boolean =>
  sumOfAll(items, amount) &&
  (items.length > 2 ||
    (items.length > 0 && items.every((item) => isProduct(item) && item.quantity !== 1)))

/**
 * "Line rental  01/06/2024 - 30/06/2024  34.95", "Consultation (12.01.2024)  250.00": goods of a time, not
 * the day of the document.
 */
const PERIOD =
  /\p{L}{3}.*(?:\d{1,4}[./-]\d{1,2}(?:[./-]\d{2,4})?\.?\s*(?:-|to|bis|au|al|a|t\/m|do|til|till)\s*\d|\(\d{1,4}[./-]\d{1,2}[./-]\d{2,4}\))/u
const isPeriod = ({ row, amounts }: RowMoney): boolean => {
  const period = PERIOD.exec(row.text)
  const last = amounts.findLast(looksLikeMoney)
  return period !== null && last !== undefined && last.start > period.index + period[0].length
}

/** "6 x  Oak plank  238.44": a count that begins its row, before the name. */
function isCountBeforeName({ row, amounts }: RowMoney, count: Amount): boolean {
  const next = amounts.find((a) => a.start > count.start && looksLikeMoney(a))
  return (
    row.text.slice(0, count.start).trim() === '' &&
    letterWeight(row.text.slice(count.end, next?.start)) >= 3
  )
}

/** "Sub total at 20%", "Imponibile al 22 %": the sum of a group. */
const RATED = /\d\s?%/
/** Rows below the sum of a group in which the goods of the next begin. */
const NEXT_GROUP = 4

/** Whether more goods follow a sum: a row with a name and an amount that no label gives away. */
function goodsFollow(entries: readonly RowMoney[], at: number): boolean {
  const next = entries.slice(at + 1, at + 1 + NEXT_GROUP)
  const end = next.findIndex(({ label }) => label?.startsWith('total'))
  return next
    .slice(0, end < 0 ? undefined : end)
    .some(
      (entry) =>
        entry.label === null &&
        !isSumRow(entry) &&
        entry.amounts.some(looksLikeMoney) &&
        letterWeight(entry.row.text) >= 3,
    )
}

/**
 * Goods as tills print them, from the first priced row to the sums; `inGroups` reads on after the sums of
 * a rate of tax.
 */
export function tillItems(
  entries: readonly RowMoney[],
  start: number,
  inGroups = false,
): LineItem[] {
  const items: LineItem[] = []
  /** Text in the row below each of the items. */
  const rests: (string | undefined)[] = []
  /** Totals above all goods that were found. */
  const totals: number[] = []
  let name = ''
  for (let at = start; at < entries.length && items.length < ITEMS_MAX; at++) {
    const entry = entries[at]!
    const { row } = entry
    if (
      (isSumRow(entry) && entry.amounts.length > 0) ||
      (entry.label !== null &&
        entry.label !== 'other' &&
        entry.label !== 'shipping' &&
        !/^(?:CARD|PIN)/.test(entry.folded))
    ) {
      const kind =
        entry.label ??
        classifyMoneyLabel(foldLabel(row.text.slice(0, entry.amounts[0]?.start ?? 0)))
      if (
        items.length > 0 &&
        kind !== 'discount' &&
        kind !== 'count' &&
        kind !== 'cash' &&
        kind !== 'card' &&
        !(inGroups && RATED.test(row.text) && goodsFollow(entries, at))
      )
        break
      if (kind?.startsWith('total')) totals.push(...moneyOf(entry))
      name = ''
      continue
    }
    const money = entry.amounts.filter((a) => looksLikeMoney(a))
    if ((datesOfRow(row).length > 0 && !isPeriod(entry)) || TITLE.test(row.text.toUpperCase())) {
      name = ''
      continue
    }
    const head = headsOf(entry)
    if (head) {
      name = ''
      continue
    }
    if (money.length === 0) {
      if (letterWeight(row.text) >= 3 && !NOT_GOODS.test(entry.folded)) {
        name = row.text
        if (items.length > 0 && entry.amounts.length === 0 && row.gapAbove < 0.5)
          rests[items.length - 1] ??= row.text
      }
      continue
    }
    const { numbers, more } = numbersOfRun(entries, at)
    at += more
    if (!numbers || numbers.amount === 0) continue
    // How a total is paid stands below it.
    if (items.length === 0 && totals.some((total) => isNear(total, numbers.amount))) continue
    // Among groups a row with a rate is a tax that no label names.
    if (inGroups && numbers.unit === null && RATED.test(row.text)) continue
    if (numbers.unit === null && areGoodsOver(items, numbers.amount)) break
    const firstMoney =
      entry.amounts.find((a) => looksLikeMoney(a) || (a.factor && !isCountBeforeName(entry, a))) ??
      money[0]!
    // A quantity in a column of its own right before the price is no part of the name.
    const count = entry.amounts.findLast(
      (a) => a.end <= firstMoney.start && a.cell < firstMoney.cell && a.cell > 0,
    )
    const isCounted = count?.value === numbers.quantity && numbers.unit === firstMoney.value
    const lead = row.text.slice(0, isCounted ? count?.start : firstMoney.start)
    const own = unnumbered(lead.replaceAll(/\b\d{6,}\b/g, ' '))
    // "(receipts attached)  1,480.75" goes on with the name above.
    const goesOn = own.startsWith('(') && entry.row.gapAbove < 0.5 && letterWeight(name) >= 3
    const ownLine = letterWeight(own) >= 3 && !goesOn && !hasUnitAlone(own)
    const leading = LEADING.exec(ownLine ? lead : name)
    const description = ownLine ? own : unnumbered(name)
    const counted = ownLine ? null : countAbove(entries[at - more - 1])
    name = ''
    if (
      letterWeight(description) < 3 ||
      NOT_GOODS.test(foldLabel(description)) ||
      description.split(' ').length > 14
    )
      continue
    const quantity =
      numbers.quantity ??
      (leading && !leading[1]!.startsWith('0') ? Number(leading[1]) : null) ??
      counted
    items.push({ description, quantity, unit_price: numbers.unit, amount: numbers.amount })
  }
  return withRests(items, rests)
}

/** "4010 Long name" over the rest of it: where every line begins with a number, none is a heading. */
const NUMBERED = /^\d{1,6}[.)]?\s+\p{L}/u

function withRests(items: LineItem[], rests: readonly (string | undefined)[]): LineItem[] {
  if (items.length < 2 || !items.every((item) => NUMBERED.test(item.description))) return items
  return items.map((item, at) => ({
    ...item,
    description: tidy(`${item.description} ${rests[at] ?? ''}`),
  }))
}
