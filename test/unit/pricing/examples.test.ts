/**
 * Worked examples that others publish for the kinds of price that are known here, to the cent: each
 * as an operator would write it in YAML, charged call by call.
 */
import { expect, test } from 'vitest'
import { ATOMIC_PER_USD } from '../../../kernel/money.ts'
import { parseProducts } from '../../../host/product-files/parse.ts'
import { formatProblem } from '../../../kernel/products/problem.ts'
import { chargeOf, type PriceRule } from '../../../kernel/pricing/rule.ts'
import { graduatedSum } from '../../support/graduated-sum.ts'

function priceOf(text: string): PriceRule {
  const yaml = `product_id: x\nupstream: { url: http://a.example }\nskills:\n  - route: POST /a\n    price: ${text}\n`
  const [product] = parseProducts(yaml, { file: null, env: {} })
  if (!product?.ok) throw new Error(product?.problems.map(formatProblem).join('\n'))
  return product.spec.skills[0]!.price
}

/**
 * What the calls cost together, as the ledger of an account adds them up: `calls` lists the units of
 * each, and calls within the free quota of one period cost nothing.
 */
function spent(rule: PriceRule, calls: Iterable<readonly bigint[]>): bigint {
  let sum = 0n
  let volume = 0n
  let free = rule.free?.calls ?? 0
  for (const measured of calls) {
    if (free-- > 0) continue
    const { amountAtomic, graduated } = chargeOf(rule, measured)
    if (graduated === null) {
      sum += amountAtomic
      continue
    }
    const { units, baseAtomic, tiers } = graduated
    const charged = baseAtomic + graduatedSum(tiers, volume + units) - graduatedSum(tiers, volume)
    sum += charged < rule.maxAtomic ? charged : rule.maxAtomic
    volume += units
  }
  return sum
}

function* repeated(times: number, measured: readonly bigint[] = []): Iterable<readonly bigint[]> {
  for (let n = 0; n < times; n++) yield measured
}
const usd = (amount: string): bigint => {
  const [whole = '0', cents = ''] = amount.split('.')
  return BigInt(whole) * ATOMIC_PER_USD + BigInt(cents.padEnd(6, '0'))
}
const per = (rest: string): string =>
  `{ per: { unit: unit, from: /units, ${rest} }, max: 10000000 }`

const LAGO = 'getlago.com/docs/guide/plans/charges'
const OPENMETER = 'openmeter.io/docs/billing/product-catalog/pricing-models'
/** Repository openmeterio/openmeter, the cases by which it tests the sums of its price models. */
const OPENMETER_CASES = 'openmeter/billing/service/lineservice'
/** A gateway whose monetization is OpenMeter's, and which works its models out in figures. */
const ZUPLO = 'zuplo.com/docs/articles/monetization/pricing-models'

const GRADUATED_LAGO = per('credits: [[100, 100], [200, 50], 10]')
const GRADUATED_CALLS = '{ credits: [[100, 100], [200, 50], 10] }'
const PACKAGE_LAGO = per('credits: 500, step: 100, first: 100')
const PACKAGE_OPENMETER = per('credits: 1500, step: 10')
/** Flat fees of 100 and 50 for five units each, which the source itself puts as 20 and 10 a unit. */
const TIERS_OPENMETER = per('credits: [[5, 2000], [10, 1000], [15, 500], 100]')
/** The totals of its calculator, with two flat fees of five units each as well. */
const TOTALS_OPENMETER = per('credits: [[5, 2000], [10, 1000], [15, 1000], 500]')
const TIERS_ZUPLO = per('credits: [[1000, 10], [10000, 5], 1]')
const TOKENS =
  '{ per: [{ unit: input token, from: /in, credits: 3, step: 1000 }, { unit: output token, from: /out, credits: 6, step: 1000 }], max: 1000 }'
const QUOTA_LAGO = '{ credits: 0.15, free: 10000/month }'

test.each<[string, string, Iterable<readonly bigint[]>, string]>([
  [`standard: 1,000 calls at $0.05 (${LAGO})`, '{ credits: 5 }', repeated(1000), '50.00'],
  [`per unit: 10,000 tokens at $0.01 (${OPENMETER})`, per('credits: 1'), [[10_000n]], '100.00'],
  [`per unit: 100,000 calls at $0.001 (${ZUPLO})`, '{ credits: 0.1 }', repeated(100_000), '100.00'],
  [`graduated: the first 100 units (${LAGO})`, GRADUATED_LAGO, [[100n]], '100.00'],
  [`graduated: 200 units, two tiers (${LAGO})`, GRADUATED_LAGO, [[200n]], '150.00'],
  [`graduated: 250 units in one call (${LAGO})`, GRADUATED_LAGO, [[250n]], '155.00'],
  [`graduated: 250 units in pieces (${LAGO})`, GRADUATED_LAGO, repeated(50, [5n]), '155.00'],
  [`graduated: 250 calls (${LAGO})`, GRADUATED_CALLS, repeated(250), '155.00'],
  [`graduated: 15,000 units (${ZUPLO})`, TIERS_ZUPLO, [[15_000n]], '600.00'],
  [`graduated: 15,000 units in pieces (${ZUPLO})`, TIERS_ZUPLO, repeated(15, [1000n]), '600.00'],
  [`graduated: 22 units (${OPENMETER_CASES})`, TIERS_OPENMETER, [[22n]], '182.00'],
  [`graduated: 10 units (${OPENMETER_CASES})`, TIERS_OPENMETER, [[10n]], '150.00'],
  [`graduated: 5 units (${OPENMETER_CASES})`, TOTALS_OPENMETER, [[5n]], '100.00'],
  [`graduated: 12 units (${OPENMETER_CASES})`, TOTALS_OPENMETER, [[12n]], '170.00'],
  [
    `graduated: 22 units in pieces (${OPENMETER_CASES})`,
    TOTALS_OPENMETER,
    repeated(11, [2n]),
    '235.00',
  ],
  [`package: 201 units of 100, 100 free (${LAGO})`, PACKAGE_LAGO, [[201n]], '10.00'],
  [`package: 100 units, all free (${LAGO})`, PACKAGE_LAGO, [[100n]], '0.00'],
  [`package: 200 units (${LAGO})`, PACKAGE_LAGO, [[200n]], '5.00'],
  [`package: nothing used (${OPENMETER_CASES})`, PACKAGE_OPENMETER, [[0n]], '0.00'],
  [`package: a begun one (${OPENMETER_CASES})`, PACKAGE_OPENMETER, [[1n]], '15.00'],
  [`package: a full one (${OPENMETER_CASES})`, PACKAGE_OPENMETER, [[10n]], '15.00'],
  [`package: 11 of 10 (${OPENMETER_CASES})`, PACKAGE_OPENMETER, [[11n]], '30.00'],
  [`tokens in and out, per 1,000 (${LAGO}, per-token template)`, TOKENS, [[1000n, 1000n]], '0.09'],
  [`tokens, begun thousands (${LAGO}, per-token template)`, TOKENS, [[1500n, 200n]], '0.12'],
  [`free quota, used up (${LAGO}, pay-as-you-go template)`, QUOTA_LAGO, repeated(10_000), '0.00'],
  [`free quota, and more (${LAGO}, pay-as-you-go template)`, QUOTA_LAGO, repeated(12_000), '3.00'],
])('%s', (_, text, calls, expected) => {
  expect(spent(priceOf(text), calls)).toBe(usd(expected))
})

test('12 units and then 10 more by four tiers (OpenMeter): the second call costs 22', () => {
  const rule = priceOf(TIERS_OPENMETER)
  const before = spent(rule, [[12n]])
  expect(spent(rule, [[12n], [10n]]) - before).toBe(usd('22'))
})
