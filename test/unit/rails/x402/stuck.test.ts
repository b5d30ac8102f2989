/** An own transaction that no block takes: dearer in its own place, never a second one beside it. */
import { privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import { createPublicClient, http } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { MeterOutcome } from '../../../../kernel/metering/call.ts'
import type { SandboxChain } from '../../../../kernel/rails/x402/chain/sandbox.ts'
import type { X402Timing } from '../../../../kernel/rails/x402/core.ts'
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

interface Pending {
  hash: string
  nonce: string
  maxFeePerGas: string
  maxPriorityFeePerGas: string
}

let database: TestDatabase
let chain: SandboxChain
let buyer: PrivateKeyAccount
let world: Awaited<ReturnType<typeof meterOver>>
let rail: X402Rail | null = null
const work = mount(
  { id: 't.work', handler: async () => ({ ok: true, output: { done: true } }) },
  { rails: ['x402'] },
)

beforeAll(async () => {
  database = await testDatabase()
  chain = await testChain()
  buyer = await buyerOn(chain)
})
afterEach(async () => {
  await rpc('evm_setAutomine', [true])
  await rail?.stop()
  await world.close()
})
afterAll(async () => {
  await chain.stop()
  await database.close()
})

async function rpc<T>(method: string, params: unknown[] = []): Promise<T> {
  const client = createPublicClient({ transport: http(chain.rpcUrl) })
  return client.request({ method: method as never, params: params as never }) as Promise<T>
}
async function worldWith(timing: Partial<X402Timing>) {
  world = await meterOver(database.db)
  rail = await testRail(
    { database: database.db, ledger: world.ledger, chain },
    {
      timing: {
        settleTimeoutMs: 30_000,
        receiptPollMs: 5,
        reconcileEveryMs: 50,
        breaker: { failures: 100, resetMs: 100 },
        ...timing,
      },
    },
  )
  world.rails.add(rail)
}
async function payment() {
  const unpaid = await world.meter.run(world.call(work, {}))
  if (unpaid.kind !== 'failure') throw new Error('free')
  return signPayment(buyer, requirementsIn(unpaid.offers[0]!.challenge))
}
const pay = async (signed: unknown): Promise<MeterOutcome> =>
  world.meter.run(world.call(work, {}, { source: paidBy(signed) }))
const signer = () => privateKeyToAccount(chain.signerKey).address
/** Transactions of the own account that wait for a block. */
async function waiting(): Promise<Pending[]> {
  const pool = await rpc<{ pending: Record<string, Record<string, Pending>> }>('txpool_content')
  const found = Object.entries(pool.pending).find(
    ([from]) => from.toLowerCase() === signer().toLowerCase(),
  )
  return Object.values(found?.[1] ?? {})
}
const mined = async () => Number(await rpc('eth_getTransactionCount', [signer(), 'latest']))
const received = () => chain.balanceOf(chain.receivingAddress)
/** Waits for a form that pays at least a tenth more than `first`, as nodes want it. */
async function dearerThan(first: Pending): Promise<Pending> {
  return vi.waitFor(
    async () => {
      const all = await waiting()
      expect(all).toHaveLength(1)
      const [now] = all as [Pending]
      expect(now.nonce).toBe(first.nonce)
      const least = (BigInt(first.maxFeePerGas) * 110n) / 100n
      expect(BigInt(now.maxFeePerGas)).toBeGreaterThanOrEqual(least)
      return now
    },
    { timeout: 10_000, interval: 20 },
  )
}
async function firstWaiting(): Promise<Pending> {
  return vi.waitFor(
    async () => {
      const [only] = await waiting()
      expect(only).toBeDefined()
      return only!
    },
    { timeout: 10_000, interval: 5 },
  )
}

describe('a transaction that no block takes', () => {
  it('is sent again with higher fees in its own place, and settles once', async () => {
    await worldWith({ raiseAfterMs: 100 })
    const before = { received: await received(), mined: await mined() }
    const signed = await payment()
    await rpc('evm_setAutomine', [false])
    const paid = pay(signed)
    const first = await firstWaiting()
    const second = await dearerThan(first)
    await dearerThan(second)
    await rpc('evm_setAutomine', [true])
    await rpc('evm_mine')
    const outcome = await paid
    if (outcome.kind !== 'answer') throw new Error(JSON.stringify(outcome))
    expect(outcome.receipt.transaction).not.toBe(first.hash)
    expect((await received()) - before.received).toBe(10_000n)
    expect((await mined()) - before.mined).toBe(1)
  })

  it('never pays more than ten times the first fee', async () => {
    await worldWith({ raiseAfterMs: 5 })
    const signed = await payment()
    await rpc('evm_setAutomine', [false])
    const paid = pay(signed)
    const first = await firstWaiting()
    const most = BigInt(first.maxFeePerGas) * 10n
    const last = await vi.waitFor(
      async () => {
        const [now] = await waiting()
        // Another raise by a quarter would pass the limit.
        expect(BigInt(now!.maxFeePerGas) * 126n).toBeGreaterThan(most * 100n)
        return now!
      },
      { timeout: 20_000, interval: 50 },
    )
    expect(BigInt(last.maxFeePerGas)).toBeLessThanOrEqual(most)
    await rpc('evm_setAutomine', [true])
    await rpc('evm_mine')
    expect((await paid).kind).toBe('answer')
  })

  it('is taken up again by the next attempt, not doubled', async () => {
    await worldWith({ settleTimeoutMs: 200, raiseAfterMs: 60_000 })
    const before = { received: await received(), mined: await mined() }
    const signed = await payment()
    await rpc('evm_setAutomine', [false])
    const paid = pay(signed)
    const first = await firstWaiting()
    expect(await paid).toMatchObject({
      kind: 'failure',
      pending: true,
      failure: { code: 'UPSTREAM_FAILURE', retryable: true },
    })
    await dearerThan(first)
    await rpc('evm_setAutomine', [true])
    await rpc('evm_mine')
    const outcome = await vi.waitFor(
      async () => {
        const again = await pay(signed)
        expect(again.kind).toBe('answer')
        return again
      },
      { timeout: 20_000, interval: 50 },
    )
    expect(outcome).toMatchObject({ replayed: true })
    expect((await received()) - before.received).toBe(10_000n)
    expect((await mined()) - before.mined).toBe(1)
  })

  it('that was mined before its raise arrived settles all the same', async () => {
    await worldWith({ raiseAfterMs: 1, receiptPollMs: 40 })
    const before = await received()
    const paid = await Promise.all(Array.from({ length: 6 }, async () => pay(await payment())))
    expect(paid.map(({ kind }) => kind)).toEqual(Array(6).fill('answer'))
    expect((await received()) - before).toBe(60_000n)
  })
})
