/** Ids, references and the wire form of ledger rows; `host/reporting` reads them. */
import { isUuid } from '../ids.ts'
import { atomicToCredits } from '../money.ts'
import { ENTRY_KINDS, type EntryKind, type LedgerRow } from './contract.ts'

/** Whether the text is one of the posting kinds, for a `?kind` filter. */
export function isEntryKind(text: string): text is EntryKind {
  return (ENTRY_KINDS as readonly string[]).includes(text)
}

/** Whether the text can be a ledger id (for `?before`): a UUID, or the number of an old row. */
export function isLedgerId(text: string): boolean {
  return isUuid(text) || /^[1-9]\d{0,17}$/.test(text)
}

/** The reference of a settlement's refund: its old number if it had one, else its id. */
export function refundReference({ id, legacyId }: Pick<LedgerRow, 'id' | 'legacyId'>): string {
  return `refund:${legacyId ?? id}`
}

export type LedgerRowJson = ReturnType<typeof rowToJson>

/** The wire form of a row; `at` is ISO 8601 in UTC. */
export function rowToJson(row: LedgerRow) {
  return {
    id: row.id,
    at: row.at.toISOString(),
    kind: row.kind,
    accountId: row.accountId,
    apiKeyId: row.keyId,
    requestId: row.requestId,
    rail: row.rail,
    skill: row.skillId,
    path: row.path,
    amountCredits: atomicToCredits(row.amountAtomic),
    amountUsdcAtomic: Number(row.amountAtomic),
    debit: row.debit,
    credit: row.credit,
    priceVersion: row.priceVersion,
    acquisition: row.acquisition,
    transaction: row.transaction,
    note: row.note,
  }
}
