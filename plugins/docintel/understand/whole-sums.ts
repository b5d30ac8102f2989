/**
 * Which whole numbers are sums where no hundredths are printed: rupiah, dong, yen, won, Colombian
 * pesos ("56.000", "9,500", "1200"). Elsewhere a number without decimals is a count or a code.
 */
import { hasOtherScript } from '../lexicon/other-scripts.ts'
import type { Row } from '../model/document.ts'
import type { Amount } from './amounts.ts'

const GROUPED = /(?<!\d)\d{1,3}(?:[.,' ]\d{3})+(?![\d.,]?\d)/
/** Below this share of sums with hundredths a document prints none: OCR loses a digit at times. */
const DECIMAL_SHARE = 0.25
const STEP = 50
const WHOLE_MIN = 10

const isWhole = (a: Amount): boolean => a.decimals === 0 && !a.percent
const isGrouped = (a: Amount): boolean => isWhole(a) && a.value !== 0 && GROUPED.test(a.raw)

/** The amounts of each row with `whole` set on those that are sums. */
export function withWholeSums(rows: readonly Row[], amounts: readonly Amount[][]): Amount[][] {
  const all = amounts.flat()
  const decimal = all.filter((a) => a.decimals === 2 && !a.percent).length
  const grouped = all.filter(isGrouped).length
  const marked = all.filter((a) => isWhole(a) && a.mark !== null && !isGrouped(a)).length
  if (grouped + marked < 2 || decimal > DECIMAL_SHARE * (grouped + marked)) return [...amounts]
  const isSum = (a: Amount): boolean => isGrouped(a) || (isWhole(a) && a.mark !== null)
  const first = amounts.findIndex((list) => list.some(isSum))
  // Yen and won are printed to the single one; rupiah and pesos are not.
  const few = grouped < 2 || rows.some((row) => hasOtherScript(row.text))
  return amounts.map((list, at) => {
    const last = list.findLast((a) => !a.percent)
    return list.map((a) => {
      if (isGrouped(a)) return { ...a, whole: true }
      const isLast = a === last && a.end >= rows[at]!.text.trimEnd().length - 2
      const round = few ? a.value >= WHOLE_MIN : a.value >= STEP && a.value % STEP === 0
      return isLast && at >= first - 1 && isWhole(a) && !a.factor && round
        ? { ...a, whole: true }
        : a
    })
  })
}
