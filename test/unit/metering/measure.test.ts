import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { UnitReader, unitsOf, unitsOfHeader, unitsSaid } from '../../../kernel/metering/measure.ts'
import type { MeasureSource, UnitPrice } from '../../../kernel/pricing/rule.ts'

const priced = (source: MeasureSource, unit = 'unit'): UnitPrice => ({
  unit,
  source,
  unitAtomic: 1n,
  tiers: null,
  first: 0n,
  step: 1n,
})
const at = (...pointers: string[]): UnitPrice => priced({ kind: 'pointer', pointers })
const bytesOf = (text: string) => new TextEncoder().encode(text)

function measure(
  per: readonly UnitPrice[],
  type: string,
  chunks: readonly Uint8Array[],
  headers: Record<string, string> = {},
) {
  const reader = new UnitReader(per, new Headers({ 'content-type': type, ...headers }))
  for (const chunk of chunks) reader.push(chunk)
  return reader.measured({ seconds: 1.2, said: null })
}
const json = (text: string, pointer = '/usage/pages') =>
  measure([at(pointer)], 'application/json', [bytesOf(text)])[0]

test('a coding is named in letters of any case', () => {
  const coded = (coding: string) =>
    measure([at('/n')], 'application/json', [bytesOf('{"n":3}')], { 'content-encoding': coding })[0]
  expect(coded('Identity')).toBe(3n)
  expect(coded('gzip')).toBe(null)
})

describe('what is a number of units', () => {
  test.each<[unknown, bigint | null]>([
    [0, 0n],
    [-0, 0n],
    [7, 7n],
    [6.01, 7n],
    [2 ** 53, 2n ** 53n],
    [2 ** 53 + 2, null],
    [-1, null],
    [-0.5, null],
    [Number.NaN, null],
    [Infinity, null],
    ['7', null],
    [true, null],
    [null, null],
    [undefined, null],
    [[7], null],
    [7n, 7n],
    [-7n, null],
  ])('%s', (value, units) => expect(unitsOf(value)).toBe(units))

  test.each<[string | null, bigint | null]>([
    ['12', 12n],
    [' 12 ', 12n],
    ['1.5', 2n],
    ['', null],
    ['-1', null],
    ['1e3', null],
    ['0x10', null],
    ['12, 13', null],
    ['99999999999999999', null],
    [null, null],
  ])('in a header: %s', (text, units) => expect(unitsOfHeader(text)).toBe(units))

  test('of a skill: its only number, or the one of its name', () => {
    expect(unitsSaid(3, 'page')).toBe(3n)
    expect(unitsSaid({ page: 2.5, word: 9 }, 'page')).toBe(3n)
    expect(unitsSaid({ word: 9 }, 'page')).toBeNull()
    expect(unitsSaid({ word: 9 }, 'toString')).toBeNull()
    expect(unitsSaid(null, 'page')).toBeNull()
  })
})

describe('an answer that lies or omits has no measure', () => {
  test.each<[string, bigint | null]>([
    ['{"usage":{"pages":3}}', 3n],
    ['{"usage":{"pages":0}}', 0n],
    ['{"usage":{"pages":2.1}}', 3n],
    ['{"usage":{"pages":1,"pages":5}}', 5n],
    ['{"usage":{"pages":"3"}}', null],
    ['{"usage":{"pages":-3}}', null],
    ['{"usage":{"pages":1e999}}', null],
    ['{"usage":{"pages":9007199254740994}}', null],
    ['{"usage":{"pages":[3]}}', null],
    ['{"usage":{}}', null],
    ['{"usage":null}', null],
    ['[]', null],
    ['3', null],
    ['', null],
    ['{"usage":{"pages":3}', null],
    [`${'['.repeat(100_000)}`, null],
    ['{"\\u0075sage":{"pages":4}}', 4n],
  ])('%.40s', (text, units) => expect(json(text)).toBe(units))

  test('pointers are those of RFC 6901, over own members only', () => {
    expect(json('{"a/b":{"c~d":[1,8]}}', '/a~1b/c~0d/1')).toBe(8n)
    expect(json('{"a":{}}', '/a/constructor')).toBeNull()
    expect(json('{"":9}', '/')).toBe(9n)
  })

  test('one that is compressed is not looked into', () => {
    const bytes = Bun.gzipSync(bytesOf('{"usage":{"pages":3}}'))
    const headers = { 'content-encoding': 'gzip' }
    const per = [at('/usage/pages'), priced({ kind: 'bytes' })]
    expect(measure(per, 'application/json', [bytes], headers)).toEqual([
      null,
      BigInt(bytes.byteLength),
    ])
  })

  test('one that is longer than any measure is looked for in', () => {
    const long = bytesOf(`{"usage":{"pages":3},"x":"${'y'.repeat(5 * 1024 * 1024)}"}`)
    expect(measure([at('/usage/pages')], 'application/json', [long])).toEqual([null])
  })
})

describe('a stream', () => {
  const EVENTS = [
    ': comment',
    'event: delta',
    'data: {"choices":[{"text":"usage"}],"usage":null}',
    '',
    'data: {"usage":{"in":4,"out":1}}',
    '',
    'id: 7',
    'data: {"usage":',
    'data: {"in":5,"out":12}}',
    '',
    'data: [DONE]',
    '',
  ]
  const per = [at('/usage/in'), at('/usage/out'), priced({ kind: 'bytes' })]

  test.each(['\n', '\r\n', '\r'])(
    'counts what its last event says, whatever its cuts (%j)',
    (end) => {
      const whole = bytesOf(EVENTS.join(end) + end)
      fc.assert(
        fc.property(fc.array(fc.nat(whole.byteLength), { maxLength: 12 }), (cuts) => {
          const places = [0, ...cuts.toSorted((a, b) => a - b), whole.byteLength]
          const chunks = places.slice(1).map((to, index) => whole.subarray(places[index], to))
          expect(measure(per, 'text/event-stream; charset=utf-8', chunks)).toEqual([
            5n,
            12n,
            BigInt(whole.byteLength),
          ])
        }),
        { seed: 20261122, numRuns: 200 },
      )
    },
  )

  test('and its answer as a whole have their numbers at different places', () => {
    const unit = at('/usage/n', '/response/usage/n')
    const events = 'data: {"response":{"usage":null}}\n\ndata: {"response":{"usage":{"n":3}}}\n\n'
    expect(measure([unit, at('/usage')], 'text/event-stream', [bytesOf(events)])).toEqual([
      3n,
      null,
    ])
    const whole = (text: string) => measure([unit], 'application/json', [bytesOf(text)])[0]
    expect(whole('{"response":{"usage":{"n":3}},"usage":{"n":4}}')).toBe(4n)
    expect(whole('{"response":{"usage":{"n":3}},"usage":{"n":-4}}')).toBe(null)
    expect(whole('{"response":{"usage":{"n":3}},"usage":null}')).toBe(3n)
  })

  test('that broke off counts what was seen', () => {
    const seen = EVENTS.slice(0, 6).join('\n')
    expect(measure(per, 'text/event-stream', [bytesOf(seen)])).toEqual([
      4n,
      1n,
      BigInt(seen.length),
    ])
    expect(measure(per, 'text/event-stream', [bytesOf('data: {"usage":{"in"')])[0]).toBeNull()
  })

  test('of lines is read line by line', () => {
    const lines = '{"n":1}\n{"n":{}}\nnot json\n{"m":2}\n{"n":3}'
    expect(measure([at('/n')], 'application/x-ndjson', [bytesOf(lines)])).toEqual([3n])
  })

  test('with an endless event keeps no more of it than an event may have', () => {
    const long = bytesOf(`data: {"n":1}\n\ndata: ${'x'.repeat(3_000_000)}`)
    expect(measure([at('/n')], 'text/event-stream', [long, long])).toEqual([1n])
  })
})

test('seconds are those that the work took, a begun one as whole', () => {
  expect(measure([priced({ kind: 'seconds' })], 'text/plain', [])).toEqual([2n])
})

test('several units keep their places', () => {
  const per = [
    priced({ kind: 'header', name: 'x-usage' }),
    at('/a'),
    priced({ kind: 'seconds' }),
    at('/b'),
  ]
  expect(measure(per, 'application/json', [bytesOf('{"a":1,"b":2}')], { 'X-Usage': '9' })).toEqual([
    9n,
    1n,
    2n,
    2n,
  ])
})

test('an event of many empty data lines is too long to be kept, like one of long lines', () => {
  const empty = bytesOf('data:\n'.repeat(2 ** 18))
  const event = (lines: number) => [
    ...Array.from({ length: lines }, () => empty),
    bytesOf('data: {"usage":{"pages":3}}\n\n'),
  ]
  const pages = (chunks: Uint8Array[]) =>
    measure([at('/usage/pages')], 'text/event-stream', chunks)[0]
  expect(pages(event(1))).toBe(3n)
  expect(pages(event(4))).toBe(null)
  expect(pages([...event(4), ...event(0)])).toBe(3n)
})
