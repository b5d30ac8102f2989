/**
 * Which whole numbers are sums where no hundredths are printed: rupiah, dong, yen, won, Colombian
 * pesos ("56.000", "9,500", "1200"), and where zeros at the end are left out. Elsewhere a number without
 * decimals is a count or a code.
 */
import { foldLabel } from '../../lexicon/fold.ts'
import { classifyMoneyLabel } from '../../lexicon/money-labels.ts'
import { hasOtherScript } from '../../lexicon/other-scripts.ts'
import type { Row } from '../../model/document.ts'
import type { Amount } from './amounts.ts'
import { isNear } from './near.ts'

const GROUPED = /(?<!\d)\d{1,3}(?:[.,' ]\d{3})+(?![\d.,]?\d)/
/** Below this share of sums with hundredths a document prints none: OCR loses a digit at times. */
const DECIMAL_SHARE = 0.25
const STEP = 50
const WHOLE_MIN = 10

const isWhole = (a: Amount): boolean => a.decimals === 0 && !a.percent
const isGrouped = (a: Amount): boolean => isWhole(a) && a.value !== 0 && GROUPED.test(a.raw)

/** Rows whose amount is a product that chance is unlikely to make, before short numbers are sums. */
const PRODUCTS_LEAST = 2
/** Numbers that end so near to each other stand in one column. */
const COLUMN_REACH = 1.5

/** The number that two before it in its row make, where neither of them is one. */
function productIn(amounts: readonly Amount[]): Amount | null {
  const numbers = amounts.filter((a) => !a.percent && a.value > 1)
  const [quantity, price, product] = numbers.slice(-3)
  if (!quantity || !price || !product) return null
  return isNear(quantity.value * price.value, product.value, 0.0051) ? product : null
}

/**
 * Sums as programs that calculate print them, without zeros at the end ("365.5", "544"): the products of
 * quantities and prices, and what ends the rows below them in the same column.
 */
function withShortSums(amounts: readonly Amount[][]): Amount[][] {
  const rows = amounts.map(productIn)
  const products = rows.filter((a) => a !== null)
  const short = products.filter((a) => a.decimals < 2 && a.mark === null)
  if (products.length < PRODUCTS_LEAST || short.length * 2 < products.length) return [...amounts]
  const end = Math.max(...products.map(({ x1 }) => x1))
  const first = rows.findIndex((a) => a !== null)
  return amounts.map((list, at) => {
    const last = list.findLast((a) => !a.percent)
    const isSum = last && at >= first && Math.abs(last.x1 - end) < COLUMN_REACH
    return isSum ? list.map((a) => (a === last ? { ...a, whole: true } : a)) : list
  })
}

/** Names of sums before a number alone. */
const isTotal = ({ text }: Row, last: Amount): boolean =>
  classifyMoneyLabel(foldLabel(text.slice(0, last.start)))?.startsWith('total') === true

/**
 * Sums of papers that print neither hundredths nor currencies, as examples do ("Coffee 3", "Total 5"):
 * the numbers that end the rows above a total and add up to it.
 */
function withAddedSums(rows: readonly Row[], amounts: readonly Amount[][]): Amount[][] {
  const isPlain = (a: Amount): boolean => isWhole(a) && a.mark === null && !a.measured
  if (amounts.some((list) => list.some((a) => !a.percent && !isPlain(a)))) return [...amounts]
  const lasts = amounts.map((list, at) => {
    const last = list.findLast((a) => !a.percent)
    const isLast = last && last.end >= rows[at]!.text.trimEnd().length
    return isLast && /\p{L}{2}/u.test(rows[at]!.text.slice(0, last.start)) ? last : null
  })
  const total = lasts.findIndex((last, at) => last !== null && isTotal(rows[at]!, last))
  if (total < 1) return [...amounts]
  const below = firstOfSum(lasts, total)
  if (below === total) return [...amounts]
  // What is added up may begin with a sum of its own.
  const first = firstOfSum(lasts, below)
  return amounts.map((list, at) =>
    at >= first && at <= total
      ? list.map((a) => (a === lasts[at] || a === priceIn(list) ? { ...a, whole: true } : a))
      : [...list],
  )
}

/** The first of the rows above a sum whose numbers make it, those without any aside; its own where they do not. */
function firstOfSum(numbers: readonly (Amount | null | undefined)[], at: number): number {
  let rest = numbers[at]?.value ?? 0
  let first = at
  while (first > 0 && rest > 0) rest -= numbers[--first]?.value ?? 0
  return rest === 0 ? first : at
}

/** The price of one, where a count before it makes the number behind it. */
function priceIn(amounts: readonly Amount[]): Amount | null {
  const [count, price, sum] = amounts.slice(-3)
  return count && price && sum && count.value * price.value === sum.value ? price : null
}

/** The amounts of each row with `whole` set on those that are sums. */
export function withWholeSums(rows: readonly Row[], found: readonly Amount[][]): Amount[][] {
  return withAddedSums(rows, withGroupedSums(rows, withShortSums(found)))
}

function withGroupedSums(rows: readonly Row[], amounts: readonly Amount[][]): Amount[][] {
  const all = amounts.flat()
  const decimal = all.filter((a) => a.decimals === 2 && !a.percent).length
  const grouped = all.filter(isGrouped).length
  const marked = all.filter((a) => isWhole(a) && a.mark !== null && !isGrouped(a)).length
  if (grouped + marked < 2 || decimal > DECIMAL_SHARE * (grouped + marked)) return [...amounts]
  const isSum = (a: Amount): boolean => isGrouped(a) || (isWhole(a) && a.mark !== null)
  const sums = amounts.findIndex((list) => list.some(isSum))
  const lasts = amounts.map((list, at) => (at === sums ? list.find(isSum) : list.findLast(isWhole)))
  const added = firstOfSum(lasts, sums)
  // One number above a sum is the same sum once more.
  const first = lasts.slice(added, sums).filter(Boolean).length > 1 ? added : sums - 1
  // Yen and won are printed to the single one; rupiah and pesos are not.
  const few = grouped < 2 || rows.some((row) => hasOtherScript(row.text))
  return amounts.map((list, at) => {
    const last = list.findLast((a) => !a.percent)
    return list.map((a) => {
      if (isGrouped(a)) return { ...a, whole: true }
      const isLast = a === last && a.end >= rows[at]!.text.trimEnd().length - 2
      const round = few ? a.value >= WHOLE_MIN : a.value >= STEP && a.value % STEP === 0
      return isLast && at >= first && isWhole(a) && !a.factor && round ? { ...a, whole: true } : a
    })
  })
}
