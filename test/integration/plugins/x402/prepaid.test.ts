/** Paying ahead of the call: the routes, the claim and the one call it buys. */
import type { Hex } from 'viem'
import { NO_OPERATOR } from '../../../support/no-operator.ts'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { discoveryRoutes } from '../../../../plugins/x402/routes/discovery.ts'
import {
  settleRoutes,
  type SettleRouteDeps,
} from '../../../../plugins/x402/routes/settle-routes.ts'
import type { Catalog, MountedSkill } from '../../../../kernel/plugins/catalog.ts'
import { Quotes } from '../../../../kernel/metering/quotes.ts'
import type { Route, RouteRequest } from '../../../../kernel/plugins/route.ts'
import { fail, type Failure } from '../../../../kernel/errors.ts'
import { mount } from '../../../support/metering.ts'
import { answerOf, bodyOf } from '../../../support/outcomes.ts'
import { PATIENT } from '../../../support/patience.ts'
import { ownAccount } from '../../../support/accounts.ts'
import { walletOn } from '../../../support/x402/chain.ts'
import { x402Ground } from '../../../support/x402/ground.ts'
import { x402Instances, type X402Instance } from '../../../support/x402/instances.ts'
import { decode, encode, requirementsIn, signPayment } from '../../../support/x402/payments.ts'
import { startRail } from '../../../support/x402/rail.ts'

const ground = x402Ground()
const { received } = ground
let gateway: X402Instance
let routes: Route[]
let broken = false

const echo = mount(
  {
    id: 't.echo',
    tools: [{ name: 'echo' }],
    handler: async (_, input) =>
      broken ? fail('PROCESSING_FAILURE', 'no') : { ok: true, output: { echo: input } },
  },
  { rails: ['credits', 'x402'] },
)
const mounted: MountedSkill = { ...echo, tools: echo.skill.tools }
const open = x402Instances(ground, mounted)
const free: MountedSkill = {
  ...mount({ id: 't.free', handler: async () => ({ ok: true, output: {} }) }),
  metered: false,
}
const prepaidOnly = mount({ id: 't.keys', handler: async () => ({ ok: true, output: {} }) })

beforeAll(async () => {
  gateway = await open()
  const { rail, auth } = gateway
  const catalog: Catalog = {
    current: () => ({
      version: '1',
      priceVersion: 1,
      skills: [mounted, free, prepaidOnly],
      tool: () => null,
    }),
    onChange: () => () => {},
  }
  const book = new Quotes('http://localhost')
  const quotes: SettleRouteDeps['quotes'] = {
    http: (one) => book.http(one),
    tool: (one, tool) => book.tool(one, tool),
    identify: (credentials) => auth.identify(credentials),
  }
  routes = [
    ...settleRoutes({ rail, catalog, quotes }),
    ...discoveryRoutes({
      rail,
      catalog,
      quotes,
      publicUrl: 'http://localhost',
      prepaidFiat: false,
      operator: NO_OPERATOR,
    }),
  ]
})

async function ask(
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; json: any; failure: Failure | null }> {
  const route = routes.find((candidate) => candidate.path === path)!
  const request = {
    request: new Request(`http://localhost${path}`, { headers }),
    requestId: 'r',
    params: {},
    query: new URLSearchParams(),
    clientAddress: '127.0.0.1',
    signal: new AbortController().signal,
    bytes: async () => new Uint8Array(),
    json: async () => ({ ok: true, value: body }),
  } satisfies RouteRequest
  const answer = await route.handler(request)
  return answer instanceof Response
    ? { status: answer.status, json: await answer.json(), failure: null }
    : { status: answer.status ?? 0, json: null, failure: answer }
}
const settle = (requestId: string, paymentSignature: string, headers: Headed = {}, more = {}) =>
  ask(
    '/v1/x402/settle',
    { skill: 't.echo', path: '/v1/t/run', requestId, paymentSignature, ...more },
    headers,
  )
type Headed = Record<string, string>
const naming = (requestId: string, headers: Headed = {}) => ({
  header: (name: string) => (name === 'x-request-id' ? requestId : (headers[name] ?? null)),
})
const callWith = (requestId: string, input: unknown = { a: 1 }, headers: Headed = {}) =>
  gateway.ask(mounted, input, { requestId, source: naming(requestId, headers) })
async function signed() {
  const { json } = await ask('/v1/x402/challenge', { skill: 't.echo' })
  return encode(await signPayment(ground.buyer, requirementsIn(json.challenge)))
}
/** A plain transfer of the buyer, mined. */
async function transfer(amountAtomic: bigint, to: Hex = ground.chain.receivingAddress) {
  const wallet = await walletOn(ground.chain, ground.buyer)
  return wallet.transfer(to, amountAtomic)
}

describe('POST /v1/x402/challenge', () => {
  it('gives the challenge, the header to copy, and until when', async () => {
    const { json } = await ask('/v1/x402/challenge', {
      skill: 't.echo',
      path: '/v1/t/run',
      requestId: 'my-call',
    })
    expect(json.requestId).toBe('my-call')
    expect(decode(json.header)).toEqual(json.challenge)
    expect(json.challenge.accepts[0].amount).toBe('10000')
    expect(new Date(json.expiresAt).getTime()).toBeGreaterThan(Date.now())
  })

  it('knows tools by their URL', async () => {
    const { json } = await ask('/v1/x402/challenge', { skill: 't.echo', path: 'mcp://tool/echo' })
    expect(json.challenge.resource.url).toBe('mcp://tool/echo')
  })

  it('names what it cannot sell', async () => {
    expect((await ask('/v1/x402/challenge', { skill: 'no.such' })).failure?.status).toBe(404)
    expect((await ask('/v1/x402/challenge', { skill: 't.echo', path: '/x' })).failure?.status).toBe(
      404,
    )
    expect((await ask('/v1/x402/challenge', { skill: 't.free' })).failure?.message).toContain(
      'free',
    )
    expect((await ask('/v1/x402/challenge', { skill: 't.keys' })).failure?.message).toContain(
      'prepaid',
    )
    expect((await ask('/v1/x402/challenge', {})).failure?.code).toBe('INVALID_INPUT')
  })
})

describe('POST /v1/x402/settle', () => {
  it('takes a signed payment once and buys one call with its request id', async () => {
    const before = await received()
    const payment = await signed()
    const requestId = crypto.randomUUID()
    const { json } = await settle(requestId, payment)
    expect(json).toMatchObject({
      settled: true,
      requestId,
      settlement: {
        network: 'eip155:8453',
        payer: ground.buyer.address.toLowerCase(),
        amountUsdcAtomic: 10_000,
      },
    })
    expect((await received()) - before).toBe(10_000n)
    expect((await settle(requestId, payment)).json).toEqual(json)
    expect((await received()) - before).toBe(10_000n)

    expect(answerOf(await callWith(requestId)).receipt).toMatchObject({
      chargedAtomic: 10_000n,
      transaction: json.settlement.transaction,
      ledgerId: json.usageEventId,
    })
    expect(await callWith(requestId)).toMatchObject({ kind: 'answer', replayed: true })
    expect(await callWith(requestId, { a: 2 })).toMatchObject({
      kind: 'failure',
      failure: { details: { reason: 'nonce_already_used' } },
    })
    const rows = await gateway.ledger.rows({ requestId, limit: 10 })
    expect(rows.filter((row) => row.kind === 'settlement')).toHaveLength(1)
  })

  it('keeps the payment when the work fails', async () => {
    const requestId = crypto.randomUUID()
    await settle(requestId, await signed())
    broken = true
    expect((await callWith(requestId)).kind).toBe('failure')
    broken = false
    expect((await callWith(requestId)).kind).toBe('answer')
  })

  it('buys no call once it was refunded as credits, and another payer’s still does', async () => {
    const requestId = crypto.randomUUID()
    const [payment, other] = [await signed(), await signed()]
    const { json } = await settle(requestId, payment)
    const { id } = await gateway.key(0n)
    await gateway.ledger.credit({
      accountId: ownAccount(id),
      keyId: id,
      amountAtomic: 10_000n,
      source: 'settlement',
      reference: `refund:${json.usageEventId}`,
      kind: 'refund',
    })
    const isRefunded = { details: { reason: 'payment_refunded' } }
    expect(await callWith(requestId)).toMatchObject({ failure: isRefunded })
    expect(await callWith(requestId)).toMatchObject({ failure: isRefunded })
    expect((await settle(requestId, payment)).failure).toMatchObject(isRefunded)
    const later = await settle(requestId, other)
    expect(answerOf(await callWith(requestId)).receipt.ledgerId).toBe(later.json.usageEventId)

    const shared = crypto.randomUUID()
    const [first, second] = [
      await settle(shared, await signed()),
      await settle(shared, await signed()),
    ]
    await gateway.ledger.credit({
      accountId: ownAccount(id),
      keyId: id,
      amountAtomic: 10_000n,
      source: 'settlement',
      reference: `refund:${first.json.usageEventId}`,
      kind: 'refund',
    })
    expect(answerOf(await callWith(shared)).receipt.ledgerId).toBe(second.json.usageEventId)
    expect(await callWith(shared, { a: 2 })).toMatchObject({ kind: 'failure' })
  })

  it('×8 at once runs the call once', async () => {
    const requestId = crypto.randomUUID()
    await settle(requestId, await signed())
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => callWith(requestId)))
    expect(outcomes.filter((o) => o.kind === 'answer' && !o.replayed)).toHaveLength(1)
    for (const outcome of outcomes) {
      if (outcome.kind === 'failure') expect(outcome.failure.retryable).toBe(true)
    }
  })

  it('does not take the same payment for another request, here or in a call', async () => {
    const payment = await signed()
    await settle(crypto.randomUUID(), payment)
    expect((await settle(crypto.randomUUID(), payment)).failure?.details?.['reason']).toBe(
      'nonce_already_used',
    )
    expect(await gateway.pay(payment)).toMatchObject({
      kind: 'failure',
      failure: { details: { reason: 'nonce_already_used' } },
    })
  })

  it('does not take a payment that bought a call', async () => {
    const payment = await signed()
    expect((await gateway.pay(payment)).kind).toBe('answer')
    expect((await settle(crypto.randomUUID(), payment)).failure?.details?.['reason']).toBe(
      'nonce_already_used',
    )
  })

  it('takes the hash of a plain transfer, once', async () => {
    const hash = await transfer(10_000n)
    const requestId = crypto.randomUUID()
    const { json } = await settle(requestId, hash)
    expect(json).toMatchObject({ settled: true, settlement: { transaction: hash } })
    expect((await settle(requestId, hash)).json).toEqual(json)
    expect((await settle(crypto.randomUUID(), hash)).failure?.details?.['reason']).toBe(
      'nonce_already_used',
    )
    expect((await callWith(requestId)).kind).toBe('answer')
  })

  it('takes what is in time on a machine whose clock is ahead', async () => {
    const payments = [await signed(), await transfer(10_000n)]
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 })
    try {
      for (const payment of payments) {
        const { json, failure } = await settle(crypto.randomUUID(), payment)
        expect(failure).toBeNull()
        expect(json).toMatchObject({ settled: true })
      }
    } finally {
      vi.useRealTimers()
    }
  })

  it('refuses transfers that are too small, go elsewhere, do not exist, or settled a payment', async () => {
    const reasonOf = async (hash: string) =>
      (await settle(crypto.randomUUID(), hash)).failure?.details?.['reason']
    expect(await reasonOf(await transfer(9999n))).toBe('insufficient_amount')
    expect(
      await reasonOf(await transfer(10_000n, '0x000000000000000000000000000000000000dEaD')),
    ).toContain('recipient')
    expect(await reasonOf(`0x${'ab'.repeat(32)}`)).toBe('transaction_not_found')
    const { receipt } = answerOf(await gateway.pay(await signed()))
    expect(await reasonOf(receipt.transaction!)).toBe('not_a_plain_transfer')
  })

  it('refuses garbage and names the field', async () => {
    expect((await settle('id', 'garbage!')).failure).toMatchObject({ code: 'PAYMENT_FAILED' })
    expect((await settle('no spaces allowed', 'x')).failure).toMatchObject({
      code: 'INVALID_INPUT',
    })
  })

  describe('under a request id that somebody else has settled', () => {
    it('a call with a key pays by its key, before and after that settlement is used', async () => {
      const { key } = await gateway.key(30_000n)
      const requestId = 'order-1'
      await settle(requestId, await signed())
      const keyed = (input: unknown) => callWith(requestId, input, { 'x-api-key': key })
      expect(answerOf(await keyed({ a: 1 })).receipt).toMatchObject({ rail: 'credits' })
      expect(answerOf(await callWith(requestId)).receipt).toMatchObject({ rail: 'x402' })
      expect(answerOf(await keyed({ a: 2 })).receipt).toMatchObject({ rail: 'credits' })
    })

    it('a call without a key that brings a payment is paid by that', async () => {
      const requestId = 'order-2'
      await settle(requestId, await signed())
      const paid = await callWith(requestId, { a: 3 }, { 'payment-signature': await signed() })
      expect(answerOf(paid).replayed).toBe(false)
      expect(answerOf(await callWith(requestId, { a: 4 })).replayed).toBe(false)
    })

    it('for another skill, a call is not refused', async () => {
      const requestId = 'order-3'
      const other = { ...mounted, skill: { ...mounted.skill, id: 't.other' } }
      await settle(requestId, await signed())
      const outcome = await gateway.ask(other, {}, { requestId, source: naming(requestId) })
      expect(outcome).toMatchObject({ failure: { code: 'PAYMENT_REQUIRED' } })
    })

    it('another settles too: each buys one call, and each has its own answer again', async () => {
      const requestId = 'order-4'
      const [first, second] = [await signed(), await signed()]
      expect((await settle(requestId, first)).json).toMatchObject({ settled: true })
      expect(answerOf(await callWith(requestId, { mine: 1 })).replayed).toBe(false)
      expect((await settle(requestId, second)).json).toMatchObject({ settled: true })
      const again = await callWith(requestId, { mine: 1 })
      expect([answerOf(again).replayed, bodyOf(again)]).toEqual([true, { echo: { mine: 1 } }])
      expect(answerOf(await callWith(requestId, { mine: 2 })).replayed).toBe(false)
      for (const mine of [1, 2]) {
        const later = await callWith(requestId, { mine })
        expect([answerOf(later).replayed, bodyOf(later)]).toEqual([true, { echo: { mine } }])
      }
      expect((await settle(requestId, first)).json).toMatchObject({ settled: true })
    })
  })

  it('with a key buys one call of that key, and nobody else’s', async () => {
    const [own, other] = [await gateway.key(0n), await gateway.key(0n)]
    const requestId = crypto.randomUUID()
    const payment = await signed()
    const settled = await settle(requestId, payment, { 'x-api-key': own.key })
    expect(settled.json).toMatchObject({ settled: true })
    expect((await settle(requestId, payment, { 'x-api-key': other.key })).failure).toMatchObject({
      details: { reason: 'nonce_already_used' },
    })
    for (const headers of [{}, { 'x-api-key': other.key }] as Headed[]) {
      const outcome = await callWith(requestId, { a: 1 }, headers)
      expect(outcome).toMatchObject({ failure: { code: 'PAYMENT_REQUIRED' } })
    }
    const { receipt } = answerOf(await callWith(requestId, { a: 1 }, { 'x-api-key': own.key }))
    expect(receipt).toMatchObject({ rail: 'x402', ledgerId: settled.json.usageEventId })
    const wrong = await settle(crypto.randomUUID(), payment, { 'x-api-key': 'ck_test_wrong' })
    expect(wrong.failure?.status).toBe(401)
  })

  it('is known to other instances', async () => {
    const database = ground.database.open()
    // Its interval never ends, so that it does not read the table again: only a notification tells it.
    vi.useFakeTimers({ toFake: ['setInterval'] })
    const second = await startRail(ground, { database })
    vi.useRealTimers()
    const requestId = crypto.randomUUID()
    await settle(requestId, await signed())
    const quote = new Quotes('http://localhost').http(mounted)
    await vi.waitUntil(() => second.presented(naming(requestId), null, quote), PATIENT)
  })
})

describe('GET /.well-known/x402', () => {
  it('lists every paid resource with its price as a string, and not the free ones', async () => {
    const { json } = await ask('/.well-known/x402')
    expect(json).toMatchObject({
      version: 1,
      x402Version: 2,
      default_rail: 'x402',
      prepaid_fiat_available: false,
      fiat_mix: 'closed',
      resources: ['http://localhost/v1/t/run', 'http://localhost/v1/t/run'],
    })
    const skills = json.items.map((item: { skill: string }) => item.skill)
    expect(skills).not.toContain('t.free')
    expect(json.items[0]).toMatchObject({
      method: 'POST',
      tool: 'echo',
      price: '10000',
      // Every way that the route's own 402 offers, EIP-3009 first.
      accepts: [
        { scheme: 'exact', amount: '10000', extra: { name: 'USD Coin' } },
        { scheme: 'exact', amount: '10000', extra: { assetTransferMethod: 'permit2' } },
        { scheme: 'upto', amount: '10000', extra: { assetTransferMethod: 'permit2' } },
      ],
    })
    const prepaid = json.items.find((item: { skill: string }) => item.skill === 't.keys')
    expect(prepaid).not.toHaveProperty('accepts')
    expect((await ask('/.well-known/x402.json')).json).toEqual(json)
  })
})
