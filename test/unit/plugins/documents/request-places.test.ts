/** Documents describe the request of a skill of an upstream as the upstream takes it. */
import { Type } from 'typebox'
import { expect, it } from 'vitest'
import { openApiOf } from '../../../../plugins/documents/openapi.ts'
import { curlOf } from '../../../../plugins/shared/documents/example-call.ts'
import type { MountedSkill } from '../../../../kernel/plugins/catalog.ts'
import { mount } from '../../../support/metering.ts'
import { NO_OPERATOR } from '../../../support/no-operator.ts'

const facts = {
  publicUrl: 'https://gw.example',
  version: '1',
  contactEmail: 'a@b.example',
  operator: NO_OPERATOR,
}
const properties = {
  id: { type: 'integer' },
  tags: { type: 'array', 'x-in': 'query', 'x-style': 'comma' },
  'X-Trace': { type: 'string', 'x-in': 'header' },
  name: { type: 'string' },
  file: { type: 'string', format: 'binary' },
}
const sold = (body: string | null): MountedSkill => ({
  ...mount({
    input: Type.Unsafe({
      type: 'object',
      ...(body !== null && { 'x-body': body }),
      properties,
      required: ['id', 'tags', 'name'],
    }),
    handler: async () => ({ ok: true, output: {} }),
    example: { input: { id: 7, tags: ['a', 'b'], 'X-Trace': 'a b', name: "it's" } },
  }),
  route: { method: 'POST', path: '/v1/t/{id}/run' },
})

it('puts each member where the request has it, in a body of its own type', () => {
  const type = 'application/x-www-form-urlencoded'
  const snapshot = { version: '1', priceVersion: 1, skills: [sold(type)], tool: () => null }
  const { paths } = openApiOf(facts, [], snapshot, { list: [], creditsFirst: [] })
  // oxlint-disable-next-line typescript/no-explicit-any
  const { parameters, requestBody } = (paths as any)['/v1/t/{id}/run'].post
  expect(parameters.slice(0, 3)).toEqual([
    { name: 'id', in: 'path', required: true, schema: { type: 'integer' } },
    {
      name: 'tags',
      in: 'query',
      required: true,
      style: 'form',
      explode: false,
      schema: properties.tags,
    },
    { name: 'X-Trace', in: 'header', required: false, schema: properties['X-Trace'] },
  ])
  expect(Object.keys(requestBody.content)).toEqual([type])
  expect(requestBody.content[type]).toMatchObject({
    schema: { properties: { name: { type: 'string' } }, required: ['name'] },
    example: { name: "it's" },
  })
  expect(Object.keys(requestBody.content[type].schema.properties)).toEqual(['name', 'file'])
})

it.each([
  [null, `-H 'Content-Type: application/json' -d '{"name":"it'\\''s"}'`],
  [
    'application/x-www-form-urlencoded',
    `-H 'Content-Type: application/x-www-form-urlencoded' -d 'name=it%27s'`,
  ],
  ['image/png', `-H 'Content-Type: image/png' --data-binary @FILE`],
  ['multipart/form-data', `-F 'name=TEXT' -F 'file=@FILE'`],
  [
    'application/merge-patch+json',
    `-H 'Content-Type: application/merge-patch+json' -d '{"name":"it'\\''s"}'`,
  ],
])('makes the curl line of a body that is %s', (body, options) => {
  expect(curlOf('https://gw.example', { ...sold(body), metered: false }, ' ')).toBe(
    `curl -X POST 'https://gw.example/v1/t/7/run?tags=a%2Cb' -H 'X-Trace: a b' ${options}`,
  )
})

it('has no body where the input says so, and the query for what is not in the path', () => {
  const skills = [{ ...sold('none'), metered: false }]
  expect(curlOf('https://gw.example', skills[0]!, ' ')).toBe(
    `curl -X POST 'https://gw.example/v1/t/7/run?tags=a%2Cb&name=it%27s' -H 'X-Trace: a b'`,
  )
  const snapshot = { version: '1', priceVersion: 1, skills, tool: () => null }
  const { paths } = openApiOf(facts, [], snapshot, { list: [], creditsFirst: [] })
  // oxlint-disable-next-line typescript/no-explicit-any
  const { parameters, requestBody } = (paths as any)['/v1/t/{id}/run'].post
  expect(parameters.slice(0, 4).map(({ in: place }: { in: string }) => place)).toEqual([
    'path',
    'query',
    'header',
    'query',
  ])
  expect(requestBody).toBeUndefined()
})

it('has what the input says in the path and in the body', () => {
  const id = { type: 'integer', 'x-in': 'body' }
  const put: MountedSkill = {
    ...mount({
      input: Type.Unsafe({ type: 'object', properties: { id }, required: ['id'] }),
      handler: async () => ({ ok: true, output: {} }),
      example: { input: { id: 7 } },
    }),
    metered: false,
    route: { method: 'PUT', path: '/v1/t/{id}' },
  }
  expect(curlOf('https://gw.example', put, ' ')).toBe(
    `curl -X PUT 'https://gw.example/v1/t/7' -H 'Content-Type: application/json' -d '{"id":7}'`,
  )
  const snapshot = { version: '1', priceVersion: 1, skills: [put], tool: () => null }
  const { paths } = openApiOf(facts, [], snapshot, { list: [], creditsFirst: [] })
  // oxlint-disable-next-line typescript/no-explicit-any
  const { parameters, requestBody } = (paths as any)['/v1/t/{id}'].put
  expect(parameters[0]).toEqual({ name: 'id', in: 'path', required: true, schema: id })
  expect(requestBody.content['application/json']).toMatchObject({
    schema: { properties: { id }, required: ['id'] },
    example: { id: 7 },
  })
})

it('makes the curl line of a form with several files', () => {
  const route = { method: 'POST' as const, path: '/v1/t/scans' }
  const pages = { type: 'array', items: { type: 'string', format: 'binary' } }
  const { skill } = mount({
    input: Type.Unsafe({ type: 'object', 'x-body': 'multipart/form-data', properties: { pages } }),
    handler: async () => ({ ok: true, output: {} }),
  })
  expect(curlOf('https://gw.example', { skill, route, metered: false }, ' ')).toBe(
    `curl -X POST 'https://gw.example/v1/t/scans' -F 'pages=@FILE'`,
  )
})

const listed = (example: Record<string, unknown>): MountedSkill => ({
  ...mount({
    input: Type.Unsafe({
      type: 'object',
      'x-body-schema': { type: 'array', items: { type: 'string' }, ...example },
      properties: { id: { type: 'integer' } },
      required: ['id'],
    }),
    handler: async () => ({ ok: true, output: {} }),
    example: { input: { id: 7 } },
  }),
  route: { method: 'POST', path: '/v1/t/{id}/run' },
})

it('describes a body that is a list as one, and its path beside it', () => {
  const skills = [listed({ example: ['a'] })]
  const snapshot = { version: '1', priceVersion: 1, skills, tool: () => null }
  const { paths } = openApiOf(facts, [], snapshot, { list: [], creditsFirst: [] })
  // oxlint-disable-next-line typescript/no-explicit-any
  const { parameters, requestBody } = (paths as any)['/v1/t/{id}/run'].post
  expect(parameters[0]).toMatchObject({ name: 'id', in: 'path' })
  expect(requestBody.content['application/json']).toMatchObject({
    schema: { type: 'array', items: { type: 'string' } },
    example: ['a'],
  })
})

it.each([
  [{ example: ['a'] }, `-d '["a"]'`],
  [{}, '--data-binary @FILE'],
])('writes a curl line of a body that is a list: %j', (example, told) => {
  expect(curlOf('https://gw.example', { ...listed(example), metered: false }, ' ')).toBe(
    `curl -X POST 'https://gw.example/v1/t/7/run' -H 'Content-Type: application/json' ${told}`,
  )
})
