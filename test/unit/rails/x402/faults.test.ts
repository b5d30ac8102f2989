/** What happens to a payment when the settlement goes wrong, at every place where it can. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { MeterOutcome } from '../../../../kernel/metering/call.ts'
import { verifyLedger } from '../../../../kernel/ledger/verify.ts'
import type { SandboxChain } from '../../../../kernel/rails/x402/chain/sandbox.ts'
import type { X402Options } from '../../../../kernel/rails/x402/core.ts'
import type { X402Rail } from '../../../../kernel/rails/x402/rail.ts'
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
  type Fault,
  type TestFacilitator,
} from '../../../support/x402.ts'

let database: TestDatabase
let chain: SandboxChain
let buyer: PrivateKeyAccount
let runs = 0
const opened: { stop(): Promise<void> }[] = []

const work = mount(
  {
    id: 't.work',
    handler: async (_, input) => {
      runs++
      return { ok: true, output: { echo: input } }
    },
  },
  { rails: ['x402'] },
)

beforeAll(async () => {
  database = await testDatabase()
  chain = await testChain()
  buyer = await buyerOn(chain, 100_000_000n)
})
afterEach(async () => {
  for (const each of opened.splice(0).toReversed()) await each.stop()
})
afterAll(async () => {
  await chain.stop()
  // Whatever happened above, the books balance.
  expect((await verifyLedger(database.db.sql)).violations).toEqual([])
  await database.close()
})

type World = Awaited<ReturnType<typeof worldOf>>

/** A meter over a rail of its own, as a freshly started gateway has it. */
async function worldOf(options: Partial<X402Options> = {}) {
  const meter = await meterOver(database.db)
  const rail = await testRail({ database: database.db, ledger: meter.ledger, chain }, options)
  meter.rails.add(rail)
  opened.push({ stop: () => meter.close() }, rail)
  return { meter, rail }
}

function facilitator(faults: Fault[] = []): TestFacilitator {
  const started = startFacilitator(chain)
  started.faults = faults
  opened.push(started)
  return started
}

async function payment({ meter }: World) {
  const unpaid = await meter.meter.run(meter.call(work, {}))
  if (unpaid.kind !== 'failure') throw new Error('free')
  return signPayment(buyer, requirementsIn(unpaid.offers[0]!.challenge))
}
const pay = async (
  { meter }: World,
  signed: unknown,
  input: unknown = { a: 1 },
): Promise<MeterOutcome> => meter.meter.run(meter.call(work, input, { source: paidBy(signed) }))
const received = () => chain.balanceOf(chain.receivingAddress)
const failureOf = (outcome: MeterOutcome) => (outcome.kind === 'failure' ? outcome.failure : null)

/** Comes back with the same payment until it is no longer told to wait; every wait must be a 503. */
async function comeBack(world: World, signed: unknown): Promise<MeterOutcome> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const outcome = await pay(world, signed)
    if (outcome.kind !== 'failure' || !outcome.failure.retryable) return outcome
    expect(outcome.failure.code).toBe('UPSTREAM_FAILURE')
    await Bun.sleep(50)
  }
  throw new Error('the settlement never ended')
}

/** Waits for the claims of the rail to be finished by its reconciler. */
async function drained(rail: X402Rail): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    if ((await rail.core!.claims.backlog()).settling === 0) return
    await Bun.sleep(50)
  }
  throw new Error('the reconciler did not finish')
}

describe('a remote facilitator', () => {
  it('that works settles once, without the gateway having a key or a node', async () => {
    const remote = facilitator()
    const world = await worldOf({ facilitators: [remote.url], rpcUrl: null, signerKey: null })
    const before = await received()
    const outcome = await pay(world, await payment(world))
    expect(outcome.kind).toBe('answer')
    expect((await received()) - before).toBe(10_000n)
    expect(remote).toMatchObject({ settles: 1, verifies: 1 })
  })

  const doubtful: Fault[] = ['lose', 'settle_then_500', '503', 'garbage', 'lie']
  it.each(doubtful)(
    'that answers "%s" leads to one transfer and the first answer',
    async (fault) => {
      const remote = facilitator([fault])
      const world = await worldOf({ facilitators: [remote.url], signerKey: null })
      const before = await received()
      const ranBefore = runs
      const signed = await payment(world)
      const first = await pay(world, signed)
      if (first.kind === 'failure') {
        expect(first.failure).toMatchObject({ code: 'UPSTREAM_FAILURE', retryable: true })
        expect(first.failure.headers?.['retry-after']).toBeDefined()
      }
      const last = await comeBack(world, signed)
      expect(last.kind).toBe('answer')
      expect(runs - ranBefore).toBe(1)
      expect((await received()) - before).toBe(10_000n)
      expect(await world.meter.ledger.rows({ kind: 'settlement', limit: 500 })).toSatisfy(
        (rows: { transaction: string }[]) =>
          new Set(rows.map((row) => row.transaction)).size === rows.length,
      )
    },
  )

  it.each(['lose', '503'] as Fault[])(
    'that answers "%s" to a gateway without a node is asked again, and the caller gets the answer',
    async (fault) => {
      const remote = facilitator([fault])
      const world = await worldOf({ facilitators: [remote.url], rpcUrl: null, signerKey: null })
      const before = await received()
      const signed = await payment(world)
      expect(failureOf(await pay(world, signed))?.code).toBe('UPSTREAM_FAILURE')
      expect((await comeBack(world, signed)).kind).toBe('answer')
      expect((await received()) - before).toBe(10_000n)
    },
  )

  it('that hangs is left for the next one in the list', async () => {
    const slow = facilitator(['hang'])
    const quick = facilitator()
    const world = await worldOf({
      facilitators: [slow.url, quick.url],
      signerKey: null,
      timing: { settleTimeoutMs: 300, verifyTimeoutMs: 500, reconcileEveryMs: 100 },
    })
    const before = await received()
    const outcome = await pay(world, await payment(world))
    expect(outcome.kind).toBe('answer')
    expect((await received()) - before).toBe(10_000n)
    expect(quick.settles).toBe(1)
  })

  it('that is not there is left for the own signer, and its breaker opens', async () => {
    const world = await worldOf({
      facilitators: ['http://127.0.0.1:1'],
      timing: { breaker: { failures: 1, resetMs: 60_000 }, receiptPollMs: 5 },
    })
    expect((await pay(world, await payment(world))).kind).toBe('answer')
    const { settlers } = await world.rail.stats()
    expect(settlers).toMatchObject([
      { name: '127.0.0.1:1', breaker: 'open', failed: 1 },
      { name: 'own signer', breaker: 'closed', settled: 1 },
    ])
    const health = await Promise.all(
      world.rail.health().map((check) => check.probe(new AbortController().signal)),
    )
    expect(health[0]).toMatchObject({ state: 'degraded' })
    expect((await pay(world, await payment(world))).kind).toBe('answer')
    expect((await world.rail.stats()).settlers[0]).toMatchObject({ failed: 1 })
  })

  it('that refuses for good withholds the answer, moves nothing and says why', async () => {
    const remote = facilitator([{ refuse: 'invalid_exact_evm_insufficient_balance' }])
    const world = await worldOf({ facilitators: [remote.url], signerKey: null })
    const before = await received()
    const signed = await payment(world)
    const failure = failureOf(await pay(world, signed))
    expect(failure).toMatchObject({
      code: 'PAYMENT_FAILED',
      details: {
        reason: 'invalid_exact_evm_insufficient_balance',
        field: 'payload.authorization.value',
      },
    })
    expect(failure?.headers?.['payment-response']).toBeDefined()
    expect(await received()).toBe(before)
    expect((await pay(world, signed)).kind).toBe('answer')
  })

  it('that refuses after its own answer was lost is overruled by the chain', async () => {
    const first = facilitator(['settle_then_500'])
    const second = facilitator([{ refuse: 'invalid_exact_evm_nonce_already_used' }])
    const world = await worldOf({ facilitators: [first.url, second.url], signerKey: null })
    const before = await received()
    expect((await pay(world, await payment(world))).kind).toBe('answer')
    expect((await received()) - before).toBe(10_000n)
  })

  it('all of them shut: the rail is closed, offers nothing and takes nothing', async () => {
    const world = await worldOf({
      facilitators: ['http://127.0.0.1:1'],
      rpcUrl: null,
      signerKey: null,
      timing: { breaker: { failures: 1, resetMs: 60_000 } },
    })
    const signed = await payment(world)
    const ranBefore = runs
    expect(failureOf(await pay(world, signed))).toMatchObject({ code: 'UPSTREAM_FAILURE' })
    expect(world.rail.available()).toMatchObject({ ok: false })
    const unpaid = await world.meter.meter.run(world.meter.call(work, {}))
    expect(unpaid).toMatchObject({ kind: 'failure', failure: { status: 503 }, offers: [] })
    expect(runs).toBe(ranBefore)
  })
})

describe('a settlement that takes long', () => {
  it('keeps its lease, so that no other instance settles beside it', async () => {
    const world = await worldOf()
    const { claims, reconciler } = world.rail.core!
    const signed = await payment(world)
    const id = Bun.randomUUIDv7()
    const { authorization } = signed.payload
    await claims.claim({
      id,
      network: 'eip155:8453',
      asset: signed.accepted.asset,
      payer: authorization.from,
      nonce: authorization.nonce,
      fingerprint: 'f',
      requestId: id,
      keyId: null,
      skillId: 't.work',
      path: '/',
      amountAtomic: 10_000n,
      priceVersion: 1,
      acquisition: null,
      payment: null,
      validBefore: BigInt(authorization.validBefore),
      chainRef: 'not this rail',
      leaseUntil: new Date(Date.now() + 60_000),
    })
    const token = Bun.randomUUIDv7()
    await claims.beginSettling(id, null, { token, until: new Date() })
    await claims.renew(new Map([[id, Bun.randomUUIDv7()]]), new Date(Date.now() + 60_000))
    expect((await claims.byId(id))!.leaseUntil.getTime()).toBeLessThanOrEqual(Date.now())
    await claims.renew(new Map([[id, token]]), new Date(Date.now() + 60_000))
    expect((await claims.byId(id))!.leaseUntil.getTime()).toBeGreaterThan(Date.now())
    expect(await reconciler.holding(id, token, async () => 'done')).toBe('done')
    await claims.failed(id, token, 'over')
  })
})

describe('a gateway that dies', () => {
  /** Runs the steps of a call up to a point, as a process that is killed there would have. */
  async function abandonedClaim(world: World, signed: unknown) {
    const call = world.meter.call(work, { a: 1 }, { source: paidBy(signed) })
    const railCall = {
      requestId: call.requestId,
      quote: call.quote,
      identity: null,
      fingerprint: (await fingerprintOf()).fingerprint,
      acquisition: null,
      deadline: new Date(Date.now() + 5000),
      holdId: Bun.randomUUIDv7(),
    }
    const source = paidBy(signed)
    expect((await world.rail.inspect!(railCall, source)).outcome).toBe('ok')
    const authorized = await world.rail.authorize(railCall, source)
    if (authorized.outcome !== 'authorized') throw new Error(JSON.stringify(authorized))
    return railCall
  }
  async function fingerprintOf() {
    const { canonicalJson, fingerprintOf: hash } = await import('../../../../kernel/schema/json.ts')
    return { fingerprint: hash('t.work', canonicalJson({ a: 1 })) }
  }
  const answer = {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: new TextEncoder().encode('{"echo":{"a":1}}'),
  }
  const expireLeases = () =>
    database.db
      .sql`UPDATE coinop.x402_claim SET lease_until = now() - interval '1 second' WHERE state IN ('claimed', 'settling')`

  it('while the work ran: nothing moved, and the payment is good again after the lease', async () => {
    const dead = await worldOf()
    const before = await received()
    const signed = await payment(dead)
    await abandonedClaim(dead, signed)
    const next = await worldOf()
    expect(failureOf(await pay(next, signed))).toMatchObject({ status: 409, retryable: true })
    await expireLeases()
    expect(await received()).toBe(before)
    expect((await pay(next, signed)).kind).toBe('answer')
    expect((await received()) - before).toBe(10_000n)
  })

  it('after the answer was stored, before the money moved: the next one settles and delivers', async () => {
    const dead = await worldOf()
    const before = await received()
    const ranBefore = runs
    const signed = await payment(dead)
    const { holdId } = await abandonedClaim(dead, signed)
    await dead.rail.core!.claims.beginSettling(holdId, answer, {
      token: Bun.randomUUIDv7(),
      until: new Date(Date.now() + 60_000),
    })
    expect(await dead.rail.stateOf(holdId)).toBe('open')
    await expireLeases()
    const next = await worldOf()
    await drained(next.rail)
    expect((await received()) - before).toBe(10_000n)
    expect(await next.rail.stateOf(holdId)).toBe('captured')
    const outcome = await pay(next, signed)
    expect(outcome).toMatchObject({ kind: 'answer', replayed: true })
    expect(runs).toBe(ranBefore)
  })

  it('after the money moved, before it was written: the next one finds the transfer', async () => {
    const dead = await worldOf()
    const before = await received()
    const signed = await payment(dead)
    const { holdId } = await abandonedClaim(dead, signed)
    const { claims, settlements } = dead.rail.core!
    await claims.beginSettling(holdId, answer, {
      token: Bun.randomUUIDv7(),
      until: new Date(Date.now() + 60_000),
    })
    const claim = (await claims.byId(holdId))!
    expect((await settlements.settle(claim.payment!, false)).outcome).toBe('settled')
    await expireLeases()
    const next = await worldOf()
    await drained(next.rail)
    expect((await received()) - before).toBe(10_000n)
    expect(await pay(next, signed)).toMatchObject({ kind: 'answer', replayed: true })
    const rows = await next.meter.ledger.rows({ requestId: claim.requestId, limit: 10 })
    expect(rows.filter((row) => row.kind === 'settlement')).toHaveLength(1)
  })

  it('and a slow one that comes back to life after its lease takes nothing twice', async () => {
    const slow = await worldOf()
    const before = await received()
    const signed = await payment(slow)
    const railCall = await abandonedClaim(slow, signed)
    await expireLeases()
    const next = await worldOf()
    expect((await pay(next, signed)).kind).toBe('answer')
    const late = await slow.rail.core!.claims.beginSettling(railCall.holdId, answer, {
      token: Bun.randomUUIDv7(),
      until: new Date(Date.now() + 60_000),
    })
    expect(late).toBe(false)
    expect((await received()) - before).toBe(10_000n)
  })

  it('with its sandbox chain: settlements of the old chain are given up, never tried on the new', async () => {
    const dead = await worldOf({ chainRef: 'an earlier chain' })
    const signed = await payment(dead)
    const { holdId } = await abandonedClaim(dead, signed)
    const { claims } = dead.rail.core!
    await claims.beginSettling(holdId, answer, {
      token: Bun.randomUUIDv7(),
      until: new Date(Date.now() + 60_000),
    })
    await dead.rail.stop()
    await expireLeases()
    const before = await received()
    const next = await worldOf()
    expect(await next.rail.core!.claims.byId(holdId)).toMatchObject({
      state: 'failed',
      reason: 'sandbox_chain_reset',
    })
    expect(await received()).toBe(before)
  })

  it('with an authorization that expired unsettled: it is given up, and nothing is delivered', async () => {
    const dead = await worldOf()
    const unpaid = await dead.meter.meter.run(dead.meter.call(work, {}))
    if (unpaid.kind !== 'failure') throw new Error('free')
    const signed = await signPayment(buyer, requirementsIn(unpaid.offers[0]!.challenge))
    const { holdId } = await abandonedClaim(dead, signed)
    const { claims } = dead.rail.core!
    await claims.beginSettling(holdId, answer, {
      token: Bun.randomUUIDv7(),
      until: new Date(Date.now() + 60_000),
    })
    // The chain's clock passes the end of the authorization before anybody settles.
    await chainRequest('evm_increaseTime', [3600])
    await chainRequest('evm_mine', [])
    await expireLeases()
    const before = await received()
    const next = await worldOf()
    await drained(next.rail)
    expect(await claims.byId(holdId)).toMatchObject({ state: 'failed', answer: null })
    expect(await received()).toBe(before)
    expect(failureOf(await pay(next, signed))?.code).toBe('PAYMENT_FAILED')
  })

  async function chainRequest(method: string, params: unknown[]): Promise<void> {
    const response = await fetch(chain.rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    expect(response.ok).toBe(true)
  }
})
