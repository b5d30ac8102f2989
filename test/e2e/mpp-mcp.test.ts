/** MPP and the two bindings of x402 over MCP: the wrapped official clients, and requests by hand. */
import {
  Client as ClientV2,
  StreamableHTTPClientTransport as HttpV2,
} from '@modelcontextprotocol/client'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { Challenge, Credential } from 'mppx'
import { McpClient } from 'mppx/mcp/client'
import { beforeAll, describe, expect, it } from 'vitest'
import type { GatewayProcess } from '../support/gateway.ts'
import { modern } from '../support/mcp.ts'
import { chargeMethod, credentialFor, mppFetch, type Sent } from '../support/mpp.ts'
import { withoutChain } from '../support/x402/chain.ts'
import { post, x402Gateways } from '../support/x402/gateways.ts'
import { x402Ground } from '../support/x402/ground.ts'
import { requirementsIn, signPayment } from '../support/x402/payments.ts'

const without = withoutChain('MPP over MCP on a local chain')
const INFO = { name: 'coinop tests', version: '1' }
const REQUIRED = 'org.paymentauth/payment-required'
const CREDENTIAL = 'org.paymentauth/credential'
const RECEIPT = 'org.paymentauth/receipt'
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'
const MPP = { experimental: { payment: { methods: { evm: { intents: ['charge'] } } } } }
const X402 = { extensions: { 'org.x402/payment': {} } }

describe.skipIf(without)('tools that are paid by MPP', () => {
  const ground = x402Ground({ buyerAtomic: 100_000_000n })
  const { received } = ground
  const { start, ownSigner } = x402Gateways(ground, () => ({ MPP_METHODS: 'evm/charge' }))
  let gateway: GatewayProcess
  let url: URL

  beforeAll(async () => {
    gateway = await start(ownSigner())
    url = new URL(`${gateway.url}/mcp`)
  })

  const clients: Record<string, () => Promise<any>> = {
    'SDK v1': async () => {
      const client = new ClientV1(INFO)
      await client.connect(new HttpV1(url))
      return client
    },
    'SDK v2 of 2026-07-28': async () => {
      const client = new ClientV2(INFO, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
      await client.connect(new HttpV2(url))
      return client
    },
    'SDK v2 with the capability': async () => {
      const options = { versionNegotiation: { mode: { pin: '2026-07-28' } }, capabilities: MPP }
      const client = new ClientV2(INFO, options as never)
      await client.connect(new HttpV2(url))
      return client
    },
  }

  it.each(Object.keys(clients))('%s, wrapped by mppx, pays for a tool', async (name) => {
    const before = await received()
    const client = await clients[name]!()
    try {
      const paying = McpClient.wrap(client, { methods: [chargeMethod(ground.buyer)] as never })
      const result: any = await paying.callTool({ name: 'demo.hash', arguments: { input: 'hi' } })
      expect(result.structuredContent).toMatchObject({ algorithm: 'sha256' })
      expect(result.receipt).toMatchObject({
        method: 'evm',
        status: 'success',
        reference: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        challengeId: expect.stringMatching(/^[\w-]{43}$/),
        chainId: 8453,
      })
      expect(result._meta['coinop/call']).toMatchObject({ rail: 'mpp', chargedCredits: 2 })
      expect(result._meta['x402/payment-response']).toBeUndefined()
      expect((await received()) - before).toBe(20_000n)
    } finally {
      await client.close()
    }
  })

  it('the fetch of mppx pays for a tool over plain HTTP', async () => {
    const before = await received()
    const sent: Sent[] = []
    const [body, headers] = modern('tools/call', { name: 'demo.echo', arguments: { a: 1 } })
    const accept = 'application/json, text/event-stream'
    const answer = await mppFetch(ground.buyer, sent)(url, post(body, { ...headers, accept }))
    expect((await answer.json()).result.structuredContent).toEqual({ a: 1 })
    expect(sent.length).toBe(2)
    expect((await received()) - before).toBe(10_000n)
  })

  /** The JSON-RPC answer to one call. */
  const call = async (
    meta: Record<string, unknown> = {},
    params: Record<string, unknown> = { name: 'demo.echo', arguments: { a: 1 } },
  ) => {
    const [body, headers] = modern('tools/call', params, meta)
    return (await gateway.call('POST', '/mcp', { body, headers })).json
  }
  const challengeIn = (data: any) => Challenge.Schema.parse(data.challenges[0])
  const paidFor = async (data: any) => {
    const text = await credentialFor(ground.buyer, challengeIn(data))
    return Credential.deserialize(text) as any
  }

  it('an unpaid result has both dialects, each in its own place, and new challenges', async () => {
    const [first, second] = [await call(), await call()]
    expect(first.result).toMatchObject({
      resultType: 'complete',
      isError: true,
      structuredContent: { x402Version: 2, accepts: expect.any(Array) },
      _meta: {
        [REQUIRED]: {
          httpStatus: 402,
          challenges: [{ method: 'evm', intent: 'charge', request: { amount: '10000' } }],
          problem: { type: 'https://paymentauth.org/problems/payment-required', status: 402 },
        },
      },
    })
    for (const member of ['type', 'title', 'challengeId', 'detail'])
      expect(first.result.structuredContent).not.toHaveProperty(member)
    const ids = [first, second].map(({ result }) => challengeIn(result._meta[REQUIRED]).id)
    expect(new Set(ids).size).toBe(2)
  })

  it('a credential buys its tool and arguments, once; refusals bring new challenges', async () => {
    const before = await received()
    const credential = await paidFor((await call()).result._meta[REQUIRED])
    const other = { name: 'demo.health', arguments: {} }
    const wrong = await call({ [CREDENTIAL]: credential }, other)
    expect(wrong.result._meta[REQUIRED].problem.type).toContain('invalid-challenge')
    expect(await received()).toBe(before)
    const paid = await call({ [CREDENTIAL]: credential })
    expect(paid.result.structuredContent).toEqual({ a: 1 })
    const again = await call({ [CREDENTIAL]: credential })
    expect(again.result).toMatchObject({ structuredContent: { a: 1 } })
    expect(again.result._meta['coinop/call']).toMatchObject({ replayed: true, chargedCredits: 0 })
    expect(again.result._meta[RECEIPT]).toEqual(paid.result._meta[RECEIPT])
    const reused = await call(
      { [CREDENTIAL]: credential },
      { name: 'demo.echo', arguments: { a: 2 } },
    )
    expect(reused.result).toMatchObject({ isError: true })
    expect(reused.result._meta[REQUIRED].problem.type).toContain('invalid-challenge')
    expect((await received()) - before).toBe(10_000n)
  })

  it('to who names the capability refusals are JSON-RPC errors', async () => {
    const asking = { [CAPABILITIES]: MPP }
    const unpaid = await call(asking)
    expect(unpaid.error).toMatchObject({ code: -32042, data: { httpStatus: 402 } })
    const credential = await paidFor(unpaid.error.data)
    const bent = { ...credential, payload: { ...credential.payload, value: '1' } }
    const refused = await call({ ...asking, [CREDENTIAL]: bent })
    expect(refused.error.code).toBe(-32043)
    expect(refused.error.data.problem.type).toContain('verification-failed')
    expect(challengeIn(refused.error.data).id).not.toBe(credential.challenge.id)
    for (const malformed of ['x', {}, { challenge: {}, payload: {} }]) {
      const answer = await call({ ...asking, [CREDENTIAL]: malformed })
      expect([malformed, answer.error.code]).toEqual([malformed, -32602])
    }
    const paid = await call({ ...asking, [CREDENTIAL]: credential })
    expect(paid.result.structuredContent).toEqual({ a: 1 })
  })

  it('to who names org.x402/payment an unpaid call is a result of its own type', async () => {
    const before = await received()
    for (const capabilities of [X402, { ...X402, ...MPP }]) {
      const asking = { [CAPABILITIES]: capabilities }
      const { result } = await call(asking)
      expect(result.resultType).toBe('payment_required')
      expect(Object.keys(result).toSorted()).toEqual(['_meta', 'paymentRequired', 'resultType'])
      expect(result._meta[REQUIRED].challenges.length).toBe(1)
      const payment = await signPayment(ground.buyer, requirementsIn(result.paymentRequired))
      const bent = {
        ...payment,
        payload: { ...payment.payload, signature: `0x${'11'.repeat(65)}` },
      }
      const invalid = (await call({ ...asking, 'x402/payment': bent })).result
      expect(invalid.resultType).toBe('payment_required')
      expect(invalid.paymentRequired.error).toContain('invalid_exact_evm_signature')
      const paid = (await call({ ...asking, 'x402/payment': payment })).result
      expect(paid).toMatchObject({ resultType: 'complete', structuredContent: { a: 1 } })
      expect(paid._meta['x402/payment-response']).toMatchObject({ success: true })
    }
    expect((await received()) - before).toBe(20_000n)
  })

  it('says what it can in its capabilities', async () => {
    const [body, headers] = modern('server/discover')
    const discovered = (await gateway.call('POST', '/mcp', { body, headers })).json.result
    expect(discovered.capabilities).toMatchObject({ ...MPP, ...X402 })
    const initialize = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: INFO },
    }
    const { capabilities } = (await gateway.call('POST', '/mcp', { body: initialize })).json.result
    expect(capabilities).toMatchObject(MPP)
    expect(capabilities).not.toHaveProperty('extensions')
  })

  it('a notification pays for nothing, and a header of the connection is no credential', async () => {
    const before = await received()
    const credential = await paidFor((await call()).result._meta[REQUIRED])
    const [body, headers] = modern(
      'tools/call',
      { name: 'demo.echo', arguments: { a: 1 } },
      { [CREDENTIAL]: credential },
    )
    const { id: _, ...notification } = body
    await gateway.call('POST', '/mcp', { body: notification, headers })
    const authorization = Credential.serialize(credential)
    const [plain] = modern('tools/call', { name: 'demo.echo', arguments: { a: 1 } })
    const answer = await gateway.call('POST', '/mcp', {
      body: plain,
      headers: { ...headers, authorization },
    })
    expect(answer.json.result.isError).toBe(true)
    expect(await received()).toBe(before)
  })
})
