/** Parameters, bodies, responses, headers and media types. */
import { answer, body, header, inOperation, inQuery, object, query } from './support.ts'

const s = { type: 'string' }
const i = { type: 'integer' }
const json = { 'application/json': { schema: s } }

function content(...types: string[]) {
  return {
    requestBody: { content: Object.fromEntries(types.map((type) => [type, { schema: s }])) },
  }
}
function produces(...types: string[]) {
  const map = Object.fromEntries(types.map((type) => [type, { schema: s }]))
  return { responses: { 200: { description: 'done', content: map } } }
}
function statuses(...codes: string[]) {
  return {
    responses: Object.fromEntries(
      codes.map((code) => [code, { description: code, content: json }]),
    ),
  }
}

export const OPERATION_CASES = [
  ...inQuery(
    [
      'type of a list removed that looks the same as text',
      { anyOf: [{ type: 'string' }, { type: 'integer' }] },
      { type: 'string' },
      'info request-parameter-list-of-types-narrowed',
    ],
    ['maximum set', i, { ...i, maximum: 3 }, 'breaking request-parameter-max-set'],
    [
      'maxLength decreased',
      { ...s, maxLength: 3 },
      { ...s, maxLength: 2 },
      'breaking request-parameter-max-length-decreased',
    ],
    [
      'minItems increased',
      { type: 'array', minItems: 1 },
      { type: 'array', minItems: 2 },
      'breaking request-parameter-min-items-increased',
    ],
    [
      'maxItems increased',
      { type: 'array', maxItems: 1 },
      { type: 'array', maxItems: 2 },
      'info request-parameter-max-items-increased',
    ],
    [
      'enum value removed',
      { ...s, enum: ['a', 'b'] },
      { ...s, enum: ['a'] },
      'breaking request-parameter-enum-value-removed',
    ],
    [
      'enum value added',
      { ...s, enum: ['a'] },
      { ...s, enum: ['a', 'b'] },
      'info request-parameter-enum-value-added',
    ],
    ['became enum', s, { ...s, enum: ['a'] }, 'breaking request-parameter-became-enum'],
    ['string to integer', s, i, 'breaking request-parameter-type-changed'],
    ['integer to string', i, s, 'info request-parameter-type-generalized'],
    [
      'boolean to array of booleans',
      { type: 'boolean' },
      { type: 'array', items: { type: 'boolean' } },
      'info request-parameter-type-generalized',
    ],
    [
      'boolean to array of integers',
      { type: 'boolean' },
      { type: 'array', items: i },
      'breaking request-parameter-type-changed',
    ],
    ['format added', s, { ...s, format: 'uuid' }, 'breaking request-parameter-type-changed'],
    ['pattern added', s, { ...s, pattern: '^a' }, 'breaking request-parameter-pattern-added'],
    [
      'pattern changed',
      { ...s, pattern: '^a' },
      { ...s, pattern: '^b' },
      'warning request-parameter-pattern-changed',
    ],
    [
      'default changed',
      { ...i, default: 10 },
      { ...i, default: 20 },
      'breaking request-parameter-default-value-changed',
    ],
    [
      'became not nullable',
      { type: ['string', 'null'] },
      s,
      'breaking request-parameter-became-not-nullable',
    ],
    [
      'property type changed',
      object({ a: { type: 'number' } }),
      object({ a: s }),
      'warning request-parameter-property-type-changed',
    ],
    [
      'property type specialized',
      object({ a: s }),
      object({ a: { type: 'number' } }),
      'breaking request-parameter-property-type-specialized',
    ],
    [
      'property enum value removed',
      object({ a: { ...s, enum: ['x', 'y'] } }),
      object({ a: { ...s, enum: ['x'] } }),
      'breaking request-parameter-property-enum-value-removed',
    ],
  ),
  ...inOperation(
    [
      'required parameter added',
      {},
      query(s, { required: true }),
      'breaking new-required-request-parameter',
    ],
    ['optional parameter added', {}, query(s), 'info new-optional-request-parameter'],
    ['parameter removed', query(s), {}, 'warning request-parameter-removed'],
    [
      'deprecated parameter removed',
      query(s, { deprecated: true }),
      {},
      'info request-parameter-removed-with-deprecation',
    ],
    [
      'parameter removed before its sunset',
      query(s, { deprecated: true, 'x-sunset': '2999-01-01' }),
      {},
      'breaking request-parameter-removed-before-sunset',
    ],
    [
      'parameter became required',
      query(s),
      query(s, { required: true }),
      'breaking request-parameter-became-required',
    ],
    [
      'parameter became optional',
      query(s, { required: true }),
      query(s),
      'info request-parameter-became-optional',
    ],
    [
      'parameter moved to a header',
      query(s),
      { parameters: [{ in: 'header', name: 'q', schema: s }] },
      'warning request-parameter-removed',
      'info new-optional-request-parameter',
    ],
    [
      'parameter deprecated',
      query(s),
      query(s, { deprecated: true }),
      'info request-parameter-deprecated',
    ],
    [
      'style changed',
      query({ type: 'array', items: s }),
      query({ type: 'array', items: s }, { style: 'pipeDelimited' }),
      'breaking request-parameter-style-changed',
    ],
    [
      'explode changed',
      query({ type: 'array', items: s }),
      query({ type: 'array', items: s }, { explode: false }),
      'breaking request-parameter-explode-changed',
    ],
    [
      'explode written out',
      query({ type: 'array', items: s }),
      query({ type: 'array', items: s }, { style: 'form', explode: true }),
    ],
    ['explode of a scalar', query(s), query(s, { explode: false })],
    [
      'default of a required parameter',
      query({ ...s, default: 'a' }, { required: true }),
      query({ ...s, default: 'b' }, { required: true }),
      'info request-parameter-default-value-changed',
    ],
    [
      'header names ignore case',
      { parameters: [{ in: 'header', name: 'X-Trace', schema: s }] },
      { parameters: [{ in: 'header', name: 'x-trace', schema: s }] },
    ],
    [
      'required header property added',
      { parameters: [{ in: 'header', name: 'h', schema: object({}) }] },
      { parameters: [{ in: 'header', name: 'h', schema: object({ a: s }, 'a') }] },
      'breaking new-required-request-header-property',
    ],
    [
      'header property became required',
      { parameters: [{ in: 'header', name: 'h', schema: object({ a: s }) }] },
      { parameters: [{ in: 'header', name: 'h', schema: object({ a: s }, 'a') }] },
      'breaking request-header-property-became-required',
    ],
    ['required body added', {}, body(s), 'breaking request-body-added-required'],
    ['optional body added', {}, body(s, false), 'info request-body-added-optional'],
    ['body removed', body(s), {}, 'breaking request-body-removed'],
    ['body became required', body(s, false), body(s), 'breaking request-body-became-required'],
    ['body became optional', body(s), body(s, false), 'info request-body-became-optional'],
    [
      'request media type removed',
      content('application/json', 'application/xml'),
      content('application/json'),
      'breaking request-body-media-type-removed',
    ],
    [
      'request media type added',
      content('application/json'),
      content('application/json', 'application/xml'),
      'info request-body-media-type-added',
    ],
    [
      'request media type covered by a range',
      content('application/json'),
      content('application/*'),
      'info request-body-media-type-removed',
      'info request-body-media-type-added',
    ],
    [
      'schema of the body added that accepts everything',
      { requestBody: { content: { 'application/json': {} } } },
      { requestBody: { content: { 'application/json': { schema: true } } } },
    ],
    [
      'schema of the body added that accepts nothing',
      { requestBody: { content: { 'application/json': {} } } },
      { requestBody: { content: { 'application/json': { schema: false } } } },
      'breaking request-body-type-changed',
    ],
    [
      'request schema appeared',
      { requestBody: { content: { 'application/json': {} } } },
      content('application/json'),
      'breaking request-body-media-type-schema-added',
    ],
    [
      'form field widened to text',
      {
        requestBody: {
          content: { 'application/x-www-form-urlencoded': { schema: object({ a: i }) } },
        },
      },
      {
        requestBody: {
          content: { 'application/x-www-form-urlencoded': { schema: object({ a: s }) } },
        },
      },
      'info request-property-type-generalized',
    ],
    [
      'success status removed',
      statuses('200', '201'),
      statuses('200'),
      'breaking response-success-status-removed',
    ],
    [
      'success status added',
      statuses('200'),
      statuses('200', '204'),
      'info response-success-status-added',
    ],
    [
      'error status removed',
      statuses('200', '404'),
      statuses('200'),
      'info response-non-success-status-removed',
    ],
    [
      'error status added',
      statuses('200'),
      statuses('200', '409'),
      'info response-non-success-status-added',
    ],
    [
      'default status removed',
      statuses('200', 'default'),
      statuses('200'),
      'info response-non-success-status-removed',
    ],
    ['status covered by its range', statuses('200'), statuses('2XX')],
    [
      'response media type removed',
      produces('application/json', 'text/csv'),
      produces('application/json'),
      'breaking response-media-type-removed',
    ],
    [
      'response media type added',
      produces('application/json'),
      produces('application/json', 'text/csv'),
      'info response-media-type-added',
    ],
    [
      'response media type specialized',
      produces('application/json'),
      produces('application/problem+json'),
      'info response-media-type-name-specialized',
    ],
    [
      'response media type generalized',
      produces('application/problem+json'),
      produces('application/json'),
      'breaking response-media-type-name-generalized',
    ],
    [
      'response media type parameter',
      produces('application/json'),
      produces('application/json; charset=utf-8'),
      'info response-media-type-name-changed',
    ],
    [
      'response media type in other case',
      produces('application/JSON'),
      produces('application/json'),
    ],
    [
      'response schema disappeared',
      answer(s),
      { responses: { 200: { description: '', content: { 'application/json': {} } } } },
      'breaking response-body-media-type-schema-removed',
    ],
    [
      'required header removed',
      header(s, { required: true }),
      { responses: { 200: { description: '' } } },
      'breaking required-response-header-removed',
    ],
    [
      'optional header removed',
      header(s),
      { responses: { 200: { description: '' } } },
      'warning optional-response-header-removed',
    ],
    [
      'header added',
      { responses: { 200: { description: '' } } },
      header(s),
      'info response-header-added',
    ],
    [
      'header became optional',
      header(s, { required: true }),
      header(s),
      'breaking response-header-became-optional',
    ],
    [
      'header type changed',
      header(i),
      header({ type: 'boolean' }),
      'breaking response-header-type-changed',
    ],
    [
      'header type widened',
      header(i),
      header({ type: 'number' }),
      'breaking response-header-type-generalized',
    ],
    [
      'header became nullable',
      header(s),
      header({ type: ['string', 'null'] }),
      'breaking response-header-became-nullable',
    ],
    [
      'header explode changed',
      header({ type: 'array' }),
      header({ type: 'array' }, { explode: true }),
      'breaking response-header-explode-changed',
    ],
    [
      'empty value refused',
      query(s, { allowEmptyValue: true }),
      query(s),
      'breaking request-parameter-became-not-allow-empty-value',
    ],
    [
      'operation id changed',
      { operationId: 'a' },
      { operationId: 'b' },
      'info api-operation-id-removed',
    ],
    ['operation id added', {}, { operationId: 'b' }, 'info api-operation-id-added'],
    [
      'tag replaced',
      { tags: ['a'] },
      { tags: ['b'] },
      'info api-tag-removed',
      'info api-tag-added',
    ],
    ['summary and description changed', { summary: 'a', description: 'b' }, { summary: 'c' }],
  ),
]
