/** The shipped relay product from outside: signed senders, x402 buyers, MCP clients, restarts. */
import { ExactEvmScheme } from '@x402/evm'
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { TEST_WALLET } from '../../plugins/x402/sandbox/wallets.ts'
import { startGateway, type GatewayProcess } from '../support/gateway.ts'
import { copyPreparedCluster } from '../support/prepared-cluster.ts'
import { patientProducts } from '../support/products.ts'
import { withoutChain } from '../support/x402/chain.ts'
import { destinationServer, type DestinationServer } from '../support/webinfra-destinations.ts'

const SECRET = "It's a Secret to Everybody"
const without = withoutChain('webhooks paid by x402 on a local chain')

let dataDir: string
let products: string
let gateway: GatewayProcess
let destination: DestinationServer
let owner: { id: string; key: string }

const start = () =>
  startGateway(
    { ALLOW_PRIVATE_TARGETS: '127.0.0.0/8', PRODUCTS_DIR: products },
    { dataDir, keepDataDir: true },
  )

beforeAll(async () => {
  dataDir = copyPreparedCluster(mkdtempSync(join(tmpdir(), 'coinop-webinfra-')))
  products = patientProducts()
  destination = await destinationServer()
  gateway = await start()
})
beforeEach(async () => {
  destination.got.length = 0
  destination.answer(200)
  owner = await gateway.key(1)
})
afterAll(async () => {
  await gateway.stop()
  await destination.close()
  for (const folder of [dataDir, products]) rmSync(folder, { recursive: true, force: true })
})

async function endpoint(fields: Record<string, unknown> = {}): Promise<any> {
  const made = await gateway.admin('POST', '/v1/admin/webinfra/endpoints', {
    name: 'e2e',
    apiKeyId: owner.id,
    verification: { scheme: 'none' },
    destinations: [{ url: destination.url }],
    ...fields,
  })
  expect(made.status).toBe(201)
  return made.json
}
const ingress = ({ id }: { id: string }) => `/v1/webinfra/endpoints/${id}/ingress`
const balance = async (): Promise<number> =>
  (await gateway.call('GET', '/v1/credits/balance', { headers: { 'x-api-key': owner.key } })).json
    .credits
async function tool(name: string, input: object): Promise<any> {
  const answer = await gateway.call('POST', '/mcp', {
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } },
    headers: { 'x-api-key': owner.key, accept: 'application/json, text/event-stream' },
  })
  return answer.json.result
}

it('takes what GitHub signs without any key, once, and bills the owner', async () => {
  const target = await endpoint({ verification: { scheme: 'github', secret: SECRET } })
  const body = '{"zen": "Keep it logically awesome.",  "hook_id": 1}'
  const headers = {
    'x-github-event': 'ping',
    'x-github-delivery': '72d3162e-cc78-11e3-81ab-4c9367dc0958',
    'x-hub-signature-256': `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`,
  }
  const first = await gateway.call('POST', ingress(target), { body, headers })
  expect(first.status).toBe(200)
  expect(first.json).toMatchObject({ accepted: true, duplicate: false, status: 'forwarded' })
  expect(first.headers.get('x-charged-credits')).toBe('0.01')
  const again = await gateway.call('POST', ingress(target), { body, headers })
  expect(again.json).toMatchObject({ duplicate: true, delivery_id: first.json.delivery_id })
  expect(again.headers.get('x-charged-credits')).toBe('0')
  const forged = await gateway.call('POST', ingress(target), { body: `${body} `, headers })
  expect(forged.status).toBe(401)
  expect(await balance()).toBe(0.99)
  expect(destination.got.map((got) => got.body.toString())).toEqual([body])
  expect(destination.got[0]!.headers['x-github-event']).toBe('ping')
})

it('gives MCP tools the same results as the routes', async () => {
  const target = await endpoint()
  const headers = { 'x-api-key': owner.key }
  const byHttp = await gateway.call('POST', ingress(target), {
    body: { deliveryId: 'e1', n: 1 },
    headers,
  })
  const byTool = await tool('relay.webhook', { id: target.id, deliveryId: 'e2', n: 1 })
  const shape = { accepted: true, duplicate: false, delivery_id: expect.any(String) }
  expect(byHttp.json).toEqual({ ...shape, status: 'forwarded' })
  expect(byTool.structuredContent).toEqual({ ...shape, status: 'forwarded' })
  const { ledgerId } = byTool._meta['coinop/call']
  const rows = (await gateway.admin('GET', '/v1/ledger?limit=20')).json.rows
  expect(rows.find((row: any) => row.id === ledgerId)).toMatchObject({ kind: 'capture' })
  const duplicate = await tool('relay.webhook', { id: target.id, deliveryId: 'e1', n: 1 })
  expect(duplicate.structuredContent).toEqual({
    accepted: true,
    duplicate: true,
    delivery_id: byHttp.json.delivery_id,
    status: 'duplicate',
  })

  const { delivery_id } = byHttp.json
  const replayed = { replayed: true, status: 'forwarded', delivery_id }
  const path = `/v1/webinfra/deliveries/${delivery_id}/replay`
  expect((await gateway.call('POST', path, { headers })).json).toEqual(replayed)
  expect((await tool('replay.webhook', { id: delivery_id })).structuredContent).toEqual(replayed)

  destination.answer(500)
  const failing = await gateway.call('POST', ingress(target), { body: {}, headers })
  const id = failing.json.delivery_id
  const conflict = { replayed: false, status: 'conflict', error: 'not_replayable', delivery_id: id }
  const refused = await gateway.call('POST', `/v1/webinfra/deliveries/${id}/replay`, { headers })
  expect([refused.status, refused.json]).toEqual([409, conflict])
  const told = await tool('replay.webhook', { id })
  expect(told.structuredContent).toEqual(conflict)
  expect([told.isError, told._meta['coinop/call'].chargedCredits]).toEqual([true, 0])
  expect(told.content[1].text).toContain('Charged: 0.')
  expect(await balance()).toBe(0.96)
})

it('lists its tools with the annotations and prices of the contract', async () => {
  const listed = await gateway.call('POST', '/mcp', {
    body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    headers: { accept: 'application/json, text/event-stream' },
  })
  const byName = new Map(listed.json.result.tools.map((one: any) => [one.name, one]))
  expect(byName.get('relay.webhook')).toMatchObject({
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
    inputSchema: { type: 'object', required: ['id'] },
  })
  expect(byName.get('replay.webhook')).toMatchObject({
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
    inputSchema: { type: 'object', required: ['id'] },
  })
  const prices = (await gateway.call('GET', '/v1/prices')).json.skills
  for (const skill of ['webinfra.webhook_ingress', 'webinfra.webhook_replay']) {
    expect(prices.find((price: any) => price.skill === skill)).toMatchObject({
      credits: 0.01,
      usdcAtomic: '100',
    })
  }
})

it('keeps secrets and work over a restart', async () => {
  const target = await endpoint({
    verification: { scheme: 'github', secret: SECRET },
    maxAttempts: 50,
  })
  destination.answer(503)
  const headers = { 'x-api-key': owner.key }
  const sent = await gateway.call('POST', ingress(target), { body: {}, headers })
  expect(sent.json.status).toBe('retrying')
  expect(await gateway.stop()).toBe(0)
  destination.answer(200)
  gateway = await start()
  await destination.arrived(2)
  const signature = createHmac('sha256', SECRET).update('{}').digest('hex')
  const signed = await gateway.call('POST', ingress(target), {
    body: '{}',
    headers: { 'x-hub-signature-256': `sha256=${signature}` },
  })
  expect(signed.json.status).toBe('forwarded')
})

describe.skipIf(without)('an x402 buyer without a key', () => {
  const pay = () => {
    const account = privateKeyToAccount(TEST_WALLET.privateKey)
    const client = new x402Client().register('eip155:8453', new ExactEvmScheme(account))
    return wrapFetchWithPayment(fetch, client)
  }
  const buy = (target: { id: string }, body: object) =>
    pay()(gateway.url + ingress(target), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })

  it('pays for the first destination; the owner pays for the others', async () => {
    const target = await endpoint({
      destinations: [{ url: `${destination.url}/1` }, { url: `${destination.url}/2` }],
    })
    const answer = await buy(target, { n: 1 })
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({ accepted: true, status: 'forwarded' })
    const receipt = decodePaymentResponseHeader(answer.headers.get('payment-response')!)
    expect(receipt).toMatchObject({ success: true, network: 'eip155:8453' })
    expect(answer.headers.get('x-charged-credits')).toBe('0.01')
    expect(await balance()).toBe(0.99)
  })

  it('pays nothing when the destination fails or the webhook is a duplicate', async () => {
    const target = await endpoint()
    destination.answer(500)
    const failed = await buy(target, { deliveryId: 'x1' })
    expect(await failed.json()).toMatchObject({ accepted: true, status: 'retrying' })
    expect(failed.headers.get('payment-response')).toBeNull()
    const duplicate = await buy(target, { deliveryId: 'x1' })
    expect(await duplicate.json()).toMatchObject({ duplicate: true })
    expect(duplicate.headers.get('payment-response')).toBeNull()
    destination.answer(200)
    const arrived = destination.got.length
    await destination.arrived(arrived + 1)
    while ((await balance()) !== 0.99) await Bun.sleep(20)
  })

  it('may send the same event again when nobody would pay for a retry', async () => {
    const target = await endpoint({ apiKeyId: null })
    destination.answer(500)
    const failed = await (await buy(target, { deliveryId: 'x2' })).json()
    expect(failed).toMatchObject({ accepted: true, duplicate: false, status: 'failed' })
    destination.answer(200)
    const again = await (await buy(target, { deliveryId: 'x2' })).json()
    expect(again).toMatchObject({ accepted: true, duplicate: false, status: 'forwarded' })
  })

  it('cannot send unsigned to an endpoint that verifies', async () => {
    const target = await endpoint({
      verification: { scheme: 'github', secret: SECRET },
      destinations: [{ url: `${destination.url}/unsigned` }],
    })
    const answer = await buy(target, {})
    expect(answer.status).toBe(401)
    expect(answer.headers.get('payment-response')).toBeNull()
    expect(destination.got.filter(({ path }) => path.endsWith('/unsigned'))).toEqual([])
  })
})
