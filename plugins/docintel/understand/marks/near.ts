/** Comparison of printed sums. */

export const MONEY_EPSILON = 0.0051

/** What is reckoned of sums, in the cents that they are printed in. */
export function roundedToCents(value: number): number {
  return Math.round(value * 100) / 100
}

export function isNear(a: number, b: number, slack = MONEY_EPSILON): boolean {
  return Math.abs(a - b) <= slack
}
