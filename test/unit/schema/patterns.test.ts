/** Patterns and formats of schemas: right for every value, whatever the engine would take for them. */
import { Format } from 'typebox/format'
import { describe, expect, it } from 'vitest'
import { compileSchema } from '../../../kernel/schema/json.ts'
import { LinearRegExp } from '../../../kernel/schema/patterns.ts'

/** The engine gives up in the first way and answers "no match"; the second way matches. */
const SLOW = '^(?:(a+)+c|a+!)$'
const SLOW_VALUE = `${'a'.repeat(40)}!`

describe('patterns of a compiled schema', () => {
  it('match where backtracking would give up', () => {
    const schema = compileSchema({
      type: 'object',
      properties: { code: { type: 'string', pattern: SLOW } },
      patternProperties: { [SLOW]: { type: 'integer' } },
      additionalProperties: false,
    })
    expect(schema.check({ code: SLOW_VALUE, [SLOW_VALUE]: 1 })).toBe(true)
    expect(schema.issues({ code: SLOW_VALUE, [SLOW_VALUE]: 'one' })).toEqual([
      { path: `/${SLOW_VALUE}`, message: 'must be integer' },
    ])
    expect(schema.issues({ code: `${SLOW_VALUE}!` })).toMatchObject([{ path: '/code' }])
  })

  it('leave RegExp as it was', () => {
    const before = globalThis.RegExp
    compileSchema({ type: 'string', pattern: SLOW }).issues(1)
    expect(() => compileSchema({ type: 'string', pattern: '(' })).toThrow(SyntaxError)
    expect(globalThis.RegExp).toBe(before)
  })

  it('take escapes that are no syntax of the flag u', () => {
    expect(compileSchema({ type: 'string', pattern: String.raw`^\@\w+\_$` }).check('@ab_')).toBe(
      true,
    )
  })
})

describe('LinearRegExp', () => {
  const VALUES = [
    '',
    'a',
    'ab',
    'aab!',
    'B7',
    '\n',
    'a\u2028b',
    '\u00a0',
    'é',
    '😀',
    'a.b-c',
    '2026-11-30',
  ]
  const PATTERNS =
    String.raw`^[a-z]{2}$|^a?b?c?$|^(a|b)+$|^.$|^a.b$|.+\s|\S+$|^[^\s]*$|^\p{Letter}+$
    ^\p{L}$|^[\]a-]+$|(ab)?$|^\d{4}-\d\d-\d{2}$|^[^]$|^(?:[\w-]+\.?)+$|\bb|^(?!a)|(a)\1|^\u{1F600}$`
      .split(/(?<=\$)\||\n\s*|\|(?=[.\\(^])/)
      .filter((pattern) => pattern !== '')

  it.each(PATTERNS)('%s means what the engine means', (pattern) => {
    const own = new LinearRegExp(pattern, 'u')
    const native = new RegExp(pattern, 'u')
    expect(VALUES.map((value) => own.test(value))).toEqual(
      VALUES.map((value) => native.test(value)),
    )
  })

  it('says which patterns have no linear form', () => {
    const mayGiveUp = (pattern: string) => new LinearRegExp(pattern, 'u').mayGiveUp
    expect(['^a+$', '(a+)+$', '^(?<x>a|b)*$'].map(mayGiveUp)).toEqual([false, false, false])
    expect([String.raw`(a+)\1`, '^(?=a)a', '(?<!a)b'].map(mayGiveUp)).toEqual([true, true, true])
  })
})

describe('formats of long texts', () => {
  const LONG = 'a'.repeat(150_000)
  it.each([
    ['uri', `data:image/png;base64,${LONG}`, true],
    ['uri', `https://example.com/${LONG}?q=%20#f`, true],
    ['uri', `https://example.com/${LONG}#a#b`, false],
    ['uri', `https://exa mple.com/${LONG}`, false],
    ['uri', `https://example.com/${LONG}%2`, false],
    ['uri', `/${LONG}`, false],
    ['uri', `https://example.com/${'a'.repeat(8192 - 21)}%20${LONG}`, true],
    ['uri-reference', `/${LONG}`, true],
    ['uri-reference', `/${LONG} `, false],
    ['uri-template', `${LONG}{?a,b}%20`, true],
    ['uri-template', `${LONG}{?a,b`, false],
    ['json-pointer', `/${LONG}~0~1/`, true],
    ['json-pointer', `/${LONG}~2`, false],
    ['json-pointer-uri-fragment', `#/${LONG}%20`, true],
    ['json-pointer-uri-fragment', `#/${LONG} `, false],
    ['email', `"${LONG}"@example.com`, false],
  ])('%s', (format, text, isValid) => {
    expect(Format.Test(format, text)).toBe(isValid)
    expect(compileSchema({ type: 'string', format }).check(text)).toBe(isValid)
  })

  // What stands behind a long and harmless middle is judged as without it.
  it.each(['uri', 'uri-reference'])('%s is judged as a short one', (format) => {
    const ends = [
      '',
      '/',
      '%41',
      '%4',
      '%',
      '?x=y',
      '#',
      '#a#',
      '[',
      ']',
      '|',
      '"',
      'é',
      ':',
      '@',
      "'",
    ]
    for (const start of [
      'https://example.com/',
      'urn:',
      'x/',
      '1:',
      '//h/',
      '#',
      '%41?',
      'http:///',
    ])
      for (const end of ends)
        expect([start, end, Format.Test(format, start + LONG.slice(0, 9000) + end)]).toEqual([
          start,
          end,
          Format.Test(format, `${start}a${end}`),
        ])
  })
})
