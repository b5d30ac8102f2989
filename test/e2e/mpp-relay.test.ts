/** Webhooks paid by MPP: the payment buys the first forward, and nobody else pays for that one. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { GatewayProcess } from '../support/gateway.ts'
import { mppFetch } from '../support/mpp.ts'
import { destinationServer, type DestinationServer } from '../support/webinfra-destinations.ts'
import { withoutChain } from '../support/x402/chain.ts'
import { post, x402Gateways } from '../support/x402/gateways.ts'
import { x402Ground } from '../support/x402/ground.ts'

describe.skipIf(withoutChain('webhooks paid by MPP'))('a webhook that is paid by MPP', () => {
  const ground = x402Ground({ buyerAtomic: 100_000_000n })
  const { start, ownSigner } = x402Gateways(ground, () => ({
    MPP_METHODS: 'evm/charge',
    ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
  }))
  let gateway: GatewayProcess
  let destination: DestinationServer
  let owner: { id: string; key: string }

  beforeAll(async () => {
    destination = await destinationServer()
    gateway = await start(ownSigner())
  })
  beforeEach(async () => {
    destination.got.length = 0
    destination.answer(200)
    owner = await gateway.key(1)
  })
  afterAll(() => destination.close())

  async function send(apiKeyId: string | null, places = ['/1']) {
    const endpoint = await gateway.admin('POST', '/v1/admin/webinfra/endpoints', {
      name: 'mpp',
      apiKeyId,
      verification: { scheme: 'none' },
      destinations: places.map((place) => ({ url: destination.url + place })),
    })
    const url = `${gateway.url}/v1/webinfra/endpoints/${endpoint.json.id}/ingress`
    const before = await ground.received()
    const answer = await mppFetch(ground.buyer)(url, post({ endpoint: endpoint.json.id }))
    const { status } = (await answer.json()) as { status: string }
    const headers = { 'x-api-key': owner.key }
    const balance = await gateway.call('GET', '/v1/credits/balance', { headers })
    const moved = (await ground.received()) - before
    return {
      status,
      moved,
      owner: balance.json.credits,
      isReceipt: answer.headers.has('payment-receipt'),
    }
  }

  it('is charged to its payer alone', async () => {
    expect(await send(owner.id)).toEqual({
      status: 'forwarded',
      moved: 100n,
      owner: 1,
      isReceipt: true,
    })
    expect(destination.got).toHaveLength(1)
  })

  it('is forwarded where the endpoint has no owner', async () => {
    expect(await send(null)).toMatchObject({ status: 'forwarded', moved: 100n })
    expect(destination.got).toHaveLength(1)
  })

  it('leaves the other destinations to the owner', async () => {
    expect(await send(owner.id, ['/1', '/2'])).toMatchObject({ moved: 100n, owner: 0.99 })
  })

  it('costs nothing where the destination fails', async () => {
    destination.answer(500)
    expect(await send(owner.id)).toMatchObject({ status: 'retrying', moved: 0n, isReceipt: false })
    expect(await send(null)).toMatchObject({ status: 'failed', moved: 0n, isReceipt: false })
  })
})
