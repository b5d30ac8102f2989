import { describe, expect, it } from 'vitest'
import { headerRules, requestHeaders, responseHeaders } from '../../../../plugins/proxy/headers.ts'

const rulesOf = (overrides: Partial<Parameters<typeof headerRules>[0]> = {}) =>
  headerRules({
    forwardHeaders: [],
    headers: {},
    serviceToken: null,
    publicUrl: 'https://pay.example.com:8443/',
    strippedPrefix: '/v1/weather',
    ...overrides,
  })
const facts = {
  requestId: 'r1',
  keyId: 'key-1',
  clientAddress: '203.0.113.9',
  method: 'GET',
  metered: true,
}
const sent = (headers: Record<string, string>, overrides = {}) =>
  requestHeaders(rulesOf(overrides), new Headers(headers), facts)

describe('headers to the upstream', () => {
  it('passes what the list allows and makes forwarding headers anew', () => {
    expect(
      sent({
        'Content-Type': 'text/csv',
        Accept: 'text/html',
        'User-Agent': 'agent/1',
        Traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
        'X-Forwarded-For': '6.6.6.6',
        'X-Forwarded-Host': 'evil.test',
        'X-Real-Ip': '6.6.6.6',
        Forwarded: 'for=6.6.6.6',
        'X-Request-Id': 'theirs',
        'X-Anything': 'else',
        'Idempotency-Key': 'k',
      }),
    ).toEqual({
      'content-type': 'text/csv',
      accept: 'text/html',
      'user-agent': 'agent/1',
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      via: '1.1 coinop',
      'x-request-id': 'r1',
      'x-forwarded-for': '203.0.113.9',
      'x-forwarded-host': 'pay.example.com:8443',
      'x-forwarded-proto': 'https',
      'x-forwarded-prefix': '/v1/weather',
    })
  })

  it("adds the operator's headers over the caller's, and listed ones of the caller", () => {
    const headers = sent(
      { Accept: 'text/html', 'X-Tenant': 'a' },
      {
        forwardHeaders: ['X-Tenant'],
        headers: { Authorization: 'Bearer secret', Accept: 'application/json' },
      },
    )
    expect(headers).toMatchObject({
      authorization: 'Bearer secret',
      accept: 'application/json',
      'x-tenant': 'a',
    })
  })

  it('tells the payer only to an upstream that holds the service token', () => {
    expect(sent({})).not.toHaveProperty('x-kernel-api-key-id')
    expect(sent({}, { serviceToken: 'tok' })).toMatchObject({
      'x-kernel-service-token': 'tok',
      'x-kernel-api-key-id': 'key-1',
    })
  })

  it('asks paid routes unconditionally, free ones as the caller does', () => {
    const caller = new Headers({ 'if-none-match': '"a"', range: 'bytes=0-1' })
    for (const method of ['GET', 'HEAD', 'POST'])
      expect(requestHeaders(rulesOf(), caller, { ...facts, method })).not.toHaveProperty(
        'if-none-match',
      )
    const free = requestHeaders(rulesOf(), caller, { ...facts, metered: false })
    expect(free).toMatchObject({ 'if-none-match': '"a"', range: 'bytes=0-1' })
  })

  it('leaves writes on paid routes their conditions', () => {
    const caller = new Headers({ 'if-none-match': '*', 'if-match': '"a"' })
    for (const method of ['PUT', 'PATCH', 'DELETE'])
      expect(requestHeaders(rulesOf(), caller, { ...facts, method })).toMatchObject({
        'if-none-match': '*',
        'if-match': '"a"',
      })
  })

  it('stops a request that goes in circles', () => {
    const thrice = Array.from({ length: 3 }, () => '1.1 coinop').join(', ')
    expect(sent({ via: thrice })).toMatchObject({ via: `${thrice}, 1.1 coinop` })
    expect(sent({ via: `${thrice}, 1.1 coinop` })).toBeNull()
  })

  it.each([
    'Authorization',
    'cookie',
    'X-Api-Key',
    'X-Forwarded-For',
    'x_real_ip',
    'Connection',
    'Host',
  ])('refuses to let %s through by forward_headers', (name) => {
    expect(() => rulesOf({ forwardHeaders: [name] })).toThrow(name)
  })

  it('refuses headers that the connection decides', () => {
    expect(() => rulesOf({ headers: { 'Transfer-Encoding': 'chunked' } })).toThrow(
      'Transfer-Encoding',
    )
  })
})

describe('headers to the caller', () => {
  const shown = (...pairs: [string, string][]) => [
    ...responseHeaders(pairs.flat(), (to) => `/v1/w${to}`),
  ]

  it('keeps repeats and drops connection headers and those that Connection names', () => {
    expect(
      shown(
        ['Set-Cookie', 'a=1'],
        ['Set-Cookie', 'b=2'],
        ['X-Own', 'yes'],
        ['X-Hop', 'no'],
        ['Connection', 'keep-alive, X-Hop'],
        ['Keep-Alive', 'timeout=5'],
        ['Trailer', 'X-T'],
        ['Transfer-Encoding', 'chunked'],
        ['Content-Encoding', 'gzip'],
      ),
    ).toEqual([
      ['content-encoding', 'gzip'],
      ['x-own', 'yes'],
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
    ])
  })

  it('drops what would forge a receipt or answer for other origins', () => {
    expect(
      shown(
        ['X-Charged-Credits', '0'],
        ['X-Balance-Credits', '9'],
        ['PAYMENT-RESPONSE', 'x'],
        ['X-Request-Id', 'x'],
        ['RateLimit', 'x'],
        ['Access-Control-Allow-Origin', 'evil'],
      ),
    ).toEqual([])
  })

  it('shows locations as the caller can follow them', () => {
    expect(shown(['Location', '/a'], ['Content-Location', '/b'])).toEqual([
      ['content-location', '/v1/w/b'],
      ['location', '/v1/w/a'],
    ])
    expect([...responseHeaders(['Location', '/a'], () => null)]).toEqual([])
  })
})
