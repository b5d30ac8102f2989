/** The `keys` service: looking up and making API keys for plugins that sell credits. */
import { fail, type KeyDirectory } from '#kernel'
import { transactionOf, type Keys, type SqlClient } from '#kernel/host'

type Found = Awaited<ReturnType<KeyDirectory['find']>>

export function createKeyDirectory(sql: SqlClient, keys: Pick<Keys, 'create'>): KeyDirectory {
  return {
    async find(keyId) {
      // A key whose account is closed buys nothing and gets no new credits, as if it were revoked,
      // and so does one that has expired, by itself or with the key that asked for it.
      const [key] = await sql<NonNullable<Found>[]>`
        SELECT k.id, k.name, k.mode, COALESCE(k.revoked_at, a.closed_at,
          CASE WHEN e.at <= now() THEN e.at END) AS "revokedAt"
        FROM coinop.api_key k JOIN coinop.account a ON a.id = k.account_id
          LEFT JOIN coinop.api_key parent ON parent.id = k.parent_key_id
          CROSS JOIN LATERAL (SELECT LEAST(k.expires_at, parent.expires_at) AS at) AS e
        WHERE k.id = ${keyId}`
      return key ?? null
    },
    async create(order, tx) {
      const name = order.name.trim()
      if (name === '' || name.length > 128) {
        return fail('INVALID_INPUT', 'The name of a key has 1 to 128 characters')
      }
      const ordered = { name, mode: order.mode, isPayersOwn: true }
      const { record, plaintext } = await keys.create(ordered, tx && transactionOf(tx))
      return { id: record.id, key: plaintext }
    },
  }
}
