/** A 402 leads somewhere: people to the pages of their account, programs to the routes that sell. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startGateway, type GatewayProcess } from '../support/gateway.ts'

let gateway: GatewayProcess
beforeAll(async () => {
  gateway = await startGateway({ SANDBOX_CHAIN: 'false' })
})
afterAll(() => gateway.stop())

const PAID = '/v1/paid/hash'
const buy = (key: string) =>
  gateway.call('POST', PAID, { body: { input: 'a' }, headers: { 'x-api-key': key } })

/** The text of a tool's result. */
async function tool(headers: Record<string, string> = {}): Promise<any> {
  const { json } = await gateway.call('POST', '/mcp', {
    body: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'demo.hash', arguments: { input: 'a' } },
    },
    headers: {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
      ...headers,
    },
  })
  return json.result
}

it('the 402 of a stranger names the page to buy at, and that page is there', async () => {
  const { status, json } = await gateway.call('POST', PAID, { body: { input: 'a' } })
  expect(status).toBe(402)
  expect(json.prepaid).toMatchObject({
    buyUrl: `${gateway.url}/account/buy`,
    accountUrl: `${gateway.url}/account`,
  })
  const page = await fetch(json.prepaid.buyUrl, { redirect: 'manual' })
  expect(page.status).toBe(303)
  expect(page.headers.get('location')).toContain('/account/sign-in?next=')
})

it('an empty balance and a used-up budget name theirs', async () => {
  const { key } = await gateway.key(0)
  expect((await buy(key)).problem).toMatchObject({
    message: expect.stringContaining(`top up at ${gateway.url}/account/buy`),
    details: { accountUrl: `${gateway.url}/account/buy` },
  })
  const limited = await gateway.key(100, { dailySpendCeiling: 1 })
  const refused = await buy(limited.key)
  expect(refused.status).toBe(429)
  expect(refused.problem).toMatchObject({
    message: expect.stringContaining(`${gateway.url}/account/apps`),
    details: { accountUrl: `${gateway.url}/account/apps` },
  })
})

it('an assistant reads the same in the result of a tool', async () => {
  const unpaid = await tool()
  expect(unpaid.isError).toBe(true)
  expect(JSON.stringify(unpaid)).toContain(`${gateway.url}/account/buy`)
  const limited = await gateway.key(100, { dailySpendCeiling: 1 })
  const refused = await tool({ 'x-api-key': limited.key })
  expect(refused.isError).toBe(true)
  expect(refused.content[0].text).toContain(`${gateway.url}/account/apps`)
})
