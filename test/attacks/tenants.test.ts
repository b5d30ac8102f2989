/**
 * Two accounts. What belongs to the first is asked for by the second, on every operation of the OpenAPI
 * document that a key may call: by ids, by cursors, by Idempotency-Keys, by filters. And what is secret
 * stands in no line of the log.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { operationsOf } from '../fuzz/operations.ts'
import { testDatabase, type TestDatabase } from '../support/database.ts'
import { startGateway, type Answer, type GatewayProcess } from '../support/gateway.ts'

const MARK = 'BELONGS-TO-THE-FIRST'
const MASTER_KEY = Buffer.from('a master key of thirty-two bytes').toString('base64')
const UPSTREAM_SECRET = 'upstream-secret-4b1f'

let database: TestDatabase
let gateway: GatewayProcess
let first: { id: string; key: string }
let second: { id: string; key: string }
/** Everything by which the first's things are known. */
const ids = new Map<string, string>()
const secrets: string[] = []

beforeAll(async () => {
  database = await testDatabase()
  gateway = await startGateway({
    DATABASE_URL: database.url,
    COINOP_MASTER_KEY: MASTER_KEY,
    SANDBOX: 'true',
    SANDBOX_CHAIN: 'false',
    LOG_LEVEL: 'debug',
    RATE_LIMIT_RPM: '100000',
    RATE_LIMIT_BURST: '100000',
    WEATHER_SECRET: UPSTREAM_SECRET,
  })
  first = await gateway.key(1000, {})
  second = await gateway.key(1000, {})
  secrets.push(first.key, second.key, gateway.adminToken, MASTER_KEY, UPSTREAM_SECRET)
  const own = async (
    method: string,
    path: string,
    body?: object,
    headers = {},
  ): Promise<Answer> => {
    const answer = await gateway.call(method, path, {
      body,
      headers: { 'x-api-key': first.key, ...headers },
    })
    expect(answer.status, `${path}: ${answer.text}`).toBeLessThan(300)
    return answer
  }
  const held = await own('POST', '/v1/credits/authorize', {
    requestId: `${MARK}-request`,
    skill: 'demo.echo',
    amountCredits: 2,
  })
  ids.set('holdId', held.json.authorizationId)
  const echo = await own(
    'POST',
    '/v1/paid/echo',
    { message: MARK },
    { 'idempotency-key': 'shared-name' },
  )
  ids.set('requestId', echo.headers.get('x-request-id')!)
  const made = await gateway.admin('POST', '/v1/admin/webinfra/endpoints', {
    name: `${MARK} endpoint`,
    apiKeyId: first.id,
    verification: { scheme: 'github', secret: 'webhook-secret-77aa' },
    destinations: [{ url: 'https://hooks.example.com/a' }],
  })
  expect(made.status, made.text).toBe(201)
  ids.set('endpointId', made.json.id)
  secrets.push('webhook-secret-77aa')
  for (const found of made.text.matchAll(/"(whsec_[^"]+)"/g)) secrets.push(found[1]!)
  const rows = (await own('GET', '/v1/usage')).json.rows
  ids.set('ledgerId', rows[0].id)
  ids.set('apiKeyId', first.id)
  ids.set('accountId', (await own('GET', '/v1/account')).json.accountId)
  const jwt = await gateway.admin('POST', `/v1/keys/${first.id}/jwt`)
  secrets.push(jwt.json.token)
  for (const [name, id] of ids) expect(id, name).toBeTruthy()
  for (const secret of secrets) expect(secret).toBeTruthy()
})
afterAll(async () => {
  await gateway.stop()
  await database.close()
})

const asSecond = (
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
) => gateway.call(method, path, { body, headers: { 'x-api-key': second.key, ...headers } })

/** None of the first's things in it, but what was asked for by name. */
function expectNothingOf(answer: Answer, asked: string): void {
  for (const thing of [MARK, ...ids.values()]) {
    if (!asked.includes(thing)) expect(answer.text, asked).not.toContain(thing)
  }
}

it('every operation of a key gives the second nothing of the first', async () => {
  const document = (await gateway.call('GET', '/openapi.json')).json
  let asked = 0
  for (const operation of operationsOf(document)) {
    const isAdmin = operation.security.length === 1 && operation.security[0] === 'bearer'
    for (const id of ids.values()) {
      const path = operation.path.replaceAll(/\{[^}]+\}/g, encodeURIComponent(id))
      const named = operation.parameters
        .filter((one) => one.in === 'query')
        .map((one) => `${one.name}=${encodeURIComponent(id)}`)
      for (const query of ['', ...named.map((one) => `?${one}`)]) {
        const body = operation.body
          ? {
              ...Object.fromEntries(ids),
              id,
              amount: 1,
              message: 'mine',
              requestId: id,
              holdId: id,
            }
          : undefined
        const answer = await asSecond(operation.method, path + query, body)
        asked++
        const request = `${operation.method} ${path}${query} ${JSON.stringify(body)}`
        if (isAdmin)
          expect([401, 403, 404], `${request}: ${answer.status}`).toContain(answer.status)
        if (answer.text.length < 300_000) expectNothingOf(answer, request)
        expect(answer.status, request).not.toBe(500)
      }
    }
  }
  expect(asked).toBeGreaterThan(400)
})

it('lists and cursors of the second begin and end with its own', async () => {
  for (const query of [
    '',
    `?before=${ids.get('ledgerId')}`,
    `?requestId=${ids.get('requestId')}`,
    '?limit=1000',
    '?kind=capture',
  ]) {
    const answer = await asSecond('GET', `/v1/usage${query}`)
    expect(answer.status, answer.text).toBeLessThan(500)
    for (const row of answer.json.rows ?? []) expect(row.apiKeyId).toBe(second.id)
  }
})

it("the first's hold is not found by the second, and stays", async () => {
  for (const action of ['capture', 'release']) {
    const answer = await asSecond('POST', `/v1/credits/${action}`, {
      authorizationId: ids.get('holdId'),
    })
    expect(answer.status, answer.text).toBe(404)
  }
  const taken = await gateway.call('POST', '/v1/credits/capture', {
    body: { authorizationId: ids.get('holdId') },
    headers: { 'x-api-key': first.key },
  })
  expect(taken.status, taken.text).toBe(200)
})

it('an Idempotency-Key of the first buys the second an answer of its own', async () => {
  const headers = { 'idempotency-key': 'shared-name' }
  const answer = await asSecond('POST', '/v1/paid/echo', { message: MARK }, headers)
  expect([answer.status, answer.headers.get('x-charged-credits')]).toEqual([200, '1'])
  expect(answer.headers.get('x-request-id')).not.toBe(ids.get('requestId'))
})

it('no secret stands in the log, whatever its level', async () => {
  await gateway.call('POST', '/v1/paid/echo', {
    body: '{"message"',
    headers: { 'x-api-key': first.key },
  })
  await gateway.call('GET', `/v1/account?api_key=${first.key}`, {
    headers: { authorization: `Bearer ${first.key}` },
  })
  await gateway.call('GET', '/v1/keys', {
    headers: { authorization: `Bearer ${gateway.adminToken}x` },
  })
  await gateway.call('POST', '/v1/paid/echo', {
    body: {},
    headers: { 'payment-signature': 'signed-secret-9e21' },
  })
  const printed = gateway.output()
  expect(printed.includes('demo.echo')).toBe(true)
  for (const secret of [...secrets, 'signed-secret-9e21'])
    expect(printed.includes(secret), secret.slice(0, 12)).toBe(false)
})
