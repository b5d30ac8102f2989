/**
 * Letters beside a number that only look like a currency's mark: "KC 200 OIL FILTER", "BOLT KR 8.00".
 * A mark of two Latin letters counts where a sum of the document bears it, or most amounts do.
 */
import { foldLabel } from '../../lexicon/fold.ts'
import { classifyMoneyLabel } from '../../lexicon/money-labels.ts'
import type { Row } from '../../model/document.ts'
import type { Amount } from './amounts.ts'

/** Ringgit stand in every row of a Malaysian till, or in the head alone. */
const SHORT = /^(?!RM$)[A-Z]{1,2}$/

const keyOf = ({ mark }: Amount): string | null => {
  const key = mark?.toUpperCase().replaceAll(/[\s.:]/g, '') ?? ''
  return SHORT.test(key) ? key : null
}

/** Whether the text left of an amount is the label of a sum. */
const isSum = (row: Row, amount: Amount): boolean =>
  classifyMoneyLabel(foldLabel(row.text.slice(0, amount.start))) !== null

/** The amounts of each row; such marks are taken off and are text again. */
export function withoutChanceMarks(rows: readonly Row[], amounts: readonly Amount[][]): Amount[][] {
  const prices = amounts.flat().filter((a) => a.decimals === 2 && !a.percent).length
  const beside = new Map<string, { count: number; hasSum: boolean }>()
  for (const [at, list] of amounts.entries())
    for (const amount of list) {
      const key = keyOf(amount)
      if (key === null) continue
      const known = beside.get(key) ?? { count: 0, hasSum: false }
      known.count += 1
      known.hasSum ||= isSum(rows[at]!, amount)
      beside.set(key, known)
    }
  const isChance = (amount: Amount): boolean => {
    const key = keyOf(amount)
    const known = key === null ? undefined : beside.get(key)
    return known !== undefined && !known.hasSum && (known.count < 2 || known.count * 2 < prices)
  }
  return amounts.map((list) => list.map((a) => (isChance(a) ? withoutMark(a) : a)))
}

function withoutMark(amount: Amount): Amount {
  const leads = amount.raw.toUpperCase().startsWith(amount.mark!.toUpperCase())
  const digits = amount.raw.search(/\d/)
  return {
    ...amount,
    mark: null,
    start: leads && digits > 0 ? amount.start + digits : amount.start,
  }
}
