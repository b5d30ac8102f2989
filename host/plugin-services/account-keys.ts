/** The `accountKeys` service: the keys and grants of one account, by whoever holds the account. */
import {
  type KeyRecord,
  isProductId,
  type BudgetChanges,
  isAccountId,
  keyTermIssues,
  isKeyName,
  fail,
  GatewayError,
  invalid,
  stateConflict,
  type Failure,
  type Issue,
  type KeySpend,
  MAX_AMOUNT_ATOMIC,
  type AccountKey,
  type AccountKeyChanges,
  type AccountKeys,
  type SpendLimits,
  KERNEL_REASONS as REASONS,
} from '#kernel'
import {
  ID_SLOT,
  type Keys,
  WHOLE_KEY,
  type Ledger,
  type SqlClient,
  transactionOf,
} from '#kernel/host'

export interface AccountKeyDeps {
  sql: SqlClient
  keys: Keys
  ledger: Pick<Ledger, 'spend'>
}

const PAGE_MAX = 200
const PRODUCTS_MAX = 200
const GRACE_MAX_MS = 7 * 86_400_000
/** Live keys beyond which customers make no more by themselves; the operator does. */
const OWN_KEYS_MAX = 100

/** Those of the plugin that names itself as their maker. */
export function createAccountKeys(deps: AccountKeyDeps, madeBy: string): AccountKeys {
  const { sql, keys, ledger } = deps

  async function shown(records: readonly KeyRecord[]): Promise<AccountKey[]> {
    if (records.length === 0) return []
    const ids = records.map(({ id }) => id)
    // What a key did last is the newest of its postings, so that no call has to write it down.
    const [used, spent] = await Promise.all([
      sql<{ keyId: string; at: Date }[]>`
        SELECT k.id AS "keyId", e.at FROM unnest(${ids}::text[]) AS k(id)
        CROSS JOIN LATERAL (
          SELECT e.at FROM coinop.entry e
          WHERE e.key_id = k.id AND e.kind IN ('authorize', 'settlement')
          ORDER BY ${sql.unsafe(ID_SLOT('e.id'))} DESC, e.id DESC LIMIT 1) AS e`,
      Promise.all(records.map(({ id: keyId, accountId }) => ledger.spend({ accountId, keyId }))),
    ])
    const usedAt = new Map(used.map(({ keyId, at }) => [keyId, at]))
    return records.map((record, index) => {
      const own = spent[index]!.find(({ scope }) => scope === WHOLE_KEY)
      const { id, kind, name, mode, prefix, createdAt, revokedAt, products, parentKeyId } = record
      const { expiresAt, networks, skills, metadata } = record
      return {
        id,
        kind,
        madeBy: record.madeBy,
        name,
        mode,
        prefix,
        createdAt,
        revokedAt,
        products,
        parentKeyId,
        expiresAt,
        networks,
        skills,
        metadata,
        limits: {
          callAtomic: own?.callCapAtomic ?? null,
          dayAtomic: own?.dayCapAtomic ?? null,
          monthAtomic: own?.monthCapAtomic ?? null,
        },
        hasProductBudgets: spent[index]!.some((one) => one !== own && isCapped(one)),
        spentTodayAtomic: own?.spentTodayAtomic ?? 0n,
        spentMonthAtomic: own?.spentMonthAtomic ?? 0n,
        lastUsedAt: usedAt.get(id) ?? null,
      }
    })
  }

  async function one(record: KeyRecord): Promise<AccountKey> {
    return (await shown([record]))[0]!
  }

  return {
    async list(accountId, { kind, limit, cursor, find }) {
      if (!isAccountId(accountId)) return { records: [], nextCursor: null }
      const page = await keys.list({
        accountId,
        cursor,
        limit: Math.min(Math.max(1, limit), PAGE_MAX),
        ...(kind && { kind }),
        ...(find && { find }),
      })
      return { records: await shown(page.records), nextCursor: page.nextCursor }
    },

    async ids(accountId) {
      if (!isAccountId(accountId)) return []
      const rows = await sql<{ id: string }[]>`
        SELECT id FROM coinop.api_key WHERE account_id = ${accountId}::uuid`
      return rows.map(({ id }) => id)
    },

    async get(accountId, keyId) {
      const record = await keys.get(keyId, accountId)
      return record && one(record)
    },

    async create(accountId, order) {
      const issues = issuesOf(order)
      if (issues.length > 0) return invalid(issues)
      if (!isAccountId(accountId)) return NOT_MADE.unknown_account
      const made = await keys.createOn(accountId, {
        ...writable(order),
        name: order.name,
        madeBy,
        max: OWN_KEYS_MAX,
      })
      if (made.outcome === 'mode_mismatch') throw new Error('no mode was asked for')
      if (made.outcome !== 'created') return NOT_MADE[made.outcome]
      return { record: await one(made.record), key: made.plaintext }
    },

    async createGrant(accountId, order, tx) {
      const issues = issuesOf(order)
      const { dayAtomic = null, monthAtomic = null } = order.limits ?? {}
      if (dayAtomic === null && monthAtomic === null) issues.push(NO_LIMIT)
      if (issues.length > 0) return invalid(issues)
      const { name, parentKeyId } = order
      const grant = { ...writable(order), name, parentKeyId, madeBy }
      const made = await keys.createGrant(accountId, grant, tx && transactionOf(tx))
      if (made.outcome !== 'created') return NOT_MADE[made.outcome]
      // What an open transaction made is not seen by others yet: it has spent nothing.
      const { callAtomic = null } = order.limits ?? {}
      return {
        record: {
          ...withoutLimits(made.record),
          limits: { callAtomic, dayAtomic, monthAtomic },
          hasProductBudgets: false,
          spentTodayAtomic: 0n,
          spentMonthAtomic: 0n,
          lastUsedAt: null,
        },
      }
    },

    async patch(accountId, keyId, changes) {
      const issues = issuesOf(changes)
      if (issues.length > 0) throw new GatewayError(invalid(issues))
      const record = await keys.patch(keyId, writable(changes), accountId)
      return record && one(record)
    },

    async rotate(accountId, keyId, graceMs) {
      const grace = Math.min(Math.max(0, graceMs), GRACE_MAX_MS)
      const rotated = await keys.rotate(keyId, grace, accountId)
      switch (rotated.outcome) {
        case 'rotated': {
          const { record, plaintext: key, previousValidUntil } = rotated
          return { record: await one(record), key, previousValidUntil }
        }
        case 'revoked':
          return stateConflict('The API key was revoked', 'revoked')
        case 'grant':
          return stateConflict('A grant has no credential of its own', 'grant')
        case 'unknown_key':
          return fail('INVALID_INPUT', 'No API key has this id', { status: 404 })
      }
    },

    async revoke(accountId, keyId) {
      const record = await keys.revoke(keyId, accountId)
      return record && one(record)
    },
  }
}

const NO_LIMIT: Issue = { path: '/limits', message: 'must limit the day or the month' }
const NOT_MADE: Readonly<
  Record<'unknown_account' | 'closed' | 'too_many_keys' | 'unknown_parent' | 'over_parent', Failure>
> = {
  unknown_account: fail('INVALID_INPUT', 'No account has this id', { status: 404 }),
  closed: fail('INVALID_INPUT', 'The account is closed', {
    status: 403,
    details: { reason: REASONS.account_closed },
  }),
  too_many_keys: stateConflict(
    'The account has as many keys as one may have: revoke one that is not used',
    'too_many_keys',
  ),
  over_parent: stateConflict(
    'The key that asks for it has a budget or products of its own, and this is more than they leave',
    'over_parent',
  ),
  unknown_parent: stateConflict('The key that asks for it was revoked', 'revoked'),
}

function isCapped({ callCapAtomic, dayCapAtomic, monthCapAtomic }: KeySpend): boolean {
  return callCapAtomic !== null || dayCapAtomic !== null || monthCapAtomic !== null
}

function withoutLimits(record: KeyRecord) {
  const { accountId: _account, rpmLimit: _rpm, burstLimit: _burst, ...shown } = record
  return shown
}

/** What is wrong with the members that are there. */
function issuesOf({ name, products, limits = {}, ...terms }: AccountKeyChanges): Issue[] {
  const issues = keyTermIssues(terms)
  if (name !== undefined && !isKeyName(name)) {
    issues.push({ path: '/name', message: 'must have 1 to 128 characters, and not only blanks' })
  }
  if (products && (products.length > PRODUCTS_MAX || !products.every(isProductId))) {
    issues.push({ path: '/products', message: 'must be a list of product ids' })
  }
  for (const [limit, atomic] of Object.entries(limits)) {
    if (atomic === null || atomic === undefined) continue
    if (atomic >= 0n && atomic <= MAX_AMOUNT_ATOMIC) continue
    issues.push({ path: `/limits/${limit}`, message: 'must be an amount that can be moved' })
  }
  return issues
}

function writable(changes: AccountKeyChanges): Omit<AccountKeyChanges, 'limits'> & BudgetChanges {
  const { name, products, limits, expiresAt, networks, skills, metadata } = changes
  const budget = limits && budgetOf(limits)
  return {
    ...(name !== undefined && { name }),
    ...(products !== undefined && { products }),
    ...(expiresAt !== undefined && { expiresAt }),
    ...(networks !== undefined && { networks }),
    ...(skills !== undefined && { skills }),
    ...(metadata !== undefined && { metadata }),
    ...(budget && Object.keys(budget).length > 0 && { budget }),
  }
}

function budgetOf({ callAtomic, dayAtomic, monthAtomic }: Partial<SpendLimits>) {
  return {
    ...(callAtomic !== undefined && { call: callAtomic }),
    ...(dayAtomic !== undefined && { day: dayAtomic }),
    ...(monthAtomic !== undefined && { month: monthAtomic }),
  }
}
