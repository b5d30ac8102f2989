import { describe, expect, test } from 'vitest'
import { ERRORS_MAX } from '../../../../../plugins/utils/schema/explain.ts'
import { validate } from '../../../../../plugins/utils/schema/validate.ts'
import { BOOLEAN_GROUPS, conditional, GROUPS, inDialect } from './cases.ts'

/** The verdict, or why there is none. */
function verdict(schema: unknown, instance: unknown, assertFormat?: boolean): unknown {
  const outcome = validate(schema, instance, { assertFormat })
  return outcome.ok ? outcome.valid : outcome.problems
}

function errorsOf(schema: unknown, instance: unknown) {
  const outcome = validate(schema, instance)
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems))
  return outcome.errors
}

const rows = [...GROUPS, ...BOOLEAN_GROUPS].flatMap((group) =>
  group.dialects.map((dialect) => ({ ...group, dialect })),
)

test.each(rows)('$dialect: $name', ({ schema, dialect, valid, invalid }) => {
  const stated = inDialect(schema, dialect)
  for (const instance of valid)
    expect([instance, verdict(stated, instance)]).toEqual([instance, true])
  for (const instance of invalid)
    expect([instance, verdict(stated, instance)]).toEqual([instance, false])
})

test("a keyword of the library's own is one of nobody's", () => {
  expect(verdict({ uniqueItems: true, '~refine': [] }, [1, 1])).toBe(false)
  expect(errorsOf({ items: { uniqueItems: true } }, [[1, 1]])).toEqual([
    {
      instancePath: '/0',
      schemaPath: '#/items/uniqueItems',
      keyword: 'uniqueItems',
      message: 'must not have duplicate items',
    },
  ])
})

test('a pattern that the engine gives up on is no verdict', () => {
  // The last part matches. The engine says after a hundred million steps that nothing does.
  const schema = { pattern: '^(?=.)(?:a|a)+$|^a+!$' }
  expect(verdict(schema, `${'a'.repeat(64)}!`)).toMatchObject([
    { path: '', message: expect.stringContaining('backtracks too much') },
  ])
  expect(verdict(schema, 'a!')).toBe(true)
})

describe('without $schema', () => {
  test.each([
    ['a list in items is a tuple', { items: [{ type: 'integer' }] }, [1, 'x'], ['x']],
    [
      'definitions mean draft-07, so a reference hides its siblings',
      {
        definitions: { a: { type: 'array' } },
        properties: { p: { $ref: '#/definitions/a', maxItems: 1 } },
      },
      { p: [1, 2] },
      { p: 1 },
    ],
    [
      'a property called definitions does not',
      {
        properties: { definitions: { $ref: '#/$defs/a', maxItems: 1 } },
        $defs: { a: { type: 'array' } },
      },
      { definitions: [1] },
      { definitions: [1, 2] },
    ],
    ['boolean exclusive bounds mean draft-04', { minimum: 1, exclusiveMinimum: true }, 2, 1],
    ['format is asserted', { format: 'ipv4' }, '192.0.2.1', '192.0.2.300'],
  ])('%s', (_, schema, valid, invalid) => {
    expect(verdict(schema, valid)).toBe(true)
    expect(verdict(schema, invalid)).toBe(false)
  })
})

describe('format', () => {
  const modern = { $schema: 'https://json-schema.org/draft/2020-12/schema', format: 'date' }
  const old = { $schema: 'http://json-schema.org/draft-07/schema#', format: 'date' }
  test('is asserted up to draft-07 and an annotation later', () => {
    expect(verdict(modern, 'tomorrow')).toBe(true)
    expect(verdict(old, 'tomorrow')).toBe(false)
  })
  test('follows the caller', () => {
    expect(verdict(modern, 'tomorrow', true)).toBe(false)
    expect(verdict(old, 'tomorrow', false)).toBe(true)
  })
  test('an unknown format asserts nothing', () => {
    expect(verdict({ format: 'shoe-size' }, 'x')).toBe(true)
  })
})

describe('errors', () => {
  test('each has both pointers, keyword and message', () => {
    const schema = { properties: { 'a/b': { items: { type: 'integer' } } }, required: ['c'] }
    expect(errorsOf(schema, { 'a/b': [1, 'x'] })).toEqual([
      {
        instancePath: '',
        schemaPath: '#/required',
        keyword: 'required',
        message: expect.stringContaining('c'),
      },
      {
        instancePath: '/a~1b/1',
        schemaPath: '#/properties/a~1b/items/type',
        keyword: 'type',
        message: 'must be integer',
      },
    ])
  })
  describe('stand where their keyword is written', () => {
    const pathsOf = (...args: Parameters<typeof validate>) => {
      const outcome = validate(...args)
      if (!outcome.ok) throw new Error(JSON.stringify(outcome))
      return outcome.errors.map(({ instancePath, schemaPath }) => `${instancePath} ${schemaPath}`)
    }
    const tree = {
      $defs: { node: { properties: { v: { type: 'integer' }, next: { $ref: '#/$defs/node' } } } },
      properties: { root: { $ref: '#/$defs/node' } },
    }
    test('behind references', () => {
      expect(pathsOf(tree, { root: { v: 'x', next: { next: { v: 'y' } } } })).toEqual([
        '/root/v #/$defs/node/properties/v/type',
        '/root/next/next/v #/$defs/node/properties/v/type',
      ])
    })
    test('beside a reference, or behind it', () => {
      const both = { ...tree, $ref: '#/$defs/node', required: ['root'] }
      expect(pathsOf(both, { v: 'x' })).toEqual([
        ' #/required',
        '/v #/$defs/node/properties/v/type',
      ])
      const $schema = 'http://json-schema.org/draft-07/schema#'
      const a = { $ref: '#/$defs/node', properties: { v: { type: 'string' } } }
      const hidden = { $schema, ...tree, properties: { a } }
      expect(pathsOf(hidden, { a: { v: 'x' } })).toEqual(['/a/v #/$defs/node/properties/v/type'])
    })
    test('in documents given along', () => {
      const schemas = {
        'https://x.test/a': { $defs: { b: { $ref: '#/$defs/c' }, c: { type: 'null' } } },
      }
      expect(pathsOf({ items: { $ref: 'https://x.test/a#/$defs/b' } }, [1], { schemas })).toEqual([
        '/0 https://x.test/a#/$defs/c/type',
      ])
    })
    test('behind names that validation alone resolves', () => {
      const dynamic = {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        $dynamicAnchor: 'node',
        properties: { v: { type: 'integer' }, next: { $dynamicRef: '#node' } },
      }
      expect(pathsOf(dynamic, { next: { v: 'x' } })).toEqual([
        '/next/v #/properties/next/properties/v/type',
      ])
    })
    test('in a then, however deep, and in what it refers to', () => {
      const schema = {
        $defs: { wide: { properties: { w: { minimum: 5 } } } },
        ...conditional({
          if: { required: ['k'] },
          yes: {
            required: ['l'],
            ...conditional({ if: { required: ['w'] }, yes: { $ref: '#/$defs/wide' } }),
          },
          no: { required: ['m'] },
        }),
      }
      const errors = ['/w #/$defs/wide/properties/w/minimum', ' #/then/if', ' #/if']
      expect(pathsOf(schema, { k: 1, l: 1, w: 1 })).toEqual(errors)
      expect(pathsOf({ $defs: schema.$defs, items: { ...schema, $defs: {} } }, [{ k: 1 }])).toEqual(
        ['/0 #/items/then/required', '/0 #/items/if'],
      )
      expect(pathsOf(schema, {})).toEqual([' #/else/required', ' #/if'])
      const closed = { ...schema, unevaluatedProperties: false }
      expect(pathsOf(closed, { k: 1, l: 1, w: 1 })).toEqual(expect.arrayContaining(errors))
    })
  })
  test('name the property that is not allowed', () => {
    const closed = { properties: { a: {} }, additionalProperties: false }
    expect(errorsOf(closed, { a: 1, b: 2 })).toMatchObject([
      { instancePath: '/b', keyword: 'additionalProperties' },
    ])
  })
  test('are capped', () => {
    const many = Array.from({ length: 1000 }, () => 'x')
    expect(errorsOf({ items: { type: 'integer' } }, many)).toHaveLength(ERRORS_MAX)
  })
})

describe('documents given along', () => {
  const schemas = {
    'https://a.example/person.json': {
      properties: { name: { $ref: 'defs/text.json#/$defs/short' }, boss: { $ref: '#' } },
      required: ['name'],
    },
    'https://a.example/defs/text.json#': { $defs: { short: { type: 'string', maxLength: 3 } } },
    'https://a.example/old.json': {
      $schema: 'http://json-schema.org/draft-07/schema#',
      items: [{ type: 'integer' }],
    },
    'https://a.example/wrong.json': { maxLength: -1 },
    'https://a.example/any': true,
    'not a uri': { type: 'text' },
  }
  const under = (schema: unknown, value: unknown) => validate(schema, value, { schemas })
  const person = { $ref: 'https://a.example/person.json' }

  test.each([
    [person, { name: 'Bo', boss: { name: 'Al' } }, true],
    [person, { name: 'Bo', boss: { name: 'Alan' } }, false],
    [{ items: { $ref: 'https://a.example/old.json' } }, [[1, 'x']], true],
    [{ items: { $ref: 'https://a.example/old.json' } }, [['x']], false],
    [{ $ref: 'https://a.example/any' }, 1, true],
  ])('%j of %j: %s', (schema, value, valid) => {
    expect(under(schema, value)).toMatchObject({ ok: true, valid })
  })

  test('count only when they are reached, and say then what is wrong with them', () => {
    expect(under({ $ref: 'https://a.example/wrong.json' }, 1)).toMatchObject({
      ok: false,
      problems: [{ document: 'https://a.example/wrong.json', path: '/maxLength' }],
    })
    const dangling = { 'urn:a': { $ref: 'urn:b' } }
    expect(validate({ $ref: 'urn:a' }, 1, { schemas: dangling })).toMatchObject({
      ok: false,
      problems: [{ document: 'urn:a', path: '/$ref' }],
    })
  })

  test('a meta-schema among them stands for its own draft, without vocabularies that it leaves out', () => {
    const core = 'https://json-schema.org/draft/2020-12/vocab/'
    const meta = (...vocabularies: string[]) => ({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $vocabulary: Object.fromEntries(vocabularies.map((name) => [core + name, true])),
    })
    const schema = {
      $schema: 'https://a.example/meta',
      properties: { a: { minimum: 3 }, b: { format: 'ipv4' }, c: false },
    }
    const verdictWith = (value: unknown, ...vocabularies: string[]) => {
      const given = { 'https://a.example/meta': meta(...vocabularies) }
      const outcome = validate(schema, value, { schemas: given })
      return outcome.ok && outcome.valid
    }
    expect(verdictWith({ a: 1 }, 'core', 'applicator', 'validation')).toBe(false)
    expect(verdictWith({ a: 1 }, 'core', 'applicator')).toBe(true)
    expect(verdictWith({ c: 1 }, 'core', 'applicator')).toBe(false)
    expect(verdictWith({ b: 'x' }, 'core', 'format-annotation')).toBe(true)
    expect(verdictWith({ b: 'x' }, 'core', 'format-assertion')).toBe(false)
  })
})

describe('keywords that came with a later draft', () => {
  const OF: readonly [keyword: string, since: number, schema: object, refused: unknown][] = [
    ['const', 6, { const: 1 }, 2],
    ['contains', 6, { contains: { type: 'string' } }, [1]],
    ['propertyNames', 6, { propertyNames: { pattern: '^x' } }, { a: 1 }],
    ['if', 7, { if: { type: 'null' }, else: { type: 'null' } }, 1],
    ['dependentRequired', 2019, { dependentRequired: { a: ['b'] } }, { a: 1 }],
    ['dependentSchemas', 2019, { dependentSchemas: { a: { required: ['b'] } } }, { a: 1 }],
    ['unevaluatedProperties', 2019, { unevaluatedProperties: false }, { a: 1 }],
    ['unevaluatedItems', 2019, { unevaluatedItems: false }, [1]],
    ['minContains', 2019, { contains: { type: 'string' }, minContains: 2 }, ['a']],
    ['prefixItems', 2020, { prefixItems: [{ type: 'null' }] }, [1]],
  ]
  const DIALECTS: readonly [number, string][] = [
    [4, 'http://json-schema.org/draft-04/schema#'],
    [6, 'http://json-schema.org/draft-06/schema#'],
    [7, 'http://json-schema.org/draft-07/schema#'],
    [2019, 'https://json-schema.org/draft/2019-09/schema'],
    [2020, 'https://json-schema.org/draft/2020-12/schema'],
  ]

  test.each(OF)('%s', (_, since, schema, refused) => {
    for (const [draft, $schema] of DIALECTS) {
      const stated = { $schema, ...schema }
      expect(verdict(stated, refused), $schema).toBe(draft < since)
      // A document given along has its own dialect.
      const outer = { $schema: DIALECTS[draft === 7 ? 4 : 2]![1], $ref: 'https://a.example/part' }
      const given = validate(outer, refused, { schemas: { 'https://a.example/part': stated } })
      expect(given, `given along in ${$schema}`).toMatchObject({ valid: draft < since })
    }
  })
  test('count where no dialect is stated, whatever draft the other keywords are of', () => {
    expect(verdict({ definitions: { a: {} }, dependentRequired: { a: ['b'] } }, { a: 1 })).toBe(
      false,
    )
  })
  test('are still names of properties', () => {
    const $schema = 'http://json-schema.org/draft-04/schema#'
    expect(verdict({ $schema, properties: { const: { type: 'string' } } }, { const: 1 })).toBe(
      false,
    )
  })
})

describe('a pointer that leads over an $id inside the document', () => {
  const DRAFT_07 = 'http://json-schema.org/draft-07/schema#'
  const folder = { 'https://a.example/folder/integer.json': { type: 'integer' } }
  const inFolder = (id: string) => ({
    $schema: DRAFT_07,
    $id: 'https://a.example/root.json',
    allOf: [{ $ref: '#/definitions/part/definitions/list' }],
    definitions: {
      part: { $id: id, definitions: { list: { items: { $ref: 'integer.json' } } } },
    },
  })

  test.each(['folder/', 'https://a.example/folder/part.json'])('%s', (id) => {
    expect(validate(inFolder(id), [1], { schemas: folder })).toMatchObject({ valid: true })
    expect(validate(inFolder(id), ['a'], { schemas: folder })).toMatchObject({
      valid: false,
      errors: [{ instancePath: '/0', keyword: 'type' }],
    })
  })

  test.each([
    [DRAFT_07, '$id', 'part'],
    [DRAFT_07, '$id', 'https://a.example/part'],
    ['http://json-schema.org/draft-04/schema#', 'id', 'part'],
    ['https://json-schema.org/draft/2019-09/schema', '$id', 'part'],
    ['https://json-schema.org/draft/2020-12/schema', '$id', 'part'],
  ])('%s with %s %s: what is inside refers to its own names', (dialect, keyword, id) => {
    const schema = {
      $schema: dialect,
      properties: { list: { $ref: '#/definitions/part/definitions/a~1%25' } },
      definitions: {
        word: { type: 'string' },
        part: {
          [keyword]: id,
          definitions: {
            'a/%': { additionalProperties: { $ref: '#/definitions/word' } },
            word: { type: 'integer' },
          },
        },
      },
    }
    expect(verdict(schema, { list: { x: 1 } })).toBe(true)
    expect(verdict(schema, { list: { x: 'a' } })).toBe(false)
  })
})

test('a document whose plain anchor has the name of a $dynamicRef is not reached by it', () => {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $dynamicAnchor: 'node',
    additionalProperties: { $dynamicRef: '#node' },
  }
  const other = { definitions: { a: { $anchor: 'node', $ref: 'https://a.example/not-given' } } }
  const schemas = { 'https://a.example/other': other }
  expect(validate(schema, { a: {} }, { schemas })).toMatchObject({ valid: true })
})

describe('schemas that are refused', () => {
  test.each([
    ['unknown type', { type: 'text' }, '/type'],
    ['negative length', { properties: { a: { maxLength: -1 } } }, '/properties/a/maxLength'],
    ['required that is no list', { required: 'a' }, '/required'],
    ['pattern that is no regular expression', { pattern: '(' }, '/pattern'],
    ['remote reference', { $ref: 'https://a.example/s.json' }, '/$ref'],
    ['relative reference to nothing', { $ref: 'other.json' }, '/$ref'],
    ['pointer to nothing', { properties: { a: { $ref: '#/$defs/x' } } }, '/properties/a/$ref'],
    ['anchor to nothing', { $ref: '#x' }, '/$ref'],
    ['dialect nobody knows', { $schema: 'https://a.example/meta' }, '/$schema'],
    ['draft-03', { $schema: 'http://json-schema.org/draft-03/schema#' }, '/$schema'],
    [
      'references in a circle',
      { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } },
      '',
    ],
  ])('%s', (_, schema, path) => {
    const outcome = validate(schema, 1)
    expect(outcome).toMatchObject({ ok: false })
    expect(outcome.ok ? null : outcome.problems[0]!.path).toBe(path)
  })

  test('a reference that nothing reaches is no problem', () => {
    expect(verdict({ 'x-note': { $ref: 'https://a.example/s' }, type: 'integer' }, 1)).toBe(true)
  })
  test('a reference into an unknown keyword is followed', () => {
    const schema = { $ref: '#/components/A', components: { A: { $ref: 'https://a.example/s' } } }
    expect(validate(schema, 1)).toMatchObject({
      ok: false,
      problems: [{ path: '/components/A/$ref' }],
    })
  })
  test('nesting and size have limits', () => {
    let deep: Record<string, unknown> = {}
    for (let at = 0; at < 200; at++) deep = { not: deep }
    expect(validate(deep, 1)).toMatchObject({ ok: false, problems: [{ path: '' }] })
    const wide = { enum: Array.from({ length: 100_001 }, (_, at) => at) }
    expect(validate(wide, 1)).toMatchObject({ ok: false, problems: [{ path: '' }] })
  })
})

test('the schema and the instance are not changed', () => {
  const schema = {
    $schema: 'http://json-schema.org/draft-04/schema#',
    minimum: 1,
    exclusiveMinimum: true,
  }
  const copy = structuredClone(schema)
  validate(schema, 1)
  expect(schema).toEqual(copy)
})
