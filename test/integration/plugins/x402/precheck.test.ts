/** A payment is judged before the body of its call is read. */
import { beforeAll, describe, expect, it } from 'vitest'
import { Type } from 'typebox'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { mount } from '../../../support/metering.ts'
import { bodyOf, failureOf, reasonOf } from '../../../support/outcomes.ts'
import { x402Ground } from '../../../support/x402/ground.ts'
import { echoSkill, x402Instances, type X402Instance } from '../../../support/x402/instances.ts'
import { asVersion1, paidBy } from '../../../support/x402/payments.ts'
import { railCall } from '../../../support/x402/rail.ts'

const ground = x402Ground()
const sold = echoSkill({ id: 't.echo' })
const open = x402Instances(ground, sold)
let gateway: X402Instance

beforeAll(async () => {
  gateway = await open()
})

/** A body whose reading is counted. */
function body(input: unknown = { a: 1 }) {
  const counted = { reads: 0, read: async () => (counted.reads++, { ok: true as const, input }) }
  return counted
}

const strict = mount(
  {
    id: 't.strict',
    input: Type.Object({ a: Type.Number() }),
    handler: async (_, { a }) => ({ ok: true, output: { got: a } }),
  },
  { rails: ['x402'], timeoutMs: 30_000 },
)

describe('junk', () => {
  type Signed = Awaited<ReturnType<X402Instance['signed']>>
  const thief = privateKeyToAccount(generatePrivateKey())
  it.each<[string, (payment: Signed) => unknown]>([
    ['no payment at all', () => ({})],
    ['of an unknown version', (payment) => ({ ...payment, x402Version: 3 })],
    [
      'for another network',
      (payment) => ({ ...payment, accepted: { ...payment.accepted, network: 'eip155:1' } }),
    ],
    [
      'for another amount',
      (payment) => ({ ...payment, accepted: { ...payment.accepted, amount: '1' } }),
    ],
    [
      'of version 1 without an authorization',
      (payment) => ({ ...asVersion1(payment), payload: {} }),
    ],
  ])('is refused before a body is read: %s', async (_, bend) => {
    const counted = body()
    const { read } = counted
    const outcome = await gateway.pay(bend(await gateway.signed()), { read })
    expect(failureOf(outcome)?.code).toBe('PAYMENT_FAILED')
    expect(counted.reads).toBe(0)
  })

  it('is refused also where a node has to be asked, and expired or wrong ones of a good signature', async () => {
    const counted = body()
    const forged = await gateway.signed({}, { by: thief })
    const naming = {
      ...forged,
      payload: {
        ...forged.payload,
        authorization: { ...forged.payload.authorization, from: ground.buyer.address },
      },
    }
    const early = await gateway.signed({ authorization: { validBefore: 1n } })
    const cheap = await gateway.signed({ authorization: { value: 1n } })
    for (const payment of [naming, early, cheap]) {
      expect(failureOf(await gateway.pay(payment, { read: counted.read }))?.code).toBe(
        'PAYMENT_FAILED',
      )
    }
    expect(counted.reads).toBe(0)
  })

  it('that a stranger copied from the chain, expired or of another price, proves no payer', async () => {
    const call = railCall(gateway.quotes.http(sold))
    for (const authorization of [{ validBefore: 1n }, { value: 1n }]) {
      const source = paidBy(await gateway.signed({ authorization }))
      expect(await gateway.rail.precheck!(call, source)).toMatchObject({ payer: null })
    }
  })

  it('that is no base64 of JSON is refused as such', async () => {
    const counted = body()
    const source = { header: (name: string) => (name === 'payment-signature' ? '!!!' : null) }
    const outcome = await gateway.ask(sold, {}, { source, read: counted.read })
    expect(failureOf(outcome)?.code).toBe('PAYMENT_FAILED')
    expect(counted.reads).toBe(0)
  })
})

describe('a good payment', () => {
  it('with a wrong body gets 400, is not claimed, and buys the right one after', async () => {
    const payment = await gateway.signed({}, { skill: strict })
    const wrong = await gateway.pay(payment, { skill: strict, input: { a: 'x' } })
    expect(failureOf(wrong)?.code).toBe('INVALID_INPUT')
    const right = await gateway.pay(payment, { skill: strict, input: { a: 5 } })
    expect(bodyOf(right)).toEqual({ got: 5 })
    // A wrong body does not take the stored answer away from it.
    const again = await gateway.pay(payment, { skill: strict, input: { a: 5 } })
    expect(bodyOf(again)).toEqual({ got: 5 })
    expect(reasonOf(await gateway.pay(payment, { skill: strict, input: { a: 6 } }))).toBe(
      'nonce_already_used',
    )
  })

  it('is judged again when the upload took the time that was left for settling', async () => {
    const source = paidBy(await gateway.signed())
    const call = railCall(gateway.quotes.http(sold))
    const payer = `x402:${ground.buyer.address.toLowerCase()}`
    expect(await gateway.rail.precheck!(call, source)).toEqual({ outcome: 'ok', payer, rest: null })
    expect(await gateway.rail.inspect!(call, source)).toMatchObject({ outcome: 'ok', payer })
    const late = { ...call, deadline: new Date(Date.now() + 86_400_000) }
    expect(await gateway.rail.inspect!(late, source)).toMatchObject({ outcome: 'refused' })
    expect(await gateway.rail.authorize(late, source)).toMatchObject({ outcome: 'refused' })
  })
})
