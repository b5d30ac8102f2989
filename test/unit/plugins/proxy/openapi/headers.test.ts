/** Header parameters of a document become headers of the product's tools, but for what the gateway sends. */
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { productFromOpenApi } from '../../../../../plugins/proxy/openapi/from-openapi.ts'

const header = (name: string, more: object = {}) => ({
  name,
  in: 'header',
  schema: { type: 'string' },
  ...more,
})

function imported(parameters: object[], more: object = {}) {
  const requestBody = {
    content: { 'application/json': { schema: { properties: { level: { type: 'integer' } } } } },
  }
  const made = productFromOpenApi(
    {
      servers: [{ url: 'https://a.example' }],
      paths: { '/a': { post: { parameters, requestBody } } },
      ...more,
    },
    { productId: 'x', priceCredits: 1 },
  )
  if (!made.ok) throw new Error(made.message)
  const { upstream, skills } = parse(made.yaml)
  return { upstream, input: skills[0].input, dropped: made.dropped }
}

it('puts them into the input, and names them in the product', () => {
  const { upstream, input, dropped } = imported([
    header('Api-Version', { required: true }),
    header('If-Match'),
  ])
  expect(upstream.forward_headers).toEqual(['Api-Version'])
  expect(input).toMatchObject({
    properties: {
      'Api-Version': { type: 'string', 'x-in': 'header' },
      'If-Match': { type: 'string', 'x-in': 'header' },
    },
    required: ['Api-Version'],
  })
  expect(dropped).toEqual([])
})

it.each([
  ['a member of the body has its name', header('level'), ['level']],
  ['the gateway writes it', header('Accept-Encoding'), undefined],
  ['it is an object', header('X-Where', { schema: { type: 'object' } }), ['X-Where']],
  ['it is a key of idempotency', header('Idempotency-Key'), undefined],
])('leaves one out of the input where %s', (_why, parameter, forwarded) => {
  const { upstream, input, dropped } = imported([parameter])
  expect(upstream.forward_headers).toEqual(forwarded)
  expect(input.properties).toEqual({ level: { type: 'integer' } })
  expect(dropped).toEqual([`POST /a: the header ${parameter.name} is not in its input`])
})

it.each(['X-Token', 'x_api_key', 'Access-Token', 'X-Client-Secret'])(
  'takes %s for a credential, which the gateway sends',
  (name) => {
    const { upstream, input, dropped } = imported([header(name, { required: true })])
    expect(upstream.forward_headers).toBeUndefined()
    expect(input.required).toBeUndefined()
    expect(dropped).toEqual([
      `POST /a: the header ${name} is not in its input`,
      `the credentials ${name}: if calls need them, add to upstream: headers: { ${name}: "\${PRODUCT_X_TOKEN}" }`,
    ])
  },
)

it('takes the header of a way to sign in for one, and names it once', () => {
  const { upstream, dropped } = imported([header('x-tenant')], {
    components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Tenant' } } },
    security: [{ key: [] }],
  })
  expect(upstream.forward_headers).toBeUndefined()
  expect(dropped.filter((line) => line.includes('credentials'))).toEqual([
    'the credentials key: if calls need them, add to upstream: headers: { X-Tenant: "${PRODUCT_X_TOKEN}" }',
  ])
})

it('does not take a place in a list for one', () => {
  expect(imported([header('X-Page-Token')]).upstream.forward_headers).toEqual(['X-Page-Token'])
})

it('names as many as a product may, and has only these in inputs', () => {
  const many = Array.from({ length: 101 }, (_, n) => header(`X-N${n}`))
  const { upstream, input, dropped } = imported(many)
  expect(upstream.forward_headers).toHaveLength(100)
  expect(Object.keys(input.properties)).toHaveLength(101)
  expect(dropped).toEqual(['POST /a: the header X-N100 is not in its input'])
})
