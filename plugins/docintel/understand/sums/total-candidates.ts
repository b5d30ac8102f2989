/** The amounts that may be the sum to pay, ranked by the rules of total-rules.ts. */
import type { LabelledAmounts } from '../marks/labelled-amounts.ts'
import type { MoneyLine } from '../marks/money-line.ts'
import type { RowMoney } from '../marks/row-money.ts'
import { scoreBy, type Score } from '../marks/rules.ts'
import { LABEL_POINTS } from './total-labels.ts'
import { TOTAL_RULES } from './total-rules.ts'
import { sumsOf } from './total-sums.ts'

const CANDIDATES_MAX = 120

export interface Candidate {
  line: MoneyLine
  score: Score
}

/** Every labelled sum that may be the total, the likeliest first. */
export function totalCandidates(
  labelled: LabelledAmounts,
  entries: RowMoney[],
  itemsSum: number | null,
): Candidate[] {
  const lines = labelled.lines
    .filter((l) => LABEL_POINTS[l.label] !== undefined)
    .slice(-CANDIDATES_MAX)
  const sums = sumsOf(lines, labelled, entries, itemsSum)
  return lines
    .map((line) => ({
      line,
      score: scoreBy(TOTAL_RULES, { line, value: line.amount.value, sums }),
    }))
    .toSorted((a, b) => b.score.points - a.score.points || b.line.row - a.line.row)
}
