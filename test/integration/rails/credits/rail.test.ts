import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { GatewayError } from '../../../../kernel/errors.ts'
import { newId } from '../../../../kernel/ids.ts'
import type { Ledger } from '../../../../kernel/ledger/contract.ts'
import { createLedger } from '../../../../kernel/ledger/ledger.ts'
import { ledgerUnavailable } from '../../../../kernel/work/retry.ts'
import type { Authorization, Quote, RailCall } from '../../../../kernel/rails/contract.ts'
import { creditsRail, type CreditsRail } from '../../../../kernel/rails/credits/rail.ts'
import { AccountPages } from '../../../../kernel/rails/credits/account-pages.ts'
import { secondsUntil } from '../../../../kernel/rails/credits/budget-refusals.ts'
import type { SqlClient } from '../../../../kernel/storage/contract.ts'
import { testDatabase, type TestDatabase } from '../../../support/database.ts'
import { PATIENT } from '../../../support/patience.ts'
import { expectBalancedBooks, fundedKey, letTimePass } from '../../ledger/books.ts'
import { ownAccount, revokeKey, setCeiling } from '../../../support/accounts.ts'

let database: TestDatabase
let sql: SqlClient
let ledger: Ledger
let rail: CreditsRail

beforeAll(async () => {
  database = await testDatabase()
  sql = database.db.sql
  ledger = createLedger(database.db)
  rail = creditsRail({ ledger, holdTtlMs: 900_000 })
})
afterAll(async () => {
  await expectBalancedBooks(sql)
  await database.close()
})

const source = { header: () => null }
const quote: Quote = {
  skillId: 'demo.echo',
  productId: 'demo',
  title: 'Echo',
  description: 'Echoes',
  method: 'POST',
  path: '/v1/paid/echo',
  resourceUrl: 'http://localhost/v1/paid/echo',
  transport: 'http',
  amountAtomic: 10_000n,
  priceVersion: 4,
  timeoutMs: 30_000,
}

function callOf(keyId: string, holdId = newId()): RailCall {
  return {
    requestId: newId(),
    quote,
    identity: {
      accountId: ownAccount(keyId),
      keyId,
      name: 'test',
      mode: 'test',
      rpmLimit: null,
      burstLimit: null,
      via: 'key',
    },
    place: { transport: 'http', method: quote.method, target: quote.path },
    fingerprint: 'f',
    acquisition: 'ad-1',
    deadline: new Date(Date.now() + quote.timeoutMs),
    holdId,
  }
}

async function authorized(call: RailCall, by = rail): Promise<Authorization> {
  const result = await by.authorize(call, source)
  if (result.outcome !== 'authorized') throw new Error(result.outcome)
  return result.authorization
}

describe('credits rail', () => {
  test('is presented by an identity and offers the way to prepaid, made once per quote', () => {
    expect(rail.presented(source, null, quote)).toBe(false)
    expect(rail.presented(source, callOf('key_x').identity, quote)).toBe(true)
    expect(rail.offer(quote)).toBe(rail.offer(quote))
    expect(rail.offer(quote)?.body).toMatchObject({
      prepaid: { priceCredits: 1, header: 'X-Api-Key', balance: '/v1/credits/balance' },
    })
    // Only the operator sells credits: no route of the operator is offered.
    expect(rail.offer(quote)?.body).not.toHaveProperty('prepaid.topup')
    expect(rail.offer(quote)?.body).not.toHaveProperty('prepaid.sandbox')
  })

  test('leads people to the account pages of a plugin while there are some', async () => {
    const pages = new AccountPages('https://shop.example')
    const led = creditsRail({ ledger, holdTtlMs: 60_000, pages })
    expect(led.offer(quote)?.body).not.toHaveProperty('prepaid.buyUrl')
    pages.set({ path: '/account', buyPath: '/account/buy', budgetsPath: '/account/apps' })
    expect(led.offer(quote)).toBe(led.offer(quote))
    expect(led.offer(quote)).toMatchObject({
      advice: expect.stringContaining('https://shop.example/account/buy'),
      body: {
        prepaid: {
          accountUrl: 'https://shop.example/account',
          buyUrl: 'https://shop.example/account/buy',
        },
      },
    })
    const poor = await fundedKey(sql, ledger, 1n)
    expect(await led.authorize(callOf(poor), source)).toMatchObject({
      failure: {
        message: expect.stringContaining('top up at https://shop.example/account/buy'),
        details: { accountUrl: 'https://shop.example/account/buy' },
      },
    })
    const limited = await fundedKey(sql, ledger, 90_000n)
    await setCeiling(sql, limited, 5n)
    expect(await led.authorize(callOf(limited), source)).toMatchObject({
      failure: {
        code: 'RATE_LIMITED',
        message: expect.stringContaining('https://shop.example/account/apps'),
        details: { accountUrl: 'https://shop.example/account/apps' },
      },
    })
    pages.set(null)
    expect(led.offer(quote)?.body).not.toHaveProperty('prepaid.buyUrl')
  })

  test('authorize → capture gives a receipt with ledger id and balance', async () => {
    const keyId = await fundedKey(sql, ledger, 50_000n)
    const call = callOf(keyId)
    const authorization = await authorized(call)
    expect(await rail.stateOf(call.holdId)).toBe('open')
    const captured = await rail.capture(authorization, 10_000n, null)
    expect(captured).toEqual({
      outcome: 'captured',
      receipt: {
        rail: 'credits',
        chargedAtomic: 10_000n,
        balanceAtomic: 40_000n,
        ledgerId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        headers: {},
      },
    })
    expect(await rail.stateOf(call.holdId)).toBe('captured')
    expect(await rail.capture(authorization, 10_000n, null)).toEqual(captured)
    expect(await rail.balanceAtomic?.(keyId, ownAccount(keyId))).toBe(40_000n)
    const hold = await ledger.hold(call.holdId)
    expect(hold).toMatchObject({ priceVersion: 4, acquisition: 'ad-1', path: '/v1/paid/echo' })
  })

  test('release gives everything back, and is quiet about holds that have ended', async () => {
    const keyId = await fundedKey(sql, ledger, 50_000n)
    const call = callOf(keyId)
    const authorization = await authorized(call)
    await rail.release(authorization, 'TIMEOUT')
    await rail.release(authorization, 'TIMEOUT')
    expect(await rail.stateOf(call.holdId)).toBe('none')
    expect(await rail.balanceAtomic?.(keyId, ownAccount(keyId))).toBe(50_000n)
    expect(await rail.stateOf(newId())).toBe('none')
  })

  test('a hold outlives the deadline of its call, by a minute or by HOLD_TTL', async () => {
    const keyId = await fundedKey(sql, ledger, 50_000n)
    const short = creditsRail({ ledger, holdTtlMs: 2_000 })
    for (const [by, marginMs] of [
      [rail, 60_000],
      [short, 2_000],
    ] as const) {
      const call = callOf(keyId)
      await authorized(call, by)
      const hold = (await ledger.hold(call.holdId))!
      const lifeMs = hold.expiresAt.getTime() - hold.createdAt.getTime()
      expect(lifeMs).toBe(quote.timeoutMs + marginMs)
    }
  })

  test('too little balance: 402 with balance and price, and an offer', async () => {
    const keyId = await fundedKey(sql, ledger, 5_000n)
    expect(await rail.authorize(callOf(keyId), source)).toMatchObject({
      outcome: 'refused',
      offer: true,
      failure: {
        code: 'PAYMENT_REQUIRED',
        details: { balanceCredits: 0.5, priceCredits: 1 },
      },
    })
  })

  test('ceiling: 429 with the limit and Retry-After to midnight UTC', async () => {
    const keyId = await fundedKey(sql, ledger, 50_000n, 15_000n)
    await authorized(callOf(keyId))
    const refused = await rail.authorize(callOf(keyId), source)
    expect(refused).toMatchObject({
      outcome: 'refused',
      offer: false,
      failure: {
        code: 'RATE_LIMITED',
        details: { limit: 'budget_day', ceilingCredits: 1.5, spentTodayCredits: 1 },
        headers: { 'retry-after': expect.stringMatching(/^\d{1,5}$/) },
      },
    })
    const midnight = new Date('2026-02-01T00:00:00.000Z')
    expect(secondsUntil(midnight, new Date('2026-01-31T23:59:30.500Z'))).toBe(30)
    expect(secondsUntil(midnight, midnight)).toBe(1)
  })

  test('revoked and unknown keys: 401 invalid_key', async () => {
    const keyId = await fundedKey(sql, ledger, 50_000n)
    await revokeKey(sql, keyId)
    for (const id of [keyId, 'key_unknown']) {
      expect(await rail.authorize(callOf(id), source)).toMatchObject({
        outcome: 'refused',
        failure: {
          code: 'INVALID_INPUT',
          status: 401,
          details: { reason: 'invalid_key' },
          headers: { 'www-authenticate': expect.stringContaining('Bearer') },
        },
      })
    }
  })

  test('work that outlasted its hold is not charged', async () => {
    const keyId = await fundedKey(sql, ledger, 50_000n)
    const call = callOf(keyId)
    const authorization = await authorized(call)
    await letTimePass(sql, 91_000)
    expect(await rail.capture(authorization, 10_000n, null)).toMatchObject({
      outcome: 'failed',
      offer: false,
      failure: { code: 'TIMEOUT', details: { reason: 'hold_ended', state: 'expired' } },
    })
    expect(await rail.balanceAtomic?.(keyId, ownAccount(keyId))).toBe(50_000n)
  })
})

/** The real ledger, whose answers to `capture` get lost after (or before) it took effect. */
function losing(when: 'before' | 'after', lost: { capture: boolean }): Ledger {
  return {
    ...ledger,
    async capture(order) {
      if (!lost.capture) return ledger.capture(order)
      if (when === 'after') await ledger.capture(order)
      throw ledgerUnavailable(new Error('connection lost'))
    },
  }
}

describe('a database that is away', () => {
  test('authorize answers 503, retryable', async () => {
    const away = creditsRail({
      ledger: {
        ...ledger,
        authorize: () => Promise.reject(ledgerUnavailable(new Error('connection lost'))),
      },
      holdTtlMs: 1000,
    })
    expect(await away.authorize(callOf('key_x'), source)).toMatchObject({
      outcome: 'refused',
      offer: false,
      failure: { code: 'INTERNAL_ERROR', status: 503, retryable: true },
    })
  })

  test.each(['before', 'after'] as const)(
    'a capture lost %s it took effect withholds the answer and leaves no charge',
    async (when) => {
      const keyId = await fundedKey(sql, ledger, 50_000n)
      const flaky = creditsRail({ ledger: losing(when, { capture: true }), holdTtlMs: 60_000 })
      const call = callOf(keyId)
      const authorization = await authorized(call, flaky)
      const captured = await flaky.capture(authorization, 10_000n, null)
      expect(captured).toMatchObject({
        outcome: 'failed',
        failure: { code: 'INTERNAL_ERROR', status: 503, retryable: true },
      })
      const givenBack = captured.outcome === 'failed' && captured.giveBack!(async () => true)
      expect(await flaky.stateOf(call.holdId)).toBe('open')
      expect(await flaky.drain(PATIENT.timeout)).toBe(true)
      expect(await givenBack).toBe(true)
      expect(await flaky.stateOf(call.holdId)).toBe('none')
      expect((await ledger.hold(call.holdId))?.state).toBe(
        when === 'after' ? 'refunded' : 'released',
      )
      expect(await flaky.balanceAtomic?.(keyId, ownAccount(keyId))).toBe(50_000n)
    },
  )

  test('what was held for failed work is released once it is back, not only when it expires', async () => {
    const key = await fundedKey(sql, ledger, 10_000n)
    let tries = 0
    const flaky = creditsRail({
      ledger: {
        ...ledger,
        release: (order) =>
          ++tries === 1
            ? Promise.reject(ledgerUnavailable(new Error('connection lost')))
            : ledger.release(order),
      },
      holdTtlMs: 900_000,
    })
    await flaky.release(await authorized(callOf(key), flaky), 'the work failed')
    const held = async () => (await ledger.balance(ownAccount(key)))!.heldAtomic
    await vi.waitUntil(async () => (await held()) === 0n, PATIENT)
  })

  test('a charge that is to stand is not given back, and what a dead gateway began is', async () => {
    const keyId = await fundedKey(sql, ledger, 50_000n)
    const flaky = creditsRail({ ledger: losing('after', { capture: true }), holdTtlMs: 60_000 })
    const call = callOf(keyId)
    const captured = await flaky.capture(await authorized(call, flaky), 10_000n, null)
    expect(captured.outcome === 'failed' && (await captured.giveBack!(async () => false))).toBe(
      false,
    )
    expect(await flaky.stateOf(call.holdId)).toBe('captured')
    const other = creditsRail({ ledger, holdTtlMs: 60_000 })
    await other.giveBack!(call.holdId)
    await other.giveBack!(call.holdId)
    expect(await other.stateOf(call.holdId)).toBe('none')
    expect(await other.balanceAtomic?.(keyId, ownAccount(keyId))).toBe(50_000n)
  })

  test('an error that is no outage is not swallowed', async () => {
    const broken = creditsRail({
      ledger: { ...ledger, authorize: () => Promise.reject(new TypeError('a bug')) },
      holdTtlMs: 1000,
    })
    await expect(broken.authorize(callOf('key_x'), source)).rejects.toThrow('a bug')
    expect(ledgerUnavailable(null)).toBeInstanceOf(GatewayError)
  })
})
