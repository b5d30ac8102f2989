/** Affine matrices [a b c d e f] as PDF writes them (ISO 32000-1 8.3.3). */
export type Matrix = readonly [number, number, number, number, number, number]

export const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0]

/** The matrix that applies `inner` first and `outer` after it. */
export function multiply(outer: Matrix, inner: Matrix): Matrix {
  const [a, b, c, d, e, f] = outer
  return [
    a * inner[0] + c * inner[1],
    b * inner[0] + d * inner[1],
    a * inner[2] + c * inner[3],
    b * inner[2] + d * inner[3],
    a * inner[4] + c * inner[5] + e,
    b * inner[4] + d * inner[5] + f,
  ]
}

export function apply(m: Matrix, x: number, y: number): [number, number] {
  return [m[0] * x + m[2] * y + m[4], m[1] * x + m[3] * y + m[5]]
}

/** Six finite numbers of an array-like, or null. */
export function matrixOf(value: unknown): Matrix | null {
  if (value === null || typeof value !== 'object') return null
  const six = Array.from(value as ArrayLike<unknown>).map(Number)
  return six.length >= 6 && six.every(Number.isFinite) ? (six as unknown as Matrix) : null
}
