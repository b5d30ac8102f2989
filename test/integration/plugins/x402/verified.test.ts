/** What facilitators are asked before the work: always, and with the payload that they settle. */
import { describe, expect, it } from 'vitest'
import { bodyOf, failureOf, reasonOf } from '../../../support/outcomes.ts'
import { walletOn } from '../../../support/x402/chain.ts'
import type { Asked, Fault, TestFacilitator } from '../../../support/x402/facilitator.ts'
import { x402Ground } from '../../../support/x402/ground.ts'
import { echoSkill, x402Instances, type InstanceOptions } from '../../../support/x402/instances.ts'

const ground = x402Ground({ buyerAtomic: 100_000_000n })
const { tally } = ground
const work = echoSkill()
const open = x402Instances(ground, work)

const strict = (faults: Fault[] = []) =>
  ground.facilitator(faults, { isStrict: true, listsUpto: true })
const by = (remotes: TestFacilitator[], options: InstanceOptions = {}) =>
  open({ facilitators: remotes.map(({ url }) => url), signerKey: null, ...options })

const NODES = [
  ['a node of its own', {}],
  ['no node', { rpcUrl: null }],
] as const

/** Members that a client may add, which no part of the gateway knows. */
const ECHOED = {
  resource: { url: 'https://example.test/x', description: 'ünusual', tags: ['b', 'a'] },
  extensions: {
    zeta: { info: { n: 1.5, deep: [{ z: null, a: '\u2028' }] }, schema: {} },
    alpha: { b: 1, a: 2 },
  },
}

function expectEchoed({ paymentPayload: { resource, extensions } }: Asked): void {
  expect(JSON.stringify({ resource, extensions })).toBe(JSON.stringify(ECHOED))
}

describe.each(NODES)('a gateway with %s', (_, node) => {
  it.each([true, false])(
    'pays a facilitator (strict: %s) that verified it first',
    async (isStrict) => {
      const remote = ground.facilitator([], { isStrict, listsUpto: true })
      const gateway = await by([remote], node)
      const taken = await tally()
      expect((await gateway.pay(await gateway.signed())).kind).toBe('answer')
      expect((await gateway.pay(await gateway.signedPermit2('upto'))).kind).toBe('answer')
      expect(await taken()).toEqual({ runs: 2, moved: 20_000n })
      // Also the second one: who has paid before is verified again.
      expect(remote).toMatchObject({ verifies: 2, settles: 2 })
    },
  )

  it('passes on what the client put into resource and extensions, the same in both', async () => {
    const remote = strict()
    const gateway = await by([remote], node)
    for (const payment of [
      await gateway.signed(),
      await gateway.signedPermit2('exact'),
      await gateway.signedPermit2('upto'),
    ]) {
      const sent = { ...payment, ...ECHOED }
      expect((await gateway.pay(sent)).kind).toBe('answer')
      const [verified, settled] = [remote.asked.verify.pop()!, remote.asked.settle.pop()!]
      expect(JSON.stringify(settled.paymentPayload)).toBe(JSON.stringify(verified.paymentPayload))
      expectEchoed(settled)
      expect(settled.paymentPayload['accepted']).toEqual(payment.accepted)
    }
  })

  it('sends of the signed part what it verified, and nothing that another reader may prefer', async () => {
    const remote = strict()
    const gateway = await by([remote], node)
    const [payment, other] = [await gateway.signed(), await gateway.signed()]
    const { authorization, signature } = payment.payload
    const sent = {
      ...payment,
      Payload: other.payload,
      payload: {
        signature,
        authorization: { ...authorization, Nonce: other.payload.authorization.nonce },
        Authorization: other.payload.authorization,
        Signature: other.payload.signature,
      },
    }
    expect((await gateway.pay(sent)).kind).toBe('answer')
    const { paymentPayload } = remote.asked.settle.at(-1)!
    expect(JSON.stringify(paymentPayload).toLowerCase()).not.toContain(
      other.payload.authorization.nonce.toLowerCase(),
    )
  })

  it('asks before the work, and a payment that is not good frees its claim', async () => {
    const remote = strict()
    const gateway = await by([remote], node)
    remote.refusals = ['account_frozen: case 17\nof today']
    const taken = await tally()
    const payment = await gateway.signed()
    const refused = failureOf(await gateway.pay(payment))
    expect(refused).toMatchObject({
      code: 'PAYMENT_FAILED',
      details: { reason: 'account_frozen: case 17 of today' },
    })
    expect(await taken()).toEqual({ runs: 0, moved: 0n })
    expect((await gateway.pay(payment)).kind).toBe('answer')
    expect(await taken()).toEqual({ runs: 1, moved: 10_000n })
  })
})

it('the amount required is the ceiling at verification and the bill at settlement', async () => {
  const remote = strict()
  const gateway = await by([remote])
  const partial = echoSkill({ id: 't.partial' })
  partial.skill.handler = async () => ({ ok: true, output: {}, bill: { amountAtomic: 300n } })
  const payment = await gateway.signedPermit2('upto', {}, { skill: partial })
  expect((await gateway.pay(payment, { skill: partial })).kind).toBe('answer')
  const amounts = [...remote.asked.verify, ...remote.asked.settle].map(
    ({ paymentRequirements }) => paymentRequirements['amount'],
  )
  expect(amounts).toEqual(['10000', '300'])
})

describe('a facilitator that does not answer', () => {
  it('is left for the next one, which verifies before it settles', async () => {
    const silent = strict()
    await silent.stop()
    const second = strict()
    const gateway = await by([silent, second])
    expect((await gateway.pay(await gateway.signed())).kind).toBe('answer')
    expect(second).toMatchObject({ verifies: 1, settles: 1 })
  })

  it('at settlement is followed by one that verifies first', async () => {
    const first = strict(['503'])
    const second = strict()
    const gateway = await by([first, second])
    const taken = await tally()
    expect((await gateway.pay(await gateway.signed())).kind).toBe('answer')
    expect(await taken()).toEqual({ runs: 1, moved: 10_000n })
    expect(second).toMatchObject({ verifies: 1, settles: 1 })
  })

  it('takes no payment where it is the only one: 503 before any work, and nothing is claimed', async () => {
    const remote = strict()
    const gateway = await by([remote])
    remote.verifyFails = true
    const taken = await tally()
    const payment = await gateway.signed()
    expect(failureOf(await gateway.pay(payment))).toMatchObject({
      code: 'UPSTREAM_FAILURE',
      retryable: true,
      details: { reason: 'settlement_unavailable' },
    })
    expect(await taken()).toEqual({ runs: 0, moved: 0n })
    remote.verifyFails = false
    expect((await gateway.pay(payment)).kind).toBe('answer')
    expect(await taken()).toEqual({ runs: 1, moved: 10_000n })
  })

  it('but answers without a result opens its breaker for nobody', async () => {
    const remote = strict()
    const gateway = await by([remote], { timing: { breaker: { failures: 2, resetMs: 60_000 } } })
    remote.verifyFails = true
    for (let call = 0; call < 4; call++) await gateway.pay(await gateway.signed())
    remote.verifyFails = false
    expect((await gateway.pay(await gateway.signed())).kind).toBe('answer')
  })
})

it('a facilitator that answers and verifies nothing is a trouble until it verifies again', async () => {
  const remote = strict()
  const gateway = await by([remote])
  const troubles = () => gateway.core.all.flatMap((entry) => entry.troubles())
  remote.verifyFails = true
  for (let call = 0; call < 4; call++) await gateway.pay(await gateway.signed())
  expect(troubles()).toEqual([])
  await gateway.pay(await gateway.signed())
  expect(troubles()).toEqual([
    expect.stringMatching(/ answered 500 without a verification result, 5 times in a row$/),
  ])
  remote.verifyFails = false
  await gateway.pay(await gateway.signed())
  expect(troubles()).toEqual([])
})

it('a node that answers about no payment is a trouble until it answers again', async () => {
  let isDown = false
  const node = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      if (isDown) return new Response('down', { status: 503 })
      const headers = { 'content-type': 'application/json' }
      return fetch(ground.chain.rpcUrl, { method: 'POST', headers, body: await request.text() })
    },
  })
  ground.closing(() => node.stop(true))
  const gateway = await open({ rpcUrl: `http://127.0.0.1:${node.port}` })
  const troubles = () => gateway.core.all.flatMap((entry) => entry.troubles())
  const payments = await Promise.all(Array.from({ length: 6 }, () => gateway.signed()))
  isDown = true
  for (const payment of payments.slice(0, 5)) await gateway.pay(payment)
  expect(troubles()).toEqual([expect.stringMatching(/^the node: .*, 5 times in a row$/)])
  isDown = false
  expect((await gateway.pay(payments[5])).kind).toBe('answer')
  expect(troubles()).toEqual([])
})

describe('a strict facilitator that has forgotten what it verified', () => {
  it.each(NODES)('during the work is asked again (%s)', async (_, node) => {
    const remote = strict()
    const gateway = await by([remote], node)
    work.meanwhile = async () => remote.restart()
    const taken = await tally()
    try {
      expect((await gateway.pay(await gateway.signed())).kind).toBe('answer')
    } finally {
      work.meanwhile = null
    }
    expect(await taken()).toEqual({ runs: 1, moved: 10_000n })
    expect(remote.verifies).toBe(2)
  })

  it.each(NODES)(
    'is asked again by the gateway that finishes the settlement of a dead one (%s)',
    async (_, node) => {
      const remote = strict(['hang'])
      const doomed = await by([remote], {
        ...node,
        timing: { settleTimeoutMs: 300, reconcileEveryMs: 60_000 },
      })
      const taken = await tally()
      const payment = { ...(await doomed.signed()), ...ECHOED }
      expect(failureOf(await doomed.pay(payment))?.code).toBe('UPSTREAM_FAILURE')
      await doomed.rail.stop()
      remote.restart()
      await ground.expireLeases()
      const next = await by([remote], node)
      expect(bodyOf(await next.comeBack(payment))).toEqual({ echo: { a: 1 } })
      expect(await taken()).toEqual({ runs: 1, moved: 10_000n })
      expectEchoed(remote.asked.settle.at(-1)!)
    },
  )

  it('and had settled it before its answer was lost, is believed', async () => {
    const remote = strict(['settle_then_500'])
    const gateway = await by([remote], { rpcUrl: null })
    const taken = await tally()
    const payment = await gateway.signed()
    expect(failureOf(await gateway.pay(payment))?.code).toBe('UPSTREAM_FAILURE')
    expect((await gateway.comeBack(payment)).kind).toBe('answer')
    expect(await taken()).toEqual({ runs: 1, moved: 10_000n })
  })
})

describe('a settlement that is refused', () => {
  const reasons: [string, string, number, string][] = [
    ['of no known name', 'sanctions screening', 200, 'sanctions screening'],
    ['with 400', 'kaputt', 400, 'kaputt'],
    ['with 402', 'not_today', 402, 'not_today'],
    ['with 500', 'account_frozen', 500, 'account_frozen'],
    ['for its own trouble', 'unsupported_scheme', 200, 'unsupported_scheme'],
    ['in several lines', ` a\u0000b\r\n${'c'.repeat(200)}`, 200, `a b ${'c'.repeat(124)}`],
  ]
  it.each(NODES.flatMap(([name, node]) => reasons.map((row) => [...row, name, node] as const)))(
    '(%s) is refused with its reason: %j, %i → %j (%s)',
    async (_, refuse, status, reason, __, node) => {
      const remote = strict([
        { refuse, status },
        { refuse, status },
      ])
      const gateway = await by([remote], {
        ...node,
        timing: { breaker: { failures: 1, resetMs: 60_000 }, reconcileEveryMs: 100 },
      })
      const taken = await tally()
      const failure = failureOf(await gateway.pay(await gateway.signed()))
      expect(failure).toMatchObject({ code: 'PAYMENT_FAILED', details: { reason } })
      expect(await taken()).toEqual({ runs: 1, moved: 0n })
      expect((await gateway.rail.stats()).backlog.settling).toBe(0)
      // One payer's refusal closes nothing for the others.
      remote.faults = []
      expect((await gateway.pay(await gateway.signed())).kind).toBe('answer')
    },
  )

  it.each([
    ['settlement_pending', ''],
    ['transaction_confirmation_timed_out', ''],
    ['The payment is in flight', ''],
    ['payment already settled', ''],
    ['unexpected_settle_error', ''],
    ['of a name nobody knows', `0x${'ab'.repeat(32)}`],
  ])('by %j (transaction %j) is not known yet: the money may move', async (refuse, transaction) => {
    const remote = strict([{ refuse, transaction }])
    const gateway = await by([remote], { rpcUrl: null })
    const payment = await gateway.signed()
    const failure = failureOf(await gateway.pay(payment))
    expect(failure).toMatchObject({ code: 'UPSTREAM_FAILURE', retryable: true })
    expect(reasonOf(await gateway.comeBack(payment))).toBe(undefined)
  })

  it.each(NODES)('although it had settled costs nobody the answer (%s)', async (_, node) => {
    const refuse = 'HTTP request failed. Status: 502'
    const remote = strict([{ refuse, isSettled: true }])
    const gateway = await by([remote], node)
    const taken = await tally()
    const payment = await gateway.signed()
    expect((await gateway.comeBack(payment)).kind).toBe('answer')
    expect(await taken()).toEqual({ runs: 1, moved: 10_000n })
  })

  it.each(NODES)(
    'because its payer used it up during the work closes nothing for the others (%s)',
    async (_, node) => {
      const remote = strict()
      const gateway = await by([remote], {
        ...node,
        timing: { breaker: { failures: 1, resetMs: 60_000 }, reconcileEveryMs: 60_000 },
      })
      const payment = await gateway.signed()
      const payer = await walletOn(ground.chain, ground.buyer)
      work.meanwhile = () => payer.cancel(payment.payload.authorization.nonce)
      try {
        const failure = failureOf(await gateway.pay(payment))
        expect(failure?.details?.['reason']).toBe('invalid_exact_evm_nonce_already_used')
        // Nobody here knows what it was used for: after a restore the payer's money is gone.
        expect(failure?.message).toContain('the chain has seen this payment before')
        expect(failure?.message).not.toContain('nothing was taken')
      } finally {
        work.meanwhile = null
      }
      expect((await gateway.pay(await gateway.signed())).kind).toBe('answer')
    },
  )
})
