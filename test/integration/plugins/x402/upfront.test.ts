/** `exact` with `paymentFlow: upfront`: the money is here before the work, and work that fails runs again. */
import { expect, it, vi } from 'vitest'
import { ExactEvmScheme } from '@x402/evm'
import { x402Client } from '@x402/fetch'
import type { PaymentRequired } from '@x402/core/types'
import { fail } from '../../../../kernel/errors.ts'
import type { MeterOutcome } from '../../../../kernel/metering/call.ts'
import { mount } from '../../../support/metering.ts'
import { answerOf, failureOf, reasonOf, refusalOf } from '../../../support/outcomes.ts'
import type { Quote } from '../../../../kernel/rails/contract.ts'
import { EvmOffers } from '../../../../plugins/x402/evm/offers.ts'
import { PATIENT } from '../../../support/patience.ts'
import { baseAsset, rpc } from '../../../support/x402/chain.ts'
import { x402Ground } from '../../../support/x402/ground.ts'
import { echoSkill, x402Instances, type InstanceOptions } from '../../../support/x402/instances.ts'
import { decode, requirementsIn, signPayment } from '../../../support/x402/payments.ts'
import { entryOf, QUICK, workQuote } from '../../../support/x402/rail.ts'

const ground = x402Ground()
const { received, tally } = ground
const work = echoSkill()
const open = x402Instances(ground, work)

function gateway({
  facilitators = [],
  ...options
}: InstanceOptions & { facilitators?: string[] } = {}) {
  const entry = entryOf({
    network: 'eip155:8453',
    asset: null,
    payTo: ground.chain.receivingAddress,
    facilitators,
    rpcUrl: ground.chain.rpcUrl,
    signerKey: facilitators.length > 0 ? null : ground.chain.signerKey,
  })
  return open({ entries: [{ ...entry, isUpfront: true }], ...options })
}

/** Statements that write the column fail until coinop.fail() is dropped. */
const failOn = (table: string, column: string): Promise<unknown> =>
  ground.database.db.sql.unsafe(`
    CREATE FUNCTION coinop.fail() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'made to fail'; END $$;
    CREATE TRIGGER made_to_fail BEFORE UPDATE OF ${column} ON ${table}
      FOR EACH ROW WHEN (NEW.${column} IS NOT NULL) EXECUTE FUNCTION coinop.fail()`)

/** Fails until it is told to work. */
const broken = { isBroken: true, runs: 0 }
const breaking = mount(
  {
    id: 't.breaking',
    handler: async () => {
      broken.runs++
      return broken.isBroken
        ? fail('UPSTREAM_FAILURE', 'the upstream is away')
        : { ok: true as const, output: { done: true } }
    },
  },
  { rails: ['x402'] },
)

it('is offered as such, and its unmodified client pays before the work', async () => {
  const instance = await gateway()
  const required = (await instance.challenge()) as PaymentRequired
  expect(required.accepts[0]).toMatchObject({ scheme: 'exact', extra: { paymentFlow: 'upfront' } })
  const client = new x402Client().register('eip155:8453', new ExactEvmScheme(ground.buyer))
  const payment = await client.createPaymentPayload(required)
  expect(payment.accepted).toMatchObject({ extra: { paymentFlow: 'upfront' } })
  const before = await received()
  let during = 0n
  work.meanwhile = async () => {
    during = (await received()) - before
  }
  try {
    const paid = answerOf(await instance.pay(payment))
    expect(during).toBe(10_000n)
    expect(paid.receipt).toMatchObject({ chargedAtomic: 10_000n })
    const settled = decode<Record<string, unknown>>(paid.receipt.headers['payment-response'])
    expect(settled).toMatchObject({ success: true, transaction: expect.stringMatching(/^0x/) })
    const again = answerOf(await instance.pay(payment))
    expect([again.replayed, again.receipt.chargedAtomic]).toEqual([true, 0n])
    expect(reasonOf(await instance.pay(payment, { input: { other: 1 } }))).toBe(
      'nonce_already_used',
    )
  } finally {
    work.meanwhile = null
  }
  expect((await received()) - before).toBe(10_000n)
})

it('is not for what is sold once: run again, a top-up would be credited twice', () => {
  const { receivingAddress } = ground.chain
  const offers = new EvmOffers(baseAsset(), receivingAddress, () => {}, true)
  const flowOf = (quote: Quote) => offers.of(quote)[0]!.extra['paymentFlow']
  expect(flowOf(workQuote)).toBe('upfront')
  expect(flowOf({ ...workQuote, hasOwnPrice: true })).toBeUndefined()
})

it('runs failed work again for the same payment, and takes nothing twice', async () => {
  const instance = await gateway()
  const payment = await instance.signed({}, { skill: breaking })
  const before = await received()
  for (const chargedAtomic of [10_000n, 0n]) {
    const { failure, receipt } = refusalOf(await instance.pay(payment, { skill: breaking }))
    expect(failure.code).toBe('UPSTREAM_FAILURE')
    expect((await received()) - before).toBe(10_000n)
    // As the reference server does it: its client learns that its payment was settled.
    expect(receipt).toMatchObject({ rail: 'x402', chargedAtomic })
    expect(decode(receipt!.headers['payment-response'])).toMatchObject({ success: true })
  }
  broken.isBroken = false
  const paid = answerOf(await instance.pay(payment, { skill: breaking }))
  expect(paid.receipt.chargedAtomic).toBe(0n)
  expect(answerOf(await instance.pay(payment, { skill: breaking })).replayed).toBe(true)
  expect(broken.runs).toBe(3)
  expect((await received()) - before).toBe(10_000n)
})

it('keeps the answer of work that ran again for its Idempotency-Key: a payment anew takes nothing', async () => {
  const instance = await gateway()
  broken.isBroken = true
  const [first, second] = [
    await instance.signed({}, { skill: breaking }),
    await instance.signed({}, { skill: breaking }),
  ]
  const call = { skill: breaking, idempotencyKey: 'ran-again' }
  const before = await received()
  expect(failureOf(await instance.pay(first, call))?.code).toBe('UPSTREAM_FAILURE')
  broken.isBroken = false
  answerOf(await instance.pay(first, call))
  // Its client did not get the answer, and signs another payment for the same request.
  expect(answerOf(await instance.pay(second, call)).replayed).toBe(true)
  expect((await received()) - before).toBe(10_000n)
})

it('works for what was paid and failed before a new payment for the same request is taken', async () => {
  const instance = await gateway()
  const sign = () => instance.signed({}, { skill: breaking })
  const call = (key?: string) => ({ skill: breaking, ...(key && { idempotencyKey: key }) })
  const before = await received()
  for (const key of [undefined, 'failed-first']) {
    broken.isBroken = true
    const paidSoFar = await received()
    const first = refusalOf(await instance.pay(await sign(), call(key)))
    expect(first.receipt).toMatchObject({ chargedAtomic: 10_000n })
    // Its client knows nothing of the first payment any more: each try signs another one.
    const second = refusalOf(await instance.pay(await sign(), call(key)))
    expect(second.receipt).toMatchObject({ chargedAtomic: 0n })
    broken.isBroken = false
    const answer = answerOf(await instance.pay(await sign(), call(key)))
    expect(answer.receipt.transaction).toBe(first.receipt!.transaction)
    expect((await received()) - paidSoFar).toBe(10_000n)
  }
  // Nothing is left unserved: what comes now is bought anew.
  answerOf(await instance.pay(await sign(), call()))
  expect((await received()) - before).toBe(30_000n)
})

it('gives what was paid and failed to one of two new payments at once, and the other buys its own', async () => {
  const [first, second] = [await gateway(), await gateway({ database: ground.database.open() })]
  const sign = () => first.signed({}, { skill: breaking })
  const call = { skill: breaking, input: { at: 'once' } }
  broken.isBroken = true
  const before = await received()
  refusalOf(await first.pay(await sign(), call))
  broken.isBroken = false
  const payments = [await sign(), await sign()]
  const outcomes = await Promise.all([first, second].map((one, at) => one.pay(payments[at], call)))
  const charged = outcomes.map((outcome) => answerOf(outcome).receipt.chargedAtomic)
  expect(charged.toSorted()).toEqual([0n, 10_000n])
  expect((await received()) - before).toBe(20_000n)
})

it('tells of work that fails that it is paid, and never that nothing was charged', async () => {
  const throwing = mount(
    {
      id: 't.throwing',
      handler: async () => {
        throw new Error('not foreseen')
      },
    },
    { rails: ['x402'] },
  )
  const instance = await gateway()
  const before = await received()
  const outcome = await instance.pay(await instance.signed({}, { skill: throwing }), {
    skill: throwing,
  })
  expect((await received()) - before).toBe(10_000n)
  const { message } = failureOf(outcome)!
  expect(message).not.toContain('nothing was charged')
  expect(message).toContain('the same request with the same payment runs again, uncharged')
})

it('does no work for what does not settle', async () => {
  const refusing = ground.facilitator([{ refuse: 'insufficient_funds' }])
  const instance = await gateway({ facilitators: [refusing.url] })
  const counted = await tally()
  const outcome = await instance.pay(await instance.signed())
  expect(failureOf(outcome)?.code).toBe('PAYMENT_FAILED')
  expect(await counted()).toEqual({ runs: 0, moved: 0n })
})

it('is settled by the reference facilitator, which settles only what it verified', async () => {
  const { url } = ground.facilitator([], { isStrict: true })
  const instance = await gateway({ facilitators: [url] })
  const counted = await tally()
  const client = new x402Client().register('eip155:8453', new ExactEvmScheme(ground.buyer))
  answerOf(await instance.pay(await client.createPaymentPayload(await instance.challenge())))
  expect(await counted()).toEqual({ runs: 1, moved: 10_000n })
})

it('waits for an outcome that is not known, and then works for the same payment', async () => {
  const timing = { ...QUICK, settleTimeoutMs: 200, attemptTimeoutMs: 2000, reconcileEveryMs: 50 }
  const instance = await gateway({ timing })
  const counted = await tally()
  const payment = await instance.signed()
  await rpc(ground.chain, 'evm_setAutomine', [false])
  try {
    // Nobody is told that it took nothing, also when the same payment comes again.
    for (const _ of [1, 2]) {
      const told = refusalOf(await instance.pay(payment))
      expect(told).toMatchObject({ pending: true, failure: { retryable: true } })
    }
    expect(await counted()).toEqual({ runs: 0, moved: 0n })
  } finally {
    await rpc(ground.chain, 'evm_setAutomine', [true])
    await rpc(ground.chain, 'evm_mine')
  }
  answerOf(await instance.comeBack(payment))
  expect(await counted()).toEqual({ runs: 1, moved: 10_000n })
})

it.each(['plugin_x402.x402_claim', 'coinop.idempotency'])(
  'lets go of its payment where the answer cannot be written to %s, which then buys it after all',
  async (table) => {
    const instance = await gateway()
    const { leases } = instance.core
    const held = new Set<string>()
    const hold = leases.hold.bind(leases)
    leases.hold = (id, token) => {
      held.add(token)
      const letGo = hold(id, token)
      return () => {
        held.delete(token)
        letGo()
      }
    }
    const { sql } = ground.database.db
    const payment = await instance.signed()
    const call = { idempotencyKey: `unwritten ${table}` }
    const counted = await tally()
    work.meanwhile = () => failOn(table, 'status')
    try {
      expect(failureOf(await instance.pay(payment, call))?.status).toBe(503)
    } finally {
      work.meanwhile = null
      await sql.unsafe('DROP FUNCTION coinop.fail CASCADE')
    }
    expect(held.size).toBe(0)
    expect(await counted()).toEqual({ runs: 1, moved: 10_000n })
    await ground.expireLeases()
    answerOf(await instance.pay(payment))
    expect(await counted()).toEqual({ runs: 2, moved: 10_000n })
  },
)

it('never says that nothing was charged when its settlement cannot be written', async () => {
  const instance = await gateway()
  const { sql } = ground.database.db
  const payment = await instance.signed()
  const counted = await tally()
  await failOn('plugin_x402.x402_claim', 'ledger_id')
  try {
    expect(reasonOf(await instance.pay(payment))).toBe('settlement_pending')
  } finally {
    await sql.unsafe('DROP FUNCTION coinop.fail CASCADE')
  }
  await ground.expireLeases()
  answerOf(await instance.comeBack(payment))
  expect(await counted()).toEqual({ runs: 1, moved: 10_000n })
})

it('runs one of eight at once on two instances', async () => {
  const [first, second] = [await gateway(), await gateway({ database: ground.database.open() })]
  const payment = await signPayment(ground.buyer, requirementsIn(await first.challenge()))
  const counted = await tally()
  const outcomes = await Promise.all(
    Array.from({ length: 8 }, (_, at) => [first, second][at % 2]!.comeBack(payment)),
  )
  for (const outcome of outcomes) expect(outcome.kind).toBe('answer')
  expect(await counted()).toEqual({ runs: 1, moved: 10_000n })
})

it('that a gateway died over is worked for by the next one, uncharged', async () => {
  const [doomed, next] = [await gateway(), await gateway({ database: ground.database.open() })]
  const payment = await doomed.signed()
  const counted = await tally()
  const { promise: stuck, resolve: go } = Promise.withResolvers<void>()
  work.meanwhile = () => stuck
  const dying = doomed.pay(payment)
  await vi.waitFor(
    async () => expect(await counted()).toEqual({ runs: 1, moved: 10_000n }),
    PATIENT,
  )
  work.meanwhile = null
  // The one that died lives on in this process, and may renew its lease right after it has expired.
  let taken: MeterOutcome
  do {
    await ground.expireLeases()
    taken = await next.pay(payment)
  } while (reasonOf(taken) === 'payment_in_flight')
  answerOf(taken)
  go()
  await dying
  expect(await counted()).toEqual({ runs: 2, moved: 10_000n })
})
