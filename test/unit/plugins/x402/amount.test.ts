import { assert, bigInt, integer, property } from 'fast-check'
import { expect, it } from 'vitest'
import { amountOfUnits, unitsOf } from '../../../../plugins/x402/terms/prices.ts'

it.each([
  [6, 10_000n, 10_000n],
  [18, 10_000n, 10_000_000_000_000_000n],
  [18, 20_000_000n, 20_000_000_000_000_000_000n],
  [2, 10_000n, 1n],
  [2, 10_001n, 2n],
  [2, 100n, 1n],
  [0, 1n, 1n],
  [0, 1_000_001n, 2n],
])('a token with %i decimals costs for %s millionths %s units', (decimals, amount, units) => {
  expect(unitsOf(decimals, amount)).toBe(units)
})

it('never takes less than the price, nor a whole unit more', () => {
  assert(
    property(
      integer({ min: 0, max: 36 }),
      bigInt({ min: 1n, max: 10n ** 15n }),
      (decimals, amount) => {
        const units = unitsOf(decimals, amount)
        expect(amountOfUnits(decimals, units)).toBeGreaterThanOrEqual(amount)
        expect(amountOfUnits(decimals, units - 1n)).toBeLessThan(amount)
      },
    ),
    { seed: 402 },
  )
})
