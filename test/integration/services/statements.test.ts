import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../kernel/ids.ts'
import { recordSettlement } from '../../support/settlements.ts'
import { accountServices, type AccountServices } from '../../support/account-services.ts'
import { testDatabase, type TestDatabase } from '../../support/database.ts'
import { randomFrom } from '../../simulator/random.ts'

let database: TestDatabase
let services: AccountServices
beforeAll(async () => {
  database = await testDatabase()
  services = accountServices(database.db)
})
afterAll(() => database.close())

interface Made {
  accountId: string
  first: string
  second: string
}

/** An account with two keys and this balance. */
async function account(balanceAtomic: bigint): Promise<Made> {
  const { accountId } = await services.accounts.open({ name: 'buyer', mode: 'test' })
  const keys: string[] = []
  for (const name of ['first', 'second']) {
    const made = await services.accountKeys.create(accountId, { name })
    if ('ok' in made) throw new Error('no key')
    keys.push(made.record.id)
  }
  const [first, second] = keys as [string, string]
  await services.ledger.credit({
    accountId,
    keyId: first,
    amountAtomic: balanceAtomic,
    source: 'topup:card',
    reference: newId(),
    kind: 'topup',
    note: 'a card',
  })
  return { accountId, first, second }
}

async function hold(accountId: string, keyId: string, skillId = 'demo.echo'): Promise<string> {
  const holdId = newId()
  const held = await services.ledger.authorize({
    holdId,
    accountId,
    keyId,
    requestId: `req-${holdId}`,
    skillId,
    productId: 'demo',
    path: '/v1/demo/echo',
    amountAtomic: 100n,
    ttlMs: 60_000,
    scope: 'call',
  })
  expect(held.outcome).toBe('authorized')
  return holdId
}

async function call(accountId: string, keyId: string, skillId?: string): Promise<string> {
  const holdId = await hold(accountId, keyId, skillId)
  await services.ledger.capture({ holdId, accountId, keyId, amountAtomic: 60n })
  return holdId
}

async function settle({ accountId, first: keyId }: Made, skillId = 'demo.echo'): Promise<string> {
  const { ledgerId } = await recordSettlement(database.db, {
    accountId,
    keyId,
    requestId: newId(),
    rail: 'coins',
    network: 'test',
    skillId,
    path: '/v1/demo/echo',
    amountAtomic: 70n,
    priceVersion: 1,
    acquisition: null,
    transaction: '0xabc',
    reference: newId(),
  })
  return ledgerId
}

const ALL = { limit: 50, cursor: null }

describe('calls of an account', () => {
  it('are those of all its keys and rails, newest first, and of no other account', async () => {
    const mine = await account(10_000n)
    const other = await account(10_000n)
    const { accountId, first, second } = mine
    await call(other.accountId, other.first)
    const charged = await call(accountId, first)
    const released = await hold(accountId, second)
    await services.ledger.release({ holdId: released, accountId, keyId: second })
    const settled = await settle(mine)
    await settle(mine, 'topup.credits')
    const open = await hold(accountId, first, 'demo.other')
    const refunded = await call(accountId, second)
    await services.ledger.refund({ requestId: `req-${refunded}` })

    const { calls, nextCursor } = await services.statements.calls(accountId, {}, ALL)
    expect(nextCursor).toBeNull()
    expect(calls.map(({ id, outcome }) => [id, outcome])).toEqual([
      [refunded, 'refunded'],
      [open, 'open'],
      [settled, 'charged'],
      [released, 'uncharged'],
      [charged, 'charged'],
    ])
    expect(calls[4]).toEqual({
      id: charged,
      at: expect.any(Date),
      keyId: first,
      skillId: 'demo.echo',
      path: '/v1/demo/echo',
      requestId: `req-${charged}`,
      outcome: 'charged',
      rail: 'credits',
      amountAtomic: 100n,
      chargedAtomic: 60n,
      transaction: null,
    })
    expect(calls[2]).toMatchObject({ rail: 'coins', chargedAtomic: 70n, transaction: '0xabc' })
    expect(calls[1]).toMatchObject({ chargedAtomic: null })

    const ids = async (filter: Parameters<typeof services.statements.calls>[1]) =>
      (await services.statements.calls(accountId, filter, ALL)).calls.map(({ id }) => id)
    expect(await ids({ keyId: second })).toEqual([refunded, released])
    expect(await ids({ skillId: 'demo.other' })).toEqual([open])
    expect(await ids({ outcome: 'charged' })).toEqual([settled, charged])
    expect(await ids({ keyId: other.first })).toEqual([])
    expect(await ids({ from: new Date(Date.now() + 60_000) })).toEqual([])
    expect(await ids({ until: new Date(Date.now() - 60_000) })).toEqual([])

    const one = await services.statements.call(accountId, charged)
    expect(one!.entries.map(({ kind }) => kind).toSorted()).toEqual([
      'authorize',
      'capture',
      'release',
    ])
    expect((await services.statements.call(accountId, settled))!.entries).toHaveLength(1)
    expect(await services.statements.call(other.accountId, charged)).toBeNull()
    expect(await services.statements.call(accountId, 'nonsense')).toBeNull()
  })

  it('are read page by page without gaps or repeats, also behind a filter', async () => {
    const { accountId, first, second } = await account(100_000n)
    const made: string[] = []
    for (let n = 0; n < 9; n++) made.unshift(await call(accountId, n % 2 ? first : second))
    for (const filter of [{}, { outcome: 'charged' as const }]) {
      const seen: string[] = []
      let cursor: string | null = null
      do {
        const page = await services.statements.calls(accountId, filter, { limit: 2, cursor })
        seen.push(...page.calls.map(({ id }) => id))
        cursor = page.nextCursor
      } while (cursor !== null)
      expect(seen).toEqual(made)
    }
  })
})

describe('usage and purchases', () => {
  it('of more keys, on each of its days, than one statement reads lacks none', async () => {
    const { accountId } = await account(10_000n)
    await database.db.sql`
      INSERT INTO coinop.usage_day (account_id, day, key_id, skill_id, calls, charged, refunded)
      SELECT ${accountId}::uuid, '2026-03-01'::date + n / 22500, 'key_' || n % 22500, 'demo.echo', 2, 3, 1
      FROM generate_series(0, 44999) AS n`
    const [from, until] = [new Date('2026-02-20T06:00:00Z'), new Date('2026-03-20T06:00:00Z')]
    const rows = await services.statements.usage(accountId, from, until)
    expect(new Set(rows.map(({ day, keyId }) => `${day} ${keyId}`)).size).toBe(45_000)
    expect(rows.length).toBe(45_000)
    expect(rows.map(({ day }) => day)).toEqual(
      rows
        .map(({ day }) => day)
        .toSorted()
        .toReversed(),
    )
    expect(rows.reduce((sum, row) => sum + row.chargedAtomic - row.refundedAtomic, 0n)).toBe(
      90_000n,
    )
    const spent = { day: '', skillId: '', keyId: '' }
    const by = (part: Parameters<typeof services.statements.usage>[3]) =>
      services.statements.usage(accountId, from, until, part)
    const half = { calls: 45_000, chargedAtomic: 67_500n, refundedAtomic: 22_500n }
    expect(await by({ by: 'day' })).toEqual([
      { ...spent, ...half, day: '2026-03-01' },
      { ...spent, ...half, day: '2026-03-02' },
    ])
    expect(await by({ by: 'skillId' })).toMatchObject([{ skillId: 'demo.echo', calls: 90_000 }])
    const ofKey = { calls: 4, chargedAtomic: 6n, refundedAtomic: 2n }
    expect(await by({ by: 'keyId', keyId: 'key_7' })).toEqual([
      { ...spent, ...ofKey, keyId: 'key_7' },
    ])
  })

  it('come to the balance, to the unit, whatever has happened', async () => {
    const random = randomFrom(30)
    const { ledger, statements } = services
    const [mine, others] = [await account(1_000_003n), await account(500_001n)]
    const { accountId } = mine
    const amount = (below = 9_999): bigint => BigInt(1 + random.below(below))
    const given = (kind: 'topup' | 'grant' | 'adjustment' | 'refund', source: string) => () =>
      ledger.credit({ accountId, amountAtomic: amount(), kind, source, reference: newId() })
    const ended: string[] = []
    const transfer = (fromAccountId: string, toAccountId: string) =>
      ledger.transfer({ fromAccountId, toAccountId, amountAtomic: amount(), reference: newId() })
    const taking = () => ({
      accountId,
      amountAtomic: amount(),
      to: 'topup:card',
      reference: newId(),
    })
    const steps: (() => Promise<unknown>)[] = [
      given('topup', 'topup:card'),
      given('grant', 'sandbox'),
      given('adjustment', 'adjustment'),
      // A payment by another rail that an operator gives back.
      given('refund', 'settlement'),
      () => database.db.sql.begin((tx) => ledger.take(taking(), tx)),
      () => ledger.charge({ ...taking(), to: 'plan:starter' }),
      () => transfer(accountId, others.accountId),
      () => transfer(others.accountId, accountId),
      async () => {
        const keyId = random.of([mine.first, mine.second])
        const holdId = await hold(accountId, keyId, random.of(['demo.echo', 'demo.other']))
        const way = random.of(['open', 'released', 'captured', 'captured'] as const)
        if (way === 'released') await ledger.release({ holdId, accountId, keyId })
        if (way !== 'captured') return
        await ledger.capture({ holdId, accountId, keyId, amountAtomic: amount(100) })
        ended.push(`req-${holdId}`)
      },
      () => ledger.refund({ requestId: ended.length > 0 ? random.of(ended) : 'none' }),
    ]
    for (let step = 0; step < 40; step++) await random.of(steps)()

    const { entries } = await statements.purchases(accountId, { limit: 200, cursor: null })
    const moved = entries.map(({ credit, amountUsdcAtomic }) =>
      credit === `${accountId}:available` ? BigInt(amountUsdcAtomic) : -BigInt(amountUsdcAtomic),
    )
    const [from, until] = [new Date(Date.now() - 86_400_000), new Date(Date.now() + 86_400_000)]
    const spent = (await statements.usage(accountId, from, until)).map(
      ({ chargedAtomic, refundedAtomic }) => refundedAtomic - chargedAtomic,
    )
    expect(new Set(entries.map(({ kind }) => kind)).size).toBe(4)
    const { availableAtomic, heldAtomic } = (await ledger.balance(accountId))!
    const sum = [...moved, ...spent].reduce((total, one) => total + one, 0n)
    expect(sum).toBe(availableAtomic + heldAtomic)
    for (const entry of entries)
      expect(await statements.purchase(accountId, entry.id)).toEqual(entry)
  })

  it('sums days by skill and key', async () => {
    const { accountId, first, second } = await account(10_000n)
    await call(accountId, first)
    await call(accountId, first)
    const refunded = await call(accountId, second, 'demo.other')
    await services.ledger.refund({ requestId: `req-${refunded}` })
    const today = new Date(new Date().toISOString().slice(0, 10))
    const tomorrow = new Date(today.getTime() + 86_400_000)
    const day = today.toISOString().slice(0, 10)
    expect(await services.statements.usage(accountId, today, tomorrow)).toEqual([
      {
        day,
        skillId: 'demo.echo',
        keyId: first,
        calls: 2,
        chargedAtomic: 120n,
        refundedAtomic: 0n,
      },
      {
        day,
        skillId: 'demo.other',
        keyId: second,
        calls: 1,
        chargedAtomic: 60n,
        refundedAtomic: 60n,
      },
    ])
    expect(await services.statements.usage(accountId, tomorrow, tomorrow)).toEqual([])
  })

  it('lists what was credited and taken back, newest first, in pages', async () => {
    const { accountId, first } = await account(10_000n)
    await call(accountId, first)
    await services.ledger.credit({
      accountId,
      amountAtomic: 5n,
      source: 'adjustment',
      reference: newId(),
      kind: 'adjustment',
    })
    const page = await services.statements.purchases(accountId, { limit: 1, cursor: null })
    expect(page.entries).toMatchObject([{ kind: 'adjustment', amountUsdcAtomic: 5 }])
    const rest = await services.statements.purchases(accountId, {
      limit: 10,
      cursor: page.nextCursor,
    })
    expect(rest).toMatchObject({ entries: [{ kind: 'topup', note: 'a card' }], nextCursor: null })
    const other = await account(1n)
    expect((await services.statements.purchases(other.accountId, ALL)).entries).toHaveLength(1)
    const until = new Date(Date.now() - 3_600_000)
    expect((await services.statements.purchases(accountId, { ...ALL, until })).entries).toEqual([])
    const bought = rest.entries[0]!
    expect(await services.statements.purchase(accountId, bought.id)).toEqual(bought)
    const calls = await services.statements.calls(accountId, {}, ALL)
    for (const id of [calls.calls[0]!.id, newId(), 'x'])
      expect(await services.statements.purchase(accountId, id)).toBe(null)
    expect(await services.statements.purchase(other.accountId, bought.id)).toBe(null)
  })
})
