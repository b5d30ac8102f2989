/** The Payment scheme on the wire, checked against mppx where it has the same. */
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { BodyDigest, Challenge, Credential, Expires, PaymentRequest, Receipt } from 'mppx'
import { describe, expect, it } from 'vitest'
import type { CredentialSource } from '../../../../kernel/auth/contract.ts'
import { accepted } from '../../../../plugins/mpp/wire/accept-payment.ts'
import {
  decodeBase64url,
  decodeBase64urlText,
  encodeBase64url,
  encodeJcs,
} from '../../../../plugins/mpp/wire/base64url.ts'
import { digestFor, isFor, isForBody, opaqueOf } from '../../../../plugins/mpp/wire/binding.ts'
import {
  challengeObject,
  challengeText,
  idKey,
  idOf,
  isIssued,
  type Bound,
} from '../../../../plugins/mpp/wire/challenge.ts'
import { bringsCredential, readCredential } from '../../../../plugins/mpp/wire/credential.ts'
import { receiptText } from '../../../../plugins/mpp/wire/receipt.ts'
import '../../../support/fuzz.ts'

const SECRET = 'a secret of the test, long enough'
const key = (secret = SECRET) => idKey(Buffer.from(secret, 'utf8'))
const REQUEST = {
  amount: '20000',
  currency: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  recipient: '0x1111111111111111111111111111111111111111',
  methodDetails: { chainId: 8453, credentialTypes: ['authorization'], decimals: 6 },
}
const place = (target = '/v1/demo/hash', method = 'POST') =>
  ({ transport: 'http', method, target }) as const

function bound(changes: Partial<Bound> = {}): Bound {
  return {
    realm: 'api.example.com',
    method: 'evm',
    intent: 'charge',
    request: encodeJcs(REQUEST),
    expires: Expires.minutes(2),
    digest: null,
    header: null,
    opaque: opaqueOf(place()),
    ...changes,
  }
}
const issued = (changes: Partial<Bound> = {}) => {
  const parts = bound(changes)
  return { id: idOf(key(), parts), ...parts }
}
const http = (headers: Record<string, string>): CredentialSource => ({
  header: (name) => new Headers(headers).get(name),
})
const mcp = (value: unknown): CredentialSource => ({
  header: () => null,
  meta: { 'org.paymentauth/credential': value },
})
const payload = { type: 'authorization', from: '0x1' }
const credentialText = (challenge = issued(), more: object = {}) =>
  Credential.serialize({
    challenge: Challenge.deserialize(challengeText(challenge)),
    payload,
    ...more,
  } as never)

describe('base64url', () => {
  it('reads what it writes, and nothing else', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(decodeBase64urlText(encodeBase64url(text))).toBe(text)
      }),
    )
    for (const bad of ['a', 'YQ=', 'YQ==', 'Y+', 'Y/', 'YR', ' YQ', 'YQ\n', 'ä', 'YWJ-'])
      expect([bad, decodeBase64url(bad) === null]).toEqual([bad, bad !== 'YWJ-'])
    expect(decodeBase64urlText(Buffer.from([0xff, 0xfe]).toString('base64url'))).toBe(null)
  })

  it('writes objects as mppx does (JCS)', () => {
    const name = fc.stringMatching(/^[a-zA-Zäé€😀_]{1,6}$/u)
    fc.assert(
      fc.property(
        fc.dictionary(name, fc.oneof(fc.string({ unit: 'grapheme' }), fc.integer(), fc.boolean())),
        (object) => {
          expect(encodeJcs(object)).toBe(PaymentRequest.serialize(object))
        },
      ),
    )
    expect(encodeJcs(REQUEST)).toBe(PaymentRequest.serialize(REQUEST))
  })
})

describe('challenge', () => {
  const cases: Partial<Bound>[] = [
    {},
    { opaque: null },
    { digest: `sha-256=${'A'.repeat(43)}=` },
    { header: 'Payment-Authorization' },
    { header: 'Payment-Authorization', opaque: null, digest: `sha-256=${'A'.repeat(43)}=` },
    { method: 'tempo', realm: 'x' },
  ]

  it.each(cases)('has the id that mppx gives it: %j', (changes) => {
    const challenge = issued(changes)
    const read = Challenge.deserialize(challengeText(challenge))
    expect(Challenge.verify(read, { secretKey: SECRET })).toBe(true)
    expect(Challenge.verify(read, { secretKey: `${SECRET}!` })).toBe(false)
    expect(read).toMatchObject({ id: challenge.id, realm: challenge.realm, request: REQUEST })
    const object = challengeObject(challenge, REQUEST)
    expect(Challenge.verify(Challenge.Schema.parse(object), { secretKey: SECRET })).toBe(true)
  })

  it('is taken under any of the keys, and under none when a part is another', () => {
    const challenge = issued({ header: 'Payment-Authorization' })
    expect(isIssued([key('another secret, which is now first'), key()], challenge)).toBe(true)
    expect(isIssued([key('another secret, which is now first')], challenge)).toBe(false)
    const others: Partial<Bound>[] = [
      { realm: 'api.example.org' },
      { method: 'tempo' },
      { intent: 'session' },
      { request: encodeJcs({ ...REQUEST, amount: '1' }) },
      { expires: Expires.hours(1) },
      { digest: `sha-256=${'A'.repeat(43)}=` },
      { header: null },
      { opaque: opaqueOf(place('/v1/demo/other')) },
      { opaque: null },
    ]
    for (const other of others) expect(isIssued([key()], { ...challenge, ...other })).toBe(false)
    for (const id of ['', 'A', challenge.id.slice(1), `${challenge.id}A`, 'A'.repeat(43), 'é'])
      expect(isIssued([key()], { ...challenge, id })).toBe(false)
  })

  it('can be read out of several that are joined by commas', () => {
    const texts = [issued(), issued({ method: 'tempo', header: 'Payment-Authorization' })]
    const list = Challenge.deserializeList(texts.map(challengeText).join(', '))
    expect(list.map(({ method }) => method)).toEqual(['evm', 'tempo'])
  })
})

describe('binding', () => {
  it('is unique, for its place, and for the GET that a HEAD asks about', () => {
    const all = new Set(Array.from({ length: 1000 }, () => opaqueOf(place())))
    expect(all.size).toBe(1000)
    const opaque = opaqueOf(place('/v1/x?a=1', 'HEAD'))
    expect(isFor(opaque, place('/v1/x?a=1', 'GET'))).toBe(true)
    expect(isFor(opaque, place('/v1/x?a=1', 'POST'))).toBe(false)
    expect(isFor(opaque, place('/v1/x?a=2', 'GET'))).toBe(false)
    expect(isFor(opaque, place('/v1/x', 'GET'))).toBe(false)
    const tool = { transport: 'mcp', method: 'POST', target: 'mcp://tool/x' } as const
    expect(isFor(opaqueOf(tool), tool)).toBe(true)
    expect(isFor(opaqueOf(tool), place('mcp://tool/x'))).toBe(false)
  })

  it('stays short for a long query, and tells long ones apart', () => {
    const long = (end: string) => place(`/v1/x?${'a'.repeat(8000)}${end}`, 'GET')
    const opaque = opaqueOf(long('1'))
    expect(opaque.length).toBeLessThan(200)
    expect(isFor(opaque, long('1'))).toBe(true)
    expect(isFor(opaque, long('2'))).toBe(false)
  })

  it('is not for any place when it is not of this form', () => {
    for (const opaque of ['', 'e30', 'W10', 'bnVsbA', '!!', encodeJcs({ r: 1 })])
      expect(isFor(opaque, place())).toBe(false)
  })
})

describe('credential', () => {
  it('of mppx is read by its texts, in either header and on MCP', () => {
    const challenge = issued()
    const text = credentialText(challenge, { source: 'did:pkh:eip155:8453:0x1' })
    const credential = { challenge, payload, source: 'did:pkh:eip155:8453:0x1' }
    const read = { outcome: 'read', credential }
    expect(readCredential(http({ authorization: text }))).toEqual(read)
    expect(readCredential(http({ authorization: text.replace('Payment', 'pAYMENT  ') }))).toEqual(
      read,
    )
    expect(readCredential(http({ 'payment-authorization': text }))).toEqual(read)
    expect(
      readCredential(http({ authorization: 'Bearer x', 'payment-authorization': text })),
    ).toEqual(read)
    expect(readCredential(mcp(Credential.deserialize(text)))).toEqual(read)
    expect(isIssued([key()], challenge)).toBe(true)
  })

  it('may have its opaque expanded, as older clients send it', () => {
    const challenge = issued({ opaque: encodeJcs({ r: 'b', n: 'a' }) })
    const { id, realm, method, intent, request, expires } = challenge
    const object = { id, realm, method, intent, request, expires, opaque: { r: 'b', n: 'a' } }
    const text = `Payment ${encodeBase64url(JSON.stringify({ challenge: object, payload }))}`
    const read = readCredential(http({ authorization: text }))
    expect(read).toMatchObject({ outcome: 'read', credential: { challenge } })
  })

  it('is one: two of them are none', () => {
    const text = credentialText()
    const twice: Record<string, string>[] = [
      { authorization: text, 'payment-authorization': text },
      { authorization: `${text}, ${text}` },
      { 'payment-authorization': `${text}, ${text}` },
    ]
    for (const headers of twice)
      expect(readCredential(http(headers))).toEqual({ outcome: 'several' })
  })

  it('is looked for where the call is: on MCP in _meta alone', () => {
    const text = credentialText()
    expect(bringsCredential(http({}))).toBe(false)
    expect(bringsCredential(http({ authorization: 'Bearer Payment' }))).toBe(false)
    expect(bringsCredential(http({ authorization: 'Paymentx y' }))).toBe(false)
    expect(bringsCredential(http({ authorization: 'Payment' }))).toBe(true)
    expect(bringsCredential(http({ authorization: 'payment x' }))).toBe(true)
    const source = http({ authorization: text })
    expect(bringsCredential({ ...source, meta: {} })).toBe(false)
    expect(bringsCredential(mcp(7))).toBe(true)
    expect(bringsCredential(mcp(null))).toBe(false)
  })

  it('is malformed or of another issuer, and says what is wrong', () => {
    const challenge = issued()
    const of = (value: unknown) =>
      readCredential(http({ authorization: `Payment ${encodeBase64url(JSON.stringify(value))}` }))
    const malformed = [
      7,
      null,
      [],
      {},
      { challenge },
      { challenge, payload: [] },
      { challenge: 'x', payload },
      { challenge, payload, source: 7 },
      { challenge, payload, source: 'x'.repeat(257) },
      { challenge: { ...challenge, request: '!' }, payload },
      { challenge: { ...challenge, request: undefined }, payload },
      { challenge: { ...challenge, opaque: 7 }, payload },
      { challenge: { ...challenge, opaque: null }, payload },
    ]
    for (const value of malformed) expect([value, of(value).outcome]).toEqual([value, 'malformed'])
    const others: [string, unknown][] = [
      ['id', 'short'],
      ['id', undefined],
      ['realm', 'a"b'],
      ['realm', 'a|b'],
      ['method', 'EVM'],
      ['intent', ''],
      ['digest', 'md5=x'],
      ['digest', null],
      ['header', 'X-Other'],
      ['expires', undefined],
      ['expires', 'tomorrow'],
      // Parts that are moved to the place beside them: their joined text would be that of another.
      ['digest', '|Payment-Authorization'],
      ['expires', `${challenge.expires}|`],
    ]
    for (const [name, value] of others) {
      const clean = Object.fromEntries(
        Object.entries(challenge).filter(([, member]) => member !== null),
      )
      const read = of({ challenge: { ...clean, [name]: value }, payload })
      expect([name, value, read.outcome]).toEqual([name, value, 'foreign'])
    }
    for (const text of ['', ' ', '!', 'e30=', 'e31', 'A'.repeat(20_000)])
      expect(readCredential(http({ authorization: `Payment ${text}` })).outcome).toBe('malformed')
    const huge = { challenge, payload: { long: 'x'.repeat(20_000) } }
    expect(readCredential(mcp(huge)).outcome).toBe('malformed')
    const many = {
      challenge,
      payload: Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [at, 1])),
    }
    expect(readCredential(mcp(many)).outcome).toBe('malformed')
  })

  it('never throws, and is never taken for issued, whatever a caller sends', () => {
    const challenge = issued()
    const clean = JSON.parse(JSON.stringify(challenge))
    delete clean.digest
    delete clean.header
    const members = Object.keys(clean)
    fc.assert(
      fc.property(fc.constantFrom(...members), fc.jsonValue(), (name, value) => {
        const changed = { ...clean, [name]: value }
        const read = readCredential(mcp({ challenge: changed, payload }))
        if (read.outcome !== 'read') return
        const isSame = JSON.stringify(changed) === JSON.stringify(clean)
        expect(isIssued([key()], read.credential.challenge)).toBe(isSame)
      }),
      { numRuns: 500 },
    )
    fc.assert(
      fc.property(fc.jsonValue(), (value) => void readCredential(mcp(value))),
      { numRuns: 500 },
    )
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const source = {
          header: (name: string) => (name === 'authorization' ? `Payment ${text}` : null),
        }
        expect(readCredential(source).outcome).not.toBe('read')
      }),
      { numRuns: 500 },
    )
  })
})

describe('Accept-Payment', () => {
  const offers = [
    { method: 'evm', intent: 'charge' },
    { method: 'tempo', intent: 'charge' },
  ]
  const taken = (header: string | null) => accepted(offers, header).map(({ method }) => method)

  it.each([
    [null, ['evm', 'tempo']],
    ['evm/charge, tempo/charge', ['evm', 'tempo']],
    ['tempo/charge, evm/charge', ['evm', 'tempo']],
    ['evm/charge;q=0.5, tempo/*', ['tempo', 'evm']],
    ['tempo/*;q=0.5, */*;q=0.1', ['tempo', 'evm']],
    ['tempo/charge;q=0, */*', ['evm']],
    ['*/charge;q=0.2,evm/*;q=0.1', ['evm', 'tempo']],
    ['*/charge;q=0.2,evm/charge;q=0.1', ['tempo', 'evm']],
    ['evm/session', ['evm', 'tempo']],
    ['evm/charge;q=0', ['evm', 'tempo']],
    ['', ['evm', 'tempo']],
    ['tempo/charge,', ['evm', 'tempo']],
    ['TEMPO/charge', ['evm', 'tempo']],
    ['tempo/charge;q=2', ['evm', 'tempo']],
    ['tempo/charge;q=0.1234', ['evm', 'tempo']],
    ['tempo/charge; q=1.000', ['tempo']],
  ])('%j takes %j', (header, methods) => expect(taken(header)).toEqual(methods))

  it('is not read when it is long', () =>
    expect(taken(`tempo/charge${',tempo/charge'.repeat(200)}`)).toEqual(['evm', 'tempo']))
})

it('a receipt is one that mppx reads', () => {
  const receipt = {
    method: 'evm',
    status: 'success',
    reference: '0xab',
    timestamp: '2026-11-22T12:00:00.000Z',
    challengeId: 'x',
    chainId: 8453,
  } as const
  expect(Receipt.deserialize(receiptText(receipt))).toEqual(receipt)
})

describe('the digest of a body', () => {
  const [mine, other] = ['{"a":1}', '{"a":2}'].map((body) => ({
    ...place(),
    bodyDigest: createHash('sha256').update(body).digest('base64'),
  }))

  it('is the one of mppx', () => {
    expect(digestFor(mine!)).toBe(BodyDigest.compute('{"a":1}'))
    expect([digestFor(place()), digestFor({ ...place(), bodyDigest: null })]).toEqual([null, null])
  })

  it.each([
    ['its own body', digestFor(mine!), mine!, true],
    ['another body', digestFor(mine!), other!, false],
    ['no body, or a long one', digestFor(mine!), { ...place(), bodyDigest: null }, false],
    ['a body that nobody looked at', digestFor(mine!), place(), true],
    ['any body, without a digest', null, mine!, true],
  ])('is good for %s', (_, digest, at, isGood) => {
    expect(isForBody({ digest }, at)).toBe(isGood)
  })
})
