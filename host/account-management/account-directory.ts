/**
 * Accounts as the operator manages them. The ledger owns the row with the balance; the name stands
 * apart from it. Ids are UUIDs in the order of their making.
 */
import { isAccountId, newId, type AccountRecord } from '#kernel'
import type { AccountDirectory, Database, LedgerAccounts, SqlTransaction } from '#kernel/host'
import { likeText } from './like-text.ts'
import { keysChanged, revokeKeys } from './key-writes.ts'

export function createAccountDirectory(
  database: Pick<Database, 'sql' | 'notifyHere'>,
  accounts: LedgerAccounts,
): AccountDirectory {
  const { sql } = database

  async function read(
    ids: readonly string[] | null,
    cursor: string | null,
    limit: number,
    { pattern = null, isLow = false }: { pattern?: string | null; isLow?: boolean } = {},
  ): Promise<AccountRecord[]> {
    return sql<AccountRecord[]>`
      SELECT a.id, n.name, a.mode, a.available AS "availableAtomic", a.held AS "heldAtomic",
        a.low_mark AS "lowMarkAtomic", a.low_at AS "lowAt", a.closed_at AS "closedAt"
      FROM coinop.account a LEFT JOIN coinop.account_name n ON n.account_id = a.id
      WHERE (${ids}::uuid[] IS NULL OR a.id = ANY (${ids}::uuid[]))
        AND (${cursor}::uuid IS NULL OR a.id < ${cursor}::uuid)
        AND (${pattern}::text IS NULL OR n.name ILIKE ${pattern} OR EXISTS (
          SELECT FROM coinop.account_owner o
          WHERE o.account_id = a.id AND o.subject ILIKE ${pattern}))
        AND (NOT ${isLow} OR (a.low_mark IS NOT NULL AND a.available + a.held < a.low_mark
          AND a.closed_at IS NULL))
      ORDER BY a.id DESC LIMIT ${limit}`
  }

  async function get(accountId: string): Promise<AccountRecord | null> {
    if (!isAccountId(accountId)) return null
    const [record] = await read([accountId], null, 1)
    return record ?? null
  }

  /** The record after a write; the row is there because nothing deletes accounts. */
  async function recordOf(accountId: string): Promise<AccountRecord> {
    const record = await get(accountId)
    if (!record) throw new Error(`account ${accountId} vanished`)
    return record
  }

  return {
    get,

    async create({ name, mode, lowMarkAtomic }) {
      const accountId = newId()
      await sql.begin(async (tx) => {
        await accounts.open(tx, { accountId, mode, lowMarkAtomic })
        await rename(tx, accountId, name)
      })
      return recordOf(accountId)
    },

    async openForPayer({ name, mode }, outer) {
      const accountId = newId()
      const open = async (tx: SqlTransaction): Promise<void> => {
        await accounts.open(tx, { accountId, mode })
        await rename(tx, accountId, name)
        await markPayers(tx, accountId)
      }
      await (outer ? open(outer) : sql.begin(open))
      return { accountId }
    },

    async list({ limit, cursor, find, isLow }) {
      // No stored text has that character, and PostgreSQL fails a statement that asks for it.
      if (find?.includes('\0')) return { records: [], nextCursor: null }
      const pattern = find === undefined ? null : `%${likeText(find)}%`
      const rows = await read(null, cursor, limit + 1, { pattern, isLow })
      const records = rows.slice(0, limit)
      return { records, nextCursor: rows.length > limit ? records.at(-1)!.id : null }
    },

    async patch(accountId, { name, lowMarkAtomic }) {
      if ((await get(accountId)) === null) return null
      await sql.begin(async (tx) => {
        if (lowMarkAtomic !== undefined) await accounts.setLowMark(tx, accountId, lowMarkAtomic)
        if (name !== undefined) await rename(tx, accountId, name)
      })
      return recordOf(accountId)
    },

    async close(accountId) {
      if ((await get(accountId)) === null) return { outcome: 'unknown_account' }
      const { outcome, revoked } = await sql.begin(async (tx) => {
        // Keys before the account, as a revocation has them; a grant made meanwhile waits for the account.
        await liveGrants(tx, accountId)
        const closed = await accounts.close(tx, accountId)
        if (closed !== 'closed') return { outcome: closed, revoked: [] }
        const revoked = await revokeKeys(tx, accounts, await liveGrants(tx, accountId))
        return { outcome: closed, revoked }
      })
      if (outcome !== 'closed') return { outcome }
      keysChanged(database, revoked)
      return { outcome: 'closed', record: await recordOf(accountId) }
    },
  }
}

/** Ids of the account's grants that have not ended, locked until `tx` ends. */
async function liveGrants(tx: SqlTransaction, accountId: string): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    SELECT id FROM coinop.api_key
    WHERE account_id = ${accountId} AND kind = 'grant' AND revoked_at IS NULL
    ORDER BY id FOR UPDATE`
  return rows.map(({ id }) => id)
}

/** Marks the account as opened by whoever pays, inside the transaction that opens it. */
export async function markPayers(tx: SqlTransaction, accountId: string): Promise<void> {
  await tx`INSERT INTO coinop.payer_account VALUES (${accountId})`
}

/** Gives the account its name, inside the transaction of whoever opens it. */
export async function rename(tx: SqlTransaction, accountId: string, name: string): Promise<void> {
  await tx`
    INSERT INTO coinop.account_name AS n (account_id, name) VALUES (${accountId}, ${name})
    ON CONFLICT (account_id) DO UPDATE SET name = excluded.name`
}
