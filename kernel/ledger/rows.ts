/** The rows of /v1/ledger and /v1/usage: postings with the subject of their hold, newest first. */
import { and, desc, eq, inArray, lt, sql, type SQL } from 'drizzle-orm'
import { unionAll, type AnyPgColumn } from 'drizzle-orm/pg-core'
import { atomicToCredits } from '../money.ts'
import type { Database } from '../storage/contract.ts'
import type { EntryKind, LedgerRow, RowFilter } from './contract.ts'
import { isIndexable } from './holds.ts'
import { entry, entryKind, hold } from './schema.ts'

const CREDITS_RAIL = 'credits'

/** Whether the text is one of the posting kinds, for a `?kind` filter. */
export function isEntryKind(text: string): text is EntryKind {
  return (entryKind.enumValues as readonly string[]).includes(text)
}

/** Whether the text can be a ledger id, for a `?before` filter. */
export function isLedgerId(text: string): boolean {
  return /^[1-9]\d{0,17}$/.test(text)
}

/**
 * Postings that match every given filter, newest first. A filter that no posting can match (an id
 * of another shape) gives no rows.
 */
export async function readRows(orm: Database['orm'], filter: RowFilter): Promise<LedgerRow[]> {
  if (filter.before !== undefined && !isLedgerId(filter.before)) return []
  const texts = [filter.keyId, filter.requestId].filter((text) => text !== undefined)
  if (!texts.every(isIndexable)) return []
  const conditions: (SQL | undefined)[] = [
    filter.ids && inArray(entry.id, filter.ids.map(BigInt)),
    filter.keyId === undefined ? undefined : eq(entry.keyId, filter.keyId),
    filter.before === undefined ? undefined : lt(entry.id, BigInt(filter.before)),
    // A literal, not a parameter: the partial index on rare kinds is chosen by it.
    filter.kind === undefined ? undefined : sql`${entry.kind} = ${sql.raw(`'${filter.kind}'`)}`,
    filter.requestId === undefined ? undefined : ofRequest(orm, filter.requestId),
  ]
  const found = await orm
    .select({
      posting: entry,
      requestId: sql<string | null>`COALESCE(${entry.requestId}, ${hold.requestId})`,
      skillId: sql<string | null>`COALESCE(${entry.skillId}, ${hold.skillId})`,
      path: sql<string | null>`COALESCE(${entry.path}, ${hold.path})`,
      priceVersion: sql<number | null>`COALESCE(${entry.priceVersion}, ${hold.priceVersion})`,
      acquisition: sql<string | null>`COALESCE(${entry.acquisition}, ${hold.acquisition})`,
    })
    .from(entry)
    .leftJoin(hold, eq(hold.id, entry.holdId))
    .where(and(...conditions))
    .orderBy(desc(entry.id))
    .limit(filter.limit)
  return found.map(({ posting, ...subject }) => ({
    id: String(posting.id),
    at: posting.at,
    kind: posting.kind,
    keyId: posting.keyId,
    rail: posting.rail ?? CREDITS_RAIL,
    amountAtomic: posting.amount,
    debit: accountName(posting.debit, posting.keyId),
    credit: accountName(posting.credit, posting.keyId),
    transaction: posting.transaction,
    note: posting.note,
    ...subject,
  }))
}

/** Holds name their postings by id, so that no index has to be written for every posting. */
function ofRequest(orm: Database['orm'], requestId: string): SQL {
  const namedBy = (column: AnyPgColumn) =>
    orm
      .select({ id: sql`${column}` })
      .from(hold)
      .where(eq(hold.requestId, requestId))
  const ids = unionAll(
    namedBy(hold.authorizeEntry),
    namedBy(hold.endEntry),
    namedBy(hold.restEntry),
    namedBy(hold.refundEntry),
    orm
      .select({ id: sql`${entry.id}` })
      .from(entry)
      .where(eq(entry.requestId, requestId)),
  )
  return inArray(entry.id, ids)
}

/** 'key_x:available' and 'key_x:held' for the balances of a key; system accounts as they are. */
function accountName(account: string, keyId: string | null): string {
  return account === 'available' || account === 'held' ? `${keyId}:${account}` : account
}

export type LedgerRowJson = ReturnType<typeof rowToJson>

/** The wire form of a row; `at` is ISO 8601 in UTC. */
export function rowToJson(row: LedgerRow) {
  return {
    id: row.id,
    at: row.at.toISOString(),
    kind: row.kind,
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
