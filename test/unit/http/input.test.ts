/** What a caller is told whose body is no JSON: what to send, and where the bytes of a file go. */
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { Type, type TSchema } from 'typebox'
import { expect, it } from 'vitest'
import { inputOf } from '../../../kernel/http/body.ts'
import { defineSkill, PURE, type HttpParts } from '../../../kernel/plugins/skill.ts'
import { readLongJson } from '../../../host/json-slices/index.ts'

const Words = Type.Object({ words: Type.String() })
const Scan = Type.Object({
  words: Type.Optional(Type.String()),
  scan: Type.Optional(Type.String({ contentEncoding: 'base64' })),
})

function readAs(
  input: TSchema,
  body: Uint8Array | string,
  headers = new Headers(),
  more: Partial<HttpParts> = {},
) {
  const skill = defineSkill({
    id: 'a.b',
    tools: [{ name: 'a.b' }],
    title: 'A',
    description: 'B',
    input,
    output: Type.Object({}),
    annotations: PURE,
    handler: async () => ({ ok: true, output: {} }),
  })
  const parts = {
    method: 'POST',
    params: {},
    query: new URLSearchParams(),
    headers,
    body: Buffer.from(body),
    ...more,
  }
  return inputOf(skill, parts, 'address:192.0.2.1', readLongJson)
}

async function refusalOf(input: TSchema, body: Uint8Array | string): Promise<unknown> {
  const read = await readAs(input, body)
  return read.ok ? read : read.details?.['issues']
}

const pdf = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(100, 0xe2)])
const longPdf = Buffer.concat([pdf, Buffer.alloc(100_000, 0xe2)])

it.each([
  ['a file', pdf],
  ['a long file', longPdf],
  ['a form', 'scan=JVBERi0'],
  ['a form of parts', '--x\r\nContent-Disposition: form-data; name="scan"\r\n\r\n'],
  ['text', '  hello'],
])('%s instead of JSON: what to send, and in which member', async (_, body) => {
  expect(await refusalOf(Words, body)).toEqual([
    { path: '', message: 'must be JSON (application/json)' },
  ])
  expect(await refusalOf(Scan, body)).toEqual([
    { path: '', message: 'must be JSON (application/json); a file is sent in scan, as base64' },
  ])
})

it('compressed JSON: that it must not be compressed', async () => {
  const body = gzipSync('{"words":"hello"}')
  expect(await refusalOf(Words, body)).toEqual([
    { path: '', message: 'must be JSON that is not compressed (application/json)' },
  ])
})

it.each([
  ['gzip', gzipSync('{"words":"hello"}'), undefined],
  ['br', brotliCompressSync('{"words":"hello"}'), { 'content-encoding': 'br' }],
])('%s: 415 with the codings that are accepted (RFC 9110, 15.5.16)', async (_, body, headers) => {
  expect(await readAs(Words, body, new Headers(headers))).toMatchObject({
    status: 415,
    message: 'Invalid input: must be JSON that is not compressed (application/json)',
    headers: { 'accept-encoding': 'identity' },
  })
})

it.each([
  ['JSON that breaks off', '\n {"words":', 'must be JSON'],
  ['JSON that is not UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), 'must be UTF-8 text, not compressed'],
])('%s: what is wrong with it', async (_, body, message) => {
  expect(await refusalOf(Scan, body)).toEqual([{ path: '', message }])
})

it('numbers in the path and in lists of the query are numbers of the input', async () => {
  const input = Type.Object({
    id: Type.Integer(),
    name: Type.String(),
    sizes: Type.Array(Type.Number()),
    tags: Type.Array(Type.String()),
    isLong: Type.Boolean(),
  })
  const more = {
    method: 'GET',
    params: { id: '7', name: '007' },
    query: new URLSearchParams('sizes=1&sizes=2.5&tags=3&isLong=true'),
  }
  const read = { id: 7, name: '007', sizes: [1, 2.5], tags: ['3'], isLong: true }
  expect(await readAs(input, '', new Headers(), more)).toEqual({ ok: true, input: read })
  const posted = { ...more, method: 'POST' }
  expect(await readAs(input, '{"tags":[]}', new Headers(), posted)).toEqual({
    ok: true,
    input: { id: 7, name: '007', tags: [] },
  })
  expect(await readAs(input, '', new Headers(), { ...posted, params: { id: 'x' } })).toEqual({
    ok: true,
    input: { id: 'x' },
  })
})

it('a query parameter named as a prototype is a member like any other', () => {
  const query = new URLSearchParams('__proto__=1&constructor=2')
  const read = readAs(Type.Object({}), '', new Headers(), { method: 'GET', query })
  expect(read).toMatchObject({ ok: true })
  const { input } = read as { input: object }
  expect(Object.entries(input)).toEqual([
    ['__proto__', '1'],
    ['constructor', '2'],
  ])
})

it('a path parameter of a list is a list of one, as in the query', () => {
  const input = Type.Object({ ids: Type.Array(Type.Integer()) })
  const params = { ids: '7' }
  expect(readAs(input, '', new Headers(), { params })).toEqual({ ok: true, input: { ids: [7] } })
})
