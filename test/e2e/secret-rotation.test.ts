/**
 * Secrets that others change: payment providers and facilitators go over to new ones while a gateway
 * still has the old ones. Whatever meets the wrong one waits; it is neither lost nor charged twice.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyLedger } from '../../host/reporting/verify.ts'
import { testDatabase, type TestDatabase } from '../support/database.ts'
import { startGateway, type GatewayProcess } from '../support/gateway.ts'
import { credentialAt } from '../support/mpp.ts'
import { deliver, startProviderA, startProviderB, type TestProvider } from '../support/topup.ts'
import { withoutChain } from '../support/x402/chain.ts'
import { comeBack, payOnce, until, x402Gateways } from '../support/x402/gateways.ts'
import { x402Ground } from '../support/x402/ground.ts'

const MASTER_KEY = Buffer.alloc(32, 7).toString('base64')

describe('keys of payment providers', () => {
  let database: TestDatabase
  let gateway: GatewayProcess
  const providers = { provider_a: startProviderA(), provider_b: startProviderB() }

  const start = async (): Promise<GatewayProcess> =>
    startGateway({
      DATABASE_URL: database.url,
      SANDBOX: 'true',
      SANDBOX_CHAIN: 'false',
      COINOP_MASTER_KEY: MASTER_KEY,
      PREPAID_FIAT: 'true',
      ...providers.provider_a.env,
      ...providers.provider_b.env,
    })
  const initialize = (apiKeyId: string, provider: TestProvider['id']) =>
    gateway.admin('POST', '/v1/credits/topup/initialize', { apiKeyId, amountUsd: 5, provider })
  const creditsOf = async (keyId: string): Promise<number> =>
    (await gateway.admin('GET', `/v1/keys/${keyId}`)).json.balance.credits

  beforeAll(async () => {
    database = await testDatabase()
    gateway = await start()
  })
  afterAll(async () => {
    expect(await verifyLedger(database.db.sql)).toMatchObject({ ok: true, violations: [] })
    await gateway.stop()
    await Promise.all(Object.values(providers).map((provider) => provider.stop()))
    await database.close()
  })

  it.each(['provider_a', 'provider_b'] as const)(
    '%s: what was paid meanwhile is credited',
    async (id) => {
      const provider = providers[id]
      const told = await gateway.key(0)
      const silent = await gateway.key(0)
      const begun = await initialize(told.id, id)
      const lost = await initialize(silent.id, id)
      expect([begun.status, lost.status]).toEqual([200, 200])
      provider.rotate()
      const event = provider.event(provider.pay(begun.json.reference))
      provider.pay(lost.json.reference)
      expect((await deliver(gateway, id, event)).status).toBe(401)

      const refused = await initialize(told.id, id)
      expect([refused.status, refused.problem.message]).toEqual([
        503,
        `${id} did not start the top-up; nothing was paid`,
      ])
      await until(() => gateway.output().includes('top-up not started'))
      const lines = gateway.output().split('\n')
      const line = lines.find((text) => text.includes('top-up not started'))
      expect(JSON.parse(line!)).toMatchObject({ provider: id, reason: 'the provider answered 401' })

      await gateway.stop()
      // The callback of the second one never comes; it is asked about two minutes after its start.
      await database.db.sql`
      UPDATE plugin_topup.intent SET created_at = created_at - interval '1 hour', checked_at = NULL
      WHERE reference = ${lost.json.reference}`
      gateway = await start()
      const again = await deliver(gateway, id, event)
      expect([again.status, again.json]).toEqual([200, { received: true, credited: true }])
      await until(async () => (await creditsOf(silent.id)) === 500)
      expect(await creditsOf(told.id)).toBe(500)
      expect((await initialize(told.id, id)).status).toBe(200)
    },
  )
})

describe.skipIf(withoutChain('credentials of facilitators'))('credentials of facilitators', () => {
  const ground = x402Ground()
  const gateways = x402Gateways(ground)
  const [old, fresh] = ['the-old-token', 'the-new-token']

  it('a settlement that meets the old one waits for the new one, and is made once', async () => {
    const facilitator = ground.facilitator()
    const startWith = (token: string): Promise<GatewayProcess> =>
      gateways.start({
        X402_FACILITATOR_URL: facilitator.url,
        X402_FACILITATOR_AUTH: `Bearer ${token}`,
      })
    facilitator.token = old
    const gateway = await startWith(old)
    expect((await payOnce(gateway, await gateways.signed(gateway))).status).toBe(200)
    const tally = await ground.tally()
    const payment = await gateways.signed(gateway)
    const unverified = await gateways.signed(gateway)
    // The new one holds from the moment that the payment was verified: the work is done meanwhile.
    const verified = facilitator.verifies
    Object.defineProperty(facilitator, 'token', {
      get: () => (facilitator.verifies > verified ? fresh : old),
    })
    const paid = await payOnce(gateway, payment)
    expect([paid.status, paid.problem.retryable]).toEqual([503, true])
    const refused = await payOnce(gateway, unverified)
    expect([refused.status, refused.problem.retryable]).toEqual([503, true])
    const again = await payOnce(gateway, payment)
    expect([again.status, again.problem.retryable]).toEqual([503, true])
    await until(() => gateway.output().includes('answered 401'))
    expect((await tally()).moved).toBe(0n)
    await gateway.stop()

    const renewed = await startWith(fresh)
    const settled = await comeBack(() => payOnce(renewed, payment))
    expect(settled.status, settled.text).toBe(200)
    expect((await payOnce(renewed, unverified)).status).toBe(200)
    expect((await tally()).moved).toBe(20_000n)
    for (const one of [gateway, renewed])
      for (const token of [old, fresh]) expect(one.output()).not.toContain(token)
  })
})

describe.skipIf(withoutChain('secrets of MPP'))('secrets of MPP', () => {
  const ground = x402Ground()
  const { start, ownSigner } = x402Gateways(ground, () => ({
    MPP_METHODS: 'evm/charge',
    MPP_REALM: 'pay.example',
  }))
  const [old, fresh] = ['old'.repeat(12), 'fresh'.repeat(8)]
  const ECHO = '/v1/paid/echo'

  it('are changed instance by instance, and a challenge of one is paid at the other', async () => {
    const steps = [old, `${old},${fresh}`, `${fresh},${old}`, fresh]
    const instances = await Promise.all(
      steps.map((keys) => start({ ...ownSigner(), MPP_SECRET_KEY: keys })),
    )
    const paidAt = async (payee: GatewayProcess, challenger: GatewayProcess): Promise<number> => {
      const authorization = await credentialAt(challenger, ground.buyer, ECHO)
      return (await payee.call('POST', ECHO, { body: {}, headers: { authorization } })).status
    }
    // Some instances have gone on to the next step, and the others not yet.
    for (const [before, after] of [
      [instances[0]!, instances[1]!],
      [instances[1]!, instances[2]!],
      [instances[2]!, instances[3]!],
    ] as const) {
      const statuses = [await paidAt(before, after), await paidAt(after, before)]
      expect(statuses).toEqual([200, 200])
    }
    // Without the step between, the others do not know the new key yet.
    const tally = await ground.tally()
    expect(await paidAt(instances[0]!, instances[2]!)).toBe(402)
    expect((await tally()).moved).toBe(0n)
  })
})
