/** An agent with only a wallet buys a key and credits, through crashes, retries and cheats. */
import { beforeAll, describe, expect, it } from 'vitest'
import type { Answer, GatewayProcess } from '../support/gateway.ts'
import { withoutChain } from '../support/x402/chain.ts'
import {
  comeBack,
  killAmid,
  payingFetch,
  payOnce,
  post,
  until,
  x402Gateways,
} from '../support/x402/gateways.ts'
import { x402Ground } from '../support/x402/ground.ts'

const without = withoutChain('top-ups by x402')
const ROUTE = '/v1/credits/topup/x402'

describe.skipIf(without)('credits bought with x402', () => {
  const ground = x402Ground({ buyerAtomic: 1_000_000_000n })
  const { received, facilitator, expireLeases } = ground
  const gateways = x402Gateways(ground, () => ({ LOG_LEVEL: 'info' }))
  const { start, ownSigner, settlingBy } = gateways
  let gateway: GatewayProcess

  beforeAll(async () => {
    gateway = await start(ownSigner())
  })

  const creditsOf = async (keyId: string): Promise<number> =>
    (await gateway.admin('GET', `/v1/keys/${keyId}`)).json.balance.credits
  const keyCount = async (): Promise<number> => {
    const rows = await ground.database.db.sql<
      { n: number }[]
    >`SELECT count(*)::int AS n FROM coinop.api_key`
    return rows[0]!.n
  }

  const signed = (order: object, at = gateway): Promise<string> =>
    gateways.signed(at, ROUTE, { body: order })
  const buy = (
    order: object,
    payment: string,
    headers: Record<string, string> = {},
    at = gateway,
  ): Promise<Answer> => payOnce(at, payment, { path: ROUTE, body: order, headers })
  /** A gateway that died between the settlement of this order and its credit. */
  async function diedPaid(order: object, headers: Record<string, string> = {}) {
    const env = settlingBy(facilitator(['settle_then_hang']))
    const doomed = await start(env)
    const payment = await signed(order, doomed)
    const before = await received()
    const call = buy(order, payment, headers, doomed)
    await killAmid(doomed, [call], async () => (await received()) !== before)
    /** The gateway after it, which need not wait for the end of its leases. */
    async function heir(): Promise<GatewayProcess> {
      await expireLeases()
      return start(env)
    }
    return { payment, heir }
  }
  /** The request that paid for credits of this key, once its settlement is written. */
  async function settledFor(keyId: string): Promise<string> {
    const rows = () => ground.database.db.sql<{ request_id: string }[]>`
      SELECT p.request_id FROM plugin_topup.purchase p JOIN coinop.entry e USING (request_id)
      WHERE p.key_id = ${keyId} AND e.kind = 'settlement'`
    await until(async () => (await rows()).length > 0)
    return (await rows())[0]!.request_id
  }

  it('a wallet and nothing else: one payment, a key, prepaid calls', async () => {
    const before = await received()
    const pay = payingFetch(ground.buyer)
    const answer = await pay(gateway.url + ROUTE, post({ amountUsd: 0.75 }))
    expect(answer.status).toBe(200)
    expect(answer.headers.get('payment-response')).not.toBeNull()
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const bought = (await answer.json()) as { key: string; apiKeyId: string; credits: number }
    expect(bought).toMatchObject({ credits: 75, key: expect.stringMatching(/^ck_test_/) })
    expect((await received()) - before).toBe(750_000n)
    const headers = { 'x-api-key': bought.key }
    const call = await gateway.call('POST', '/v1/paid/hash', { body: { input: 'hi' }, headers })
    expect(call.status).toBe(200)
    expect(call.headers.get('x-payment-rail')).toBe('credits')
    expect(call.headers.get('x-balance-credits')).toBe('73')
    expect(gateway.output()).not.toContain(bought.key)
  })

  it('tops up a key that is there, and shows no other', async () => {
    const key = await gateway.key(1)
    const order = { amountUsd: 20, apiKeyId: key.id }
    const answer = await buy(order, await signed(order))
    expect(answer.status).toBe(200)
    expect(answer.json).toMatchObject({ apiKeyId: key.id, credits: 2000 })
    expect(answer.json.key).toBeUndefined()
    expect(await creditsOf(key.id)).toBe(2001)
    const rows = await gateway.admin('GET', `/v1/ledger?apiKeyId=${key.id}&kind=topup`)
    expect(rows.json.rows).toMatchObject([{ debit: 'topup:x402', amountUsdcAtomic: 20_000_000 }])
  })

  it('the same payment again, at once and later, credits once and makes one key', async () => {
    const order = { amountUsd: 3 }
    const payment = await signed(order)
    const before = [await received(), await keyCount()] as const
    const answers = await Promise.all(Array.from({ length: 8 }, () => buy(order, payment)))
    answers.push(await comeBack(() => buy(order, payment)))
    expect((await received()) - before[0]).toBe(3_000_000n)
    expect(await keyCount()).toBe(before[1] + 1)
    for (const { status } of answers) expect([200, 409, 503]).toContain(status)
    const paid = answers.filter(({ status }) => status === 200)
    expect(new Set(paid.map(({ json }) => json.apiKeyId)).size).toBe(1)
    expect(await creditsOf(paid[0]!.json.apiKeyId)).toBe(300)
    // The payment can be read on the chain: whoever repeats it does not get the buyer's key.
    expect(paid.filter(({ json }) => json.key !== undefined)).toHaveLength(1)
    expect(answers.at(-1)!.json).toMatchObject({ note: expect.stringContaining('first answer') })
  })

  it('the buyer gets the key again with the same Idempotency-Key, and nobody with another', async () => {
    const order = { amountUsd: 2 }
    const payment = await signed(order)
    const retry = { 'idempotency-key': crypto.randomUUID() }
    const before = await received()
    const first = await buy(order, payment, retry)
    expect(first.status).toBe(200)
    const again = await buy(order, payment, retry)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(again.json).toEqual(first.json)
    // A new payment of the same wallet under the same Idempotency-Key is not taken.
    expect((await buy(order, await signed(order), retry)).json).toEqual(first.json)
    for (const headers of [{}, { 'idempotency-key': crypto.randomUUID() }] as Record<
      string,
      string
    >[]) {
      const stranger = await buy(order, payment, headers)
      expect(stranger.status).toBe(200)
      expect(stranger.json.key).toBeUndefined()
    }
    expect((await received()) - before).toBe(2_000_000n)
    expect(await creditsOf(first.json.apiKeyId)).toBe(200)
    const stored = await ground.database.db.sql<{ n: number }[]>`
      SELECT count(*)::int AS n FROM plugin_x402.x402_claim WHERE position(${Buffer.from(first.json.key)} in body) > 0`
    expect(stored[0]!.n).toBe(0)
    const sealed = await ground.database.db.sql<{ sealed_key: string }[]>`
      SELECT sealed_key FROM plugin_topup.purchase WHERE key_id = ${first.json.apiKeyId}`
    expect(sealed[0]!.sealed_key).not.toContain(first.json.key)
  })

  it('a payment for one amount or key never buys another', async () => {
    const key = await gateway.key(0)
    const before = await received()
    const small = await signed({ amountUsd: 0.01, apiKeyId: key.id })
    for (const amountUsd of [10_000, 0.02, 1]) {
      const answer = await buy({ amountUsd, apiKeyId: key.id }, small)
      expect(answer.status).toBe(402)
      expect(answer.problem.code).toBe('PAYMENT_FAILED')
    }
    expect(await received()).toBe(before)
    expect((await buy({ amountUsd: 0.01, apiKeyId: key.id }, small)).status).toBe(200)
    const other = await gateway.key(0)
    const answer = await buy({ amountUsd: 0.01, apiKeyId: other.id }, small)
    expect(answer.problem.details.reason).toBe('nonce_already_used')
    expect([await creditsOf(key.id), await creditsOf(other.id)]).toEqual([1, 0])
  })

  it('a payment that was refused buys nothing, also when its request id is paid elsewhere', async () => {
    const { url } = facilitator([{ refuse: 'insufficient_funds' }])
    const refusing = await start({ X402_FACILITATOR_URL: url })
    const victim = await gateway.key(10)
    const order = { amountUsd: 100, apiKeyId: victim.id }
    const refusal = await buy(order, await signed(order, refusing), {}, refusing)
    expect(refusal.status).toBe(402)
    const requestId = refusal.headers.get('x-request-id')!
    const [noted] = await ground.database.db.sql<{ request_id: string }[]>`
      SELECT request_id FROM plugin_topup.purchase WHERE request_id = ${requestId}`
    expect(noted).toBeDefined()
    // The cheat pays one cent under that request id, by both rails.
    const mine = { 'x-api-key': victim.key }
    const body = { requestId, skill: 'topup.x402', amountUsdcAtomic: 100 }
    const held = await gateway.call('POST', '/v1/credits/authorize', { body, headers: mine })
    const end = { authorizationId: held.json.authorizationId }
    await gateway.call('POST', '/v1/credits/capture', { body: end, headers: mine })
    const cent = await gateways.signed(gateway)
    const paid = await payOnce(gateway, cent, { headers: { 'x-request-id': requestId } })
    expect(paid.headers.get('x-request-id')).toBe(requestId)
    const keys = await keyCount()
    await roundOf(requestId)
    expect(await creditsOf(victim.id)).toBe(9.99)
    expect(await keyCount()).toBe(keys)
  })

  /** Starts a gateway whose first round looks at this purchase. */
  async function roundOf(requestId: string): Promise<void> {
    await ground.database.db.sql`UPDATE plugin_topup.purchase
      SET created_at = now() - interval '1 hour', checked_at = NULL WHERE request_id = ${requestId}`
    await start(ownSigner())
    let isCredited = false
    await until(async () => {
      const [row] = await ground.database.db.sql<{ checked: boolean; credited: boolean }[]>`
        SELECT checked_at IS NOT NULL AS checked, credited_at IS NOT NULL AS credited
        FROM plugin_topup.purchase WHERE request_id = ${requestId}`
      isCredited = row!.credited
      return isCredited || row!.checked
    })
    // The row is marked before it is checked, and not at all where it has its credits: what a round
    // does takes milliseconds.
    await Bun.sleep(isCredited ? 2000 : 500)
  }

  it.each([true, false])(
    'killed between settlement and credit (Idempotency-Key %s): credited once, by the next gateway',
    async (withKey) => {
      const order = { amountUsd: 4 }
      const retry: Record<string, string> = withKey
        ? { 'idempotency-key': crypto.randomUUID() }
        : {}
      const before = [await received(), await keyCount()] as const
      const { payment, heir } = await diedPaid(order, retry)
      expect(await keyCount()).toBe(before[1])
      const next = await heir()
      const answer = await comeBack(() => buy(order, payment, retry, next))
      expect(answer.json).toMatchObject({ credits: 400, apiKeyId: expect.any(String) })
      expect(answer.json.key !== undefined).toBe(withKey)
      expect(await creditsOf(answer.json.apiKeyId)).toBe(400)
      expect((await received()) - before[0]).toBe(4_000_000n)
      await roundOf(answer.json.requestId)
      expect(await creditsOf(answer.json.apiKeyId)).toBe(400)
      expect(await keyCount()).toBe(before[1] + 1)
    },
  )

  it('killed and never asked again: the background round gives the credits', async () => {
    const key = await gateway.key(0)
    const { heir } = await diedPaid({ amountUsd: 6, apiKeyId: key.id })
    await heir()
    await roundOf(await settledFor(key.id))
    await until(async () => (await creditsOf(key.id)) !== 0)
    expect(await creditsOf(key.id)).toBe(600)
  })

  it('refuses a bad order before any money moves', async () => {
    const before = await received()
    const revoked = await gateway.key(0)
    await gateway.admin('POST', `/v1/keys/${revoked.id}/revoke`)
    const wrong: [object, number][] = [
      [{}, 400],
      [{ amountUsd: 0 }, 400],
      [{ amountUsd: 0.001 }, 400],
      [{ amountUsd: 10_001 }, 400],
      [{ amountUsd: '1' }, 400],
      [{ amountUsd: 1, apiKeyId: 5 }, 400],
      [{ amountUsd: 1, apiKeyId: 'key_nobody' }, 404],
      [{ amountUsd: 1, apiKeyId: revoked.id }, 400],
    ]
    for (const [order, status] of wrong) {
      const payment = await signed(order)
      expect((await buy(order, payment)).status).toBe(status)
    }
    expect(await received()).toBe(before)
  })

  it('shows its challenge to an unpaid request whatever the body, and what is wrong with it', async () => {
    for (const body of ['', '{"amountUsd"', '[]', '{}', '{"amountUsd":"1"}', '{"amountUsd":0}']) {
      const answer = await gateway.call('POST', ROUTE, { body })
      expect([body, answer.status]).toEqual([body, 402])
      expect(answer.headers.get('payment-required')).not.toBeNull()
      expect(answer.json.accepts[0].maxAmountRequired).toBe('5000000')
      expect(answer.problem.details.issues[0]).toHaveProperty('message')
    }
    const key = await gateway.key(1)
    const keyed = await gateway.call('POST', ROUTE, {
      body: {},
      headers: { 'x-api-key': key.key },
    })
    expect(keyed.status).toBe(400)
  })

  it('flags a key that was revoked between order and credit, says so, and lets the operator give the credits', async () => {
    const [key, other] = [await gateway.key(0), await gateway.key(0)]
    const order = { amountUsd: 1, apiKeyId: key.id }
    const { heir, payment } = await diedPaid(order)
    await gateway.admin('POST', `/v1/keys/${key.id}/revoke`)
    await heir()
    const requestId = await settledFor(key.id)
    await roundOf(requestId)
    await until(async () => {
      const { json } = await gateway.admin('GET', '/v1/admin/topup/flagged')
      return json.rows.some((row: { detail: string }) => row.detail.includes(key.id))
    })
    const { json } = await gateway.admin('GET', '/v1/admin/topup/flagged')
    expect(json.rows).toContainEqual(
      expect.objectContaining({ provider: 'x402', reason: 'revoked', creditedAt: null }),
    )
    const again = await comeBack(() => buy(order, payment))
    expect([again.status, again.problem.details]).toEqual([
      409,
      { purchaseId: requestId, paid: true },
    ])
    // A payment that was never taken is refused before it is.
    const late = await signed({ amountUsd: 1 })
    const refused = await buy(order, late)
    expect([refused.status, refused.problem.details.paid]).toEqual([400, undefined])

    const refund = (apiKeyId: string) =>
      gateway.admin('POST', '/v1/credits/refund', { requestId, apiKeyId })
    const answers = await Promise.all([refund(other.id), refund(other.id)])
    answers.push(await refund(other.id))
    for (const { status, json: given } of answers)
      expect([status, given.apiKeyId, given.amountCredits]).toEqual([200, other.id, 100])
    await roundOf(requestId)
    expect([await creditsOf(key.id), await creditsOf(other.id)]).toEqual([0, 100])
    // Whoever paid hears of it, and of no other customer's key.
    for (const told of [await buy(order, payment), await buy(order, payment)]) {
      expect([told.status, told.problem.details]).toEqual([
        409,
        { reason: 'given_by_operator', purchaseId: requestId, paid: true },
      ])
      expect(told.text).not.toContain(other.id)
    }
  })

  describe('refunds', () => {
    const refund = (body: object) => gateway.admin('POST', '/v1/credits/refund', body)
    async function paidCall(headers: Record<string, string> = {}): Promise<string> {
      const path = '/v1/paid/hash'
      const body = { input: crypto.randomUUID() }
      const payment = await gateways.signed(gateway, path, { body })
      const answer = await payOnce(gateway, payment, { path, body, headers })
      expect(answer.status).toBe(200)
      return answer.headers.get('x-request-id')!
    }

    it('a call paid by a wallet becomes credits of a key, once', async () => {
      const requestId = await paidCall()
      const [key, other] = [await gateway.key(0), await gateway.key(0)]
      const unnamed = await refund({ requestId })
      expect(unnamed.status).toBe(400)
      expect(unnamed.json.error.details.issues[0].path).toBe('/apiKeyId')
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => refund({ requestId, apiKeyId: key.id, note: 'sorry' })),
      )
      for (const answer of answers) {
        expect(answer.status).toBe(200)
        expect(answer.json).toEqual(answers[0]!.json)
      }
      expect(answers[0]!.json).toMatchObject({
        rail: 'x402',
        state: 'refunded',
        requestId,
        apiKeyId: key.id,
        amountCredits: 2,
        transaction: expect.stringMatching(/^0x/),
      })
      expect(await creditsOf(key.id)).toBe(2)
      expect((await refund({ requestId, apiKeyId: other.id })).status).toBe(409)
      expect(await creditsOf(other.id)).toBe(0)
      const { json } = await gateway.admin('GET', `/v1/ledger?requestId=${requestId}&kind=refund`)
      expect(json.rows).toMatchObject([{ apiKeyId: key.id, note: 'sorry', amountCredits: 2 }])
    })

    it('a call that a key identified goes to that key and to no other', async () => {
      const [key, other] = [await gateway.key(0), await gateway.key(0)]
      const requestId = await paidCall({ 'x-api-key': key.key })
      expect((await refund({ requestId, apiKeyId: other.id })).status).toBe(404)
      expect((await refund({ requestId })).json).toMatchObject({ apiKeyId: key.id, rail: 'x402' })
      expect(await creditsOf(key.id)).toBe(2)
    })

    it('several payments under one request id must be told apart', async () => {
      const key = await gateway.key(0)
      const requestId = crypto.randomUUID()
      await paidCall({ 'x-request-id': requestId })
      await paidCall({ 'x-request-id': requestId })
      const unclear = await refund({ requestId, apiKeyId: key.id })
      expect(unclear.status).toBe(409)
      const [ledgerId, second] = unclear.json.error.details.ledgerIds
      expect((await refund({ requestId, apiKeyId: key.id, ledgerId })).status).toBe(200)
      expect((await refund({ requestId, apiKeyId: key.id, ledgerId: second })).status).toBe(200)
      expect((await refund({ requestId, apiKeyId: key.id, ledgerId: '1' })).status).toBe(404)
      expect(await creditsOf(key.id)).toBe(4)
    })

    it('refuses what is unknown, unsettled, or bought credits already', async () => {
      const key = await gateway.key(5)
      const unknown = await refund({ requestId: crypto.randomUUID(), apiKeyId: key.id })
      expect(unknown.status).toBe(404)
      const headers = { 'x-api-key': key.key }
      const requestId = crypto.randomUUID()
      const body = { requestId, skill: 'demo.echo', amountCredits: 1 }
      await gateway.call('POST', '/v1/credits/authorize', { body, headers })
      const held = await refund({ requestId })
      expect(held.status).toBe(409)
      expect(held.json.error.details.state).toBe('authorized')
      expect((await refund({ requestId: await paidCall(), apiKeyId: 'key_nobody' })).status).toBe(
        404,
      )
      const order = { amountUsd: 1, apiKeyId: key.id }
      const bought = await buy(order, await signed(order))
      const twice = await refund({ requestId: bought.json.requestId, apiKeyId: key.id })
      expect(twice.status).toBe(409)
      expect(twice.json.error.details.reason).toBe('bought_credits')
    })
  })
})
