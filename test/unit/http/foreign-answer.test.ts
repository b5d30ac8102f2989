/** What an upstream's answer may do on the gateway's own origin, at once and from the store. */
import { describe, expect, it } from 'vitest'
import { answerOf } from '../../../kernel/http/http-call.ts'
import type { AnswerFacts } from '../../../kernel/http/failure-answer.ts'
import { confine, neverPasses } from '../../../kernel/net/foreign-answer.ts'
import type { MeterOutcome } from '../../../kernel/metering/call.ts'

const confined = (pairs: [string, string][], passed: string[] = []) => {
  const headers = new Headers(pairs)
  confine(headers, passed)
  return headers
}
const HARDENED = [
  ['content-security-policy', 'sandbox'],
  ['x-content-type-options', 'nosniff'],
]

describe('headers of an upstream', () => {
  it.each([
    'Accept-CH',
    'Alt-Svc',
    'Clear-Site-Data',
    'Cross-Origin-Opener-Policy',
    'NEL',
    'Origin-Agent-Cluster',
    'Public-Key-Pins',
    'Refresh',
    'Report-To',
    'Reporting-Endpoints',
    'Sec-Session-Registration',
    'Service-Worker-Allowed',
    'Set-Cookie',
    'SourceMap',
    'Strict-Transport-Security',
    'WWW-Authenticate',
  ])('%s speaks for the origin: it passes only when the product opens it', (name) => {
    expect([...confined([[name, 'x']])]).toEqual(HARDENED)
    expect(confined([[name, 'x']], [name.toLowerCase()]).get(name)).toBe('x')
  })

  it('of the answer itself pass; its own policy stands beside ours, its type is not guessed', () => {
    const headers = confined([
      ['Content-Type', 'text/html'],
      ['ETag', '"x"'],
      ['Link', '</next>; rel="next"'],
      ['X-Frame-Options', 'DENY'],
      ['Content-Security-Policy', "default-src 'none'"],
      ['X-Content-Type-Options', 'guess'],
    ])
    expect([
      ...confined([['Access-Control-Allow-Origin', '*']], ['access-control-allow-origin']),
    ]).toEqual(HARDENED)
    expect([...headers]).toEqual([
      ['content-security-policy', "default-src 'none', sandbox"],
      ['content-type', 'text/html'],
      ['etag', '"x"'],
      ['link', '</next>; rel="next"'],
      ['x-content-type-options', 'nosniff'],
      ['x-frame-options', 'DENY'],
    ])
  })

  it('never set a cookie of the gateway’s own pages', () => {
    const headers = confined(
      [
        ['Set-Cookie', 'a=1'],
        ['Set-Cookie', 'coinop-console=x; Path=/console'],
        ['Set-Cookie', '__Secure-Coinop-Console=x'],
        ['Set-Cookie', ' =coinop-console=x'],
        ['Set-Cookie', 'b=2'],
      ],
      ['set-cookie'],
    )
    expect(headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  })

  it('say what was used where the product passes that on', () => {
    const said: [string, string][] = [['X-Usage', 'page=99']]
    expect(confined(said, []).get('x-usage')).toBeNull()
    expect(confined(said, ['x-usage']).get('x-usage')).toBe('page=99')
    // A price may be measured in it, so that it reaches the meter.
    expect(neverPasses('X-Usage')).toBe(false)
  })

  it.each([
    'Connection',
    'X-Charged-Credits',
    'X-Price-Capped',
    'PAYMENT-RESPONSE',
    'Access-Control-Allow-Origin',
  ])('%s can be opened by no product', (name) => {
    expect(neverPasses(name)).toBe(true)
  })
})

describe('answers', () => {
  const facts: AnswerFacts = { requestId: 'r', priceVersion: 1, paidRoute: true }
  const receipt = { rail: 'credits', chargedAtomic: 0n, ledgerId: null, headers: {} }
  const stored: Extract<MeterOutcome, { kind: 'answer' }> = {
    kind: 'answer',
    answer: {
      status: 200,
      headers: {
        'content-type': 'text/html',
        'set-cookie': 'a=1\nb=2',
        'service-worker-allowed': '/',
        'payment-response': 'receipt',
      },
      body: new Uint8Array(),
    },
    receipt,
    rateHeaders: {},
    replayed: true,
  }

  it('that were stored before lose the same, and keep their receipt', () => {
    const { headers } = answerOf(stored, facts)
    expect(headers.getSetCookie()).toEqual([])
    expect(headers.get('service-worker-allowed')).toBeNull()
    expect(headers.get('content-security-policy')).toBe('sandbox')
    expect(headers.get('payment-response')).toBe('receipt')
    expect(headers.get('idempotency-replayed')).toBe('true')
    const opened = answerOf(stored, { ...facts, foreign: { passHeaders: ['set-cookie'] } })
    expect(opened.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  })

  it('that stream are confined too; those of a skill’s own handler are not', () => {
    const response = new Response('<script>', { headers: { 'set-cookie': 'a=1' } })
    const onBroken = async () => {}
    const stream: MeterOutcome = { kind: 'stream', response, receipt, rateHeaders: {}, onBroken }
    const { headers } = answerOf(stream, facts)
    expect(headers.getSetCookie()).toEqual([])
    expect(headers.get('content-security-policy')).toBe('sandbox')
    const answer = { ...stored.answer, headers: { 'content-type': 'application/json' } }
    const own = answerOf({ ...stored, answer, replayed: false }, facts)
    expect(own.headers.get('content-security-policy')).toBeNull()
  })
})
