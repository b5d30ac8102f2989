/** What single answers add to a challenge that was encoded once. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import '../../../support/fuzz.ts'
import { freshPart, OpenChallenge } from '../../../../plugins/x402/offers/answer-extensions.ts'
import type { PaymentRequired } from '../../../../plugins/x402/payment/wire.ts'

const http = { transport: 'http', method: 'POST', target: '/v1/x' } as const
const mcp = { transport: 'mcp', method: 'POST', target: 'mcp://tool/x' } as const
const challenge = (text: string): PaymentRequired =>
  ({ x402Version: 2, error: text, accepts: [], extensions: { own: { text } } }) as never
const textsOf = (added: object): string[] =>
  Object.entries(added).map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
const read = (header: string): unknown => JSON.parse(Buffer.from(header, 'base64').toString('utf8'))

describe('a challenge with what one answer adds', () => {
  it('is the same JSON as if it was made in one, whatever stands in it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.jsonValue(), (text, value) => {
        const required = challenge(text)
        const added = { added: { value } }
        const { replacedHeaders, body, bodyText } = freshPart(
          () => [new OpenChallenge(required)],
          textsOf(added),
          http,
          1e6,
        )
        const header = replacedHeaders!['payment-required']!
        expect(header).toMatch(/^[A-Za-z0-9+/]+={0,2}$/)
        const whole = { ...required, extensions: { ...required.extensions, ...added } }
        expect(read(header)).toEqual(JSON.parse(JSON.stringify(whole)))
        const asSent = JSON.parse(JSON.stringify(added))
        expect(body).toEqual({ extensions: asSent })
        expect(JSON.parse(bodyText!)).toEqual({ extensions: asSent })
        expect(
          freshPart(() => [new OpenChallenge(required)], textsOf(added), mcp, 1e6).challenge,
        ).toEqual({ ...required, extensions: { ...required.extensions, ...asSent } })
      }),
      { numRuns: 500 },
    )
  })

  it('takes the first that has room, and else adds nothing', () => {
    const [long, short] = [
      new OpenChallenge(challenge('a'.repeat(500))),
      new OpenChallenge(challenge('b')),
    ]
    const added = { added: { a: 1 } }
    const textIn = (max: number) => {
      const { replacedHeaders } = freshPart(() => [long, short], textsOf(added), http, max)
      const header = replacedHeaders?.['payment-required']
      if (header === undefined) return null
      expect(header.length).toBeLessThanOrEqual(max)
      return (read(header) as PaymentRequired).error!.slice(0, 1)
    }
    expect([textIn(5000), textIn(400), textIn(50)]).toEqual(['a', 'b', null])
    expect(freshPart(() => [long], [], http, 5000)).toEqual({ headers: [] })
  })
})

describe('a challenge with nonces', () => {
  const PLACE = 'coinop:0123456789abcdef:'
  const solana = (more: object) => ({
    scheme: 'exact',
    extra: { memo: `${PLACE}${'0'.repeat(16)}`, ...more },
  })
  const nonce = 'fedcba9876543210'

  it('gets another one in each memo, and is else the same JSON', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.array(fc.record({ a: fc.jsonValue() }), { maxLength: 3 }),
        fc.option(fc.jsonValue()),
        (text, extras, value) => {
          const evm = { scheme: 'exact', extra: { name: text } }
          const accepts = [evm, ...extras.map(solana), evm]
          const required = { ...challenge(text), accepts } as never as PaymentRequired
          const added = value === null ? null : { added: { value } }
          const open = new OpenChallenge(required)
          const hasNonces = extras.length > 0
          const of = (given: string) =>
            freshPart(() => [open], textsOf(added ?? {}), http, 1e6, hasNonces ? given : null)
          if (added === null && !hasNonces) {
            expect(of(nonce)).toEqual({ headers: [] })
            return
          }
          for (const given of [nonce, '0123456789012345']) {
            const header = of(given).replacedHeaders!['payment-required']!
            expect(header).toMatch(/^[A-Za-z0-9+/]+={0,2}$/)
            const whole = {
              ...required,
              accepts: [
                evm,
                ...extras.map((more) => ({
                  ...solana(more),
                  extra: { memo: PLACE + given, ...more },
                })),
                evm,
              ],
              extensions: { ...required.extensions, ...added },
            }
            expect(read(header)).toEqual(JSON.parse(JSON.stringify(whole)))
          }
        },
      ),
      { numRuns: 300 },
    )
  })
})
