/** Writing the rows of keys and grants, inside the transaction of whoever makes or ends them. */
import type { KeyRecord } from '#kernel'
import {
  KEYS_CHANNEL,
  type Database,
  type GrantOrder,
  type KeyMode,
  type KeyOrder,
  type LedgerAccounts,
  type SqlTransaction,
} from '#kernel/host'
import { generateKey } from './generate-key.ts'
import { changeBudgets, type BudgetAccounts } from './budgets.ts'

interface NewKey {
  keyId: string
  accountId: string
  mode: KeyMode
}

/** Live keys, and live grants, that one account may have where nobody asks for fewer. */
const KEYS_PER_ACCOUNT_MAX = 1000

/** Locks the account for one key more; its mode, or why it gets none. */
export async function roomFor(
  tx: SqlTransaction,
  accountId: string,
  kind: KeyRecord['kind'],
  max = KEYS_PER_ACCOUNT_MAX,
): Promise<{ mode: KeyMode } | 'unknown_account' | 'closed' | 'too_many_keys'> {
  const [account] = await tx<{ mode: KeyMode; closed: boolean }[]>`
    SELECT mode, closed_at IS NOT NULL AS closed FROM coinop.account
    WHERE id = ${accountId} FOR NO KEY UPDATE`
  if (!account) return 'unknown_account'
  if (account.closed) return 'closed'
  const live = await tx`
    SELECT FROM coinop.api_key
    WHERE account_id = ${accountId} AND kind = ${kind} AND revoked_at IS NULL
      AND (expires_at IS NULL OR expires_at > now())
    LIMIT ${max}`
  return live.length < max ? { mode: account.mode } : 'too_many_keys'
}

/** A key with a credential, whose plaintext comes back; the account is there. */
export async function insertWithSecret(
  tx: SqlTransaction,
  accounts: BudgetAccounts & Pick<LedgerAccounts, 'addKey'>,
  order: KeyOrder,
  key: NewKey,
): Promise<string> {
  const made = generateKey(key.mode)
  await insertKey(tx, accounts, order, { ...key, kind: 'key', prefix: made.prefix })
  await tx`
    INSERT INTO coinop.api_key_secret (public_id, key_id, secret_hash)
    VALUES (${made.publicId}, ${key.keyId}, ${made.secretHash})`
  return made.plaintext
}

/** The row of a key or a grant, and its budgets; the account is there. */
export async function insertKey(
  tx: SqlTransaction,
  accounts: BudgetAccounts & Pick<LedgerAccounts, 'addKey'>,
  order: KeyOrder & Partial<GrantOrder>,
  key: NewKey & Pick<KeyRecord, 'kind' | 'prefix'>,
): Promise<void> {
  const { keyId, accountId, mode, kind, prefix } = key
  const { name, rpmLimit = null, burstLimit = null, products = null, madeBy = 'operator' } = order
  const { parentKeyId = null, purpose = null, budget, productBudgets } = order
  const { expiresAt = null, networks = null, skills = null, metadata = {} } = order
  await tx`
    INSERT INTO coinop.api_key (id, account_id, name, mode, kind, prefix, rpm_limit, burst_limit,
      products, made_by, parent_key_id, purpose, expires_at, networks, skills, metadata)
    VALUES (${keyId}, ${accountId}, ${name}, ${mode}, ${kind}, ${prefix}, ${rpmLimit},
      ${burstLimit}, ${products as string[] | null}::text[], ${madeBy}, ${parentKeyId}, ${purpose},
      ${expiresAt}::timestamptz, ${networks as string[] | null}::text[],
      ${skills as string[] | null}::text[],
      ${JSON.stringify(metadata)}::text::jsonb)`
  await accounts.addKey(tx, { accountId, keyId })
  await changeBudgets(tx, accounts, { accountId, keyId }, { budget, productBudgets })
}

/**
 * Revokes these keys and tells every instance; what was revoked before keeps its time. Returns their
 * ids, for `keysChanged` after the commit.
 */
export async function revokeKeys(
  tx: SqlTransaction,
  accounts: Pick<LedgerAccounts, 'revokeKey'>,
  keyIds: readonly string[],
): Promise<string[]> {
  const rows = await tx<{ keyId: string; accountId: string }[]>`
    WITH ended AS (
      SELECT id FROM coinop.api_key WHERE id = ANY (${keyIds as string[]}::text[]) ORDER BY id FOR UPDATE)
    UPDATE coinop.api_key k SET revoked_at = COALESCE(k.revoked_at, now())
    FROM ended WHERE k.id = ended.id
    RETURNING k.id AS "keyId", k.account_id AS "accountId"`
  for (const { keyId, accountId } of rows) {
    await accounts.revokeKey(tx, { accountId, keyId })
    await announceKey(tx, keyId)
  }
  return rows.map(({ keyId }) => keyId)
}

/** Tells every instance, when `tx` commits, that the key has changed. */
export async function announceKey(tx: SqlTransaction, keyId: string): Promise<void> {
  await tx`SELECT pg_notify(${KEYS_CHANNEL}, ${keyId})`
}

/**
 * Tells this instance of keys whose change is committed. Its own NOTIFY takes milliseconds, in which
 * it would accept a key that it has just called revoked.
 */
export function keysChanged(db: Pick<Database, 'notifyHere'>, keyIds: readonly string[]): void {
  for (const keyId of keyIds) db.notifyHere(KEYS_CHANNEL, keyId)
}
