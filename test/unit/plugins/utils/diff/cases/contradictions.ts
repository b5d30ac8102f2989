/** Schemas that say the same as `true` or `false`, or deny a denial, without looking like it. */
import { type Case, inRequest, inResponse, object } from './support.ts'

const s = { type: 'string' }

/** Each accepts nothing. */
const NOTHING: readonly (readonly [name: string, schema: unknown])[] = [
  ['numbers between crossed limits', { type: 'number', minimum: 4, exclusiveMaximum: 2 }],
  ['numbers beside a limit that is left out', { type: 'number', exclusiveMinimum: 2, maximum: 2 }],
  ['whole numbers where there is none', { type: 'integer', minimum: 1.2, maximum: 1.8 }],
  ['types that exclude each other', { allOf: [s, { type: 'number' }] }],
  ['texts of no length', { allOf: [{ ...s, minLength: 5 }, { maxLength: 4 }] }],
  ['elements that nothing is', { type: 'array', minItems: 1, items: false }],
  ['a required property that nothing is', object({ a: false }, 'a')],
  ['one below another', object({ a: object({ b: false }, 'b') }, 'a')],
  ['more names than are allowed', { type: 'object', required: ['a', 'b'], maxProperties: 1 }],
  ['names where none is', { type: 'object', additionalProperties: false, minProperties: 1 }],
  ['alternatives of which none accepts', { oneOf: [{ ...object({ a: false }, 'a') }, false] }],
]
/** Each accepts something that looks alike. */
const SOMETHING: readonly (readonly [name: string, schema: unknown])[] = [
  ['null beside crossed limits', { type: ['number', 'null'], minimum: 4, maximum: 2 }],
  ['a whole number on both limits', { type: 'integer', minimum: 2, maximum: 2 }],
  ['an empty list', { type: 'array', items: false }],
  ['an optional property that nothing is', object({ a: false })],
  [
    'a name that a pattern allows',
    {
      type: 'object',
      required: ['a1'],
      patternProperties: { '^a': true },
      additionalProperties: false,
    },
  ],
]
const EVERY = { type: ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'] }
const fewer = { type: 'array', maxItems: 3 }

export const CONTRADICTION_CASES: readonly Case[] = [
  ...NOTHING.flatMap(([name, schema]) => [
    ...inRequest([`${name} and false`, schema, false]),
    ...inResponse([`false and ${name}`, false, schema]),
  ]),
  ...SOMETHING.flatMap(([name, schema]) => [
    ...inRequest([`${name} and false`, schema, false, 'breaking request-body-type-changed']),
    ...inResponse([`false and ${name}`, false, schema, 'breaking response-body-type-generalized']),
  ]),
  ...inRequest(
    ['every type and no word about types', true, EVERY],
    ['numbers and whole numbers are numbers', { type: ['number', 'integer'] }, { type: 'number' }],
    [
      'a denial that is denied',
      { type: 'integer' },
      { type: 'number', not: { not: { type: 'integer' } } },
    ],
    [
      'a denial that is denied demands',
      s,
      { ...s, not: { not: { minLength: 2 } } },
      'breaking request-body-min-length-set',
    ],
    // The limit narrows nothing where there was no element.
    [
      'a limit for lists that were empty',
      { type: 'array', items: false },
      fewer,
      'info request-body-max-items-set',
      'info request-property-type-generalized',
    ],
  ),
  ...inResponse(
    [
      'a property that the rule for all names says the same of',
      { ...object({ a: s }), additionalProperties: s },
      { type: 'object', additionalProperties: s },
      'info response-optional-property-removed',
    ],
    [
      'a property that the rule for all names says less of',
      { ...object({ a: s }), additionalProperties: {} },
      { type: 'object', additionalProperties: {} },
      'warning response-optional-property-removed',
    ],
    [
      'an answer that was closed and is open',
      { ...object({ a: s }), additionalProperties: false },
      object({ a: s }),
      'info response-body-additional-properties-allowed',
    ],
  ),
  {
    name: 'json schema: documents that were closed and are open',
    before: { ...object({ a: s }), additionalProperties: false },
    after: object({ a: s }),
    direction: 'response',
    expect: ['warning response-body-additional-properties-allowed'],
  },
]
