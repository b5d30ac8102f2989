/** What the kernel is handed: reading the ledger for people. */
import type { Reporting } from '#kernel/host'
import { createReports } from './reports.ts'
import { createStatements } from './statements.ts'
import { startUsageFold } from './usage/fold.ts'

export const reporting: Reporting = { createReports, createStatements, startUsageFold }
