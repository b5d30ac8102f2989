/** The credit routes count against the key's rate like calls, and holds can be ended at the limit. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { SERVICE_TOKEN } from '../auth/instance.ts'
import { routeHarness, type Answer, type RouteHarness } from './credits-harness.ts'

// One a minute: nothing comes back within the test.
const LIMITS = { rpm: 1, burst: 4 }
let gateway: RouteHarness
beforeAll(async () => {
  gateway = await routeHarness({ limits: LIMITS })
})
afterAll(() => gateway.close())

const hold = (key: string): Promise<Answer> =>
  gateway.as(key, 'POST', '/v1/credits/authorize', {
    requestId: randomUUID(),
    skill: 'any',
    amountCredits: 1,
  })
const end = (key: string, how: 'capture' | 'release', authorizationId: string): Promise<Answer> =>
  gateway.as(key, 'POST', `/v1/credits/${how}`, { authorizationId })

it('balance, usage and authorize share the bucket of calls', async () => {
  const { key } = await gateway.fundedKey(100, { burstLimit: 4 })
  const answers = [
    await hold(key),
    await gateway.as(key, 'GET', '/v1/credits/balance'),
    await gateway.as(key, 'GET', '/v1/usage'),
    await hold(key),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(answers[3]!.headers.get('ratelimit')).toMatch(/^"default";r=0;t=\d+$/)
  for (const refused of [await hold(key), await gateway.as(key, 'GET', '/v1/usage')]) {
    expect([refused.status, refused.json.error.code]).toEqual([429, 'RATE_LIMITED'])
    expect(refused.json.error.details.limit).toBe('rpm')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(refused.headers.get('ratelimit-policy')).toBe('"default";q=1;w=60;burst=4')
  }
})

it('a key at its limit can still end its holds, up to a limit of its own', async () => {
  const { key } = await gateway.fundedKey(100, { burstLimit: 3 })
  const holds = [await hold(key), await hold(key), await hold(key)]
  expect((await hold(key)).status).toBe(429)
  const ids = holds.map(({ json }) => json.authorizationId as string)
  expect((await end(key, 'capture', ids[0]!)).status).toBe(200)
  expect((await end(key, 'release', ids[1]!)).status).toBe(200)
  expect((await end(key, 'capture', ids[2]!)).status).toBe(200)
  expect((await end(key, 'capture', ids[2]!)).status).toBe(200)
  const refused = await end(key, 'capture', ids[2]!)
  expect(refused.status).toBe(429)
  expect(refused.headers.get('ratelimit-policy')).toBe('"default";q=2;w=60;burst=4')
})

it('other keys, and a first-party upstream that bills for a key, are not held up', async () => {
  const { id, key } = await gateway.fundedKey(100, { burstLimit: 1 })
  const other = await gateway.fundedKey(100, { burstLimit: 1 })
  expect((await hold(key)).status).toBe(200)
  expect((await hold(key)).status).toBe(429)
  expect((await hold(other.key)).status).toBe(200)
  const billing = await gateway.send('POST', '/v1/credits/authorize', {
    headers: { 'x-kernel-service-token': SERVICE_TOKEN, 'x-kernel-api-key-id': id },
    body: JSON.stringify({ requestId: 'billed', skill: 'any', amountCredits: 1 }),
  })
  expect(billing.status).toBe(200)
})
