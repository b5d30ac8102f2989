import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { draftSchema } from '../../../../../plugins/utils/schema/draft/draft.ts'
import { validate } from '../../../../../plugins/utils/schema/validate.ts'
import { mutations, payload } from './payloads.ts'

const drafted = (...samples: unknown[]) => {
  const { $schema, ...schema } = draftSchema(samples)
  expect($schema).toBe('https://json-schema.org/draft/2020-12/schema')
  return schema
}
const times = <T>(count: number, make: (at: number) => T) =>
  Array.from({ length: count }, (_, at) => make(at))

describe('types', () => {
  test.each([
    [[1, 2], { type: 'integer' }],
    [[1, 2.5], { type: 'number' }],
    [['a', 1], { type: ['string', 'integer'] }],
    [['a', null], { type: ['string', 'null'] }],
    [[null], { type: 'null' }],
    [[true, {}], { type: ['object', 'boolean'] }],
    [[[]], { type: 'array' }],
    [[{}], { type: 'object' }],
    [[], {}],
  ])('of %j', (samples, schema) => {
    expect(drafted(...samples)).toEqual(schema)
  })
})

describe('objects', () => {
  test('properties keep their order, required is what all have', () => {
    const schema = drafted({ b: 1, a: 'x' }, { a: 'y', c: true })
    expect(JSON.stringify(schema)).toBe(
      '{"type":"object","properties":{"b":{"type":"integer"},"a":{"type":"string"},"c":{"type":"boolean"}},"required":["a"]}',
    )
  })
  test('elements of an array are merged', () => {
    expect(drafted([{ id: 1 }, { id: 2, note: null }, { id: 3, note: 'x' }])).toEqual({
      type: 'array',
      items: {
        type: 'object',
        properties: { id: { type: 'integer' }, note: { type: ['string', 'null'] } },
        required: ['id'],
      },
    })
  })
  test('a sample that is an array is one document', () => {
    expect(drafted([1, 2])).toEqual({ type: 'array', items: { type: 'integer' } })
  })
  test('names of Object are names like others', () => {
    const sample = JSON.parse('{"__proto__": 1, "constructor": "x"}')
    const schema = draftSchema([sample])
    expect(Object.keys(schema.properties as object)).toEqual(['__proto__', 'constructor'])
    expect(validate(schema, sample)).toMatchObject({ valid: true })
    expect(validate(schema, JSON.parse('{"__proto__": "x", "constructor": "x"}'))).toMatchObject({
      valid: false,
    })
  })
})

describe('formats', () => {
  test.each([
    ['date-time', ['2024-02-29T12:00:00Z', '2024-02-28T23:59:59.123+05:30']],
    ['date', ['2024-02-29']],
    ['time', ['12:00:00Z', '23:59:59+01:00']],
    ['email', ['ada@example.org', 'a.b+c@mail.example.co']],
    ['uuid', ['123e4567-e89b-12d3-a456-426614174000']],
    ['uri', ['https://example.org/a?b=c#d', 'ftp://x.example/']],
    ['ipv4', ['192.0.2.1']],
    ['ipv6', ['2001:db8::1', '::1']],
  ])('%s', (format, values) => {
    expect(drafted(...values)).toEqual({ type: 'string', format })
  })
  test.each([
    [['2024-02-30']],
    [['2024-01-01', 'soon']],
    [['']],
    [['1.2.3']],
    [['http://']],
    [['a:b']],
    [['not@an address']],
    [['12:00']],
    [['2024-01-01 12:00:00']],
  ])('none for %j', (values) => {
    expect(drafted(...values)).toEqual({ type: 'string' })
  })
  test('null beside a format', () => {
    expect(drafted('2024-02-29', null)).toEqual({ type: ['string', 'null'], format: 'date' })
  })
})

describe('enums', () => {
  test('few values that repeat', () => {
    const values = times(16, (at) => ['open', 'closed', 'late'][at % 3])
    expect(drafted(...values)).toEqual({ type: 'string', enum: ['open', 'closed', 'late'] })
  })
  test('not from few samples, nor with a value seen once', () => {
    expect(drafted('a', 'a', 'b', 'b')).toEqual({ type: 'string' })
    expect(drafted(...times(30, () => 'a'), 'b')).toEqual({ type: 'string' })
  })
  test('not when another type occurs', () => {
    expect(drafted(...times(30, () => 'a'), null)).toEqual({ type: ['string', 'null'] })
  })
})

describe('arrays', () => {
  test('three that agree make a tuple', () => {
    const schema = drafted(...times(3, (at) => ['x', at]))
    expect(schema).toMatchObject({
      prefixItems: [{ type: 'string' }, { type: 'integer' }],
      minItems: 2,
    })
    expect(validate(schema, [1, 'x'])).toMatchObject({ valid: false })
  })
  test('coordinates are a list', () => {
    expect(drafted([1.5, 2.5], [3.5, 4.5], [5.5, 6.5])).toEqual({
      type: 'array',
      items: { type: 'number' },
    })
  })
  test('an empty array says nothing about elements', () => {
    expect(drafted([], ['x'])).toEqual({ type: 'array', items: { type: 'string' } })
  })
})

describe('for any samples', () => {
  const json = fc.jsonValue({ maxDepth: 4 })
  test('the draft accepts each of them, formats asserted', () => {
    fc.assert(
      fc.property(fc.array(json, { minLength: 1, maxLength: 6 }), (samples) => {
        const schema = draftSchema(samples)
        for (const sample of samples) {
          expect(validate(schema, sample, { assertFormat: true })).toMatchObject({
            ok: true,
            valid: true,
          })
        }
      }),
      { numRuns: 200 },
    )
  })
  test('the draft does not depend on how often it is made', () => {
    fc.assert(
      fc.property(fc.array(json, { minLength: 1, maxLength: 4 }), (samples) => {
        expect(JSON.stringify(draftSchema(samples))).toBe(
          JSON.stringify(draftSchema(structuredClone(samples))),
        )
      }),
      { numRuns: 100 },
    )
  })
})

describe('mutations of API-like payloads', () => {
  test.each([1, 2, 3, 5, 6, 7, 9, 10, 11])(
    'payload %i: other types and nearly all deleted keys are rejected',
    (seed) => {
      const sample = payload(seed)
      const schema = draftSchema([sample])
      const count = { deleted: { all: 0, rejected: 0 }, swapped: { all: 0, rejected: 0 } }
      for (const { kind, value } of mutations(sample)) {
        count[kind].all++
        if (!(validate(schema, value) as { valid: boolean }).valid) count[kind].rejected++
      }
      expect(count.swapped.rejected).toBe(count.swapped.all)
      expect(count.deleted.rejected).toBeGreaterThanOrEqual(0.85 * count.deleted.all)
    },
  )
})
