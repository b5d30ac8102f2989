/** Limits on how long or how full a value is. */
import type { JsonMap } from '../pointer.ts'
import { type Constraint, facts, type Literal } from './literals.ts'

export const isFinite = (value: unknown): value is number => Number.isFinite(value)

/** A demand that is one fact, and the fact that it is not met. */
export function fact(yes: Literal, no: Literal): Constraint {
  return { yes: [facts(yes)], no: [facts(no)] }
}

/** `least` and `most` of what a value has, by the two keywords. */
export function sizeConstraints(raw: JsonMap, least: string, most: string): Constraint[] {
  const [low, high] = [raw[least], raw[most]]
  return [
    ...(isFinite(low)
      ? [fact({ kind: 'least', size: low }, { kind: 'most', size: Math.ceil(low) - 1 })]
      : []),
    ...(isFinite(high)
      ? [fact({ kind: 'most', size: high }, { kind: 'least', size: Math.floor(high) + 1 })]
      : []),
  ]
}
