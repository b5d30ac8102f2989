/** The `keys` service: looking up and making API keys for plugins that sell credits. */
import { hasExpired, fail, type KeyDirectory } from '#kernel'
import { transactionOf, type AccountDirectory, type Keys } from '#kernel/host'

export function createKeyDirectory(
  keys: Pick<Keys, 'get' | 'create'>,
  accounts: Pick<AccountDirectory, 'get'>,
): KeyDirectory {
  return {
    async find(keyId) {
      const record = await keys.get(keyId)
      if (!record) return null
      const { id, name, mode } = record
      // A key whose account is closed buys nothing and gets no new credits, as if it were revoked,
      // and so does one that has expired, by itself or with the key that asked for it.
      const { parentKeyId } = record
      const parent = parentKeyId === null ? null : await keys.get(parentKeyId)
      const expired = [record, parent].find((one) => one !== null && hasExpired(one))
      const revokedAt =
        record.revokedAt ??
        (await accounts.get(record.accountId))?.closedAt ??
        expired?.expiresAt ??
        null
      return { id, name, mode, revokedAt }
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
