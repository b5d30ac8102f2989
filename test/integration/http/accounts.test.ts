/** /v1/accounts, keys on accounts with budgets, and /v1/account, as operators and keys call them. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createKeyDirectory } from '../../../host/plugin-services/key-directory.ts'
import { refusalOfKey } from '../../../plugins/topup/order.ts'
import { routeHarness, type RouteHarness } from './credits-harness.ts'

let gateway: RouteHarness
beforeAll(async () => {
  gateway = await routeHarness()
})
afterAll(() => gateway.close())

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const NOWHERE = '0197f3c2-a1b0-7c44-a3e2-b1c0d9e8f702'

async function opened(body: object = {}): Promise<any> {
  return (await gateway.admin('POST', '/v1/accounts', { name: 'team', ...body })).json
}
async function keyOn(accountId: string, body: object = {}): Promise<any> {
  return (await gateway.admin('POST', '/v1/keys', { name: 'agent', accountId, ...body })).json
}
async function fund(accountId: string, credits: number): Promise<void> {
  await gateway.ledger.credit({
    accountId,
    amountAtomic: BigInt(credits) * 10_000n,
    source: 'adjustment',
    reference: `fund:${accountId}:${credits}`,
    kind: 'adjustment',
  })
}
const hold = (key: string, credits: number, skill = 'utils.hash') =>
  gateway.as(key, 'POST', '/v1/credits/authorize', {
    requestId: crypto.randomUUID(),
    skill,
    amountCredits: credits,
  })

describe('/v1/accounts', () => {
  it('opens, shows, changes, lists and closes an account', async () => {
    const made = await gateway.admin('POST', '/v1/accounts', {
      name: 'acme',
      lowBalanceCredits: 2.5,
    })
    expect(made.status).toBe(201)
    expect(made.headers.get('cache-control')).toBe('no-store')
    expect(made.json).toEqual({
      id: expect.stringMatching(UUID),
      name: 'acme',
      mode: 'test',
      createdAt: expect.stringMatching(ISO),
      closedAt: null,
      balance: { credits: 0, heldCredits: 0, usdcAtomic: 0 },
      lowBalanceCredits: 2.5,
      lowMarkCredits: 2.5,
      low: true,
    })
    const { id } = made.json
    expect((await gateway.admin('GET', `/v1/accounts/${id}`)).json).toEqual({
      ...made.json,
      keys: [],
    })
    const patch = (body: object) => gateway.admin('PATCH', `/v1/accounts/${id}`, body)
    const none = { ...made.json, lowBalanceCredits: null, lowMarkCredits: null, low: false }
    expect((await patch({ lowMarkCredits: null })).json).toEqual(none)
    expect((await patch({ lowBalanceCredits: 3 })).json.lowMarkCredits).toBe(3)
    expect((await patch({ name: 'acme' })).json.lowBalanceCredits).toBe(3)
    expect((await patch({ lowBalanceCredits: null })).json).toEqual(none)
    const newer = await opened()
    const page = await gateway.admin('GET', '/v1/accounts?limit=1')
    expect(page.json).toMatchObject({ accounts: [{ id: newer.id }], nextCursor: newer.id })
    const next = await gateway.admin('GET', `/v1/accounts?limit=1&cursor=${newer.id}`)
    expect(next.json.accounts).toMatchObject([{ id }])
    const found = async (find: string) => {
      const query = new URLSearchParams({ find })
      const { accounts } = (await gateway.admin('GET', `/v1/accounts?${query}`)).json
      return accounts.map((one: { id: string }) => one.id)
    }
    expect([await found('CM'), await found('%'), await found('a_me'), await found('\0')]).toEqual([
      [id],
      [],
      [],
      [],
    ])
    await gateway.database.db.sql`
      INSERT INTO coinop.account_owner (subject, account_id) VALUES ('email:buyer@one.example', ${newer.id})`
    expect(await found('buyer@one')).toEqual([newer.id])
    await patch({ lowMarkCredits: 3 })
    const low = (await gateway.admin('GET', '/v1/accounts?low=true')).json.accounts
    expect(low.map((one: { id: string }) => one.id)).toEqual([id])
    expect((await gateway.admin('GET', '/v1/accounts?low=yes')).status).toBe(400)
    const closed = await gateway.admin('POST', `/v1/accounts/${id}/close`, {})
    expect(closed.json).toMatchObject({ id, closedAt: expect.stringMatching(ISO) })
    expect((await gateway.admin('POST', `/v1/accounts/${id}/close`, {})).json).toEqual(closed.json)
  })

  it.each<[string, unknown, string]>([
    ['no name', {}, '/name'],
    ['a blank name', { name: ' ' }, '/name'],
    ['an unknown member', { name: 'x', balance: 5 }, '/balance'],
    ['an unknown mode', { name: 'x', mode: 'prod' }, '/mode'],
    ['a mark of nothing', { name: 'x', lowMarkCredits: 0 }, '/lowMarkCredits'],
    ['a mark with five decimals', { name: 'x', lowMarkCredits: 0.00001 }, '/lowMarkCredits'],
    ['a low balance of nothing', { name: 'x', lowBalanceCredits: 0 }, '/lowBalanceCredits'],
    ['five decimals', { name: 'x', lowBalanceCredits: 0.00001 }, '/lowBalanceCredits'],
    ['two marks', { name: 'x', lowBalanceCredits: 1, lowMarkCredits: 2 }, '/lowMarkCredits'],
  ])('refuses %s', async (_, body, path) => {
    const refused = await gateway.admin('POST', '/v1/accounts', body)
    expect(refused.status).toBe(400)
    expect(refused.json.error.details.issues).toMatchObject([{ path }])
  })

  it.each([
    ['GET', `/v1/accounts/${NOWHERE}`, undefined],
    ['GET', '/v1/accounts/no-uuid', undefined],
    ['GET', `/v1/accounts/${NOWHERE}/keys`, undefined],
    ['PATCH', `/v1/accounts/${NOWHERE}`, { name: 'x' }],
    ['POST', `/v1/accounts/${NOWHERE}/close`, {}],
    [
      'POST',
      `/v1/accounts/${NOWHERE}/transfer`,
      { toAccountId: NOWHERE, amountCredits: 1, reference: 'a' },
    ],
  ])('%s %s is 404', async (method, path, body) => {
    expect((await gateway.admin(method, path, body)).status).toBe(404)
  })

  it('is the operator’s alone', async () => {
    const { key } = await gateway.fundedKey(1)
    expect((await gateway.as(key, 'GET', '/v1/accounts')).status).toBe(401)
    expect((await gateway.as('', 'GET', '/v1/accounts')).status).toBe(401)
  })
})

describe('keys on an account', () => {
  it('share its balance, each with budgets of its own', async () => {
    const account = await opened()
    await fund(account.id, 10)
    const first = await keyOn(account.id, {
      budgets: { call: 4, day: 5.5, month: 8 },
      products: ['utils'],
      productBudgets: { utils: { day: 5 } },
    })
    const second = await keyOn(account.id)
    expect(first).toMatchObject({
      accountId: account.id,
      mode: 'test',
      dailySpendCeiling: 5.5,
      budgets: { call: 4, day: 5.5, month: 8 },
      products: ['utils'],
      productBudgets: {
        utils: { call: null, day: 5, month: null, spentTodayCredits: 0, spentMonthCredits: 0 },
      },
      balance: { credits: 10 },
      spentTodayCredits: 0,
      spentMonthCredits: 0,
    })
    expect((await hold(first.key, 3)).status).toBe(200)
    expect((await hold(second.key, 6)).status).toBe(200)
    const { json } = await gateway.admin('GET', `/v1/accounts/${account.id}`)
    expect(json.balance).toMatchObject({ credits: 1, heldCredits: 9 })
    expect(json.keys).toMatchObject([
      { id: second.id, spentTodayCredits: 6 },
      { id: first.id, spentTodayCredits: 3, spentMonthCredits: 3 },
    ])
    const keys = await gateway.admin('GET', `/v1/accounts/${account.id}/keys?limit=1`)
    expect(keys.json).toMatchObject({ keys: [{ id: second.id }], nextCursor: second.id })
    const listed = await gateway.admin('GET', `/v1/keys?accountId=${account.id}`)
    expect(listed.json.keys).toMatchObject([{ id: second.id }, { id: first.id }])
  })

  it('have an account of their own when none is named', async () => {
    const made = await gateway.admin('POST', '/v1/keys', { name: 'alone' })
    const { id, accountId } = made.json
    expect(accountId.replaceAll('-', '')).toBe(id.slice('key_'.length))
    expect((await gateway.admin('GET', `/v1/accounts/${accountId}`)).json).toMatchObject({
      name: 'alone',
      keys: [{ id }],
    })
  })

  it('need an account that is there, open and of their mode', async () => {
    const refusal = async (body: object) => {
      const { status, json } = await gateway.admin('POST', '/v1/keys', { name: 'x', ...body })
      return [status, json.error?.details.issues[0].path]
    }
    const account = await opened()
    expect(await refusal({ accountId: NOWHERE })).toEqual([400, '/accountId'])
    expect(await refusal({ accountId: 'x' })).toEqual([400, '/accountId'])
    expect(await refusal({ accountId: account.id, mode: 'live' })).toEqual([400, '/mode'])
    await gateway.admin('POST', `/v1/accounts/${account.id}/close`, {})
    expect(await refusal({ accountId: account.id })).toEqual([400, '/accountId'])
  })

  it.each<[string, object, string]>([
    ['a negative cap', { budgets: { day: -1 } }, '/budgets/day'],
    ['an unknown cap', { budgets: { year: 1 } }, '/budgets/year'],
    ['a cap of five decimals', { budgets: { call: 0.00001 } }, '/budgets/call'],
    ['two caps for the day', { budgets: { day: 1 }, dailySpendCeiling: 2 }, '/dailySpendCeiling'],
    ['a product id that is none', { products: ['*'] }, '/products/0'],
    ['a product twice', { products: ['utils', 'utils'] }, '/products'],
  ])('refuse %s', async (_, body, path) => {
    const refused = await gateway.admin('POST', '/v1/keys', { name: 'x', ...body })
    expect(refused.status).toBe(400)
    expect(refused.json.error.details.issues[0].path).toBe(path)
  })

  it('refuse a budget for what is no product id', async () => {
    const body = { name: 'x', productBudgets: { '*': { day: 1 } } }
    expect((await gateway.admin('POST', '/v1/keys', body)).status).toBe(400)
  })

  it('change one cap and leave the others', async () => {
    const made = await gateway.admin('POST', '/v1/keys', {
      name: 'x',
      budgets: { call: 1, day: 2 },
      productBudgets: { utils: { day: 1 }, docintel: { month: 3 } },
    })
    const patch = (body: object) => gateway.admin('PATCH', `/v1/keys/${made.json.id}`, body)
    expect((await patch({ budgets: { day: null, month: 9 } })).json).toMatchObject({
      budgets: { call: 1, day: null, month: 9 },
      dailySpendCeiling: null,
    })
    expect((await patch({ dailySpendCeiling: 7 })).json.budgets).toEqual({
      call: 1,
      day: 7,
      month: 9,
    })
    const products = await patch({ productBudgets: { utils: null, docintel: { day: 2 } } })
    expect(products.json.productBudgets).toMatchObject({ docintel: { day: 2, month: 3 } })
    expect(Object.keys(products.json.productBudgets)).toEqual(['docintel'])
    expect((await patch({ products: ['docintel'] })).json.products).toEqual(['docintel'])
    expect((await patch({ products: null })).json.products).toBeNull()
  })
})

describe('the budget of a key', () => {
  const made = async (budget: object) =>
    (await gateway.admin('POST', '/v1/keys', { name: 'x', budget })).json
  const spent = { day: 0, month: 0 }

  it('says limits, products and what is spent in one member, made and changed', async () => {
    const key = await made({ call: 1.5, day: 2, products: ['utils'] })
    const first = { call: 1.5, day: 2, month: null, products: ['utils'], spent }
    expect(key).toMatchObject({ budget: first, dailySpendCeiling: 2, products: ['utils'] })
    const patch = async (body: object) =>
      (await gateway.admin('PATCH', `/v1/keys/${key.id}`, body)).json.budget
    expect(await patch({ budget: { day: null, month: 9.0001 } })).toEqual({
      ...first,
      day: null,
      month: 9.0001,
    })
    const utils = { call: null, day: 1, month: null }
    const both = { utils, docintel: { call: null, day: null, month: null } }
    const budget = { products: { utils: { day: 1 }, docintel: {} } }
    expect((await patch({ budget })).products).toEqual(both)
    // A product that is named has exactly the limits that stand there.
    const month = { products: { utils: { month: 4 } } }
    expect((await patch({ budget: month })).products).toEqual({
      utils: { call: null, day: null, month: 4 },
    })
    expect((await patch({ budget: { products: ['docintel'] } })).products).toEqual(['docintel'])
    expect((await patch({ budget: { products: null } })).products).toBeNull()
    expect((await gateway.admin('GET', `/v1/keys/${key.id}`)).json).toMatchObject({
      budgets: { call: 1.5, day: null, month: 9.0001 },
      productBudgets: { utils: { month: 4 } },
      budget: { call: 1.5, day: null, month: 9.0001, products: null, spent },
    })
  })

  it('holds over calls, and shows what they spent', async () => {
    const { id, key } = await gateway.fundedKey(100)
    const budget = { day: 7, products: { utils: { day: 4 } } }
    await gateway.admin('PATCH', `/v1/keys/${id}`, { budget })
    expect((await hold(key, 3, 'utils.hash')).status).toBe(200)
    expect((await hold(key, 2, 'utils.hash')).json.error.details).toMatchObject({
      limit: 'budget_product',
      product: 'utils',
      leftCredits: 1,
    })
    expect((await hold(key, 1, 'docintel.parse')).status).toBe(403)
    const { json } = await gateway.as(key, 'GET', '/v1/account')
    expect(json.budget.spent).toEqual({ day: 3, month: 3 })
    expect(json.left).toEqual({ call: null, day: 4, month: null })
    // A cap that was lowered below what is spent leaves nothing.
    await gateway.admin('PATCH', `/v1/keys/${id}`, { budget: { day: 2, call: 5 } })
    expect((await gateway.as(key, 'GET', '/v1/account')).json.left).toEqual({
      call: 5,
      day: 0,
      month: null,
    })
  })

  it.each<[string, object, string]>([
    ['an unknown limit', { budget: { year: 1 } }, '/budget/year'],
    ['a negative limit', { budget: { day: -1 } }, '/budget/day'],
    ['five decimals', { budget: { call: 0.00001 } }, '/budget/call'],
    [
      'five decimals of a product',
      { budget: { products: { utils: { day: 0.00001 } } } },
      '/budget/products/utils/day',
    ],
    ['a product id that is none', { budget: { products: ['*'] } }, '/budget/products'],
    ['two days', { budget: { day: 1 }, dailySpendCeiling: 2 }, '/dailySpendCeiling'],
    ['the old member beside it', { budget: { day: 1 }, budgets: { day: 1 } }, '/budget'],
    ['products beside it', { budget: {}, products: [] }, '/budget'],
  ])('refuses %s', async (_, body, path) => {
    const refused = await gateway.admin('POST', '/v1/keys', { name: 'x', ...body })
    expect(refused.status).toBe(400)
    expect(refused.json.error.details.issues[0].path).toMatch(new RegExp(`^${path}`))
  })
})

describe('a call over a budget', () => {
  it('is 429 with the limit, what is left and when it ends', async () => {
    const { id, key } = await gateway.fundedKey(100)
    const refusal = async (budgets: object, credits: number) => {
      await gateway.admin('PATCH', `/v1/keys/${id}`, { budgets })
      const { status, headers, json } = await hold(key, credits)
      return { status, retryAfter: headers.get('retry-after'), error: json.error }
    }
    expect((await hold(key, 3)).status).toBe(200)
    const call = await refusal({ call: 2 }, 3)
    expect(call).toMatchObject({
      status: 429,
      retryAfter: null,
      error: {
        retryable: false,
        details: {
          reason: 'over_call_budget',
          limit: 'budget_call',
          leftCredits: 2,
          budget: { limit: 'key_call', product: null, capCredits: 2, leftCredits: 2, endsAt: null },
        },
      },
    })
    expect(call.error.details).not.toHaveProperty('resetsAt')
    expect(call.error.details).not.toHaveProperty('product')
    const day = await refusal({ call: null, day: 5 }, 3)
    expect(day).toMatchObject({
      status: 429,
      error: {
        retryable: true,
        details: {
          reason: 'over_budget',
          limit: 'budget_day',
          leftCredits: 2,
          resetsAt: expect.stringMatching(/T00:00:00\.000Z$/),
          ceilingCredits: 5,
          spentTodayCredits: 3,
          budget: {
            limit: 'key_day',
            product: null,
            capCredits: 5,
            spentCredits: 3,
            leftCredits: 2,
            endsAt: expect.stringMatching(/T00:00:00\.000Z$/),
          },
        },
      },
    })
    expect(Number(day.retryAfter)).toBeGreaterThan(0)
    expect(Number(day.retryAfter)).toBeLessThanOrEqual(86_400)
    const month = await refusal({ day: null, month: 4 }, 3)
    expect(month.error.details).toMatchObject({
      limit: 'budget_month',
      leftCredits: 1,
      resetsAt: expect.stringMatching(/-01T00:00:00\.000Z$/),
      budget: { limit: 'key_month', leftCredits: 1, endsAt: expect.stringMatching(/-01T00/) },
    })
    // What the whole day cannot hold will fit on no other day.
    const never = await refusal({ day: 2, month: null }, 3)
    expect(never).toMatchObject({
      retryAfter: null,
      error: { retryable: false, details: { reason: 'over_call_budget' } },
    })
    expect((await refusal({ day: null }, 3)).status).toBe(200)
  })

  it('counts a product beside the key', async () => {
    const { id, key } = await gateway.fundedKey(100)
    expect((await hold(key, 3, 'utils.hash')).status).toBe(200)
    await gateway.admin('PATCH', `/v1/keys/${id}`, { productBudgets: { utils: { day: 4 } } })
    const refused = await hold(key, 2, 'utils.hash')
    expect(refused.json.error.details).toMatchObject({
      limit: 'budget_product',
      product: 'utils',
      leftCredits: 1,
      resetsAt: expect.stringMatching(/T00:00:00\.000Z$/),
      budget: { limit: 'product_day', product: 'utils', spentCredits: 3, leftCredits: 1 },
    })
    expect((await hold(key, 2, 'docintel.parse')).status).toBe(200)
    expect((await hold(key, 1, 'utils.hash')).status).toBe(200)
  })
})

describe('a key that may buy some products only', () => {
  it('is 403 for any other', async () => {
    const { id, key } = await gateway.fundedKey(100)
    await gateway.admin('PATCH', `/v1/keys/${id}`, { products: ['docintel'] })
    const refused = await hold(key, 1, 'utils.hash')
    expect([refused.status, refused.json.error.details]).toEqual([
      403,
      { reason: 'product_not_allowed', product: 'utils', products: ['docintel'] },
    ])
    expect((await hold(key, 1, 'docintel.parse')).status).toBe(200)
  })
})

describe('GET /v1/account', () => {
  it('tells a key its balance and what is left of its budgets', async () => {
    const account = await opened({ lowMarkCredits: 20 })
    await fund(account.id, 10)
    const { key, id } = await keyOn(account.id, { budgets: { day: 5 } })
    await hold(key, 2)
    const { status, json } = await gateway.as(key, 'GET', '/v1/account')
    expect(status).toBe(200)
    expect(json).toEqual({
      accountId: account.id,
      mode: 'test',
      currency: 'USDC',
      balance: { credits: 8, heldCredits: 2, usdcAtomic: 80_000 },
      lowBalanceCredits: 20,
      lowMarkCredits: 20,
      low: true,
      budget: { call: null, day: 5, month: null, products: null, spent: { day: 2, month: 2 } },
      left: { call: null, day: 3, month: null },
      key: {
        id,
        name: 'agent',
        products: null,
        limits: [
          {
            limit: 'key_day',
            product: null,
            capCredits: 5,
            spentCredits: 2,
            leftCredits: 3,
            endsAt: expect.stringMatching(/T00:00:00\.000Z$/),
          },
        ],
        spentTodayCredits: 2,
        spentMonthCredits: 2,
        expiresAt: null,
        networks: null,
        skills: null,
        metadata: {},
      },
    })
    expect((await gateway.as('', 'GET', '/v1/account')).status).toBe(401)
  })
})

describe('a grant', () => {
  const grant = (body: object) => gateway.admin('POST', '/v1/credits/grant', body)

  it('gives credits once per reference, with the reason in the ledger row', async () => {
    const account = await opened()
    const { id } = await keyOn(account.id)
    const order = { apiKeyId: id, amountCredits: 4, note: 'sorry for Monday', reference: 'g-1' }
    const given = await grant(order)
    expect(given.status).toBe(200)
    expect(given.json).toMatchObject({
      accountId: account.id,
      amountCredits: 4,
      amountUsdcAtomic: 40_000,
      availableCredits: 4,
      duplicate: false,
    })
    expect((await grant(order)).json).toEqual({ ...given.json, duplicate: true })
    const toAccount = {
      accountId: account.id,
      amountUsdcAtomic: 5_000,
      note: 'x',
      reference: 'g-2',
    }
    expect((await grant(toAccount)).json).toMatchObject({ availableCredits: 4.5 })
    const rows = await gateway.admin('GET', `/v1/ledger?accountId=${account.id}`)
    expect(rows.json.rows).toMatchObject([
      { kind: 'adjustment', amountCredits: 0.5, apiKeyId: null, note: 'x' },
      { kind: 'adjustment', amountCredits: 4, apiKeyId: id, note: 'sorry for Monday' },
    ])
    for (const other of [{ amountCredits: 5 }, { apiKeyId: (await keyOn(account.id)).id }]) {
      const refused = await grant({ ...order, ...other })
      expect([refused.status, refused.json.error.details.issues[0].path]).toEqual([
        409,
        '/reference',
      ])
    }
  })

  it('needs a reason and one receiver that is there', async () => {
    const account = await opened()
    const { id } = await keyOn(account.id)
    const order = { apiKeyId: id, amountCredits: 4, note: 'why', reference: 'g-3' }
    const statusOf = async (body: object) => (await grant(body)).status
    expect(await statusOf({ ...order, note: undefined })).toBe(400)
    expect(await statusOf({ ...order, note: '  ' })).toBe(400)
    expect(await statusOf({ ...order, reference: undefined })).toBe(400)
    expect(await statusOf({ ...order, amountCredits: 0 })).toBe(400)
    expect(await statusOf({ ...order, accountId: account.id })).toBe(400)
    expect(await statusOf({ ...order, apiKeyId: undefined })).toBe(400)
    expect(await statusOf({ ...order, apiKeyId: 'key_unknown' })).toBe(404)
    expect(await statusOf({ ...order, apiKeyId: undefined, accountId: NOWHERE })).toBe(404)
    expect((await gateway.admin('GET', `/v1/accounts/${account.id}`)).json.balance.credits).toBe(0)
  })
})

describe('a transfer', () => {
  const move = (from: string, body: object) =>
    gateway.admin('POST', `/v1/accounts/${from}/transfer`, body)

  it('moves credits once per reference', async () => {
    const [from, to] = [await opened(), await opened()]
    await fund(from.id, 10)
    const order = { toAccountId: to.id, amountCredits: 4, reference: 'r-1', note: 'why' }
    const moved = await move(from.id, order)
    expect(moved.status).toBe(200)
    expect(moved.json).toMatchObject({
      fromAccountId: from.id,
      toAccountId: to.id,
      amountCredits: 4,
      amountUsdcAtomic: 40_000,
      reference: 'r-1',
      duplicate: false,
    })
    expect((await move(from.id, order)).json).toMatchObject({ duplicate: true })
    const balanceOf = async (id: string) =>
      (await gateway.admin('GET', `/v1/accounts/${id}`)).json.balance.credits
    expect([await balanceOf(from.id), await balanceOf(to.id)]).toEqual([6, 4])
    const rows = await gateway.admin('GET', `/v1/ledger?accountId=${from.id}`)
    expect(rows.json.rows).toMatchObject([
      { accountId: from.id, debit: `${from.id}:available`, amountCredits: 4 },
      { accountId: from.id, credit: `${from.id}:available`, amountCredits: 10 },
    ])
    const tooMuch = await move(from.id, { ...order, amountCredits: 7, reference: 'r-2' })
    expect(tooMuch.status).toBe(402)
    expect(tooMuch.json.error).toMatchObject({
      code: 'PAYMENT_REQUIRED',
      details: { balanceCredits: 6 },
    })
    expect([await balanceOf(from.id), await balanceOf(to.id)]).toEqual([6, 4])
  })

  it('stays within one mode and two accounts that are there', async () => {
    const [from, live] = [await opened(), await opened({ mode: 'live' })]
    await fund(from.id, 10)
    for (const toAccountId of [live.id, from.id, NOWHERE, 'x']) {
      const refused = await move(from.id, { toAccountId, amountCredits: 1, reference: 'r-3' })
      expect([refused.status, refused.json.error.details.issues[0].path]).toEqual([
        400,
        '/toAccountId',
      ])
    }
  })
})

describe('a closed account', () => {
  it('buys nothing more, and calls under way end', async () => {
    const account = await opened()
    await fund(account.id, 10)
    const { key } = await keyOn(account.id)
    const held = await hold(key, 2)
    const closed = await gateway.admin('POST', `/v1/accounts/${account.id}/close`, {})
    expect(closed.status).toBe(200)
    const released = await gateway.as(key, 'POST', '/v1/credits/release', {
      authorizationId: held.json.authorizationId,
    })
    expect(released.status).toBe(200)
    const refused = await hold(key, 1)
    expect([refused.status, refused.json.error.details.reason]).toEqual([403, 'account_closed'])
    expect((await gateway.as(key, 'GET', '/v1/account')).json.balance.credits).toBe(10)
  })

  it('is sold no credits, whose payment it would keep', async () => {
    const account = await opened()
    const { id } = await keyOn(account.id)
    const directory = createKeyDirectory(gateway.database.db.sql, gateway.instance.keys)
    expect(await refusalOfKey(directory, id, true)).toBeNull()
    await gateway.admin('POST', `/v1/accounts/${account.id}/close`, {})
    expect(await refusalOfKey(directory, id, true)).toMatchObject({
      details: { issues: [{ path: '/apiKeyId', message: 'is revoked' }] },
    })
  })

  it("a key that expires is sold credits until then, by the database's clock", async () => {
    const account = await opened()
    const { id } = await keyOn(account.id)
    const { sql } = gateway.database.db
    const directory = createKeyDirectory(sql, gateway.instance.keys)
    const endsIn = (hours: number) =>
      sql`UPDATE coinop.api_key SET expires_at = now() + ${hours}::int * interval '1 hour' WHERE id = ${id}`
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 3_600_000 })
    try {
      await endsIn(1)
      expect((await directory.find(id))!.revokedAt).toBeNull()
      await endsIn(-1)
      expect((await directory.find(id))!.revokedAt).not.toBeNull()
    } finally {
      vi.useRealTimers()
    }
  })
})
