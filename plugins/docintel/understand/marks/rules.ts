/** Scores made of named rules, so that every score can say what it is made of. */

export interface Rule<Subject> {
  name: string
  /** What speaks for the subject (above 0) or against it; null where the rule does not apply. */
  look(subject: Subject): Finding | number | null
}

export interface Finding {
  points: number
  /** How many other printed sums lead to the same amount. */
  confirms: number
}

export interface Score {
  points: number
  confirmed: number
  /** The rules that applied, in the order of the list. */
  because: { rule: string; points: number }[]
}

/** The points of all rules that apply to the subject. */
export function scoreBy<Subject>(rules: readonly Rule<Subject>[], subject: Subject): Score {
  const score: Score = { points: 0, confirmed: 0, because: [] }
  for (const rule of rules) {
    const found = rule.look(subject)
    if (found === null) continue
    const { points, confirms } = typeof found === 'number' ? { points: found, confirms: 0 } : found
    score.points += points
    score.confirmed += confirms
    score.because.push({ rule: rule.name, points })
  }
  return score
}

/** What the rules of a score add up to. */
export const pointsOf = (because: readonly { points: number }[]): number =>
  because.reduce((sum, { points }) => sum + points, 0)

/** `points` where it holds, else null: the rule does not apply. */
export const when = (holds: boolean, points: number): number | null => (holds ? points : null)
