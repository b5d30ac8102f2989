import { Check } from 'typebox/schema'
import { afterAll, describe, expect, test } from 'vitest'
import { schemaSkill } from '../../../../../plugins/utils/schema/skill.ts'
import { contextWith, startPool } from './pool.ts'

const pool = startPool()
afterAll(() => pool.stop(new Date()))
const skill = schemaSkill()
type Input = Parameters<typeof skill.handler>[1]

/** The request as the gateway runs it: the cheap check first, then the work. */
async function call(input: Record<string, unknown>, signal?: AbortSignal) {
  const ctx = contextWith(pool, signal)
  return (await skill.check!(ctx, input as Input)) ?? skill.handler(ctx, input as Input)
}

describe('utils.schema', () => {
  test('its example is what it answers', async () => {
    const { input, output } = skill.example!
    expect(await call(input as Record<string, unknown>)).toEqual({ ok: true, output })
  })

  test.each([
    [
      'validate',
      { schema: { type: 'null' }, instance: null },
      { mode: 'validate', valid: true, errors: [] },
    ],
    [
      'draft by sample',
      { sample: [1] },
      { mode: 'draft', schema: { type: 'array', items: { type: 'integer' } } },
    ],
    [
      'draft by samples',
      { samples: [1, 'a'] },
      { mode: 'draft', schema: { type: ['string', 'integer'] } },
    ],
    [
      'the legacy alias',
      { draft: true, sample: 1 },
      { mode: 'draft', schema: { type: 'integer' } },
    ],
    [
      'both against the draft',
      { mode: 'both', sample: 1, instance: 'x' },
      { mode: 'both', valid: false, schema: { type: 'integer' } },
    ],
    [
      'both against a given schema',
      { mode: 'both', schema: { type: 'string' }, instance: 'x' },
      { mode: 'both', valid: true, schema: { type: 'string' } },
    ],
  ])('mode: %s', async (_, input, output) => {
    const result = await call(input)
    expect(result).toMatchObject({ ok: true, output })
    expect(Check(skill.output, result.ok && result.output)).toBe(true)
  })

  test.each([
    ['no instance', { schema: {} }, '/instance'],
    ['no schema', { mode: 'validate', instance: 1 }, '/schema'],
    ['nothing to draft from', { mode: 'draft' }, '/sample'],
    ['a schema that is text', { schema: 'x', instance: 1 }, '/schema'],
    [
      'an ill-formed schema',
      { schema: { properties: { a: { type: 'text' } } }, instance: 1 },
      '/schema/properties/a/type',
    ],
    [
      'an unknown dialect',
      { schema: { $schema: 'https://x.example/dialect' }, instance: 1 },
      '/schema/$schema',
    ],
    [
      'a remote reference',
      { schema: { items: { $ref: 'https://x.example/s' } }, instance: [1] },
      '/schema/items/$ref',
    ],
    [
      'a wrong document given along',
      {
        schema: { $ref: 'https://x.example/s' },
        schemas: { 'https://x.example/s': { items: { type: 'text' } } },
        instance: 1,
      },
      '/schemas/https:~1~1x.example~1s/items/type',
    ],
    ['a reference to nowhere', { schema: { $ref: '#/$defs/no' }, instance: 1 }, '/schema/$ref'],
    ['endless references', { schema: { $ref: '#' }, instance: 1 }, '/schema'],
  ])('refuses %s with its pointer', async (_, input, path) => {
    const result = await call(input)
    expect(result).toMatchObject({ ok: false, code: 'INVALID_INPUT' })
    const issues = result.ok ? [] : (result.details!.issues as { path: string }[])
    expect(issues[0]?.path).toBe(path)
  })

  test('patterns that backtrack for ever are answered', async () => {
    const schema = { pattern: '^(a+)+$', patternProperties: { '(x+x+)+y': true } }
    expect(await call({ schema, instance: `${'a'.repeat(5000)}!` })).toMatchObject({
      ok: true,
      output: { valid: false, errors: [{ keyword: 'pattern' }] },
    })
    const object = { ['x'.repeat(5000)]: 1 }
    expect(await call({ schema, instance: object })).toMatchObject({
      ok: true,
      output: { valid: true },
    })
  })

  test('an aborted call ends as a timeout and is not charged', async () => {
    const result = await call({ sample: 1 }, AbortSignal.abort())
    expect(result).toMatchObject({ ok: false, code: 'TIMEOUT' })
  })
})
