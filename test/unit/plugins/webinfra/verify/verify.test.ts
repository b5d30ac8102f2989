/** Every scheme against its known answers, and against what an attacker makes of them. */
import { describe, expect, it } from 'vitest'
import { SCHEMES } from '../../../../../plugins/webinfra/verify/contract.ts'
import { isSigned, verifySignature } from '../../../../../plugins/webinfra/verify/verify.ts'
import { vectors, type Vector } from './vectors.ts'

interface Change {
  headers?: Record<string, string>
  body?: string
  secrets?: string[]
  /** Seconds between the signed time and now. */
  lateS?: number
}

function verify(vector: Vector, change: Change = {}) {
  const { scheme, header = null, algorithm = null } = vector
  const nowS = (vector.timestamp ?? 1_700_000_000) + (change.lateS ?? 0)
  return verifySignature(
    { scheme, header, algorithm },
    {
      headers: new Headers({ ...vector.headers, ...change.headers }),
      body: new TextEncoder().encode(change.body ?? vector.body),
      now: new Date(nowS * 1000),
      secrets: change.secrets ?? [vector.secret],
    },
  )
}

/** Values for a signature header that no provider sends. */
const MALFORMED = [
  '',
  ' ',
  'zz',
  'v1,',
  'v1',
  't=,v1=',
  't=1614265330',
  'v0=',
  'v0=zz',
  'sha256=',
  'sha256=zz',
  'sha1=757107ea0eb2509fc211221cce984b8a37570b6d',
  '='.repeat(64),
  'A'.repeat(44),
  '0'.repeat(64),
  '0'.repeat(63),
  '0'.repeat(128),
  'v1,' + 'v1,'.repeat(5000),
  't=1614265330,'.repeat(2000),
]

it('knows every scheme but none', () => {
  expect(new Set(vectors.map(({ scheme }) => scheme))).toEqual(
    new Set(SCHEMES.filter((scheme) => scheme !== 'none')),
  )
})

describe.each(vectors)('$scheme: $source', (vector) => {
  it('accepts the known answer', () => {
    expect(verify(vector)).toEqual({ ok: true })
  })

  it('accepts it while an older secret counts too', () => {
    expect(verify(vector, { secrets: ['the new secret', vector.secret] })).toEqual({ ok: true })
  })

  it('refuses another secret, and no secret', () => {
    expect(verify(vector, { secrets: ['another secret'] }).ok).toBe(false)
    expect(verify(vector, { secrets: [''] }).ok).toBe(false)
    expect(verify(vector, { secrets: [] }).ok).toBe(false)
  })

  it.each(MALFORMED)('refuses the signature %j without throwing', (text) => {
    expect(verify(vector, { headers: { [vector.signed]: text } }).ok).toBe(false)
  })

  it('refuses a signature with one character more, less or changed, and none at all', () => {
    const text = vector.headers[vector.signed]!
    for (const changed of [text.slice(0, -1), `${text}a`, `${text.slice(0, -1)}!`]) {
      expect(verify(vector, { headers: { [vector.signed]: changed } }).ok).toBe(false)
    }
    expect(verify({ ...vector, headers: {} }).ok).toBe(false)
  })

  it('counts as signed, and without its header as unsigned', () => {
    const { scheme, header = null, algorithm = null } = vector
    const verification = { scheme, header, algorithm }
    expect(isSigned(verification, new Headers(vector.headers))).toBe(true)
    expect(isSigned(verification, new Headers({ 'x-other': '1' }))).toBe(false)
  })
})

describe.each(vectors.filter(({ scheme }) => scheme !== 'shared-secret'))(
  'body of $scheme: $source',
  (vector) => {
    it('refuses another body', () => {
      expect(verify(vector, { body: vector.body + ' ' }).ok).toBe(false)
      expect(verify(vector, { body: '' }).ok).toBe(false)
    })
  },
)

describe.each(vectors.filter(({ timestamp }) => timestamp !== undefined))(
  'time of $scheme: $source',
  (vector) => {
    it.each([-300, -299, 0, 299, 300])('accepts a time off by %i s', (lateS) => {
      expect(verify(vector, { lateS }).ok).toBe(true)
    })
    it.each([-86_400, -301, 301, 86_400])('refuses a time off by %i s', (lateS) => {
      expect(verify(vector, { lateS }).ok).toBe(false)
    })
    it.each(['', 'NaN', '1e9', '-1', '0x10', '1614265330.5', '9'.repeat(400)])(
      'refuses the time %j',
      (text) => {
        const headers = Object.fromEntries(
          Object.entries(vector.headers).map(([name, value]) => [
            name,
            value.replaceAll(String(vector.timestamp), text),
          ]),
        )
        expect(verify(vector, { headers }).ok).toBe(false)
      },
    )
  },
)

it('none verifies nothing and calls nothing signed', () => {
  const none = { scheme: 'none', header: null, algorithm: null } as const
  const headers = new Headers(vectors[0]!.headers)
  expect(isSigned(none, headers)).toBe(false)
  const request = { headers, body: new Uint8Array(), now: new Date(), secrets: ['secret'] }
  expect(verifySignature(none, request).ok).toBe(false)
})
