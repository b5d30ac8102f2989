/** What OpenAPI 3.2 added: streams, more methods, the flow for devices, a name for the document itself. */
import { api, object, ofDocuments } from './support.ts'

const s = { type: 'string' }
const i = { type: 'integer' }
const ok = { responses: { 200: { description: 'done' } } }

function stream(itemSchema: unknown, schema?: unknown) {
  const media = { ...(schema !== undefined && { schema }), itemSchema }
  const content = { 'application/jsonl': media }
  return api({ responses: { 200: { description: 'done', content } } }, {}, '3.2.0')
}
function withMethods(additionalOperations: Record<string, unknown>) {
  return {
    openapi: '3.2.0',
    info: { title: 'x', version: '1' },
    paths: { '/x': { get: ok, additionalOperations } },
  }
}
function withFlows(flows: Record<string, unknown>) {
  const components = { securitySchemes: { key: { type: 'oauth2', flows } } }
  return api({ security: [{ key: [] }] }, { components }, '3.2.0')
}
const device = (deviceAuthorizationUrl: string) => ({
  deviceAuthorization: { deviceAuthorizationUrl, tokenUrl: 'https://a.example/token', scopes: {} },
})
function named(reference: string) {
  const content = { 'application/json': { schema: { $ref: reference } } }
  return api(
    { requestBody: { content } },
    { $self: 'https://api.example/v1.yaml', components: { schemas: { A: object({ a: s }) } } },
    '3.2.0',
  )
}

export const NEWER_OPENAPI_CASES = ofDocuments(
  [
    'property of the items of a stream removed',
    stream(object({ a: s, b: i }, 'a', 'b')),
    stream(object({ a: s }, 'a')),
    'breaking response-required-property-removed',
  ],
  [
    'type of the items of a stream changed beside a schema of the whole',
    stream(i, { type: 'array', maxItems: 9 }),
    stream(s, { type: 'array', maxItems: 9 }),
    'breaking response-property-type-changed',
  ],
  [
    'items of a stream written as an array',
    stream(i),
    {
      ...stream(i),
      ...api(
        {
          responses: {
            200: {
              description: 'done',
              content: { 'application/jsonl': { schema: { type: 'array', items: i } } },
            },
          },
        },
        {},
        '3.2.0',
      ),
    },
  ],
  [
    'method of its own removed',
    withMethods({ COPY: ok, LINK: ok }),
    withMethods({ LINK: ok }),
    'breaking api-removed-without-deprecation',
  ],
  ['method of its own added', withMethods({}), withMethods({ COPY: ok }), 'info endpoint-added'],
  [
    'address for devices changed',
    withFlows(device('https://a.example/device')),
    withFlows(device('https://b.example/device')),
    'warning api-security-component-oauth-device-authorization-url-changed',
  ],
  [
    'extensions among the flows',
    withFlows({ ...device('https://a.example/device'), 'x-audience': 'all' }),
    withFlows(device('https://a.example/device')),
  ],
  [
    'reference by the name of the document',
    named('#/components/schemas/A'),
    named('https://api.example/v1.yaml#/components/schemas/A'),
  ],
)
