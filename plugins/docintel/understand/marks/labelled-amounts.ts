/** The labelled amounts of a document, and what is chosen among them. */
import type { MoneyLabel } from '../../lexicon/money-label.ts'
import type { MoneyLine } from './money-line.ts'

/** A chosen amount; `line` where a label names it. */
export interface Chosen {
  value: number
  confidence: number
  row: number
  line: MoneyLine | null
}

/** Sums of one kind that are compared; the last ones, for the sums stand at the end. */
export const VALUES_MAX = 12

export interface LabelledAmounts {
  lines: MoneyLine[]
  /** The last amounts with one of the labels, in document order, tables of taxes aside. */
  of(...labels: MoneyLabel[]): number[]
}

/** `lines` by their labels. */
export function labelledAmounts(lines: MoneyLine[]): LabelledAmounts {
  return {
    lines,
    of: (...labels) =>
      lines
        .filter((l) => labels.includes(l.label) && !l.inSummary)
        .slice(-VALUES_MAX)
        .map((l) => l.amount.value),
  }
}
