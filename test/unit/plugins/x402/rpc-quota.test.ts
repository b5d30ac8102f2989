import { expect, it } from 'vitest'
import { RpcQuota } from '../../../../plugins/x402/chain/contract-wallets.ts'

it('a budget gives so many a second and no more', () => {
  let nowMs = 5000
  const budget = new RpcQuota(2, () => nowMs)
  expect([budget.take(), budget.take(), budget.take()]).toEqual([true, true, false])
  nowMs = 6000
  expect(budget.take()).toBe(true)
})
