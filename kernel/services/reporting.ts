/** Reads the ledger for people; `host/reporting` does it. */
import type { LedgerRow, LedgerRows, RowFilter, VerifyReport } from '../ledger/contract.ts'
import type { Logger } from '../log/logger.ts'
import type { Statements } from '../plugins/account-services.ts'
import type { Reports } from '../plugins/services.ts'
import type { RailCalls } from '../rails/calls-contract.ts'
import type { Rail } from '../rails/contract.ts'
import type { Database, SqlClient } from '../storage/contract.ts'
import type { Background } from '../work/background.ts'

export interface Reporting {
  /** Of `LedgerRows`. */
  readRows(orm: Database['orm'], filter: RowFilter): Promise<LedgerRow[]>
  createReports(deps: ReportDeps): Reports
  createStatements(deps: StatementDeps): Statements
  /** The calls that credits paid, for the operator's lists. */
  creditsCalls(sql: SqlClient): RailCalls
  /** Adds postings up into the sums of days, every few seconds, on any number of instances. */
  startUsageFold(deps: { sql: SqlClient; log: Logger }): Background
  /** What was checked and every invariant that does not hold, of one moment of a serving gateway. */
  verifyLedger(sql: SqlClient): Promise<VerifyReport>
  /** What a hold and its postings fulfil by themselves, in an archive too. */
  readonly invariantsOfHolds: readonly Invariant[]
}

/** A query that finds the rows which break it, as `subject` and `message`. */
export interface Invariant {
  name: string
  query: string
}

export interface StatementDeps {
  sql: SqlClient
  ledger: LedgerRows
}

export interface ReportDeps extends StatementDeps {
  rails: { list(): readonly Rail[] }
  /** The effective configuration, secrets masked. */
  configuration: Reports['configuration']
  version: string
  startedAt: Date
}
