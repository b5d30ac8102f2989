/** Documents through the real server: text, an e-invoice PDF, a photo; over HTTP and MCP; money. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { SANS } from '../support/docintel-fixtures/fonts.ts'
import { PROFILES } from '../support/docintel-fixtures/einvoice-profiles.ts'
import { drawScene } from '../support/docintel-fixtures/issuers/scene.ts'
import { photograph } from '../support/docintel-fixtures/photo.ts'
import { writePdf } from '../support/docintel-fixtures/pdf.ts'
import { seeded } from '../support/docintel-fixtures/random.ts'
import { startGateway, type Answer, type GatewayProcess } from '../support/gateway.ts'

const RECEIPT = [
  'BLUE HERON CAFE',
  '12 Canal Street, Leeds LS1 4AB',
  'Receipt No: 00417 | 14/03/2024 09:12',
  'Flat white | 3.20',
  'Almond croissant | 3.90',
  'Total | 7.10',
  'Cash | 10.00',
  'Change | 2.90',
]
const TEXT = RECEIPT.map((line) => line.split(' | ').join('      ')).join('\n')
const INVOICE = PROFILES[0]!

let gateway: GatewayProcess
let key: string
beforeAll(async () => {
  gateway = await startGateway({ SANDBOX_CHAIN: 'false' })
  key = (await gateway.key(100)).key
})
afterAll(async () => {
  expect(await gateway.stop()).toBe(0)
})

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
const parse = (kind: 'receipt' | 'invoice', body: object): Promise<Answer> =>
  gateway.call('POST', `/v1/docintel/extract/${kind}`, { body, headers: { 'x-api-key': key } })
const balance = async (): Promise<number> =>
  (await gateway.call('GET', '/v1/credits/balance', { headers: { 'x-api-key': key } })).json.credits

it('reads a receipt from text for 10 credits', async () => {
  const before = await balance()
  const answer = await parse('receipt', { text: TEXT })
  expect(answer).toMatchObject({
    status: 200,
    json: {
      doc_type: 'receipt',
      merchant: { name: 'BLUE HERON CAFE' },
      document_id: '00417',
      issued_at: '2024-03-14',
      total: 7.1,
      buyer: null,
    },
  })
  expect(answer.headers.get('x-charged-credits')).toBe('10')
  expect(await balance()).toBe(before - 10)
})

it('gives text and evidence where they are asked for', async () => {
  const answer = await parse('receipt', { text: TEXT, include: ['text', 'evidence'] })
  expect(answer).toMatchObject({
    status: 200,
    json: {
      document_kind: 'receipt',
      issued_time: '09:12',
      amount_paid: 7.1,
      tendered: 10,
      change: 2.9,
      evidence: { total: { page: 1, text: expect.stringContaining('7.10') } },
    },
  })
  expect(answer.json.text).toContain('Flat white')
  const plain = await parse('receipt', { text: TEXT })
  expect(plain.json.text).toBeUndefined()
  expect(plain.json.evidence).toBeUndefined()
})

it('reads an e-invoice PDF exactly, and one without XML from its text', async () => {
  const { truth } = INVOICE
  const exact = await parse('invoice', {
    file_base64: base64(
      writePdf({
        pages: [[{ x: 50, y: 60, text: 'Rechnung' }]],
        attachment: { name: 'factur-x.xml', content: INVOICE.xml },
      }),
    ),
    content_type: 'application/pdf',
  })
  expect(exact).toMatchObject({
    status: 200,
    json: {
      document_id: truth.document_id,
      total: truth.total,
      balance_due: truth.due,
      merchant: truth.merchant,
      confidence: { overall: 1 },
    },
  })
  const drawn = await parse('invoice', {
    file_base64: base64(
      drawScene(
        '60 b14: 40 Fern & Co Ltd | 550r INVOICE\n90: 400 Invoice no. | 550r A-77\n104: 400 Date | 550r 3 May 2024\n300: 40 Hedge trimming | 550r £ 80.00\n330 b: 400 Total due | 550r £ 80.00',
      ),
    ),
  })
  expect(drawn).toMatchObject({
    status: 200,
    json: { document_id: 'A-77', issued_at: '2024-05-03', total: 80, currency: 'GBP' },
  })
})

it('reads a photo, the same over MCP', async () => {
  const { bytes } = await photograph(
    RECEIPT,
    { format: 'jpeg', fontSize: 24, tiltDegrees: 0.8, grain: 20, family: SANS },
    seeded(3),
  )
  const input = { file_base64: base64(bytes), content_type: 'image/jpeg' }
  const answer = await parse('receipt', input)
  expect(answer).toMatchObject({ status: 200, json: { total: 7.1, issued_at: '2024-03-14' } })
  const before = await balance()
  const called = await gateway.call('POST', '/mcp', {
    headers: { 'x-api-key': key, accept: 'application/json, text/event-stream' },
    body: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'parse.receipt', arguments: input },
    },
  })
  expect(called.json.result.structuredContent).toEqual(answer.json)
  expect(await balance()).toBe(before - 10)
})

it('invents nothing from masked or empty paper, and charges nothing for the latter', async () => {
  const masked = await parse('receipt', { text: TEXT.replaceAll(/\d+\.\d\d/g, '**.**') })
  expect(masked).toMatchObject({ status: 200, json: { total: null, line_items: [] } })
  const before = await balance()
  const blank = await parse('invoice', {
    file_base64: base64(
      writePdf({ pages: [[{ x: 50, y: 60, text: 'This page is left blank.' }]] }),
    ),
  })
  expect(blank).toMatchObject({ status: 200, json: { doc_type: 'unknown', total: null } })
  expect(blank.headers.get('x-charged-credits')).toBe('0')
  const prose = 'The price of wheat rose by a third, and nobody knows what it will be in May.'
  expect(await parse('receipt', { text: prose })).toMatchObject({ json: { doc_type: 'unknown' } })
  expect(await balance()).toBe(before)
})

it('refuses what it cannot read, uncharged', async () => {
  const before = await balance()
  const refusals: [object, number, string][] = [
    [{}, 400, 'INVALID_INPUT'],
    [{ text: TEXT, file_base64: 'AAAA' }, 400, 'INVALID_INPUT'],
    [{ file_base64: '***' }, 400, 'INVALID_INPUT'],
    [{ text: 'x', content_type: 'image/gif' }, 400, 'INVALID_INPUT'],
    [{ file_base64: base64(Buffer.from('GIF89a\u0000\u0001')) }, 400, 'UNSUPPORTED_FORMAT'],
    [{ file_base64: base64(Buffer.from('%PDF-1.7 broken')) }, 400, 'UNSUPPORTED_FORMAT'],
    [{ text: TEXT, tier: 'L' }, 503, 'PROCESSING_FAILURE'],
  ]
  for (const [body, status, code] of refusals)
    expect(await parse('receipt', body), JSON.stringify(body).slice(0, 60)).toMatchObject({
      status,
      json: { error: { code } },
    })
  expect(await balance()).toBe(before)
  expect(
    await gateway.call('POST', '/v1/docintel/extract/receipt', { body: { text: TEXT } }),
  ).toMatchObject({ status: 402, problem: { code: 'PAYMENT_REQUIRED' } })
})
