/** JSON in slices: whatever the text, the outcome is that of JSON.parse. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJson } from '../../../kernel/schema/json.ts'
import { readJson } from '../../support/read-json.ts'
import { SlicedParser, type SlicedValue } from '../../../host/json-slices/sliced-parser.ts'

const SEED = { seed: 20_130, numRuns: 3000 }
const MAX_DEPTH = 128

/** With runs and pieces so small that each text has many seams. */
function slicedParse(text: string, runWeight: number, pieceCharacters = 12): SlicedValue {
  const parser = new SlicedParser(text, {
    maxDepth: MAX_DEPTH,
    runWeight,
    pieceCharacters,
    knownMembers: null,
    overflowIn: firstInfinity,
    escape: (token) => token.replaceAll('~', '~0').replaceAll('/', '~1'),
  })
  for (;;) {
    const step = parser.step(() => true)
    if (step.done) return step.value
  }
}

function firstInfinity(value: unknown, pointer = ''): string | null {
  if (typeof value === 'number') return Number.isFinite(value) ? null : pointer
  if (typeof value !== 'object' || value === null) return null
  for (const [name, member] of Object.entries(value)) {
    const token = name.replaceAll('~', '~0').replaceAll('/', '~1')
    const found = firstInfinity(member, `${pointer}/${token}`)
    if (found !== null) return found
  }
  return null
}

/** How many slices of no time at all a text takes. */
function slicesOf(text: string): number {
  const parser = new SlicedParser(text, {
    maxDepth: MAX_DEPTH,
    runWeight: 1_000_000,
    pieceCharacters: 100,
    knownMembers: null,
    overflowIn: firstInfinity,
    escape: (token) => token,
  })
  let slices = 1
  while (!parser.step(() => true).done) slices++
  return slices
}

/** What JSON.parse makes of it, as text that also shows the order of members and -0. */
function expected(text: string): string {
  try {
    return shown(JSON.parse(text))
  } catch {
    return 'not JSON'
  }
}

/** A long member name is refused before the rest is looked at, so a broken text may be told so. */
const REFUSED: ReadonlySet<string> = new Set(['syntax', 'name'])

function got(outcome: SlicedValue): string {
  return outcome.ok ? shown(outcome.value) : REFUSED.has(outcome.fault) ? 'not JSON' : outcome.fault
}

function shown(value: unknown): string {
  if (Object.is(value, -0)) return '-0'
  if (Array.isArray(value)) return `[${value.map(shown).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.getOwnPropertyNames(value).map(
    (name) => `${JSON.stringify(name)}:${shown((value as Record<string, unknown>)[name])}`,
  )
  return `${Object.getPrototypeOf(value) === Object.prototype ? '' : 'odd '}{${members.join()}}`
}

const NAMES = ['a', 'b', '__proto__', '0', '17', 'é', '\\ud800', 'a/b~', '\\"', '']
const SCALARS = [
  '1',
  '-0',
  '0.1',
  '1e30',
  'true',
  'null',
  '"x"',
  '"\\u00e9\\n\\\\"',
  '"\\ud83d\\ude00"',
]
const LONG_STRINGS = [
  `"${'\\\\'.repeat(40)}"`,
  `"${'ab\\u0041'.repeat(9)}"`,
  `"x${'\\ud83d\\ude00'.repeat(7)}\\""`,
  `"${'😀'.repeat(25)}"`,
]

const { document } = fc.letrec<{ document: string }>((tie) => ({
  document: fc.oneof(
    { maxDepth: 6 },
    fc.constantFrom(...SCALARS),
    fc.constantFrom(...LONG_STRINGS),
    fc
      .tuple(fc.array(tie('document'), { maxLength: 6 }), fc.constantFrom('', ' ', '\n\t'))
      .map(([members, blank]) => `[${blank}${members.join(`${blank},`)}${blank}]`),
    fc
      .tuple(
        fc.array(fc.tuple(fc.constantFrom(...NAMES), tie('document')), { maxLength: 6 }),
        fc.constantFrom('', ' '),
      )
      .map(
        ([members, blank]) =>
          `{${members.map(([name, value]) => `${blank}"${name}"${blank}:${blank}${value}`).join()}${blank}}`,
      ),
  ),
}))

const weight = fc.constantFrom(0, 100, 500, 1500, 5000, 1_000_000)

describe('JSON in slices', () => {
  it('is what JSON.parse gives, wherever the seams are', () => {
    fc.assert(
      fc.property(document, weight, (text, runWeight) => {
        expect(got(slicedParse(text, runWeight))).toBe(expected(text))
      }),
      SEED,
    )
  })

  it('takes no text that JSON.parse refuses, and refuses none that it takes', () => {
    const broken = fc
      .tuple(document, fc.nat(), fc.constantFrom('', ',', ']', '}', '[', '{', ':', '"', 't', ' '))
      .map(([text, place, put]) => {
        const at = place % (text.length + 1)
        return text.slice(0, at) + put + text.slice(put === '' ? at + 1 : at)
      })
    fc.assert(
      fc.property(broken, weight, (text, runWeight) => {
        const outcome = slicedParse(text, runWeight, 40)
        expect(got(outcome)).toBe(expected(text))
      }),
      SEED,
    )
  })

  it.each([
    '',
    ' ',
    ',',
    '[,1]',
    '[1,]',
    '[1,,2]',
    '{,}',
    '{"a":1,}',
    '{"a"}',
    '{"a":}',
    '[1 2]',
    '1 2',
    '[1}',
    '{"a":1]',
    ']',
    '[[1]',
    '"a',
    '[1]]',
    '[1],',
    '{"a":1:2}',
    '{"a":{}"b":1}',
    '[[1]2]',
    '[2[1]]',
    '[[1],]',
    '[,[1]]',
    '{"a":1{}}',
    '[1:2]',
    '{1:2}',
    '{"a" "b":[1]}',
  ])('refuses %s', (text) => {
    expect(expected(text)).toBe('not JSON')
    for (const runWeight of [0, 100, 1_000_000]) {
      expect(got(slicedParse(text, runWeight)), `run weight ${runWeight}`).toBe('not JSON')
    }
  })

  it.each([
    ['[1,2,[3,{"x/y":[0,1e999]}]]', '/2/1/x~1y/1'],
    ['{"a":[1,2,3],"b":{"c":[[],[1,-1E+400]]}}', '/b/c/1/1'],
    [`[0,${'9'.repeat(400)}]`, '/1'],
    ['1e999', ''],
    ['{"a":1e10,"b":[1e-400,1e308,true,1e309]}', '/b/3'],
  ])('names the number beyond a double in %s', (text, pointer) => {
    for (const runWeight of [0, 100, 1_000_000]) {
      expect(slicedParse(text, runWeight)).toEqual({ ok: false, fault: 'number', pointer })
    }
    expect(parseJson(text)).toMatchObject({ details: { issues: [{ path: pointer }] } })
  })

  it('counts levels as the short way does', () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
    expect(slicedParse(nested(MAX_DEPTH), 0).ok).toBe(true)
    expect(slicedParse(nested(MAX_DEPTH + 1), 0)).toEqual({ ok: false, fault: 'depth' })
    expect(parseJson(nested(MAX_DEPTH)).ok).toBe(true)
    expect(parseJson(nested(MAX_DEPTH + 1)).ok).toBe(false)
  })
})

it.each([
  ['a number', `[${'1'.repeat(2000)}]`],
  ['white space', `[${' '.repeat(2000)}]`],
  ['junk', `[${'e'.repeat(2000)}]`],
])('one very long token is no slice by itself: %s', (_, text) => {
  expect(slicesOf(text)).toBeGreaterThan(10)
})

describe('long bodies', () => {
  const bytes = (text: string) => new TextEncoder().encode(text)

  it('let the event loop turn while they are parsed', async () => {
    const text = `{"members":{${Array.from({ length: 60_000 }, (_, i) => `"k${i}":${i}`).join()}}}`
    let turns = 0
    let isOver = false
    const count = () => {
      turns++
      if (!isOver) setImmediate(count)
    }
    setImmediate(count)
    const parsed = await readJson(bytes(text), 'address:192.0.2.1')
    isOver = true
    expect(parsed).toEqual({ ok: true, value: JSON.parse(text) })
    expect(turns).toBeGreaterThan(2)
  })

  it('come out whole across the places where their bytes are cut', async () => {
    const value = { text: `${'a'.repeat(1_048_570)}漢字😀`.repeat(2), list: ['é', '😀'] }
    const parsed = await readJson(bytes(JSON.stringify(value)), 'address:192.0.2.1')
    expect(parsed).toEqual({ ok: true, value })
  })

  it.each([
    ['no UTF-8', new Uint8Array(70_000).fill(0xff), 'must be UTF-8 text, not compressed'],
    [
      'cut off within a character',
      bytes(`"${'a'.repeat(70_000)}é`).subarray(0, 70_002),
      'must be UTF-8 text, not compressed',
    ],
    ['no JSON', bytes('x'.repeat(70_000)), 'must be JSON'],
    ['too deep', bytes('['.repeat(70_000)), 'must not nest deeper than 128 levels'],
  ])('are refused in the words of short ones: %s', async (_, body, message) => {
    expect(await readJson(body, 'address:192.0.2.1')).toMatchObject({
      code: 'INVALID_INPUT',
      details: { issues: [{ path: '', message }] },
    })
  })
})
