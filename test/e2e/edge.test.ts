/** What strangers send: every refusal has the error body, names the reason and moves no money. */
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../support/ports.ts'
import { startGateway, type GatewayProcess } from '../support/gateway.ts'

let gateway: GatewayProcess
let key: string
beforeAll(async () => {
  gateway = await startGateway()
  key = (await gateway.key(100)).key
})
afterAll(async () => {
  // Ctrl-C under npx or npm: the terminal and the wrapper both tell the gateway, which must drain.
  process.kill(gateway.pid, 'SIGSTOP')
  process.kill(gateway.pid, 'SIGINT')
  const stopped = gateway.stop()
  process.kill(gateway.pid, 'SIGCONT')
  expect(await stopped).toBe(0)
  expect(gateway.output()).not.toContain('second signal')
})

const balance = async () =>
  (await gateway.call('GET', '/v1/credits/balance', { headers: { 'x-api-key': key } })).json

/** The raw answer to raw bytes. */
function raw(bytes: string): Promise<string> {
  const { hostname, port } = new URL(gateway.url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    let answer = ''
    socket.setTimeout(60_000, () => socket.destroy())
    socket.on('data', (chunk) => {
      answer += chunk.toString()
      if (/\r\n\r\n/.test(answer)) socket.end()
    })
    socket.on('close', () => resolve(answer))
    socket.on('error', reject)
  })
}

describe('paths and hosts', () => {
  it.each([
    [
      'a one-letter Host that shifts the router',
      'GET /xx/v1/paid/health HTTP/1.1\r\nHost: h\r\n\r\n',
      400,
    ],
    [
      'a three-letter Host and a double slash',
      'GET //v1/paid/health HTTP/1.1\r\nHost: a.b\r\n\r\n',
      400,
    ],
    ['a Host that is no authority', 'GET /v1/paid/health HTTP/1.1\r\nHost: a b@c/d\r\n\r\n', 400],
    [
      'a Host with a port that is none',
      'GET /v1/paid/health HTTP/1.1\r\nHost: localhost:65536\r\n\r\n',
      400,
    ],
    ['no Host', 'GET /v1/paid/health HTTP/1.1\r\n\r\n', 400],
    ['a double slash', 'GET //v1/paid/health HTTP/1.1\r\nHost: localhost\r\n\r\n', 404],
    ['an encoded slash', 'GET /v1%2Fpaid/health HTTP/1.1\r\nHost: localhost\r\n\r\n', 404],
    ['an upper-case path', 'GET /V1/paid/health HTTP/1.1\r\nHost: localhost\r\n\r\n', 404],
  ])('never serves a paid route by %s', async (_name, bytes, status) => {
    expect(await raw(bytes)).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  })

  it('answers dots in the path like the path they lead to, paid', async () => {
    for (const path of ['/v1/x/../paid/health', '/v1/%2e%2e/v1/paid/health', '/v1/./paid/health']) {
      expect(await raw(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)).toMatch(
        /^HTTP\/1.1 (402|404) /,
      )
    }
  })

  it('answers 404, 405 with Allow, HEAD and OPTIONS', async () => {
    const unknown = await gateway.call('GET', '/v1/nothing/here')
    expect([unknown.status, unknown.json.error.code]).toEqual([404, 'INVALID_INPUT'])
    const unlisted = await gateway.call('GET', '/v1/paid/unlisted', {
      headers: { 'x-api-key': key },
    })
    expect(unlisted.status).toBe(404)
    const wrong = await gateway.call('DELETE', '/v1/paid/echo')
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'POST'])
    const kernel = await gateway.call('DELETE', '/health')
    expect([kernel.status, kernel.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    expect((await gateway.call('HEAD', '/health')).status).toBe(200)
    const probe = await gateway.call('HEAD', '/v1/credits/capture')
    expect([probe.status, probe.headers.get('allow')]).toEqual([405, 'POST'])
    const head = await gateway.call('HEAD', '/v1/paid/health', { headers: { 'x-api-key': key } })
    expect([head.status, head.text]).toEqual([402, ''])
    const preflight = await gateway.call('OPTIONS', '/v1/paid/echo', {
      headers: { origin: 'https://a.example' },
    })
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([
      204,
      '*',
    ])
    const admin = await gateway.call('OPTIONS', '/v1/keys', {
      headers: { origin: 'https://a.example' },
    })
    expect(admin.headers.get('access-control-allow-origin')).toBeNull()
  })
})

describe('bodies', () => {
  const send = (body: string, headers: Record<string, string> = {}) =>
    gateway.call('POST', '/v1/paid/hash', { body, headers: { 'x-api-key': key, ...headers } })

  it.each([
    ['broken JSON', '{"input": "x"'],
    ['100,000 levels', `{"input":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['a number for text', '{"input": 5}'],
    ['NaN', '{"input": NaN}'],
    ['a number beyond a double', '{"input": "x", "more": [1e999]}'],
    ['an array', '[]'],
    ['null', 'null'],
    ['nothing', ''],
  ])('refuses %s with 400 and charges nothing', async (_name, body) => {
    const before = await balance()
    const answer = await send(body)
    expect(answer.status).toBe(400)
    expect(answer.json.error).toMatchObject({ code: 'INVALID_INPUT', retryable: false })
    expect(answer.json.error.details.issues[0]).toHaveProperty('message')
    expect(answer.headers.get('x-charged-credits')).toBe('0')
    expect(await balance()).toEqual(before)
  })

  it('names where a number is too large; a text may say what it likes', async () => {
    const answer = await gateway.call('POST', '/v1/paid/echo', {
      body: `{"a/b": [1, ${'9'.repeat(310)}]}`,
      headers: { 'x-api-key': key },
    })
    expect(answer.json.error.details.issues[0]).toEqual({
      path: '/a~1b/1',
      message: 'is too large a number',
    })
    expect((await send('{"input": "1e999"}')).status).toBe(200)
  })

  it('gives the 402 first to an unpaid caller, whatever the body', async () => {
    for (const body of ['{"input"', '[]', '']) {
      const answer = await gateway.call('POST', '/v1/paid/hash', { body })
      expect([answer.status, answer.problem.code]).toEqual([402, 'PAYMENT_REQUIRED'])
    }
  })

  it('refuses a body over the limit, also one that streams in without a length', async () => {
    const big = 'x'.repeat(2_000_000)
    expect((await send(JSON.stringify({ input: big }))).status).toBe(400)
    const streamed = await fetch(`${gateway.url}/v1/paid/hash`, {
      method: 'POST',
      headers: { 'x-api-key': key },
      body: new ReadableStream({
        start(controller) {
          for (let i = 0; i < 40; i++)
            controller.enqueue(new TextEncoder().encode('x'.repeat(100_000)))
          controller.close()
        },
      }),
    })
    expect(streamed.status).toBe(400)
    const route = await gateway.admin('POST', '/v1/keys', { name: big })
    expect(route.status).toBe(413)
  })

  it('refuses malformed credentials and idempotency keys', async () => {
    const wrongKey = await gateway.call('POST', '/v1/paid/hash', {
      body: { input: 'x' },
      headers: { 'x-api-key': `${key.slice(0, -1)}!` },
    })
    expect([wrongKey.status, wrongKey.json.error.details.reason]).toEqual([401, 'invalid_key'])
    expect((await send('{"input":"x"}', { 'idempotency-key': 'a b' })).status).toBe(400)
    expect((await send('{"input":"x"}', { 'idempotency-key': 'k'.repeat(300) })).status).toBe(400)
  })

  it('takes only well-formed request ids from callers', async () => {
    const taken = await gateway.call('GET', '/v1/paid/health', {
      headers: { 'x-request-id': 'my-id.1' },
    })
    expect(taken.headers.get('x-request-id')).toBe('my-id.1')
    const replaced = await gateway.call('GET', '/v1/paid/health', {
      headers: { 'x-request-id': 'a"b<script>' },
    })
    expect(replaced.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  })
})

describe('admin routes', () => {
  it('know no id with a NUL character in it', async () => {
    const paths: [string, string, unknown?][] = [
      ['GET', '/v1/keys/%00'],
      ['POST', '/v1/keys/a%00b/revoke'],
      ['PATCH', '/v1/keys/%00', { name: 'x' }],
      ['GET', '/v1/admin/products/%00'],
      ['DELETE', '/v1/admin/products/%00'],
      ['POST', '/v1/admin/products/%00/rollback', { version: 1 }],
    ]
    for (const [method, path, body] of paths) {
      const answer = await gateway.admin(method, path, body)
      expect([path, answer.status, answer.json.error.code]).toEqual([path, 404, 'INVALID_INPUT'])
    }
    const bodies: [string, Record<string, unknown>][] = [
      ['/v1/sandbox/topup', { apiKeyId: '\0', amount: 1 }],
      ['/v1/credits/refund', { apiKeyId: '\0', requestId: 'r' }],
      ['/v1/credits/topup/x402', { apiKeyId: '\0', amountUsd: 10 }],
    ]
    for (const [path, body] of bodies) {
      const answer = await gateway.admin('POST', path, body)
      expect([path, answer.status]).toEqual([path, 400])
      expect(answer.json.error.details.issues[0].path).toBe('/apiKeyId')
    }
  })

  it('refuse a missing, a wrong and a key bearer', async () => {
    for (const headers of [
      {},
      { authorization: 'Bearer nope' },
      { authorization: `Bearer ${key}` },
    ] as Record<string, string>[]) {
      expect((await gateway.call('GET', '/v1/ledger', { headers })).status).toBe(401)
    }
  })
})

it('a challenge is made for each name of a route, and for no other path', async () => {
  const challenge = (path: string) =>
    gateway.call('POST', '/v1/x402/challenge', { body: { skill: 'demo.hash', path } })
  const [route, other, wrong] = await Promise.all(
    ['/v1/paid/hash', 'POST /v1/p/demo/hash', '/v1/paid/echo'].map(challenge),
  )
  // 503 where no local chain can run.
  expect([200, 503]).toContain(route!.status)
  expect([other!.status, other!.json.header]).toEqual([route!.status, route!.json.header])
  expect(wrong!.status).toBe(404)
})

it('/docs asks no other host for anything, and nobody frames it', async () => {
  const { text, headers } = await gateway.call('GET', '/docs')
  expect(headers.get('x-frame-options')).toBe('DENY')
  const policy = headers.get('content-security-policy')
  expect(policy).toContain(`connect-src 'self' ${gateway.url};`)
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';")
  expect(text).not.toMatch(/(?:src|href)="(?:https?:)?\/\//)
})

describe('the address', () => {
  it('is not shared with a second gateway, which has said its settings by then', async () => {
    const second = startGateway({
      PORT: new URL(gateway.url).port,
      SANDBOX_CHAIN: 'false',
      LOG_LEVEL: 'info',
    })
    const said = await second.then(
      () => 'it started',
      (error: Error) => error.message,
    )
    expect(said).toMatch(/ended with 69[^]*cannot listen on 127\.0\.0\.1/)
    expect(said).toMatch(/"ADMIN_TOKEN":"test…\(\d+ characters\)"[^]*"HOLD_TTL":"15m"/)
    expect(said).not.toContain(gateway.adminToken)
  })

  it('of another machine is refused by what to set, not as one that is taken', async () => {
    const elsewhere = startGateway({
      HOST: '192.0.2.1',
      PORT: String(await freePort()),
      SANDBOX_CHAIN: 'false',
    })
    const said = await elsewhere.catch((error: Error) => error.message)
    expect(said).toMatch(/ended with 69[^]*cannot listen on 192\.0\.2\.1[^]*Set HOST to an address/)
    expect(said).not.toContain('Stop what is there')
  })
})
