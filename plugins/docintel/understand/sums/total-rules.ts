/**
 * The rules by which a labelled sum is, or is not, the one to pay: its label, how it was read, what
 * agrees with it, and the sums that it would be confused with.
 */
import type { Rule } from '../marks/rules.ts'
import { AGREEMENT_RULES } from './total-agreement.ts'
import { LABEL_RULES } from './total-labels.ts'
import { RIVAL_RULES } from './total-rivals.ts'
import type { TotalSubject } from './total-sums.ts'

export const TOTAL_RULES: readonly Rule<TotalSubject>[] = [
  ...LABEL_RULES,
  ...AGREEMENT_RULES,
  ...RIVAL_RULES,
]
