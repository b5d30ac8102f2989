/** MPP_BIND_BODY: a challenge is for the body that it was asked with, and mppx pays it unmodified. */
import {
  Client as ClientV2,
  StreamableHTTPClientTransport as HttpV2,
} from '@modelcontextprotocol/client'
import { BodyDigest, Challenge, Credential } from 'mppx'
import { McpClient } from 'mppx/mcp/client'
import { beforeAll, describe, expect, it } from 'vitest'
import type { GatewayProcess } from '../support/gateway.ts'
import { modern } from '../support/mcp.ts'
import {
  challengesOf,
  chargeMethod,
  credentialFor,
  mppFetch,
  partsOf,
  type Sent,
} from '../support/mpp.ts'
import { startUpstream } from '../support/upstream.ts'
import { withoutChain } from '../support/x402/chain.ts'
import { post, x402Gateways } from '../support/x402/gateways.ts'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { x402Ground } from '../support/x402/ground.ts'
import { decode, encode, signPayment } from '../support/x402/payments.ts'

const ECHO = '/v1/paid/echo'
const PRODUCT = `product_id: feed
base_path: /v1/feed
upstream:
  url: \${PRODUCT_UPSTREAM_URL}
  allow_private: true
  timeout: 30s
skills:
  - { id: feed.post, route: POST /post, price: { credits: 1 } }
`

describe.skipIf(withoutChain('MPP bound to bodies'))('challenges that are bound to a body', () => {
  const ground = x402Ground({ buyerAtomic: 100_000_000n })
  const { received } = ground
  const { start, ownSigner } = x402Gateways(ground, () => ({
    MPP_METHODS: 'evm/charge',
    MPP_BIND_BODY: 'true',
    PRODUCT_UPSTREAM_URL: upstreamUrl,
  }))
  let upstreamUrl = ''
  let gateway: GatewayProcess

  beforeAll(async () => {
    const upstream = await startUpstream(async (incoming, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of incoming) chunks.push(chunk as Buffer)
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ bytes: Buffer.concat(chunks).byteLength }))
    })
    ground.closing(() => upstream.close())
    upstreamUrl = upstream.url
    gateway = await start(ownSigner())
    const authorization = `Bearer ${gateway.adminToken}`
    const headers = { authorization, 'content-type': 'application/yaml' }
    const put = await gateway.call('PUT', '/v1/admin/products/feed', { headers, body: PRODUCT })
    expect(put.status, put.text).toBeLessThan(300)
  })
  const ask = (body: unknown, headers: Record<string, string> = {}, path = ECHO) =>
    gateway.call('POST', path, { body, headers })

  it.each([
    ['a skill', ECHO, { message: 'hi' }, { message: 'hi' }],
    ['an upstream', '/v1/feed/post', { any: ['thing'] }, { bytes: 17 }],
  ])('are paid by mppx for %s', async (_, path, body, answered) => {
    const sent: Sent[] = []
    const answer = await mppFetch(ground.buyer, sent)(gateway.url + path, post(body))
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject(answered)
    expect(sent.map(({ status }) => status)).toEqual([402, 200])
    const { challenge } = partsOf(sent[1]!.headers.get('authorization')!)
    expect(challenge['digest']).toBe(BodyDigest.compute(JSON.stringify(body)))
  })

  it('are good for no other body, and for theirs as often as it is sent', async () => {
    const [mine, other] = [{ message: 'mine' }, { message: 'other' }]
    const before = await received()
    const [challenge] = challengesOf(await ask(mine))
    const authorization = await credentialFor(ground.buyer, challenge!)
    const refused = await ask(other, { authorization })
    expect(refused.json.type).toBe('https://paymentauth.org/problems/invalid-challenge')
    const [fresh] = challengesOf(refused)
    expect(fresh!.digest).toBe(BodyDigest.compute(JSON.stringify(other)))
    expect((await received()) - before).toBe(0n)
    const answers = [await ask(mine, { authorization }), await ask(mine, { authorization })]
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(answers[1]!.text).toBe(answers[0]!.text)
    const late = await ask(other, { authorization })
    expect(late.json.type).toBe('https://paymentauth.org/problems/invalid-challenge')
    expect((await received()) - before).toBe(10_000n)
    // Without Content-Length nothing is read before the payment: another body than the one promised.
    const streamed = await fetch(gateway.url + ECHO, {
      ...post(mine, { authorization: await credentialFor(ground.buyer, fresh!) }),
      body: new Blob([JSON.stringify(mine)]).stream(),
      duplex: 'half',
    } as RequestInit)
    expect(streamed.status).toBe(402)
    expect((await received()) - before).toBe(10_000n)
  })

  it('are bound in the answer to a refused payment of another rail as well', async () => {
    const body = { message: 'refused' }
    const unpaid = await ask(body)
    const accepted = decode<{ accepts: never[] }>(unpaid.headers.get('payment-required'))
      .accepts[0]!
    const poor = privateKeyToAccount(generatePrivateKey())
    const empty = await signPayment(poor, accepted)
    const forged = { ...empty, payload: { ...empty.payload, signature: `0x${'1b'.repeat(65)}` } }
    const key = await gateway.key(0)
    for (const headers of [
      { 'payment-signature': encode(forged) },
      { 'payment-signature': encode(empty) },
      { 'payment-signature': 'junk' },
      { 'x-api-key': key.key },
    ] as Record<string, string>[]) {
      const [challenge] = challengesOf(await ask(body, headers))
      expect(challenge!.digest).toBe(BodyDigest.compute(JSON.stringify(body)))
    }
  })

  it('are for any body where it is long, and where there is none', async () => {
    const long = { text: 'x'.repeat(70_000) }
    const unpaid = await ask(long, {}, '/v1/feed/post')
    expect(challengesOf(unpaid)[0]!.digest).toBeUndefined()
    const answer = await mppFetch(ground.buyer)(gateway.url + '/v1/feed/post', post(long))
    expect(await answer.json()).toEqual({ bytes: JSON.stringify(long).length })
    const get = await gateway.call('GET', '/v1/paid/health')
    expect(challengesOf(get)[0]!.digest).toBeUndefined()
    expect((await mppFetch(ground.buyer)(`${gateway.url}/v1/paid/health`)).status).toBe(200)
  })

  it('are bound to the arguments of a tool', async () => {
    const client = new ClientV2(
      { name: 'coinop tests', version: '1' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    )
    await client.connect(new HttpV2(new URL(`${gateway.url}/mcp`)))
    try {
      const paying = McpClient.wrap(client as never, {
        methods: [chargeMethod(ground.buyer)] as never,
      })
      const result: any = await (paying as any).callTool({
        name: 'demo.hash',
        arguments: { input: 'hi' },
      })
      expect(result.receipt).toMatchObject({ method: 'evm', status: 'success' })
    } finally {
      await client.close()
    }
    const call = async (input: string, meta = {}) => {
      const [body, headers] = modern(
        'tools/call',
        { name: 'demo.hash', arguments: { input } },
        meta,
      )
      return (await gateway.call('POST', '/mcp', { body, headers })).json.result
    }
    const challengeIn = ({ _meta }: any) =>
      Challenge.Schema.parse(_meta['org.paymentauth/payment-required'].challenges[0])
    const before = await received()
    const challenge = challengeIn(await call('mine'))
    expect(challenge.digest).toBe(BodyDigest.compute('{"input":"mine"}'))
    const credential = Credential.deserialize(await credentialFor(ground.buyer, challenge))
    const refused = await call('other', { 'org.paymentauth/credential': credential })
    expect(challengeIn(refused).digest).toBe(BodyDigest.compute('{"input":"other"}'))
    expect((await received()) - before).toBe(0n)
    const paid = await call('mine', { 'org.paymentauth/credential': credential })
    expect(paid.structuredContent).toMatchObject({ algorithm: 'sha256' })
    expect((await received()) - before).toBe(20_000n)
  })
})
