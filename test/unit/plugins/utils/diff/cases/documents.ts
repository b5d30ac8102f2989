/** Paths, lifecycle, security, webhooks, components, other versions and JSON Schema. */
import { answer, api, body, type Case, object, ofDocuments, query, conditional } from './support.ts'

const s = { type: 'string' }
const i = { type: 'integer' }
const ok = { responses: { 200: { description: 'done' } } }

function paths(map: Record<string, unknown>) {
  return { openapi: '3.0.3', info: { title: 'x', version: '1' }, paths: map }
}
function secured(requirement: unknown, scopes: Record<string, string> = {}) {
  return api({ security: requirement }, { components: { securitySchemes: scheme(scopes) } })
}

const bearer = { type: 'http', scheme: 'bearer' }
const oauth = (tokenUrl: string) => ({
  type: 'oauth2',
  flows: { clientCredentials: { tokenUrl, scopes: {} } },
})

/** A document whose operation asks for the scheme `key`, or for what `security` says. */
function withScheme(scheme: unknown, security: unknown[] = [{ key: [] }]) {
  return api({ security }, { components: { securitySchemes: { key: scheme } } })
}
function scheme(scopes: Record<string, string>) {
  return {
    auth: {
      type: 'oauth2',
      flows: { implicit: { authorizationUrl: 'https://a.example', scopes } },
    },
  }
}
function swagger(operation: Record<string, unknown>, rest: Record<string, unknown> = {}) {
  const responses = { 200: { description: 'done' } }
  return {
    swagger: '2.0',
    info: { title: 'x', version: '1' },
    paths: { '/x': { post: { responses, ...operation } } },
    ...rest,
  }
}
function webhook(schema: unknown) {
  return {
    openapi: '3.1.0',
    info: { title: 'x', version: '1' },
    webhooks: { made: { post: { ...body(schema), ...ok } } },
  }
}

const old = { deprecated: true }
const schemaCases: Case[] = [
  {
    name: 'json schema: number to integer',
    before: object({ a: { type: 'number' } }),
    after: object({ a: i }),
    expect: ['breaking request-property-type-changed'],
  },
  {
    name: 'json schema: enum grows',
    before: { enum: ['a'] },
    after: { enum: ['a', 'b'] },
    expect: ['info request-body-enum-value-added'],
  },
  {
    name: 'json schema as a response: enum grows',
    direction: 'response',
    before: { enum: ['a'] },
    after: { enum: ['a', 'b'] },
    expect: ['warning response-body-enum-value-added'],
  },
  {
    name: 'json schema: property required',
    before: object({ a: s }),
    after: object({ a: s }, 'a'),
    expect: ['breaking request-property-became-required'],
  },
  {
    name: 'json schema both ways: property optional',
    direction: 'both',
    before: object({ a: s }, 'a'),
    after: object({ a: s }),
    expect: ['info request-property-became-optional', 'breaking response-property-became-optional'],
  },
  {
    name: 'json schema: $defs renamed',
    before: { $ref: '#/$defs/a', $defs: { a: object({ x: s }) } },
    after: { $ref: '#/$defs/b', $defs: { b: object({ x: s }) } },
    expect: [],
  },
  {
    name: 'json schema: closed now',
    before: object({ a: s }),
    after: { ...object({ a: s }), additionalProperties: false },
    expect: ['breaking request-body-additional-properties-disallowed'],
  },
  {
    name: 'json schema: false schema',
    before: object({ a: s }),
    after: object({ a: false }),
    expect: ['breaking request-property-type-changed'],
  },
  {
    name: 'json schema: reference by $id and anchor',
    before: { $ref: '#thing', $defs: { t: { $anchor: 'thing', type: 'string' } } },
    after: { type: 'string' },
    expect: [],
  },
  {
    name: 'json schema: draft-04 exclusive bound',
    before: {
      $schema: 'http://json-schema.org/draft-04/schema#',
      type: 'number',
      minimum: 1,
      exclusiveMinimum: true,
    },
    after: {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'number',
      exclusiveMinimum: 1,
    },
    expect: [],
  },
  {
    name: 'json schema: tuple of itself where nothing was said of items',
    before: { type: 'array' },
    after: { type: 'array', prefixItems: [s, { $ref: '#' }] },
    expect: [
      'breaking request-body-prefix-items-added',
      'breaking request-body-prefix-items-added',
    ],
  },
  {
    name: 'json schema: pattern of itself where nothing was said of properties',
    before: { type: 'object' },
    after: { type: 'object', patternProperties: { '^a': { $ref: '#' } } },
    expect: ['breaking request-body-pattern-property-added'],
  },
  {
    name: 'json schema: what a reference evaluates is not left over',
    before: {
      ...object({ a: s }),
      $ref: '#/$defs/more',
      unevaluatedProperties: false,
      $defs: { more: { properties: { b: s } } },
    },
    after: { ...object({ a: s }), unevaluatedProperties: false },
    expect: ['breaking request-property-removed'],
  },
  {
    name: 'json schema: a branch that goes leaves its properties unevaluated',
    before: {
      type: 'object',
      ...conditional({ if: { required: ['a'] }, yes: { properties: { b: s } } }),
      unevaluatedProperties: false,
    },
    after: {
      type: 'object',
      ...conditional({ if: { required: ['a'] } }),
      unevaluatedProperties: false,
    },
    expect: ['warning request-body-then-removed'],
  },
]

export const DOCUMENT_CASES: Case[] = [
  ...ofDocuments(
    [
      'path removed',
      paths({ '/a': { get: ok }, '/b': { get: ok } }),
      paths({ '/a': { get: ok } }),
      'breaking api-path-removed-without-deprecation',
    ],
    [
      'path added',
      paths({ '/a': { get: ok } }),
      paths({ '/a': { get: ok }, '/b': { get: ok } }),
      'info endpoint-added',
    ],
    [
      'operation removed',
      paths({ '/a': { get: ok, put: ok } }),
      paths({ '/a': { get: ok } }),
      'breaking api-removed-without-deprecation',
    ],
    [
      'operation added',
      paths({ '/a': { get: ok } }),
      paths({ '/a': { get: ok, put: ok } }),
      'info endpoint-added',
    ],
    [
      'deprecated operation removed',
      paths({ '/a': { get: ok, put: { ...ok, ...old } } }),
      paths({ '/a': { get: ok } }),
      'info api-removed-with-deprecation',
    ],
    [
      'operation removed before its sunset',
      paths({ '/a': { get: ok, put: { ...ok, ...old, 'x-sunset': '2999-01-01' } } }),
      paths({ '/a': { get: ok } }),
      'breaking api-removed-before-sunset',
    ],
    [
      'path removed before its sunset',
      paths({ '/a': { put: { ...ok, ...old, 'x-sunset': '2999-01-01' } } }),
      paths({}),
      'breaking api-path-removed-before-sunset',
    ],
    [
      'path removed with a bad sunset',
      paths({ '/a': { put: { ...ok, ...old, 'x-sunset': 'soon' } } }),
      paths({}),
      'breaking api-path-sunset-parse',
    ],
    [
      'alpha operation removed',
      paths({ '/a': { get: ok, put: { ...ok, 'x-stability-level': 'alpha' } } }),
      paths({ '/a': { get: ok } }),
    ],
    [
      'path parameter renamed',
      paths({
        '/a/{x}': {
          get: { ...ok, parameters: [{ in: 'path', name: 'x', required: true, schema: s }] },
        },
      }),
      paths({
        '/a/{y}': {
          get: { ...ok, parameters: [{ in: 'path', name: 'y', required: true, schema: s }] },
        },
      }),
    ],
    [
      'renamed path parameter changed type',
      paths({
        '/a/{x}': {
          get: { ...ok, parameters: [{ in: 'path', name: 'x', required: true, schema: s }] },
        },
      }),
      paths({
        '/a/{y}': {
          get: { ...ok, parameters: [{ in: 'path', name: 'y', required: true, schema: i }] },
        },
      }),
      'breaking request-parameter-type-changed',
    ],
    [
      'parameter moved to the path',
      paths({ '/a': { get: { ...ok, ...query(s) } } }),
      paths({ '/a': { get: ok, ...query(s) } }),
    ],
    [
      'required parameter added to the path',
      paths({ '/a': { get: ok } }),
      paths({ '/a': { get: ok, ...query(s, { required: true }) } }),
      'breaking new-required-request-default-parameter-to-existing-path',
    ],
    [
      'order of paths, parameters and properties',
      paths({
        '/a': { get: { ...ok, ...body(object({ a: s, b: i }, 'a', 'b')) } },
        '/b': { get: ok },
      }),
      paths({
        '/b': { get: ok },
        '/a': { get: { ...body(object({ b: i, a: s }, 'b', 'a')), ...ok } },
      }),
    ],
    ['operation deprecated', api({}), api(old), 'info endpoint-deprecated'],
    [
      'operation deprecated with a sunset',
      api({}),
      api({ ...old, 'x-sunset': '2999-01-01' }),
      'info endpoint-deprecated-with-sunset',
    ],
    [
      'operation deprecated with a past sunset',
      api({}),
      api({ ...old, 'x-sunset': '2001-01-01' }),
      'breaking api-sunset-date-too-small',
    ],
    [
      'operation deprecated with a bad sunset',
      api({}),
      api({ ...old, 'x-sunset': 'later' }),
      'breaking api-deprecated-sunset-parse',
    ],
    ['operation reactivated', api(old), api({}), 'info endpoint-reactivated'],
    [
      'sunset deleted',
      api({ ...old, 'x-sunset': '2999-01-01' }),
      api(old),
      'breaking sunset-deleted',
    ],
    [
      'sunset moved closer',
      api({ ...old, 'x-sunset': '2999-01-01' }),
      api({ ...old, 'x-sunset': '2998-01-01' }),
      'breaking api-sunset-date-changed-too-small',
    ],
    [
      'stability decreased',
      api({ 'x-stability-level': 'stable' }),
      api({ 'x-stability-level': 'beta' }),
      'breaking api-stability-decreased',
    ],
    [
      'stability unknown',
      api({ 'x-stability-level': 'stable' }),
      api({ 'x-stability-level': 'firm' }),
      'breaking api-invalid-stability-level',
    ],
    [
      'credentials required now',
      api({}),
      api({ security: [{ key: [] }] }),
      'breaking api-security-added',
    ],
    [
      'credentials no longer required',
      api({ security: [{ key: [] }] }),
      api({ security: [] }),
      'info api-security-removed',
    ],
    [
      'alternative credentials added',
      api({ security: [{ a: [] }] }),
      api({ security: [{ a: [] }, { b: [] }] }),
      'info api-security-added',
    ],
    [
      'alternative credentials removed',
      api({ security: [{ a: [] }, { b: [] }] }),
      api({ security: [{ a: [] }] }),
      'breaking api-security-removed',
    ],
    [
      'second credential required',
      api({ security: [{ a: [] }] }),
      api({ security: [{ a: [], b: [] }] }),
      'breaking api-security-removed',
      'info api-security-added',
    ],
    [
      'calls without credentials refused',
      api({ security: [{ a: [] }, {}] }),
      api({ security: [{ a: [] }] }),
      'breaking api-security-removed',
    ],
    [
      'calls without credentials accepted',
      api({ security: [{ a: [] }] }),
      api({ security: [{ a: [] }, {}] }),
      'info api-security-added',
    ],
    [
      'global security that no operation inherits',
      api({ security: [] }),
      api({ security: [] }, { security: [{ a: [] }] }),
      'info api-global-security-added',
    ],
    [
      'global security that the operation inherits',
      api({}),
      api({}, { security: [{ a: [] }] }),
      'breaking api-global-security-added',
    ],
    [
      'scope added',
      secured([{ auth: ['read'] }]),
      secured([{ auth: ['read', 'write'] }]),
      'breaking api-security-scope-added',
    ],
    [
      'scope removed',
      secured([{ auth: ['read', 'write'] }]),
      secured([{ auth: ['read'] }]),
      'info api-security-scope-removed',
    ],
    [
      'global security stated per operation',
      api({}, { security: [{ a: [] }] }),
      api({ security: [{ a: [] }] }, { security: [{ a: [] }] }),
    ],
    [
      'scope described',
      secured([], {}),
      secured([], { read: 'Read' }),
      'info api-security-component-oauth-scope-added',
    ],
    [
      'kind of a scheme in use changed',
      withScheme({ type: 'apiKey', in: 'header', name: 'X-Key' }),
      withScheme({ type: 'http', scheme: 'bearer' }),
      'breaking api-security-component-type-changed',
    ],
    [
      'kind of a scheme that nothing asks for changed',
      withScheme({ type: 'apiKey', in: 'header', name: 'X-Key' }, []),
      withScheme({ type: 'http', scheme: 'bearer' }, []),
      'info api-security-component-type-changed',
    ],
    [
      'name of the header of a scheme in use changed',
      withScheme({ type: 'apiKey', in: 'header', name: 'X-Key' }),
      withScheme({ type: 'apiKey', in: 'header', name: 'X-Token' }),
      'breaking api-security-component-name-changed',
    ],
    [
      'token address of a scheme in use changed',
      withScheme(oauth('https://a.example/token')),
      withScheme(oauth('https://b.example/token')),
      'warning api-security-component-oauth-token-url-changed',
    ],
    [
      'scheme under another name',
      api({ security: [{ a: [] }] }, { components: { securitySchemes: { a: bearer } } }),
      api({ security: [{ b: [] }] }, { components: { securitySchemes: { b: bearer } } }),
      'info api-security-component-added',
      'info api-security-component-removed',
    ],
    [
      'webhook removed',
      webhook(s),
      { openapi: '3.1.0', info: { title: 'x', version: '1' } },
      'breaking webhook-removed',
    ],
    [
      'webhook payload lost a required property',
      webhook(object({ a: s }, 'a')),
      webhook(object({})),
      'breaking response-required-property-removed',
    ],
    [
      'webhook payload got a property',
      webhook(object({ a: s })),
      webhook(object({ a: s, b: s }, 'b')),
      'info response-required-property-added',
    ],
    [
      'component schema removed',
      api({}, { components: { schemas: { A: s } } }),
      api({}),
      'info api-schema-removed',
    ],
    [
      'server changed',
      api({}, { servers: [{ url: 'https://a.example' }] }),
      api({}, { servers: [{ url: 'https://b.example' }] }),
      'info api-server-removed',
      'info api-server-added',
    ],
    [
      'swagger: body property type changed',
      swagger({ parameters: [{ in: 'body', name: 'b', schema: object({ a: s }) }] }),
      swagger({ parameters: [{ in: 'body', name: 'b', schema: object({ a: i }) }] }),
      'breaking request-property-type-changed',
    ],
    [
      'swagger: required query parameter added',
      swagger({}),
      swagger({ parameters: [{ in: 'query', name: 'q', type: 'string', required: true }] }),
      'breaking new-required-request-parameter',
    ],
    [
      'swagger: form field became required',
      swagger({
        parameters: [
          { in: 'formData', name: 'f', type: 'string' },
          { in: 'formData', name: 'g', type: 'string', required: true },
        ],
      }),
      swagger({
        parameters: [
          { in: 'formData', name: 'f', type: 'string', required: true },
          { in: 'formData', name: 'g', type: 'string', required: true },
        ],
      }),
      'breaking request-property-became-required',
    ],
    [
      'swagger: response property removed',
      swagger({ responses: { 200: { schema: object({ a: s }, 'a') } } }),
      swagger({ responses: { 200: { schema: object({}) } } }),
      'breaking response-required-property-removed',
    ],
    [
      'swagger: produced type removed',
      swagger(
        { responses: { 200: { schema: s } } },
        { produces: ['application/json', 'text/xml'] },
      ),
      swagger({ responses: { 200: { schema: s } } }, { produces: ['application/json'] }),
      'breaking response-media-type-removed',
    ],
    [
      'swagger: collection format changed',
      swagger({ parameters: [{ in: 'query', name: 'q', type: 'array', items: s }] }),
      swagger({
        parameters: [
          { in: 'query', name: 'q', type: 'array', items: s, collectionFormat: 'pipes' },
        ],
      }),
      'breaking request-parameter-style-changed',
    ],
    [
      'swagger: base path changed',
      swagger({}, { basePath: '/v1' }),
      swagger({}, { basePath: '/v2' }),
      'warning api-base-path-changed',
    ],
    [
      'swagger: scheme removed',
      swagger({}, { schemes: ['http', 'https'] }),
      swagger({}, { schemes: ['https'] }),
      'warning api-scheme-removed',
    ],
    [
      'swagger: maximum of a query parameter',
      swagger({ parameters: [{ in: 'query', name: 'q', type: 'integer', maximum: 5 }] }),
      swagger({ parameters: [{ in: 'query', name: 'q', type: 'integer', maximum: 4 }] }),
      'breaking request-parameter-max-decreased',
    ],
    [
      'swagger rewritten as openapi 3',
      swagger(
        {
          parameters: [
            { in: 'body', name: 'b', required: true, schema: { $ref: '#/definitions/A' } },
          ],
        },
        { definitions: { A: object({ a: s }) } },
      ),
      {
        openapi: '3.0.0',
        info: { title: 'x', version: '1' },
        paths: { '/x': { post: { ...ok, ...body({ $ref: '#/components/schemas/A' }) } } },
        components: { schemas: { A: object({ a: s }) } },
      },
    ],
    [
      'callback payload changed',
      api({
        callbacks: {
          done: { '{$request.body#/url}': { post: { ...body(object({ a: s }, 'a')), ...ok } } },
        },
      }),
      api({
        callbacks: {
          done: { '{$request.body#/url}': { post: { ...body(object({ a: i }, 'a')), ...ok } } },
        },
      }),
      'breaking response-property-type-changed',
    ],
    [
      'text as YAML and as JSON',
      'openapi: 3.0.0\ninfo: {title: x, version: "1"}\npaths:\n  /a:\n    get:\n      responses:\n        200: {description: done}\n',
      JSON.stringify(paths({ '/a': { get: ok } })),
    ],
    [
      'answer of an unchanged shared schema',
      api(answer({ $ref: '#/components/schemas/A' }), { components: { schemas: { A: s, B: i } } }),
      api(answer({ $ref: '#/components/schemas/A' }), { components: { schemas: { A: s, B: s } } }),
    ],
  ),
  ...schemaCases,
]
