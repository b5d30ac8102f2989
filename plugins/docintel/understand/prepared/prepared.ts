/** A document as all rules read it: its rows, cents and sums put right. */
import type { DocumentText } from '../../model/document.ts'
import { withMendedRows } from './mended-rows.ts'
import { withMendedSums } from './mended-sums.ts'
import { withCountsRead } from './misread-counts.ts'
import { withJoinedCents } from './split-cents.ts'
import { withClosedMarks } from './split-marks.ts'
import { withWholeHeads } from './wrapped-heads.ts'
import { withWholeNumbers } from './wrapped-digits.ts'

/** The document without what printing, reading and typesetting did to its rows. */
export const prepared = (printed: DocumentText): DocumentText =>
  withCountsRead(
    withMendedSums(
      withWholeHeads(withWholeNumbers(withJoinedCents(withClosedMarks(withMendedRows(printed))))),
    ),
  )
