/** Budgets of keys between JSON and atomic units. */
import { describe, expect, it } from 'vitest'
import type { Issue } from '../../../../kernel/errors.ts'
import { budgetLimits } from '../../../../plugins/shared/documents/budget-limits.ts'
import type { KeySpend } from '../../../../kernel/ledger/contract.ts'
import { budgetChangesIn } from '../../../../plugins/admin/routes/budgets.ts'

const row = (of: Partial<KeySpend>): KeySpend => ({
  keyId: 'key_a',
  scope: '*',
  callCapAtomic: null,
  dayCapAtomic: null,
  monthCapAtomic: null,
  spentTodayAtomic: 0n,
  spentMonthAtomic: 0n,
  ...of,
})

describe('budgetChangesIn', () => {
  const read = (body: Parameters<typeof budgetChangesIn>[0]) => {
    const issues: Issue[] = []
    return { changes: budgetChangesIn(body, issues), paths: issues.map(({ path }) => path) }
  }

  it('keeps null, leaves out what is absent, and reads four decimals', () => {
    expect(read({ budgets: { call: 0, day: null, month: 1.0001 } }).changes).toEqual({
      budget: { call: 0n, day: null, month: 10_001n },
    })
    expect(read({}).changes).toEqual({})
    expect(read({ productBudgets: { utils: { day: 2 }, docintel: null } }).changes).toEqual({
      productBudgets: { utils: { day: 20_000n }, docintel: null },
    })
  })

  it('takes the daily spend ceiling as the budget of the day', () => {
    expect(read({ dailySpendCeiling: 5, budgets: { month: 6 } }).changes).toEqual({
      budget: { day: 50_000n, month: 60_000n },
    })
    expect(read({ dailySpendCeiling: null }).changes).toEqual({ budget: { day: null } })
    expect(read({ dailySpendCeiling: 5, budgets: { day: 5 } }).paths).toEqual([])
    expect(read({ dailySpendCeiling: 5, budgets: { day: 6 } }).paths).toEqual([
      '/dailySpendCeiling',
    ])
  })

  it('names each amount that is no whole number of atomic units', () => {
    const body = { budgets: { call: 0.00001 }, productBudgets: { utils: { month: -1 } } }
    expect(read(body).paths).toEqual(['/budgets/call', '/productBudgets/utils/month'])
  })
})

describe('budgetLimits', () => {
  const now = new Date('2026-12-31T23:59:59.999Z')

  it('says what is left of each cap and when it ends', () => {
    const rows = [
      row({ callCapAtomic: 10_000n, dayCapAtomic: 50_000n, spentTodayAtomic: 20_000n }),
      row({ scope: 'utils', monthCapAtomic: 30_000n, spentMonthAtomic: 40_000n }),
    ]
    expect(budgetLimits(rows, now)).toEqual([
      {
        limit: 'key_call',
        product: null,
        capCredits: 1,
        spentCredits: null,
        leftCredits: 1,
        endsAt: null,
      },
      {
        limit: 'key_day',
        product: null,
        capCredits: 5,
        spentCredits: 2,
        leftCredits: 3,
        endsAt: '2027-01-01T00:00:00.000Z',
      },
      // A cap that was lowered below what is spent leaves nothing.
      {
        limit: 'product_month',
        product: 'utils',
        capCredits: 3,
        spentCredits: 4,
        leftCredits: 0,
        endsAt: '2027-01-01T00:00:00.000Z',
      },
    ])
    expect(budgetLimits([row({})], now)).toEqual([])
  })

  it('ends a month of any length at the first of the next', () => {
    const endOf = (at: string) =>
      budgetLimits([row({ monthCapAtomic: 1n })], new Date(at))[0]!.endsAt
    expect(endOf('2026-01-31T12:00:00Z')).toBe('2026-02-01T00:00:00.000Z')
    expect(endOf('2028-02-29T23:59:59Z')).toBe('2028-03-01T00:00:00.000Z')
  })
})
