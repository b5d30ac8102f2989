/** Drafts as maps and in older dialects, formats that are meant, and TypeScript of a schema. */
import { afterAll, describe, expect, test } from 'vitest'
import { draftSchema } from '../../../../../plugins/utils/schema/draft/draft.ts'
import { DRAFT_DIALECTS } from '../../../../../plugins/utils/schema/draft/dialects.ts'
import { schemaSkill } from '../../../../../plugins/utils/schema/skill.ts'
import { typescriptOf } from '../../../../../plugins/utils/schema/typescript.ts'
import { validate } from '../../../../../plugins/utils/schema/validate.ts'
import { payload } from './payloads.ts'
import { contextWith, startPool } from './pool.ts'

const pool = startPool()
afterAll(() => pool.stop(new Date()))
const skill = schemaSkill()
const call = (input: Record<string, unknown>) =>
  skill.handler(contextWith(pool), input as Parameters<typeof skill.handler>[1])

describe('formats in mode both', () => {
  const sample = { email: 'ann@example.com' }

  test('refuse what the draft says they refuse', async () => {
    const result = await call({ mode: 'both', sample, instance: { email: 'nope' } })
    expect(result).toMatchObject({
      ok: true,
      output: {
        valid: false,
        schema: { properties: { email: { format: 'email' } } },
        errors: [{ instancePath: '/email', keyword: 'format' }],
      },
    })
  })

  test('are annotations where the caller says so', async () => {
    const input = { mode: 'both', sample, instance: { email: 'nope' }, assertFormat: false }
    expect(await call(input)).toMatchObject({ ok: true, output: { valid: true } })
  })

  test('of a stated 2020-12 schema stay annotations in mode validate', async () => {
    const $schema = 'https://json-schema.org/draft/2020-12/schema'
    const result = await call({ schema: { $schema, format: 'email' }, instance: 'nope' })
    expect(result).toMatchObject({ ok: true, output: { valid: true } })
  })
})

describe('objects keyed by ids', () => {
  const record = (name: string, at: number) => ({ name, at })
  const of = (keys: string[]) => Object.fromEntries(keys.map((key, at) => [key, record(key, at)]))

  test.each([
    ['numbers', ['1', '20', '300']],
    ['uuids', [1, 2, 3].map((at) => `0b0f5f6e-0000-4000-8000-00000000000${at}`)],
    ['dates', ['2026-01-01', '2026-01-02', '2026-02-03']],
    ['prefixed ids', ['usr_1a2b', 'usr_9zz8', 'usr_77k0']],
    ['addresses', ['10.0.0.1', '10.0.0.2', '192.168.0.7']],
    ['paths', ['/', '/pets', '/pets/{id}']],
    ['versions', ['1.0.0', '1.0.1', 'v2.0.0-rc.1']],
    ['e-mail', ['a@example.com', 'b@example.com', 'c@example.org']],
  ])('%s: one schema for all values', (_, keys) => {
    const schema = draftSchema([of(keys)])
    expect(schema).toMatchObject({
      type: 'object',
      additionalProperties: { type: 'object', required: ['name', 'at'] },
    })
    expect(schema.properties).toBeUndefined()
    const more = { ...of(keys), [keys[0]!.replace('1', '2')]: record('x', 1) }
    expect(validate(schema, more)).toMatchObject({ ok: true, valid: true })
    expect(validate(schema, { 'no id at all': record('x', 1) })).toMatchObject({ valid: false })
    expect(validate(schema, { [keys[0]!]: { name: 1 } })).toMatchObject({ valid: false })
  })

  test('many names whose values are alike are one too', () => {
    const names = ['Oslo', 'Rome', 'Bern', 'Lima', 'Doha', 'Kyiv', 'Riga', 'Cork', 'Pisa', 'Lyon']
    expect(draftSchema([of(names)])).toMatchObject({ additionalProperties: { type: 'object' } })
  })

  test.each([
    ['names', { id: 1, age: 2, size: 3 }],
    ['two ids', of(['1', '2'])],
    ['ids with values of several kinds', { '1': 1, '2': 'a', '3': true }],
    [
      'ids with records that have little in common',
      { '1': { a: 1 }, '2': { b: 1 }, '3': { c: 1 } },
    ],
    ['hexadecimal words', { deadbeef: 1, cafebabe: 2, facefeed: 3 }],
  ])('%s stay members', (_, sample) => {
    expect(draftSchema([sample])).toHaveProperty('properties')
  })
})

describe.each(DRAFT_DIALECTS)('a draft in %s', (dialect) => {
  test('is a schema of it that accepts its samples and refuses others', () => {
    for (let seed = 1; seed <= 40; seed += 1) {
      const sample = payload(seed)
      const schema = draftSchema([sample, sample], dialect)
      expect(validate(schema, sample)).toMatchObject({ ok: true, valid: true })
      expect(validate(schema, [[[]]])).toMatchObject({ ok: true, valid: false })
    }
  })

  test('says tuples in its own words', () => {
    const samples = [
      ['a', 1],
      ['b', 2],
      ['c', 3],
    ]
    const schema = draftSchema(samples, dialect)
    expect(schema).toHaveProperty(dialect === '2020-12' ? 'prefixItems' : 'items')
    expect(validate(schema, ['d', 4])).toMatchObject({ valid: true })
    expect(validate(schema, [4, 'd'])).toMatchObject({ valid: false })
  })
})

describe('TypeScript', () => {
  test('follows a reference whose name a URI fragment has to encode', () => {
    const schema = { $ref: '#/$defs/a%20b', $defs: { 'a b': { type: 'string' } } }
    expect(typescriptOf(schema, 'one')).toContain('string')
  })

  test('of a schema with definitions, names, unions and comments', () => {
    const schema = {
      type: 'object',
      description: 'A pet. */ export const x = 1',
      required: ['id', 'kind'],
      properties: {
        id: { type: 'integer', readOnly: true },
        kind: { enum: ['cat', "d'og"] },
        'first-seen': { type: ['string', 'null'] },
        owner: { $ref: '#/$defs/owner' },
        tags: { type: 'array', items: { type: ['string', 'integer'] } },
        place: { type: 'array', prefixItems: [{ type: 'number' }], minItems: 1, maxItems: 1 },
        parent: { $ref: '#' },
        by_id: { type: 'object', additionalProperties: { type: 'number' } },
      },
      $defs: { owner: { type: 'object', properties: { name: { type: 'string' } } } },
    }
    expect(typescriptOf(schema, 'pet')).toBe(`/** A pet. * / export const x = 1 */
export interface Pet {
  readonly id: number
  kind: "cat" | "d'og"
  "first-seen"?: string | null
  owner?: Owner
  tags?: (string | number)[]
  place?: [number]
  parent?: Pet
  by_id?: { [key: string]: number }
}

export interface Owner {
  name?: string
}
`)
  })

  test('of names by patterns, which are no other names', () => {
    const patternProperties = { '^x-': { type: 'string' }, '^n': { type: 'number' } }
    expect(typescriptOf({ patternProperties, additionalProperties: false })).toBe(
      'export interface Root { [key: string]: string | number }\n',
    )
    expect(typescriptOf({ patternProperties })).toBe(
      'export interface Root { [key: string]: unknown }\n',
    )
    const named = { properties: { a: { type: 'null' } }, patternProperties }
    expect(typescriptOf({ ...named, additionalProperties: false })).toBe(
      'export interface Root {\n  a?: null\n  [key: string]: unknown\n}\n',
    )
    expect(typescriptOf({ type: 'object', additionalProperties: false })).toBe(
      'export interface Root { [key: string]: never }\n',
    )
  })

  test('of what stands beside a reference, where it counts', () => {
    const schema = {
      $ref: '#/$defs/base',
      properties: { own: { type: 'string' } },
      $defs: { base: { properties: { inherited: { type: 'string' } } } },
    }
    const base = 'export interface Base {\n  inherited?: string\n}\n'
    expect(typescriptOf(schema)).toBe(`export type Root = {\n  own?: string\n} & Base\n\n${base}`)
    const $schema = 'http://json-schema.org/draft-07/schema#'
    expect(typescriptOf({ $schema, ...schema })).toBe(`export type Root = Base\n\n${base}`)
  })

  test('comes with a draft, and with a schema that is validated against', async () => {
    expect(
      await call({ sample: { a: 1 }, types: 'typescript', dialect: 'draft-07' }),
    ).toMatchObject({
      output: {
        schema: { $schema: 'http://json-schema.org/draft-07/schema#' },
        types: 'export interface Root {\n  a: number\n}\n',
      },
    })
    const validated = await call({ schema: { type: 'string' }, instance: '', types: 'typescript' })
    expect(validated).toMatchObject({ output: { types: 'export type Root = string\n' } })
  })

  test('of a schema without end ends', () => {
    let deep: unknown = { type: 'string' }
    for (let at = 0; at < 5000; at += 1) deep = { type: 'array', items: deep }
    expect(typescriptOf(deep)).toContain('unknown')
  })
})
