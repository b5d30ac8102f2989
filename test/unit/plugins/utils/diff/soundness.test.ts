import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pointerKeys } from '../../../../../plugins/shared/json-pointer.ts'
import { compareDocuments } from '../../../../../plugins/utils/diff/compare.ts'
import { validate } from '../../../../../plugins/utils/schema/validate.ts'
import { editedPairs } from './cases/edits.ts'
import { conditional } from './cases/support.ts'

const names = fc.constantFrom('a', 'b', 'c')
const scalar = fc.oneof(
  fc.constantFrom('', 'x', 'xy', 'xyz'),
  fc.integer({ min: -2, max: 6 }),
  fc.constantFrom(1.5, null, true),
)

/** Instances near the edges of the schemas below. */
const instance = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(names, tie('value'), { maxKeys: 3 }),
  ),
})).value

const bound = fc.integer({ min: 0, max: 4 })
const leaf = fc.oneof(
  fc.constantFrom({}, { type: 'boolean' }, { type: 'null' }, { type: ['string', 'null'] }),
  fc.constantFrom({ type: ['integer', 'string'] }, { enum: ['x', 1] }, { enum: ['x', 'xy', null] }),
  fc.record(
    { type: fc.constant('string'), minLength: bound, maxLength: bound },
    { requiredKeys: ['type'] },
  ),
  fc.record(
    {
      type: fc.constantFrom('integer', 'number'),
      minimum: bound,
      exclusiveMinimum: bound,
      maximum: bound,
      multipleOf: fc.constantFrom(1, 2, 4),
    },
    { requiredKeys: ['type'] },
  ),
  fc.record({ const: scalar }),
)

/** Schemas of the keywords whose comparison claims to be exact. */
const schema = fc.letrec((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.record(
      {
        type: fc.constant('object'),
        properties: fc.dictionary(names, tie('schema'), { maxKeys: 3 }),
        required: fc.uniqueArray(names, { maxLength: 2 }),
        additionalProperties: fc.constantFrom(true, false),
        maxProperties: bound,
      },
      { requiredKeys: ['type'] },
    ),
    fc.record(
      {
        type: fc.constant('array'),
        items: tie('schema'),
        minItems: bound,
        uniqueItems: fc.boolean(),
      },
      { requiredKeys: ['type'] },
    ),
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }) }),
    fc.record({ not: tie('schema') }),
    fc
      .tuple(tie('schema'), tie('schema'), tie('schema'))
      .map(([test, yes, no]) => conditional({ if: test, yes, no })),
    fc.record(
      { contains: tie('schema'), minContains: bound, maxContains: bound },
      { requiredKeys: ['contains'] },
    ),
    fc.record(
      {
        prefixItems: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
        items: tie('schema'),
      },
      { requiredKeys: ['prefixItems'] },
    ),
    fc.record({
      dependentRequired: fc.dictionary(names, fc.uniqueArray(names, { maxLength: 2 }), {
        maxKeys: 2,
      }),
    }),
    fc.record({
      patternProperties: fc.dictionary(fc.constantFrom('a', '^b'), tie('schema'), { maxKeys: 2 }),
    }),
    fc.record({ propertyNames: tie('schema') }),
    fc.record({ dependentSchemas: fc.dictionary(names, tie('schema'), { maxKeys: 1 }) }),
  ),
})).schema

/** Reported as information by agreement, although a strict reader could object. */
const TOLERATED =
  /property-added|new-optional-request-property|additional-properties|property-removed|any-of-/

function compared(before: unknown, after: unknown, direction: 'request' | 'response') {
  const outcome = compareDocuments({ before, after, direction, format: 'json-schema', now: 0 })
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems))
  return outcome
}

function accepts(schema: unknown, value: unknown): boolean {
  const outcome = validate(schema, value)
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems))
  return outcome.valid
}

test('a schema compared with itself has no changes', () => {
  fc.assert(
    fc.property(schema, fc.constantFrom('request', 'response'), (one, direction) => {
      expect(compared(one, structuredClone(one), direction as 'request').changes).toEqual([])
    }),
    { numRuns: 300 },
  )
})

/** Values that the schemas above tell apart. */
const EDGES: readonly unknown[] = JSON.parse(
  '["","x","xyz",-1,0,1,2,4,1.5,null,true,[],{},[1],["x"],[null],[1,1],[1,2],["x","xy",null],' +
    '{"a":1},{"b":"x"},{"a":1,"b":1},{"a":"x","c":null},{"a":[1]}]',
)

/** Fails when a change is called safe although one of the values shows that it is not. */
function judgedRightly(
  before: unknown,
  after: unknown,
  direction: 'request' | 'response',
  values: readonly unknown[],
): void {
  const { breaking, changes } = compared(before, after, direction)
  if (breaking || changes.some(({ id }) => TOLERATED.test(id))) return
  const [inner, outer] = direction === 'request' ? [before, after] : [after, before]
  for (const value of values) {
    if (accepts(inner, value)) expect([value, accepts(outer, value)]).toEqual([value, true])
  }
}

const values = fc.array(instance, { minLength: 8, maxLength: 16 })

test('what is called safe for requests is safe: nothing valid becomes invalid', () => {
  fc.assert(
    fc.property(schema, schema, values, (before, after, some) => {
      judgedRightly(before, after, 'request', some)
    }),
    { numRuns: 500 },
  )
})

test('what is called safe for responses is safe: nothing invalid becomes valid', () => {
  fc.assert(
    fc.property(schema, schema, values, (before, after, some) => {
      judgedRightly(before, after, 'response', some)
    }),
    { numRuns: 500 },
  )
})

test('small edits are judged rightly both ways', () => {
  fc.assert(
    fc.property(editedPairs(schema), ([before, after]) => {
      judgedRightly(before, after, 'request', EDGES)
      judgedRightly(before, after, 'response', EDGES)
    }),
    { numRuns: 150 },
  )
})

/** Whether a pointer leads to something in a document. */
function leadsIn(document: unknown, pointer: string): boolean {
  let value = document
  for (const key of pointerKeys(pointer)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return false
    value = (value as Record<string, unknown>)[key]
  }
  return true
}

test('every location leads somewhere in one of the two schemas', () => {
  const nested = fc.record({ allOf: fc.array(schema, { minLength: 2, maxLength: 3 }) })
  const tuples = fc.record({
    allOf: fc.array(
      fc.record({
        prefixItems: fc.array(fc.oneof(schema, fc.boolean()), { minLength: 1, maxLength: 2 }),
      }),
      { minLength: 1, maxLength: 2 },
    ),
    prefixItems: fc.array(fc.boolean(), { minLength: 1, maxLength: 3 }),
  })
  const any = fc.oneof(schema, nested, tuples)
  fc.assert(
    fc.property(any, any, (before, after) => {
      for (const { id, location } of compared(before, after, 'request').changes) {
        const isFound = leadsIn(after, location) || leadsIn(before, location)
        expect([id, location, isFound]).toEqual([id, location, true])
      }
    }),
    { numRuns: 300 },
  )
})
