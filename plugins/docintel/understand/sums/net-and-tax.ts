/**
 * Net and tax of a total by arithmetic, where no label names them or the labels name what does not make
 * the total: those of all sums of the page for which the most facts speak.
 */
import { isNear } from '../marks/near.ts'
import type { ProvenSums } from './proven-sums.ts'

export interface NetAndTax {
  net: number
  tax: number
}

interface Known {
  total: number
  /** What labels name already; null where none does. */
  net: number | null
  tax: number | null
  /** Whether sums of a table of taxes count: on a till's receipt its bases are no net of the goods. */
  withTables: boolean
}

/** Points that must speak for a pair, and by how many it must beat every other. */
const POINTS_LEAST = 3
const MARGIN = 0.5
/** Points that must speak for a pair against what a label names. */
const OVER_LABEL = 4
/** What a label says of net or tax counts as a fact. */
const NAMED_POINTS = 1

/** Net and tax that make the total; null where nothing, or more than one pair, fits as well. */
function netAndTaxOf(proven: readonly ProvenSums[], known: Known): NetAndTax | null {
  const isNamed = known.net !== null || known.tax !== null
  const pairs = proven.filter(
    ({ net, tax, total, inTable }) =>
      isNear(total, known.total) &&
      (known.withTables || !inTable) &&
      (known.net === null || isNear(net, known.net)) &&
      (known.tax === null || isNear(tax, known.tax)),
  )
  const [best] = pairs
  if (!best) return null
  const other = pairs.find(({ tax }) => !isNear(tax, best.tax))
  const least = POINTS_LEAST - (isNamed ? NAMED_POINTS : 0)
  if (best.score.points < least) return null
  if (other && best.score.points - other.score.points < MARGIN) return null
  return { net: best.net, tax: best.tax }
}

/** Net and tax that are proven better than the one that a label names: a sum before a discount. */
function netAndTaxOver(proven: readonly ProvenSums[], known: Known): NetAndTax | null {
  const best = proven.find(({ total }) => isNear(total, known.total))
  if (!best || best.score.points < OVER_LABEL) return null
  return netAndTaxOf(proven, { ...known, net: null, tax: null })
}

/** Whether net and tax make the total, or the net includes the tax. */
export const fitTogether = (total: number, net: number, tax: number): boolean =>
  isNear(net + tax, total, 0.06) || isNear(net, total, 0.06)

/**
 * The net and tax that a document's labels name, put right where they do not make the total and others
 * do; the named ones where nothing fits better.
 */
export function provenNetAndTax(proven: readonly ProvenSums[], known: Known): NetAndTax | null {
  const { total, net, tax } = known
  if (total <= 0) return null
  if (net === null || tax === null)
    return netAndTaxOf(proven, known) ?? netAndTaxOver(proven, known)
  if (fitTogether(total, net, tax)) return null
  return (
    netAndTaxOf(proven, { ...known, tax: null }) ??
    netAndTaxOf(proven, { ...known, net: null }) ??
    netAndTaxOver(proven, known)
  )
}
