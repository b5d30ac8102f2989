/** Skills that ask the operator's model: a chat endpoint on loopback that answers as it is told. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { startGateway, type Answer, type GatewayProcess } from '../support/gateway.ts'
import { startUpstream, type TestUpstream } from '../support/upstream.ts'

interface ChatRequest {
  model: string
  messages: { role: string; content: string }[]
}

const API_KEY = 'sk-model-secret-of-the-operator'
let model: TestUpstream
let gateway: GatewayProcess
let key: string
let reply: { status: number; content: string }
let asked: ChatRequest[]

beforeAll(async () => {
  model = await startUpstream((incoming, response) => {
    let body = ''
    incoming.on('data', (chunk: Buffer) => (body += chunk.toString()))
    incoming.on('end', () => {
      asked.push(JSON.parse(body) as ChatRequest)
      response.writeHead(reply.status, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ choices: [{ message: { content: reply.content } }] }))
    })
  })
  gateway = await startGateway({
    SANDBOX_CHAIN: 'false',
    ENRICHMENT_URL: model.url,
    ENRICHMENT_MODEL: 'test-model',
    ENRICHMENT_API_KEY: API_KEY,
  })
  key = (await gateway.key(500)).key
})
afterAll(async () => {
  await gateway?.stop()
  await model?.close()
})
beforeEach(() => {
  asked = []
  reply = { status: 200, content: '{}' }
})

const LETTER = 'Dear all, Amina Otieno moved to Kisumu in 2019. She repairs violins.'
const extract = (more: object = {}): Promise<Answer> =>
  gateway.call('POST', '/v1/utils/extract', {
    headers: { 'x-api-key': key },
    body: {
      text: LETTER,
      schema: {
        type: 'object',
        properties: {
          craft: { type: 'string' },
          employer: { type: 'string' },
          moved_in: { type: 'integer' },
        },
      },
      ...more,
    },
  })

const balance = async (): Promise<unknown> =>
  (await gateway.call('GET', '/v1/credits/balance', { headers: { 'x-api-key': key } })).json

it('extract: takes what the document says, drops what it does not, and says which is which', async () => {
  reply.content = 'Sure!\n```json\n{"craft":"violins","employer":"Viol Ltd","moved_in":2019}\n```'
  const { status, json } = await extract()
  expect(status).toBe(200)
  expect(json.data).toEqual({ craft: 'violins', employer: null, moved_in: 2019 })
  expect(json.meta.enrichment).toMatchObject({ model: 'test-model', dropped: 1 })
  expect(json.meta.path['/craft']).toBe('model')
  expect(model.requests.at(-1)).toMatchObject({
    url: '/v1/chat/completions',
    headers: { authorization: `Bearer ${API_KEY}` },
  })
  expect(asked[0]!.messages[1]!.content).toContain(LETTER)
})

it('extract: without the model the answer comes without its values', async () => {
  reply.status = 503
  const { status, json } = await extract()
  expect([status, json.data.craft]).toEqual([200, null])
  expect(json.meta.enrichment.error).toContain('503')
})

it.each([
  ['refuses', 500, '{}'],
  ['babbles', 200, 'I would rather not.'],
  ['breaks off', 200, '{"craft":"vio'],
])('extract: a caller who insists pays nothing when the model %s', async (_, status, content) => {
  reply = { status, content }
  const before = await balance()
  const answer = await extract({ require_llm: true })
  expect([answer.status, answer.json.error.code]).toEqual([503, 'PROCESSING_FAILURE'])
  expect(await balance()).toEqual(before)
})

const INVOICE =
  'INVOICE\nInvoice No: 77\nWork done as agreed for Foo Partners, 12.50 in all\nSubtotal 10.00\nVAT 2.50'
const parse = (tier: string): Promise<Answer> =>
  gateway.call('POST', '/v1/docintel/extract/invoice', {
    headers: { 'x-api-key': key },
    body: { text: INVOICE, tier },
  })

it('docintel: tier L fills gaps with values of the document only', async () => {
  reply.content = JSON.stringify({
    buyer: { name: 'Foo Partners' },
    merchant: { name: 'Invented Traders', address: '1 Invented Road' },
    issued_at: '2024-01-01',
  })
  const { status, json } = await parse('L')
  expect(status).toBe(200)
  expect(json.buyer).toEqual({ name: 'Foo Partners', tax_id: null })
  expect([json.merchant.address, json.issued_at]).toEqual([null, null])
  expect(json.warnings).toContain('model_values_not_in_document_dropped')
})

it('docintel: tier S never asks, and tier L is uncharged when the model fails', async () => {
  expect((await parse('S')).status).toBe(200)
  expect(asked).toEqual([])
  reply.status = 429
  const before = await balance()
  const failed = await parse('L')
  expect(await balance()).toEqual(before)
  expect([failed.status, failed.json.error.code]).toEqual([503, 'PROCESSING_FAILURE'])
  expect(gateway.output()).not.toContain(API_KEY)
})
