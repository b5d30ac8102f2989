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
/** Rails of other instances. */
const others: { stop(): Promise<unknown> }[] = []
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
  for (const other of others.splice(0)) await other.stop()
  await database.db.sql`TRUNCATE coinop.x402_outgoing`
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
/** Another instance on the same database, with the same key. */
async function instanceWith(timing: Partial<X402Timing>) {
  const db = database.open()
  const meter = await meterOver(db)
  const instance = await testRail(
    { database: db, ledger: meter.ledger, chain },
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
  meter.rails.add(instance)
  others.push(instance, { stop: () => meter.close() })
  return { meter, instance }
}
async function payment() {
  const unpaid = await world.meter.run(world.call(work, {}))
  if (unpaid.kind !== 'failure') throw new Error('free')
  return signPayment(buyer, requirementsIn(unpaid.offers[0]!.challenge))
}
const pay = async (signed: unknown, by: typeof world = world): Promise<MeterOutcome> =>
  by.meter.run(by.call(work, {}, { source: paidBy(signed) }))
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
/** The claims' workers are dead, and nobody else gets to them in this test. */
const leaveClaims = () =>
  database.db
    .sql`UPDATE coinop.x402_claim SET lease_until = now() + interval '1 hour' WHERE state = 'settling'`
const takeClaims = () =>
  database.db.sql`UPDATE coinop.x402_claim SET lease_until = now() WHERE state = 'settling'`
const outgoing = () => database.db.sql`SELECT * FROM coinop.x402_outgoing ORDER BY account_nonce`
/** The next blocks want more for gas than what waits offers; anvil then drops that from its pool. */
async function feesRise(beyond: Pending): Promise<void> {
  const wanted = (BigInt(beyond.maxFeePerGas) * 3n) / 2n
  await rpc('anvil_setNextBlockBaseFeePerGas', [`0x${wanted.toString(16)}`])
  await rpc('evm_mine')
}
/** Makes blocks until the payment has its answer. */
async function answerOf(signed: unknown, by: typeof world = world): Promise<MeterOutcome> {
  return vi.waitFor(
    async () => {
      await rpc('evm_mine')
      const again = await pay(signed, by)
      expect(again).toMatchObject({ kind: 'answer' })
      return again
    },
    { timeout: 20_000, interval: 50 },
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

describe('a transaction whose instance died', () => {
  it('is found by the next one, raised in its own place, and settles once', async () => {
    await worldWith({ settleTimeoutMs: 200, raiseAfterMs: 60_000 })
    const before = { received: await received(), mined: await mined() }
    const signed = await payment()
    await rpc('evm_setAutomine', [false])
    const paid = pay(signed)
    const first = await firstWaiting()
    expect(await paid).toMatchObject({ kind: 'failure', pending: true })
    await rail!.stop()
    expect(await waiting()).toMatchObject([first])
    const { meter } = await instanceWith({ raiseAfterMs: 60_000 })
    await takeClaims()
    await dearerThan(first)
    expect(await answerOf(signed, meter)).toMatchObject({ replayed: true })
    expect((await received()) - before.received).toBe(10_000n)
    expect((await mined()) - before.mined).toBe(1)
    await vi.waitFor(async () => expect(await outgoing()).toEqual([]))
  })

  const troubles: [string, number, (first: Pending) => Promise<void>][] = [
    ['is raised by whoever waits behind it', 60_000, feesRise],
    [
      'before it was sent holds nobody up',
      100,
      async (first) => {
        // As if the node had never heard of it.
        await rpc('anvil_dropTransaction', [first.hash])
        for (const other of await waiting()) await rpc('anvil_dropTransaction', [other.hash])
      },
    ],
  ]
  it.each(troubles)('%s', async (_, raiseAfterMs, befall) => {
    await worldWith({ settleTimeoutMs: 200, raiseAfterMs })
    const before = { received: await received(), mined: await mined() }
    const stuck = await payment()
    await rpc('evm_setAutomine', [false])
    const paid = pay(stuck)
    const first = await firstWaiting()
    await paid
    await rail!.stop()
    await leaveClaims()
    await befall(first)
    await database.db.sql`UPDATE coinop.x402_outgoing SET tended_until = now()`
    const { meter } = await instanceWith({ raiseAfterMs: 100 })
    const behind = await payment()
    const paidBehind = pay(behind, meter)
    const places = [Number(first.nonce), Number(first.nonce) + 1]
    await vi.waitFor(
      async () => {
        const all = (await waiting()).map(({ nonce }) => Number(nonce))
        expect(all.toSorted((a, b) => a - b)).toEqual(places)
      },
      { timeout: 10_000, interval: 20 },
    )
    await rpc('evm_setAutomine', [true])
    await rpc('evm_mine')
    expect(await paidBehind).toMatchObject({ kind: 'answer' })
    await takeClaims()
    expect(await answerOf(stuck, meter)).toMatchObject({ replayed: true })
    expect((await received()) - before.received).toBe(20_000n)
    expect((await mined()) - before.mined).toBe(2)
  })
})

describe('a transaction that can never be mined where it is', () => {
  it('because nothing is in the place before it, takes that place', async () => {
    await worldWith({ settleTimeoutMs: 10_000, raiseAfterMs: 50 })
    const before = { received: await received(), mined: await mined() }
    const ghost = [chain.ref, signer(), before.mined] as const
    await database.db.sql`
      INSERT INTO coinop.x402_outgoing (chain, account, account_nonce, asset, payer, nonce, target, data, gas,
        forms, most_per_gas, tended_until)
      VALUES (${ghost[0]}, ${ghost[1]}, ${ghost[2]}, '', '', '', '', '', 0, '[]', 0, now() + interval '1 hour')`
    const signed = await payment()
    const paid = pay(signed)
    await vi.waitFor(async () => expect(await outgoing()).toHaveLength(2))
    await database.db.sql`DELETE FROM coinop.x402_outgoing WHERE data = ''`
    expect(await paid).toMatchObject({ kind: 'failure', pending: true })
    expect(await answerOf(signed)).toMatchObject({ replayed: true })
    expect((await received()) - before.received).toBe(10_000n)
  })

  it('because another user of the key has its place, takes a new one', async () => {
    await worldWith({ settleTimeoutMs: 10_000, raiseAfterMs: 200 })
    const before = { received: await received(), mined: await mined() }
    await rpc('evm_setAutomine', [false])
    const signed = await payment()
    const paid = pay(signed)
    const first = await firstWaiting()
    await rpc('anvil_dropTransaction', [first.hash])
    await rpc('eth_sendTransaction', [{ from: signer(), to: signer(), nonce: first.nonce }])
    await rpc('evm_mine')
    await rpc('evm_setAutomine', [true])
    expect(await paid).toMatchObject({ kind: 'failure', pending: true })
    expect(await answerOf(signed)).toMatchObject({ replayed: true })
    expect((await received()) - before.received).toBe(10_000n)
    expect((await mined()) - before.mined).toBe(2)
  })
})
