/** A settlement that the chain undoes after its answer was given is made again, while it can be. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { SandboxChain } from '../../../../kernel/rails/x402/chain/sandbox.ts'
import type { X402Rail } from '../../../../kernel/rails/x402/rail.ts'
import { testDatabase, type TestDatabase } from '../../../support/database.ts'
import { meterOver, mount } from '../../../support/metering.ts'
import {
  buyerOn,
  paidBy,
  requirementsIn,
  signPayment,
  testChain,
  testRail,
} from '../../../support/x402.ts'

let database: TestDatabase
let chain: SandboxChain
let world: Awaited<ReturnType<typeof meterOver>>
let rail: X402Rail
let runs = 0
const work = mount(
  {
    id: 't.work',
    handler: async () => {
      runs++
      return { ok: true, output: { done: true } }
    },
  },
  { rails: ['x402'] },
)

beforeAll(async () => {
  database = await testDatabase()
  chain = await testChain()
  world = await meterOver(database.db)
  rail = await railOf()
  world.rails.add(rail)
})

const railOf = () =>
  testRail(
    { database: database.db, ledger: world.ledger, chain },
    {
      timing: {
        settleTimeoutMs: 5000,
        receiptPollMs: 5,
        raiseAfterMs: 200,
        reconcileEveryMs: 50,
        recheckAfterMs: 300,
        breaker: { failures: 100, resetMs: 100 },
      },
    },
  )
afterAll(async () => {
  await rail.stop()
  await world.close()
  await chain.stop()
  await database.close()
})

async function rpc(method: string, params: unknown[]): Promise<void> {
  const answer = await fetch(chain.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  expect(await answer.json()).not.toHaveProperty('error')
}

it('settles again what a reorganisation undid, once', async () => {
  const buyer = await buyerOn(chain)
  const unpaid = await world.meter.run(world.call(work, {}))
  if (unpaid.kind !== 'failure') throw new Error('free')
  const payment = await signPayment(buyer, requirementsIn(unpaid.offers[0]!.challenge))
  const pay = () => world.meter.run(world.call(work, {}, { source: paidBy(payment) }))
  // Blocks that stay, below the one that goes.
  for (let block = 0; block < 3; block++) await rpc('evm_mine', [])
  const before = await chain.balanceOf(chain.receivingAddress)
  expect((await pay()).kind).toBe('answer')
  await rpc('anvil_reorg', [1, []])
  expect(await chain.balanceOf(chain.receivingAddress)).toBe(before)
  await vi.waitFor(
    async () => {
      expect((await chain.balanceOf(chain.receivingAddress)) - before).toBe(10_000n)
      const again = await pay()
      if (again.kind !== 'answer') throw new Error(JSON.stringify(again))
      expect(again.replayed).toBe(true)
    },
    { timeout: 15_000, interval: 50 },
  )
  expect(runs).toBe(1)
})

it('settles again what a reorganisation undid while no gateway ran', async () => {
  const buyer = await buyerOn(chain)
  const unpaid = await world.meter.run(world.call(work, {}))
  if (unpaid.kind !== 'failure') throw new Error('free')
  const payment = await signPayment(buyer, requirementsIn(unpaid.offers[0]!.challenge))
  for (let block = 0; block < 3; block++) await rpc('evm_mine', [])
  const before = await chain.balanceOf(chain.receivingAddress)
  const paid = await world.meter.run(world.call(work, {}, { source: paidBy(payment) }))
  expect(paid.kind).toBe('answer')
  await rail.stop()
  await rpc('anvil_reorg', [1, []])
  expect(await chain.balanceOf(chain.receivingAddress)).toBe(before)
  const next = await railOf()
  try {
    await vi.waitFor(
      async () => {
        expect((await chain.balanceOf(chain.receivingAddress)) - before).toBe(10_000n)
      },
      { timeout: 15_000, interval: 50 },
    )
  } finally {
    await next.stop()
  }
})
