import { expect, it } from 'vitest'
import { Budget } from '../../../../kernel/rails/x402/settle/budget.ts'

it('a budget gives so many a second and no more', () => {
  let nowMs = 5000
  const budget = new Budget(2, () => nowMs)
  expect([budget.take(), budget.take(), budget.take()]).toEqual([true, true, false])
  nowMs = 6000
  expect(budget.take()).toBe(true)
})
