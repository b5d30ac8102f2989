/** Durations counted by steps of a factor of √2, off which percentiles are read. */
const FIRST_MS = 0.5
/** The last step begins above 350 s, longer than any request may take. */
export const STEPS = 40

/** The step of a duration: 0 below 0.5 ms, then one more for every factor of √2. */
export function stepOf(durationMs: number): number {
  if (durationMs < FIRST_MS) return 0
  return Math.min(STEPS - 1, 1 + Math.floor(2 * Math.log2(durationMs / FIRST_MS)))
}

/** The duration that `share` of them stay below, in ms, at most a step off; null without any. */
export function percentile(counts: readonly number[], share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  let rest = share * total
  for (const [step, count] of counts.entries()) {
    if (rest <= count && count > 0) {
      const from = step === 0 ? 0 : FIRST_MS * 2 ** ((step - 1) / 2)
      const to = FIRST_MS * 2 ** (step / 2)
      return from + (rest / count) * (to - from)
    }
    rest -= count
  }
  return FIRST_MS * 2 ** (STEPS / 2)
}
