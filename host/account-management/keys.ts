/** API keys as the operator manages them. Changes reach every instance by NOTIFY at commit. */
import { and, desc, eq, ilike, like, lt, or, type SQL } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import { assert, isAccountId, newId, type KeyRecord } from '#kernel'
import {
  type Database,
  type GrantOrder,
  type KeyLimits,
  type KeyMode,
  type Keys,
  type LedgerAccounts,
  type SqlTransaction,
} from '#kernel/host'
import { markPayers, rename } from './account-directory.ts'
import { apiKey } from './api-key.ts'
import { changeBudgets } from './budgets.ts'
import { generateKey } from './generate-key.ts'
import {
  announceKey,
  insertKey,
  insertWithSecret,
  keysChanged,
  revokeKeys,
  roomFor,
} from './key-writes.ts'
import { likeText } from './like-text.ts'
import { takeFromParent } from './parent-budget.ts'

/** Keys that have the text in their name, or begin with it as far as their shown start goes. */
function isFoundBy(find: string): SQL | undefined {
  const text = likeText(find)
  return or(ilike(apiKey.name, `%${text}%`), like(apiKey.prefix, `${text}%`))
}

/** Keys whose account is remembered; whoever knows a key only asks for it. */
const ACCOUNTS_KEPT = 50_000

export function createKeys(
  database: Pick<Database, 'sql' | 'orm' | 'notifyHere'>,
  accounts: LedgerAccounts,
): Keys {
  const { sql, orm } = database
  const accountIds = new LRUCache<string, string>({ max: ACCOUNTS_KEPT })

  async function get(keyId: string, accountId?: string): Promise<KeyRecord | null> {
    if (accountId !== undefined && !isAccountId(accountId)) return null
    const ofAccount = accountId === undefined ? undefined : eq(apiKey.accountId, accountId)
    const rows = await orm
      .select()
      .from(apiKey)
      .where(and(eq(apiKey.id, keyId), ofAccount))
    return rows[0] ?? null
  }

  /** The record after a write; the row is there because nothing deletes keys. */
  async function recordOf(keyId: string): Promise<KeyRecord> {
    const record = await get(keyId)
    if (!record) throw new Error(`key ${keyId} vanished`)
    return record
  }

  async function createGrant(
    accountId: string,
    order: GrantOrder,
    outer?: SqlTransaction,
  ): ReturnType<Keys['createGrant']> {
    if (!isAccountId(accountId)) return { outcome: 'unknown_account' }
    const keyId = keyIdOf(newId())
    const make = async (tx: SqlTransaction) => {
      const { parentKeyId = null } = order
      // Before the account, as a revocation has it; who revokes the parent waits for this grant.
      const [parent] = await tx<Pick<KeyLimits, 'rpmLimit' | 'burstLimit'>[]>`
        SELECT rpm_limit AS "rpmLimit", burst_limit AS "burstLimit" FROM coinop.api_key
        WHERE id = ${parentKeyId} AND account_id = ${accountId} AND kind = 'key'
          AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now()) FOR SHARE`
      if (parentKeyId !== null && !parent) return 'unknown_parent' as const
      const account = await roomFor(tx, accountId, 'grant')
      if (typeof account === 'string') return account
      const isWithin =
        parentKeyId === null ||
        (await takeFromParent(tx, accounts, { accountId, keyId: parentKeyId }, order))
      if (!isWithin) return 'over_parent' as const
      const key = { keyId, accountId, mode: account.mode, kind: 'grant' as const, prefix: null }
      // It calls no faster than the key that asks for it.
      await insertKey(tx, accounts, { ...order, ...parent }, key)
      return { record: await readIn(tx, keyId) }
    }
    const made = outer ? await make(outer) : await sql.begin(make)
    return typeof made === 'string' ? { outcome: made } : { outcome: 'created', ...made }
  }

  return {
    get,
    createGrant,

    async ownGrant(accountId, purpose) {
      if (!isAccountId(accountId)) return null
      const find = async (): Promise<{ keyId: string } | null> => {
        const [row] = await sql<{ keyId: string }[]>`
          SELECT k.id AS "keyId" FROM coinop.api_key k JOIN coinop.account a ON a.id = k.account_id
          WHERE k.account_id = ${accountId} AND k.purpose = ${purpose} AND a.closed_at IS NULL`
        return row ?? null
      }
      const known = await find()
      if (known) return known
      try {
        const made = await createGrant(accountId, { name: purpose, madeBy: purpose, purpose })
        return made.outcome === 'created' ? { keyId: made.record.id } : null
      } catch (error) {
        // Somebody else has just made it.
        const made = await find()
        if (made === null) throw error
        return made
      }
    },

    async accountOf(keyId) {
      const known = accountIds.get(keyId)
      if (known !== undefined) return known
      const rows = await sql<{ accountId: string }[]>`
        SELECT account_id AS "accountId" FROM coinop.api_key WHERE id = ${keyId}`
      const accountId = rows[0]?.accountId ?? null
      if (accountId !== null) accountIds.set(keyId, accountId)
      return accountId
    },

    async create({ mode, isPayersOwn = false, ...order }, outer) {
      // The account of a key that was made without one has the key's own number.
      const accountId = newId()
      const keyId = keyIdOf(accountId)
      const make = async (tx: SqlTransaction) => {
        await accounts.open(tx, { accountId, mode })
        await rename(tx, accountId, order.name)
        if (isPayersOwn) await markPayers(tx, accountId)
        const plaintext = await insertWithSecret(tx, accounts, order, { keyId, accountId, mode })
        return { record: await readIn(tx, keyId), plaintext }
      }
      return { outcome: 'created', ...(await (outer ? make(outer) : sql.begin(make))) }
    },

    async createOn(accountId, { mode, max, ...order }) {
      const keyId = keyIdOf(newId())
      const made = await sql.begin(async (tx) => {
        const account = await roomFor(tx, accountId, 'key', max)
        if (typeof account === 'string') return account
        if (mode !== undefined && mode !== account.mode) return 'mode_mismatch' as const
        const key = { keyId, accountId, mode: account.mode }
        return { plaintext: await insertWithSecret(tx, accounts, order, key) }
      })
      if (typeof made === 'string') return { outcome: made }
      return { outcome: 'created', record: await recordOf(keyId), plaintext: made.plaintext }
    },

    async list({ limit, cursor, accountId, kind, find }) {
      // No stored text has that character, and PostgreSQL fails a statement that asks for it.
      if (find?.includes('\0')) return { records: [], nextCursor: null }
      const rows = await orm
        .select()
        .from(apiKey)
        .where(
          and(
            cursor === null ? undefined : lt(apiKey.id, cursor),
            accountId === undefined ? undefined : eq(apiKey.accountId, accountId),
            kind === undefined ? undefined : eq(apiKey.kind, kind),
            find === undefined ? undefined : isFoundBy(find),
          ),
        )
        .orderBy(desc(apiKey.id))
        .limit(limit + 1)
      const records = rows.slice(0, limit)
      return { records, nextCursor: rows.length > limit ? records.at(-1)!.id : null }
    },

    async patch(keyId, changes, ofAccount) {
      const {
        name,
        rpmLimit,
        burstLimit,
        products,
        expiresAt,
        networks,
        skills,
        metadata,
        ...budgets
      } = changes
      if (ofAccount !== undefined && !isAccountId(ofAccount)) return null
      const known = await sql.begin(async (tx) => {
        const rows = await tx<{ accountId: string }[]>`
          UPDATE coinop.api_key SET
            name = CASE WHEN ${name !== undefined} THEN ${name ?? ''} ELSE name END,
            rpm_limit = CASE WHEN ${rpmLimit !== undefined}
              THEN ${rpmLimit ?? null}::integer ELSE rpm_limit END,
            burst_limit = CASE WHEN ${burstLimit !== undefined}
              THEN ${burstLimit ?? null}::integer ELSE burst_limit END,
            products = CASE WHEN ${products !== undefined}
              THEN ${(products ?? null) as string[] | null}::text[] ELSE products END,
            expires_at = CASE WHEN ${expiresAt !== undefined}
              THEN ${expiresAt ?? null}::timestamptz ELSE expires_at END,
            networks = CASE WHEN ${networks !== undefined}
              THEN ${(networks ?? null) as string[] | null}::text[] ELSE networks END,
            skills = CASE WHEN ${skills !== undefined}
              THEN ${(skills ?? null) as string[] | null}::text[] ELSE skills END,
            metadata = CASE WHEN ${metadata !== undefined}
              THEN ${JSON.stringify(metadata ?? {})}::text::jsonb ELSE metadata END
          WHERE id = ${keyId} AND (${ofAccount ?? null}::uuid IS NULL OR account_id = ${ofAccount ?? null}::uuid)
          RETURNING account_id AS "accountId"`
        const row = rows[0]
        if (!row) return false
        await changeBudgets(tx, accounts, { accountId: row.accountId, keyId }, budgets)
        await announceKey(tx, keyId)
        return true
      })
      if (!known) return null
      keysChanged(database, [keyId])
      return recordOf(keyId)
    },

    async revoke(keyId, ofAccount) {
      if ((await get(keyId, ofAccount)) === null) return null
      const revoked = await sql.begin(async (tx) => {
        // The key first: whoever makes a grant of it holds it until the grant is there.
        await tx`SELECT FROM coinop.api_key WHERE id = ${keyId} FOR UPDATE`
        const grants = await tx<{ id: string }[]>`
          SELECT id FROM coinop.api_key WHERE parent_key_id = ${keyId} AND revoked_at IS NULL`
        return revokeKeys(tx, accounts, [keyId, ...grants.map(({ id }) => id)])
      })
      keysChanged(database, revoked)
      return recordOf(keyId)
    },

    async rotate(keyId, graceMs, ofAccount) {
      const known = await get(keyId, ofAccount)
      if (known === null) return { outcome: 'unknown_key' }
      if (known.kind === 'grant') return { outcome: 'grant' }
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
        await announceKey(tx, keyId)
        const previousValidUntil = new Date(Math.max(...ends.map((end) => end.atMs)))
        return { plaintext: made.plaintext, previousValidUntil }
      })
      keysChanged(database, [keyId])
      const record = await recordOf(keyId)
      if (rotated === null) return { outcome: 'revoked', record }
      return { outcome: 'rotated', record, ...rotated }
    },
  }
}

/** The record as the transaction sees it. */
async function readIn(tx: SqlTransaction, keyId: string): Promise<KeyRecord> {
  const [record] = await tx<KeyRecord[]>`
    SELECT id, account_id AS "accountId", name, mode, kind, made_by AS "madeBy", prefix, products,
      expires_at AS "expiresAt", networks, skills, metadata, parent_key_id AS "parentKeyId", rpm_limit AS "rpmLimit", burst_limit AS "burstLimit",
      created_at AS "createdAt", revoked_at AS "revokedAt"
    FROM coinop.api_key WHERE id = ${keyId}`
  assert(record, `key ${keyId} was just made`)
  return record
}

function keyIdOf(id: string): string {
  return `key_${id.replaceAll('-', '')}`
}
