/** What the kernel is handed: reading the ledger for people. */
import type { Reporting } from '#kernel/host'
import { creditsCalls } from './credits-calls.ts'
import { OF_HOLDS } from './invariants.ts'
import { readRows } from './ledger-rows.ts'
import { createReports } from './reports.ts'
import { createStatements } from './statements.ts'
import { startUsageFold } from './usage/fold.ts'
import { verifyLedger } from './verify.ts'

export const reporting: Reporting = {
  readRows,
  createReports,
  createStatements,
  creditsCalls,
  startUsageFold,
  verifyLedger,
  invariantsOfHolds: OF_HOLDS,
}
