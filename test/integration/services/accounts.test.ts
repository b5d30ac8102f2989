import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../kernel/ids.ts'
import { verifyLedger } from '../../../host/reporting/verify.ts'
import { pluginDb } from '../../../kernel/storage/plugin-db.ts'
import { testDatabase, type TestDatabase } from '../../support/database.ts'
import { accountServices, type AccountServices } from '../../support/account-services.ts'

let database: TestDatabase
let one: AccountServices
let two: AccountServices
beforeAll(async () => {
  database = await testDatabase()
  one = accountServices(database.db)
  two = accountServices(database.open())
})
afterAll(() => database.close())

const OPEN = { name: 'wallet', mode: 'test' as const }
const DAY = { limits: { dayAtomic: 500n } }

describe('owners', () => {
  it('finds nobody without opening, then the account it opened', async () => {
    const subject = `eip155:${newId()}`
    expect(await one.accounts.ofOwner(subject, null)).toBeNull()
    const made = await one.accounts.ofOwner(subject, OPEN)
    expect(made).toEqual({ accountId: expect.any(String), isNew: true })
    const { accountId } = made!
    expect(await two.accounts.ofOwner(subject, null)).toEqual({ accountId, isNew: false })
    expect(await one.accounts.get(accountId)).toEqual({
      accountId,
      name: 'wallet',
      mode: 'test',
      availableAtomic: 0n,
      heldAtomic: 0n,
      lowMarkAtomic: null,
      lowAt: null,
      closedAt: null,
    })
    expect(await one.accounts.owners(accountId)).toEqual([{ subject, addedAt: expect.any(Date) }])
    // Whoever pays opened it.
    const payers = await database.db
      .sql`SELECT FROM coinop.payer_account WHERE account_id = ${accountId}`
    expect(payers).toHaveLength(1)
  })

  it('opens one account for many at once', async () => {
    const subject = `eip155:${newId()}`
    const both = [one, two]
    const found = await Promise.all(
      Array.from({ length: 16 }, (_, n) => both[n % 2]!.accounts.ofOwner(subject, OPEN)),
    )
    expect(new Set(found.map((each) => each!.accountId)).size).toBe(1)
    expect(found.filter((each) => each!.isNew)).toHaveLength(1)
  })

  it('adds and removes ways in, and never the last one', async () => {
    const [first, second] = [`email:${newId()}@a.b`, `passkey:${newId()}`]
    const { accountId } = (await one.accounts.ofOwner(first, OPEN))!
    const other = (await one.accounts.ofOwner(`email:${newId()}@a.b`, OPEN))!
    expect(await one.accounts.removeOwner(accountId, first)).toBe('last')
    expect(await one.accounts.addOwner(accountId, second)).toBe('added')
    expect(await one.accounts.addOwner(accountId, second)).toBe('known')
    expect(await one.accounts.addOwner(other.accountId, second)).toBe('taken')
    expect(await one.accounts.removeOwner(other.accountId, second)).toBe('unknown')
    const removed = await Promise.all([
      one.accounts.removeOwner(accountId, first),
      two.accounts.removeOwner(accountId, second),
    ])
    expect(removed.toSorted()).toEqual(['last', 'removed'])
    expect(await one.accounts.owners(accountId)).toHaveLength(1)
  })

  it('adds a way in with the plugin’s own transaction, or not at all', async () => {
    const { accountId } = (await one.accounts.ofOwner(`email:${newId()}@a.b`, OPEN))!
    const subject = `passkey:${newId()}`
    const db = pluginDb(database.db, 'demo')
    await expect(
      db.transaction(async (tx) => {
        await one.accounts.addOwner(accountId, subject, tx)
        throw new Error('undone')
      }),
    ).rejects.toThrow('undone')
    expect(await one.accounts.ofOwner(subject, null)).toBeNull()
  })

  it.each(['', 'plain', 'UPPER:x', 'email:a b', 'email:a\nb', `a:${'x'.repeat(361)}`, 'a:é'])(
    'refuses %j as a subject',
    async (subject) => {
      await expect(one.accounts.ofOwner(subject, OPEN)).rejects.toThrow('an owner is named by')
    },
  )
})

describe('an own key', () => {
  it('is one for each account and plugin, also for many at once', async () => {
    const { accountId } = await one.accounts.open(OPEN)
    const both = [one, two]
    const made = await Promise.all(
      Array.from({ length: 12 }, (_, n) => both[n % 2]!.accounts.ownKey(accountId, 'wallet')),
    )
    expect(new Set(made.map((each) => each!.keyId)).size).toBe(1)
    const other = await one.accounts.ownKey(accountId, 'plans')
    expect(other!.keyId).not.toBe(made[0]!.keyId)
    expect(await one.accounts.ownKey(newId(), 'wallet')).toBeNull()
    await one.directory.close(accountId)
    expect(await one.accounts.ownKey(accountId, 'wallet')).toBeNull()
  })
})

describe('grants', () => {
  it('have no secret, need a limit of the day or the month, and are found by their account only', async () => {
    const { accountId } = await one.accounts.open(OPEN)
    const strangers = await one.accounts.open(OPEN)
    const unlimited = await one.accountKeys.createGrant(accountId, {
      name: 'app',
      parentKeyId: null,
      limits: { callAtomic: 5n },
    })
    expect(unlimited).toMatchObject({ ok: false, code: 'INVALID_INPUT' })
    const made = await one.accountKeys.createGrant(accountId, {
      name: 'app',
      parentKeyId: null,
      products: ['utils'],
      ...DAY,
    })
    if ('ok' in made) throw new Error('no grant')
    const { id } = made.record
    expect(made.record).toEqual({
      id,
      kind: 'grant',
      madeBy: 'demo',
      name: 'app',
      mode: 'test',
      prefix: null,
      createdAt: expect.any(Date),
      revokedAt: null,
      products: ['utils'],
      limits: { callAtomic: null, dayAtomic: 500n, monthAtomic: null },
      hasProductBudgets: false,
      spentTodayAtomic: 0n,
      spentMonthAtomic: 0n,
      lastUsedAt: null,
      expiresAt: null,
      networks: null,
      skills: null,
      metadata: {},
      parentKeyId: null,
    })
    expect(await two.accountKeys.get(accountId, id)).toEqual(made.record)
    expect(await one.accountKeys.get(strangers.accountId, id)).toBeNull()
    expect(await one.accountKeys.patch(strangers.accountId, id, { name: 'mine' })).toBeNull()
    expect(await one.accountKeys.revoke(strangers.accountId, id)).toBeNull()
    expect(await one.accountKeys.rotate(strangers.accountId, id, 0)).toMatchObject({ status: 404 })
    expect(await one.accountKeys.rotate(accountId, id, 0)).toMatchObject({ status: 409 })
    const secrets = await database.db.sql`SELECT FROM coinop.api_key_secret WHERE key_id = ${id}`
    expect(secrets).toHaveLength(0)
  })

  it('take their part of the budget of the key that asks for them, at once and for good', async () => {
    const { accountId } = await one.accounts.open(OPEN)
    const parent = await one.accountKeys.create(accountId, {
      name: 'agent',
      products: ['utils', 'demo'],
      limits: { dayAtomic: 100n, callAtomic: 10n },
    })
    if ('ok' in parent) throw new Error('no key')
    const parentKeyId = parent.record.id
    const ask = async (
      limits: { dayAtomic?: bigint; monthAtomic?: bigint; callAtomic?: bigint },
      products: readonly string[] | null = ['utils'],
      by = one,
    ): Promise<string> => {
      const order = { name: 'app', parentKeyId, limits, products }
      const made = await by.accountKeys.createGrant(accountId, order)
      return 'ok' in made ? String(made.details?.['state']) : 'made'
    }
    expect(await ask({ dayAtomic: 101n, callAtomic: 10n })).toBe('over_parent')
    expect(await ask({ dayAtomic: 10n })).toBe('over_parent')
    expect(await ask({ monthAtomic: 10n, callAtomic: 1n })).toBe('over_parent')
    expect(await ask({ dayAtomic: 10n, callAtomic: 1n }, null)).toBe('over_parent')
    expect(await ask({ dayAtomic: 10n, callAtomic: 1n }, ['other'])).toBe('over_parent')
    const asked = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        ask({ dayAtomic: 40n, callAtomic: 10n }, ['utils'], n % 2 ? two : one),
      ),
    )
    expect(asked.toSorted()).toEqual([
      'made',
      'made',
      ...Array.from({ length: 6 }, () => 'over_parent'),
    ])
    expect((await one.accountKeys.get(accountId, parentKeyId))!.limits).toEqual({
      callAtomic: 10n,
      dayAtomic: 20n,
      monthAtomic: null,
    })
  })

  it('call no faster than the key that asks for them', async () => {
    const { accountId } = await one.accounts.open(OPEN)
    const parent = await one.keys.createOn(accountId, { name: 'slow', rpmLimit: 5, burstLimit: 2 })
    if (parent.outcome !== 'created') throw new Error('no key')
    const order = { name: 'app', ...DAY }
    const ask = async (parentKeyId: string | null) => {
      const made = await one.accountKeys.createGrant(accountId, { ...order, parentKeyId })
      if ('ok' in made) throw new Error(made.message)
      return one.keys.get(made.record.id)
    }
    expect(await ask(parent.record.id)).toMatchObject({ rpmLimit: 5, burstLimit: 2 })
    expect(await ask(null)).toMatchObject({ rpmLimit: null, burstLimit: null })
  })

  it('end with their key, in one transaction, and with their account', async () => {
    const { accountId } = await one.accounts.open(OPEN)
    const parent = await one.accountKeys.create(accountId, { name: 'agent' })
    if ('ok' in parent) throw new Error('no key')
    const parentKeyId = parent.record.id
    const of = async (): Promise<string> => {
      const made = await two.accountKeys.createGrant(accountId, {
        name: 'app',
        parentKeyId,
        ...DAY,
      })
      return 'ok' in made ? 'refused' : made.record.id
    }
    const before = await of()
    const [made] = await Promise.all([
      Promise.all(Array.from({ length: 10 }, of)),
      one.accountKeys.revoke(accountId, parentKeyId),
    ])
    expect(await of()).toBe('refused')
    for (const id of [before, ...made.filter((text) => text !== 'refused')]) {
      expect((await one.accountKeys.get(accountId, id))!.revokedAt).not.toBeNull()
    }
    const free = await one.accountKeys.createGrant(accountId, {
      name: 'app',
      parentKeyId: null,
      ...DAY,
    })
    if ('ok' in free) throw new Error('no grant')
    expect((await one.directory.close(accountId)).outcome).toBe('closed')
    expect((await one.accountKeys.get(accountId, free.record.id))!.revokedAt).not.toBeNull()
    expect(
      await one.accountKeys.createGrant(accountId, { name: 'late', parentKeyId: null, ...DAY }),
    ).toMatchObject({ ok: false, status: 403 })
    expect((await verifyLedger(database.db.sql)).violations).toEqual([])
  })
})

describe('keys of an account', () => {
  it('are at most 100 live ones by its holder; the operator adds more', async () => {
    const { accountId } = await one.accounts.open(OPEN)
    const make = () => one.accountKeys.create(accountId, { name: 'one of many' })
    // One after the other: a slow machine has no time for 99 at once in the patience of a statement.
    for (let made = 0; made < 99; made++) await make()
    const last = await Promise.all([make(), make(), make()])
    const refused = last.filter((outcome) => 'ok' in outcome)
    expect(refused.map(({ details }) => details?.['state'])).toEqual([
      'too_many_keys',
      'too_many_keys',
    ])
    expect(await one.keys.createOn(accountId, { name: 'of the operator' })).toMatchObject({
      outcome: 'created',
    })
    const page = { kind: 'key' as const, limit: 2, cursor: null }
    for (const { id } of (await one.accountKeys.list(accountId, page)).records)
      await one.accountKeys.revoke(accountId, id)
    expect(await make()).toHaveProperty('key')
  })

  it('are made, listed, changed, rotated and revoked by their account only', async () => {
    const { accountId } = await one.accounts.open(OPEN)
    const strangers = await one.accounts.open(OPEN)
    const made = await one.accountKeys.create(accountId, {
      name: 'mine',
      limits: { dayAtomic: 700n, callAtomic: 20n },
    })
    if ('ok' in made) throw new Error('no key')
    const { id } = made.record
    expect(made.key).toMatch(/^ck_test_/)
    expect(made.record).toMatchObject({
      kind: 'key',
      madeBy: 'demo',
      limits: { callAtomic: 20n, dayAtomic: 700n, monthAtomic: null },
    })
    await one.accountKeys.createGrant(accountId, { name: 'app', parentKeyId: null, ...DAY })
    const all = { limit: 50, cursor: null }
    const kinds = async (kind: 'key' | 'grant' | null) =>
      (await one.accountKeys.list(accountId, { kind, ...all })).records.map((each) => each.kind)
    expect(await kinds('key')).toEqual(['key'])
    expect(await kinds('grant')).toEqual(['grant'])
    expect((await kinds(null)).toSorted()).toEqual(['grant', 'key'])
    expect(
      (await one.accountKeys.list(strangers.accountId, { kind: null, ...all })).records,
    ).toEqual([])
    const patched = await one.accountKeys.patch(accountId, id, {
      name: 'ours',
      limits: { dayAtomic: null, monthAtomic: 9n },
      products: ['utils'],
    })
    expect(patched).toMatchObject({
      name: 'ours',
      products: ['utils'],
      limits: { callAtomic: 20n, dayAtomic: null, monthAtomic: 9n },
    })
    const kept = await one.accountKeys.rotate(accountId, id, 60_000)
    const [{ ends } = { ends: null }] = await database.db.sql<{ ends: Date | null }[]>`
      SELECT max(expires_at) AS ends FROM coinop.api_key_secret WHERE key_id = ${id}`
    expect(kept).toMatchObject({ previousValidUntil: ends })
    const rotated = await one.accountKeys.rotate(accountId, id, 0)
    expect('ok' in rotated ? null : rotated.key).toMatch(/^ck_test_/)
    expect((await one.accountKeys.revoke(accountId, id))!.revokedAt).toBeInstanceOf(Date)
    expect(await one.accountKeys.rotate(accountId, id, 0)).toMatchObject({ status: 409 })
  })

  it('refuses names, products and amounts that no key has', async () => {
    const { accountId } = await one.accounts.open(OPEN)
    for (const order of [
      { name: ' ' },
      { name: 'a\u0000b' },
      { name: 'x', products: ['No Product'] },
      { name: 'x', limits: { dayAtomic: -1n } },
    ]) {
      expect(await one.accountKeys.create(accountId, order)).toMatchObject({ ok: false })
    }
    expect(await one.accountKeys.create(newId(), { name: 'x' })).toMatchObject({ status: 404 })
  })
})
