/** `payment_flow: upfront` on a real gateway: unmodified clients of every dialect pay before the work. */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { PaymentRequired } from '@x402/core/types'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { GatewayProcess } from '../support/gateway.ts'
import { mppFetch } from '../support/mpp.ts'
import { startUpstream } from '../support/upstream.ts'
import { withoutChain } from '../support/x402/chain.ts'
import {
  challengeOf,
  killAmid,
  payingFetch,
  payOnce,
  post,
  x402Gateways,
} from '../support/x402/gateways.ts'
import { x402Ground } from '../support/x402/ground.ts'
import { decode, requirementsIn, signPayment } from '../support/x402/payments.ts'

const PRODUCT = `product_id: feed
base_path: /v1/feed
upstream:
  url: \${PRODUCT_UPSTREAM_URL}
  allow_private: true
  timeout: 30s
skills:
  - { id: feed.post, route: POST /post, price: { credits: 1 } }
  - { id: feed.broken, route: POST /broken, tool: feed.broken, price: { credits: 1 } }
  - { id: feed.events, route: GET /events, price: { credits: 1 } }
`

describe.skipIf(withoutChain('x402 paid upfront'))('a network that is paid upfront', () => {
  const ground = x402Ground({ buyerAtomic: 100_000_000n })
  const { received } = ground
  const products = mkdtempSync(join(tmpdir(), 'coinop-upfront-'))
  const { start, signed } = x402Gateways(ground, () => ({
    PRODUCTS_DIR: products,
    PRODUCT_RPC: ground.chain.rpcUrl,
    PRODUCT_SIGNER: ground.chain.signerKey,
    PRODUCT_UPSTREAM_URL: upstreamUrl,
    MPP_METHODS: 'evm/charge',
  }))
  let upstreamUrl = ''
  let gateway: GatewayProcess
  /** What was received when the upstream was asked last. */
  let atWork = 0n
  let isHanging = false
  /** Of /broken. */
  let isBroken = true

  beforeAll(async () => {
    const upstream = await startUpstream(async (incoming, response) => {
      atWork = await received()
      if (isHanging) return
      if (incoming.url === '/events') {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.end('data: one\n\ndata: last\n\n')
        return
      }
      response.writeHead(incoming.url === '/broken' && isBroken ? 500 : 200, {
        'content-type': 'application/json',
      })
      response.end('{"done":true}')
    })
    ground.closing(() => upstream.close())
    upstreamUrl = upstream.url
    cpSync(resolve(import.meta.dirname, '../../products'), products, { recursive: true })
    writeFileSync(join(products, 'feed.yaml'), PRODUCT)
    writeFileSync(
      join(products, 'x402.yaml'),
      `product_id: x402
title: x402
description: Payments in dollar tokens.
base_path: /v1/x402
plugin: x402
metered: false
config:
  networks:
    - network: eip155:8453
      pay_to: '${ground.chain.receivingAddress}'
      rpc: \${PRODUCT_RPC}
      signer: \${PRODUCT_SIGNER}
      payment_flow: upfront
`,
    )
    gateway = await start({})
  })
  afterAll(() => rmSync(products, { recursive: true, force: true }))

  it.each([
    ['@x402/fetch', () => payingFetch(ground.buyer)],
    ['mppx', () => mppFetch(ground.buyer)],
  ])('is paid by %s before the upstream is asked', async (_, client) => {
    const before = await received()
    const answer = await client()(`${gateway.url}/v1/feed/post`, post({ a: 1 }))
    expect([answer.status, await answer.json()]).toEqual([200, { done: true }])
    expect(atWork - before).toBe(10_000n)
    expect((await received()) - before).toBe(10_000n)
  })

  it('says of failed work what it took, and then works for the same payment', async () => {
    const path = '/v1/feed/broken'
    const payment = await signed(gateway, path)
    const before = await received()
    for (const charged of ['1', '0']) {
      const answer = await payOnce(gateway, payment, { path, body: {} })
      expect([answer.status, answer.headers.get('x-charged-credits')]).toEqual([503, charged])
      expect(decode(answer.headers.get('payment-response'))).toMatchObject({ success: true })
    }
    expect((await received()) - before).toBe(10_000n)
  })

  it.each([
    ['@x402/fetch', () => payingFetch(ground.buyer)],
    ['mppx', () => mppFetch(ground.buyer)],
  ])('takes one payment of %s, which signs anew after failed work', async (name, client) => {
    const before = await received()
    const call = () => client()(`${gateway.url}/v1/feed/broken`, post({ by: name }))
    expect([(await call()).status, (await call()).status]).toEqual([503, 503])
    isBroken = false
    const answer = await call()
    isBroken = true
    expect([answer.status, answer.headers.get('x-charged-credits')]).toEqual([200, '0'])
    expect((await received()) - before).toBe(10_000n)
  })

  it('tells a model so', async () => {
    const call = async (meta: object = {}) => {
      const params = { name: 'feed.broken', arguments: {}, _meta: meta }
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
      return (await gateway.call('POST', '/mcp', { body })).json.result
    }
    const { structuredContent: required } = await call()
    const payment = await signPayment(ground.buyer, requirementsIn(required))
    const { _meta: meta, content } = await call({ 'x402/payment': payment })
    expect(meta['coinop/call']).toMatchObject({ chargedCredits: 1 })
    expect(meta['x402/payment-response']).toMatchObject({ success: true })
    expect(content[1].text).toContain('Charged: 1 credits, before the work.')
    expect(content[1].text).toContain('Do not sign a new payment.')
  })

  it('is told in its offers', async () => {
    const { accepts } = (await challengeOf(gateway)) as PaymentRequired
    expect(accepts[0]).toMatchObject({ scheme: 'exact', extra: { paymentFlow: 'upfront' } })
  })

  it('streams what was paid', async () => {
    const before = await received()
    const answer = await payingFetch(ground.buyer)(`${gateway.url}/v1/feed/events`)
    expect(await answer.text()).toContain('data: last')
    expect((await received()) - before).toBe(10_000n)
  })

  it('killed at work: the next gateway works for the same payment, uncharged', async () => {
    const path = '/v1/feed/post'
    const before = await received()
    const doomed = await start({})
    const payment = await signed(doomed, path)
    isHanging = true
    const call = { path, body: { b: 1 } }
    await killAmid(doomed, [payOnce(doomed, payment, call)], () => atWork - before === 10_000n)
    isHanging = false
    await ground.expireLeases()
    const answer = await payOnce(gateway, payment, call)
    expect([answer.status, answer.json]).toEqual([200, { done: true }])
    expect(answer.headers.get('x-credits-charged') ?? '0').toBe('0')
    expect((await received()) - before).toBe(10_000n)
  })
})
