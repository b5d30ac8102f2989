import { expect, it } from 'vitest'
import {
  keepDigits,
  mayRound,
  roundedIn,
  withDigits,
} from '../../../plugins/shared/exact-numbers.ts'

const bytes = (json: string): Uint8Array => new TextEncoder().encode(json)

it.each([
  ['{"id":1234567890123456789}', [{ keys: ['id'], digits: '1234567890123456789' }]],
  ['[{"a":[-9007199254740993]}]', [{ keys: ['0', 'a', '0'], digits: '-9007199254740993' }]],
  [
    '{"__proto__":{"id":9007199254740993}}',
    [{ keys: ['__proto__', 'id'], digits: '9007199254740993' }],
  ],
  // Exact as doubles, texts, and numbers that are no integers.
  ['{"a":9007199254740992,"b":1152921504606846976,"c":"1234567890123456789"}', []],
  ['{"a":1234567890123456.789,"b":1234567890123456789e2}', []],
  ['{"a":1}', []],
])('parsing changes of %s', (json, rounded) => {
  expect(roundedIn(bytes(json))).toEqual(rounded)
})

it('goes over no text of more than 64 KiB', () => {
  const json = (filler: number) => `{"id":1234567890123456789,"a":"${'x'.repeat(filler)}"}`
  expect(roundedIn(bytes(json(65_000)))).toHaveLength(1)
  expect(roundedIn(bytes(json(65_536)))).toEqual([])
})

it('writes kept digits as texts or as JSON, and leaves every other input as it is', () => {
  const json =
    '{"id":1234567890123456789,"in":[{"id":9007199254740993,"n":1}],"__proto__":9007199254740993}'
  const input = JSON.parse(json) as Record<string, unknown>
  expect(withDigits(input, 'json')).toBe(input)
  keepDigits(input, roundedIn(bytes(json)))
  expect(JSON.stringify(withDigits(input, 'json'))).toBe(json)
  expect(JSON.stringify(withDigits(input, 'text'))).toBe(json.replaceAll(/\d{16,}/g, '"$&"'))
  expect(input['id']).toBe(1234567890123456800)
})

it('writes nothing where the input has no number any more', () => {
  const input = { in: null, id: '7' }
  keepDigits(input, [
    { keys: ['in', 'id'], digits: '9007199254740993' },
    { keys: ['id'], digits: '9007199254740993' },
    { keys: ['gone', '0', 'id'], digits: '9007199254740993' },
  ])
  expect(withDigits(input, 'text')).toEqual({ in: null, id: '7' })
})

it('says of a text whether a number may be changed', () => {
  expect(['{"id":123456789012345}', '{"id":1234567890123456}'].map(mayRound)).toEqual([false, true])
})
