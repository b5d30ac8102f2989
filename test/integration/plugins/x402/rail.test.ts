/** The rail under the real meter, on a real database and a real local chain. */
import { beforeAll, describe, expect, it } from 'vitest'
import { Type } from 'typebox'
import { fail } from '../../../../kernel/errors.ts'
import type { MeterOutcome } from '../../../../kernel/metering/call.ts'
import type { MountedSkill } from '../../../../kernel/plugins/catalog.ts'
import type { Result } from '../../../../kernel/plugins/skill.ts'
import type { PaymentRequired } from '../../../../plugins/x402/payment/wire.ts'
import { mount } from '../../../support/metering.ts'
import { answerOf, bodyOf, failureOf, reasonOf, refusalOf } from '../../../support/outcomes.ts'
import { buyerOn } from '../../../support/x402/chain.ts'
import { x402Ground } from '../../../support/x402/ground.ts'
import { echoSkill, x402Instances, type X402Instance } from '../../../support/x402/instances.ts'
import { asVersion1, decode, encode, paidBy, type Bend } from '../../../support/x402/payments.ts'
import { railCall } from '../../../support/x402/rail.ts'

const ground = x402Ground()
const { received, tally } = ground
const echo = echoSkill({ id: 't.echo', rails: ['credits', 'x402'] })
echo.meanwhile = () => Bun.sleep(20)
const open = x402Instances(ground, echo)
let gateway: X402Instance

beforeAll(async () => {
  gateway = await open()
})

/** The challenges a refusal carries, as the header has them; MCP's must be the same. */
function challengesOf(outcome: MeterOutcome): PaymentRequired[] {
  return refusalOf(outcome)
    .offers.filter(({ challenge }) => challenge)
    .map(({ headers, challenge }) => {
      const told = decode<PaymentRequired>(headers['payment-required'])
      expect(told).toEqual(challenge)
      return told
    })
}

describe('an honest payment', () => {
  it('buys the answer once, moves the price on chain and stands in the ledger', async () => {
    const before = await received()
    const outcome = await gateway.pay(await gateway.signed())
    expect(bodyOf(outcome)).toEqual({ echo: { a: 1 } })
    const { receipt } = answerOf(outcome)
    expect(receipt).toMatchObject({ rail: 'x402', chargedAtomic: 10_000n })
    expect(decode(receipt.headers['payment-response'])).toMatchObject({
      success: true,
      network: 'eip155:8453',
      payer: ground.buyer.address.toLowerCase(),
      transaction: receipt.transaction,
    })
    expect((await received()) - before).toBe(10_000n)
    const rows = await gateway.ledger.rows({ kind: 'settlement', limit: 10 })
    expect(rows[0]).toMatchObject({
      id: receipt.ledgerId,
      amountAtomic: 10_000n,
      rail: 'x402',
      skillId: 't.echo',
      transaction: receipt.transaction,
    })
  })

  it('by version 1 gets a version 1 receipt', async () => {
    const payment = asVersion1(await gateway.signed())
    const outcome = await gateway.pay(payment, { input: {}, header: 'x-payment' })
    expect(decode(answerOf(outcome).receipt.headers['x-payment-response'])).toMatchObject({
      success: true,
      network: 'base',
    })
  })

  it('is taken from MCP _meta as an object, and answered in _meta', async () => {
    const meta = { 'x402/payment': await gateway.signed() }
    const outcome = await gateway.ask(echo, {}, { source: { header: () => null, meta } })
    expect(answerOf(outcome).receipt.meta?.['x402/payment-response']).toMatchObject({
      success: true,
    })
  })
})

describe('the same payment again', () => {
  it('×8 at once runs the work once, moves the money once, and every caller hears the truth', async () => {
    const payment = await gateway.signed()
    const taken = await tally()
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => gateway.pay(payment)))
    expect(await taken()).toEqual({ runs: 1, moved: 10_000n })
    const answers = outcomes.filter((outcome) => outcome.kind === 'answer')
    const waits = outcomes.filter((outcome) => outcome.kind === 'failure')
    expect(answers.length).toBeGreaterThanOrEqual(1)
    for (const answer of answers) expect(bodyOf(answer)).toEqual({ echo: { a: 1 } })
    for (const wait of waits) {
      expect(wait.failure).toMatchObject({ retryable: true })
      expect([409, undefined]).toContain(wait.failure.status)
      expect(wait.failure.code).not.toBe('PAYMENT_FAILED')
    }
    const later = await gateway.pay(payment)
    expect(later).toMatchObject({ kind: 'answer', replayed: true })
    expect(bodyOf(later)).toEqual({ echo: { a: 1 } })
    const { receipt } = answerOf(later)
    expect(receipt.chargedAtomic).toBe(0n)
    expect(decode(receipt.headers['payment-response'])).toMatchObject({ success: true })
  })

  it('over two routes and two instances runs one of them once', async () => {
    const second = await open({ database: ground.database.open() })
    const twin = mount({ id: 't.twin', handler: echo.skill.handler }, { rails: ['x402'] })
    const payment = await gateway.signed()
    const taken = await tally()
    const outcomes = await Promise.all([
      ...Array.from({ length: 4 }, () => gateway.pay(payment)),
      ...Array.from({ length: 4 }, () => second.pay(payment, { skill: twin })),
    ])
    expect(await taken()).toEqual({ runs: 1, moved: 10_000n })
    expect(outcomes.filter((outcome) => outcome.kind === 'answer').length).toBeGreaterThanOrEqual(1)
    const foreign = outcomes.filter((outcome) => reasonOf(outcome) === 'nonce_already_used')
    expect(foreign).toHaveLength(4)
  })

  it('for another input is refused as used', async () => {
    const payment = await gateway.signed()
    await gateway.pay(payment, { input: { a: 1 } })
    const ranBefore = echo.runs
    expect(failureOf(await gateway.pay(payment, { input: { a: 2 } }))).toMatchObject({
      code: 'PAYMENT_FAILED',
      details: { reason: 'nonce_already_used' },
    })
    expect(echo.runs).toBe(ranBefore)
  })

  it('still gets its answer after it expired', async () => {
    const validBefore = BigInt(Math.floor(Date.now() / 1000)) + 90n
    const payment = await gateway.signed({ authorization: { validBefore } })
    expect((await gateway.pay(payment)).kind).toBe('answer')
    const late = new Date(Date.now() + 120_000)
    const { quote } = gateway.call(echo, {})
    const call = railCall(quote, { fingerprint: '', deadline: late })
    expect((await gateway.rail.inspect!(call, paidBy(payment))).outcome).toBe('ok')
    const fresh = await gateway.signed({ authorization: { validBefore } })
    expect((await gateway.rail.inspect!(call, paidBy(fresh))).outcome).toBe('refused')
  })

  it('after a hang-up is answered from the store', async () => {
    const payment = await gateway.signed()
    const controller = new AbortController()
    const input = { a: 3 }
    const first = gateway.pay(payment, { input, signal: controller.signal })
    controller.abort()
    await first
    const ranBefore = echo.runs
    const again = await gateway.pay(payment, { input })
    expect(bodyOf(again)).toEqual({ echo: { a: 3 } })
    expect(echo.runs).toBe(ranBefore)
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
      const payment = await gateway.signed({}, { skill })
      expect((await gateway.pay(payment, { skill })).kind).toBe('failure')
      expect(await received()).toBe(before)
      broken = false
      expect(bodyOf(await gateway.pay(payment, { skill }))).toEqual({ fine: true })
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
    const first = await gateway.signed({}, { skill })
    expect((await gateway.pay(first, { skill })).kind).toBe('failure')
    broken = false
    const { nonce } = first.payload.authorization
    const validBefore = BigInt(first.payload.authorization.validBefore) + 600n
    const later = await gateway.signed({ authorization: { nonce, validBefore } }, { skill })
    expect((await gateway.pay(later, { skill })).kind).toBe('answer')
    const [row] = await ground.database.db.sql<{ valid_before: bigint }[]>`
      SELECT valid_before FROM plugin_x402.x402_claim WHERE nonce = ${nonce}`
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
    const ranBefore = echo.runs
    const outcome = await gateway.pay(await gateway.signed(bend()))
    const failure = failureOf(outcome)
    expect(failure).toMatchObject({ code: 'PAYMENT_FAILED', details: { field } })
    expect(failure!.message).toContain(field === 'payload.signature' ? 'signature' : field)
    expect(String(failure!.details!['reason'])).toContain(reason)
    // What a version 2 client reads is the fresh challenge, which tells the same.
    const challenges = challengesOf(outcome)
    expect(challenges).toHaveLength(1)
    expect(challenges[0]!.error).toContain(`${failure!.details!['reason']}: ${field}`)
    expect(echo.runs).toBe(ranBefore)
  })

  it.each(['x', '!!!!', encode({}), encode([]), encode({ x402Version: 2 })])(
    'garbage %s',
    async (header) => {
      const outcome = await gateway.pay(header)
      const { reason, field } = failureOf(outcome)!.details!
      expect(challengesOf(outcome)[0]!.error).toContain(`${String(reason)}: ${String(field)}`)
    },
  )

  it('and the challenge of the next call is as it was', async () => {
    expect(challengesOf(await gateway.ask())[0]!.error).toBe('Payment required')
  })

  it('a payer without money runs nothing', async () => {
    const poor = await buyerOn(ground.chain, 9999n)
    const ranBefore = echo.runs
    const payment = await gateway.signed({}, { by: poor })
    expect(failureOf(await gateway.pay(payment))).toMatchObject({
      code: 'PAYMENT_FAILED',
      details: { reason: 'invalid_exact_evm_insufficient_balance' },
    })
    expect(echo.runs).toBe(ranBefore)
    await ground.chain.fund(poor.address, 10_000n)
    expect((await gateway.pay(payment)).kind).toBe('answer')
  })
})

describe('a change of price', () => {
  it('honours the quote that was signed before it', async () => {
    const old = mount({ id: 't.priced', handler: echo.skill.handler }, { rails: ['x402'] })
    const payment = await gateway.signed({}, { skill: old })
    const dearer: MountedSkill = { ...old, amountAtomic: 50_000n, priceVersion: 2 }
    expect((await gateway.asked(dearer)).amount).toBe('50000')
    const outcome = await gateway.pay(payment, { skill: dearer })
    expect(answerOf(outcome).receipt.chargedAtomic).toBe(10_000n)
  })
})

describe('payment-identifier', () => {
  it('gives the first answer to another payment with the same id, and charges once', async () => {
    const before = await received()
    const identifier = `pay_${crypto.randomUUID()}`
    const first = await gateway.pay(await gateway.signed({ identifier }))
    const second = await gateway.pay(await gateway.signed({ identifier }))
    expect(first.kind).toBe('answer')
    expect(second).toMatchObject({ kind: 'answer', replayed: true })
    expect((await received()) - before).toBe(10_000n)
    const third = await gateway.pay(await gateway.signed({ identifier }), { input: { a: 9 } })
    expect(failureOf(third)?.status).toBe(409)
  })

  it('keeps the answer from who has read the payment on the chain', async () => {
    const signed = await gateway.signed({ identifier: `pay_${crypto.randomUUID()}` })
    expect(bodyOf(await gateway.pay(signed))).toEqual({ echo: { a: 1 } })
    const { extensions: _, ...read } = signed
    for (const forged of [
      read,
      { ...read, extensions: { 'payment-identifier': { info: { id: 'guessed-by-a-stranger' } } } },
    ])
      expect(reasonOf(await gateway.pay(forged))).toBe('nonce_already_used')
    expect(await gateway.pay(signed)).toMatchObject({ kind: 'answer', replayed: true })
  })
})
