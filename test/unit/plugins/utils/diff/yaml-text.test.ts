import { describe, expect, it } from 'vitest'
import { readYaml } from '../../../../../plugins/utils/diff/yaml-text.ts'

describe('YAML text', () => {
  it('reads quoted texts that go on no further in than their key, as libyaml does', () => {
    const text = [
      'a:',
      '  b: "one',
      '  two \\" three',
      '',
      '  four"',
      "  c: 'it''s",
      "  five'",
      '  d: 6',
      'e:',
      '  - f: "seven',
      '    eight"',
    ].join('\n')
    expect(readYaml(text)).toEqual({
      ok: true,
      value: {
        a: { b: 'one two " three\nfour', c: "it's five", d: 6 },
        e: [{ f: 'seven eight' }],
      },
    })
  })

  it.each([
    ['a quote that is never closed', 'x:\n  a: "one\n  b: 2\n', /line 4, column 1\).*quote/],
    ['a quote that another one closes', 'x:\n  a: "one\n  b: "two"\n', /line 2, .*quote/],
    ['one after another', `x:\n${'  a: "one\n'.repeat(5000)}`, /line 2, .*quote/],
  ])('refuses %s, and says where', (_, text, message) => {
    const outcome = readYaml(text)
    expect(outcome.ok).toBe(false)
    expect(outcome).toHaveProperty('message', expect.stringMatching(message))
  })
})
