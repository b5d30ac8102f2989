/** An amount with the label that it was joined with. */
import type { MoneyLabel } from '../../lexicon/money-label.ts'
import type { Amount } from './amounts.ts'

export type Pairing = 'row' | 'below' | 'column' | 'sequence'

export interface MoneyLine {
  label: MoneyLabel
  folded: string
  row: number
  amount: Amount
  /** All money-like amounts of the amount's row. */
  companions: Amount[]
  pairing: Pairing
  /** Inside a table of taxes by rate. */
  inSummary: boolean
  /** A percentage beside the label ("GST @6%"). */
  rate: number | null
}
