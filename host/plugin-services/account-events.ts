/** Events of accounts and of the gateway, as the operator's lists show them. */
import type { AccountEventRow } from '#kernel'
import type { EventPage, SqlClient } from '#kernel/host'

/** The newest events first. */
export async function listEvents(
  sql: SqlClient,
  page: EventPage,
): Promise<{ events: AccountEventRow[]; nextCursor: string | null }> {
  const isOfAccount = page.scope === undefined ? null : page.scope === 'accounts'
  const rows = await sql<AccountEventRow[]>`
    SELECT o.id, o.topic AS type, o.made_at AS at, o.account_id AS "accountId", o.body,
      COALESCE(o.outcome, 'pending') AS state, o.attempts, o.last_error AS "lastError",
      o.done_at AS "doneAt"
    FROM coinop.outbox o
    WHERE (${page.accountId}::uuid IS NULL OR o.account_id = ${page.accountId}::uuid)
      AND (${isOfAccount}::boolean IS NULL OR (o.account_id IS NOT NULL) = ${isOfAccount}::boolean)
      AND (${page.cursor}::uuid IS NULL OR (o.made_at, o.id) <
        (SELECT c.made_at, c.id FROM coinop.outbox c WHERE c.id = ${page.cursor}::uuid))
    ORDER BY o.made_at DESC, o.id DESC
    LIMIT ${page.limit + 1}`
  const events = rows.slice(0, page.limit)
  return { events, nextCursor: rows.length > page.limit ? events.at(-1)!.id : null }
}
