import type { PaymentRequirements } from '@x402/core/types'
import { anything, assert, json, oneof, property, string } from 'fast-check'
import { privateKeyToAccount, generatePrivateKey } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { findPayment } from '../../../../plugins/x402/calls/credential.ts'
import { decodePayment } from '../../../../plugins/x402/payment/decode.ts'
import { EvmOffers } from '../../../../plugins/x402/evm/offers.ts'
import type { Quote } from '../../../../kernel/rails/contract.ts'
import { baseAsset } from '../../../support/x402/chain.ts'
import { asVersion1, encode, signPayment, signPermit2 } from '../../../support/x402/payments.ts'

const quote = { amountAtomic: 10_000n, timeoutMs: 1000 } as Quote
const offers = new EvmOffers(baseAsset(), '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC')
const [requirements] = offers.of(quote) as [PaymentRequirements]
const payer = privateKeyToAccount(generatePrivateKey())
const payment = await signPayment(payer, requirements)
const signed = (await signPermit2(payer, requirements)).payload.permit2Authorization
const read = (value: unknown) => decodePayment('payment-signature', value)
const fieldOf = (value: unknown) => {
  const decoded = read(value)
  return decoded.ok ? null : decoded.problem.field
}

describe('decodePayment', () => {
  it('reads version 2 from base64 and from an object alike', () => {
    const fromText = read(encode(payment))
    expect(fromText).toEqual(read(payment))
    expect(fromText).toMatchObject({
      ok: true,
      payment: { version: 2, scheme: 'exact', network: 'eip155:8453', identifier: null },
    })
  })

  it('reads version 1', () => {
    expect(read(encode(asVersion1(payment)))).toMatchObject({
      ok: true,
      payment: { version: 1, network: 'base', accepted: null },
    })
  })

  it.each([
    ['', 'payment-signature'],
    ['%%%%', 'payment-signature'],
    [
      encode(payment).replaceAll('=', ''),
      encode(payment).endsWith('=') ? 'payment-signature' : null,
    ],
    [`${encode(payment)}\n`, 'payment-signature'],
    [encode('text'), 'payment-signature'],
    [encode([1]), 'payment-signature'],
    [Buffer.from('{"x402Version":2').toString('base64'), 'payment-signature'],
    [Buffer.from([0xff, 0xfe, 0xfd]).toString('base64'), 'payment-signature'],
    [Buffer.from('['.repeat(3000)).toString('base64'), 'payment-signature'],
    ['A'.repeat(20_000), 'payment-signature'],
    [{ ...payment, extensions: { long: 'a'.repeat(20_000) } }, 'payment-signature'],
    [{ x402Version: 3 }, 'x402Version'],
    [{ x402Version: 2 }, 'accepted'],
    [{ x402Version: 2, accepted: {} }, 'accepted.scheme'],
    [{ ...payment, accepted: { ...requirements, payTo: 7 } }, 'accepted.payTo'],
    [{ ...payment, payload: {} }, 'payload.signature'],
    [{ ...payment, payload: { permit2Authorization: {} } }, 'payload.signature'],
    [permit2({}), 'payload.permit2Authorization.from'],
    [permit2(null), 'payload.permit2Authorization'],
    [permit2({ ...signed, permitted: 7 }), 'payload.permit2Authorization.permitted'],
    [permit2({ ...signed, nonce: '0x1' }), 'payload.permit2Authorization.nonce'],
    [permit2({ ...signed, witness: {} }), 'payload.permit2Authorization.witness.to'],
    [
      { ...permit2(signed), accepted: { ...requirements, scheme: 'upto' } },
      'payload.permit2Authorization.witness.facilitator',
    ],
    [{ ...asVersion1(payment), payload: permit2(signed).payload }, 'payload.permit2Authorization'],
    [{ ...payment, payload: { signature: '0x12' } }, 'payload.authorization'],
    [bent('from', '0x12'), 'payload.authorization.from'],
    [bent('to', 7), 'payload.authorization.to'],
    [bent('nonce', '0x12'), 'payload.authorization.nonce'],
    [bent('value', 10_000), 'payload.authorization.value'],
    [bent('value', '-1'), 'payload.authorization.value'],
    [bent('value', '1e4'), 'payload.authorization.value'],
    [bent('validAfter', '0x0'), 'payload.authorization.validAfter'],
    [bent('validBefore', '9'.repeat(79)), 'payload.authorization.validBefore'],
    [
      { ...payment, extensions: { 'payment-identifier': { info: { id: 'short' } } } },
      'extensions.payment-identifier.info.id',
    ],
  ])('names what is wrong with %j', (value, field) => {
    expect(fieldOf(value)).toBe(field)
  })

  it('does not write out an object of many members to find that it is too long', () => {
    const members = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`k${index}`, 1]))
    Object.defineProperty(members, 'last', {
      enumerable: true,
      get: () => expect.unreachable('it was read to its end'),
    })
    expect(fieldOf({ ...payment, extensions: {}, members })).toBe('payment-signature')
  })

  it('never throws, whatever a stranger sends', () => {
    assert(
      property(oneof(string(), json(), anything()), (value) => {
        const sent = typeof value === 'string' ? Buffer.from(value).toString('base64') : value
        expect(decodePayment('x', sent)).toHaveProperty('ok')
      }),
      { numRuns: 500 },
    )
  })
})

describe('findPayment', () => {
  it('prefers the version 2 header, then MCP, then version 1', () => {
    const headers: Record<string, string> = { 'payment-signature': 'a', 'x-payment': 'b' }
    const header = (name: string) => headers[name] ?? null
    const meta = { 'x402/payment': { c: 1 }, 'x402.payment': 'd' }
    expect(findPayment({ header, meta })?.value).toBe('a')
    delete headers['payment-signature']
    expect(findPayment({ header, meta })?.value).toEqual({ c: 1 })
    expect(findPayment({ header, meta: { 'x402.payment': 'd' } })?.value).toBe('d')
    expect(findPayment({ header, meta: {} })?.value).toBe('b')
    expect(findPayment({ header: () => null })).toBeNull()
  })
})

function bent(name: string, value: unknown) {
  const { payload } = payment
  return {
    ...payment,
    payload: { ...payload, authorization: { ...payload.authorization, [name]: value } },
  }
}

function permit2(permit2Authorization: unknown) {
  return { ...payment, payload: { signature: '0x12', permit2Authorization } }
}
