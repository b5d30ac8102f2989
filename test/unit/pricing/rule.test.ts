import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MAX_UNITS } from '../../../kernel/ledger/contract.ts'
import {
  chargeOf,
  mostExpensive,
  flatPrice,
  isMeasured,
  type PriceRule,
  type Tier,
  type UnitPrice,
} from '../../../kernel/pricing/rule.ts'
import { graduatedSum } from '../../support/graduated-sum.ts'

const amount = fc.bigInt(0n, 10n ** 15n)
const tiers: fc.Arbitrary<Tier[]> = fc
  .tuple(
    fc.uniqueArray(fc.bigInt(1n, 5000n), { maxLength: 5 }),
    fc.array(fc.bigInt(0n, 10n ** 6n), { minLength: 6, maxLength: 6 }),
  )
  .map(([bounds, prices]) => {
    const rising = bounds.toSorted((a, b) => Number(a - b))
    return [...rising, null].map((upTo, index) => ({ upTo, unitAtomic: prices[index]! }))
  })
const unitPrice: fc.Arbitrary<UnitPrice> = fc
  .record({
    unitAtomic: fc.bigInt(0n, 10n ** 9n),
    first: fc.bigInt(0n, 100n),
    step: fc.bigInt(1n, 2000n),
  })
  .map((price) => ({ unit: 'page', source: { kind: 'units' }, tiers: null, ...price }))
const rule: fc.Arbitrary<PriceRule> = fc
  .record({
    baseAtomic: amount,
    per: fc.array(unitPrice, { maxLength: 4 }),
    room: amount,
    missing: fc.constantFrom('base' as const, 'max' as const),
    tiers: fc.option(tiers),
  })
  .map(({ baseAtomic, per, room, missing, tiers: list }) => {
    const [first, ...rest] = per
    const graded =
      first && list ? { ...first, tiers: list, unitAtomic: mostExpensive(list) } : first
    return {
      baseAtomic,
      baseTiers: null,
      per: graded ? [graded, ...rest] : [],
      maxAtomic: baseAtomic + (graded ? room : 0n),
      free: null,
      missing,
    }
  })
const measure = fc.oneof(fc.constant(null), fc.bigInt(-5n, MAX_UNITS + 5n), fc.bigInt(0n, 10_000n))

/** The formula as it is documented, written out once more with other means. */
function expected(price: PriceRule, measured: readonly (bigint | null)[]): bigint {
  const isGood = (units: bigint | null | undefined): units is bigint =>
    units !== null && units !== undefined && units >= 0n && units <= 2n ** 53n
  const good = price.per
    .map((_, index) => measured[index])
    .map((units) => (isGood(units) ? units : null))
  if (good.includes(null) && price.missing === 'max') return price.maxAtomic
  let sum = price.baseAtomic
  for (const [index, { first, step, unitAtomic }] of price.per.entries()) {
    const beyond = (good[index] ?? 0n) - first
    if (beyond <= 0n) continue
    const whole = beyond / step
    sum += unitAtomic * (beyond % step === 0n ? whole : whole + 1n)
  }
  return sum < price.maxAtomic ? sum : price.maxAtomic
}

test('whatever is measured, 0 <= charged <= max and the formula is exact', () => {
  fc.assert(
    fc.property(rule, fc.array(measure, { maxLength: 5 }), (price, measured) => {
      const charge = chargeOf(price, measured)
      expect(charge.amountAtomic).toBe(expected(price, measured))
      expect(charge.amountAtomic).toBeGreaterThanOrEqual(0n)
      expect(charge.amountAtomic).toBeLessThanOrEqual(price.maxAtomic)
      if (charge.capped) expect(charge.amountAtomic).toBe(price.maxAtomic)
      if (!isMeasured(price)) expect(charge).toMatchObject({ capped: false, missing: false })
    }),
    { seed: 20261122, numRuns: 2000 },
  )
})

test('what a ledger makes of the graduated part is never more than the charge without an account', () => {
  fc.assert(
    fc.property(rule, fc.array(measure), fc.bigInt(0n, 10_000n), (price, measured, before) => {
      const { graduated, amountAtomic } = chargeOf(price, measured)
      if (!graduated) return
      const { units, baseAtomic, tiers: list } = graduated
      const sum = baseAtomic + graduatedSum(list, before + units) - graduatedSum(list, before)
      expect(sum).toBeGreaterThanOrEqual(baseAtomic)
      expect(sum < price.maxAtomic ? sum : price.maxAtomic).toBeLessThanOrEqual(amountAtomic)
    }),
    { seed: 20261122, numRuns: 2000 },
  )
})

test('tiers telescope: a month costs the same in whatever pieces its units come', () => {
  fc.assert(
    fc.property(tiers, fc.array(fc.bigInt(0n, 3000n), { maxLength: 30 }), (list, pieces) => {
      let before = 0n
      let sum = 0n
      for (const units of pieces) {
        sum += graduatedSum(list, before + units) - graduatedSum(list, before)
        before += units
      }
      expect(sum).toBe(graduatedSum(list, before))
      let oneByOne = 0n
      for (let unit = 1n; unit <= before && unit <= 300n; unit++) {
        oneByOne += list.find(({ upTo }) => upTo === null || unit <= upTo)!.unitAtomic
      }
      expect(graduatedSum(list, before < 300n ? before : 300n)).toBe(oneByOne)
    }),
    { seed: 20261122, numRuns: 500 },
  )
})

test('graduated calls: each answered call is one, on top of what its units cost', () => {
  const baseTiers = [
    { upTo: 100n, unitAtomic: 20_000n },
    { upTo: null, unitAtomic: 10_000n },
  ]
  const flat = { ...flatPrice(20_000n), baseTiers }
  expect(chargeOf(flat, [])).toEqual({
    amountAtomic: 20_000n,
    units: 1n,
    graduated: { units: 1n, baseAtomic: 0n, tiers: baseTiers },
    capped: false,
    missing: false,
  })
  const pages: UnitPrice = {
    unit: 'page',
    source: { kind: 'units' },
    unitAtomic: 5n,
    tiers: null,
    first: 1n,
    step: 1n,
  }
  const charge = chargeOf({ ...flat, per: [pages], maxAtomic: 30_000n }, [4n])
  expect(charge).toMatchObject({ amountAtomic: 20_015n, graduated: { units: 1n, baseAtomic: 15n } })
})

test('a measure that is not good costs the base and the good ones, or the maximum', () => {
  const page = (first: bigint): UnitPrice => ({
    unit: 'page',
    source: { kind: 'units' },
    unitAtomic: 7n,
    tiers: null,
    first,
    step: 2n,
  })
  const price: PriceRule = {
    ...flatPrice(100n),
    per: [page(1n), page(0n)],
    maxAtomic: 1000n,
  }
  for (const bad of [null, -1n, MAX_UNITS + 1n, undefined]) {
    const measured = [bad as bigint | null, 3n]
    expect(chargeOf(price, measured)).toMatchObject({ amountAtomic: 114n, missing: true })
    expect(chargeOf({ ...price, missing: 'max' }, measured)).toEqual({
      amountAtomic: 1000n,
      units: null,
      graduated: null,
      capped: false,
      missing: true,
    })
  }
  expect(chargeOf(price, [MAX_UNITS, 0n])).toMatchObject({ amountAtomic: 1000n, capped: true })
})
