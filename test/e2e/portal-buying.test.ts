/** Buying and signing in at the account pages of two instances: card checkouts, wallets that are contracts. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { GatewayProcess } from '../support/gateway.ts'
import { PortalVisitor } from '../support/portal.ts'
import { deliver, startProviderA, type TestProvider } from '../support/topup.ts'
import { contractWallet, withoutChain } from '../support/x402/chain.ts'
import { x402Gateways } from '../support/x402/gateways.ts'
import { x402Ground } from '../support/x402/ground.ts'

const PUBLIC_URL = 'http://localhost:4021'

describe.skipIf(withoutChain('account pages on two instances'))('on two instances', () => {
  const ground = x402Ground()
  let provider: TestProvider
  const gateways = x402Gateways(ground, () => ({
    ...provider.env,
    PREPAID_FIAT: 'true',
    COINOP_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    PUBLIC_URL,
    RATE_LIMIT_RPM: '100000',
    RATE_LIMIT_BURST: '10000',
  }))
  let one: GatewayProcess
  let other: GatewayProcess

  beforeAll(async () => {
    provider = startProviderA()
    const signer = gateways.ownSigner()
    ;[one, other] = await Promise.all([gateways.start(signer), gateways.start(signer)])
  })
  afterAll(() => provider?.stop())

  /** The same browser at the other instance, behind one balancer. */
  function elsewhere(visitor: PortalVisitor): PortalVisitor {
    const same = new PortalVisitor(other, PUBLIC_URL)
    for (const [name, value] of visitor.cookies) same.cookies.set(name, value)
    return same
  }

  it('a card checkout that the buyer begins is credited to the account, once', async () => {
    const key = await one.key(0)
    const buyer = new PortalVisitor(one, PUBLIC_URL)
    await buyer.signInByKey(key.key)
    const offered = await buyer.get('/account/api/topup')
    expect(offered.json.providers).toContain('provider_a')
    const begun = await buyer.api('POST', '/api/topup/card', {
      amountUsd: 7.5,
      provider: 'provider_a',
      email: 'buyer@example.com',
    })
    expect(begun.status, begun.text).toBe(200)
    const { reference, authorizationUrl } = begun.json
    expect(authorizationUrl).toContain(reference)
    const event = provider.event(provider.pay(reference))
    const told = await Promise.all([one, other].map((at) => deliver(at, 'provider_a', event)))
    expect(told.filter(({ json }) => json.credited)).toHaveLength(1)
    const me = await elsewhere(buyer).get('/account/api/me')
    expect(me.json.balanceCredits).toBe(750)
    const { json } = await buyer.get('/account/api/topup')
    expect(json.begun).toMatchObject([{ reference, credits: 750 }])
    expect(json.begun[0].creditedAt).not.toBeNull()
    expect([json.balanceCredits, json.begun[0].refundedCredits]).toEqual([750, 0])
    const refund = provider.reversalEvent(
      provider.reverse(reference, 'refund', { amountMinor: 250 }),
    )
    await deliver(one, 'provider_a', refund)
    const after = (await buyer.get('/account/api/topup')).json
    expect([after.balanceCredits, after.begun[0].refundedCredits]).toEqual([500, 250])
    // A dispute of all the rest, of which a call holds 100.
    const headers = { 'x-api-key': key.key }
    const call = { requestId: 'under way', skill: 'any', amountCredits: 100 }
    await one.call('POST', '/v1/credits/authorize', { headers, body: call })
    const dispute = provider.reverse(reference, 'dispute', { amountMinor: 500 })
    await deliver(one, 'provider_a', provider.reversalEvent(dispute))
    expect((await buyer.get('/account/api/topup')).json.begun).toMatchObject([
      { refundedCredits: 250, disputedCredits: 500, heldBackCredits: 100 },
    ])
  })

  it('a contract signs in by its owner, begun here and ended there; a stranger does not', async () => {
    const wallet = await contractWallet(ground.chain)
    const here = new PortalVisitor(one, PUBLIC_URL)
    const asked = await here.api('POST', '/sign-in/wallet/nonce', {
      address: wallet.address,
      chainId: 8453,
    })
    const { message } = asked.json
    const there = elsewhere(here)
    const signature = await wallet.signMessage({ message })
    const entered = await there.api('POST', '/sign-in/wallet', { message, signature })
    expect(entered.status, entered.text).toBe(200)
    const me = await elsewhere(there).get('/account/api/me')
    expect(me.json.signIns).toMatchObject([
      { subject: `eip155:8453:${wallet.address.toLowerCase()}` },
    ])

    const stranger = await contractWallet(ground.chain)
    const again = new PortalVisitor(one, PUBLIC_URL)
    const { json } = await again.api('POST', '/sign-in/wallet/nonce', {
      address: wallet.address,
      chainId: 8453,
    })
    const refused = await again.api('POST', '/sign-in/wallet', {
      message: json.message,
      signature: await stranger.signMessage({ message: json.message }),
    })
    expect(refused.status).toBe(401)
  })

  it('a session that is ended here is over there within a second', async () => {
    const key = await one.key(1)
    const here = new PortalVisitor(one, PUBLIC_URL)
    await here.signInByKey(key.key)
    const there = elsewhere(here)
    expect((await there.get('/account/api/me')).status).toBe(200)
    await here.api('DELETE', '/api/session')
    expect((await there.get('/account/api/me')).status).toBe(401)
  })
})
