/** A skill's schema may refer to its own parts: OpenAPI has them where its references lead. */
import { Type } from 'typebox'
import { expect, it } from 'vitest'
import { openApiOf } from '../../../../plugins/documents/openapi.ts'
import { mount } from '../../../support/metering.ts'
import { NO_OPERATOR } from '../../../support/no-operator.ts'

const input = Type.Unsafe({
  type: 'object',
  properties: {
    city: { $ref: '#/$defs/name' },
    $ref: { type: 'string', default: { $ref: '#/kept' } },
    tree: { $ref: '#/$defs/tree' },
    within: { $ref: '#' },
  },
  $defs: {
    name: { type: 'string' },
    tree: { properties: { kid: { $ref: '#/$defs/tree' } } },
  },
})

function described(method: string, schema = input) {
  const mounted = mount({
    handler: async () => ({ ok: true, output: {} }),
    input: schema,
    output: Type.Object({}),
  })
  const snapshot = {
    version: '1',
    priceVersion: 1,
    skills: [
      {
        ...mounted,
        // As a product file that gives texts of its own mounts it.
        skill: Object.create(mounted.skill) as typeof mounted.skill,
        route: { ...mounted.route!, method },
      },
    ],
    tool: () => null,
  }
  const facts = {
    publicUrl: 'https://gw.example',
    version: '1',
    contactEmail: 'a@b.example',
    operator: NO_OPERATOR,
  }
  // oxlint-disable-next-line typescript/no-explicit-any
  return openApiOf(facts, [], snapshot, { list: [], creditsFirst: [] }) as any
}

it.each(['POST', 'GET'])('of %s', (method) => {
  const document = described(method)
  const { requestBody, parameters } = document.paths['/v1/t/run'][method.toLowerCase()]
  const city =
    method === 'POST'
      ? requestBody.content['application/json'].schema.properties.city
      : parameters.find(({ name }: { name: string }) => name === 'city').schema
  expect(city).toEqual({ $ref: '#/components/schemas/t.run.input.defs.name' })
  const added = Object.entries(document.components.schemas).filter(([name]) =>
    name.startsWith('t.run.'),
  )
  expect(Object.fromEntries(added)).toEqual({
    't.run.input.defs.name': { type: 'string' },
    't.run.input.defs.tree': {
      properties: { kid: { $ref: '#/components/schemas/t.run.input.defs.tree' } },
    },
    't.run.input': expect.objectContaining({
      properties: {
        city,
        $ref: { type: 'string', default: { $ref: '#/kept' } },
        tree: { $ref: '#/components/schemas/t.run.input.defs.tree' },
        within: { $ref: '#/components/schemas/t.run.input' },
      },
    }),
  })
})

it('a schema without references is no component', () => {
  const schemas = described('POST', Type.Unsafe(Type.Object({}))).components.schemas
  expect(Object.keys(schemas).filter((name) => name.startsWith('t.run.'))).toEqual([])
})
