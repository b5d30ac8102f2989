/** specs/openapi.json is what the gateway serves: a change of the API shows in the diff. */
import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compileSchema } from '../../kernel/schema/json.ts'
import { startGateway, type Answer, type GatewayProcess } from '../support/gateway.ts'

let gateway: GatewayProcess
beforeAll(async () => {
  gateway = await startGateway({ SANDBOX_CHAIN: 'false' })
})
afterAll(async () => {
  await gateway.stop()
})

it('matches the published document (npx vitest run test/e2e/openapi.test.ts -u writes it anew)', async () => {
  const served = (await gateway.call('GET', '/openapi.json')).text.replaceAll(
    gateway.url,
    'http://127.0.0.1:4020',
  )
  const text = `${JSON.stringify(JSON.parse(served), null, 2)}\n`
  await expect(text).toMatchFileSnapshot(resolve(import.meta.dirname, '../../specs/openapi.json'))
})

interface Media {
  schema?: object
  example?: unknown
}
interface Operation {
  operationId: string
  summary: string
  description: string
  tags: string[]
  security: Record<string, string[]>[]
  requestBody?: { content: Record<string, Media> }
  parameters?: { name?: string; in?: string; $ref?: string }[]
  responses: Record<
    string,
    { description: string; headers?: Record<string, unknown>; content?: Record<string, Media> }
  >
}
interface Document {
  info: { contact?: { email?: string }; license?: { name: string }; description: string }
  servers: { url: string }[]
  tags: { name: string; description?: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, unknown>; securitySchemes: Record<string, unknown> }
}

it('is a sound document: references resolve, ids are unique, path parameters are declared', async () => {
  const document = (await gateway.call('GET', '/openapi.json')).json as Document
  const references = JSON.stringify(document).matchAll(/"\$ref":"#(\/components\/[^"]+)"/g)
  for (const [, pointer] of references) {
    const found = pointer!
      .split('/')
      .slice(1)
      .reduce<unknown>((at, name) => (at as Record<string, unknown>)?.[name], document)
    expect([pointer, found]).not.toEqual([pointer, undefined])
  }
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.values(methods).map((operation) => ({ path, operation })),
  )
  const ids = operations.map(({ operation }) => operation.operationId)
  expect(new Set(ids).size).toBe(ids.length)
  for (const { path, operation } of operations) {
    const declared = (operation.parameters ?? []).filter((one) => one.in === 'path')
    expect(declared.map((one) => `{${one.name}}`)).toEqual(path.match(/\{[^}]+\}/g) ?? [])
  }
})

// What the recommended rules of Redocly CLI and of Spectral (spectral:oas) ask for, both clean in 2026-11.
it('says what linters of API descriptions ask for', async () => {
  const document = (await gateway.call('GET', '/openapi.json')).json as Document
  const { info, servers, tags, components } = document
  expect([info.license?.name, info.contact?.email]).toEqual(['Apache 2.0', undefined])
  expect(info.description).toBeTruthy()
  expect(servers.every(({ url }) => /^https?:.*[^/]$/.test(url))).toBe(true)
  expect(tags.filter(({ description }) => !description)).toEqual([])
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))
  const lacking = operations.filter(({ summary, description, security, responses }) => {
    const statuses = Object.keys(responses)
    const has = (first: string) => statuses.some((status) => status.startsWith(first))
    return !(summary && description && security && has('2') && has('4'))
  })
  expect(lacking.map(({ operationId }) => operationId)).toEqual([])
  for (const { operationId } of operations) expect(operationId).toMatch(/^[A-Za-z]\w*$/)
  expect(Object.keys(document.paths).filter((path) => /[?#]|.\/$|\{\}/.test(path))).toEqual([])
  const schemes = operations.flatMap(({ security }) => security.flatMap(Object.keys))
  expect(new Set(schemes)).toEqual(new Set(Object.keys(components.securitySchemes)))
  const bodies = operations.flatMap(({ operationId, requestBody, responses }) =>
    [requestBody?.content, ...Object.values(responses).map(({ content }) => content)]
      .flatMap((content) => Object.values(content ?? {}))
      .map((media) => ({ operationId, ...media })),
  )
  const examples = bodies.filter(({ example }) => example !== undefined)
  expect(examples.length).toBeGreaterThanOrEqual(10)
  for (const { operationId, schema, example } of examples)
    expect([operationId, compileSchema({ ...schema, components }).issues(example)]).toEqual([
      operationId,
      [],
    ])
})

it('groups every operation, what is sold first', async () => {
  const { tags, paths } = (await gateway.call('GET', '/openapi.json')).json as Document
  const names = tags.map(({ name }) => name)
  const used = Object.values(paths).flatMap((methods) =>
    Object.values(methods).flatMap((operation) => operation.tags),
  )
  expect(new Set(names)).toEqual(new Set(used))
  expect(new Set(names).size).toBe(names.length)
  expect(names.slice(0, 4)).toEqual(['Demo', 'Document intelligence', 'Utils', 'Webhook relay'])
  expect(names).not.toContain('Other')
  expect(tags[0]!.description).toContain('paid skills')
})

it('says what a route takes and refuses', async () => {
  const { paths } = (await gateway.call('GET', '/openapi.json')).json as Document
  const query = (path: string) =>
    paths[path]!['get']!.parameters!.filter((one) => one.in === 'query').map((one) => one.name)
  expect(query('/v1/ledger')).toEqual([
    'accountId',
    'apiKeyId',
    'requestId',
    'kind',
    'before',
    'limit',
  ])
  expect(query('/v1/prices')).toEqual(['version'])
  expect(query('/metrics')).toEqual(['format'])
  const statuses = (method: string, path: string) =>
    Object.keys(paths[path]![method]!.responses).map(Number)
  expect(statuses('post', '/v1/credits/topup/x402')).toContain(402)
  expect(statuses('post', '/v1/credits/capture')).toEqual([200, 400, 401, 404, 409, 413, 429, 500])
  expect(statuses('get', '/v1/keys/{id}')).toContain(404)
  expect(statuses('post', '/v1/webhooks/provider_a')).toContain(401)
  expect(statuses('get', '/ready')).toContain(503)
  const call = paths['/v1/paid/hash']!['post']!
  expect(call.parameters!.map((one) => one.$ref)).toEqual([
    '#/components/parameters/RequestId',
    '#/components/parameters/IdempotencyKey',
    '#/components/parameters/Acquisition',
  ])
})

it('tells an agent what the body of a path has, when to come back, and what a wallet buys', async () => {
  const { paths } = (await gateway.call('GET', '/openapi.json')).json as Document
  const inBody = (path: string) => {
    const { schema, example } = paths[path]!['post']!.requestBody!.content['application/json']!
    const { properties, required } = schema as { properties: object; required?: string[] }
    return [Object.keys(properties), required, Object.keys(example as object)]
  }
  const replay = '/v1/webinfra/deliveries/{id}/replay'
  const ingress = '/v1/webinfra/endpoints/{id}/ingress'
  expect(inBody(replay)).toEqual([[], undefined, []])
  expect(inBody(ingress)).toEqual([['deliveryId', 'body'], undefined, ['deliveryId', 'type']])
  const { responses } = paths['/v1/paid/hash']!['post']!
  const coming = Object.entries(responses).filter(([, { headers }]) => headers?.['Retry-After'])
  expect(coming.map(([status]) => status)).toEqual(['409', '429', '503'])
  const schemes = (path: string) =>
    paths[path]!['post']!.security.flatMap((one) => Object.keys(one))
  expect(schemes(replay)).toEqual(['apiKey', 'bearer'])
  expect(schemes(ingress)).toEqual(['apiKey', 'bearer', 'x402'])
  const discovery = (await gateway.call('GET', '/.well-known/x402')).json
  const skills = discovery.items.map(({ skill }: { skill: string }) => skill)
  expect(skills).toContain('demo.hash')
  expect(skills).not.toContain('webinfra.webhook_replay')
  const page = (await gateway.call('GET', '/docs/skills/webinfra.webhook_replay')).text
  expect(page).toContain('Call with the key')
  expect(page).not.toContain('browser wallet')
})

describe('answers', () => {
  let document: Document
  let admin: Record<string, string>
  let payer: Record<string, string>
  beforeAll(async () => {
    document = (await gateway.call('GET', '/openapi.json')).json as Document
    admin = { authorization: `Bearer ${gateway.adminToken}` }
    payer = { 'x-api-key': (await gateway.key(100)).key }
  })

  /** Sends it and expects this status; the document must declare it, with this body. */
  async function expectDeclared(
    [method, template, status]: readonly [string, string, number],
    options: { path?: string; body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<Answer> {
    const answer = await gateway.call(method, options.path ?? template, options)
    expect([answer.status, answer.text]).toEqual([status, answer.text])
    const { responses } = document.paths[template]![method.toLowerCase()]!
    expect(Object.keys(responses)).toContain(String(status))
    const content = responses[status]!.content?.['application/json']
    if (content?.schema) {
      const schema = compileSchema({ ...content.schema, components: document.components })
      expect(schema.issues(answer.json)).toEqual([])
    }
    return answer
  }

  it('of lists and prices are shaped as it says, also when nothing changed', async () => {
    await expectDeclared(['GET', '/v1/products', 200])
    await expectDeclared(['GET', '/v1/products/{product_id}', 200], { path: '/v1/products/utils' })
    for (const path of ['/v1/prices', '/openapi.json', '/.well-known/x402']) {
      const { headers } = await expectDeclared(['GET', path, 200])
      const unchanged = { 'if-none-match': headers.get('etag')! }
      await expectDeclared(['GET', path, 304], { headers: unchanged })
    }
  })

  it.each([
    ['/openapi.json', 'br', ''],
    ['/openapi.json', 'gzip', ''],
    ['/v1/prices', 'gzip', 'X-Api-Key, Authorization, '],
    ['/.well-known/x402', 'gzip', ''],
  ])('of %s are packed for who takes %s', async (path, coding, others) => {
    const asked = (accepted: string, headers = {}) =>
      fetch(gateway.url + path, { headers: { 'accept-encoding': accepted, ...headers } })
    const [packed, plain] = [await asked(coding), await asked(`${coding};q=0`)]
    const facts = [packed, plain].map(({ headers }) =>
      ['content-encoding', 'vary', 'etag'].map((name) => headers.get(name)),
    )
    const etag = plain.headers.get('etag')
    expect(facts).toEqual([
      [coding, `${others}accept-encoding`, `W/${etag}`],
      [null, `${others}accept-encoding`, etag],
    ])
    expect(await packed.text()).toBe(await plain.text())
    expect((await asked(coding, { 'if-none-match': `W/${etag}` })).status).toBe(304)
  })

  it('of a path with a slash too many say so', async () => {
    const { json } = await gateway.call('POST', '/v1/paid/hash/', { body: { input: 'a' } })
    expect(json.error.message).toBe(
      'There is nothing at this path; try it without the slash at its end',
    )
  })

  it('to a body that is too large are declared, whatever the route', async () => {
    const body = { name: 'x'.repeat(1_100_000) }
    await expectDeclared(['POST', '/v1/keys', 413], { body, headers: admin })
    await expectDeclared(['POST', '/v1/credits/capture', 413], { body, headers: payer })
    await expectDeclared(['POST', '/v1/paid/hash', 400], { body, headers: payer })
  })

  it('of paid routes are declared: unpaid, refused, reused keys, unknown ids', async () => {
    const hash = (status: number) => ['POST', '/v1/paid/hash', status] as const
    await expectDeclared(hash(402))
    const retried = { ...payer, 'idempotency-key': 'one-of-this-test' }
    await expectDeclared(hash(200), { body: { input: 'a' }, headers: retried })
    await expectDeclared(hash(409), { body: { input: 'b' }, headers: retried })
    await expectDeclared(hash(401), { body: {}, headers: { 'x-api-key': 'ck_test_wrong' } })
    const replay = '/v1/webinfra/deliveries/{id}/replay'
    const none = { path: replay.replace('{id}', 'dlv_none'), headers: payer }
    await expectDeclared(['POST', replay, 404], none)
  })

  it('of a replay that cannot be done have the shape of a replay', async () => {
    const owner = (await gateway.key(1)).id
    const endpoints = '/v1/admin/webinfra/endpoints'
    const endpoint = { name: 'silent', verification: { scheme: 'none' }, apiKeyId: owner }
    const made = await expectDeclared(['POST', endpoints, 201], { body: endpoint, headers: admin })
    const ingress = '/v1/webinfra/endpoints/{id}/ingress'
    const relayed = await expectDeclared(['POST', ingress, 200], {
      path: ingress.replace('{id}', made.json.id),
      body: { hello: 1 },
      headers: payer,
    })
    const replay = '/v1/webinfra/deliveries/{id}/replay'
    const again = { path: replay.replace('{id}', relayed.json.delivery_id), headers: payer }
    const { json } = await expectDeclared(['POST', replay, 409], again)
    expect(json.error).toBe('not_replayable')
    const destination = { path: `${endpoints}/${made.json.id}/destinations`, headers: admin }
    const body = { url: 'http://127.0.0.1:9/' }
    await expectDeclared(['POST', `${endpoints}/{id}/destinations`, 403], { ...destination, body })
    const closed = { ...endpoint, destinations: [body] }
    await expectDeclared(['POST', endpoints, 403], { body: closed, headers: admin })
  })

  it('to wrong admin tokens are declared, up to the one that is too many', async () => {
    const listing = (status: number) => ['GET', '/v1/keys', status] as const
    const headers = { authorization: 'Bearer a-wrong-token-of-at-least-32-characters' }
    await expectDeclared(listing(401), { headers })
    for (let tries = 0; tries < 20; tries++) await gateway.call('GET', '/v1/keys', { headers })
    await expectDeclared(listing(429), { headers })
  })

  it('of /mcp are declared with JSON-RPC bodies', async () => {
    const mcp = (status: number) => ['POST', '/mcp', status] as const
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    await expectDeclared(mcp(200), { body: list })
    await expectDeclared(mcp(202), {
      body: { jsonrpc: '2.0', method: 'notifications/initialized' },
    })
    await expectDeclared(mcp(400), { body: 5 })
    await expectDeclared(mcp(401), { body: list, headers: { 'x-api-key': 'ck_test_wrong' } })
    await expectDeclared(mcp(403), { body: list, headers: { origin: 'https://evil.example' } })
    const modern = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    await expectDeclared(mcp(404), {
      body: { ...list, method: 'nothing', params: { _meta: modern } },
      headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'nothing' },
    })
    await expectDeclared(mcp(413), { body: { ...list, junk: 'x'.repeat(21_000_000) } })
  })
})
