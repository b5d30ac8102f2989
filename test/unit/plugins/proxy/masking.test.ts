import { expect, it } from 'vitest'
import { masked, secretsOf } from '../../../../plugins/proxy/masking.ts'

const KEY = 'aB/ü+12 aB/ü+12='
const secrets = secretsOf({ key: KEY, format: 'json' })
const answerOf = (body: Uint8Array | ReadableStream<Uint8Array> | null) => ({
  ok: true as const,
  status: 200,
  rawHeaders: ['Location', `/next?format=json&key=${encodeURIComponent(KEY)}`],
  body,
})
/** A body that comes in parts of this many bytes. */
const inParts = (bytes: Uint8Array, size: number): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size))
      controller.close()
    },
  })
const textOf = (body: unknown): Promise<string> => new Response(body as BodyInit).text()

const spellings = [
  KEY,
  encodeURIComponent(KEY),
  encodeURIComponent(KEY).replaceAll(/%../g, (escape) => escape.toLowerCase()),
  new URLSearchParams({ KEY }).toString().slice(4),
  KEY.replaceAll('/', '\\/'),
]
const told = `aB format=json ${spellings.join('|')} aB/ü`
const shown = `aB format=json ${spellings.map((text) => '*'.repeat(Buffer.byteLength(text))).join('|')} aB/ü`

it('masks each spelling of a secret with as many bytes, whole or in parts of any size', async () => {
  const bytes = new TextEncoder().encode(told)
  expect(await textOf(masked(answerOf(bytes), secrets).body)).toBe(shown)
  for (const size of [1, 2, 3, 7, 16, 1000])
    expect(await textOf(masked(answerOf(inParts(bytes, size)), secrets).body)).toBe(shown)
  const { rawHeaders } = masked(answerOf(null), secrets)
  const length = encodeURIComponent(KEY).length
  expect(rawHeaders).toEqual(['Location', `/next?format=json&key=${'*'.repeat(length)}`])
})

it('lets bytes that are no text pass as they are', async () => {
  const bytes = Uint8Array.from({ length: 512 }, (_, index) => index)
  const { body } = masked(answerOf(inParts(bytes, 100)), secrets)
  expect(new Uint8Array(await new Response(body as BodyInit).arrayBuffer())).toEqual(bytes)
})

it('passes an event at once unless its end may begin a secret', async () => {
  let push!: (text: string) => void
  const source = new ReadableStream<Uint8Array>({
    start: (controller) => {
      push = (text) => controller.enqueue(new TextEncoder().encode(text))
    },
  })
  const reader = (masked(answerOf(source), secrets).body as ReadableStream<Uint8Array>).getReader()
  const next = async () => new TextDecoder().decode((await reader.read()).value)
  push('data: 1\n\n')
  expect(await next()).toBe('data: 1\n\n')
  push('data: aB/')
  expect(await next()).toBe('data: ')
  push('x\n\n')
  expect(await next()).toBe('aB/x\n\n')
  await reader.cancel()
})

it('ends as its source ends: what broke it off, and who gave it up, decide over the charge', async () => {
  const problem = new Error('broken off')
  const broken = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new Uint8Array([97])),
    pull: (controller) => controller.error(problem),
  })
  await expect(textOf(masked(answerOf(broken), secrets).body)).rejects.toBe(problem)
  const { promise: reason, resolve } = Promise.withResolvers<unknown>()
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array([97])),
    cancel: resolve,
  })
  await (masked(answerOf(endless), secrets).body as ReadableStream).cancel(problem)
  expect(await reason).toBe(problem)
})

it('has nothing to mask in settings that are no secrets', () => {
  expect(secretsOf({ format: 'json', lang: 'en-US', unset: '' })).toEqual([])
})
