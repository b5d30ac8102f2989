/** What is said of a wrong value: all of a small one, and of a large one the first twenty things. */
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { isSmall } from '../../../kernel/schema/json-pieces.ts'
import { readJson } from '../../support/read-json.ts'
import { compileSchema } from '../../../kernel/schema/json.ts'

const MANY = 50_000
const STRICT = Type.Object(
  {
    url: Type.String({ minLength: 3 }),
    mode: Type.Optional(Type.Enum(['a', 'b'])),
    list: Type.Optional(
      Type.Array(Type.Object({ n: Type.Number() }, { additionalProperties: false })),
    ),
    map: Type.Optional(Type.Object({}, { additionalProperties: Type.Number() })),
  },
  { additionalProperties: false },
)

/** Names every property that was read: shows that a walk did not go through the whole. */
function watchedArray<T>(items: T[]): { array: T[]; read: () => number } {
  let reads = 0
  const array = new Proxy(items, {
    get(target, name, receiver) {
      if (typeof name === 'string' && /^\d+$/.test(name)) reads++
      return Reflect.get(target, name, receiver)
    },
  })
  return { array, read: () => reads }
}

function members(count: number): Record<string, unknown> {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]))
}

describe('issues of a small value', () => {
  it('name each bad field', () => {
    expect(
      compileSchema(STRICT).issues({ mode: 'c', list: [{ n: 1 }, { n: 'x', 'a/b': 1 }], x: 1 }),
    ).toEqual([
      { path: '/url', message: 'is required' },
      { path: '/x', message: 'is not a known member; known are url, mode, list, map' },
      { path: '/mode', message: 'must be one of "a", "b"' },
      { path: '/list/1/a~1b', message: 'is not a known member; known are n' },
      { path: '/list/1/n', message: 'must be number' },
    ])
  })
})

describe('issues of a branch', () => {
  // As text: an object with a member `then` could be awaited.
  const stream = '"if": { "properties": { "stream": { "const": true } }, "required": ["stream"] }'
  const branch = `{ "type": "object", ${stream},
    "then": { "required": ["options"], "properties": { "options": { "required": ["usage"] } } },
    "else": { "properties": { "options": { "type": "string" } } } }`
  const { issues } = compileSchema({ type: 'object', properties: { a: JSON.parse(branch) } })

  it('are those of what applies', () => {
    expect(issues({ a: { stream: true } })).toEqual([
      { path: '/a/options', message: 'is required' },
    ])
    expect(issues({ a: { stream: true, options: {} } })).toEqual([
      { path: '/a/options/usage', message: 'is required' },
    ])
    expect(issues({ a: { options: 1 } })).toEqual([
      { path: '/a/options', message: 'must be string' },
    ])
  })

  it('name the branch where it cannot be looked into', () => {
    const { issues: of } = compileSchema(JSON.parse(`{ ${stream}, "then": false }`))
    expect(of({ stream: true })).toEqual([{ path: '', message: 'must match "then" schema' }])
  })
})

describe('issues of a member that is not known', () => {
  const closed = (names: readonly string[]) =>
    compileSchema({
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, {}])),
      additionalProperties: false,
    })
  const names = Array.from({ length: 21 }, (_, n) => `n${n}`)

  it('name up to twenty that are', () => {
    const [issue] = closed(names.slice(1)).issues({ x: 1 })
    expect(issue!.message).toMatch(/^is not a known member; known are n1, .*, n20$/)
  })

  it('name none where there are more, or none at all', () => {
    for (const known of [names, []]) {
      expect(closed(known).issues({ x: 1 })).toEqual([
        { path: '/x', message: 'is not a known member' },
      ])
    }
  })
})

it('issues of what is empty say so', () => {
  const one = compileSchema({
    properties: { s: { minLength: 1 }, l: { minItems: 1 }, o: { minProperties: 1 } },
  })
  expect(one.issues({ s: '', l: [], o: {} })).toEqual(
    ['/s', '/l', '/o'].map((path) => ({ path, message: 'must not be empty' })),
  )
})

describe('issues of a large value', () => {
  it('are the first twenty, in the same words', () => {
    const issues = compileSchema(STRICT).issues(members(MANY))
    expect(issues).toHaveLength(20)
    expect(issues[0]).toEqual({ path: '/url', message: 'is required' })
    const message = 'is not a known member; known are url, mode, list, map'
    expect(issues[1]).toEqual({ path: '/k0', message })
  })

  it('are told from the pieces that are wrong', () => {
    const list = Array.from({ length: MANY / 5 }, (_, n): object => ({ n }))
    list[7777] = { n: 'x' }
    list[8888] = { m: 1 }
    expect(
      compileSchema(STRICT).issues({ url: 'x', list, map: { ...members(MANY), odd: 'x' } }),
    ).toEqual([
      { path: '/url', message: 'must not have fewer than 3 characters' },
      { path: '/list/7777/n', message: 'must be number' },
      { path: '/list/8888/n', message: 'is required' },
      { path: '/list/8888/m', message: 'is not a known member; known are n' },
      { path: '/map/odd', message: 'must be number' },
    ])
  })

  it('end with the last that is listed: the rest is not looked at', () => {
    const { array, read } = watchedArray(Array.from({ length: MANY }, () => 'wrong'))
    const issues = compileSchema(Type.Array(Type.Number())).issues(array)
    expect(issues).toHaveLength(20)
    expect(issues[19]).toEqual({ path: '/19', message: 'must be number' })
    expect(read()).toBeLessThan(200)
  })

  it('say only that it is wrong where no piece shows it', () => {
    const anyOf = compileSchema(
      Type.Union([Type.Object({ a: Type.Array(Type.Number()) }), Type.String()]),
    )
    expect(anyOf.issues({ a: Array(MANY).fill('x') })).toEqual([
      { path: '', message: 'does not match the schema' },
    ])
    const unique = compileSchema(
      Type.Object({ a: Type.Array(Type.Number(), { uniqueItems: true }) }),
    )
    expect(unique.issues({ a: Array(MANY).fill(1) })).toEqual([
      { path: '/a', message: 'does not match the schema' },
    ])
    const referring = {
      $defs: { n: { type: 'number' } },
      type: 'array',
      items: { $ref: '#/$defs/n' },
    }
    expect(compileSchema(referring).issues(Array(MANY).fill('x'))).toEqual([
      { path: '', message: 'does not match the schema' },
    ])
    expect(compileSchema(referring).issues(Array(MANY).fill(1))).toEqual([])
  })

  it('are none for a valid one', () => {
    const list = Array.from({ length: MANY }, (_, n) => ({ n }))
    expect(isSmall(list)).toBe(false)
    expect(compileSchema(STRICT).issues({ url: 'http', list, map: members(MANY) })).toEqual([])
  })
})

describe('a long body with unknown members', () => {
  it('is refused at the first of them', async () => {
    const text = `{"url":"https://example.com",${'"a/b":1,'}${JSON.stringify(members(MANY)).slice(1, -1)} no JSON`
    const known = new Set(['url', 'mode'])
    const refused = await readJson(new TextEncoder().encode(text), 'address:192.0.2.1', known)
    expect(refused).toMatchObject({ ok: false, code: 'INVALID_INPUT' })
    const issues = refused.ok ? [] : (refused.details?.['issues'] as object[])
    expect(issues).toHaveLength(20)
    const message = 'is not a known member; known are url, mode'
    expect(issues[0]).toEqual({ path: '/a~1b', message })
  })

  it('passes where it has known ones only', async () => {
    const value = { url: 'x'.repeat(70_000), mode: members(5000) }
    const bytes = new TextEncoder().encode(JSON.stringify(value))
    expect(await readJson(bytes, 'a', new Set(['url', 'mode']))).toEqual({ ok: true, value })
    expect((await readJson(bytes, 'a', new Set(['url']))).ok).toBe(false)
  })
})
