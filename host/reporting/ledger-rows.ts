/** The rows of /v1/ledger and /v1/usage: postings with the subject of their hold, newest first. */
import { and, desc, eq, inArray, isNull, lt, or, sql, type SQL } from 'drizzle-orm'
import { unionAll, type AnyPgColumn } from 'drizzle-orm/pg-core'
import { isLedgerId, isUuid, type LedgerRow, type RowFilter } from '#kernel'
import { ID_SLOT, isIndexable, NO_ACCOUNT, WHOLE_KEY, type Database } from '#kernel/host'
import { entry, hold, keySpend } from './ledger-schema.ts'

const CREDITS_RAIL = 'credits'
const ENTRY_SLOT = sql.raw(ID_SLOT('entry.id'))

/**
 * Postings that match every given filter, newest first. A filter that no posting can match (such as
 * a malformed id) gives no rows.
 */
export async function readRows(orm: Database['orm'], filter: RowFilter): Promise<LedgerRow[]> {
  if (filter.before !== undefined && !isLedgerId(filter.before)) return []
  if (filter.accountId !== undefined && !isUuid(filter.accountId)) return []
  const texts = [filter.keyId, filter.requestId].filter((text) => text !== undefined)
  if (!texts.every(isIndexable)) return []
  const conditions: (SQL | undefined)[] = [
    filter.ids && named(filter.ids),
    filter.accountId === undefined ? undefined : ofAccount(orm, filter.accountId),
    filter.keyId === undefined ? undefined : eq(entry.keyId, filter.keyId),
    filter.before === undefined ? undefined : isBefore(filter),
    // A literal instead of a parameter, so that the planner can use the partial index on rare
    // kinds.
    filter.kind === undefined ? undefined : sql`${entry.kind} = ${sql.raw(`'${filter.kind}'`)}`,
    filter.requestId === undefined ? undefined : ofRequest(orm, filter.requestId),
  ]
  return orm
    .select({
      id: entry.id,
      at: entry.at,
      kind: entry.kind,
      accountId: sql<string | null>`NULLIF(${entry.accountId}, ${NO_ACCOUNT}::uuid)`,
      keyId: entry.keyId,
      legacyId: sql<string | null>`${entry.legacyId}::text`,
      rail: sql<string>`COALESCE(${entry.rail}, ${CREDITS_RAIL})`,
      amountAtomic: entry.amount,
      debit: accountName(entry.debit),
      credit: accountName(entry.credit),
      transaction: entry.transaction,
      note: entry.note,
      requestId: sql<string | null>`COALESCE(${entry.requestId}, ${hold.requestId})`,
      skillId: sql<string | null>`COALESCE(${entry.skillId}, ${hold.skillId})`,
      path: sql<string | null>`COALESCE(${entry.path}, ${hold.path})`,
      priceVersion: sql<number | null>`COALESCE(${entry.priceVersion}, ${hold.priceVersion})`,
      acquisition: sql<string | null>`COALESCE(${entry.acquisition}, ${hold.acquisition})`,
    })
    .from(entry)
    .leftJoin(hold, and(eq(hold.id, entry.holdId), eq(hold.accountId, entry.accountId)))
    .where(and(...conditions))
    .orderBy(...(filter.keyId === undefined ? [] : [desc(ENTRY_SLOT)]), desc(entry.id))
    .limit(filter.limit)
}

function named(ids: readonly string[]): SQL | undefined {
  const numbers = ids.filter((id) => isLedgerId(id) && !isUuid(id)).map(BigInt)
  return or(
    inArray(entry.id, ids.filter(isUuid)),
    numbers.length === 0 ? undefined : inArray(entry.legacyId, numbers),
  )
}

/** The bound by `before`; with a key, also in the form that the index of its postings needs. */
function isBefore({ before, keyId }: RowFilter): SQL | undefined {
  const id = idBefore(before!)
  const isOlder = lt(entry.id, id)
  if (keyId === undefined) return isOlder
  return and(
    isOlder,
    sql`${ENTRY_SLOT} <= (SELECT ${sql.raw(ID_SLOT('b.id'))} FROM (SELECT ${id} AS id) AS b)`,
  )
}

/** The id that older rows lie below; `before` is an id, or the number of an old row. */
function idBefore(before: string): SQL {
  if (isUuid(before)) return sql`${before}::uuid`
  return sql`COALESCE((SELECT e.id FROM coinop.entry e WHERE e.legacy_id >= ${before}::bigint
    ORDER BY e.legacy_id LIMIT 1), 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)`
}

/** Postings of the account's keys, which are indexed, and those that belong to no key. */
function ofAccount(orm: Database['orm'], accountId: string): SQL | undefined {
  const keys = orm
    .select({ keyId: keySpend.keyId })
    .from(keySpend)
    .where(and(eq(keySpend.accountId, accountId), eq(keySpend.scope, WHOLE_KEY)))
  return and(eq(entry.accountId, accountId), or(inArray(entry.keyId, keys), isNull(entry.keyId)))
}

/** Found by the posting ids in the holds, which saves an index on every posting. */
function ofRequest(orm: Database['orm'], requestId: string): SQL {
  const namedBy = (column: AnyPgColumn) =>
    orm
      .select({ id: sql`${column}` })
      .from(hold)
      .where(eq(hold.requestId, requestId))
  const ids = unionAll(
    namedBy(hold.id),
    namedBy(hold.endId),
    namedBy(hold.restId),
    namedBy(hold.refundId),
    orm
      .select({ id: sql`${entry.id}` })
      .from(entry)
      .where(eq(entry.requestId, requestId)),
  )
  return inArray(entry.id, ids)
}

/** '<account>:available' and '<account>:held' for balances; system accounts are unchanged. */
function accountName(side: AnyPgColumn): SQL<string> {
  return sql`CASE WHEN ${side} IN ('available', 'held') THEN ${entry.accountId} || ':' || ${side} ELSE ${side} END`
}
