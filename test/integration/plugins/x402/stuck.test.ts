/** An own transaction that no block takes: dearer in its own place, never a second one beside it. */
import { numberToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { MeterOutcome } from '../../../../kernel/metering/call.ts'
import type { X402Timing } from '../../../../plugins/x402/entries/shared.ts'
import { answerOf } from '../../../support/outcomes.ts'
import { PATIENT } from '../../../support/patience.ts'
import { rpc } from '../../../support/x402/chain.ts'
import { x402Ground } from '../../../support/x402/ground.ts'
import {
  echoSkill,
  x402Instances,
  type InstanceOptions,
  type X402Instance,
} from '../../../support/x402/instances.ts'
import { QUICK } from '../../../support/x402/rail.ts'

interface Pending {
  hash: string
  nonce: string
  maxFeePerGas: string
  maxPriorityFeePerGas: string
}

const ground = x402Ground()
const { received } = ground
const node = <T>(method: string, params: unknown[] = []) => rpc<T>(ground.chain, method, params)
const work = echoSkill()
const open = x402Instances(ground, work)

beforeEach(() => {
  // Closed last, when no rail tends them any more.
  ground.closing(() => ground.database.db.sql`TRUNCATE plugin_x402.x402_outgoing`)
})
afterEach(() => node('evm_setAutomine', [true]))

const gatewayWith = (timing: X402Timing, options: InstanceOptions = {}) =>
  open({
    timing: { ...QUICK, settleTimeoutMs: 30_000, reconcileEveryMs: 50, ...timing },
    ...options,
  })
/** Another instance on the same database, with the same key. */
const anotherWith = (timing: X402Timing) =>
  gatewayWith(timing, { database: ground.database.open() })
const signer = () => privateKeyToAccount(ground.chain.signerKey).address
/** Transactions of the own account that wait for a block. */
async function waiting(): Promise<Pending[]> {
  const pool = await node<{ pending: Record<string, Record<string, Pending>> }>('txpool_content')
  const found = Object.entries(pool.pending).find(
    ([from]) => from.toLowerCase() === signer().toLowerCase(),
  )
  return Object.values(found?.[1] ?? {})
}
const mined = async () => Number(await node('eth_getTransactionCount', [signer(), 'latest']))
/** Waits for a form that pays at least a tenth more than `first`, as nodes want it. */
async function dearerThan(first: Pending): Promise<Pending> {
  return vi.waitFor(async () => {
    const all = await waiting()
    expect(all).toHaveLength(1)
    const [now] = all as [Pending]
    expect(now.nonce).toBe(first.nonce)
    const least = (BigInt(first.maxFeePerGas) * 110n) / 100n
    expect(BigInt(now.maxFeePerGas)).toBeGreaterThanOrEqual(least)
    return now
  }, PATIENT)
}
/** The claims' workers are dead, and nobody else gets to them in this test. */
const leaveClaims = () =>
  ground.database.db
    .sql`UPDATE plugin_x402.x402_claim SET lease_until = now() + interval '1 hour' WHERE state = 'settling'`
const takeClaims = () =>
  ground.database.db
    .sql`UPDATE plugin_x402.x402_claim SET lease_until = now() WHERE state = 'settling'`
/** What the database has of the own account's transactions; fees are [most, tip] of each form. */
const outgoing = () =>
  ground.database.db.sql<
    { forms: [string, string][] }[]
  >`SELECT * FROM plugin_x402.x402_outgoing ORDER BY account_nonce`
/** The next blocks want more for gas than what waits offers; anvil then drops that from its pool. */
async function feesRise(beyond: Pending): Promise<void> {
  const wanted = (BigInt(beyond.maxFeePerGas) * 3n) / 2n
  await node('anvil_setNextBlockBaseFeePerGas', [`0x${wanted.toString(16)}`])
  await node('evm_mine')
}
/** Makes blocks until the payment has its answer. */
async function minedAnswer(gateway: X402Instance, signed: unknown): Promise<MeterOutcome> {
  return vi.waitFor(async () => {
    await node('evm_mine')
    const again = await gateway.pay(signed)
    expect(again).toMatchObject({ kind: 'answer' })
    return again
  }, PATIENT)
}
/** The form that waits, when there is one. */
async function nowWaiting(): Promise<Pending> {
  return vi.waitFor(
    async () => {
      const [only] = await waiting()
      expect(only).toBeDefined()
      return only!
    },
    { ...PATIENT, interval: 5 },
  )
}

/** A payment at work whose transaction waits for a block, since none comes any more. */
async function stuckPayment(gateway: X402Instance) {
  const signed = await gateway.signed()
  await node('evm_setAutomine', [false])
  const paid = gateway.pay(signed)
  return { signed, paid, first: await nowWaiting() }
}
async function blocksComeAgain(): Promise<void> {
  await node('evm_setAutomine', [true])
  await node('evm_mine')
}

describe('a transaction that no block takes', () => {
  it('is sent again with higher fees in its own place, and settles once', async () => {
    const gateway = await gatewayWith({ raiseAfterMs: 100 })
    const before = { received: await received(), mined: await mined() }
    const { paid, first } = await stuckPayment(gateway)
    const second = await dearerThan(first)
    await dearerThan(second)
    await blocksComeAgain()
    expect(answerOf(await paid).receipt.transaction).not.toBe(first.hash)
    expect((await received()) - before.received).toBe(10_000n)
    expect((await mined()) - before.mined).toBe(1)
  })

  it('never pays more than ten times the first fee', async () => {
    const gateway = await gatewayWith({ raiseAfterMs: 5 })
    const { paid } = await stuckPayment(gateway)
    const [placed] = await outgoing()
    const most = BigInt(placed!.forms[0]![0]) * 10n
    const last = await vi.waitFor(async () => {
      const [now] = await waiting()
      // Another raise by a quarter would pass the limit.
      expect(BigInt(now!.maxFeePerGas) * 126n).toBeGreaterThan(most * 100n)
      return now!
    }, PATIENT)
    expect(BigInt(last.maxFeePerGas)).toBeLessThanOrEqual(most)
    await blocksComeAgain()
    expect((await paid).kind).toBe('answer')
  })

  it('is taken up again by the next attempt, not doubled', async () => {
    const gateway = await gatewayWith({ settleTimeoutMs: 200, raiseAfterMs: 60_000 })
    const before = { received: await received(), mined: await mined() }
    const { signed, paid, first } = await stuckPayment(gateway)
    expect(await paid).toMatchObject({
      kind: 'failure',
      pending: true,
      failure: { code: 'UPSTREAM_FAILURE', retryable: true },
    })
    await dearerThan(first)
    await blocksComeAgain()
    const outcome = await vi.waitFor(async () => {
      const again = await gateway.pay(signed)
      expect(again.kind).toBe('answer')
      return again
    }, PATIENT)
    expect(outcome).toMatchObject({ replayed: true })
    expect((await received()) - before.received).toBe(10_000n)
    expect((await mined()) - before.mined).toBe(1)
  })

  it('that was mined before its raise arrived settles all the same', async () => {
    const gateway = await gatewayWith({ raiseAfterMs: 1, receiptPollMs: 40 })
    const before = await received()
    const paid = await Promise.all(
      Array.from({ length: 6 }, async () => gateway.pay(await gateway.signed())),
    )
    expect(paid.map(({ kind }) => kind)).toEqual(Array(6).fill('answer'))
    expect((await received()) - before).toBe(60_000n)
  })
})

describe('a transaction whose instance died', () => {
  it('is found by the next one, raised in its own place, and settles once', async () => {
    const gateway = await gatewayWith({ settleTimeoutMs: 200, raiseAfterMs: 60_000 })
    const before = { received: await received(), mined: await mined() }
    const { signed, paid } = await stuckPayment(gateway)
    expect(await paid).toMatchObject({ kind: 'failure', pending: true })
    await gateway.rail.stop()
    const left = await nowWaiting()
    const next = await anotherWith({ raiseAfterMs: 60_000 })
    await takeClaims()
    await dearerThan(left)
    expect(await minedAnswer(next, signed)).toMatchObject({ replayed: true })
    expect((await received()) - before.received).toBe(10_000n)
    expect((await mined()) - before.mined).toBe(1)
    await vi.waitFor(async () => expect(await outgoing()).toEqual([]), PATIENT)
  })

  const troubles: [string, number, (left: Pending) => Promise<void>][] = [
    ['is raised by whoever waits behind it', 60_000, feesRise],
    [
      'before it was sent holds nobody up',
      100,
      async () => {
        // As if the node had never heard of it.
        for (const other of await waiting()) await node('anvil_dropTransaction', [other.hash])
      },
    ],
  ]
  it.each(troubles)('%s', async (_, raiseAfterMs, befall) => {
    const gateway = await gatewayWith({ settleTimeoutMs: 200, raiseAfterMs })
    const before = { received: await received(), mined: await mined() }
    const { signed: stuck, paid, first } = await stuckPayment(gateway)
    await paid
    await gateway.rail.stop()
    await leaveClaims()
    await befall(await nowWaiting())
    await ground.database.db.sql`UPDATE plugin_x402.x402_outgoing SET tended_until = now()`
    const next = await anotherWith({ raiseAfterMs: 100 })
    const paidBehind = next.pay(await next.signed())
    const places = [Number(first.nonce), Number(first.nonce) + 1]
    await vi.waitFor(async () => {
      const all = (await waiting()).map(({ nonce }) => Number(nonce))
      expect(all.toSorted((a, b) => a - b)).toEqual(places)
    }, PATIENT)
    await blocksComeAgain()
    expect(await paidBehind).toMatchObject({ kind: 'answer' })
    await takeClaims()
    expect(await minedAnswer(next, stuck)).toMatchObject({ replayed: true })
    expect((await received()) - before.received).toBe(20_000n)
    expect((await mined()) - before.mined).toBe(2)
  })
})

describe('a transaction that can never be mined where it is', () => {
  it('because nothing is in the place before it, takes that place', async () => {
    const gateway = await gatewayWith({ raiseAfterMs: 50 })
    const before = { received: await received(), mined: await mined() }
    const ghost = [ground.chain.ref, signer(), before.mined] as const
    await ground.database.db.sql`
      INSERT INTO plugin_x402.x402_outgoing (chain, account, account_nonce, asset, payer, nonce, target, data, gas,
        forms, most_per_gas, tended_until)
      VALUES (${ghost[0]}, ${ghost[1]}, ${ghost[2]}, '', '', '', '', '', 0, '[]', 0, now() + interval '1 hour')`
    const signed = await gateway.signed()
    const paid = gateway.pay(signed)
    await vi.waitFor(async () => expect(await outgoing()).toHaveLength(2), PATIENT)
    await ground.database.db.sql`DELETE FROM plugin_x402.x402_outgoing WHERE data = ''`
    expect(await paid).toMatchObject({ kind: 'failure', pending: true })
    expect(await minedAnswer(gateway, signed)).toMatchObject({ replayed: true })
    expect((await received()) - before.received).toBe(10_000n)
  })

  it('because another user of the key has its place, takes a new one', async () => {
    const gateway = await gatewayWith({ raiseAfterMs: 200 })
    const before = { received: await received(), mined: await mined() }
    const { signed, paid, first } = await stuckPayment(gateway)
    // So dear that no form of ours takes the place back before a block comes.
    const fee = numberToHex(BigInt(first.maxFeePerGas) * 100n)
    const own = { from: signer(), to: signer(), nonce: first.nonce }
    await node('eth_sendTransaction', [{ ...own, maxFeePerGas: fee, maxPriorityFeePerGas: fee }])
    await node('evm_mine')
    await node('evm_setAutomine', [true])
    expect(await paid).toMatchObject({ kind: 'failure', pending: true })
    expect(await minedAnswer(gateway, signed)).toMatchObject({ replayed: true })
    expect((await received()) - before.received).toBe(10_000n)
    expect((await mined()) - before.mined).toBe(2)
  })
})
