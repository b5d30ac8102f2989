/** What rails add to each 402 beside their cached offers: headers, body, limits, and their failures. */
import { describe, expect, it } from 'vitest'
import { fail } from '../../../kernel/errors.ts'
import { answerOf } from '../../../kernel/http/http-call.ts'
import { paymentRequired } from '../../../kernel/metering/failures.ts'
import type { FreshOffer, Offer } from '../../../kernel/rails/offer-contract.ts'
import type { Rail, Quote } from '../../../kernel/rails/contract.ts'
import { offerFor } from '../../../host/plugin-services/offer-for.ts'
import { MAX_OFFER_HEADER, type UnpaidCall } from '../../../kernel/rails/fresh.ts'
import { RailRegistry } from '../../../kernel/rails/registry.ts'

const quote = { amountAtomic: 10_000n } as Quote
const call: UnpaidCall = {
  place: { transport: 'http', method: 'POST', target: '/v1/t/run?a=1' },
  source: { header: () => null },
}
const required = paymentRequired(10_000n, [])

function railWith(id: string, precedence: number, offer: Offer): Rail {
  const never = async () => {
    throw new Error('not called')
  }
  return {
    id,
    precedence,
    available: () => ({ ok: true }),
    presented: () => false,
    offer: () => offer,
    authorize: never,
    capture: never,
    release: async () => {},
    stateOf: async () => 'none',
  }
}

interface Logged {
  rail?: unknown
  message: string
}

/** The 402 of rails with these offers, in the order of their precedence. */
function unpaid(offers: readonly Offer[], failure = required) {
  const logged: Logged[] = []
  const log = {
    error: (facts: object, message: string) => void logged.push({ ...facts, message }),
  } as never
  const rails = new RailRegistry(log)
  rails.setOfPlugins(offers.map((offer, at) => railWith(`rail-${at}`, at, offer)))
  const all = rails.list().map(({ id }) => id)
  const answer = () => {
    const open = rails.offers(all, quote)
    const fresh = rails.fresh(open, call, failure === required ? undefined : failure)
    return answerOf(
      {
        kind: 'failure',
        failure,
        offers: open,
        fresh,
        bringsKey: false,
        rail: null,
        rateHeaders: {},
      },
      { requestId: 'request-1', priceVersion: 1, paidRoute: true },
    )
  }
  return { answer, logged, rails, all }
}

const offer = (
  fresh: Offer['fresh'],
  headers: Record<string, string> = {},
  body: Record<string, unknown> = {},
): Offer => ({ headers, body, ...(fresh && { fresh }) })
const part = (more: Partial<FreshOffer>): (() => FreshOffer) => {
  return () => ({ headers: [], ...more })
}

describe('the fresh part of an offer', () => {
  it('leaves nothing of its headers to the next answer', async () => {
    const parts: FreshOffer[] = [
      {
        headers: [
          ['www-authenticate', 'a'],
          ['www-authenticate', 'b'],
          ['X-Fixed', 'more'],
        ],
        replacedHeaders: { 'Payment-Required': 'first' },
        contentType: 'application/problem+json',
      },
      { headers: [['www-authenticate', 'c']], replacedHeaders: { 'payment-required': 'second' } },
      { headers: [] },
      { headers: [['payment-required', 'below']] },
    ]
    let at = 0
    const fixed = { 'payment-required': 'fixed', 'x-fixed': 'own' }
    const { answer } = unpaid([offer(() => parts[at++]!, fixed)])
    const shown = parts.map(() => {
      const { headers } = answer()
      const names = ['www-authenticate', 'x-fixed', 'payment-required', 'content-type']
      return names.map((name) => headers.get(name))
    })
    expect(shown).toEqual([
      ['a, b', 'own, more', 'first', 'application/problem+json'],
      ['c', 'own', 'second', 'application/json'],
      [null, 'own', 'fixed', 'application/json'],
      [null, 'own', 'fixed, below', 'application/json'],
    ])
  })

  it('is made for each 402, beside the cached rest of it', async () => {
    let number = 0
    const { answer } = unpaid([
      offer(
        () => ({ headers: [['www-authenticate', `Payment id="${++number}"`]], body: { number } }),
        {
          'payment-required': 'cached',
        },
      ),
    ])
    for (const expected of [1, 2]) {
      const response = answer()
      expect(response.status).toBe(402)
      expect(response.headers.get('payment-required')).toBe('cached')
      expect(response.headers.get('www-authenticate')).toBe(`Payment id="${expected}"`)
      expect(response.headers.get('cache-control')).toBe('no-store')
      expect(await response.json()).toMatchObject({
        number: expected,
        problem: { requestId: 'request-1' },
      })
    }
  })

  it('is told where the call goes, what it brought and why that was refused', () => {
    const told: unknown[][] = []
    const refusal = fail('PAYMENT_FAILED', 'wrong')
    const fresh: Offer['fresh'] = (...given) => {
      told.push(given)
      return { headers: [] }
    }
    unpaid([offer(fresh)], refusal).answer()
    expect(told).toEqual([[call.place, call.source, refusal]])
  })

  it('appends what several rails send under one name, in the order of their precedence', async () => {
    const { answer } = unpaid([
      offer(
        part({
          headers: [
            ['www-authenticate', 'Payment id="1"'],
            ['WWW-Authenticate', 'Payment id="2"'],
          ],
        }),
      ),
      offer(part({ headers: [['www-authenticate', 'Other id="3"']] })),
    ])
    expect(answer().headers.get('www-authenticate')).toBe(
      'Payment id="1", Payment id="2", Other id="3"',
    )
  })

  it('replaces headers and members of its own offer, and the content type when it says so', async () => {
    const { answer } = unpaid([
      offer(
        part({
          replacedHeaders: { 'payment-required': 'fresh' },
          body: { accepts: ['new'] },
          contentType: 'application/problem+json',
        }),
        { 'payment-required': 'cached' },
        { accepts: ['old'] },
      ),
    ])
    const response = answer()
    expect(response.headers.get('payment-required')).toBe('fresh')
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    expect(await response.json()).toMatchObject({ accepts: ['new'], error: required.message })
  })

  it('changes no error, and of two rails with the same member the first one counts', async () => {
    const { answer } = unpaid([
      offer(part({ body: { error: 'forged', title: 'first' } })),
      offer(part({ body: { problem: 'forged', title: 'second', only: 'here' } })),
    ])
    const text = await answer().text()
    expect(JSON.parse(text)).toMatchObject({
      error: required.message,
      problem: { code: 'PAYMENT_REQUIRED' },
      title: 'first',
      only: 'here',
    })
    expect(text.match(/"title"/g)).toHaveLength(1)
  })

  it('is left out when its rail throws, and that is logged once', async () => {
    const { answer, logged } = unpaid([
      offer(
        () => {
          throw new Error('no randomness')
        },
        { 'payment-required': 'cached' },
        { accepts: [] },
      ),
      offer(part({ body: { other: true } })),
    ])
    for (let time = 0; time < 3; time++) {
      const response = answer()
      expect(response.headers.get('payment-required')).toBe('cached')
      expect(await response.json()).toMatchObject({ accepts: [], other: true })
    }
    expect(logged).toMatchObject([{ rail: 'rail-0', message: expect.stringMatching(/fresh part/) }])
  })

  it.each<Partial<FreshOffer>>([
    { headers: [['www-authenticate', 'a\r\nset-cookie: b']] },
    { headers: [['www-authenticate', 'caf\u{e9}\u{1f4b0}']] },
    { headers: [['set cookie', 'b']] },
    { headers: [['', 'b']] },
    { replacedHeaders: { 'payment-required': 'a\nb' } },
    { contentType: 'text/html\r\nset-cookie: b' },
  ])('is left out as a whole, which is logged once, with %j', async (header) => {
    const { answer, logged } = unpaid([
      offer(part({ headers: [['before', 'it']], ...header, body: { number: 1 } }), {
        'payment-required': 'cached',
      }),
    ])
    const names = new Set(['payment-required', 'before', 'set-cookie', 'content-type'])
    for (let time = 0; time < 3; time++) {
      const response = answer()
      expect(response.status).toBe(402)
      expect([...response.headers].filter(([name]) => names.has(name))).toEqual([
        ['content-type', 'application/json'],
        ['payment-required', 'cached'],
      ])
      expect(await response.json()).not.toHaveProperty('number')
    }
    expect(logged).toHaveLength(1)
  })

  it('is left out when one header or all of them would be too long', async () => {
    const long = 'x'.repeat(MAX_OFFER_HEADER)
    const { answer, logged } = unpaid([
      offer(part({ headers: [['too-long', `${long}x`]] })),
      offer(part({ headers: [['first', long]], body: { first: true } }), {
        fixed: 'y'.repeat(2000),
      }),
      offer(part({ headers: [['second', long]] })),
      offer(part({ replacedHeaders: { fixed: long }, body: { third: true } }), {
        fixed: 'y'.repeat(200),
      }),
      offer(part({ headers: [['short', 'z']] })),
    ])
    const { headers } = answer()
    expect(
      [...headers.keys()].filter((name) => ['too-long', 'first', 'second', 'short'].includes(name)),
    ).toEqual(['first', 'short'])
    let total = 0
    headers.forEach((value, name) => (total += name.length + value.length + 4))
    expect(total).toBeLessThan(8192)
    expect(logged.map((one) => one.rail)).toEqual(['rail-0', 'rail-2', 'rail-3'])
  })

  it('may change the challenge and body that MCP clients get', () => {
    const { rails, all } = unpaid([
      offer(part({ challenge: { fresh: true }, body: { b: 2 } }), {}, { a: 1 }),
      offer(undefined, {}, { c: 3 }),
    ])
    const open = rails.offers(all, quote)
    const parts = rails.fresh(open, call)
    expect(open.map((one) => offerFor(one, parts))).toMatchObject([
      { challenge: { fresh: true }, body: { a: 1, b: 2 } },
      { body: { c: 3 } },
    ])
  })
})

describe('answers that were paid for', () => {
  const receipt = { rail: 'credits', chargedAtomic: 1n, ledgerId: null, headers: {} }
  const facts = { requestId: 'r', priceVersion: 1, paidRoute: true }
  const cacheControl = (given: string | null, rail = 'credits', ofRail?: string) =>
    answerOf(
      {
        kind: 'answer',
        answer: {
          status: 200,
          headers: given === null ? {} : { 'cache-control': given },
          body: new Uint8Array(),
        },
        receipt: {
          ...receipt,
          rail,
          headers: ofRail === undefined ? {} : { 'cache-control': ofRail },
        },
        rateHeaders: {},
        replayed: false,
      },
      facts,
    ).headers.get('cache-control')

  it.each([
    [null, 'private'],
    ['public, max-age=60, s-maxage=600', 'private, max-age=60'],
    ['no-store', 'private, no-store'],
    ['Private="set-cookie", must-revalidate', 'private, must-revalidate'],
  ])('with Cache-Control %j are kept by no shared cache', (given, expected) => {
    expect(cacheControl(given)).toBe(expected)
  })

  it('are as their rail says where it says more', () => {
    expect(cacheControl('public', 'credits', 'private, no-store')).toBe('private, no-store')
  })

  it('are as the skill says when nobody paid', () => {
    expect(cacheControl('public', 'free')).toBe('public')
    expect(cacheControl(null, 'free')).toBeNull()
  })
})
