import { parsePaymentRequired } from '@x402/core/schemas'
import {
  validateDiscoveryExtension,
  validateDiscoveryExtensionSpec,
  type DiscoveryExtension,
} from '@x402/extensions/bazaar'
import { isPaymentIdentifierExtension } from '@x402/extensions/payment-identifier'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { fail } from '../../../../kernel/errors.ts'
import type { Quote } from '../../../../kernel/rails/contract.ts'
import {
  challengeOf,
  MAX_CHALLENGE_CHARACTERS,
  refusedOffer,
} from '../../../../plugins/x402/offers/challenge.ts'
import { EvmOffers } from '../../../../plugins/x402/evm/offers.ts'
import { baseAsset } from '../../../support/x402/chain.ts'
import { tokenOn } from '../../../support/x402/networks.ts'
import { soleOffers } from '../../../support/x402/offers.ts'
import { decode } from '../../../support/x402/payments.ts'

const asset = baseAsset()
const payTo = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const sole = new EvmOffers(asset, payTo)

function quote(overrides: Partial<Quote> = {}): Quote {
  return {
    skillId: 'docintel.parse_receipt',
    productId: 'docintel',
    title: 'Parse a receipt',
    description: 'Receipts to JSON.',
    method: 'POST',
    path: '/v1/docintel/extract/receipt',
    resourceUrl: 'http://127.0.0.1:4020/v1/docintel/extract/receipt',
    transport: 'http',
    amountAtomic: 100_000n,
    priceVersion: 1,
    timeoutMs: 60_000,
    inputSchema: Type.Object({ text: Type.Optional(Type.String({ description: 'The text' })) }),
    example: { input: { text: 'Total 12.00' }, output: { total: 12 } },
    ...overrides,
  }
}
const huge = Type.Object(
  Object.fromEntries(
    Array.from({ length: 60 }, (_, i) => [
      `field_${i}`,
      Type.String({ description: 'x'.repeat(200), minLength: 1 }),
    ]),
  ),
)
const nameless = Type.Object(
  Object.fromEntries(
    Array.from({ length: 24 }, (_, i) => [`f${i}${'x'.repeat(300)}`, Type.String()]),
  ),
)

const cases: [string, Quote][] = [
  ['a POST route', quote()],
  [
    'a route without an example',
    quote({ example: undefined, inputSchema: Type.Object({ a: Type.String() }) }),
  ],
  ['an example that breaks its schema', quote({ example: { input: { text: 1 } } })],
  ['a GET route', quote({ method: 'GET', path: '/v1/paid/health', example: undefined })],
  ['a route with a parameter', quote({ path: '/v1/x/{id}/y' })],
  ['a tool', quote({ transport: 'mcp', tool: 'parse.receipt', path: 'mcp://tool/parse.receipt' })],
  ['a tool without a schema', quote({ transport: 'mcp', tool: 'a.b', inputSchema: undefined })],
  ['a schema far too large', quote({ inputSchema: huge, example: undefined })],
  [
    'a tool with a schema far too large',
    quote({ transport: 'mcp', tool: 'a.b', inputSchema: huge }),
  ],
  ['a schema of long names', quote({ inputSchema: nameless, description: 'd'.repeat(5000) })],
]

describe.each(cases)('the challenge of %s', (_, given) => {
  const { offer, required } = challengeOf(given, [sole], 'Coinop')
  const header = offer.headers['payment-required']!

  it('is a version 2 header under 4 KiB', () => {
    expect(header.length).toBeLessThanOrEqual(MAX_CHALLENGE_CHARACTERS)
    const parsed = parsePaymentRequired(decode(header))
    expect(parsed.error).toBeUndefined()
    expect(decode(header)).toEqual(required)
    expect(required.accepts[0]).toMatchObject({
      scheme: 'exact',
      network: 'eip155:8453',
      amount: '100000',
      asset: asset.address,
      payTo,
      extra: { name: 'USD Coin', version: '2' },
    })
  })

  it('has a body that version 1 buyers read', () => {
    const parsed = parsePaymentRequired(offer.body)
    expect(parsed.error).toBeUndefined()
    expect(offer.body).toMatchObject({
      x402Version: 1,
      accepts: [{ network: 'base', maxAmountRequired: '100000', resource: given.resourceUrl }],
    })
  })

  it('says in its body what client it needs where only upto is offered', () => {
    const offers = new EvmOffers(asset, payTo)
    offers.offerKinds([{ scheme: 'upto', method: 'permit2', facilitator: payTo }])
    const metered = challengeOf(quote({ isCeiling: true }), [offers], 'Coinop').offer
    expect(metered.body['x402Note']).toContain('UptoEvmScheme')
    expect(metered.advice).toContain('UptoEvmScheme')
    expect(challengeOf(quote(), [offers], 'Coinop').offer.body).not.toHaveProperty('x402Note')
  })

  it('carries a bazaar extension that the registry accepts, and payment-identifier', () => {
    const bazaar = required.extensions!['bazaar'] as DiscoveryExtension
    expect(validateDiscoveryExtension(bazaar)).toEqual({ valid: true })
    expect(validateDiscoveryExtensionSpec(bazaar as never)).toEqual({ valid: true })
    expect(isPaymentIdentifierExtension(required.extensions!['payment-identifier'])).toBe(true)
  })
})

it('cuts a long description between characters', () => {
  const { required } = challengeOf(
    quote({ description: `${'d'.repeat(298)}\u{1f4c4} more` }),
    [sole],
    'test',
  )
  expect(required.resource.description).toBe(`${'d'.repeat(298)}…`)
})

describe('the challenge of several entries', () => {
  const entries = Array.from(
    { length: 6 },
    (_, index) => new EvmOffers(tokenOn(7000 + index, 18), payTo),
  )
  const networksIn = (given: Quote, count: number) => {
    const { offer, required } = challengeOf(given, entries.slice(0, count), 'Coinop')
    const header = offer.headers['payment-required']!
    expect(header.length).toBeLessThanOrEqual(MAX_CHALLENGE_CHARACTERS)
    expect(parsePaymentRequired(decode(header)).error).toBeUndefined()
    return { networks: required.accepts.map(({ network }) => network), required, offer }
  }
  const named = (count: number) => entries.slice(0, count).map(({ token }) => token.network)

  it('has all six where there is room, and the body of version 1 the first alone', () => {
    const { networks, offer } = networksIn(quote({ example: undefined }), 6)
    expect(networks).toEqual(named(6))
    expect(offer.body).toMatchObject({ accepts: [{ network: 'eip155:7000' }] })
  })

  it('drops detail before entries, and never the first three', () => {
    const full = networksIn(quote({ inputSchema: huge, example: undefined }), 1)
    const three = networksIn(quote({ inputSchema: huge, example: undefined }), 3)
    const properties = (of: typeof full) => JSON.stringify(of.required.extensions!['bazaar']).length
    expect(properties(three)).toBeLessThanOrEqual(properties(full))
    expect(three.networks).toEqual(named(3))
    const six = networksIn(quote({ inputSchema: nameless, description: 'd'.repeat(5000) }), 6)
    expect(six.networks.slice(0, 3)).toEqual(named(3))
    const room = networksIn(quote({ inputSchema: nameless }), 4)
    expect(room.networks).toEqual(named(4))
  })

  it('leaves version 1 out where the main entry is not offered', () => {
    const { offer } = challengeOf(quote(), entries.slice(1, 3), 'Coinop', entries[0])
    expect(offer.body).toEqual({})
  })
})

describe('the challenge', () => {
  it('gives the payer time for the skill, its settlement and its own delays', () => {
    expect(sole.of(quote())[0]!.maxTimeoutSeconds).toBe(120)
    const short = quote({ timeoutMs: 1000 })
    expect(sole.of(short)[0]!.maxTimeoutSeconds).toBe(61)
  })
})

describe('the offers', () => {
  it('make one challenge per quote and keep the price before a change', () => {
    const { challenges: offers, prices } = soleOffers(payTo)
    const first = quote()
    expect(offers.of(first)).toBe(offers.of(first))
    const second = quote({ amountAtomic: 200_000n, priceVersion: 2 })
    const amounts = (nowMs: number) => prices.of(second, nowMs).map((price) => price.amountAtomic)
    const changedFrom = performance.now()
    expect(amounts(changedFrom)).toContain(100_000n)
    const changedBy = performance.now()
    expect(amounts(changedFrom + 119_000)).toContain(100_000n)
    expect(amounts(changedBy + 121_000)).not.toContain(100_000n)
    expect(amounts(changedBy)).toContain(200_000n)
  })

  it('never let a price of one route pay another', () => {
    const { challenges, prices } = soleOffers(payTo)
    challenges.of(quote({ amountAtomic: 1n }))
    const other = quote({ skillId: 'a.b', path: '/other' })
    expect(prices.of(other).every((price) => price.amountAtomic === 100_000n)).toBe(true)
  })
})

describe('the challenge after a refusal', () => {
  const refusal = (details: Record<string, unknown>) => fail('PAYMENT_FAILED', 'no', { details })
  const told = (priced: Quote, details: Record<string, unknown>) => {
    const challenge = challengeOf(priced, [sole], 'Coinop')
    const header = refusedOffer(challenge, refusal(details)).headers['payment-required']!
    expect(header.length).toBeLessThanOrEqual(MAX_CHALLENGE_CHARACTERS)
    return decode<{ error: string }>(header).error
  }
  const details = { reason: 'bad_value', field: 'payload.x', expected: '1', got: '2'.repeat(128) }

  it('tells code, field and both sides', () => {
    expect(told(quote(), details)).toBe(`bad_value: payload.x (expected 1, got ${'2'.repeat(128)})`)
    expect(told(quote(), { reason: 'r', field: 'f' })).toBe('r: f')
    expect(told(quote(), { reason: 'r' })).toBe('r')
    expect(told(quote(), {})).toBe('Payment required')
  })

  it('stays small, and tells as much as there is room for', () => {
    expect(told(quote({ inputSchema: huge }), details)).toMatch(/^bad_value|^Payment required$/)
    const { offer } = challengeOf(quote({ inputSchema: huge }), [sole], 'Coinop')
    const room = MAX_CHALLENGE_CHARACTERS - offer.headers['payment-required']!.length
    const long = { reason: 'r'.repeat(room), field: 'f' }
    expect(told(quote({ inputSchema: huge }), long)).toBe('Payment required')
  })
})
