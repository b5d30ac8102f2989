import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { monthEnd } from '../../../plugins/plans/lapse.ts'
import { monthOf, monthsAfter } from '../../../plugins/plans/periods.ts'

describe('months of a subscription', () => {
  it.each([
    ['2026-01-31T10:00:00.000Z', 1, '2026-02-28T10:00:00.000Z'],
    ['2026-01-31T10:00:00.000Z', 2, '2026-03-31T10:00:00.000Z'],
    ['2026-01-31T10:00:00.000Z', 3, '2026-04-30T10:00:00.000Z'],
    ['2028-01-30T00:00:00.000Z', 1, '2028-02-29T00:00:00.000Z'],
    ['2026-11-22T23:59:59.999Z', 2, '2027-01-22T23:59:59.999Z'],
    ['2026-11-22T23:59:59.999Z', 0, '2026-11-22T23:59:59.999Z'],
  ])('%s and %i months is %s', (anchor, months, after) => {
    expect(monthsAfter(new Date(anchor), months).toISOString()).toBe(after)
  })

  it('every moment lies in exactly the month that it is counted into', () => {
    const moment = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2032, 0, 1) })
    fc.assert(
      fc.property(moment, moment, (one, other) => {
        const [anchor, now] = [new Date(Math.min(one, other)), new Date(Math.max(one, other))]
        const month = monthOf(anchor, now)
        expect(monthsAfter(anchor, month).getTime()).toBeLessThanOrEqual(now.getTime())
        expect(monthsAfter(anchor, month + 1).getTime()).toBeGreaterThan(now.getTime())
      }),
      { seed: 15, numRuns: 500 },
    )
  })
})

describe('what lapses of monthly credits', () => {
  it.each([
    [100n, 0n, 0n, null, 100n, 0n],
    [100n, 30n, 0n, null, 70n, 0n],
    [100n, 30n, 50n, null, 20n, 50n],
    [100n, 100n, 0n, null, 0n, 0n],
    [100n, 80n, 40n, null, 0n, 20n],
    [100n, 130n, 40n, null, 0n, 0n],
    [0n, 0n, 0n, null, 0n, 0n],
    [100n, 30n, 50n, 60n, 10n, 50n],
    [100n, 30n, 50n, 40n, 0n, 40n],
    [100n, 30n, 50n, -5n, 0n, 0n],
  ])(
    'granted %i, spent %i, held %i, kept %s: %i, and %i in the next month',
    (grantedAtomic, spentAtomic, heldAtomic, keptAtomic, lapsesAtomic, carriedAtomic) => {
      const use = { grantedAtomic, spentAtomic, heldAtomic, keptAtomic }
      expect(monthEnd(use)).toEqual({ lapsesAtomic, carriedAtomic })
    },
  )
})
