/** What happens to a payment when the settlement goes wrong, at every place where it can. */
import { describe, expect, it, vi } from 'vitest'
import type { MeterOutcome } from '../../../../kernel/metering/call.ts'
import type { X402Rail } from '../../../../plugins/x402/rail.ts'
import { canonicalJson, fingerprintOf } from '../../../../kernel/schema/json-pieces.ts'
import { failureOf } from '../../../support/outcomes.ts'
import { PATIENT } from '../../../support/patience.ts'
import { rpc } from '../../../support/x402/chain.ts'
import type { Fault } from '../../../support/x402/facilitator.ts'
import { x402Ground } from '../../../support/x402/ground.ts'
import { echoSkill, x402Instances, type X402Instance } from '../../../support/x402/instances.ts'
import { paidBy } from '../../../support/x402/payments.ts'
import { authorized, mainOf, railCall } from '../../../support/x402/rail.ts'

const ground = x402Ground({ buyerAtomic: 100_000_000n })
const { received, tally, expireLeases, facilitator } = ground
const work = echoSkill()
const open = x402Instances(ground, work)

/** Comes back with the same payment until it is no longer told to wait; every wait must be a 503. */
const comeBack = (gateway: X402Instance, signed: unknown): Promise<MeterOutcome> =>
  gateway.comeBack(signed, {
    everyWait: ({ code }) => expect(code).toBe('UPSTREAM_FAILURE'),
  })

/** Waits for the claims of the rail to be finished by its reconciler. */
async function drained(rail: X402Rail): Promise<void> {
  await vi.waitUntil(async () => (await rail.core!.claims.backlog()).settling === 0, PATIENT)
}

describe('a remote facilitator', () => {
  it('that works settles once, without the gateway having a key or a node', async () => {
    const remote = facilitator()
    const gateway = await open({ facilitators: [remote.url], rpcUrl: null, signerKey: null })
    const before = await received()
    const outcome = await gateway.pay(await gateway.signed())
    expect(outcome.kind).toBe('answer')
    expect((await received()) - before).toBe(10_000n)
    expect(remote).toMatchObject({ settles: 1, verifies: 1 })
  })

  const doubtful: Fault[] = ['lose', 'settle_then_500', '503', 'garbage', 'lie']
  it.each(doubtful)(
    'that answers "%s" leads to one transfer and the first answer',
    async (fault) => {
      const remote = facilitator([fault])
      const gateway = await open({ facilitators: [remote.url], signerKey: null })
      const taken = await tally()
      const signed = await gateway.signed()
      const first = await gateway.pay(signed)
      if (first.kind === 'failure') {
        expect(first.failure).toMatchObject({ code: 'UPSTREAM_FAILURE', retryable: true })
        expect(first.failure.headers?.['retry-after']).toBeDefined()
      }
      const last = await comeBack(gateway, signed)
      expect(last.kind).toBe('answer')
      expect(await taken()).toEqual({ runs: 1, moved: 10_000n })
      expect(await gateway.ledger.rows({ kind: 'settlement', limit: 500 })).toSatisfy(
        (rows: { transaction: string }[]) =>
          new Set(rows.map((row) => row.transaction)).size === rows.length,
      )
    },
  )

  it.each(['lose', '503'] as Fault[])(
    'that answers "%s" to a gateway without a node is asked again, and the caller gets the answer',
    async (fault) => {
      const remote = facilitator([fault])
      const gateway = await open({ facilitators: [remote.url], rpcUrl: null, signerKey: null })
      const before = await received()
      const signed = await gateway.signed()
      expect(failureOf(await gateway.pay(signed))?.code).toBe('UPSTREAM_FAILURE')
      expect((await comeBack(gateway, signed)).kind).toBe('answer')
      expect((await received()) - before).toBe(10_000n)
    },
  )

  it('that hangs is left for the next one in the list', async () => {
    const silent = facilitator(Array(100).fill('hang'))
    const quick = facilitator()
    const gateway = await open({
      facilitators: [silent.url, quick.url],
      signerKey: null,
      timing: { settleTimeoutMs: 300, verifyTimeoutMs: 500, reconcileEveryMs: 100 },
    })
    const before = await received()
    // The quick one may need longer than its limit too, on a machine that stands still.
    expect((await comeBack(gateway, await gateway.signed())).kind).toBe('answer')
    expect((await received()) - before).toBe(10_000n)
    expect(quick.settles).toBeGreaterThan(0)
  })

  it('that is not there is left for the own signer, and its breaker opens', async () => {
    const gateway = await open({
      facilitators: ['http://127.0.0.1:1'],
      timing: { breaker: { failures: 1, resetMs: 60_000 }, receiptPollMs: 5 },
    })
    expect((await gateway.pay(await gateway.signed())).kind).toBe('answer')
    const { settlers } = await gateway.rail.stats()
    expect(settlers).toMatchObject([
      { name: '127.0.0.1:1', breaker: 'open', failed: 1 },
      { name: 'own signer', breaker: 'closed', settled: 1 },
    ])
    const health = await Promise.all(
      gateway.rail.health().map((check) => check.probe(new AbortController().signal)),
    )
    expect(health[0]).toMatchObject({ state: 'degraded' })
    expect((await gateway.pay(await gateway.signed())).kind).toBe('answer')
    expect((await gateway.rail.stats()).settlers[0]).toMatchObject({ failed: 1 })
  })

  it('that refuses the credential is named with its answer, also while nothing is offered', async () => {
    const door = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: ({ url }) =>
        Response.json({ kinds: [] }, { status: url.endsWith('/supported') ? 200 : 401 }),
    })
    ground.closing(() => door.stop(true))
    const gateway = await open({
      facilitators: [`http://127.0.0.1:${door.port}`],
      signerKey: null,
      timing: { breaker: { failures: 1, resetMs: 60_000 } },
    })
    expect((await gateway.pay(await gateway.signed())).kind).not.toBe('answer')
    const [check] = gateway.rail.health()
    const { state, detail } = await check!.probe(new AbortController().signal)
    expect(state).toBe('down')
    expect(detail).toContain(`127.0.0.1:${door.port} is open: `)
    expect(detail).toContain('answered 401')
  })

  it('that does not answer when it is looked for is named in the readiness, until it does', async () => {
    let status = 401
    const door = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: () => Response.json({ kinds: [] }, { status }),
    })
    ground.closing(() => door.stop(true))
    const gateway = await open({
      facilitators: [`http://127.0.0.1:${door.port}`],
      timing: { refreshEveryMs: 200 },
    })
    const health = () => gateway.rail.health()[0]!.probe(new AbortController().signal)
    expect(await health()).toEqual({
      state: 'degraded',
      detail: `127.0.0.1:${door.port}: /supported answers 401`,
    })
    status = 200
    await vi.waitUntil(async () => (await health()).state === 'ok', PATIENT)
  })

  it('that refuses for good withholds the answer, moves nothing and says why', async () => {
    const remote = facilitator([{ refuse: 'invalid_exact_evm_insufficient_balance' }])
    const gateway = await open({ facilitators: [remote.url], signerKey: null })
    const before = await received()
    const signed = await gateway.signed()
    const failure = failureOf(await gateway.pay(signed))
    expect(failure).toMatchObject({
      code: 'PAYMENT_FAILED',
      details: {
        reason: 'invalid_exact_evm_insufficient_balance',
        field: 'payload.authorization.value',
      },
    })
    expect(failure?.headers?.['payment-response']).toBeDefined()
    expect(await received()).toBe(before)
    expect((await gateway.pay(signed)).kind).toBe('answer')
  })

  it('that refuses after its own answer was lost is overruled by the chain', async () => {
    const first = facilitator(['settle_then_500'])
    const second = facilitator([{ refuse: 'invalid_exact_evm_nonce_already_used' }])
    const gateway = await open({ facilitators: [first.url, second.url], signerKey: null })
    const before = await received()
    expect((await gateway.pay(await gateway.signed())).kind).toBe('answer')
    expect((await received()) - before).toBe(10_000n)
  })

  it('all of them shut: the rail is closed, offers nothing and takes nothing', async () => {
    const gateway = await open({
      facilitators: ['http://127.0.0.1:1'],
      rpcUrl: null,
      signerKey: null,
      timing: { breaker: { failures: 1, resetMs: 60_000 } },
    })
    const signed = await gateway.signed()
    const ranBefore = work.runs
    expect(failureOf(await gateway.pay(signed))).toMatchObject({ code: 'UPSTREAM_FAILURE' })
    expect(gateway.rail.available()).toMatchObject({ ok: false })
    expect(await gateway.ask()).toMatchObject({
      kind: 'failure',
      failure: { status: 503 },
      offers: [],
    })
    expect(work.runs).toBe(ranBefore)
  })
})

describe('a settlement that takes long', () => {
  it('keeps its lease, so that no other instance settles beside it', async () => {
    const gateway = await open()
    const { claims, leases } = gateway.core
    const signed = await gateway.signed()
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
      units: 10_000n,
      priceVersion: 1,
      acquisition: null,
      payment: null,
      validBefore: BigInt(authorization.validBefore),
      chainRef: 'not this rail',
      leaseMs: 60_000,
    })
    const token = Bun.randomUUIDv7()
    await claims.beginSettling({ id, answer: null, lease: { token, ms: 0 } })
    const isLeased = async (): Promise<boolean> => {
      const [row] = await ground.database.db.sql<{ isLeased: boolean }[]>`
        SELECT lease_until > now() AS "isLeased" FROM plugin_x402.x402_claim WHERE id = ${id}`
      return row!.isLeased
    }
    await claims.renew(new Map([[id, Bun.randomUUIDv7()]]), 60_000)
    expect(await isLeased()).toBe(false)
    await claims.renew(new Map([[id, token]]), 60_000)
    expect(await isLeased()).toBe(true)
    expect(await leases.holding(id, token, async () => 'done')).toBe('done')
    await claims.failed(id, token, 'over')
  })
})

describe('a gateway that dies', () => {
  /** Runs the steps of a call up to a point, as a process that is killed there would have. */
  async function abandonedClaim(gateway: X402Instance, signed: unknown) {
    const fingerprint = fingerprintOf('t.work', canonicalJson({ a: 1 }))
    const call = railCall(gateway.call(work, {}).quote, { fingerprint })
    expect((await gateway.rail.inspect!(call, paidBy(signed))).outcome).toBe('ok')
    await authorized(gateway.rail, call, signed)
    return call
  }
  const answer = {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: new TextEncoder().encode('{"echo":{"a":1}}'),
  }
  /** Whether the claim was still its own when this gateway stored the answer, to settle it next. */
  const storeAnswer = (gateway: X402Instance, holdId: string): Promise<boolean> =>
    gateway.core.claims.beginSettling({
      id: holdId,
      answer,
      lease: { token: Bun.randomUUIDv7(), ms: 60_000 },
    })

  it('while the work ran: nothing moved, and the payment is good again after the lease', async () => {
    const dead = await open()
    const before = await received()
    const signed = await dead.signed()
    await abandonedClaim(dead, signed)
    const next = await open()
    expect(failureOf(await next.pay(signed))).toMatchObject({ status: 409, retryable: true })
    await expireLeases()
    expect(await received()).toBe(before)
    expect((await next.pay(signed)).kind).toBe('answer')
    expect((await received()) - before).toBe(10_000n)
  })

  it('after the answer was stored, before the money moved: the next one settles and delivers', async () => {
    const dead = await open()
    const taken = await tally()
    const signed = await dead.signed()
    const { holdId } = await abandonedClaim(dead, signed)
    await storeAnswer(dead, holdId)
    expect(await dead.rail.stateOf(holdId)).toBe('open')
    await expireLeases()
    const next = await open()
    await drained(next.rail)
    expect(await taken()).toEqual({ runs: 0, moved: 10_000n })
    expect(await next.rail.stateOf(holdId)).toBe('captured')
    const outcome = await next.pay(signed)
    expect(outcome).toMatchObject({ kind: 'answer', replayed: true })
    expect(await taken()).toEqual({ runs: 0, moved: 10_000n })
  })

  it('after the money moved, before it was written: the next one finds the transfer', async () => {
    const dead = await open()
    const before = await received()
    const signed = await dead.signed()
    const { holdId } = await abandonedClaim(dead, signed)
    const { claims } = dead.core
    const { settlers } = mainOf(dead.rail)
    await storeAnswer(dead, holdId)
    const claim = (await claims.byId(holdId))!
    expect((await settlers.settle(claim.payment!, false)).outcome).toBe('settled')
    await expireLeases()
    const next = await open()
    await drained(next.rail)
    expect((await received()) - before).toBe(10_000n)
    expect(await next.pay(signed)).toMatchObject({ kind: 'answer', replayed: true })
    const rows = await next.ledger.rows({ requestId: claim.requestId, limit: 10 })
    expect(rows.filter((row) => row.kind === 'settlement')).toHaveLength(1)
  })

  it('and a slow one that comes back to life after its lease takes nothing twice', async () => {
    const slow = await open()
    const before = await received()
    const signed = await slow.signed()
    const railCall = await abandonedClaim(slow, signed)
    await expireLeases()
    const next = await open()
    expect((await next.pay(signed)).kind).toBe('answer')
    const late = await storeAnswer(slow, railCall.holdId)
    expect(late).toBe(false)
    expect((await received()) - before).toBe(10_000n)
  })

  it('and a slow one whose facilitator refuses what another has settled meanwhile says nothing of a refusal', async () => {
    const remote = facilitator()
    const asked = Promise.withResolvers<void>()
    const wakes = Promise.withResolvers<void>()
    const door = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      idleTimeout: 255,
      async fetch(request) {
        const { pathname } = new URL(request.url)
        const body = request.method === 'POST' ? await request.text() : undefined
        if (pathname === '/settle') {
          asked.resolve()
          await wakes.promise
        }
        return fetch(remote.url + pathname, { method: request.method, body })
      },
    })
    ground.closing(() => door.stop(true))
    const settlingBy = (url: string) => open({ facilitators: [url], rpcUrl: null, signerKey: null })
    const slow = await settlingBy(`http://127.0.0.1:${door.port}`)
    const taken = await tally()
    const signed = await slow.signed()
    const paid = slow.pay(signed)
    await asked.promise
    // It stands still: it neither renews its lease nor looks at other claims.
    await slow.rail.stop()
    await expireLeases()
    const next = await settlingBy(remote.url)
    expect((await comeBack(next, signed)).kind).toBe('answer')
    wakes.resolve()
    expect(await paid).toMatchObject({
      kind: 'failure',
      pending: true,
      failure: { code: 'UPSTREAM_FAILURE', retryable: true },
    })
    expect(await slow.pay(signed)).toMatchObject({ kind: 'answer', replayed: true })
    expect(await taken()).toEqual({ runs: 1, moved: 10_000n })
  })

  it('with its sandbox chain: settlements of the old chain are given up, never tried on the new', async () => {
    const dead = await open({ chainRef: 'an earlier chain' })
    const signed = await dead.signed()
    const { holdId } = await abandonedClaim(dead, signed)
    await storeAnswer(dead, holdId)
    await dead.rail.stop()
    await expireLeases()
    const before = await received()
    const next = await open()
    expect(await next.core.claims.byId(holdId)).toMatchObject({
      state: 'failed',
      reason: 'sandbox_chain_reset',
    })
    expect(await received()).toBe(before)
  })

  it('with an authorization that expired unsettled: it is given up, and nothing is delivered', async () => {
    const dead = await open()
    const signed = await dead.signed()
    const { holdId } = await abandonedClaim(dead, signed)
    const { claims } = dead.core
    await storeAnswer(dead, holdId)
    // The chain's clock passes the end of the authorization before anybody settles.
    await rpc(ground.chain, 'evm_increaseTime', [3600])
    await rpc(ground.chain, 'evm_mine')
    await expireLeases()
    const before = await received()
    const next = await open()
    await drained(next.rail)
    expect(await claims.byId(holdId)).toMatchObject({ state: 'failed', answer: null })
    expect(await received()).toBe(before)
    expect(failureOf(await next.pay(signed))?.code).toBe('PAYMENT_FAILED')
  })
})
