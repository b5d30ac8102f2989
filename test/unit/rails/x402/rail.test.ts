/** The rail under the real meter, on a real database and a real local chain. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PrivateKeyAccount } from 'viem/accounts'
import { Type } from 'typebox'
import { fail } from '../../../../kernel/errors.ts'
import type { MeterOutcome } from '../../../../kernel/metering/call.ts'
import type { MountedSkill } from '../../../../kernel/metering/contract.ts'
import type { Result } from '../../../../kernel/plugins/contract.ts'
import { verifyLedger } from '../../../../kernel/ledger/verify.ts'
import type { SandboxChain } from '../../../../kernel/rails/x402/chain/sandbox.ts'
import type { PaymentRequired } from '../../../../kernel/rails/x402/wire.ts'
import type { X402Rail } from '../../../../kernel/rails/x402/rail.ts'
import { testDatabase, type TestDatabase } from '../../../support/database.ts'
import { meterOver, mount } from '../../../support/metering.ts'
import {
  asVersion1,
  buyerOn,
  decode,
  encode,
  paidBy,
  requirementsIn,
  signPayment,
  testChain,
  testRail,
  type Bend,
} from '../../../support/x402.ts'

let database: TestDatabase
let chain: SandboxChain
let world: Awaited<ReturnType<typeof meterOver>>
let rail: X402Rail
let buyer: PrivateKeyAccount
let runs = 0

const echo = mount(
  {
    id: 't.echo',
    handler: async (_, input) => {
      runs++
      await Bun.sleep(20)
      return { ok: true, output: { echo: input } }
    },
  },
  { rails: ['credits', 'x402'] },
)

beforeAll(async () => {
  database = await testDatabase()
  chain = await testChain()
  world = await meterOver(database.db)
  rail = await testRail({ database: database.db, ledger: world.ledger, chain })
  world.rails.add(rail)
  buyer = await buyerOn(chain)
})
afterAll(async () => {
  await rail.stop()
  await world.close()
  await chain.stop()
  // Whatever happened above, the books balance.
  expect((await verifyLedger(database.db.sql)).violations).toEqual([])
  await database.close()
})

async function requirements(mounted: MountedSkill = echo) {
  const unpaid = await world.meter.run(world.call(mounted, {}))
  if (unpaid.kind !== 'failure') throw new Error('a priced call was free')
  const offer = unpaid.offers.find((candidate) => candidate.challenge)
  return requirementsIn(offer!.challenge)
}

async function pay(
  mounted: MountedSkill,
  payment: unknown,
  input: unknown = { a: 1 },
  header?: string,
): Promise<MeterOutcome> {
  return world.meter.run(world.call(mounted, input, { source: paidBy(payment, header) }))
}

const bodyOf = (outcome: MeterOutcome) =>
  outcome.kind === 'answer' ? JSON.parse(new TextDecoder().decode(outcome.answer.body)) : null
/** The challenges a refusal carries, as the header has them; MCP's must be the same. */
function challengesOf(outcome: MeterOutcome): PaymentRequired[] {
  if (outcome.kind !== 'failure') throw new Error('not refused')
  return outcome.offers
    .filter(({ challenge }) => challenge)
    .map(({ headers, challenge }) => {
      const told = decode<PaymentRequired>(headers['payment-required'])
      expect(told).toEqual(challenge)
      return told
    })
}
const received = () => chain.balanceOf(chain.receivingAddress)
const failureOf = (outcome: MeterOutcome) => (outcome.kind === 'failure' ? outcome.failure : null)

describe('an honest payment', () => {
  it('buys the answer once, moves the price on chain and stands in the ledger', async () => {
    const before = await received()
    const payment = await signPayment(buyer, await requirements())
    const outcome = await pay(echo, payment)
    expect(bodyOf(outcome)).toEqual({ echo: { a: 1 } })
    if (outcome.kind !== 'answer') throw new Error('no answer')
    const { receipt } = outcome
    expect(receipt).toMatchObject({ rail: 'x402', chargedAtomic: 10_000n })
    expect(decode(receipt.headers['payment-response'])).toMatchObject({
      success: true,
      network: 'eip155:8453',
      payer: buyer.address.toLowerCase(),
      transaction: receipt.transaction,
    })
    expect((await received()) - before).toBe(10_000n)
    const rows = await world.ledger.rows({ kind: 'settlement', limit: 10 })
    expect(rows[0]).toMatchObject({
      id: receipt.ledgerId,
      amountAtomic: 10_000n,
      rail: 'x402',
      skillId: 't.echo',
      transaction: receipt.transaction,
    })
  })

  it('by version 1 gets a version 1 receipt', async () => {
    const payment = await signPayment(buyer, await requirements())
    const outcome = await pay(echo, asVersion1(payment), {}, 'x-payment')
    if (outcome.kind !== 'answer') throw new Error(JSON.stringify(outcome))
    expect(decode(outcome.receipt.headers['x-payment-response'])).toMatchObject({
      success: true,
      network: 'base',
    })
  })

  it('is taken from MCP _meta as an object, and answered in _meta', async () => {
    const payment = await signPayment(buyer, await requirements())
    const source = { header: () => null, meta: { 'x402/payment': payment } }
    const outcome = await world.meter.run(world.call(echo, {}, { source }))
    if (outcome.kind !== 'answer') throw new Error(JSON.stringify(outcome))
    expect(outcome.receipt.meta?.['x402/payment-response']).toMatchObject({ success: true })
  })
})

describe('the same payment again', () => {
  it('×8 at once runs the work once, moves the money once, and every caller hears the truth', async () => {
    const before = await received()
    const ranBefore = runs
    const payment = await signPayment(buyer, await requirements())
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => pay(echo, payment)))
    expect(runs - ranBefore).toBe(1)
    expect((await received()) - before).toBe(10_000n)
    const answers = outcomes.filter((outcome) => outcome.kind === 'answer')
    const waits = outcomes.filter((outcome) => outcome.kind === 'failure')
    expect(answers.length).toBeGreaterThanOrEqual(1)
    for (const answer of answers) expect(bodyOf(answer)).toEqual({ echo: { a: 1 } })
    for (const wait of waits) {
      expect(wait.failure).toMatchObject({ retryable: true })
      expect([409, undefined]).toContain(wait.failure.status)
      expect(wait.failure.code).not.toBe('PAYMENT_FAILED')
    }
    const later = await pay(echo, payment)
    expect(later).toMatchObject({ kind: 'answer', replayed: true })
    expect(bodyOf(later)).toEqual({ echo: { a: 1 } })
    if (later.kind !== 'answer') throw new Error('no answer')
    expect(later.receipt.chargedAtomic).toBe(0n)
    expect(decode(later.receipt.headers['payment-response'])).toMatchObject({ success: true })
  })

  it('over two routes and two instances runs one of them once', async () => {
    const second = await testRail({ database: database.open(), ledger: world.ledger, chain })
    const other = await meterOver(database.db)
    other.rails.add(second)
    const before = await received()
    const ranBefore = runs
    const twin = mount({ id: 't.twin', handler: echo.skill.handler }, { rails: ['x402'] })
    const payment = await signPayment(buyer, await requirements())
    const outcomes = await Promise.all([
      ...Array.from({ length: 4 }, () => pay(echo, payment)),
      ...Array.from({ length: 4 }, () =>
        other.meter.run(other.call(twin, { a: 1 }, { source: paidBy(payment) })),
      ),
    ])
    expect(runs - ranBefore).toBe(1)
    expect((await received()) - before).toBe(10_000n)
    expect(outcomes.filter((outcome) => outcome.kind === 'answer').length).toBeGreaterThanOrEqual(1)
    const foreign = outcomes.filter(
      (outcome) => failureOf(outcome)?.details?.['reason'] === 'nonce_already_used',
    )
    expect(foreign).toHaveLength(4)
    await second.stop()
    await other.close()
  })

  it('for another input is refused as used', async () => {
    const payment = await signPayment(buyer, await requirements())
    await pay(echo, payment, { a: 1 })
    const ranBefore = runs
    expect(failureOf(await pay(echo, payment, { a: 2 }))).toMatchObject({
      code: 'PAYMENT_FAILED',
      details: { reason: 'nonce_already_used' },
    })
    expect(runs).toBe(ranBefore)
  })

  it('still gets its answer after it expired', async () => {
    const asked = await requirements()
    const validBefore = BigInt(Math.floor(Date.now() / 1000)) + 26n
    const payment = await signPayment(buyer, asked, { authorization: { validBefore } })
    expect((await pay(echo, payment)).kind).toBe('answer')
    const late = new Date(Date.now() + 60_000)
    const railCall = {
      requestId: 'r',
      quote: world.call(echo, {}).quote,
      identity: null,
      fingerprint: '',
      acquisition: null,
      deadline: late,
      holdId: Bun.randomUUIDv7(),
    }
    const inspected = await rail.inspect!(railCall, paidBy(payment))
    expect(inspected.outcome).toBe('ok')
    const fresh = await signPayment(buyer, asked, { authorization: { validBefore } })
    expect((await rail.inspect!(railCall, paidBy(fresh))).outcome).toBe('refused')
  })

  it('after a hang-up is answered from the store', async () => {
    const payment = await signPayment(buyer, await requirements())
    const controller = new AbortController()
    const first = world.meter.run(
      world.call(echo, { a: 3 }, { source: paidBy(payment), signal: controller.signal }),
    )
    controller.abort()
    await first
    const ranBefore = runs
    const again = await pay(echo, payment, { a: 3 })
    expect(bodyOf(again)).toEqual({ echo: { a: 3 } })
    expect(runs).toBe(ranBefore)
  })
})

describe('work that fails', () => {
  const failing: [string, () => Promise<Result<{ fine: boolean }>>][] = [
    ['returns a failure', async () => fail('PROCESSING_FAILURE', 'no')],
    [
      'throws',
      async () => {
        throw new Error('boom')
      },
    ],
    [
      'runs out of time',
      async () => {
        await Bun.sleep(400)
        return { ok: true, output: { fine: false } }
      },
    ],
    ['breaks its schema', async () => ({ ok: true, output: { fine: 'no' } as never })],
  ]
  it.each(failing)(
    'and %s is not settled, and its payment can be used again',
    async (name, handler) => {
      const before = await received()
      let broken = true
      const skill = mount(
        {
          id: `t.${name.replaceAll(' ', '_')}`,
          output: Type.Object({ fine: Type.Boolean() }),
          handler: () =>
            broken ? handler() : Promise.resolve({ ok: true, output: { fine: true } }),
        },
        { rails: ['x402'], timeoutMs: 200 },
      )
      const payment = await signPayment(buyer, await requirements(skill))
      expect((await pay(skill, payment)).kind).toBe('failure')
      expect(await received()).toBe(before)
      broken = false
      expect(bodyOf(await pay(skill, payment))).toEqual({ fine: true })
      expect((await received()) - before).toBe(10_000n)
    },
  )

  it('leaves its nonce to a later signature, whose end then counts', async () => {
    let broken = true
    const skill = mount(
      {
        id: 't.mended',
        output: Type.Object({ fine: Type.Boolean() }),
        handler: async () =>
          broken ? fail('PROCESSING_FAILURE', 'no') : { ok: true, output: { fine: true } },
      },
      { rails: ['x402'] },
    )
    const asked = await requirements(skill)
    const first = await signPayment(buyer, asked)
    expect((await pay(skill, first)).kind).toBe('failure')
    broken = false
    const { nonce } = first.payload.authorization
    const validBefore = BigInt(first.payload.authorization.validBefore) + 600n
    const later = await signPayment(buyer, asked, { authorization: { nonce, validBefore } })
    expect((await pay(skill, later)).kind).toBe('answer')
    const [row] = await database.db.sql<{ valid_before: bigint }[]>`
      SELECT valid_before FROM coinop.x402_claim WHERE nonce = ${nonce}`
    expect(row?.valid_before).toBe(validBefore)
  })
})

describe('a bent payment is refused with the field that disagrees, and nothing runs', () => {
  const nowS = () => BigInt(Math.floor(Date.now() / 1000))
  const other = '0x000000000000000000000000000000000000dEaD' as const
  const cases: [string, () => Bend, string, string][] = [
    [
      'tampered value',
      () => ({ sent: { value: '9999' } }),
      'value_mismatch',
      'payload.authorization.value',
    ],
    [
      'tampered receiver',
      () => ({ sent: { to: other } }),
      'recipient_mismatch',
      'payload.authorization.to',
    ],
    [
      'tampered nonce',
      () => ({ sent: { nonce: `0x${'11'.repeat(32)}` } }),
      'signature',
      'payload.signature',
    ],
    [
      'expired',
      () => ({ authorization: { validBefore: nowS() - 1n } }),
      'valid_before',
      'payload.authorization.validBefore',
    ],
    [
      'too short for the work',
      () => ({ authorization: { validBefore: nowS() + 10n } }),
      'valid_before',
      'payload.authorization.validBefore',
    ],
    [
      'not valid yet',
      () => ({ authorization: { validAfter: nowS() + 60n } }),
      'valid_after',
      'payload.authorization.validAfter',
    ],
    [
      'underpaid',
      () => ({ authorization: { value: 9999n }, accepted: { amount: '9999' } }),
      'value_mismatch',
      'payload.authorization.value',
    ],
    [
      'overpaid',
      () => ({ authorization: { value: 10_001n }, accepted: { amount: '10001' } }),
      'value_mismatch',
      'payload.authorization.value',
    ],
    [
      'signed for less than accepted',
      () => ({ authorization: { value: 1n } }),
      'value_mismatch',
      'payload.authorization.value',
    ],
    [
      're-targeted',
      () => ({ authorization: { to: other } }),
      'recipient_mismatch',
      'payload.authorization.to',
    ],
    [
      'another receiver accepted',
      () => ({ accepted: { payTo: other } }),
      'recipient_mismatch',
      'accepted.payTo',
    ],
    [
      'foreign chain',
      () => ({ accepted: { network: 'eip155:1' } }),
      'network_mismatch',
      'accepted.network',
    ],
    ['foreign chain signed', () => ({ domain: { chainId: 1 } }), 'signature', 'payload.signature'],
    ['foreign token', () => ({ accepted: { asset: other } }), 'asset_mismatch', 'accepted.asset'],
    [
      'foreign token signed',
      () => ({ domain: { verifyingContract: other } }),
      'signature',
      'payload.signature',
    ],
    ['wrong domain name', () => ({ domain: { name: 'USDC' } }), 'signature', 'payload.signature'],
    [
      'wrong domain accepted',
      () => ({ accepted: { extra: { name: 'USDC', version: '2' } } }),
      'token_name_mismatch',
      'accepted.extra.name',
    ],
    ['another scheme', () => ({ accepted: { scheme: 'upto' } }), 'scheme', 'accepted.scheme'],
  ]
  it.each(cases)('%s', async (_, bend, reason, field) => {
    const ranBefore = runs
    const payment = await signPayment(buyer, await requirements(), bend())
    const outcome = await pay(echo, payment)
    const failure = failureOf(outcome)
    expect(failure).toMatchObject({ code: 'PAYMENT_FAILED', details: { field } })
    expect(failure!.message).toContain(field === 'payload.signature' ? 'signature' : field)
    expect(String(failure!.details!['reason'])).toContain(reason)
    // What a version 2 client reads is the fresh challenge, which tells the same.
    const challenges = challengesOf(outcome)
    expect(challenges).toHaveLength(1)
    expect(challenges[0]!.error).toContain(`${failure!.details!['reason']}: ${field}`)
    expect(runs).toBe(ranBefore)
  })

  it.each(['x', '!!!!', encode({}), encode([]), encode({ x402Version: 2 })])(
    'garbage %s',
    async (header) => {
      const outcome = await pay(echo, header)
      const { reason, field } = failureOf(outcome)!.details!
      expect(challengesOf(outcome)[0]!.error).toContain(`${String(reason)}: ${String(field)}`)
    },
  )

  it('and the challenge of the next call is as it was', async () => {
    const unpaid = await world.meter.run(world.call(echo, {}))
    expect(challengesOf(unpaid)[0]!.error).toBe('Payment required')
  })

  it('a payer without money runs nothing', async () => {
    const poor = await buyerOn(chain, 9999n)
    const ranBefore = runs
    const payment = await signPayment(poor, await requirements())
    expect(failureOf(await pay(echo, payment))).toMatchObject({
      code: 'PAYMENT_FAILED',
      details: { reason: 'invalid_exact_evm_insufficient_balance' },
    })
    expect(runs).toBe(ranBefore)
    await chain.fund(poor.address, 10_000n)
    expect((await pay(echo, payment)).kind).toBe('answer')
  })
})

describe('a change of price', () => {
  it('honours the quote that was signed before it', async () => {
    const old = mount({ id: 't.priced', handler: echo.skill.handler }, { rails: ['x402'] })
    const asked = await requirements(old)
    const dearer: MountedSkill = { ...old, amountAtomic: 50_000n, priceVersion: 2 }
    expect((await requirements(dearer)).amount).toBe('50000')
    const outcome = await pay(dearer, await signPayment(buyer, asked))
    if (outcome.kind !== 'answer') throw new Error(JSON.stringify(outcome))
    expect(outcome.receipt.chargedAtomic).toBe(10_000n)
  })
})

describe('payment-identifier', () => {
  it('gives the first answer to another payment with the same id, and charges once', async () => {
    const before = await received()
    const asked = await requirements()
    const identifier = `pay_${crypto.randomUUID()}`
    const first = await pay(echo, await signPayment(buyer, asked, { identifier }))
    const second = await pay(echo, await signPayment(buyer, asked, { identifier }))
    expect(first.kind).toBe('answer')
    expect(second).toMatchObject({ kind: 'answer', replayed: true })
    expect((await received()) - before).toBe(10_000n)
    const third = await pay(echo, await signPayment(buyer, asked, { identifier }), { a: 9 })
    expect(failureOf(third)?.status).toBe(409)
  })
})
