/** A large input has the fingerprint that a small one has: its claims outlive this process. */
import { describe, expect, it } from 'vitest'
import {
  inputFingerprint,
  jsonText,
  canonicalJson,
  fingerprintOf,
} from '../../../kernel/schema/json-pieces.ts'

const many = Array.from({ length: 3000 }, (_, n) => n)
const long = `${'x'.repeat(131_071)}😀"\\\n\ud800${'é'.repeat(140_000)}`

describe('JSON text in slices', () => {
  it.each([
    ['small', { b: 1, a: [null, 'x'] }],
    ['many values', { b: many, a: { z: many.map((n) => ({ n, a: String(n) })) } }],
    ['long texts', { b: long, a: [long] }],
    ['members of odd names', JSON.parse(`{"b":[${many.join()}],"__proto__":{"c":1}}`)],
  ])('is that of JSON.stringify: %s', async (_, value) => {
    expect(await jsonText(value)).toBe(JSON.stringify(value))
  })
})

describe('the fingerprint of an input', () => {
  it.each([
    ['a small one', { b: 1, a: [2, { d: null, c: 'x' }] }],
    ['many items', { list: many, nested: [[many], { z: many.map((n) => ({ n, a: n })) }] }],
    [
      'many members, some named by numbers',
      Object.fromEntries(many.map((n) => [n % 3 ? `k${n}` : String(n), { b: n, a: 1 }])),
    ],
    ['long texts', { b: long, a: [long, 'x'], [long.slice(0, 200_000)]: 1 }],
    ['a long text by itself', long],
    [
      'members of odd names',
      JSON.parse(`{"__proto__":{"b":1,"a":2},"":[${many.join()}],"é":"\\ud800"}`),
    ],
    [
      'values that JSON has not',
      { list: [...many, undefined], gone: undefined, on: new Date(0), f: () => 1 },
    ],
    ['many bytes', { bytes: new Uint8Array(3000) }],
  ])('is that of its canonical JSON: %s', async (_, input) => {
    expect(await inputFingerprint('t.run', input)).toBe(
      fingerprintOf('t.run', canonicalJson(input)),
    )
  })
})
