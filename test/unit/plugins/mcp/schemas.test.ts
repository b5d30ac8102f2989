/** Schemas of tools are shorter than those of skills, and no value fits the one and not the other. */
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { compileSchema } from '../../../../kernel/schema/json.ts'
import { inputSchemaOf, outputSchemaOf } from '../../../../plugins/mcp/schemas.ts'

const CHALLENGE = { required: ['x402Version', 'accepts'] }
const resultOf = (schema: object) => (outputSchemaOf(schema, [])!['anyOf'] as object[])[0]

describe('the output', () => {
  const skill = Type.Object({
    kind: Type.Literal('invoice'),
    total: Type.Union([Type.Number({ description: 'Gross.' }), Type.Null()]),
    buyer: Type.Union([Type.Object({ name: Type.String() }), Type.Null()]),
    level: Type.Union([Type.Enum(['a', 'b']), Type.Null()]),
    fields: Type.Record(Type.String(), Type.Number()),
    any: Type.Record(Type.String(), Type.Unknown()),
    rows: Type.Array(Type.Object({ text: Type.String() })),
  })

  it('says each thing once', () => {
    expect(outputSchemaOf(skill, [CHALLENGE])).toEqual({
      type: 'object',
      anyOf: [
        {
          required: ['kind', 'total', 'buyer', 'level', 'fields', 'any', 'rows'],
          properties: {
            kind: { const: 'invoice' },
            total: { type: ['number', 'null'], description: 'Gross.' },
            buyer: { type: ['object', 'null'], properties: { name: { type: 'string' } } },
            level: { anyOf: [{ enum: ['a', 'b'] }, { type: 'null' }] },
            fields: { type: 'object', additionalProperties: { type: 'number' } },
            any: { type: 'object' },
            rows: {
              type: 'array',
              items: { type: 'object', properties: { text: { type: 'string' } } },
            },
          },
        },
        CHALLENGE,
        { required: ['error'] },
      ],
    })
  })

  it('admits results, challenges and errors, and still refuses what is neither', () => {
    const check = compileSchema(outputSchemaOf(skill, [CHALLENGE])!).check
    const result = {
      kind: 'invoice',
      total: null,
      buyer: null,
      level: null,
      fields: { a: 1 },
      any: { b: [] },
      rows: [{ text: '' }],
    }
    const admitted = [
      result,
      { ...result, total: 1, buyer: { name: 'x' }, level: 'a' },
      { x402Version: 2, accepts: [], error: 'Pay' },
      { error: { code: 'TIMEOUT' } },
    ]
    const refused = [
      {},
      null,
      { ...result, total: '1' },
      { ...result, level: 'c' },
      { ...result, fields: { a: 'x' } },
      { ...result, rows: [1] },
      { x402Version: 2 },
    ]
    expect(admitted.map((value) => check(value))).toEqual(admitted.map(() => true))
    expect(refused.map((value) => check(value))).toEqual(refused.map(() => false))
  })

  it.each([
    { oneOf: [{ properties: { a: { required: ['x'] } } }, { required: ['b'] }] },
    { not: { properties: { a: { type: 'object', required: ['x'] } } } },
    { properties: { a: { anyOf: [{ const: 1, type: 'integer' }, { $ref: '#/$defs/b' }] } } },
    { patternProperties: { '^x-': { type: 'string' } } },
    { patternProperties: { '^.*$': { type: 'string' } }, properties: { a: { type: 'string' } } },
    { properties: { a: { anyOf: [{ type: 'string', enum: ['a'] }, { type: 'null' }] } } },
  ])('keeps what would mean something else: %j', (schema) => {
    const kept = JSON.stringify(schema).replace(',"type":"integer"', '')
    expect(resultOf({ type: 'object', ...schema })).toEqual(JSON.parse(kept))
  })

  it('takes local definitions to the root, where references count from', () => {
    const $defs = { a: { type: 'string' } }
    const schema = { type: 'object', $defs, properties: { a: { $ref: '#/$defs/a' } } }
    expect(outputSchemaOf(schema, [])).toMatchObject({ $defs, anyOf: [{}, {}] })
  })
})

describe('the input', () => {
  it('keeps limits, lists of required members and types that model APIs read', () => {
    const point = Type.Object({ x: Type.Integer({ minimum: 0 }) }, { additionalProperties: false })
    const schema = Type.Object({
      point: Type.Optional(point),
      wait: Type.Union([Type.String({ maxLength: 5 }), Type.Null()]),
      documents: Type.Record(Type.String(), Type.Unknown(), { maxProperties: 2 }),
      levels: Type.Record(Type.String(), Type.Enum(['a'])),
    })
    expect(inputSchemaOf(schema)).toEqual({
      type: 'object',
      required: ['wait', 'documents', 'levels'],
      properties: {
        point: JSON.parse(JSON.stringify(point)),
        wait: { anyOf: [{ type: 'string', maxLength: 5 }, { type: 'null' }] },
        documents: { type: 'object', maxProperties: 2 },
        levels: { type: 'object', additionalProperties: { enum: ['a'] } },
      },
    })
  })
})
