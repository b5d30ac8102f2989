/** A node that is slow, limited, behind, or another chain's: the gateway stays truthful and answers. */
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { GAS_WALLET } from '../../../../plugins/x402/sandbox/wallets.ts'
import type { X402Timing } from '../../../../plugins/x402/entries/shared.ts'
import { answerOf, reasonOf } from '../../../support/outcomes.ts'
import { PATIENT } from '../../../support/patience.ts'
import { x402Ground } from '../../../support/x402/ground.ts'
import {
  echoSkill,
  x402Instances,
  type InstanceOptions,
  type X402Instance,
} from '../../../support/x402/instances.ts'
import { QUICK } from '../../../support/x402/rail.ts'

const ground = x402Ground()
const { received, tally } = ground
const work = echoSkill()
const open = x402Instances(ground, work)

interface Asked {
  id: number
  method: string
  params: unknown[]
}
/** What the node does instead of answering; null = it answers. */
type Trouble = (asked: Asked) => unknown

let node: ReturnType<typeof Bun.serve>
let trouble: Trouble = () => null
/** HTTP answers instead of the node's, one each. */
let refusals: (() => Response)[] = []

beforeAll(() => {
  node = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 60,
    async fetch(request) {
      const body = (await request.json()) as Asked | Asked[]
      const refusal = refusals.shift()
      if (refusal) return refusal()
      const answers = await Promise.all([body].flat().map(nodeAnswer)).catch(() => null)
      if (!answers) return new Response('bad gateway', { status: 502 })
      return Response.json(Array.isArray(body) ? answers : answers[0])
    },
  })
  ground.closing(() => node.stop(true))
})
afterEach(() => {
  trouble = () => null
  refusals = []
})

async function nodeAnswer(asked: Asked): Promise<unknown> {
  const instead = await trouble(asked)
  if (instead === null) return ask(asked)
  return { jsonrpc: '2.0', id: asked.id, ...(instead as object) }
}
async function ask(asked: Asked): Promise<Record<string, unknown>> {
  const answer = await fetch(ground.chain.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', ...asked }),
  })
  return (await answer.json()) as Record<string, unknown>
}
/** An instance that has nothing but this node. */
async function behindNode(options: InstanceOptions = {}, hurry: X402Timing = {}) {
  const gateway = await open({
    rpcUrl: `http://127.0.0.1:${node.port}`,
    timing: {
      ...QUICK,
      settleTimeoutMs: 30_000,
      confirmTimeoutMs: 300,
      reconcileEveryMs: 50,
      ...hurry,
    },
    ...options,
  })
  await vi.waitUntil(() => gateway.rail.available().ok, PATIENT)
  return gateway
}
/** For a node that leaves the gateway waiting. */
const HURRY: X402Timing = { settleTimeoutMs: 1000, attemptTimeoutMs: 1500, rpcTimeoutMs: 2000 }
/** Pays until the work has run: while the machine stands still, a hurried gateway finds no node. */
const workedFor = (gateway: X402Instance, payment: unknown) =>
  vi.waitUntil(async () => {
    const outcome = await gateway.pay(payment)
    return reasonOf(outcome) !== 'settlement_unavailable' && outcome
  }, PATIENT)
/** Pays until nobody is told to come back; every wait is a 503, and in the end there is an answer. */
async function settledAnswer(gateway: X402Instance, payment: unknown) {
  const everyWait = ({ code }: { code: string }) => expect(code).toBe('UPSTREAM_FAILURE')
  return answerOf(await gateway.comeBack(payment, { everyWait }))
}
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
    const gateway = await behindNode()
    const payment = await gateway.signed()
    refusals = [limited]
    expect((await gateway.pay(payment)).kind).toBe('answer')
  })

  it('for an hour does not make the caller wait an hour, and nothing is run or taken', async () => {
    const gateway = await behindNode()
    const payment = await gateway.signed()
    const taken = await tally()
    refusals = Array.from({ length: 1000 }, () => limited)
    expect(await gateway.pay(payment)).toMatchObject({
      kind: 'failure',
      failure: { code: 'UPSTREAM_FAILURE', details: { reason: 'settlement_unavailable' } },
    })
    expect(await taken()).toEqual({ runs: 0, moved: 0n })
    refusals = []
    expect((await settledAnswer(gateway, payment)).kind).toBe('answer')
  })

  it('when the settlement is sent leaves it pending, and it is settled once', async () => {
    const gateway = await behindNode()
    const payment = await gateway.signed()
    const taken = await tally()
    let sends = 0
    trouble = ({ method }) =>
      method === 'eth_sendRawTransaction' && ++sends < 2
        ? { error: { code: 429, message: 'too many requests' } }
        : null
    await settledAnswer(gateway, payment)
    expect(await taken()).toEqual({ runs: 1, moved: 10_000n })
  })
})

describe('a node that never answers', () => {
  it.each(['eth_getTransactionReceipt', 'eth_estimateGas', 'eth_getTransactionCount'])(
    '%s is not waited for beyond the deadline, and the payment is finished later',
    async (silent) => {
      const gateway = await behindNode({}, HURRY)
      const payment = await gateway.signed()
      const taken = await tally()
      trouble = ({ method }) => (method === silent ? new Promise(() => {}) : null)
      expect(await workedFor(gateway, payment)).toMatchObject(pending)
      trouble = () => null
      await settledAnswer(gateway, payment)
      expect(await taken()).toEqual({ runs: 1, moved: 10_000n })
    },
  )
})

describe('a node that is behind', () => {
  it('and shows receipts late leaves the payment pending, and settles it once', async () => {
    const gateway = await behindNode({}, HURRY)
    const payment = await gateway.signed()
    const taken = await tally()
    trouble = ({ method }) => (method === 'eth_getTransactionReceipt' ? { result: null } : null)
    expect(await workedFor(gateway, payment)).toMatchObject(pending)
    trouble = () => null
    await settledAnswer(gateway, payment)
    expect(await taken()).toEqual({ runs: 1, moved: 10_000n })
  })

  it('and has no log of it any more, as after a long stop, knows the transaction by its hash', async () => {
    const gateway = await behindNode({}, { ...HURRY, reconcileEveryMs: 3_600_000 })
    const payment = await gateway.signed()
    const taken = await tally()
    trouble = ({ method }) => (method === 'eth_getTransactionReceipt' ? { result: null } : null)
    expect(await workedFor(gateway, payment)).toMatchObject(pending)
    await gateway.rail.stop()
    trouble = ({ method }) => (method === 'eth_getLogs' ? { result: [] } : null)
    const next = await behindNode()
    await settledAnswer(next, payment)
    expect(await taken()).toEqual({ runs: 1, moved: 10_000n })
  })

  it('with its state behind its clock does not make an expired payment of a settled one', async () => {
    const remote = ground.facilitator(['settle_then_500'])
    const gateway = await behindNode({ facilitators: [remote.url], signerKey: null })
    const payment = await gateway.signed()
    const old = await ask({ id: 1, method: 'eth_blockNumber', params: [] })
    const far = `0x${(BigInt(payment.payload.authorization.validBefore) + 100n).toString(16)}`
    const taken = await tally()
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
    expect(await gateway.pay(payment)).toMatchObject(pending)
    trouble = () => null
    await settledAnswer(gateway, payment)
    expect(await taken()).toEqual({ runs: 1, moved: 10_000n })
  })
})

describe('a node that took the settlement and denies it', () => {
  const raw = 'eth_sendRawTransaction'

  it('does not make a refusal of it while nobody can say how it ended', async () => {
    const gateway = await behindNode()
    const payment = await gateway.signed()
    const taken = await tally()
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
    const first = await gateway.pay(payment)
    expect(first).toMatchObject(pending)
    // The next look finds the authorization used, and still nobody can say by whom.
    await vi.waitFor(async () => {
      expect(await gateway.core.claims.backlog()).toMatchObject({ uncertain: 1 })
    }, PATIENT)
    expect(await gateway.pay(payment)).toMatchObject({ failure: { code: 'UPSTREAM_FAILURE' } })
    trouble = () => null
    await settledAnswer(gateway, payment)
    expect(await taken()).toEqual({ runs: 1, moved: 10_000n })
  })

  it('by a connection that breaks off is asked again, and it is settled once', async () => {
    const gateway = await behindNode()
    const payment = await gateway.signed()
    const before = await received()
    const sent = await sentByOwnAccount()
    let lost = 0
    trouble = async (asked) => {
      if (asked.method !== raw || lost++ > 0) return null
      await ask(asked)
      throw new Error('cut')
    }
    expect((await gateway.pay(payment)).kind).toBe('answer')
    expect((await received()) - before).toBe(10_000n)
    expect((await sentByOwnAccount()) - sent).toBe(1)
  })
})

describe('a node that is on another chain since', () => {
  it('is not believed about a settlement of the right one', async () => {
    const remote = ground.facilitator(['settle_then_500'])
    const gateway = await behindNode({ facilitators: [remote.url], signerKey: null })
    const payment = await gateway.signed()
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
    expect(await gateway.pay(payment)).toMatchObject(pending)
    trouble = () => null
    await settledAnswer(gateway, payment)
    expect((await received()) - before).toBe(10_000n)
  })
})
