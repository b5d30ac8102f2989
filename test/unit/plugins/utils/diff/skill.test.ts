import { compareDocuments } from '../../../../../plugins/utils/diff/compare.ts'
import { Check } from 'typebox/schema'
import { afterAll, describe, expect, test } from 'vitest'
import { diffSkill } from '../../../../../plugins/utils/diff/skill.ts'
import { contextWith, startPool } from '../schema/pool.ts'

const pool = startPool()
afterAll(() => pool.stop(new Date()))
const skill = diffSkill()
const run = (input: Record<string, unknown>) =>
  skill.handler(contextWith(pool), input as Parameters<typeof skill.handler>[1])

/** Nested YAML aliases: a few hundred bytes that stand for 10^9 values. */
function bomb(): string {
  const levels = ['a: &a0 [x, x, x, x, x, x, x, x, x, x]']
  for (let at = 1; at < 9; at++) {
    levels.push(
      `b${at}: &a${at} [${Array(10)
        .fill(`*a${at - 1}`)
        .join(', ')}]`,
    )
  }
  return levels.join('\n')
}

describe('utils.diff', () => {
  test('its example is what it answers', async () => {
    const { input, output } = skill.example!
    expect(await run(input as Record<string, unknown>)).toEqual({ ok: true, output })
  })

  test('reads a map of tens of thousands of keys in time, and finds the one that is there twice', async () => {
    const keys = Array.from({ length: 20_000 }, (_, index) => `  k${index}: true`)
    const many = `properties:\n${keys.join('\n')}`
    expect(await run({ before: many, after: many })).toMatchObject({ ok: true })
    expect(await run({ before: many, after: `${many}\n  k7: false` })).toMatchObject({
      ok: false,
      details: {
        issues: [{ path: '/after', message: expect.stringMatching(/line 20002, .*unique/) }],
      },
    })
  })

  test('an answer fits the output schema', async () => {
    const before = 'openapi: 3.0.0\npaths: {/a: {get: {responses: {"200": {description: x}}}}}'
    const result = await run({ before, after: { openapi: '3.1.0', paths: {} } })
    expect(result).toMatchObject({ ok: true, output: { breaking: true, format: 'openapi' } })
    expect(Check(skill.output, result.ok && result.output)).toBe(true)
  })

  test.each([
    ['text that is neither JSON nor YAML', { before: 'a: [', after: {} }, '/before', /line 1/],
    ['a number', { before: {}, after: 7 }, '/after', /must be an object/],
    [
      'two kinds of document',
      { before: { openapi: '3.0.0', paths: {} }, after: { type: 'object' } },
      '/after',
      /kind/,
    ],
    ['a wrong stated format', { before: {}, after: {}, format: 'openapi' }, '/before', /openapi/],
    ['a YAML bomb', { before: bomb(), after: {} }, '/before', /alias/i],
    [
      'a document nested too deep',
      { before: `${'{"a":'.repeat(300)}1${'}'.repeat(300)}`, after: {} },
      '/before',
      /deeper/,
    ],
  ])('refuses %s, naming the field', async (_, input, path, message) => {
    const result = await run(input)
    expect(result).toMatchObject({ ok: false, code: 'INVALID_INPUT' })
    const issues = result.ok ? [] : (result.details!.issues as { path: string; message: string }[])
    expect(issues[0]).toMatchObject({ path, message: expect.stringMatching(message) })
  })

  test('a net of required properties is not walked on every way through it', () => {
    const names = Array.from({ length: 40 }, (_, at) => `p${at}`)
    const level = (at: number) => ({
      type: 'object',
      required: names,
      properties: Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/L${at + 1}` }])),
    })
    const $defs = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`L${at}`, level(at)]))
    const before = { $ref: '#/$defs/L0', $defs: { ...$defs, L12: { type: 'string' } } }
    const found = compareDocuments({ before, after: false, format: 'json-schema', now: 0 })
    expect(found).toMatchObject({ ok: true, breaking: true })
  })

  test('endless and mutual references end', async () => {
    const schemas = { A: { $ref: '#/components/schemas/B' }, B: { $ref: '#/components/schemas/A' } }
    const document = {
      openapi: '3.1.0',
      components: { schemas },
      paths: {
        '/a': {
          get: { responses: { 200: { content: { 'application/json': { schema: schemas.A } } } } },
        },
      },
    }
    const result = await run({ before: document, after: structuredClone(document) })
    expect(result).toMatchObject({ ok: true, output: { changes: [] } })
  })
})
