/** Schemas that accept the same values in other words, and near misses of them. */
import { conditional } from './support.ts'

const string = { type: 'string' }
const number = { type: 'number' }
const list = (items: unknown, more: object = {}) => ({ type: 'array', items, ...more })
const object = (properties: object, ...required: string[]) => ({
  type: 'object',
  properties,
  required,
})

export interface Equivalence {
  name: string
  one: unknown
  other: unknown
  /** A value that shows that the two differ; none where they do not. */
  witness?: { value: unknown }
}

const tree = (leaf: unknown, wrapped: boolean) => {
  const child = { $ref: '#/$defs/tree' }
  const node = object({ value: leaf, children: list(child) }, 'value')
  return { $ref: '#/$defs/tree', $defs: { tree: wrapped ? { anyOf: [node, node] } : node } }
}

export const EQUIVALENCES: readonly Equivalence[] = [
  {
    name: 'lengths that add up to all lists',
    one: list(number),
    other: { oneOf: [list(number, { maxItems: 1 }), list(number, { minItems: 2 })] },
  },
  {
    name: 'lengths with a gap',
    one: list(number),
    other: { oneOf: [list(number, { maxItems: 1 }), list(number, { minItems: 3 })] },
    witness: { value: [1, 2] },
  },
  {
    name: 'lengths that overlap',
    one: list(number),
    other: { oneOf: [list(number, { maxItems: 2 }), list(number, { minItems: 2 })] },
    witness: { value: [1, 2] },
  },
  {
    name: 'every type but one',
    one: { type: ['array', 'boolean', 'null', 'number', 'object'] },
    other: { not: string },
  },
  {
    name: 'every type but one and null',
    one: { type: ['array', 'boolean', 'number', 'object'] },
    other: { not: string },
    witness: { value: null },
  },
  {
    name: 'whole numbers and the others',
    one: number,
    other: { anyOf: [{ type: 'integer' }, { type: 'number', not: { type: 'integer' } }] },
  },
  {
    name: 'no elements',
    one: { type: 'array', maxItems: 0 },
    other: { type: 'array', items: false },
  },
  {
    name: 'no members',
    one: { type: 'object', maxProperties: 0 },
    other: { type: 'object', additionalProperties: false },
  },
  {
    name: 'no members but those of a pattern',
    one: { type: 'object', maxProperties: 0 },
    other: { type: 'object', patternProperties: { '^x': true }, additionalProperties: false },
    witness: { value: { x: 1 } },
  },
  {
    name: 'one of two members at least',
    one: { ...object({ a: string, b: string }), additionalProperties: false, minProperties: 1 },
    other: {
      anyOf: [object({ a: string, b: string }, 'a'), object({ a: string, b: string }, 'b')],
      additionalProperties: { not: {} },
      properties: { a: true, b: true },
    },
  },
  {
    name: 'De Morgan',
    one: { not: { allOf: [list(string), list(number)] } },
    other: { anyOf: [{ not: list(string) }, { not: list(number) }] },
  },
  {
    name: 'contradictions in different places',
    one: object({ name: false }, 'name'),
    other: object({ address: object({ street: false }, 'street') }, 'address'),
  },
  {
    name: 'a contradiction and none',
    one: object({ name: false }, 'name'),
    other: object({ address: object({ street: false }) }, 'address'),
    witness: { value: { address: {} } },
  },
  {
    name: 'numbers between two whole ones',
    one: false,
    other: { type: 'integer', exclusiveMinimum: 3, exclusiveMaximum: 4 },
  },
  {
    name: 'alternatives of types as a list of types',
    one: { oneOf: [string, object({ id: string }, 'id'), list({ oneOf: [number, string] })] },
    other: {
      type: ['string', 'object', 'array'],
      properties: { id: string },
      required: ['id'],
      items: { type: ['number', 'string'] },
    },
  },
  {
    name: 'alternatives of types, one element more',
    one: { oneOf: [string, list({ oneOf: [number, string] })] },
    other: { type: ['string', 'array'], items: { type: ['number', 'string', 'null'] } },
    witness: { value: [null] },
  },
  { name: 'a tree', one: tree(string, false), other: tree(string, true) },
  {
    name: 'a tree of other leaves',
    one: tree(string, false),
    other: tree({ type: ['string', 'null'] }, true),
    witness: { value: { value: 'a', children: [{ value: null }] } },
  },
  {
    name: 'a condition as alternatives',
    one: { type: 'object', ...conditional({ if: { required: ['a'] }, yes: { required: ['b'] } }) },
    other: { type: 'object', dependentRequired: { a: ['b'] } },
  },
  {
    name: 'some element as not every other',
    one: { type: 'array', contains: string },
    other: { type: 'array', not: { items: { not: string } } },
  },
  {
    name: 'values of a closed list',
    one: { enum: ['a', 'b', 1] },
    other: { anyOf: [{ const: 'a' }, { enum: ['b', 'b'] }, { type: 'integer', const: 1 }] },
  },
  {
    name: 'multiples of both',
    one: { type: 'integer', allOf: [{ multipleOf: 4 }, { multipleOf: 2 }] },
    other: { type: 'number', multipleOf: 4 },
  },
]
