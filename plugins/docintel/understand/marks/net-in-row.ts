/** A net, its taxes and their sum side by side in one row. */
import { looksLikeMoney, type Amount } from './amounts.ts'
import { isNear } from './near.ts'

/**
 * The sums that end a row as "100.00  19.00  119.00" does: the last one is the net together with one tax,
 * or up to `taxesMax` of them; null where they are no such.
 */
export function netTaxesAndGross(
  amounts: readonly Amount[],
  taxesMax: number,
): { net: Amount; taxes: Amount[]; gross: Amount } | null {
  const money = amounts.filter((a) => looksLikeMoney(a) && !a.percent)
  const gross = money.at(-1)
  if (!gross) return null
  for (let count = 1; count <= taxesMax; count++) {
    const net = money.at(-2 - count)
    const taxes = money.slice(-1 - count, -1)
    const tax = taxes.reduce((sum, a) => sum + a.value, 0)
    if (net && tax > 0 && tax < net.value && isNear(net.value + tax, gross.value))
      return { net, taxes, gross }
  }
  return null
}
