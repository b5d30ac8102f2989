/** Composition, recursion, and spellings that mean the same. */
import {
  answer,
  api,
  body,
  type Case,
  inRequest,
  inResponse,
  object,
  ofDocuments,
} from './support.ts'

const s = { type: 'string' }
const i = { type: 'integer' }
const A = object({ a: s }, 'a')
const B = object({ b: i }, 'b')
const closed = (schema: Record<string, unknown>) => ({ ...schema, additionalProperties: false })
const tagged = (tag: string, value: unknown) =>
  object({ kind: { type: 'string', const: tag }, value }, 'kind')
const components = (schemas: Record<string, unknown>) => ({ components: { schemas } })
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const pets = { Cat: closed(object({ meow: s }, 'meow')), Dog: closed(object({ bark: s }, 'bark')) }
/** Its references begin at itself, also where the document has the same pointer. */
const resource = (n: unknown) => ({
  $id: 'https://x.test/a',
  components: { schemas: { A: n } },
  properties: { p: ref('A') },
})
const inside = (b: unknown) => ({
  $id: 'https://x.test/a',
  $defs: { b: { $id: 'b', ...(b as object) } },
})
const toPet = { responses: { 200: { $ref: '#/components/responses/Pet' } } }
const node = (value: unknown) => ({ Node: object({ value, next: ref('Node') }) })

export const STRUCTURE_CASES: Case[] = [
  ...inRequest(
    [
      'alternative of optional properties removed',
      { oneOf: [object({ a: s }), object({ b: s })] },
      { oneOf: [object({ a: s })] },
      'breaking request-body-one-of-removed',
    ],
    [
      'alternative of optional properties added',
      { oneOf: [object({ a: s }), object({ b: s })] },
      { oneOf: [object({ a: s }), object({ b: s }), object({ c: s })] },
      'info request-body-one-of-added',
    ],
    [
      'alternative of oneOf added that another one takes in, so that its values fit two',
      { oneOf: [{ type: 'string' }, { type: 'array', maxItems: 9 }] },
      {
        oneOf: [{ type: 'string' }, { type: 'array', maxItems: 9 }, { type: 'array', maxItems: 3 }],
      },
      'breaking request-body-one-of-added',
    ],
    [
      'alternative of anyOf added that another one takes in',
      { anyOf: [{ type: 'string' }, { type: 'array', maxItems: 9 }] },
      {
        anyOf: [{ type: 'string' }, { type: 'array', maxItems: 9 }, { type: 'array', maxItems: 3 }],
      },
      'info request-body-any-of-added',
    ],
    [
      'alternative of oneOf widened until it takes in another one, whose values then fit two',
      {
        oneOf: [
          { type: 'string', maxLength: 3 },
          { type: 'string', minLength: 4, maxLength: 6 },
        ],
      },
      {
        oneOf: [
          { type: 'string', maxLength: 9 },
          { type: 'string', minLength: 4, maxLength: 6 },
        ],
      },
      'breaking request-body-one-of-overlap-added',
      'info request-property-max-length-increased',
    ],
    [
      'anyOf became oneOf of alternatives that exclude each other',
      { anyOf: [closed(tagged('a', s)), closed(tagged('b', i))] },
      { oneOf: [closed(tagged('a', s)), closed(tagged('b', i))] },
    ],
    [
      'anyOf became oneOf of alternatives that overlap',
      {
        anyOf: [
          { type: 'array', maxItems: 9 },
          { type: 'array', maxItems: 3 },
        ],
      },
      {
        oneOf: [
          { type: 'array', maxItems: 9 },
          { type: 'array', maxItems: 3 },
        ],
      },
      'breaking request-body-one-of-added',
    ],
    [
      'anyOf became oneOf of alternatives that may overlap',
      { anyOf: [A, B] },
      { oneOf: [A, B] },
      'warning request-body-one-of-added',
    ],
    [
      'oneOf became anyOf of alternatives that overlap',
      {
        oneOf: [
          { type: 'array', maxItems: 9 },
          { type: 'array', maxItems: 3 },
        ],
      },
      {
        anyOf: [
          { type: 'array', maxItems: 9 },
          { type: 'array', maxItems: 3 },
        ],
      },
      'info request-body-any-of-added',
    ],
    [
      'alternative removed that another one takes in',
      { anyOf: [object({ a: s }), object({ a: s, b: s }), { type: 'array' }] },
      { anyOf: [object({ a: s, b: s }), { type: 'array' }] },
      'info request-body-any-of-removed',
    ],
    [
      'optional property through allOf',
      { allOf: [A] },
      { allOf: [A, object({ b: i })] },
      'info request-body-all-of-added',
      'info new-optional-request-property',
    ],
    [
      'alternative removed',
      { oneOf: [closed(A), closed(B)] },
      { oneOf: [closed(A)] },
      'breaking request-body-one-of-removed',
    ],
    [
      'alternative added',
      { oneOf: [closed(A)] },
      { oneOf: [closed(A), closed(B)] },
      'info request-body-one-of-added',
    ],
    [
      'anyOf alternative removed from a property',
      object({ p: { anyOf: [closed(A), closed(B), { type: 'array' }] } }),
      object({ p: { anyOf: [closed(A), closed(B)] } }),
      'breaking request-property-any-of-removed',
    ],
    ['alternatives reordered', { oneOf: [A, B] }, { oneOf: [B, A] }],
    [
      'text that became oneOf with some of its own values',
      { ...s, format: 'uri' },
      {
        oneOf: [
          { ...s, format: 'uri' },
          { ...s, enum: ['none'] },
        ],
      },
      'warning request-body-one-of-added',
    ],
    [
      'text that became oneOf with what is none',
      { ...s, minLength: 3 },
      {
        oneOf: [
          { ...s, minLength: 3 },
          { type: 'array', minItems: 1 },
        ],
      },
      'info request-body-one-of-added',
    ],
    [
      'wrapped, original kept',
      closed(A),
      { oneOf: [closed(A), closed(B)] },
      'warning request-body-wrapped-in-one-of-original-preserved',
    ],
    [
      'wrapped, original lost',
      A,
      { oneOf: [B, object({ c: s }, 'c')] },
      'breaking request-body-wrapped-in-one-of',
    ],
    [
      'list of scalars through anyOf',
      s,
      { anyOf: [s, i] },
      'info request-body-list-of-types-widened',
    ],
    [
      'allOf member with a required property',
      { allOf: [A] },
      { allOf: [A, B] },
      'breaking request-body-all-of-added',
      'breaking new-required-request-property',
    ],
    [
      'allOf member dropped',
      { allOf: [A, B] },
      { allOf: [A] },
      'info request-body-all-of-removed',
      'warning request-property-removed',
    ],
    [
      'property of an allOf member became required',
      { allOf: [object({ a: s }), B] },
      { allOf: [A, B] },
      'breaking request-property-became-required',
    ],
    [
      'property inside an alternative became required',
      { anyOf: [object({ a: s }), { type: 'array' }] },
      { anyOf: [A, { type: 'array' }] },
      'breaking request-property-became-required',
    ],
  ),
  ...inResponse(
    [
      'alternative of optional properties added',
      { anyOf: [object({ a: s }), object({ b: s })] },
      { anyOf: [object({ a: s }), object({ b: s }), object({ c: s })] },
      'breaking response-body-any-of-added',
    ],
    [
      'alternative added',
      { oneOf: [closed(A)] },
      { oneOf: [closed(A), closed(B)] },
      'breaking response-body-one-of-added',
    ],
    [
      'alternative removed',
      { anyOf: [closed(A), closed(B), { type: 'array' }] },
      { anyOf: [closed(A), closed(B)] },
      'info response-body-any-of-removed',
    ],
    [
      'wrapped, original kept',
      closed(A),
      { oneOf: [closed(A), closed(B)] },
      'breaking response-body-wrapped-in-one-of-original-preserved',
    ],
    [
      'allOf member with a required property',
      { allOf: [A] },
      { allOf: [A, B] },
      'info response-body-all-of-added',
      'info response-required-property-added',
    ],
    ['required property moved into allOf', object({ a: s, b: i }, 'a', 'b'), { allOf: [A, B] }],
    ['allOf merged into one', { allOf: [A, B] }, object({ a: s, b: i }, 'a', 'b')],
    ['one-member oneOf', { oneOf: [A] }, A],
    ['one-member allOf', A, { allOf: [A] }],
    [
      'null branch and null type',
      object({ a: { anyOf: [s, { type: 'null' }] } }),
      object({ a: { type: ['string', 'null'] } }),
    ],
    ['const and one-value enum', object({ a: { const: 'x' } }), object({ a: { enum: ['x'] } })],
    [
      'values as oneOf of consts',
      object({ a: { ...s, enum: ['x', 'y'] } }),
      object({
        a: {
          oneOf: [
            { const: 'x', title: 'X' },
            { const: 'y', title: 'Y' },
          ],
        },
      }),
    ],
    ['one-type list', object({ a: { type: ['string'] } }), object({ a: s })],
    [
      'exclusive and inclusive integer bound',
      object({ a: { ...i, minimum: 5 } }),
      object({ a: { ...i, exclusiveMinimum: 4 } }),
    ],
    ['lower bound of zero written out', object({ a: { ...s, minLength: 0 } }), object({ a: s })],
    ['pattern that matches everything', object({ a: { ...s, pattern: '.*' } }), object({ a: s })],
    [
      'open object written out',
      object({ a: s }),
      { ...object({ a: s }), additionalProperties: true },
    ],
    [
      'descriptions, examples and titles',
      { ...object({ a: s }), description: 'x' },
      { ...object({ a: { ...s, example: 'e', title: 't' } }), description: 'y' },
    ],
    ['password is only a hint', object({ a: s }), object({ a: { ...s, format: 'password' } })],
    ['beside a reference', { allOf: [A], description: 'x' }, { allOf: [A], description: 'y' }],
  ),
  ...ofDocuments(
    [
      'inline to reference',
      api(answer(object({ p: A }))),
      api(answer(object({ p: ref('A') })), components({ A })),
    ],
    [
      'reference to inline',
      api(body(ref('A')), components({ A })),
      api(body(A), components({ A })),
    ],
    [
      'component renamed',
      api(answer(ref('Old')), components({ Old: A })),
      api(answer(ref('New')), components({ New: A })),
      'info api-schema-removed',
    ],
    [
      'chain of references',
      api(answer(ref('X')), components({ X: ref('Y'), Y: A })),
      api(answer(A), components({ X: ref('Y'), Y: A })),
    ],
    [
      'recursive schema unchanged',
      api(answer(ref('Node')), components(node(s))),
      api(answer(ref('Node')), components(node(s))),
    ],
    [
      'recursive schema changed',
      api(answer(ref('Node')), components(node(s))),
      api(answer(ref('Node')), components(node(i))),
      'breaking response-property-type-changed',
    ],
    [
      'recursive schema in a request',
      api(body(ref('Node')), components(node(s))),
      api(body(ref('Node')), components(node({ ...s, pattern: '^a' }))),
      'breaking request-property-pattern-added',
    ],
    [
      'recursion unrolled once',
      api(answer(ref('Node')), components(node(s))),
      api(answer(object({ value: s, next: ref('Node') })), components(node(s))),
    ],
    [
      'allOf that leads back to itself',
      api(answer(ref('T')), components({ T: { allOf: [ref('T'), A] } })),
      api(answer(ref('T')), components({ T: { allOf: [ref('T'), A] } })),
    ],
    [
      'alternative by reference removed',
      api(body({ oneOf: [ref('Cat'), ref('Dog')] }), components(pets)),
      api(body({ oneOf: [ref('Cat')] }), components(pets)),
      'breaking request-body-one-of-removed',
    ],
    [
      'alternative by reference changed',
      api(body({ oneOf: [ref('Cat'), ref('Dog')] }), components(pets)),
      api(
        body({ oneOf: [ref('Cat'), ref('Dog')] }),
        components({ ...pets, Dog: closed(object({ bark: i }, 'bark')) }),
      ),
      'breaking request-property-type-changed',
    ],
    [
      'nullable and null type',
      api(answer(object({ a: { ...s, nullable: true } })), {}, '3.0.3'),
      api(answer(object({ a: { type: ['string', 'null'] } }))),
    ],
    [
      'nullable reference',
      api(answer(object({ a: ref('A') })), components({ A })),
      api(answer(object({ a: { oneOf: [ref('A'), { type: 'null' }] } })), components({ A })),
      'breaking response-property-became-nullable',
    ],
    [
      'boolean and numeric exclusive bound',
      api(body(object({ a: { ...i, minimum: 1, exclusiveMinimum: true } })), {}, '3.0.3'),
      api(body(object({ a: { ...i, exclusiveMinimum: 1 } }))),
    ],
    [
      'keyword beside a reference in 3.1',
      api(body({ ...ref('A') }), components({ A })),
      api(body({ ...ref('A'), required: ['z'] }), components({ A })),
      'breaking request-property-became-required',
    ],
    [
      'keyword beside a reference in 3.0',
      api(body({ ...ref('A') }), components({ A }), '3.0.3'),
      api(body({ ...ref('A'), required: ['z'] }), components({ A }), '3.0.3'),
    ],
    [
      'reference inside a schema with an address of its own',
      api(body(ref('A')), components({ A: resource({ type: 'string' }) })),
      api(body(ref('A')), components({ A: resource({ type: 'integer' }) })),
      'breaking request-property-type-changed',
    ],
    [
      'address that is relative to another one',
      api(body({ $ref: 'https://x.test/b' }), components({ A: inside(s) })),
      api(body({ $ref: 'https://x.test/b' }), components({ A: inside(i) })),
      'breaking request-body-type-changed',
    ],
    [
      'external reference unchanged',
      api(answer({ $ref: 'common.yaml#/Pet' })),
      api(answer({ $ref: 'common.yaml#/Pet' })),
    ],
    [
      'external reference changed',
      api(answer({ $ref: 'common.yaml#/Pet' })),
      api(answer({ $ref: 'common.yaml#/Dog' })),
      'warning response-body-reference-changed',
    ],
    [
      'one of two external references changed',
      api(answer({ allOf: [{ $ref: 'common.yaml#/Pet' }, { $ref: 'common.yaml#/Old' }] })),
      api(answer({ allOf: [{ $ref: 'common.yaml#/Pet' }, { $ref: 'common.yaml#/New' }] })),
      'warning response-body-reference-changed',
    ],
    [
      'external reference changed behind a reference',
      api(answer(ref('A')), components({ A: { $ref: 'common.yaml#/Pet' } })),
      api(answer(ref('A')), components({ A: { $ref: 'common.yaml#/Dog' } })),
      'warning response-body-reference-changed',
    ],
    [
      'keyword beside an external reference',
      api(body({ $ref: 'common.yaml#/Name', minLength: 3 })),
      api(body({ $ref: 'common.yaml#/Name', minLength: 5 })),
      'breaking request-body-min-length-increased',
    ],
    [
      'keyword beside an external reference in 3.0',
      api(body({ $ref: 'common.yaml#/Name', minLength: 3 }), {}, '3.0.3'),
      api(body({ $ref: 'common.yaml#/Name', minLength: 5 }), {}, '3.0.3'),
    ],
    [
      'member beside an external one',
      api(body({ allOf: [{ $ref: 'common.yaml#/Pet' }, object({ a: { type: 'string' } })] })),
      api(body({ allOf: [{ $ref: 'common.yaml#/Pet' }, object({ a: { type: 'integer' } })] })),
      'breaking request-property-type-changed',
    ],
    [
      'external parameters in another order',
      api({ parameters: [{ $ref: 'common.yaml#/Page' }, { $ref: 'common.yaml#/Size' }] }),
      api({ parameters: [{ $ref: 'common.yaml#/Size' }, { $ref: 'common.yaml#/Page' }] }),
    ],
    [
      'external parameter added',
      api({}),
      api({ parameters: [{ $ref: 'common.yaml#/Page' }] }),
      'warning api-reference-changed',
    ],
    [
      'external answer changed behind a reference',
      api(toPet, { components: { responses: { Pet: { $ref: 'pet.yaml' } } } }),
      api(toPet, { components: { responses: { Pet: { $ref: 'dog.yaml' } } } }),
      'warning api-reference-changed',
    ],
    [
      'external path changed',
      { ...api({}), paths: { '/a': { $ref: 'a.yaml' } } },
      { ...api({}), paths: { '/a': { $ref: 'b.yaml' } } },
      'warning api-path-reference-changed',
    ],
    [
      'external path removed',
      { ...api({}), paths: { '/a': { $ref: 'a.yaml' } } },
      { ...api({}), paths: {} },
      'breaking api-path-removed-without-deprecation',
    ],
    [
      'external path unchanged',
      { ...api({}), paths: { '/a/{id}': { $ref: 'a.yaml' } } },
      { ...api({}), paths: { '/a/{key}': { $ref: 'a.yaml' } } },
    ],
  ),
]
