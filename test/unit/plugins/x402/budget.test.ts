import { expect, it } from 'vitest'
import { Budget } from '../../../../plugins/x402/chain/rpc-quota.ts'

it('a budget gives so many a second and no more', () => {
  let nowMs = 5000
  const budget = new Budget(2, () => nowMs)
  expect([budget.take(), budget.take(), budget.take()]).toEqual([true, true, false])
  nowMs = 6000
  expect(budget.take()).toBe(true)
})
