/** Prices that count units, through the real gateway: an upstream that says them, on both rails. */
import { UptoEvmScheme } from '@x402/evm/upto/client'
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { GatewayProcess } from '../support/gateway.ts'
import { startUpstream, type TestUpstream } from '../support/upstream.ts'
import { withoutChain } from '../support/x402/chain.ts'
import { challengeOf, x402Gateways } from '../support/x402/gateways.ts'
import { x402Ground } from '../support/x402/ground.ts'
import { encode, offerIn, signPermit2 } from '../support/x402/payments.ts'
import { PATIENT } from '../support/patience.ts'

const without = withoutChain('prices that count units')

const PRODUCT = `product_id: meter
base_path: /v1/meter
upstream:
  url: \${PRODUCT_UPSTREAM_URL}
  allow_private: true
limits: { timeout: 60s }
skills:
  - id: meter.pages
    route: GET /pages
    tool: meter.pages
    input: { type: object, properties: { say: { type: string } } }
    price:
      credits: 1
      per: { unit: page, from: /usage/pages, credits: 2, first: 1 }
      max: 40
  - id: meter.header
    route: GET /header
    tool: meter.header
    input: { type: object, properties: { say: { type: string } } }
    price: { per: { unit: page, from: "header:X-Pages", credits: 2 }, max: 40, missing: max }
  - id: meter.chat
    route: GET /chat
    price:
      per:
        - { unit: input token, from: /usage/in, credits: 0.1, step: 10 }
        - { unit: output token, from: /usage/out, credits: 0.2, step: 10 }
      max: 20
`

describe.skipIf(without)('an upstream that says its units', () => {
  const ground = x402Ground({ buyerAtomic: 100_000_000n })
  const { start, ownSigner } = x402Gateways(ground, () => ({
    PRODUCT_UPSTREAM_URL: upstream.url,
  }))
  let upstream: TestUpstream
  let gateway: GatewayProcess
  let cut = (): unknown => undefined
  /** How many of the next streams that are asked to stall do. */
  let stalls = 0

  beforeAll(async () => {
    upstream = await startUpstream((incoming, response) => {
      const url = new URL(incoming.url ?? '', 'http://x')
      const say = url.searchParams.get('say') ?? ''
      if (url.pathname === '/header') {
        response.writeHead(200, {
          'content-type': 'application/json',
          ...(say !== '' && { 'x-pages': say }),
          'x-charged-units': 'page=0',
          'x-usage': 'page=0',
          'x-price-capped': '1',
        })
        return response.end('{}')
      }
      if (url.pathname === '/pages') {
        response.writeHead(200, { 'content-type': 'application/json' })
        const text = say === '' ? '{}' : `{"usage":{"pages":${say}}}`
        for (const piece of text.match(/.{1,5}/g) ?? []) response.write(piece)
        return response.end()
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: {"text":"hi","usage":null}\n\n')
      response.write('data: {"text":"there","usage":{"in":25,"out":11}}\n\n')
      if (say === 'breaks') return (cut = () => response.socket?.destroy())
      if (say === 'stalls' && stalls-- > 0) return undefined
      return response.end('data: {"usage":{"in":25,"out":101}}\n\ndata: [DONE]\n\n')
    })
    ground.closing(() => upstream.close())
    gateway = await start(ownSigner())
    const put = await gateway.call('PUT', '/v1/admin/products/meter', {
      headers: {
        authorization: `Bearer ${gateway.adminToken}`,
        'content-type': 'application/yaml',
      },
      body: PRODUCT,
    })
    if (put.status >= 300) throw new Error(put.text)
  })

  /** Reads until the second event is there. */
  async function begin(answer: Response): Promise<ReadableStreamDefaultReader<Uint8Array>> {
    const reader = answer.body!.getReader()
    const decoder = new TextDecoder()
    for (let text = ''; !text.includes('there');) {
      const { done, value } = await reader.read()
      if (done) throw new Error(`the stream ended after ${text}`)
      text += decoder.decode(value, { stream: true })
    }
    return reader
  }
  /** Has the upstream break off what its reader has begun to read. */
  async function breakOff(answer: Response): Promise<void> {
    const reader = await begin(answer)
    cut()
    await expect(reader.read()).rejects.toThrow()
  }
  const balanceOf = async (key: string): Promise<number> =>
    (await gateway.call('GET', '/v1/credits/balance', { headers: { 'x-api-key': key } })).json
      .credits
  const metric = async (name: string, skill: string): Promise<string | undefined> => {
    const { text } = await gateway.call('GET', '/metrics?format=prom')
    return text.split('\n').find((line) => line.startsWith(`${name}{skill="${skill}"}`))
  }

  describe('on a balance', () => {
    it.each<[string, number, string | null, string | null]>([
      ['1', 1, 'page=1', null],
      ['4', 7, 'page=4', null],
      ['3.2', 7, 'page=4', null],
      ['1000', 40, 'page=1000', 'capped'],
      ['-7', 1, null, 'measure-missing'],
      ['"4"', 1, null, 'measure-missing'],
      ['1e99', 1, null, 'measure-missing'],
      ['', 1, null, 'measure-missing'],
    ])('is charged for what it says over HTTP and MCP: %s', async (say, charged, units, note) => {
      const { key } = await gateway.key(100)
      const headers = { 'x-api-key': key }
      const path = `/v1/meter/pages?say=${encodeURIComponent(say)}`
      const answer = await gateway.call('GET', path, { headers })
      expect(answer.status).toBe(200)
      expect(
        ['x-charged-credits', 'x-charged-units', 'x-charge-note', 'x-balance-credits'].map((name) =>
          answer.headers.get(name),
        ),
      ).toEqual([String(charged), units, note, String(100 - charged)])
      expect(answer.headers.get('x-usage')).toBe(units)
      expect(answer.headers.get('x-price-capped')).toBe(note === 'capped' ? '1' : null)
      const called = await gateway.call('POST', '/mcp', {
        headers: { ...headers, accept: 'application/json, text/event-stream' },
        body: {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'meter.pages', arguments: { say } },
        },
      })
      const meta = called.json.result._meta['coinop/call']
      expect(meta).toMatchObject({
        chargedCredits: charged,
        chargedUnits: { page: units === null ? null : Number(units.slice(5)) },
      })
      expect(meta.capped).toBe(note === 'capped' ? true : undefined)
      expect(meta.measureMissing).toBe(note === 'measure-missing' ? true : undefined)
      expect(await balanceOf(key)).toBe(100 - 2 * charged)
    })

    it('counts what was capped and what had no measure', async () => {
      expect(await metric('gateway_charges_capped_total', 'meter.pages')).toMatch(/ 2$/)
      expect(await metric('gateway_measures_missing_total', 'meter.pages')).toMatch(/ 8$/)
    })

    it('reads a header on both ways in, and writes its own receipt', async () => {
      const { key } = await gateway.key(100)
      const headers = { 'x-api-key': key }
      const answer = await gateway.call('GET', '/v1/meter/header?say=3', { headers })
      expect(answer.headers.get('x-charged-credits')).toBe('6')
      expect(answer.headers.get('x-charged-units')).toBe('page=3')
      expect(answer.headers.get('x-usage')).toBe('page=3')
      expect(answer.headers.get('x-price-capped')).toBeNull()
      const silent = await gateway.call('GET', '/v1/meter/header', { headers })
      expect(silent.headers.get('x-charged-credits')).toBe('40')
      expect(silent.headers.get('x-usage')).toBeNull()
      const called = await gateway.call('POST', '/mcp', {
        headers: { ...headers, accept: 'application/json, text/event-stream' },
        body: {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'meter.header', arguments: { say: '5' } },
        },
      })
      expect(called.json.result._meta['coinop/call'].chargedCredits).toBe(10)
    })

    it('charges a stream at its end, which its reader may wait for', async () => {
      const { key } = await gateway.key(100)
      const answer = await fetch(`${gateway.url}/v1/meter/chat`, { headers: { 'x-api-key': key } })
      expect(answer.headers.get('x-charged-credits')).toBeNull()
      expect(answer.headers.get('x-held-credits')).toBe('20')
      expect(await answer.text()).toMatch(/DONE/)
      // 3 tens of input tokens, 11 of output tokens.
      expect(await balanceOf(key)).toBe(100 - 2.5)
    })

    it('charges a stream that breaks off for what was seen', async () => {
      const { key } = await gateway.key(100)
      const answer = await fetch(`${gateway.url}/v1/meter/chat?say=breaks`, {
        headers: { 'x-api-key': key },
      })
      await breakOff(answer)
      await vi.waitFor(async () => expect(await balanceOf(key)).toBe(100 - 0.7), PATIENT)
    })
  })

  describe('by x402', () => {
    const pay = () =>
      wrapFetchWithPayment(
        fetch,
        new x402Client().register('eip155:8453', new UptoEvmScheme(ground.buyer)),
      )

    it('is offered up to its maximum, and by nothing that takes all of it', async () => {
      const challenge = (await challengeOf(gateway, '/v1/meter/pages', { method: 'GET' })) as {
        accepts: { scheme: string; amount: string }[]
      }
      expect(challenge.accepts.map(({ scheme, amount }) => [scheme, amount])).toEqual([
        ['upto', '400000'],
      ])
    })

    it.each<[string, bigint]>([
      ['4', 70_000n],
      ['1000', 400_000n],
      ['-1', 10_000n],
    ])('takes what was measured from an unmodified client: %s', async (say, amount) => {
      const before = await ground.received()
      const answer = await pay()(`${gateway.url}/v1/meter/pages?say=${say}`)
      expect(answer.status).toBe(200)
      expect(decodePaymentResponseHeader(answer.headers.get('payment-response')!)).toMatchObject({
        success: true,
        amount: String(amount),
      })
      expect((await ground.received()) - before).toBe(amount)
    })

    it('takes what was measured of a stream, at its end and once', async () => {
      for (const [say, amount] of [
        ['', 25_000n],
        ['breaks', 7_000n],
      ] as const) {
        const before = await ground.received()
        const answer = await pay()(`${gateway.url}/v1/meter/chat?say=${say}`)
        expect(answer.headers.get('x-held-credits')).toBe('20')
        await (say === 'breaks' ? breakOff(answer) : answer.text())
        await vi.waitFor(
          async () => expect((await ground.received()) - before).toBe(amount),
          PATIENT,
        )
      }
    })

    it('takes nothing where nothing was measured, and the payment stays good', async () => {
      const path = '/v1/meter/header'
      const challenge = await challengeOf(gateway, path, { method: 'GET' })
      const payment = encode(await signPermit2(ground.buyer, offerIn(challenge, 'upto', 'permit2')))
      const headers = { 'payment-signature': payment }
      const before = await ground.received()
      const free = await gateway.call('GET', `${path}?say=0`, { headers })
      expect(free.headers.get('x-charged-credits')).toBe('0')
      expect(await ground.received()).toBe(before)
      const paid = await gateway.call('GET', `${path}?say=1`, { headers })
      expect(paid.headers.get('x-charged-credits')).toBe('2')
      expect((await ground.received()) - before).toBe(20_000n)
    })

    it('takes nothing when the gateway is killed in a stream, and the payment is good again', async () => {
      stalls = 1
      const path = '/v1/meter/chat?say=stalls'
      const doomed = await start(ownSigner())
      const offer = offerIn(await challengeOf(doomed, path, { method: 'GET' }), 'upto', 'permit2')
      const headers = { 'payment-signature': encode(await signPermit2(ground.buyer, offer)) }
      const before = await ground.received()
      const reader = await begin(await fetch(doomed.url + path, { headers }))
      expect((await fetch(doomed.url + path, { headers })).status).toBe(409)
      await doomed.kill()
      await reader.cancel().catch(() => {})
      await ground.expireLeases()
      const again = await fetch(gateway.url + path, { headers })
      expect([again.status, await again.text()]).toEqual([200, expect.stringContaining('DONE')])
      await vi.waitFor(
        async () => expect((await ground.received()) - before).toBe(25_000n),
        PATIENT,
      )
    })

    it('takes what a tool call was measured', async () => {
      const before = await ground.received()
      const called = async (meta: object) =>
        (
          await gateway.call('POST', '/mcp', {
            headers: { accept: 'application/json, text/event-stream' },
            body: {
              jsonrpc: '2.0',
              id: 1,
              method: 'tools/call',
              params: { name: 'meter.pages', arguments: { say: '4' }, _meta: meta },
            },
          })
        ).json.result
      const unpaid = (await called({})).structuredContent
      const payment = await signPermit2(ground.buyer, offerIn(unpaid, 'upto', 'permit2'))
      const { _meta: meta } = await called({ 'x402/payment': payment })
      expect(meta['coinop/call']).toMatchObject({ chargedCredits: 7, chargedUnits: { page: 4 } })
      expect(meta['x402/payment-response']).toMatchObject({ success: true, amount: '70000' })
      expect((await ground.received()) - before).toBe(70_000n)
    })
  })
})
