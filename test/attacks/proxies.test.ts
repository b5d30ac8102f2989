/**
 * A gateway behind real proxies (Debian's nginx, HAProxy and Caddy): no request gets past a proxy
 * inside another, no shared cache gives what one caller paid for to the next, no upstream steers the
 * proxy that stands in front, and who leaves pays for nothing.
 */
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { testDatabase, type TestDatabase } from '../support/database.ts'
import {
  hasCaddy,
  hasHaproxy,
  hasNginx,
  INTERNAL_SECRET,
  startCaddy,
  startHaproxy,
  startNginx,
  THROUGH,
  type FrontProxy,
} from '../support/front-proxies.ts'
import { startGateway, type GatewayProcess } from '../support/gateway.ts'
import { PATIENT } from '../support/patience.ts'
import { skipPart } from '../support/skips.ts'
import { startUpstream, type TestUpstream } from '../support/upstream.ts'

type Labels = Record<string, string>

const PAID_FOR = 'what-one-caller-paid-for-81c2'

let database: TestDatabase
let upstream: TestUpstream
/** Requests that the upstream never answers, open now. */
let unanswered = 0
let gateway: GatewayProcess
let key: { id: string; key: string }

/** Headers by which an upstream might tell a cache or a proxy what to do, each at a path of its own. */
const STEERING: Readonly<Record<string, Record<string, string>>> = {
  public: { 'cache-control': 'public, max-age=600' },
  shared: { 'cache-control': 's-maxage=600' },
  expires: { expires: 'Thu, 01 Jan 2099 00:00:00 GMT' },
  accel: { 'x-accel-expires': '600' },
  surrogate: { 'surrogate-control': 'max-age=600' },
  cdn: { 'cdn-cache-control': 'max-age=600' },
  vendor: { 'cloudflare-cdn-cache-control': 'max-age=600' },
  edge: { 'edge-control': 'cache-maxage=600' },
  litespeed: { 'x-litespeed-cache-control': 'public,max-age=600' },
  redirect: { 'x-accel-redirect': '/internal/secret' },
  sendfile: { 'x-sendfile': '/etc/passwd' },
  reproxy: { 'x-reproxy-url': 'http://127.0.0.1:1/' },
}

beforeAll(async () => {
  database = await testDatabase()
  upstream = await startUpstream((request, response) => {
    const [, , name = ''] = (request.url ?? '').split('?')[0]!.split('/')
    request.resume()
    if (name === 'never') {
      unanswered += 1
      response.once('close', () => (unanswered -= 1))
      return
    }
    request.on('end', () => {
      const unbuffered = name === 'unbuffered' && { 'x-accel-buffering': 'no' }
      const headers = { 'content-type': 'application/json', ...STEERING[name], ...unbuffered }
      response.writeHead(200, headers)
      response.end(JSON.stringify({ secret: PAID_FOR }))
    })
  })
  gateway = await startGateway({
    DATABASE_URL: database.url,
    COINOP_MASTER_KEY: Buffer.alloc(32, 9).toString('base64'),
    SANDBOX: 'true',
    SANDBOX_CHAIN: 'false',
    RATE_LIMIT_RPM: '100000',
    RATE_LIMIT_BURST: '100000',
  })
  key = await gateway.key(10_000)
  for (const [id, visibility, skills] of [
    ['far', 'public', [{ id: 'far.get', title: 'Get', description: 'Gets it.', route: 'GET /paid/{name}', price: { credits: 1 } }, { id: 'far.post', title: 'Post', description: 'Posts it.', route: 'POST /paid/{name}', price: { credits: 1 } }]],
    ['own', 'private', [{ route: 'GET /free/{name}', metered: false }]],
  ] as const) {
    const made = await gateway.admin('PUT', `/v1/admin/products/${id}`, {
      product_id: id, title: id, description: 'Of the test.', base_path: `/v1/${id}`, path_rewrite: 'strip',
      visibility, metered: id === 'far', skills,
      upstream: { url: upstream.url, allow_private: true, forward_headers: [THROUGH], timeout: '240s' },
    })
    expect(made.status, made.text).toBeLessThan(300)
  } // prettier-ignore
})
afterAll(async () => {
  await gateway.stop()
  await upstream.close()
  await database.close()
})

/** All that comes back for these bytes until nothing has come for a while, or the proxy closes. */
async function raw(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  const { promise, resolve } = Promise.withResolvers<void>()
  let answer = ''
  socket.on('error', () => resolve())
  socket.on('close', () => resolve())
  socket.on('data', (data) => {
    answer += data.toString('latin1')
    socket.setTimeout(300)
  })
  socket.setTimeout(1500, () => socket.destroy())
  socket.write(Buffer.from(text, 'latin1'))
  await promise
  return answer
}

const hidden = 'GET /v1/own/free/smuggled HTTP/1.1\r\nHost: x\r\nX-Api-Key: KEY\r\n\r\n'
const chunkOf = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`
/** The headers and the body of a request, in which two readers may see different ends. */
const FRAMINGS: Readonly<Record<string, [string, string]>> = {
  'length before chunks': ['Content-Length: 5\r\nTransfer-Encoding: chunked', `0\r\n\r\n${hidden}`],
  'chunks before length': [
    `Transfer-Encoding: chunked\r\nContent-Length: ${5 + hidden.length}`,
    `0\r\n\r\n${hidden}`,
  ],
  'a tab before chunked': [
    'Content-Length: 5\r\nTransfer-Encoding:\tchunked',
    `0\r\n\r\n${hidden}`,
  ],
  'a vertical tab before chunked': [
    'Content-Length: 5\r\nTransfer-Encoding: \x0bchunked',
    `0\r\n\r\n${hidden}`,
  ],
  'a space before the colon': [
    `Content-Length: ${5 + hidden.length}\r\nTransfer-Encoding : chunked`,
    `0\r\n\r\n${hidden}`,
  ],
  'two codings': [
    `Content-Length: ${5 + hidden.length}\r\nTransfer-Encoding: x\r\nTransfer-Encoding: chunked`,
    `0\r\n\r\n${hidden}`,
  ],
  'a quoted coding': [
    `Content-Length: ${5 + hidden.length}\r\nTransfer-Encoding: "chunked"`,
    `0\r\n\r\n${hidden}`,
  ],
  'an underscore': [
    `Content-Length: ${5 + hidden.length}\r\nTransfer_Encoding: chunked`,
    `0\r\n\r\n${hidden}`,
  ],
  'a folded coding': [
    `Content-Length: ${5 + hidden.length}\r\nTransfer-Encoding:\r\n chunked`,
    `0\r\n\r\n${hidden}`,
  ],
  'a length with zeros': [`Content-Length: 000${hidden.length}`, hidden],
  'a length with a plus': [`Content-Length: +${hidden.length}`, hidden],
  'two lengths': [`Content-Length: 0\r\nContent-Length: ${hidden.length}`, hidden],
  'a bare line feed in a chunk size': ['Transfer-Encoding: chunked', `0\n\n${hidden}`],
  'an extension with a line feed': [
    'Transfer-Encoding: chunked',
    `2;a\nb\r\n{}\r\n0\r\n\r\n${hidden}`,
  ],
  'a chunk size with 0x': ['Transfer-Encoding: chunked', `0x2\r\n{}\r\n0\r\n\r\n${hidden}`],
  'a chunk that is longer than it says': [
    'Transfer-Encoding: chunked',
    `2\r\n{}XX\r\n0\r\n\r\n${hidden}`,
  ],
  'a chunk size of many digits': [
    'Transfer-Encoding: chunked',
    `10000000000000002\r\n{}\r\n0\r\n\r\n${hidden}`,
  ],
  'a trailer that is a request': ['Transfer-Encoding: chunked', `2\r\n{}\r\n0\r\n${hidden}\r\n`],
  'a request in a chunk': ['Transfer-Encoding: chunked', chunkOf(hidden)],
  'a connection header that names the length': [
    `Connection: keep-alive, Content-Length\r\nContent-Length: ${hidden.length}`,
    hidden,
  ],
  'a body that is asked for': [`Expect: 100-continue\r\nContent-Length: ${hidden.length}`, hidden],
  'an upgrade': [
    `Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\nContent-Length: ${hidden.length}`,
    hidden,
  ],
  'a websocket that is none': [
    `Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: x\r\nContent-Length: ${hidden.length}`,
    hidden,
  ],
}

const proxies: [string, boolean, (url: string) => Promise<FrontProxy>][] = [
  ['nginx', hasNginx(), startNginx],
  ['haproxy', hasHaproxy(), startHaproxy],
]
for (const [name, isThere, start] of proxies) {
  const isSkipped = !isThere && skipPart(name, `apt-get install ${name} to try attacks through it`)
  describe.skipIf(isSkipped)(`a request hidden from ${name}`, () => {
    let proxy: FrontProxy
    beforeAll(async () => {
      proxy = await start(gateway.url)
    })
    afterAll(() => proxy.stop())

    it.each(Object.keys(FRAMINGS))('by %s reaches nobody', async (framing) => {
      const [headers, body] = FRAMINGS[framing]!
      const before = upstream.requests.length
      for (const [method, path] of [['POST', '/v1/far/paid/outer'], ['GET', '/health'], ['POST', '/mcp']]) {
        const outer = `${method} ${path} HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${key.key}\r\nContent-Type: application/json\r\n${headers}\r\n\r\n${body}`
        await raw(proxy.port, outer.replaceAll('KEY', key.key))
        // Who comes next over the same connections gets its own answer.
        const next = await Promise.all(
          Array.from({ length: 4 }, async (_, i) => {
            const requestId = `next-${i}-${crypto.randomUUID()}`
            const answer = await fetch(`http://127.0.0.1:${proxy.port}/health`, {
              headers: { 'x-request-id': requestId, connection: 'close' },
            })
            return answer.status === 200 && answer.headers.get('x-request-id') === requestId
          }),
        )
        expect(next, `${method} ${path}`).toEqual([true, true, true, true])
      }
      // The proxy may have told the requests apart and sent both; then both have its mark.
      const unmarked = upstream.requests.slice(before).filter(({ headers }) => !headers[THROUGH])
      expect(unmarked).toEqual([])
    }) // prettier-ignore
  })
}

const letting: typeof proxies = [
  ['nginx', hasNginx(), (url) => startNginx(url, false)],
  ['haproxy', hasHaproxy(), startHaproxy],
  ['caddy', hasCaddy(), startCaddy],
]
for (const [name, isThere, start] of letting) {
  const isSkipped = !isThere && skipPart(name, `apt-get install ${name} to try leaving through it`)
  describe.skipIf(isSkipped)(`a caller who leaves ${name}`, () => {
    let proxy: FrontProxy
    beforeAll(async () => {
      proxy = await start(gateway.url)
    })
    afterAll(() => proxy.stop())

    it('ends the work and pays nothing for it', async () => {
      const own = await gateway.key(10)
      const headers = { 'x-api-key': own.key }
      const leaving = new AbortController()
      const call = fetch(`http://127.0.0.1:${proxy.port}/v1/far/paid/never`, {
        headers,
        signal: leaving.signal,
      }).then(
        ({ status }) => status,
        () => 'left',
      )
      await vi.waitUntil(() => unanswered === 1, PATIENT)
      leaving.abort()
      expect(await call).toBe('left')
      await vi.waitUntil(() => unanswered === 0, PATIENT)
      const balance = await vi.waitUntil(async () => {
        const { json } = await gateway.call('GET', '/v1/credits/balance', { headers })
        return json.heldCredits === 0 && json
      }, PATIENT)
      expect(balance.credits).toBe(10)
      // Who leaves makes no failure of the gateway, which would call its operator.
      await vi.waitUntil(async () => {
        const { json } = await gateway.call('GET', '/metrics')
        const { values } = json.gateway_calls_total as { values: { labels: Labels }[] }
        const ends = values.filter(({ labels }) => labels.skill === 'far.get')
        expect(ends.map(({ labels }) => labels.outcome)).not.toContain('TIMEOUT')
        return ends.some(({ labels }) => labels.outcome === 'left')
      }, PATIENT)
    })
  })
}

describe.skipIf(!hasNginx())('what an upstream tells a proxy in front', () => {
  let proxy: FrontProxy
  beforeAll(async () => {
    proxy = await startNginx(gateway.url)
  })
  afterAll(() => proxy.stop())
  const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`http://127.0.0.1:${proxy.port}${path}`, { headers })

  it.each(Object.keys(STEERING))('by %s gives nobody what another paid for', async (name) => {
    for (const path of [`/v1/far/paid/${name}`, `/v1/own/free/${name}`]) {
      const own = await get(path, { 'x-api-key': key.key })
      expect(own.status, path).toBe(200)
      expect(await own.text()).toBe(JSON.stringify({ secret: PAID_FOR }))
      const other = await get(path)
      expect([401, 402], path).toContain(other.status)
      expect(await other.text()).not.toContain(PAID_FOR)
      const again = await get(path, { 'x-api-key': key.key })
      expect(again.headers.get('x-cache'), path).not.toBe('HIT')
    }
  })

  it('leaves no header that proxies and caches take orders from', async () => {
    for (const [name, headers] of Object.entries(STEERING)) {
      const answer = await gateway.call('GET', `/v1/far/paid/${name}`, {
        headers: { 'x-api-key': key.key },
      })
      expect(answer.status).toBe(200)
      for (const header of Object.keys(headers)) {
        const value = answer.headers.get(header)
        if (header === 'cache-control') expect(value).toMatch(/^private/)
        else if (header !== 'expires') expect(value, header).toBeNull()
      }
    }
  })

  it('may have a stream passed on unbuffered', async () => {
    const answer = await gateway.call('GET', '/v1/far/paid/unbuffered', {
      headers: { 'x-api-key': key.key },
    })
    expect(answer.headers.get('x-accel-buffering')).toBe('no')
  })

  it('reads no file of the proxy', async () => {
    const answer = await get('/v1/far/paid/redirect', { 'x-api-key': key.key })
    expect(await answer.text()).not.toContain(INTERNAL_SECRET)
  })
})

describe('an error that one caller makes', () => {
  it('is kept by no cache for the others', async () => {
    for (const [path, headers] of [
      ['/v1/far/paid/public', {}],
      ['/v1/far/paid/public', { 'x-api-key': 'ck_test_wrong' }],
      ['/v1/far/paid/public', { 'idempotency-key': 'ü' }],
      ['/v1/own/free/public', {}],
      ['/v1/far/nothing', {}],
      ['/nothing', {}],
      ['/v1/far/paid/%ff', { 'x-api-key': key.key }],
      ['/v1/account', {}],
      ['/v1/ledger', {}],
      ['/v1/keys/none', { authorization: `Bearer ${gateway.adminToken}` }],
    ] as [string, Record<string, string>][]) {
      const answer = await fetch(`${gateway.url}${path}`, { headers })
      expect(answer.status, path).toBeGreaterThanOrEqual(400)
      expect(answer.headers.get('cache-control'), `${answer.status} ${path}`).toContain('no-store')
    }
  })

  it('nor is what an operator or a key may read', async () => {
    const admin = { authorization: `Bearer ${gateway.adminToken}` }
    for (const [path, headers] of [
      ['/v1/keys', admin],
      ['/v1/ledger', admin],
      ['/v1/admin/topup/flagged', admin],
      ['/v1/admin/products', admin],
      ['/v1/admin/webinfra/endpoints', admin],
      ['/metrics', admin],
      ['/ready', admin],
      ['/v1/account', { 'x-api-key': key.key }],
      ['/v1/usage', { 'x-api-key': key.key }],
      ['/v1/credits/balance', { 'x-api-key': key.key }],
      ['/v1/products', { 'x-api-key': key.key }],
    ] as [string, Record<string, string>][]) {
      const answer = await fetch(`${gateway.url}${path}`, { headers })
      expect(answer.status, path).toBe(200)
      expect(answer.headers.get('cache-control'), path).toMatch(/no-store|private/)
    }
  })
})
