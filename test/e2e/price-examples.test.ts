/** Every product of products/examples, loaded by the real gateway and called: what each kind of price charges. */
import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyLedger } from '../../host/reporting/verify.ts'
import { ProductFiles } from '../../host/product-files/files.ts'
import { DECLARED } from '../support/declared.ts'
import { testDatabase, type TestDatabase } from '../support/database.ts'
import { startGateway, type GatewayProcess } from '../support/gateway.ts'
import { silentLog } from '../support/log.ts'
import { startUpstream, type TestUpstream } from '../support/upstream.ts'

const folder = resolve(import.meta.dirname, '../../products')

let database: TestDatabase
let upstream: TestUpstream
let gateway: GatewayProcess
let key: { id: string; key: string }
beforeAll(async () => {
  database = await testDatabase()
  upstream = await startUpstream((request, response) => {
    void body(request).then((input) => answer(response, request.url ?? '', input))
  })
  gateway = await startGateway({
    DATABASE_URL: database.url,
    PRODUCTS_DIR: join(folder, 'examples'),
    PRODUCT_EXAMPLE_URL: upstream.url,
    ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
    SANDBOX_CHAIN: 'false',
  })
  key = await gateway.key(1000)
})
afterAll(async () => {
  await gateway.stop()
  await upstream.close()
  await database.close()
})

async function body(request: AsyncIterable<Buffer>): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString()
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
}

/** What the upstream of the examples says, as its caller asks for. */
function answer(response: ServerResponse, url: string, input: Record<string, unknown>): void {
  const json = (value: object, headers: Record<string, string> = {}) =>
    response
      .writeHead(200, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(value))
  if (url === '/read') json({ text: '…', usage: { pages: input['pages'] } })
  else if (url === '/complete' && input['stream'] === true) {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('data: {"text":"he","usage":{"input_tokens":1500,"output_tokens":1}}\n\n')
    response.write('data: {"text":"llo","usage":{"input_tokens":1500,"output_tokens":3200}}\n\n')
    response.end('data: [DONE]\n\n')
  } else if (url === '/complete')
    json({ text: 'hello', usage: { input_tokens: 1500, output_tokens: 20 } })
  else if (url === '/v1/responses' && input['stream'] === true) {
    const usage = { input_tokens: 1500, output_tokens: 3200 }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('data: {"type":"response.created","response":{"usage":null}}\n\n')
    response.end(`data: ${JSON.stringify({ type: 'response.completed', response: { usage } })}\n\n`)
  } else if (url === '/v1/responses')
    json({ output: [], usage: { input_tokens: 1500, output_tokens: 20 } })
  else if (url === '/translate') {
    const { text } = input
    json({ text: '…' }, typeof text === 'string' ? { 'x-characters': String(text.length) } : {})
  } else if (url.startsWith('/file/')) {
    response
      .writeHead(200, { 'content-type': 'application/octet-stream' })
      .end(Buffer.alloc(1_500_000))
  } else json({ url })
}

async function call(method: string, path: string, input?: object) {
  const { status, headers, text } = await gateway.call(method, path, {
    headers: { 'x-api-key': key.key },
    ...(input && { body: input }),
  })
  expect([status, text.slice(0, 300)]).toEqual([200, expect.anything()])
  return {
    charged: Number(headers.get('x-charged-credits')),
    units: headers.get('x-charged-units'),
    note: headers.get('x-charge-note'),
  }
}
const balance = async () =>
  (await gateway.call('GET', '/v1/credits/balance', { headers: { 'x-api-key': key.key } })).json
    .credits as number

it('every example is loaded and sold', async () => {
  const files = readdirSync(join(folder, 'examples')).filter((name) => name.endsWith('.yaml'))
  const { json } = await gateway.call('GET', '/v1/products')
  // The plans sell no skill.
  expect(json.products.map((one: any) => one.product_id)).toContain('plans')
  expect(json.products).toHaveLength(files.length)
})

it('none of them is, where the folder above them is loaded', async () => {
  const files = new ProductFiles({ dir: folder, env: {}, variables: DECLARED, log: silentLog })
  const { documents, broken } = await files.scan(false)
  expect(broken).toEqual([])
  expect([...documents.keys()]).toContain('demo')
  expect([...documents.keys()].filter((id) => id.startsWith('example'))).toEqual([])
})

it('and they say what a call would cost, and what the key has left for it', async () => {
  const { json } = await gateway.call('POST', '/v1/quote', {
    headers: { 'x-api-key': key.key },
    body: { tool: 'example.per_page', units: { page: 12 } },
  })
  expect(json).toMatchObject({
    estimate: { credits: 23 },
    atMost: { credits: 40 },
    account: { apiKeyId: key.id, allowed: true },
  })
})

describe('charges', () => {
  it('flat', async () => {
    expect(await call('GET', '/v1/example-flat/postcode/1010')).toMatchObject({ charged: 0.5 })
  })

  it('graduated: the first calls of the month at the first tier', async () => {
    expect(await call('GET', '/v1/example-graduated/company/1')).toMatchObject({ charged: 2 })
  })

  it('free calls, and those after them', async () => {
    const charges: number[] = []
    for (const text of ['a', 'b', 'c']) {
      charges.push((await call('GET', `/v1/example-free/address/${text}`)).charged)
    }
    expect(charges).toEqual([0, 0, 1])
  })

  it.each([
    [1, 1, null],
    [12, 23, null],
    [20, 39, null],
    [21, 40, 'capped'],
  ])('per page: %i pages', async (pages, credits, note) => {
    expect(await call('POST', '/v1/example-per-page/read', { pages })).toEqual({
      charged: credits,
      units: `page=${pages}`,
      note,
    })
  })

  it('per page: the base, where the upstream says no number', async () => {
    expect(await call('POST', '/v1/example-per-page/read', {})).toEqual({
      charged: 1,
      units: null,
      note: 'measure-missing',
    })
  })

  it('tokens in and out', async () => {
    expect(await call('POST', '/v1/example-tokens/complete', { prompt: 'hi' })).toMatchObject({
      charged: 0.3,
      units: 'input token=1500, output token=20',
    })
  })

  it('tokens of a stream, at its end', async () => {
    const before = await balance()
    const streamed = await fetch(`${gateway.url}/v1/example-tokens/complete`, {
      method: 'POST',
      headers: { 'x-api-key': key.key, 'content-type': 'application/json' },
      body: JSON.stringify({ prompt: 'hi', stream: true }),
    })
    expect(await streamed.text()).toContain('[DONE]')
    // 2 × 0.05 for 1,500 input tokens, 4 × 0.2 for 3,200 output tokens.
    await expect.poll(async () => Math.round((before - (await balance())) * 1e4) / 1e4).toBe(0.9)
  })

  it('tokens that an answer and its stream have at different places', async () => {
    expect(await call('POST', '/v1/example-models/v1/responses', {})).toMatchObject({
      charged: 0.3,
      units: 'input token=1500, output token=20',
    })
    const before = await balance()
    const streamed = await fetch(`${gateway.url}/v1/example-models/v1/responses`, {
      method: 'POST',
      headers: { 'x-api-key': key.key, 'content-type': 'application/json' },
      body: JSON.stringify({ stream: true }),
    })
    expect(await streamed.text()).toContain('response.completed')
    await expect.poll(async () => Math.round((before - (await balance())) * 1e4) / 1e4).toBe(0.9)
  })

  it('refuses a stream of chat that would not say its tokens', async () => {
    const chat = (more: object) =>
      gateway.call('POST', '/v1/example-models/v1/chat/completions', {
        headers: { 'x-api-key': key.key },
        body: { model: 'm', messages: [], ...more },
      })
    expect((await chat({ stream: true })).json.error).toMatchObject({
      code: 'INVALID_INPUT',
      details: { issues: [{ path: '/stream_options' }] },
    })
    const asked = await chat({ stream: true, stream_options: { include_usage: true } })
    expect(asked.status).toBe(200)
  })

  it('bytes, by the megabyte begun', async () => {
    const before = await balance()
    const file = await fetch(`${gateway.url}/v1/example-bytes/file/a`, {
      headers: { 'x-api-key': key.key },
    })
    expect((await file.arrayBuffer()).byteLength).toBe(1_500_000)
    await expect.poll(async () => Math.round((before - (await balance())) * 1e4) / 1e4).toBe(1.1)
  })

  it('seconds begun', async () => {
    const { charged, units } = await call('POST', '/v1/example-seconds/job', {})
    expect(charged).toBe(0.25 * Number(units!.split('=')[1]))
    expect(charged).toBeGreaterThan(0)
  })

  it.each([
    [400, 0.5],
    [500, 0.5],
    [501, 1.5],
    [2500, 2.5],
  ])('packages: %i characters', async (characters, credits) => {
    const input = { text: 'x'.repeat(characters) }
    expect(await call('POST', '/v1/example-packages/translate', input)).toMatchObject({
      charged: credits,
      units: `character=${characters}`,
    })
  })

  it('packages: the maximum, where the header is missing', async () => {
    expect(await call('POST', '/v1/example-packages/translate', {})).toMatchObject({
      charged: 20,
      note: 'measure-missing',
    })
  })
})

it('leaves a ledger whose graduated charges follow the price table', async () => {
  const { sql } = database.db
  expect(await verifyLedger(sql)).toMatchObject({ ok: true, violations: [] })
  await sql`UPDATE coinop.hold SET captured = captured - 1
    WHERE skill_id LIKE 'example-graduated.%' AND state = 'captured'`
  const { violations } = await verifyLedger(sql)
  expect(violations.map(({ invariant }) => invariant)).toContain('graduated_charges_follow_prices')
})
