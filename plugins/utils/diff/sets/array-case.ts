/** Contradictions among literals about lists. */
import type { Literal, Signed } from './literals.ts'
import { ofKind, sizesOf } from './scalar-cases.ts'

/** Answers whether no value meets all of some demands. */
export interface Emptiness {
  isEmpty(goal: readonly Signed[]): boolean
}

/** Whether no list meets the literals, as far as that is seen from one element at a time. */
export function isEmptyArray(literals: readonly Literal[], prover: Emptiness): boolean {
  const tuples = ofKind(literals, 'tuple')
  const every = ofKind(literals, 'every').map(({ like }) => like)
  const length = Math.max(0, ...tuples.map(({ prefix }) => prefix.length))
  const like = (at: number): Signed[] => [
    ...every,
    ...tuples.flatMap(({ prefix, rest }) => prefix[at] ?? rest ?? []),
  ]
  let { least, most } = sizesOf(literals)
  // Positions from `length` on are all alike.
  for (let at = 0; at <= length && at < most; at++) if (prover.isEmpty(like(at))) most = at
  for (const { from, only, like: wanted } of ofKind(literals, 'element')) {
    const last = only ? from : Math.max(from, length)
    let at = from
    while (at <= last && (at >= most || prover.isEmpty([...like(at), wanted]))) at++
    if (at > last) return true
    least = Math.max(least, at + 1)
  }
  return least > most
}
