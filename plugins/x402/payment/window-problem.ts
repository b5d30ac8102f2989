/** When a signed payment can settle, against the time that its call needs. */
import { problem, type Problem } from './problem.ts'
import type { Word } from './reason-codes.ts'

/** Seconds since 1970; null: the payer named no such end. */
export interface Window {
  validAfter: bigint | null
  validBefore: bigint | null
}

/** What is said of each end. */
interface Ends {
  validAfter: Word
  validBefore: Word
}

/**
 * Why a payment is not valid now and until its work, which ends at `deadline`, is settled `marginS` later;
 * null when it is. `names` are what a message calls the two ends where the field does not name them. Without
 * an end nobody could ever say that it will not settle any more.
 */
export function windowProblem(
  { validAfter, validBefore }: Window,
  needed: { deadline: Date; marginS: number; now: Date },
  ends: Ends,
  names = { validAfter: ends.validAfter.field, validBefore: ends.validBefore.field },
): Problem | null {
  const nowS = BigInt(Math.floor(needed.now.getTime() / 1000))
  const neededS = BigInt(Math.ceil(needed.deadline.getTime() / 1000) + needed.marginS)
  if (validBefore === null || validBefore < neededS) {
    const { reason, field } = ends.validBefore
    const text =
      validBefore === null
        ? `${names.validBefore} is missing: sign a new payment that ends`
        : `${names.validBefore} has passed, or will before the call could be settled: sign a new payment`
    const got = validBefore === null ? 'no end' : String(validBefore)
    return problem(reason, field, text, { expected: `at least ${neededS}`, got })
  }
  if (validAfter !== null && validAfter > nowS) {
    const { reason, field } = ends.validAfter
    const text = `${names.validAfter} has not come yet by the gateway's clock: check yours, and sign a new payment`
    return problem(reason, field, text, { expected: `at most ${nowS}`, got: String(validAfter) })
  }
  return null
}
