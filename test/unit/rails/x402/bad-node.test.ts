/** A node that is slow, limited, behind, or another chain's: the gateway stays truthful and answers. */
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { MeterOutcome } from '../../../../kernel/metering/call.ts'
import type { SandboxChain } from '../../../../kernel/rails/x402/chain/sandbox.ts'
import type { X402Options } from '../../../../kernel/rails/x402/core.ts'
import type { X402Rail } from '../../../../kernel/rails/x402/rail.ts'
import { GAS_WALLET } from '../../../../kernel/rails/x402/chain/wallets.ts'
import { testDatabase, type TestDatabase } from '../../../support/database.ts'
import { meterOver, mount } from '../../../support/metering.ts'
import {
  buyerOn,
  paidBy,
  requirementsIn,
  signPayment,
  startFacilitator,
  testChain,
  testRail,
} from '../../../support/x402.ts'

interface Asked {
  id: number
  method: string
  params: unknown[]
}
/** What the node does instead of answering; null = it answers. */
type Trouble = (asked: Asked) => unknown

let database: TestDatabase
let chain: SandboxChain
let buyer: PrivateKeyAccount
let node: ReturnType<typeof Bun.serve>
let trouble: Trouble = () => null
/** HTTP answers instead of the node's, one each. */
let refusals: (() => Response)[] = []
const opened: { stop(): Promise<unknown> }[] = []
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
  buyer = await buyerOn(chain)
  node = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 60,
    async fetch(request) {
      const body = (await request.json()) as Asked | Asked[]
      const refusal = refusals.shift()
      if (refusal) return refusal()
      const answers = await Promise.all([body].flat().map(answerOf)).catch(() => null)
      if (!answers) return new Response('bad gateway', { status: 502 })
      return Response.json(Array.isArray(body) ? answers : answers[0])
    },
  })
})
afterEach(async () => {
  trouble = () => null
  refusals = []
  for (const each of opened.splice(0).toReversed()) await each.stop()
})
afterAll(async () => {
  await node.stop(true)
  await chain.stop()
  await database.close()
})

async function answerOf(asked: Asked): Promise<unknown> {
  const instead = await trouble(asked)
  if (instead === null) return ask(asked)
  return { jsonrpc: '2.0', id: asked.id, ...(instead as object) }
}
async function ask(asked: Asked): Promise<Record<string, unknown>> {
  const answer = await fetch(chain.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', ...asked }),
  })
  return (await answer.json()) as Record<string, unknown>
}
async function worldWith(options: Partial<X402Options> = {}) {
  const meter = await meterOver(database.db)
  const rail = await testRail(
    { database: database.db, ledger: meter.ledger, chain },
    {
      rpcUrl: `http://127.0.0.1:${node.port}`,
      timing: {
        settleTimeoutMs: 1000,
        confirmTimeoutMs: 300,
        attemptTimeoutMs: 1500,
        rpcTimeoutMs: 500,
        receiptPollMs: 5,
        reconcileEveryMs: 50,
        breaker: { failures: 100, resetMs: 100 },
      },
      ...options,
    },
  )
  meter.rails.add(rail)
  opened.push({ stop: () => meter.close() }, rail)
  return { meter, rail }
}
type World = { meter: Awaited<ReturnType<typeof meterOver>>; rail: X402Rail }
async function signed({ meter }: World, authorization = {}) {
  const unpaid = await meter.meter.run(meter.call(work, {}))
  if (unpaid.kind !== 'failure') throw new Error('free')
  return signPayment(buyer, requirementsIn(unpaid.offers[0]!.challenge), { authorization })
}
const pay = async ({ meter }: World, payment: unknown): Promise<MeterOutcome> =>
  meter.meter.run(meter.call(work, {}, { source: paidBy(payment) }))
/** The payment until nobody is told to come back; every wait is a 503. */
const settledAnswer = (world: World, payment: unknown) =>
  vi.waitFor(
    async () => {
      const outcome = await pay(world, payment)
      if (outcome.kind === 'failure') expect(outcome.failure.code).toBe('UPSTREAM_FAILURE')
      expect(outcome.kind).toBe('answer')
      return outcome
    },
    { timeout: 15_000, interval: 50 },
  )
const received = () => chain.balanceOf(chain.receivingAddress)
async function sentByOwnAccount(): Promise<number> {
  const params = [GAS_WALLET.address, 'latest']
  const { result } = await ask({ id: 1, method: 'eth_getTransactionCount', params })
  return Number(result)
}
const limited = () => new Response('slow down', { status: 429, headers: { 'retry-after': '3600' } })
const pending = {
  kind: 'failure',
  pending: true,
  failure: { code: 'UPSTREAM_FAILURE', retryable: true },
}

describe('a node that limits its rate', () => {
  it('once is asked again', async () => {
    const world = await worldWith()
    const payment = await signed(world)
    refusals = [limited]
    expect((await pay(world, payment)).kind).toBe('answer')
  })

  it('for an hour does not make the caller wait an hour, and nothing is run or taken', async () => {
    const world = await worldWith()
    const payment = await signed(world)
    const before = { runs, received: await received() }
    refusals = Array.from({ length: 1000 }, () => limited)
    expect(await pay(world, payment)).toMatchObject({
      kind: 'failure',
      failure: { code: 'UPSTREAM_FAILURE', details: { reason: 'settlement_unavailable' } },
    })
    expect({ runs, received: await received() }).toEqual(before)
    refusals = []
    expect((await settledAnswer(world, payment)).kind).toBe('answer')
  })

  it('when the settlement is sent leaves it pending, and it is settled once', async () => {
    const world = await worldWith()
    const payment = await signed(world)
    const before = { runs, received: await received() }
    let sends = 0
    trouble = ({ method }) =>
      method === 'eth_sendRawTransaction' && ++sends < 2
        ? { error: { code: 429, message: 'too many requests' } }
        : null
    await settledAnswer(world, payment)
    expect(runs - before.runs).toBe(1)
    expect((await received()) - before.received).toBe(10_000n)
  })
})

describe('a node that never answers', () => {
  it.each(['eth_getTransactionReceipt', 'eth_estimateGas', 'eth_getTransactionCount'])(
    '%s is not waited for beyond the deadline, and the payment is finished later',
    async (silent) => {
      const world = await worldWith()
      const payment = await signed(world)
      const before = { runs, received: await received() }
      trouble = ({ method }) => (method === silent ? new Promise(() => {}) : null)
      expect(await pay(world, payment)).toMatchObject(pending)
      trouble = () => null
      await settledAnswer(world, payment)
      expect(runs - before.runs).toBe(1)
      expect((await received()) - before.received).toBe(10_000n)
    },
  )
})

describe('a node that is behind', () => {
  it('and shows receipts late leaves the payment pending, and settles it once', async () => {
    const world = await worldWith()
    const payment = await signed(world)
    const before = { runs, received: await received() }
    trouble = ({ method }) => (method === 'eth_getTransactionReceipt' ? { result: null } : null)
    expect(await pay(world, payment)).toMatchObject(pending)
    trouble = () => null
    await settledAnswer(world, payment)
    expect(runs - before.runs).toBe(1)
    expect((await received()) - before.received).toBe(10_000n)
  })

  it('with its state behind its clock does not make an expired payment of a settled one', async () => {
    const remote = startFacilitator(chain)
    opened.push(remote)
    remote.faults = ['settle_then_500']
    const world = await worldWith({ facilitators: [remote.url], signerKey: null })
    const payment = await signed(world)
    const old = await ask({ id: 1, method: 'eth_blockNumber', params: [] })
    const far = `0x${(BigInt(payment.payload.authorization.validBefore) + 100n).toString(16)}`
    const before = { runs, received: await received() }
    trouble = async (asked) => {
      if (asked.method === 'eth_getBlockByNumber') {
        const { result } = await ask(asked)
        return { result: { ...(result as object), timestamp: far } }
      }
      if (asked.method !== 'eth_call') return null
      // This one has only the blocks before the settlement.
      const at = String(asked.params[1])
      if (at.startsWith('0x') && BigInt(at) > BigInt(old['result'] as string)) {
        return { error: { code: -32000, message: 'header not found' } }
      }
      return ask({ ...asked, params: [asked.params[0], old['result']] })
    }
    expect(await pay(world, payment)).toMatchObject(pending)
    trouble = () => null
    await settledAnswer(world, payment)
    expect(runs - before.runs).toBe(1)
    expect((await received()) - before.received).toBe(10_000n)
  })
})

describe('a node that took the settlement and denies it', () => {
  const raw = 'eth_sendRawTransaction'

  it('does not make a refusal of it while nobody can say how it ended', async () => {
    const world = await worldWith()
    const payment = await signed(world)
    const before = { runs, received: await received() }
    let isSent = false
    trouble = async (asked) => {
      if (asked.method === raw) {
        await ask(asked)
        isSent = true
        // What a balancer in front of it gets that sends everything twice.
        return { error: { code: -32000, message: 'nonce too low' } }
      }
      if (!isSent) return null
      if (asked.method === 'eth_getTransactionReceipt') return { result: null }
      return asked.method === 'eth_getBlockByNumber'
        ? { error: { code: -32000, message: 'internal error' } }
        : null
    }
    const first = await pay(world, payment)
    expect(first).toMatchObject(pending)
    // The next look finds the authorization used, and still nobody can say by whom.
    await vi.waitFor(
      async () => {
        expect(await world.rail.core!.claims.backlog()).toMatchObject({ uncertain: 1 })
      },
      { timeout: 10_000, interval: 50 },
    )
    expect(await pay(world, payment)).toMatchObject({ failure: { code: 'UPSTREAM_FAILURE' } })
    trouble = () => null
    await settledAnswer(world, payment)
    expect(runs - before.runs).toBe(1)
    expect((await received()) - before.received).toBe(10_000n)
  })

  it('by a connection that breaks off is asked again, and it is settled once', async () => {
    const world = await worldWith()
    const payment = await signed(world)
    const before = await received()
    const sent = await sentByOwnAccount()
    let lost = 0
    trouble = async (asked) => {
      if (asked.method !== raw || lost++ > 0) return null
      await ask(asked)
      throw new Error('cut')
    }
    expect((await pay(world, payment)).kind).toBe('answer')
    expect((await received()) - before).toBe(10_000n)
    expect((await sentByOwnAccount()) - sent).toBe(1)
  })
})

describe('a node that is on another chain since', () => {
  it('is not believed about a settlement of the right one', async () => {
    const remote = startFacilitator(chain)
    opened.push(remote)
    remote.faults = ['settle_then_500']
    const world = await worldWith({ facilitators: [remote.url], signerKey: null })
    const payment = await signed(world)
    const before = await received()
    const far = `0x${(BigInt(payment.payload.authorization.validBefore) + 100n).toString(16)}`
    trouble = async (asked) => {
      if (remote.settles === 0) return null
      switch (asked.method) {
        case 'eth_chainId':
          return { result: '0x1' }
        case 'eth_getBlockByNumber': {
          const { result } = await ask(asked)
          return { result: { ...(result as object), timestamp: far } }
        }
        case 'eth_call':
          return { result: `0x${'0'.repeat(64)}` }
        default:
          return null
      }
    }
    expect(await pay(world, payment)).toMatchObject(pending)
    trouble = () => null
    await settledAnswer(world, payment)
    expect((await received()) - before).toBe(10_000n)
  })
})
