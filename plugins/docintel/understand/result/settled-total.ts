/**
 * A total that its label chose, held against arithmetic: kept where sums prove it, put right where it is the
 * net of a proven total, and less sure where other sums contradict it.
 */
import { looksLikeMoney } from '../marks/amounts.ts'
import type { GoodsChain } from '../sums/goods-chain.ts'
import type { Chosen, LabelledAmounts } from '../marks/labelled-amounts.ts'
import type { MoneyLine } from '../marks/money-line.ts'
import { isNear } from '../marks/near.ts'
import { ONE_RATE, type ProvenSums } from '../sums/proven-sums.ts'
import type { Reading } from './reading.ts'
import type { RowMoney } from '../marks/row-money.ts'

/** Points of sums that stand for a total without any label. */
const ALONE_LEAST = 4.5
/** Points of sums that outweigh a label, and by how many they must beat those of another total. */
const OVER_LABEL = 5
const MARGIN = 1
/** Points of sums that outweigh a label that names the sum of one rate. */
const OVER_PART = 4
/** Points of sums that prove a labelled total. */
export const PROOF_LEAST = 3.5

const BY_ARITHMETIC = 0.85
export const PROVEN = 0.96
const CONTRADICTED = 0.8
const CUT = 0.8

const ROUNDINGS = 0.006
/** A total is rounded to coins by less. */
const COINS = 0.06
/** Points by which sums outweigh a label that none prove. */
const OVER_OTHER = 3

/** Whether a label says that a sum is what is left to pay. */
const isLeft = ({ line }: Chosen): boolean =>
  line?.label === 'balance_due' || line?.label === 'total_payable'

/** The best sums, where no others of another total come near to them. */
function clearSums(proven: readonly ProvenSums[], least: number): ProvenSums | null {
  const [best] = proven
  if (!best || best.score.points < least) return null
  const rival = proven.find(({ total }) => !isNear(total, best.total))
  return rival && best.score.points - rival.score.points < MARGIN ? null : best
}

const asChosen = ({ total, rows }: ProvenSums): Chosen => ({
  value: total,
  confidence: BY_ARITHMETIC,
  row: rows.total,
  line: null,
})

/** The total that sums alone prove, for a document whose labels name none; null without one. */
export function totalOfProven(proven: readonly ProvenSums[]): Chosen | null {
  const best = clearSums(proven, ALONE_LEAST)
  return best && asChosen(best)
}

/** Whether a sum is printed, with or without its sign: what was paid before. */
const isPrinted = (entries: readonly RowMoney[], value: number): boolean =>
  entries.some(({ amounts }) =>
    amounts.some((a) => looksLikeMoney(a) && isNear(Math.abs(a.value), value)),
  )

/** Whether digits stand so near before a number of three that it may be the end of a longer one. */
export function looksCut(
  entries: readonly RowMoney[],
  chosen: Pick<Chosen, 'value' | 'row'>,
): boolean {
  const entry = entries.find(({ row }) => row.index === chosen.row)
  return (entry?.amounts ?? []).some((amount) => {
    if (!looksLikeMoney(amount) || !isNear(amount.value, chosen.value)) return false
    const before = entry!.row.text.slice(0, amount.start)
    return /(?:^|\D)\d{1,3} $/.test(before) && /^\d{3}[.,]\d{2}(?!\d)/.test(amount.raw)
  })
}

/** The total that the goods and what is added to them make, for a document whose labels name none. */
export const totalOfGoods = (chain: GoodsChain | null): Chosen | null =>
  chain && { value: chain.value, confidence: BY_ARITHMETIC, row: chain.row, line: null }

/** Confidence in a subtotal that is all there is to pay. */
const LONE_SUBTOTAL = 0.75

/** The subtotal as the total, where goods add up to it and nothing is added to it or taken off. */
export function loneSubtotal(
  { lines, of }: LabelledAmounts,
  itemsSum: number | null,
): Chosen | null {
  const line = lines.findLast((l) => l.label === 'subtotal' && !l.inSummary)
  const isLone = lines.every((l) => ['subtotal', 'other', 'count', 'card'].includes(l.label))
  if (!line || !isLone || new Set(of('subtotal')).size !== 1 || itemsSum === null) return null
  const { value } = line.amount
  return isNear(value, itemsSum)
    ? { value, confidence: LONE_SUBTOTAL, row: line.row, line: null }
    : null
}

/** A labelled total without a proven tax, held against the goods and what is added to them. */
function settledByGoods(chosen: Chosen, chain: GoodsChain): Chosen {
  const { value, confidence } = chosen
  if (isNear(value, chain.value, ROUNDINGS))
    return chain.isTelling ? { ...chosen, confidence: Math.max(confidence, PROVEN) } : chosen
  // What a total is less an early payment stands below it: only the goods give way to less.
  const isGoods = /GOODS|WARE|MERCH/.test(chosen.line?.folded ?? '')
  const isBefore =
    (chain.value > value || isGoods) && chain.before.some((sum) => isNear(sum, value, ROUNDINGS))
  return isBefore && !isLeft(chosen) ? totalOfGoods(chain)! : chosen
}

/** Whether a row between two sums says that their difference was taken off. */
const isTakenOff = (
  lines: readonly MoneyLine[],
  from: number,
  to: number,
  value: number,
): boolean =>
  lines.some(
    ({ label, row, amount }) =>
      label === 'discount' && from < row && row < to && isNear(Math.abs(amount.value), value),
  )

/** The labelled total with what arithmetic says of it. */
export function settledTotal(
  chosen: Chosen,
  { proven, entries, chain, lines }: Pick<Reading, 'proven' | 'entries' | 'chain' | 'lines'>,
): Chosen {
  const { value, confidence } = chosen
  if (value <= 0) return chosen
  const own = proven.find(({ total }) => isNear(total, value, ROUNDINGS))
  const best = clearSums(proven, OVER_LABEL)
  const isCut = looksCut(entries, chosen)
  const table = clearSums(proven, OVER_PART)
  const isPart = own?.score.because.some(({ rule }) => rule === ONE_RATE) ?? false
  if (isPart && table && table.total > value) return asChosen(table)
  if (isCut) return { ...chosen, confidence: Math.min(confidence, CUT) }
  if (best && !isNear(best.total, value, ROUNDINGS)) {
    // What is called the total is the net that is taxed below.
    if (isNear(best.net, value)) return asChosen(best)
    const taken = best.total - value
    if (isTakenOff(lines, best.rows.total, chosen.row, taken)) return chosen
    const points = own?.score.points ?? 0
    // A rounding, a tip and what is left after a payment stand beside sums that agree.
    const isOther = best.total > value + COINS && best.score.points - points >= OVER_OTHER
    if (isOther && (!isLeft(chosen) || isPrinted(entries, taken))) return asChosen(best)
    return points < PROOF_LEAST
      ? { ...chosen, confidence: Math.min(confidence, CONTRADICTED) }
      : chosen
  }
  if (own && own.score.points >= PROOF_LEAST)
    return { ...chosen, confidence: Math.max(confidence, PROVEN) }
  return chain && !clearSums(proven, PROOF_LEAST) ? settledByGoods(chosen, chain) : chosen
}
