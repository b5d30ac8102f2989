/** The body of a 402: x402 readers take `error` as a text, and who brings a key gets our object there. */
import { parsePaymentRequired } from '@x402/core/schemas'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Answer, GatewayProcess } from '../support/gateway.ts'
import { withoutChain } from '../support/x402/chain.ts'
import { payOnce, x402Gateways } from '../support/x402/gateways.ts'
import { x402Ground } from '../support/x402/ground.ts'
import { decode } from '../support/x402/payments.ts'

const without = withoutChain('the body of a 402')
const ECHO = '/v1/paid/echo'

/** The refusal in the form for callers without a key. */
function expectText({ status, json, headers }: Answer, code: string): void {
  expect([status, typeof json.error, json.problem.code]).toEqual([402, 'string', code])
  expect(json.problem).toMatchObject({
    message: json.error,
    retryable: false,
    requestId: headers.get('x-request-id'),
  })
}
function expectObject({ status, json }: Answer, code: string): void {
  expect([status, json.error.code, json.problem]).toEqual([402, code, undefined])
}

describe.skipIf(without)('a 402', () => {
  const ground = x402Ground()
  const { start, ownSigner } = x402Gateways(ground)
  let gateway: GatewayProcess
  beforeAll(async () => {
    gateway = await start(ownSigner())
  })

  it('without a key has the message as error, which both versions of x402 can read', async () => {
    // The second is served from what the first one made.
    for (let call = 0; call < 2; call++) {
      const unpaid = await gateway.call('POST', ECHO, { body: {} })
      expectText(unpaid, 'PAYMENT_REQUIRED')
      expect(unpaid.json.problem.details).toMatchObject({ priceCredits: 1 })
      expect(parsePaymentRequired(unpaid.json)).toMatchObject({
        success: true,
        data: { x402Version: 1 },
      })
      const header = decode(unpaid.headers.get('payment-required'))
      expect(parsePaymentRequired(header)).toMatchObject({ success: true })
    }
  })

  it('that refuses a payment without a key has the message as error, wherever it is', async () => {
    const refused = await payOnce(gateway, 'x')
    expectText(refused, 'PAYMENT_FAILED')
    expect(parsePaymentRequired(refused.json).success).toBe(true)
    const settle = {
      skill: 'demo.echo',
      requestId: crypto.randomUUID(),
      paymentSignature: `0x${'ab'.repeat(32)}`,
    }
    const settled = await gateway.call('POST', '/v1/x402/settle', { body: settle })
    expect([settled.status, typeof settled.json.error]).toEqual([402, 'string'])
    expect(settled.problem).toMatchObject({ details: { reason: 'transaction_not_found' } })
    const topup = await gateway.call('POST', '/v1/credits/topup/x402', { body: { amountUsd: 5 } })
    expectText(topup, 'PAYMENT_REQUIRED')
    // What is no 402 has the object, as everywhere.
    const missing = await gateway.call('POST', '/v1/paid/nothing')
    expect(missing.json.error.code).toBe('INVALID_INPUT')
  })

  it('to a caller who brings a key has the object as error', async () => {
    const { id, key } = await gateway.key(0)
    const { json } = await gateway.admin('POST', `/v1/keys/${id}/jwt`)
    for (const headers of [
      { 'x-api-key': key },
      { authorization: `Bearer ${key}` },
      { authorization: `Bearer ${json.token}` },
    ] as Record<string, string>[]) {
      expectObject(
        await gateway.call('POST', ECHO, { body: { message: 'a' }, headers }),
        'PAYMENT_REQUIRED',
      )
      expectObject(await payOnce(gateway, 'x', { headers }), 'PAYMENT_FAILED')
    }
    // A scheme of its own is no key of ours.
    const headers = { authorization: 'Basic dXNlcjpwYXNz' }
    expectText(await gateway.call('POST', ECHO, { body: {}, headers }), 'PAYMENT_REQUIRED')
  })

  it('of a gateway whose x402 is closed has no part of x402, over HTTP and MCP', async () => {
    const closed = await start({ SETTLEMENT_ADDRESS: '', SANDBOX_CHAIN: 'false' })
    const unpaid = await closed.call('POST', ECHO, { body: {} })
    expectText(unpaid, 'PAYMENT_REQUIRED')
    expect(Object.keys(unpaid.json)).toEqual(['error', 'problem', 'prepaid'])
    expect(unpaid.json.error).not.toContain('x402')
    expect(unpaid.headers.get('payment-required')).toBeNull()
    const called = await closed.call('POST', '/mcp', {
      headers: { accept: 'application/json, text/event-stream' },
      body: {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'demo.echo', arguments: { message: 'a' } },
      },
    })
    expect(called.json.result).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'PAYMENT_REQUIRED' }, prepaid: {} },
    })
    expect(called.text).not.toMatch(/accepts|x402Version|x402\/error/)
    const { json } = await closed.call('GET', '/.well-known/x402')
    expect(json.x402_available).toBe(false)
    for (const item of json.items) expect(item).not.toHaveProperty('accepts')
  })
})
