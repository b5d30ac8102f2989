import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKeys } from '../../../host/account-management/keys.ts'
import type { Keys } from '../../../kernel/auth/account-management.ts'
import { openSigningKey } from '../../../host/access-tokens/signing-key.ts'
import { createVault } from '../../../host/secrets/vault.ts'
import { accounts } from '../../../kernel/ledger/accounts.ts'
import { createLedger } from '../../../kernel/ledger/ledger.ts'
import { ownAccount } from '../../support/accounts.ts'
import { testDatabase, type TestDatabase } from '../../support/database.ts'
import { authInstance, carrying, eventually, MASTER_KEY, type AuthInstance } from './instance.ts'

let database: TestDatabase
let instance: AuthInstance
let keys: Keys
beforeAll(async () => {
  database = await testDatabase()
  instance = await authInstance(database.db)
  keys = createKeys(database.db, accounts)
})
afterAll(async () => {
  await instance.close()
  await database.close()
})
const isAccepted = async (key: string): Promise<boolean> =>
  (await instance.auth.identify(carrying({ 'x-api-key': key }))).ok

/** Each budget row of a key: its scope and its caps by call, day and month. */
async function capsOf({ accountId, id }: { accountId: string; id: string }): Promise<unknown[][]> {
  const rows = await createLedger(database.db).spend({ accountId, keyId: id })
  return rows.map((row) => [row.scope, row.callCapAtomic, row.dayCapAtomic, row.monthCapAtomic])
}

describe('keys', () => {
  it('keeps the record and an account, and of the secret only its hash', async () => {
    const { record, plaintext } = await keys.create({
      name: "O'Brien — café ☕",
      mode: 'live',
      budget: { day: 250_000n },
      products: ['utils'],
      burstLimit: 3,
    })
    expect(record).toEqual({
      id: record.id,
      accountId: ownAccount(record.id),
      name: "O'Brien — café ☕",
      mode: 'live',
      kind: 'key',
      madeBy: 'operator',
      parentKeyId: null,
      prefix: plaintext.slice(0, 20),
      createdAt: expect.any(Date),
      revokedAt: null,
      products: ['utils'],
      rpmLimit: null,
      burstLimit: 3,
      expiresAt: null,
      networks: null,
      skills: null,
      metadata: {},
    })
    expect(record.id).toMatch(/^key_[0-9a-f]{32}$/)
    expect(await keys.get(record.id)).toEqual(record)
    const { sql } = database.db
    const [account] = await sql`SELECT * FROM coinop.account WHERE id = ${record.accountId}`
    expect(account).toMatchObject({ mode: 'live', available: 0n })
    expect(await keys.accountOf(record.id)).toBe(record.accountId)
    expect(await capsOf(record)).toEqual([['*', null, 250_000n, null]])
    const [stored] = await sql`
      SELECT row_to_json(k)::text || row_to_json(s)::text AS text
      FROM coinop.api_key k JOIN coinop.api_key_secret s ON s.key_id = k.id
      WHERE k.id = ${record.id}`
    expect(stored!['text']).not.toContain(plaintext.slice(21, 40))
  })

  it('leaves nothing behind when the account cannot be opened', async () => {
    const failing = createKeys(database.db, {
      ...accounts,
      open: () => Promise.reject(new Error('no account')),
    })
    await expect(failing.create({ name: 'half', mode: 'test' })).rejects.toThrow('no account')
    const left = await database.db.sql`SELECT 1 FROM coinop.api_key WHERE name = 'half'`
    expect(left).toHaveLength(0)
  })

  it('pages newest first without gaps or repeats', async () => {
    const made: string[] = []
    for (let i = 0; i < 5; i++) {
      made.unshift((await keys.create({ name: `page ${i}`, mode: 'test' })).record.id)
    }
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const page = await keys.list({ limit: 2, cursor })
      seen.push(...page.records.map((record) => record.id))
      cursor = page.nextCursor
    } while (cursor !== null)
    expect(seen.slice(0, 5)).toEqual(made)
    expect(new Set(seen).size).toBe(seen.length)
  })

  it('finds keys by a part of their names, or by how they begin', async () => {
    const { record: percent } = await keys.create({ name: 'Shop of 5%_a', mode: 'test' })
    const { record: other } = await keys.create({ name: 'shop of 50a', mode: 'test' })
    const found = async (find: string): Promise<string[]> => {
      const { records } = await keys.list({ limit: 9, cursor: null, find })
      return records.map(({ id }) => id)
    }
    expect(await found('SHOP OF')).toEqual([other.id, percent.id])
    expect(await found('5%_')).toEqual([percent.id])
    expect(await found(other.prefix!)).toEqual([other.id])
    expect(await found(other.prefix!.slice(0, -2))).toEqual([other.id])
    expect(await found(other.prefix!.slice(3))).toEqual([])
    expect(await found('nobody has this \\')).toEqual([])
    expect(await found('shop\0')).toEqual([])
  })

  it('changes only what is given, and the budgets with it', async () => {
    const { record } = await keys.create({ name: 'a', mode: 'test', rpmLimit: 5, burstLimit: 6 })
    const patched = await keys.patch(record.id, { rpmLimit: null, budget: { day: 20_000n } })
    expect(patched).toEqual({ ...record, rpmLimit: null })
    expect(await capsOf(record)).toEqual([['*', null, 20_000n, null]])
    expect(await keys.patch(record.id, { name: 'b' })).toMatchObject({ name: 'b', burstLimit: 6 })
    expect(await capsOf(record)).toEqual([['*', null, 20_000n, null]])
    await keys.patch(record.id, {
      budget: { call: 1n, day: null },
      productBudgets: { utils: { month: 5n }, docintel: { day: 0n } },
    })
    expect(await capsOf(record)).toEqual([
      ['*', 1n, null, null],
      ['docintel', null, 0n, null],
      ['utils', null, null, 5n],
    ])
    await keys.patch(record.id, {
      productBudgets: { utils: null, docintel: { call: null, day: null, month: null } },
    })
    expect(await capsOf(record)).toEqual([['*', 1n, null, null]])
    expect(await keys.patch('key_nobody', { name: 'c' })).toBeNull()
  })

  it('puts several keys on one account, never one on an account that is not there', async () => {
    const { record } = await keys.create({ name: 'a', mode: 'test' })
    const made = await keys.createOn(record.accountId, { name: 'b', budget: { day: 7n } })
    if (made.outcome !== 'created') throw new Error(made.outcome)
    expect(made.record).toMatchObject({ accountId: record.accountId, mode: 'test' })
    const page = await keys.list({ limit: 9, cursor: null, accountId: record.accountId })
    expect(page.records).toEqual([made.record, record])
    const refused = [
      keys.createOn(ownAccount('key_nobody'), { name: 'c' }),
      keys.createOn(record.accountId, { name: 'c', mode: 'live' }),
    ]
    expect(await Promise.all(refused)).toEqual([
      { outcome: 'unknown_account' },
      { outcome: 'mode_mismatch' },
    ])
    await database.db.sql.begin((tx) => accounts.close(tx, record.accountId))
    expect(await keys.createOn(record.accountId, { name: 'c' })).toEqual({ outcome: 'closed' })
  })

  it('tells every instance at once which products a key may buy', async () => {
    const { record, plaintext } = await keys.create({ name: 'a', mode: 'test' })
    const productsOf = async () => {
      const found = await instance.auth.identify(carrying({ 'x-api-key': plaintext }))
      return found.ok ? found.identity?.products : undefined
    }
    expect(await productsOf()).toBeNull()
    await keys.patch(record.id, { products: ['utils'] })
    await eventually(async () => (await productsOf())?.[0] === 'utils')
  })

  it('revokes once, in the ledger too, and keeps the first time', async () => {
    const { record } = await keys.create({ name: 'a', mode: 'test' })
    const first = await keys.revoke(record.id)
    const again = await keys.revoke(record.id)
    expect(first?.revokedAt).toBeInstanceOf(Date)
    expect(again).toEqual(first)
    const { sql } = database.db
    const rows = await sql`SELECT revoked_at FROM coinop.key_spend WHERE key_id = ${record.id}`
    expect(rows[0]!['revoked_at']).toEqual(first!.revokedAt)
    expect(await keys.revoke('key_nobody')).toBeNull()
  })
})

describe('rotation', () => {
  it('keeps the old credential for its grace time', async () => {
    const made = await keys.create({ name: 'a', mode: 'test' })
    const rotated = await keys.rotate(made.record.id, 60_000)
    if (rotated.outcome !== 'rotated') throw new Error(rotated.outcome)
    expect(rotated.plaintext).not.toBe(made.plaintext)
    expect(rotated.record).toEqual({ ...made.record, prefix: rotated.plaintext.slice(0, 20) })
    expect(await isAccepted(made.plaintext)).toBe(true)
    expect(await isAccepted(rotated.plaintext)).toBe(true)
    await database.db.sql`
      UPDATE coinop.api_key_secret SET expires_at = now() - interval '1 ms'
      WHERE key_id = ${made.record.id} AND expires_at IS NOT NULL`
    await eventually(async () => !(await isAccepted(made.plaintext)))
    expect(await isAccepted(rotated.plaintext)).toBe(true)
  })

  it('ends every older credential at once without a grace time', async () => {
    const made = await keys.create({ name: 'a', mode: 'test' })
    const second = await keys.rotate(made.record.id, 60_000)
    const third = await keys.rotate(made.record.id, 0)
    if (second.outcome !== 'rotated' || third.outcome !== 'rotated') throw new Error('not rotated')
    await eventually(async () => !(await isAccepted(made.plaintext)))
    await eventually(async () => !(await isAccepted(second.plaintext)))
    expect(await isAccepted(third.plaintext)).toBe(true)
    const { sql } = database.db
    const rows = await sql`SELECT 1 FROM coinop.api_key_secret WHERE key_id = ${made.record.id}`
    expect(rows).toHaveLength(1)
  })

  it('leaves one current credential when it is asked for many times at once', async () => {
    const { record } = await keys.create({ name: 'a', mode: 'test' })
    const all = await Promise.all(Array.from({ length: 8 }, () => keys.rotate(record.id, 60_000)))
    expect(all.every((one) => one.outcome === 'rotated')).toBe(true)
    const rows = await database.db.sql`
      SELECT 1 FROM coinop.api_key_secret WHERE key_id = ${record.id} AND expires_at IS NULL`
    expect(rows).toHaveLength(1)
  })

  it('is refused for a revoked and an unknown key', async () => {
    const { record } = await keys.create({ name: 'a', mode: 'test' })
    await keys.revoke(record.id)
    expect(await keys.rotate(record.id, 0)).toMatchObject({ outcome: 'revoked' })
    expect(await keys.rotate('key_nobody', 0)).toEqual({ outcome: 'unknown_key' })
  })
})

describe('signing key', () => {
  it('is made once per database, also by instances that start together', async () => {
    const fresh = await testDatabase()
    try {
      const opened = await Promise.all(
        Array.from({ length: 4 }, () => openSigningKey(fresh.open(), createVault(MASTER_KEY))),
      )
      expect(new Set(opened.map((key) => key.kid)).size).toBe(1)
      expect(opened[0]!.publicJwks).toHaveLength(1)
    } finally {
      await fresh.close()
    }
  })

  it('is refused at boot, with what to do, to an instance with another master key', async () => {
    const foreign = createVault(Buffer.alloc(32, 6))
    await expect(openSigningKey(database.open(), foreign)).rejects.toThrow(
      /sealed under master key .* Set COINOP_MASTER_KEY to the same value on every instance/,
    )
  })
})
