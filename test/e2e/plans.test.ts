/** A plan on the real gateway: bought from the balance and by a payment, its prices over HTTP and MCP. */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { GatewayProcess } from '../support/gateway.ts'
import { withoutChain } from '../support/x402/chain.ts'
import { payingFetch, payOnce, post, x402Gateways } from '../support/x402/gateways.ts'
import { x402Ground } from '../support/x402/ground.ts'

const PLANS = `
product_id: plans
base_path: /v1/plans
plugin: plans
metered: false
config:
  plans:
    starter:
      title: Starter
      price: { credits: 50 }
      monthly_credits: 60
      limits: { rpm: 77, burst: 33 }
      free: { demo.echo: 1/day }
      prices: { demo.hash: { credits: 0.5 } }
    partner: { monthly_credits: 10, prices: { demo.hash: { credits: 0 } } }
`
const without = withoutChain('plans bought with x402')

describe.skipIf(without)('a plan', () => {
  const ground = x402Ground({ buyerAtomic: 1_000_000_000n })
  const products = mkdtempSync(join(tmpdir(), 'coinop-products-'))
  const gateways = x402Gateways(ground, () => ({ PRODUCTS_DIR: products }))
  let gateway: GatewayProcess

  beforeAll(async () => {
    const shipped = resolve(import.meta.dirname, '../../products')
    for (const name of ['console', 'demo', 'mcp', 'topup', 'x402']) {
      cpSync(join(shipped, `${name}.yaml`), join(products, `${name}.yaml`))
    }
    writeFileSync(join(products, 'plans.yaml'), PLANS)
    gateway = await gateways.start(gateways.ownSigner())
  })
  afterAll(() => rmSync(products, { recursive: true, force: true }))

  const as = (key: string) => ({
    call: (method: string, path: string, body?: object) =>
      gateway.call(method, path, { headers: { 'x-api-key': key }, ...(body && { body }) }),
  })
  const hash = { input: 'hi' }

  it('is shown, and begins from the balance; its prices hold over HTTP and MCP', async () => {
    const { json } = await gateway.call('GET', '/v1/plans')
    expect(json.plans).toMatchObject([
      { plan: 'starter', credits: 50, monthlyCredits: 60, rollover: false },
      { plan: 'partner', credits: null },
    ])
    const key = await gateway.key(50)
    const holder = as(key.key)
    const before = await holder.call('POST', '/v1/paid/hash', hash)
    expect(before.headers.get('x-charged-credits')).toBe('2')
    const short = await holder.call('POST', '/v1/plans/subscription', { plan: 'starter' })
    expect([short.status, short.problem.details.reason]).toEqual([402, 'plan_unpaid'])
    await gateway.admin('POST', '/v1/sandbox/topup', { apiKeyId: key.id, amount: 2 })
    const begun = await holder.call('POST', '/v1/plans/subscription', { plan: 'starter' })
    expect([begun.status, begun.json.state, begun.json.plan]).toEqual([201, 'active', 'starter'])

    const own = await holder.call('POST', '/v1/paid/hash', hash)
    expect(own.headers.get('x-charged-credits')).toBe('0.5')
    expect(before.headers.get('ratelimit-policy')).not.toBe(own.headers.get('ratelimit-policy'))
    expect(own.headers.get('ratelimit-policy')).toContain('33')
    expect(own.headers.get('x-balance-credits')).toBe('59.5')
    const charges: (string | null)[] = []
    for (const message of ['a', 'b']) {
      const echo = await holder.call('POST', '/v1/paid/echo', { message })
      charges.push(echo.headers.get('x-charged-credits'))
    }
    expect(charges).toEqual(['0', '1'])
    const tool = await gateway.call('POST', '/mcp', {
      headers: { 'x-api-key': key.key, accept: 'application/json, text/event-stream' },
      body: {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'demo.hash', arguments: hash },
      },
    })
    expect(tool.text).toContain('"chargedCredits":0.5')
    const { json: quote } = await holder.call('POST', '/v1/quote', { skill: 'demo.hash' })
    expect(quote).toMatchObject({
      ownPrice: true,
      rule: { text: '0.5 credits' },
      rails: expect.arrayContaining([
        expect.objectContaining({
          rail: 'credits',
          most: expect.objectContaining({ credits: 0.5 }),
        }),
        expect.objectContaining({ rail: 'x402', most: expect.objectContaining({ credits: 2 }) }),
      ]),
    })
    const again = await holder.call('POST', '/v1/plans/subscription', { plan: 'starter' })
    expect([again.status, again.problem.details.reason]).toEqual([409, 'plan_exists'])
  })

  it('leaves the price of other rails, also in the 402 of an empty balance', async () => {
    const key = await gateway.key(0)
    const given = { apiKeyId: key.id, plan: 'starter' }
    const begun = await gateway.admin('POST', '/v1/admin/plans/subscriptions', given)
    expect([begun.status, begun.json.given]).toEqual([201, true])
    // The whole balance goes into a hold.
    await as(key.key).call('POST', '/v1/credits/authorize', {
      requestId: 'all',
      skill: 'demo.echo',
      amountCredits: 60,
    })
    const { status, json } = await as(key.key).call('POST', '/v1/paid/hash', hash)
    expect(status).toBe(402)
    expect(json.prepaid).toMatchObject({ priceCredits: 0.5 })
    expect(json.accepts[0].maxAmountRequired).toBe('20000')
  })

  it('is bought with one payment, once however often that is sent', async () => {
    const key = await gateway.key(3)
    const pay = payingFetch(ground.buyer)
    const order = { plan: 'starter', apiKeyId: key.id }
    const headers = { 'x-api-key': key.key }
    const answer = await pay(`${gateway.url}/v1/plans/x402`, post(order, headers))
    expect(answer.status).toBe(200)
    const bought = (await answer.json()) as { subscriptionId: string; plan: string }
    expect(bought).toMatchObject({ plan: 'starter', subscriptionId: expect.any(String) })
    const { json } = await as(key.key).call('GET', '/v1/plans/subscription')
    expect(json.subscription).toMatchObject({ id: bought.subscriptionId, state: 'active' })
    const { json: balance } = await as(key.key).call('GET', '/v1/credits/balance')
    expect(balance.credits).toBe(63)
    const second = await gateway.call('POST', '/v1/plans/x402', { body: order, headers })
    expect(second.status).toBe(409)
  })

  it('is not paid a second time by whoever signs another payment for it', async () => {
    const key = await gateway.key(0)
    const order = { plan: 'starter', apiKeyId: key.id }
    const headers = { 'x-api-key': key.key }
    const path = '/v1/plans/x402'
    const [payment, late, again] = await Promise.all(
      [1, 2, 3].map(() => gateways.signed(gateway, path, { body: order, headers })),
    )
    const named = { ...headers, 'idempotency-key': crypto.randomUUID() }
    const bought = await payOnce(gateway, payment!, { path, body: order, headers: named })
    expect(bought.status).toBe(200)
    const before = await ground.received()
    const refused = await payOnce(gateway, late!, { path, body: order, headers })
    expect([refused.status, refused.problem.details.reason]).toEqual([409, 'plan_exists'])
    // Nor under an Idempotency-Key that nothing was bought under.
    const unknown = { ...headers, 'idempotency-key': crypto.randomUUID() }
    const fresh = await payOnce(gateway, late!, { path, body: order, headers: unknown })
    expect([fresh.status, fresh.problem.details.reason]).toEqual([409, 'plan_exists'])
    for (const sent of [payment!, again!]) {
      const retry = await payOnce(gateway, sent, { path, body: order, headers: named })
      expect([retry.status, retry.json]).toEqual([200, bought.json])
    }
    const same = await payOnce(gateway, payment!, { path, body: order, headers })
    expect([same.status, same.json]).toEqual([200, bought.json])
    expect(await ground.received()).toBe(before)
  })

  it('is sold to nobody but whoever shows a key of the account that may buy plans', async () => {
    const [key, other] = [await gateway.key(0), await gateway.key(0)]
    const { json: account } = await gateway.admin('GET', `/v1/keys/${key.id}`)
    const ofAccount = { name: 'limited', accountId: account.accountId }
    const restricted = await gateway.admin('POST', '/v1/keys', { ...ofAccount, products: ['demo'] })
    const order = { plan: 'starter', apiKeyId: key.id }
    const payment = await gateways.signed(gateway, '/v1/plans/x402', {
      body: order,
      headers: { 'x-api-key': key.key },
    })
    const before = await ground.received()
    const refused: unknown[] = []
    for (const shown of [null, 'ck_test_nonsense', other.key, restricted.json.key]) {
      for (const paid of [null, payment]) {
        const headers: Record<string, string> = {
          ...(paid !== null && { 'payment-signature': paid }),
          ...(shown !== null && { 'x-api-key': shown }),
        }
        const answer = await gateway.call('POST', '/v1/plans/x402', { body: order, headers })
        refused.push(answer.status)
      }
    }
    expect(refused).toEqual([401, 401, 401, 401, 404, 404, 403, 403])
    expect(await ground.received()).toBe(before)
    const { json } = await as(key.key).call('GET', '/v1/plans/subscription')
    expect(json.subscription).toBeNull()
  })

  it('is renewed only where the budgets of the key that was shown cover its months', async () => {
    const key = await gateway.key(0)
    const { json: account } = await gateway.admin('GET', `/v1/keys/${key.id}`)
    const limited = { name: 'limited', accountId: account.accountId, budgets: { month: 49 } }
    const { json: small } = await gateway.admin('POST', '/v1/keys', limited)
    const ends: unknown[] = []
    for (const shown of [small.key, key.key]) {
      const { id: apiKeyId } = await gateway.key(0, { accountId: account.accountId } as never)
      const init = post({ plan: 'starter', apiKeyId }, { 'x-api-key': shown })
      const pay = payingFetch(ground.buyer)
      const answer = await pay(`${gateway.url}/v1/plans/x402`, init)
      const { renews } = (await answer.json()) as { renews: boolean }
      const { json } = await as(key.key).call('GET', '/v1/plans/subscription')
      ends.push([answer.status, renews, json.subscription.endsAtPeriodEnd])
      await ground.database.db.sql`
        UPDATE plugin_plans.subscription SET state = 'ended', ended_at = now() WHERE id = ${json.subscription.id}`
    }
    expect(ends).toEqual([
      [200, false, true],
      [200, true, false],
    ])
  })

  it('tells a payer whose key was revoked since what became of the payment', async () => {
    const key = await gateway.key(0)
    const order = { plan: 'starter', apiKeyId: key.id }
    const headers = { 'x-api-key': key.key }
    const path = '/v1/plans/x402'
    const payment = await gateways.signed(gateway, path, { body: order, headers })
    const late = await gateways.signed(gateway, path, { body: order, headers })
    const bought = await payOnce(gateway, payment, { path, body: order, headers })
    expect(bought.status).toBe(200)
    await gateway.admin('POST', `/v1/keys/${key.id}/revoke`)
    const before = await ground.received()
    const again = await payOnce(gateway, payment, { path, body: order, headers })
    expect([again.status, again.json]).toEqual([200, bought.json])
    // Another one is taken from nobody.
    expect((await payOnce(gateway, late, { path, body: order, headers })).status).toBe(401)
    expect(await ground.received()).toBe(before)
  })

  it('is ended by no key that is for other products', async () => {
    const { id, key } = await gateway.key(100)
    const { json: account } = await gateway.admin('GET', `/v1/keys/${id}`)
    const limited = { name: 'limited', accountId: account.accountId, products: ['demo'] }
    const { json: restricted } = await gateway.admin('POST', '/v1/keys', limited)
    await as(key).call('POST', '/v1/plans/subscription', { plan: 'starter' })
    const refused = await as(restricted.key).call('DELETE', '/v1/plans/subscription')
    expect([refused.status, refused.problem.details.reason]).toEqual([403, 'plan_not_allowed'])
    const { json } = await as(key).call('GET', '/v1/plans/subscription')
    expect(json.subscription.endsAtPeriodEnd).toBe(false)
  })

  it('is sold to nobody whose account could not have the credits', async () => {
    const shown = await gateway.key(0)
    const { json } = await gateway.admin('GET', `/v1/keys/${shown.id}`)
    const revoked = await gateway.key(0, { accountId: json.accountId } as never)
    await gateway.admin('POST', `/v1/keys/${revoked.id}/revoke`)
    const live = await gateway.admin('POST', '/v1/keys', { name: 'live', mode: 'live' })
    for (const [key, apiKeyId, message] of [
      [shown.key, revoked.id, 'is revoked, or its account is closed'],
      [live.json.key, live.json.id, 'is a live key; this gateway sells test credits'],
    ]) {
      const refused = await as(key).call('POST', '/v1/plans/x402', { plan: 'starter', apiKeyId })
      expect(refused.status).toBe(400)
      expect(refused.problem.details.issues).toEqual([{ path: '/apiKeyId', message }])
    }
  })

  it('ends with its month for its holder, and is refused where it is not for sale', async () => {
    const key = await gateway.key(100)
    const holder = as(key.key)
    expect((await holder.call('DELETE', '/v1/plans/subscription')).status).toBe(404)
    const partner = await holder.call('POST', '/v1/plans/subscription', { plan: 'partner' })
    expect([partner.status, partner.problem.details.reason]).toEqual([403, 'plan_not_for_sale'])
    const { json } = await holder.call('POST', '/v1/plans/subscription', { plan: 'starter' })
    const ended = await holder.call('DELETE', '/v1/plans/subscription')
    expect(ended.json).toMatchObject({ id: json.id, state: 'active', endsAtPeriodEnd: true })
    const listed = await gateway.admin('GET', '/v1/admin/plans/subscriptions?limit=1')
    expect(listed.json.subscriptions).toMatchObject([{ id: json.id, endsAtPeriodEnd: true }])
    const one = await gateway.admin('GET', `/v1/admin/plans/subscriptions/${json.id}`)
    expect(one.json.turns).toMatchObject([{ number: 1, outcome: 'started', chargedCredits: 50 }])
    expect((await gateway.call('GET', '/v1/admin/plans/subscriptions')).status).toBe(401)
  })

  it('that has a price of nothing makes the calls free, without any balance', async () => {
    const key = await gateway.key(0)
    const given = { apiKeyId: key.id, plan: 'partner' }
    await gateway.admin('POST', '/v1/admin/plans/subscriptions', given)
    await as(key.key).call('POST', '/v1/credits/authorize', {
      requestId: 'all of it',
      skill: 'demo.echo',
      amountCredits: 10,
    })
    const { status, headers } = await as(key.key).call('POST', '/v1/paid/hash', hash)
    expect([status, headers.get('x-charged-credits')]).toEqual([200, '0'])
  })

  it('is not begun by a key whose budgets or products do not allow it', async () => {
    const { id } = await gateway.key(1000)
    const { json: open } = await gateway.admin('GET', `/v1/keys/${id}`)
    const limits = [
      { budgets: { month: 49 } },
      { budgets: { call: 0 } },
      { products: ['demo'] },
      { productBudgets: { plans: { month: 49 } } },
      { productBudgets: { demo: { month: 1 } }, budgets: { month: 49 } },
      { budgets: { day: 50 }, products: ['plans'] },
    ]
    const begun: unknown[] = []
    for (const limit of limits) {
      const order = { name: 'limited', accountId: open.accountId, ...limit }
      const { json: key } = await gateway.admin('POST', '/v1/keys', order)
      const answer = await as(key.key).call('POST', '/v1/plans/subscription', { plan: 'starter' })
      begun.push(answer.problem?.details.reason ?? answer.status)
    }
    expect(begun).toEqual([...Array(5).fill('plan_not_allowed'), 201])
  })

  it('leaves a ledger in which everything adds up', async () => {
    const { status, json } = await gateway.admin('POST', '/v1/admin/ledger/verify')
    expect([status, json.ok, json.violations]).toEqual([200, true, []])
  })
})
