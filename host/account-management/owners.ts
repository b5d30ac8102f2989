/** Who an account belongs to: the ways in to it, each of which leads to one account only. */
import { assert, newId } from '#kernel'
import type { Database, LedgerAccounts, Owners } from '#kernel/host'
import { markPayers, rename } from './account-directory.ts'

/** A scheme in lower case, a colon, and printable ASCII without spaces: 'email:a@b.c'. */
const SUBJECT = /^[a-z][a-z0-9-]{0,31}:[\x21-\x7e]{1,360}$/

/** Whether a text can name an owner. */
function isOwnerSubject(text: string): boolean {
  return SUBJECT.test(text)
}

export function createOwners(
  { sql }: Pick<Database, 'sql'>,
  accounts: Pick<LedgerAccounts, 'open'>,
): Owners {
  async function find(subject: string): Promise<string | null> {
    const [row] = await sql<{ accountId: string }[]>`
      SELECT account_id AS "accountId" FROM coinop.account_owner WHERE subject = ${subject}`
    return row?.accountId ?? null
  }

  return {
    async accountOf(subject, open) {
      checkSubject(subject)
      const known = await find(subject)
      if (known !== null) return { accountId: known, isNew: false }
      if (open === null) return null
      const accountId = newId()
      const isNew = await sql.begin(async (tx) => {
        // Of two at once the second waits here for the first one's account.
        const made = await tx`
          INSERT INTO coinop.account_owner (subject, account_id) VALUES (${subject}, ${accountId})
          ON CONFLICT DO NOTHING RETURNING 1`
        if (made.length === 0) return false
        await accounts.open(tx, { accountId, mode: open.mode })
        await rename(tx, accountId, open.name)
        await markPayers(tx, accountId)
        return true
      })
      if (isNew) return { accountId, isNew }
      const others = await find(subject)
      return others === null ? null : { accountId: others, isNew: false }
    },

    list: (accountId) => sql<{ subject: string; addedAt: Date }[]>`
      SELECT subject, added_at AS "addedAt" FROM coinop.account_owner
      WHERE account_id = ${accountId}::uuid ORDER BY added_at, subject`,

    async add(tx, accountId, subject) {
      checkSubject(subject)
      const accountRows = await tx`SELECT FROM coinop.account WHERE id = ${accountId}::uuid`
      if (accountRows.length === 0) return 'unknown_account'
      const made = await tx`
        INSERT INTO coinop.account_owner (subject, account_id) VALUES (${subject}, ${accountId}::uuid)
        ON CONFLICT DO NOTHING RETURNING 1`
      if (made.length > 0) return 'added'
      const rows = await tx`
        SELECT FROM coinop.account_owner
        WHERE subject = ${subject} AND account_id = ${accountId}::uuid`
      return rows.length > 0 ? 'known' : 'taken'
    },

    async remove(tx, accountId, subject) {
      // All of them are locked: of two removals at once the second sees what the first one left.
      const rows = await tx<{ subject: string }[]>`
        SELECT subject FROM coinop.account_owner
        WHERE account_id = ${accountId}::uuid ORDER BY subject FOR UPDATE`
      if (!rows.some((row) => row.subject === subject)) return 'unknown'
      if (rows.length === 1) return 'last'
      await tx`
        DELETE FROM coinop.account_owner
        WHERE subject = ${subject} AND account_id = ${accountId}::uuid`
      return 'removed'
    },
  }
}

function checkSubject(subject: string): void {
  assert(isOwnerSubject(subject), 'an owner is named by a scheme, a colon and printable characters')
}
