/** API keys as the operator manages them. Changes reach every instance by NOTIFY at commit. */
import { and, desc, eq, lt } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import { newId } from '../ids.ts'
import type { Accounts } from '../ledger/contract.ts'
import type { Database, SqlTransaction } from '../storage/contract.ts'
import { rename } from './account-directory.ts'
import { changeBudgets, type BudgetChanges } from './budgets.ts'
import type { KeyRecord } from './contract.ts'
import { generateKey, type KeyMode } from './key-format.ts'
import { KEYS_CHANNEL } from './key-rows.ts'
import { apiKey } from './schema.ts'

/** Longest name of a key. */
const KEY_NAME_MAX = 128

/** Whether a key can have this name: not blank, no control characters, not too long. */
export function isKeyName(name: string): boolean {
  return name.trim() !== '' && name.length <= KEY_NAME_MAX && !/\p{Cc}/u.test(name)
}

/** Keys whose account is remembered; whoever knows a key only asks for it. */
const ACCOUNTS_KEPT = 50_000

export interface KeyLimits {
  rpmLimit: number | null
  burstLimit: number | null
  /** Ids of the products that the key may buy; null: all of them. */
  products: readonly string[] | null
}

export interface CreatedKey {
  outcome: 'created'
  record: KeyRecord
  plaintext: string
}

type KeyOrder = { name: string } & Partial<KeyLimits> & BudgetChanges

export interface Keys {
  /**
   * A new key on an account of its own, and its plaintext, which cannot be had again. `isPayersOwn`:
   * whoever pays opens the account, so free calls and tiers are not for it.
   */
  create(order: KeyOrder & { mode: KeyMode; isPayersOwn?: boolean }): Promise<CreatedKey>
  /** The same on an account that is there; `mode`, where it is given, must be the account's. */
  createOn(
    accountId: string,
    order: KeyOrder & { mode?: KeyMode },
  ): Promise<CreatedKey | { outcome: 'unknown_account' | 'closed' | 'mode_mismatch' }>
  get(keyId: string): Promise<KeyRecord | null>
  /** The account of a key, which never changes; null when the key is unknown. */
  accountOf(keyId: string): Promise<string | null>
  /**
   * Newest first, of all accounts or one; `cursor` is the last id of the page before, `nextCursor`
   * null on the last page.
   */
  list(page: {
    limit: number
    cursor: string | null
    accountId?: string
  }): Promise<{ records: KeyRecord[]; nextCursor: string | null }>
  /** Members left out stay; null when the key is unknown. */
  patch(
    keyId: string,
    changes: Partial<KeyLimits> & BudgetChanges & { name?: string },
  ): Promise<KeyRecord | null>
  /** Revoked for good; repeating it keeps the first time. Null when unknown. */
  revoke(keyId: string): Promise<KeyRecord | null>
  /** A new credential of the key; the ones before it end after `graceMs`. */
  rotate(
    keyId: string,
    graceMs: number,
  ): Promise<
    | { outcome: 'rotated'; record: KeyRecord; plaintext: string; previousValidUntil: Date }
    | { outcome: 'unknown_key' }
    | { outcome: 'revoked'; record: KeyRecord }
  >
}

export function createKeys(database: Database, accounts: Accounts): Keys {
  const { sql, orm } = database
  const accountIds = new LRUCache<string, string>({ max: ACCOUNTS_KEPT })

  async function get(keyId: string): Promise<KeyRecord | null> {
    const rows = await orm.select().from(apiKey).where(eq(apiKey.id, keyId))
    return rows[0] ?? null
  }

  /** The record after a write; the row is there because nothing deletes keys. */
  async function recordOf(keyId: string): Promise<KeyRecord> {
    const record = await get(keyId)
    if (!record) throw new Error(`key ${keyId} vanished`)
    return record
  }

  /** The row of the key, its credential and its budgets; the account is there. */
  async function insert(
    tx: SqlTransaction,
    { name, rpmLimit = null, burstLimit = null, products = null, ...budgets }: KeyOrder,
    key: { keyId: string; accountId: string; mode: KeyMode },
  ): Promise<string> {
    const { keyId, accountId, mode } = key
    const made = generateKey(mode)
    await tx`
      INSERT INTO coinop.api_key
        (id, account_id, name, mode, prefix, rpm_limit, burst_limit, products)
      VALUES (${keyId}, ${accountId}, ${name}, ${mode}, ${made.prefix}, ${rpmLimit},
        ${burstLimit}, ${products as string[] | null}::text[])`
    await tx`
      INSERT INTO coinop.api_key_secret (public_id, key_id, secret_hash)
      VALUES (${made.publicId}, ${keyId}, ${made.secretHash})`
    await accounts.addKey(tx, { accountId, keyId })
    await changeBudgets(tx, accounts, { accountId, keyId }, budgets)
    return made.plaintext
  }

  return {
    get,

    async accountOf(keyId) {
      const known = accountIds.get(keyId)
      if (known !== undefined) return known
      const rows = await sql<{ accountId: string }[]>`
        SELECT account_id AS "accountId" FROM coinop.api_key WHERE id = ${keyId}`
      const accountId = rows[0]?.accountId ?? null
      if (accountId !== null) accountIds.set(keyId, accountId)
      return accountId
    },

    async create({ mode, isPayersOwn = false, ...order }) {
      // The account of a key that was made without one has the key's own number.
      const accountId = newId()
      const keyId = keyIdOf(accountId)
      const plaintext = await sql.begin(async (tx) => {
        await accounts.open(tx, { accountId, mode })
        await rename(tx, accountId, order.name)
        if (isPayersOwn) await tx`INSERT INTO coinop.payer_account VALUES (${accountId})`
        return insert(tx, order, { keyId, accountId, mode })
      })
      return { outcome: 'created', record: await recordOf(keyId), plaintext }
    },

    async createOn(accountId, { mode, ...order }) {
      const keyId = keyIdOf(newId())
      const made = await sql.begin(async (tx) => {
        const [account] = await tx<{ mode: KeyMode; closed: boolean }[]>`
          SELECT mode, closed_at IS NOT NULL AS closed FROM coinop.account
          WHERE id = ${accountId} FOR NO KEY UPDATE`
        if (!account) return 'unknown_account' as const
        if (account.closed) return 'closed' as const
        if (mode !== undefined && mode !== account.mode) return 'mode_mismatch' as const
        return { plaintext: await insert(tx, order, { keyId, accountId, mode: account.mode }) }
      })
      if (typeof made === 'string') return { outcome: made }
      return { outcome: 'created', record: await recordOf(keyId), plaintext: made.plaintext }
    },

    async list({ limit, cursor, accountId }) {
      const rows = await orm
        .select()
        .from(apiKey)
        .where(
          and(
            cursor === null ? undefined : lt(apiKey.id, cursor),
            accountId === undefined ? undefined : eq(apiKey.accountId, accountId),
          ),
        )
        .orderBy(desc(apiKey.id))
        .limit(limit + 1)
      const records = rows.slice(0, limit)
      return { records, nextCursor: rows.length > limit ? records.at(-1)!.id : null }
    },

    async patch(keyId, { name, rpmLimit, burstLimit, products, ...budgets }) {
      const known = await sql.begin(async (tx) => {
        const rows = await tx<{ accountId: string }[]>`
          UPDATE coinop.api_key SET
            name = CASE WHEN ${name !== undefined} THEN ${name ?? ''} ELSE name END,
            rpm_limit = CASE WHEN ${rpmLimit !== undefined}
              THEN ${rpmLimit ?? null}::integer ELSE rpm_limit END,
            burst_limit = CASE WHEN ${burstLimit !== undefined}
              THEN ${burstLimit ?? null}::integer ELSE burst_limit END,
            products = CASE WHEN ${products !== undefined}
              THEN ${(products ?? null) as string[] | null}::text[] ELSE products END
          WHERE id = ${keyId} RETURNING account_id AS "accountId"`
        const row = rows[0]
        if (!row) return false
        await changeBudgets(tx, accounts, { accountId: row.accountId, keyId }, budgets)
        await announce(tx, keyId)
        return true
      })
      return known ? recordOf(keyId) : null
    },

    async revoke(keyId) {
      const known = await sql.begin(async (tx) => {
        const rows = await tx<{ accountId: string; revokedAtMs: number }[]>`
          UPDATE coinop.api_key SET revoked_at = COALESCE(revoked_at, now()) WHERE id = ${keyId}
          RETURNING account_id AS "accountId",
            (extract(epoch FROM revoked_at) * 1000)::float8 AS "revokedAtMs"`
        const row = rows[0]
        if (!row) return false
        const { accountId, revokedAtMs } = row
        await accounts.revokeKey(tx, { accountId, keyId }, new Date(revokedAtMs))
        await announce(tx, keyId)
        return true
      })
      return known ? recordOf(keyId) : null
    },

    async rotate(keyId, graceMs) {
      const rotated = await sql.begin(async (tx) => {
        const keys = await tx<{ mode: KeyMode; revoked: boolean }[]>`
          SELECT mode, revoked_at IS NOT NULL AS revoked FROM coinop.api_key WHERE id = ${keyId} FOR UPDATE`
        const key = keys[0]
        if (!key || key.revoked) return null
        const made = generateKey(key.mode)
        const ends = await tx<{ atMs: number }[]>`
          UPDATE coinop.api_key_secret
          SET expires_at = LEAST(expires_at, now() + ${graceMs} * interval '1 millisecond')
          WHERE key_id = ${keyId}
          RETURNING (extract(epoch FROM expires_at) * 1000)::float8 AS "atMs"`
        await tx`DELETE FROM coinop.api_key_secret WHERE key_id = ${keyId} AND expires_at <= now()`
        await tx`
          INSERT INTO coinop.api_key_secret (public_id, key_id, secret_hash)
          VALUES (${made.publicId}, ${keyId}, ${made.secretHash})`
        await tx`UPDATE coinop.api_key SET prefix = ${made.prefix} WHERE id = ${keyId}`
        await announce(tx, keyId)
        const previousValidUntil = new Date(Math.max(...ends.map((end) => end.atMs)))
        return { plaintext: made.plaintext, previousValidUntil }
      })
      const record = await get(keyId)
      if (record === null) return { outcome: 'unknown_key' }
      if (rotated === null) return { outcome: 'revoked', record }
      return { outcome: 'rotated', record, ...rotated }
    },
  }
}

async function announce(tx: SqlTransaction, keyId: string): Promise<void> {
  await tx`SELECT pg_notify(${KEYS_CHANNEL}, ${keyId})`
}

function keyIdOf(id: string): string {
  return `key_${id.replaceAll('-', '')}`
}
