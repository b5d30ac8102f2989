/** Comparison of printed sums. */

export const MONEY_EPSILON = 0.0051

export function isNear(a: number, b: number, slack = MONEY_EPSILON): boolean {
  return Math.abs(a - b) <= slack
}
