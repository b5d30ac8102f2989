import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../../kernel/ids.ts'
import { accounts } from '../../../kernel/ledger/accounts.ts'
import { recordSettlement } from '../../support/settlements.ts'
import { readableLedger, type ReadableLedger } from '../../support/ledger-rows.ts'
import type { SqlClient } from '../../../kernel/storage/contract.ts'
import { testDatabase, type TestDatabase } from '../../support/database.ts'
import { expectBalancedBooks, fundedKey, letTimePass, order } from './books.ts'
import { heldCall } from '../../support/spenders.ts'
import { ownAccount, balanceOf, setCeiling, revokeKey } from '../../support/accounts.ts'

let database: TestDatabase
let sql: SqlClient
let ledger: ReadableLedger

beforeAll(async () => {
  database = await testDatabase()
  sql = database.db.sql
  ledger = readableLedger(database.db)
})
afterAll(async () => {
  await expectBalancedBooks(sql)
  await database.close()
})

describe('authorize', () => {
  test('moves the amount from available to held and says what is left', async () => {
    const keyId = await fundedKey(sql, ledger, 1000n)
    const placed = order(keyId, 300n, { priceVersion: 7, acquisition: 'ad-1' })
    const result = await ledger.authorize(placed)
    expect(result).toMatchObject({
      outcome: 'authorized',
      repeated: false,
      availableAtomic: 700n,
      hold: { id: placed.holdId, state: 'authorized', amountAtomic: 300n, capturedAtomic: null },
    })
    expect(await balanceOf(ledger, keyId)).toEqual({
      keyId,
      availableAtomic: 700n,
      heldAtomic: 300n,
      spentTodayAtomic: 300n,
    })
    expect(await ledger.hold(placed.holdId)).toMatchObject({ priceVersion: 7, acquisition: 'ad-1' })
  })

  test('is idempotent by hold id, whatever the scope', async () => {
    const keyId = await fundedKey(sql, ledger, 1000n)
    const placed = order(keyId, 300n)
    await ledger.authorize(placed)
    const again = await ledger.authorize(placed)
    expect(again).toMatchObject({ outcome: 'authorized', repeated: true, availableAtomic: 700n })
  })

  test('request scope: the same body returns the same hold, also after its capture', async () => {
    const keyId = await fundedKey(sql, ledger, 1000n)
    const first = order(keyId, 300n, { scope: 'request', requestId: 'r' })
    await ledger.authorize(first)
    const repeat = { ...first, holdId: newId() }
    expect(await ledger.authorize(repeat)).toMatchObject({
      outcome: 'authorized',
      repeated: true,
      hold: { id: first.holdId, state: 'authorized' },
    })
    await ledger.capture({ holdId: first.holdId, accountId: ownAccount(keyId), keyId })
    expect(await ledger.authorize(repeat)).toMatchObject({
      outcome: 'authorized',
      repeated: true,
      hold: { id: first.holdId, state: 'captured' },
    })
    expect(await balanceOf(ledger, keyId)).toMatchObject({ availableAtomic: 700n, heldAtomic: 0n })
  })

  test.each([
    ['amount', { amountAtomic: 301n }],
    ['skill', { skillId: 'other' }],
    ['path', { path: '/other' }],
  ])('request scope: another %s is a conflict', async (_, change) => {
    const keyId = await fundedKey(sql, ledger, 1000n)
    const first = order(keyId, 300n, { scope: 'request', requestId: 'r' })
    await ledger.authorize(first)
    const result = await ledger.authorize({ ...first, holdId: newId(), ...change })
    expect(result).toMatchObject({ outcome: 'conflict', hold: { id: first.holdId } })
    expect(await balanceOf(ledger, keyId)).toMatchObject({ heldAtomic: 300n })
  })

  test('request scope: a request id is free again after release and after expiry', async () => {
    const keyId = await fundedKey(sql, ledger, 1000n)
    const first = order(keyId, 300n, { scope: 'request', requestId: 'r' })
    await ledger.authorize(first)
    await ledger.release({ holdId: first.holdId, accountId: ownAccount(keyId), keyId })
    const second = { ...first, holdId: newId() }
    expect(await ledger.authorize(second)).toMatchObject({
      outcome: 'authorized',
      repeated: false,
      hold: { id: second.holdId },
    })
    await letTimePass(sql, 61_000)
    // Nobody has swept yet: the retry ends the dead hold itself.
    const third = { ...first, holdId: newId(), amountAtomic: 5n }
    expect(await ledger.authorize(third)).toMatchObject({ outcome: 'authorized', repeated: false })
    expect(await ledger.hold(second.holdId)).toMatchObject({ state: 'expired' })
    expect(await balanceOf(ledger, keyId)).toMatchObject({ availableAtomic: 995n, heldAtomic: 5n })
  })

  test('call scope: the same request id holds anew', async () => {
    const keyId = await fundedKey(sql, ledger, 1000n)
    const first = order(keyId, 300n, { requestId: 'same' })
    await heldCall(ledger, first)
    await heldCall(ledger, { ...first, holdId: newId() })
    expect(await balanceOf(ledger, keyId)).toMatchObject({ heldAtomic: 600n })
  })

  test('refuses with the reason', async () => {
    const keyId = await fundedKey(sql, ledger, 1000n, 500n)
    expect(await ledger.authorize(order('key_unknown', 1n))).toEqual({ outcome: 'unknown_key' })
    expect(await ledger.authorize(order(keyId, 1001n))).toEqual({
      outcome: 'insufficient',
      availableAtomic: 1000n,
    })
    await heldCall(ledger, order(keyId, 400n))
    expect(await ledger.authorize(order(keyId, 101n))).toEqual({
      outcome: 'over_budget',
      limit: 'key_day',
      capAtomic: 500n,
      spentAtomic: 400n,
      resetsAt: nextUtcDay(),
    })
    await setCeiling(sql, keyId, null)
    await heldCall(ledger, order(keyId, 101n))
    await revokeKey(sql, keyId)
    expect(await ledger.authorize(order(keyId, 1n))).toEqual({ outcome: 'revoked' })
  })

  test('a hold id that has ended cannot be used again', async () => {
    const keyId = await fundedKey(sql, ledger, 1000n)
    const placed = order(keyId, 10n)
    await heldCall(ledger, placed)
    await ledger.release({ holdId: placed.holdId, accountId: ownAccount(keyId), keyId })
    expect(await ledger.authorize(placed)).toMatchObject({
      outcome: 'conflict',
      hold: { state: 'released' },
    })
  })

  test.each([
    ['no amount', { amountAtomic: 0n }],
    ['a negative amount', { amountAtomic: -5n }],
    ['a hold id that is no UUID', { holdId: 'x' }],
    ['a NUL in the path', { path: '/\0' }],
    ['an over-long request id', { requestId: 'x'.repeat(501) }],
  ])('throws for an order with %s before it can spoil a batch', async (_, change) => {
    const keyId = await fundedKey(sql, ledger, 1000n)
    await expect(ledger.authorize(order(keyId, 1n, change))).rejects.toThrow('Assertion failed')
  })
})

describe('ceiling', () => {
  test('counts the UTC day: release gives back, refund does not, a new day starts at zero', async () => {
    const keyId = await fundedKey(sql, ledger, 1000n, 100n)
    const released = await heldCall(ledger, order(keyId, 60n))
    await ledger.release({ holdId: released.id, accountId: ownAccount(keyId), keyId })
    const captured = await heldCall(ledger, order(keyId, 60n))
    await ledger.capture({
      holdId: captured.id,
      accountId: ownAccount(keyId),
      keyId,
      amountAtomic: 50n,
    })
    expect(await balanceOf(ledger, keyId)).toMatchObject({ spentTodayAtomic: 50n })
    await ledger.refund({ requestId: captured.requestId })
    expect(await balanceOf(ledger, keyId)).toMatchObject({ spentTodayAtomic: 50n })
    expect((await ledger.authorize(order(keyId, 51n))).outcome).toBe('over_budget')
    await sql`UPDATE key_spend SET day = day - 1 WHERE key_id = ${keyId}`
    await sql`UPDATE hold SET created_at = created_at - interval '1 day' WHERE key_id = ${keyId}`
    expect(await balanceOf(ledger, keyId)).toMatchObject({ spentTodayAtomic: 0n })
    await heldCall(ledger, order(keyId, 100n))
  })

  test('a charge that is undone was not bought: ceiling and free call return, once', async () => {
    const keyId = await fundedKey(sql, ledger, 1000n, 100n)
    const free = { calls: 1, period: 'day' } as const
    const holds = [
      await heldCall(ledger, order(keyId, 60n)),
      await heldCall(ledger, order(keyId, 7n, { free })),
    ]
    for (const { id: holdId, accountId, requestId } of holds) {
      await ledger.capture({ holdId, accountId, keyId })
      const undoing = { requestId, keyId, holdId, isUndone: true }
      await Promise.all([ledger.refund(undoing), ledger.refund(undoing)])
    }
    expect(await balanceOf(ledger, keyId)).toMatchObject({ spentTodayAtomic: 0n })
    expect((await heldCall(ledger, order(keyId, 7n, { free }))).freeBucket).not.toBeNull()
    expect((await heldCall(ledger, order(keyId, 100n))).amountAtomic).toBe(100n)
    // A product that gets a budget counts what was bought of it.
    const spender = { accountId: ownAccount(keyId), keyId }
    const caps = { call: null, day: 1000n, month: null }
    await sql.begin((tx) => accounts.setBudget(tx, spender, holds[0]!.productId, caps))
    expect((await ledger.spend(spender))[1]).toMatchObject({ spentTodayAtomic: 100n })
  })

  test("a hold of yesterday does not give back to today's ceiling", async () => {
    const keyId = await fundedKey(sql, ledger, 1000n, 100n)
    const [one, many] = [
      await heldCall(ledger, order(keyId, 30n)),
      await heldCall(ledger, order(keyId, 30n)),
    ]
    await sql`UPDATE key_spend SET day = day - 1 WHERE key_id = ${keyId}`
    await sql`UPDATE hold SET created_at = created_at - interval '1 day' WHERE key_id = ${keyId}`
    const today = await heldCall(ledger, order(keyId, 80n))
    await ledger.release({ holdId: one.id, accountId: ownAccount(keyId), keyId })
    expect(await balanceOf(ledger, keyId)).toMatchObject({ spentTodayAtomic: 80n })
    await Promise.all([
      ledger.release({ holdId: many.id, accountId: ownAccount(keyId), keyId }),
      ledger.release({ holdId: today.id, accountId: ownAccount(keyId), keyId }),
    ])
    expect(await balanceOf(ledger, keyId)).toMatchObject({ spentTodayAtomic: 0n })
  })
})

describe('capture, release, refund', () => {
  test('capture takes the hold; a repeat answers the same', async () => {
    const keyId = await fundedKey(sql, ledger, 1000n)
    const { id: holdId } = await heldCall(ledger, order(keyId, 300n))
    const first = await ledger.capture({ holdId, accountId: ownAccount(keyId), keyId })
    expect(first).toMatchObject({
      outcome: 'done',
      repeated: false,
      availableAtomic: 700n,
      hold: { state: 'captured', capturedAtomic: 300n },
    })
    expect(await ledger.capture({ holdId, accountId: ownAccount(keyId), keyId })).toEqual({
      ...first,
      repeated: true,
    })
    expect(
      await ledger.capture({ holdId, accountId: ownAccount(keyId), keyId, amountAtomic: 300n }),
    ).toEqual({
      ...first,
      repeated: true,
    })
  })

  test('a partial capture gives the rest back; another amount is then a conflict', async () => {
    const keyId = await fundedKey(sql, ledger, 1000n)
    const { id: holdId, requestId } = await heldCall(ledger, order(keyId, 300n))
    expect(
      await ledger.capture({ holdId, accountId: ownAccount(keyId), keyId, amountAtomic: 100n }),
    ).toMatchObject({
      outcome: 'done',
      availableAtomic: 900n,
      hold: { capturedAtomic: 100n },
    })
    expect(
      (await ledger.capture({ holdId, accountId: ownAccount(keyId), keyId, amountAtomic: 200n }))
        .outcome,
    ).toBe('conflict')
    expect((await ledger.capture({ holdId, accountId: ownAccount(keyId), keyId })).outcome).toBe(
      'conflict',
    )
    const rows = await ledger.rows({ keyId, requestId, limit: 10 })
    expect(
      rows.map(({ kind, amountAtomic, debit, credit }) => [kind, amountAtomic, debit, credit]),
    ).toEqual([
      ['release', 200n, `${ownAccount(keyId)}:held`, `${ownAccount(keyId)}:available`],
      ['capture', 100n, `${ownAccount(keyId)}:held`, 'revenue'],
      ['authorize', 300n, `${ownAccount(keyId)}:available`, `${ownAccount(keyId)}:held`],
    ])
  })

  test('never captures more than was held', async () => {
    const keyId = await fundedKey(sql, ledger, 1000n)
    const { id: holdId } = await heldCall(ledger, order(keyId, 300n))
    await expect(
      ledger.capture({ holdId, accountId: ownAccount(keyId), keyId, amountAtomic: 301n }),
    ).rejects.toThrow('at most')
    expect(await balanceOf(ledger, keyId)).toMatchObject({ heldAtomic: 300n })
  })

  test('a hold past its time cannot be captured and is expired at once', async () => {
    const keyId = await fundedKey(sql, ledger, 1000n)
    const { id: holdId } = await heldCall(ledger, order(keyId, 300n))
    await letTimePass(sql, 61_000)
    expect(await ledger.capture({ holdId, accountId: ownAccount(keyId), keyId })).toMatchObject({
      outcome: 'conflict',
      hold: { state: 'expired' },
    })
    expect(await balanceOf(ledger, keyId)).toMatchObject({ availableAtomic: 1000n, heldAtomic: 0n })
  })

  test.each(['capture', 'release'] as const)(
    '%s: unknown or foreign holds are not found',
    async (end) => {
      const keyId = await fundedKey(sql, ledger, 1000n)
      const other = await fundedKey(sql, ledger, 1000n)
      const { id: holdId } = await heldCall(ledger, order(other, 300n))
      expect(await ledger[end]({ holdId, accountId: ownAccount(keyId), keyId })).toEqual({
        outcome: 'not_found',
      })
      expect(await ledger[end]({ holdId: newId(), accountId: ownAccount(keyId), keyId })).toEqual({
        outcome: 'not_found',
      })
      expect(await ledger[end]({ holdId: `x'; --`, accountId: ownAccount(keyId), keyId })).toEqual({
        outcome: 'not_found',
      })
    },
  )

  test('a hold ends once: the other transitions are conflicts with its state', async () => {
    const keyId = await fundedKey(sql, ledger, 1000n)
    const captured = await heldCall(ledger, order(keyId, 10n))
    await ledger.capture({ holdId: captured.id, accountId: ownAccount(keyId), keyId })
    expect(
      await ledger.release({ holdId: captured.id, accountId: ownAccount(keyId), keyId }),
    ).toMatchObject({
      outcome: 'conflict',
      hold: { state: 'captured' },
    })
    const released = await heldCall(ledger, order(keyId, 10n))
    const first = await ledger.release({ holdId: released.id, accountId: ownAccount(keyId), keyId })
    expect(
      await ledger.release({ holdId: released.id, accountId: ownAccount(keyId), keyId }),
    ).toEqual({
      ...first,
      repeated: true,
    })
    expect(
      await ledger.capture({ holdId: released.id, accountId: ownAccount(keyId), keyId }),
    ).toMatchObject({
      outcome: 'conflict',
      hold: { state: 'released' },
    })
    expect(await ledger.refund({ requestId: released.requestId })).toMatchObject({
      outcome: 'conflict',
      hold: { state: 'released' },
    })
  })

  test('refund gives what was captured back, once, with its note', async () => {
    const keyId = await fundedKey(sql, ledger, 1000n)
    const { id: holdId, requestId } = await heldCall(ledger, order(keyId, 300n))
    await ledger.capture({ holdId, accountId: ownAccount(keyId), keyId, amountAtomic: 120n })
    const first = await ledger.refund({ requestId, note: 'sorry' })
    expect(first).toMatchObject({
      outcome: 'done',
      repeated: false,
      availableAtomic: 1000n,
      hold: { state: 'refunded', capturedAtomic: 120n },
    })
    expect(await ledger.refund({ requestId, keyId })).toEqual({ ...first, repeated: true })
    expect(
      await ledger.capture({ holdId, accountId: ownAccount(keyId), keyId, amountAtomic: 120n }),
    ).toMatchObject({
      outcome: 'done',
      repeated: true,
    })
    const [row] = await ledger.rows({ requestId, kind: 'refund', limit: 1 })
    expect(row).toMatchObject({ amountAtomic: 120n, debit: 'revenue', note: 'sorry' })
    expect(await ledger.refund({ requestId: 'unknown' })).toEqual({ outcome: 'not_found' })
    expect((await ledger.refund({ requestId, keyId: 'key_other' })).outcome).toBe('not_found')
  })

  test('a request id of several charged calls needs the hold id', async () => {
    const keyId = await fundedKey(sql, ledger, 1000n)
    const requestId = newId()
    const holds = [
      await heldCall(ledger, order(keyId, 10n, { requestId })),
      await heldCall(ledger, order(keyId, 20n, { requestId })),
    ]
    for (const { id: holdId } of holds)
      await ledger.capture({ holdId, accountId: ownAccount(keyId), keyId })
    const ambiguous = await ledger.refund({ requestId })
    expect(ambiguous).toMatchObject({
      outcome: 'ambiguous',
      holds: [{ amountAtomic: 20n }, { amountAtomic: 10n }],
    })
    expect(await ledger.refund({ requestId, holdId: holds[0]!.id })).toMatchObject({
      outcome: 'done',
      hold: { id: holds[0]!.id },
      availableAtomic: 980n,
    })
  })

  test("captureIn belongs to the caller's transaction", async () => {
    const keyId = await fundedKey(sql, ledger, 1000n)
    const { id: holdId } = await heldCall(ledger, order(keyId, 300n))
    const rolledBack = sql.begin(async (tx) => {
      expect(
        (await ledger.captureIn(tx, { holdId, accountId: ownAccount(keyId), keyId })).outcome,
      ).toBe('done')
      throw new Error('the rest failed')
    })
    await expect(rolledBack).rejects.toThrow('the rest failed')
    expect(await ledger.hold(holdId)).toMatchObject({ state: 'authorized' })
    await sql.begin((tx) => ledger.captureIn(tx, { holdId, accountId: ownAccount(keyId), keyId }))
    expect(await ledger.hold(holdId, keyId)).toMatchObject({ state: 'captured' })
    expect(await ledger.hold(holdId, 'key_other')).toBeNull()
  })
})

describe('expiry', () => {
  test('expires due holds only, in batches, each once', async () => {
    const keyId = await fundedKey(sql, ledger, 1000n)
    await Promise.all(Array.from({ length: 25 }, () => heldCall(ledger, order(keyId, 10n))))
    await letTimePass(sql, 61_000)
    const kept = await heldCall(ledger, order(keyId, 10n))
    await ledger.expireDue(10_000)
    expect(await balanceOf(ledger, keyId)).toMatchObject({ availableAtomic: 990n, heldAtomic: 10n })
    expect(await ledger.expireDue()).toBe(0)
    expect(await ledger.hold(kept.id)).toMatchObject({ state: 'authorized' })
  })

  test('takes at most its limit at a time', async () => {
    const keyId = await fundedKey(sql, ledger, 1000n)
    await Promise.all(Array.from({ length: 7 }, () => heldCall(ledger, order(keyId, 10n))))
    await letTimePass(sql, 61_000)
    expect([
      await ledger.expireDue(3),
      await ledger.expireDue(100),
      await ledger.expireDue(1),
    ]).toEqual([3, 5, 0])
  })
})

describe('credit and settlement', () => {
  test('credits once per source and reference, also when sent concurrently', async () => {
    const keyId = await fundedKey(sql, ledger, 0n)
    const topup = {
      accountId: ownAccount(keyId),
      keyId,
      amountAtomic: 5_000_000n,
      source: 'topup:provider_a',
      reference: newId(),
      kind: 'topup' as const,
    }
    const results = await Promise.all(Array.from({ length: 20 }, () => ledger.credit(topup)))
    const fresh = results.filter((result) => result.outcome === 'credited' && !result.duplicate)
    expect(fresh).toHaveLength(1)
    expect(
      new Set(results.map((result) => result.outcome === 'credited' && result.ledgerId)).size,
    ).toBe(1)
    expect(await ledger.credit({ ...topup, source: 'topup:provider_b' })).toMatchObject({
      duplicate: false,
    })
    expect(await balanceOf(ledger, keyId)).toMatchObject({ availableAtomic: 10_000_000n })
  })

  test('refuses unknown keys, the other mode, and new money for a revoked key', async () => {
    const keyId = await fundedKey(sql, ledger, 0n)
    const credit = {
      accountId: ownAccount(keyId),
      keyId,
      amountAtomic: 5n,
      source: 'sandbox',
      kind: 'grant' as const,
    }
    expect(
      await ledger.credit({
        ...credit,
        accountId: ownAccount('key_none'),
        keyId: 'key_none',
        reference: newId(),
      }),
    ).toEqual({
      outcome: 'unknown_key',
    })
    expect(await ledger.credit({ ...credit, reference: newId(), mode: 'live' })).toEqual({
      outcome: 'mode_mismatch',
    })
    expect(await ledger.credit({ ...credit, reference: newId(), mode: 'test' })).toMatchObject({
      outcome: 'credited',
    })
    await revokeKey(sql, keyId)
    expect(await ledger.credit({ ...credit, reference: newId() })).toEqual({ outcome: 'revoked' })
    expect(
      await ledger.credit({ ...credit, reference: newId(), kind: 'adjustment' }),
    ).toMatchObject({ outcome: 'credited' })
  })

  test('takes no new money from the accounts of keys or from revenue', async () => {
    const keyId = await fundedKey(sql, ledger, 10n)
    for (const source of ['available', 'held', 'revenue', '']) {
      const topup = {
        accountId: ownAccount(keyId),
        keyId,
        amountAtomic: 5n,
        source,
        reference: newId(),
        kind: 'topup',
      } as const
      await expect(ledger.credit(topup)).rejects.toThrow('source')
    }
  })

  test("joins the caller's transaction", async () => {
    const keyId = await fundedKey(sql, ledger, 0n)
    const credit = {
      accountId: ownAccount(keyId),
      keyId,
      amountAtomic: 5n,
      source: 'sandbox',
      reference: newId(),
      kind: 'grant' as const,
    }
    await sql
      .begin(async (tx) => {
        await ledger.credit(credit, tx)
        throw new Error('undo')
      })
      .catch(() => {})
    expect(await ledger.credit(credit)).toMatchObject({ duplicate: false, availableAtomic: 5n })
  })

  test('records a settlement once and moves no balance', async () => {
    const keyId = await fundedKey(sql, ledger, 100n)
    const settlement = {
      accountId: ownAccount(keyId),
      keyId,
      requestId: newId(),
      rail: 'x402',
      network: 'eip155:8453',
      skillId: 'demo.echo',
      path: '/v1/paid/echo',
      amountAtomic: 10_000n,
      priceVersion: 1,
      acquisition: 'ad-1',
      transaction: '0xabc',
      reference: newId(),
    }
    const first = await recordSettlement(database.db, settlement)
    expect(first.duplicate).toBe(false)
    expect(await recordSettlement(database.db, settlement)).toEqual({ ...first, duplicate: true })
    expect(await balanceOf(ledger, keyId)).toMatchObject({ availableAtomic: 100n })
    expect(await ledger.rows({ requestId: settlement.requestId, limit: 5 })).toMatchObject([
      {
        kind: 'settlement',
        rail: 'x402',
        debit: 'x402:eip155:8453',
        credit: 'settlement',
        transaction: '0xabc',
        keyId,
      },
    ])
    await recordSettlement(database.db, {
      ...settlement,
      accountId: null,
      keyId: null,
      reference: newId(),
    })
  })
})

test('postings cannot be changed or deleted', async () => {
  await expect(sql`UPDATE entry SET amount = amount + 1`).rejects.toThrow('append-only')
  await expect(sql`DELETE FROM entry`).rejects.toThrow('append-only')
  await expect(sql`TRUNCATE entry`).rejects.toThrow('append-only')
})

/** When the day of the database's clock ends, which is that of this machine. */
function nextUtcDay(): Date {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1))
}
