import { describe, expect, test } from 'vitest'
import { flatPrice } from '../../../kernel/pricing/rule.ts'
import { parseProducts } from '../../../host/product-files/parse.ts'
import { formatProblem } from '../../../kernel/products/problem.ts'

const upstream = (price: string): string =>
  `product_id: w\nupstream: { url: http://a.example }\nskills:\n  - route: POST /a\n    price: ${price}\n`
const plugin = (price: string): string =>
  `product_id: demo\nplugin: demo\nskills:\n  - skill: demo.echo\n    price: ${price}\n`

function read(text: string) {
  const [product] = parseProducts(text, { file: 'x.yaml', env: {} })
  if (!product?.ok) throw new Error(product?.problems.map(formatProblem).join('\n'))
  return product.spec.skills[0]!
}
const problems = (text: string): string[] =>
  parseProducts(text, { file: 'x.yaml', env: {} }).flatMap((product) =>
    product.ok ? [] : product.problems.map(formatProblem),
  )

describe('a price in YAML', () => {
  test('a flat one is its own maximum', () => {
    const { price, amountAtomic } = read(upstream('{ credits: 1.5 }'))
    expect(price).toEqual(flatPrice(15_000n))
    expect(amountAtomic).toBe(15_000n)
    expect(read(upstream('{ usdc_atomic: "7" }')).price).toEqual(flatPrice(7n))
  })

  test('units, a maximum, free calls and a charge for what is missing', () => {
    const text =
      '{ credits: 1, per: { unit: page, from: /usage/pages, credits: 2, first: 1 }, max: 40, free: 50/day, missing: max }'
    const { price, amountAtomic } = read(upstream(text))
    expect(price).toEqual({
      baseAtomic: 10_000n,
      baseTiers: null,
      per: [
        {
          unit: 'page',
          source: { kind: 'pointer', pointers: ['/usage/pages'] },
          unitAtomic: 20_000n,
          tiers: null,
          first: 1n,
          step: 1n,
        },
      ],
      maxAtomic: 400_000n,
      free: { calls: 50, period: 'day' },
      missing: 'max',
    })
    expect(amountAtomic).toBe(400_000n)
  })

  test('a list of units, packages, headers, and no base', () => {
    const { price } = read(
      upstream(
        '{ per: [{ unit: input token, from: /usage/in, credits: 0.03, step: 1000 }, { unit: output token, from: "header:X-Out", credits: 0.06, step: 1000 }], max: 5 }',
      ),
    )
    expect(price.baseAtomic).toBe(0n)
    expect(
      price.per.map(({ unit, source, unitAtomic, step }) => [unit, source, unitAtomic, step]),
    ).toEqual([
      ['input token', { kind: 'pointer', pointers: ['/usage/in'] }, 300n, 1000n],
      ['output token', { kind: 'header', name: 'x-out' }, 600n, 1000n],
    ])
  })

  test('a unit that answers have at several places', () => {
    const from = (list: string) =>
      upstream(`{ per: { unit: token, from: ${list}, credits: 1 }, max: 5 }`)
    const [unit] = read(from('[/usage/n, /response/usage/n]')).price.per
    expect(unit!.source).toEqual({ kind: 'pointer', pointers: ['/usage/n', '/response/usage/n'] })
    for (const list of ['[]', '[bytes]', '[/a, "header:X-N"]'])
      expect(problems(from(list))).not.toEqual([])
  })

  test('graduated calls and graduated units hold their dearest tier', () => {
    const calls = read(upstream('{ credits: [[100, 1], [1000, 2], 1.5], free: 1000/month }')).price
    expect(calls).toMatchObject({ baseAtomic: 20_000n, maxAtomic: 20_000n, per: [] })
    expect(calls.baseTiers).toEqual([
      { upTo: 100n, unitAtomic: 10_000n },
      { upTo: 1000n, unitAtomic: 20_000n },
      { upTo: null, unitAtomic: 15_000n },
    ])
    expect(calls.free).toEqual({ calls: 1000, period: 'month' })
    const [unit] = read(
      upstream('{ per: { unit: byte, from: bytes, credits: [[10, 1], 0] }, max: 9 }'),
    ).price.per
    expect(unit).toMatchObject({ unitAtomic: 10_000n, source: { kind: 'bytes' } })
    expect(unit?.tiers).toHaveLength(2)
  })

  test("a plugin's skill says its units itself", () => {
    const { per } = read(plugin('{ credits: 1, per: { unit: page, credits: 2 }, max: 40 }')).price
    expect(per[0]?.source).toEqual({ kind: 'units' })
  })

  test.each([
    [
      '{ credits: 1, per: { unit: page, from: /p, credits: 2 } }',
      /^x\.yaml:5:12 skills\[0\]\.price has `per` and no `max`/,
    ],
    [
      '{ credits: 1, per: { unit: page, from: /p, credits: 2 }, max: 1 }',
      /:5:74 skills\[0\]\.price\.max must be more than the base.* \(got 1\)/,
    ],
    ['{ credits: 1, max: 2 }', /price\.max is for a price with `per`/],
    ['{ credits: 1, missing: max }', /price\.missing is for a price with `per`/],
    [
      '{ credits: 0 }',
      /price\.credits must be more than zero; a free skill says `metered: false` \(got 0\)/,
    ],
    ['{ credits: 1, per: { unit: page, credits: 2 }, max: 9 }', /price\.per needs `from`/],
    [
      '{ credits: 1, per: { unit: page, from: units, credits: 2 }, max: 9 }',
      /per\.from is for skills of plugins/,
    ],
    [
      '{ credits: 1, per: { unit: page, from: pages, credits: 2 }, max: 9 }',
      /per\.from must be a JSON pointer such as.*\(got "pages"\)/,
    ],
    [
      '{ credits: 1, per: { unit: page, from: "header:X-Charged-Credits", credits: 2 }, max: 9 }',
      /:5:51 skills\[0\]\.price\.per\.from must be a header of the upstream's own/,
    ],
    [
      '{ credits: 1, per: { unit: page, from: /a~2, credits: 2 }, max: 9 }',
      /per\.from must be a JSON pointer/,
    ],
    [
      '{ credits: 1, per: { unit: Page, from: /p, credits: 2 }, max: 9 }',
      /per\.unit must be the name of a unit/,
    ],
    [
      '{ credits: 1, per: { unit: page, from: /p, credit: 2 }, max: 9 }',
      /:5:55 skills\[0\].price\.per\.credit is not a known key; did you mean credits\?/,
    ],
    [
      '{ credits: 1, per: [{ unit: page, from: /p, credits: 2, frist: 1 }], max: 9 }',
      /per\[0\]\.frist is not a known key; did you mean first\?/,
    ],
    [
      '{ credits: 1, per: { unit: page, from: /p, credits: 2, first: 1.5 }, max: 9 }',
      /per\.first must be integer \(got 1\.5\)/,
    ],
    [
      '{ credits: 1, per: { unit: page, from: /p, credits: 2, step: 0 }, max: 9 }',
      /per\.step must be >= 1/,
    ],
    [
      '{ credits: 1, per: { unit: page, from: /p, credits: 0 }, max: 9 }',
      /per\.credits must be > 0/,
    ],
    [
      '{ credits: 1, per: { unit: page, from: /p, credits: 0.00001 }, max: 9 }',
      /whole number of atomic units/,
    ],
    [
      '{ credits: 1, per: [{ unit: a, from: /p, credits: 1 }, { unit: a, from: /q, credits: 1 }], max: 9 }',
      /per\[1\]\.unit is a unit of this price already/,
    ],
    [
      '{ credits: [[5, 1], 2], per: { unit: a, from: /p, credits: [[5, 1], 2] }, max: 9 }',
      /price\.per makes a second list of tiers/,
    ],
    [
      '{ credits: [[100, 2], [100, 1], 1] }',
      /:5:35 skills\[0\]\.price\.credits\[1\]\[0\] must be a whole number above 100/,
    ],
    [
      '{ credits: [[100, 2], [200, 1]] }',
      /credits\[1\] must be a number of credits: the last tier has no bound/,
    ],
    ['{ credits: [2, 1] }', /credits\[0\] must be \[up to, credits\]/],
    ['{ credits: [[100, 0], 0] }', /credits costs nothing in any tier/],
    ['{ credits: [[100, -1], 1] }', /credits\[0\]\[1\] must be >= 0/],
    ['{ credits: [[100, 1], 2], usdc_atomic: 10000 }', /usdc_atomic stands beside tiers/],
    ['{ credits: 1, free: 50 }', /price\.free must be/],
    [
      '{ credits: 1, free: 50/week }',
      /price\.free must be calls per day or month, such as 50\/day/,
    ],
    ['{ credits: 1, free: 0/day }', /price\.free must be calls per day/],
    [
      '{ credits: 1, per: { unit: a, from: /p, credits: 1 }, max: 9, missing: none }',
      /price\.missing must be one of "base", "max"/,
    ],
    ['{ per: { unit: a, from: /p, credits: 1 }, max: 99999999999999 }', /price\.max is too large/],
  ])('%s is refused with its place', (price, expected) => {
    expect(problems(upstream(price)).join('\n')).toMatch(expected)
  })

  test('a plugin has no headers', () => {
    expect(
      problems(plugin('{ per: { unit: a, from: "header:X-A", credits: 1 }, max: 9 }')).join('\n'),
    ).toMatch(/per\.from is for upstreams/)
  })
})
