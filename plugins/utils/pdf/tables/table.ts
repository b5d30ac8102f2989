import type { Box } from '../text/words.ts'

export interface Table {
  /** Rows of equal length; '' for an empty cell and for the rest of a merged one. */
  rows: string[][]
  box: Box
}
