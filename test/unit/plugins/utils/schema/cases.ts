/**
 * Verdicts by keyword, written from the JSON Schema specifications (core and validation of
 * draft-04, -06, -07, 2019-09 and 2020-12): a schema with instances it accepts and refuses.
 */

export type Dialect = 'draft-04' | 'draft-06' | 'draft-07' | '2019-09' | '2020-12'
export interface Group {
  name: string
  dialects: readonly Dialect[]
  schema: unknown
  valid: readonly unknown[]
  invalid: readonly unknown[]
}

const URIS: Readonly<Record<Dialect, string>> = {
  'draft-04': 'http://json-schema.org/draft-04/schema#',
  'draft-06': 'http://json-schema.org/draft-06/schema#',
  'draft-07': 'http://json-schema.org/draft-07/schema#',
  '2019-09': 'https://json-schema.org/draft/2019-09/schema',
  '2020-12': 'https://json-schema.org/draft/2020-12/schema',
}
const ALL: readonly Dialect[] = ['draft-04', 'draft-06', 'draft-07', '2019-09', '2020-12']
const SINCE_6 = ALL.slice(1)
const SINCE_7 = ALL.slice(2)
const MODERN = ALL.slice(3)
const NUMBERED = ALL.slice(0, 3)
const LATEST = ALL.slice(4)

/** `schema` with the dialect's `$schema`; booleans are dialect-free. */
export function inDialect(schema: unknown, dialect: Dialect): unknown {
  return typeof schema === 'object' && schema !== null
    ? { $schema: URIS[dialect], ...schema }
    : schema
}

/** A conditional, made so that no object literal has a member that looks like a promise's. */
export function conditional(parts: {
  if?: unknown
  yes?: unknown
  no?: unknown
}): Record<string, unknown> {
  const entries = [
    ['if', parts.if],
    ['then', parts.yes],
    ['else', parts.no],
  ].filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as Record<string, unknown>
}

type Row = [name: string, schema: unknown, valid: unknown[], invalid: unknown[]]

function groups(dialects: readonly Dialect[], rows: Row[]): Group[] {
  return rows.map(([name, schema, valid, invalid]) => ({ name, dialects, schema, valid, invalid }))
}

const everything = [null, true, 0, 1.5, '', 'x', [], [1], {}, { a: 1 }]
const wide = '\u{1F600}'

export const GROUPS: readonly Group[] = [
  ...groups(ALL, [
    ['empty schema', {}, everything, []],
    ['type integer', { type: 'integer' }, [0, -3, 1.0, 1e3], [1.5, '1', null, true, [], {}]],
    ['type number', { type: 'number' }, [0, -1.5, 1e300], ['1', null, true, [], {}]],
    ['type string', { type: 'string' }, ['', '1'], [1, null, true, [], {}]],
    ['type boolean', { type: 'boolean' }, [true, false], [0, 1, '', 'true', null, [], {}]],
    ['type null', { type: 'null' }, [null], [0, '', false, [], {}]],
    ['type array', { type: 'array' }, [[], [1]], [{}, 'x', null]],
    ['type object', { type: 'object' }, [{}, { a: 1 }], [[], 'x', null]],
    ['several types', { type: ['integer', 'null'] }, [1, null], ['1', 1.5, {}]],
    [
      'enum',
      { enum: [1, 'a', null, { a: [1] }, [false]] },
      [1, 'a', null, { a: [1] }, [false]],
      [2, 'b', 0, { a: [2] }, [0], false],
    ],
    [
      'enum tells 0 from false',
      { enum: [0, [false], { a: 1 }] },
      [0, 0.0, [false], { a: 1.0 }],
      [false, [0], { a: true }],
    ],
    ['maximum', { maximum: 3 }, [3, 2.9, 'x'], [3.1, 4]],
    ['minimum', { minimum: -2 }, [-2, 0, null], [-2.1, -3]],
    ['multipleOf integer', { multipleOf: 2 }, [0, 4, -6, 'x'], [1, 3.5]],
    ['multipleOf decimal', { multipleOf: 0.01 }, [0.07, 4.02, 1], [0.005, 4.021]],
    [
      'maxLength counts characters',
      { maxLength: 2 },
      ['', 'ab', `${wide}${wide}`, 12345],
      ['abc', `${wide}${wide}${wide}`],
    ],
    ['minLength counts characters', { minLength: 2 }, ['ab', `${wide}${wide}`, 1], ['a', wide, '']],
    ['pattern is not anchored', { pattern: 'b+' }, ['b', 'abbc', 5, null], ['', 'ac']],
    ['pattern anchored', { pattern: '^[a-z]+\\d?$' }, ['abc', 'a1'], ['A', '1a', 'a12']],
    ['pattern with a Unicode class', { pattern: '^\\p{L}+$' }, ['häuser', 'имя'], ['a1', '']],
    ['pattern with lookahead', { pattern: '^(?!no).*$' }, ['yes', ''], ['nope']],
    ['maxItems', { maxItems: 2 }, [[], [1, 2], { length: 3 }], [[1, 2, 3]]],
    ['minItems', { minItems: 1 }, [[1], 'x', {}], [[]]],
    [
      'uniqueItems',
      { uniqueItems: true },
      [
        [],
        [1, 2],
        [1, true],
        [0, false],
        [{ a: 1 }, { a: 2 }],
        ['1', 1],
        [[[1], 2], [[1, 2]]],
        [{ a: { b: 1 }, c: 2 }, { a: { b: 1, c: 2 } }],
        [{ constructor: 'x' }, { constructor: 'y' }],
      ],
      [
        [1, 1],
        [[0], [-0]],
        [1, 1.0],
        [
          { a: 1, b: 2 },
          { b: 2, a: 1 },
        ],
        [[1], [1]],
        [null, null],
      ],
    ],
    ['maxProperties', { maxProperties: 1 }, [{}, { a: 1 }, [1, 2]], [{ a: 1, b: 2 }]],
    ['minProperties', { minProperties: 1 }, [{ a: 1 }, []], [{}]],
    [
      'required',
      { required: ['a', 'b'] },
      [{ a: 1, b: null }, [], 'x'],
      [{}, { a: 1 }, { b: 1, c: 2 }],
    ],
    [
      'required with names of Object',
      { required: ['__proto__', 'toString', 'constructor'] },
      [JSON.parse('{"__proto__":1,"toString":1,"constructor":1}'), 1],
      [{}, { toString: 1 }],
    ],
    [
      'properties',
      { properties: { a: { type: 'integer' }, b: { type: 'string' } } },
      [{}, { a: 1 }, { a: 1, b: 'x', c: [] }, []],
      [{ a: 'x' }, { b: 1 }],
    ],
    [
      'properties with names of Object',
      { properties: { toString: { type: 'string' }, constructor: { type: 'number' } } },
      [{}, { toString: 'x' }, [], 12],
      [{ toString: 1 }, { constructor: {} }],
    ],
    [
      'properties with odd names',
      {
        properties: {
          'a\nb': { type: 'number' },
          'c"d': { type: 'number' },
          'e\\f': { type: 'number' },
        },
      },
      [{ 'a\nb': 1, 'c"d': 1, 'e\\f': 1 }],
      [{ 'a\nb': '1' }, { 'c"d': '1' }, { 'e\\f': '1' }],
    ],
    [
      'patternProperties',
      { patternProperties: { '^f.*o$': { type: 'integer' }, '[0-9]{2,}': { type: 'boolean' } } },
      [{ foo: 1 }, { x: 'y' }, { a31b: true }, []],
      [{ foo: 'x' }, { a31b: 1 }, { foo: 1, faao: null }],
    ],
    [
      'additionalProperties false',
      { properties: { a: {} }, patternProperties: { '^v': {} }, additionalProperties: false },
      [{}, { a: 1 }, { a: 1, v: 2, vroom: 3 }, [1], 'x'],
      [{ b: 1 }, { a: 1, quux: 2 }],
    ],
    [
      'additionalProperties schema',
      { properties: { a: {} }, additionalProperties: { type: 'boolean' } },
      [{ a: 1 }, { b: true }],
      [{ b: 1 }],
    ],
    [
      'additionalProperties looks only beside itself',
      { allOf: [{ properties: { a: {} } }], additionalProperties: { type: 'boolean' } },
      [{ a: true }],
      [{ a: 1 }],
    ],
    ['items', { items: { type: 'integer' } }, [[], [1, 2], { 0: 'x' }], [[1, 'x'], [null]]],
    ['nested items', { items: { items: { type: 'number' } } }, [[[1], []], [1]], [[['x']]]],
    [
      'allOf',
      { allOf: [{ properties: { a: { type: 'integer' } }, required: ['a'] }, { required: ['b'] }] },
      [{ a: 1, b: 1 }, 'x'],
      [{ a: 1 }, { b: 1 }, { a: 'x', b: 1 }],
    ],
    ['anyOf', { anyOf: [{ type: 'integer' }, { minimum: 2 }] }, [1, 2.5, 3, 'x'], [1.5]],
    ['oneOf', { oneOf: [{ type: 'integer' }, { minimum: 2 }] }, [1, 2.5], [3, 1.5]],
    ['not', { not: { type: 'integer' } }, ['x', 1.5], [1]],
    ['double negation', { not: { not: { type: 'string' } } }, ['x'], [1]],
    [
      'combination is logical',
      { allOf: [{ multipleOf: 2 }], anyOf: [{ multipleOf: 3 }], oneOf: [{ multipleOf: 5 }] },
      [30],
      [1, 2, 3, 5, 6, 10, 15],
    ],
    [
      'reference to the root',
      { properties: { a: { $ref: '#' } }, additionalProperties: false },
      [{}, { a: {} }, { a: { a: {} } }],
      [{ b: 1 }, { a: { b: 1 } }],
    ],
    [
      'reference by pointer',
      { properties: { a: { type: 'integer' }, b: { $ref: '#/properties/a' } } },
      [{ b: 3 }],
      [{ b: 'x' }],
    ],
    [
      'reference by pointer with escapes',
      {
        definitions: {
          'a~b': { type: 'integer' },
          'c/d': { type: 'integer' },
          'e%f': { type: 'integer' },
        },
        properties: {
          a: { $ref: '#/definitions/a~0b' },
          c: { $ref: '#/definitions/c~1d' },
          e: { $ref: '#/definitions/e%25f' },
        },
      },
      [{ a: 1, c: 1, e: 1 }],
      [{ a: 'x' }, { c: 'x' }, { e: 'x' }],
    ],
    [
      'reference through references',
      {
        definitions: {
          a: { type: 'integer' },
          b: { $ref: '#/definitions/a' },
          c: { $ref: '#/definitions/b' },
        },
        allOf: [{ $ref: '#/definitions/c' }],
      },
      [1],
      ['x'],
    ],
    [
      'a property called $ref',
      { properties: { $ref: { type: 'string' } } },
      [{ $ref: 'x' }, {}],
      [{ $ref: 2 }],
    ],
    [
      'a reference inside an enum is data',
      { enum: [{ $ref: '#/nowhere' }] },
      [{ $ref: '#/nowhere' }],
      ['x'],
    ],
    [
      'a tree',
      {
        properties: { left: { $ref: '#' }, right: { $ref: '#' }, value: { type: 'number' } },
        required: ['value'],
      },
      [{ value: 1, left: { value: 2 } }],
      [
        { value: 1, left: {} },
        { value: 1, right: { value: 2, left: { value: 'x' } } },
      ],
    ],
  ]),
  ...groups(NUMBERED, [
    [
      'a reference hides its siblings',
      {
        definitions: { a: { type: 'array' } },
        properties: { p: { $ref: '#/definitions/a', maxItems: 2 } },
      },
      [{ p: [] }, { p: [1, 2, 3] }],
      [{ p: 'x' }],
    ],
    [
      'tuple in items',
      { items: [{ type: 'integer' }, { type: 'string' }] },
      [[], [1], [1, 'x'], [1, 'x', null], {}],
      [['x'], [1, 2]],
    ],
    [
      'additionalItems false',
      { items: [{}, {}], additionalItems: false },
      [[], [1, 2]],
      [[1, 2, 3]],
    ],
    [
      'additionalItems schema',
      { items: [{}], additionalItems: { type: 'integer' } },
      [[null, 2]],
      [[null, 2, 'x']],
    ],
    ['additionalItems without a tuple', { items: {}, additionalItems: false }, [[1, 2, 3]], []],
    [
      'dependencies on names',
      { dependencies: { a: ['b', 'c'] } },
      [{}, { b: 1 }, { a: 1, b: 1, c: 1 }, 'x'],
      [{ a: 1 }, { a: 1, b: 1 }],
    ],
    [
      'dependencies on a schema',
      { dependencies: { a: { properties: { b: { type: 'integer' } } } } },
      [{ b: 'x' }, { a: 1, b: 2 }],
      [{ a: 1, b: 'x' }],
    ],
  ]),
  ...groups(
    ['draft-04'],
    [
      ['boolean exclusiveMaximum', { maximum: 3, exclusiveMaximum: true }, [2.9], [3, 4]],
      ['boolean exclusiveMinimum', { minimum: 3, exclusiveMinimum: true }, [3.1], [3]],
      ['exclusive bound switched off', { minimum: 3, exclusiveMinimum: false }, [3], [2]],
      [
        'base by id',
        {
          id: 'http://a.example/root.json',
          definitions: { x: { id: 'x.json', type: 'integer' } },
          allOf: [{ $ref: 'x.json' }],
        },
        [1],
        ['x'],
      ],
    ],
  ),
  ...groups(SINCE_6, [
    ['const', { const: { a: [1, null] } }, [{ a: [1, null] }], [{ a: [1] }, null, {}]],
    ['const null', { const: null }, [null], [0, '', false]],
    ['const tells 1 from true', { const: [true] }, [[true]], [[1], [false]]],
    ['contains', { contains: { minimum: 5 } }, [[5], [1, 9], {}, 'x'], [[], [1, 2]]],
    ['exclusiveMaximum', { exclusiveMaximum: 3 }, [2.9, 'x'], [3, 3.1]],
    ['exclusiveMinimum', { exclusiveMinimum: 3 }, [3.1], [3, 2]],
    [
      'propertyNames',
      { propertyNames: { maxLength: 2 } },
      [{}, { ab: 1 }, [], 'abc'],
      [{ abc: 1 }],
    ],
    ['propertyNames false', { propertyNames: false }, [{}], [{ a: 1 }]],
    ['boolean subschemas', { properties: { a: true, b: false } }, [{}, { a: 1 }], [{ b: 1 }]],
    ['items false', { items: false }, [[]], [[1]]],
    ['not true', { not: true }, [], everything],
  ]),
  ...groups(SINCE_7, [
    [
      'if, then and else',
      conditional({ if: { exclusiveMaximum: 0 }, yes: { minimum: -10 }, no: { multipleOf: 2 } }),
      [-1, 4],
      [-100, 3],
    ],
    ['if alone', conditional({ if: { const: 0 } }), [0, 1], []],
    ['then alone', conditional({ yes: { const: 0 } }), [0, 1], []],
    [
      'else without then',
      conditional({ if: { type: 'string' }, no: { minimum: 0 } }),
      ['x', 1],
      [-1],
    ],
    [
      'conditions do not leak',
      {
        allOf: [
          conditional({ if: { exclusiveMaximum: 0 } }),
          conditional({ yes: { minimum: -10 } }),
        ],
      },
      [-100, 3],
      [],
    ],
    [
      'content keywords assert nothing',
      { contentEncoding: 'base64', contentMediaType: 'application/json' },
      ['{:}', 'e30='],
      [],
    ],
  ]),
  ...groups(
    ['draft-06', 'draft-07'],
    [
      [
        'anchor by $id',
        { allOf: [{ $ref: '#foo' }], definitions: { A: { $id: '#foo', type: 'integer' } } },
        [1],
        ['x'],
      ],
      [
        '$id beside a reference does not move the base',
        {
          $id: 'http://a.example/base/',
          definitions: {
            x: { $id: 'http://a.example/other/t.json', type: 'string' },
            y: { $id: 't.json', type: 'number' },
          },
          allOf: [{ $id: 'http://a.example/other/', $ref: 't.json' }],
        },
        [1],
        ['x'],
      ],
    ],
  ),
  ...groups(MODERN, [
    [
      'keywords beside a reference count',
      { $defs: { a: { type: 'array' } }, properties: { p: { $ref: '#/$defs/a', maxItems: 2 } } },
      [{ p: [1, 2] }],
      [{ p: [1, 2, 3] }, { p: 'x' }],
    ],
    ['format is an annotation', { format: 'email' }, ['not an address', 'a@b.example'], []],
    ['anchor', { $ref: '#foo', $defs: { A: { $anchor: 'foo', type: 'integer' } } }, [1], ['x']],
    [
      'anchor under another base',
      {
        $id: 'http://a.example/root',
        $ref: 'nested#foo',
        $defs: { A: { $id: 'nested', $defs: { B: { $anchor: 'foo', type: 'integer' } } } },
      },
      [1],
      ['x'],
    ],
    [
      'URN base',
      {
        $id: 'urn:uuid:4a8ac1a4-0f0a-4c0c-9c5f-4a7f5b1a0f00',
        properties: { a: { $ref: '#/$defs/b' } },
        $defs: { b: { type: 'string' } },
      },
      [{ a: 'x' }],
      [{ a: 1 }],
    ],
    [
      'dependentRequired',
      { dependentRequired: { a: ['b'] } },
      [{}, { b: 1 }, { a: 1, b: 1 }],
      [{ a: 1 }],
    ],
    [
      'dependentSchemas',
      { dependentSchemas: { a: { minProperties: 2 } } },
      [{}, { b: 1 }, { a: 1, b: 1 }],
      [{ a: 1 }],
    ],
    [
      'minContains',
      { contains: { const: 1 }, minContains: 2 },
      [
        [1, 1],
        [1, 2, 1],
      ],
      [[1], []],
    ],
    ['maxContains', { contains: { const: 1 }, maxContains: 1 }, [[1], [1, 2]], [[1, 1], []]],
    ['minContains 0', { contains: { const: 1 }, minContains: 0 }, [[], [2], [1]], []],
    [
      'unevaluatedProperties false',
      { properties: { a: {} }, unevaluatedProperties: false },
      [{ a: 1 }],
      [{ b: 1 }],
    ],
    [
      'unevaluatedProperties sees allOf',
      { allOf: [{ properties: { a: {} } }], properties: { b: {} }, unevaluatedProperties: false },
      [{ a: 1, b: 1 }],
      [{ c: 1 }],
    ],
    [
      'unevaluatedProperties sees the branch that held',
      {
        anyOf: [
          { properties: { a: { const: 1 } }, required: ['a'] },
          { properties: { b: { const: 2 } }, required: ['b'] },
        ],
        unevaluatedProperties: false,
      },
      [{ a: 1 }, { a: 1, b: 2 }],
      [{ a: 1, b: 3 }, { c: 1 }],
    ],
    [
      'unevaluatedProperties sees if and then',
      {
        ...conditional({
          if: { properties: { k: { const: 1 } }, required: ['k'] },
          yes: { properties: { a: {} } },
          no: { properties: { b: {} } },
        }),
        unevaluatedProperties: false,
      },
      [{ k: 1, a: 2 }, { b: 2 }],
      [{ k: 1, b: 2 }, { a: 2 }],
    ],
    [
      'unevaluatedProperties sees references',
      {
        $ref: '#/$defs/x',
        properties: { b: {} },
        unevaluatedProperties: false,
        $defs: { x: { properties: { a: {} } } },
      },
      [{ a: 1, b: 1 }],
      [{ c: 1 }],
    ],
    [
      'unevaluatedProperties does not see not',
      { not: { not: { properties: { a: {} } } }, unevaluatedProperties: false },
      [{}],
      [{ a: 1 }],
    ],
    [
      'unevaluatedProperties schema',
      { properties: { a: {} }, unevaluatedProperties: { type: 'string' } },
      [{ a: 1, b: 'x' }],
      [{ b: 1 }],
    ],
    [
      'unevaluatedProperties says nothing of lists',
      {
        unevaluatedProperties: false,
        items: { properties: { a: {} }, unevaluatedProperties: false },
      },
      [{}, [1], [[1]], [{ a: [2] }]],
      [{ a: 1 }, [{ b: 1 }]],
    ],
    [
      'unevaluatedProperties does not see what a property holds',
      { unevaluatedProperties: { properties: { a: {} } } },
      [{ b: { a: 1 }, c: { a: 2 } }],
      [],
    ],
    [
      'a property of another does not count as evaluated',
      {
        properties: { z: {} },
        unevaluatedProperties: { type: 'object', properties: { a: {} } },
      },
      [{ z: 1, b: { a: 1 } }],
      [{ b: { a: 1 }, a: 1 }],
    ],
    [
      'unevaluatedProperties does not see an if that failed',
      {
        ...conditional({ if: { properties: { a: {} }, maxProperties: 1 } }),
        unevaluatedProperties: false,
      },
      [{ a: 1 }],
      [{ a: 1, b: 2 }],
    ],
    [
      'unevaluatedProperties of then does not see what stands beside it',
      {
        properties: { a: {} },
        ...conditional({ if: true, yes: { unevaluatedProperties: false } }),
      },
      [{}],
      [{ a: 1 }],
    ],
    [
      'unevaluatedProperties of dependentSchemas does not see what stands beside it',
      {
        properties: { a: {} },
        dependentSchemas: { a: { unevaluatedProperties: false } },
      },
      [{ b: 1 }],
      [{ a: 1 }],
    ],
    [
      'unevaluatedItems does not see the places in an item',
      { unevaluatedItems: { items: { type: 'integer' } } },
      [[[1, 2], [3]]],
      [[[1, 2], ['x']]],
    ],
    [
      'meta-schema by reference',
      { $ref: 'https://json-schema.org/draft/2020-12/schema' },
      [{ minLength: 1 }, true],
      [{ minLength: -1 }, 1],
    ],
  ]),
  ...groups(LATEST, [
    [
      'contains does not give places in an item for places in the list',
      { contains: { type: 'array', prefixItems: [true, true] }, unevaluatedItems: false },
      [
        [
          [1, 2],
          [3, 4],
        ],
      ],
      [[[1, 2], 3]],
    ],
  ]),
  ...groups(
    ['2019-09'],
    [
      [
        'tuple and additionalItems',
        { items: [{ type: 'integer' }], additionalItems: false },
        [[], [1]],
        [['x'], [1, 2]],
      ],
      [
        '$recursiveRef without an anchor',
        { properties: { a: { $recursiveRef: '#' } }, additionalProperties: false },
        [{ a: { a: {} } }],
        [{ a: { b: 1 } }],
      ],
      [
        'unevaluatedItems after a tuple',
        { items: [{ type: 'string' }], unevaluatedItems: false },
        [['x']],
        [['x', 1]],
      ],
    ],
  ),
  ...groups(LATEST, [
    [
      'prefixItems',
      { prefixItems: [{ type: 'integer' }, { type: 'string' }] },
      [[], [1], [1, 'x', null], {}],
      [['x'], [1, 2]],
    ],
    [
      'items after prefixItems',
      { prefixItems: [{}], items: { type: 'integer' } },
      [['x'], ['x', 1]],
      [['x', 'y']],
    ],
    [
      'items false after prefixItems',
      { prefixItems: [{}, {}], items: false },
      [[], [1, 2]],
      [[1, 2, 3]],
    ],
    [
      'unevaluatedItems',
      { prefixItems: [{ type: 'string' }], unevaluatedItems: false },
      [['x']],
      [['x', 1]],
    ],
    [
      'unevaluatedItems sees contains',
      { contains: { type: 'string' }, unevaluatedItems: { type: 'integer' } },
      [['x', 1], ['x']],
      [['x', null]],
    ],
    [
      'unevaluatedItems sees allOf',
      { allOf: [{ prefixItems: [{}, {}] }], unevaluatedItems: false },
      [[1, 2]],
      [[1, 2, 3]],
    ],
    [
      '$dynamicRef to a $dynamicAnchor in the same resource',
      {
        type: 'array',
        items: { $dynamicRef: '#item' },
        $defs: { x: { $dynamicAnchor: 'item', type: 'string' } },
      },
      [['x']],
      [[1]],
    ],
    [
      '$dynamicRef extended by the outer schema',
      {
        $id: 'https://a.example/root',
        $ref: 'list',
        $defs: {
          outer: { $dynamicAnchor: 'item', type: 'string' },
          list: {
            $id: 'list',
            type: 'array',
            items: { $dynamicRef: '#item' },
            $defs: { any: { $dynamicAnchor: 'item' } },
          },
        },
      },
      [['x']],
      [[1]],
    ],
    [
      'a strict tree by $dynamicRef',
      {
        $id: 'https://a.example/strict',
        $dynamicAnchor: 'node',
        $ref: 'tree',
        unevaluatedProperties: false,
        $defs: {
          tree: {
            $id: 'tree',
            $dynamicAnchor: 'node',
            type: 'object',
            properties: {
              data: true,
              children: { type: 'array', items: { $dynamicRef: '#node' } },
            },
          },
        },
      },
      [{ children: [{ data: 1 }] }],
      [{ children: [{ daat: 1 }] }],
    ],
    [
      'tuple lists are not part of it any more',
      { prefixItems: [{ type: 'integer' }] },
      [[1, 'x']],
      [['x']],
    ],
  ]),
]

/** Boolean schemas, which state no dialect. */
export const BOOLEAN_GROUPS: readonly Group[] = groups(SINCE_6, [
  ['true', true, everything, []],
  ['false', false, [], everything],
])
