/** specs/openapi.json is what the gateway serves: a change of the API shows in the diff. */
import { resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startGateway, type GatewayProcess } from '../support/gateway.ts'

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

interface Operation {
  operationId: string
  tags: string[]
  parameters?: { name?: string; in?: string; $ref?: string }[]
  responses: Record<string, unknown>
}
interface Document {
  tags: { name: string; description?: string }[]
  paths: Record<string, Record<string, Operation>>
  components: unknown
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
  expect(query('/v1/ledger')).toEqual(['apiKeyId', 'requestId', 'kind', 'before', 'limit'])
  expect(query('/v1/prices')).toEqual(['version'])
  expect(query('/metrics')).toEqual(['format'])
  const statuses = (method: string, path: string) =>
    Object.keys(paths[path]![method]!.responses).map(Number)
  expect(statuses('post', '/v1/credits/topup/x402')).toContain(402)
  expect(statuses('post', '/v1/credits/capture')).toEqual([200, 400, 401, 404, 409, 500])
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
