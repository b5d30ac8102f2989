/** Products with an upstream, through the real gateway, against real servers behind it. */
import { createHash } from 'node:crypto'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startGateway, type GatewayProcess } from '../support/gateway.ts'
import { freePort } from '../support/ports.ts'
import { startUpstream, type TestUpstream } from '../support/upstream.ts'
import { PATIENT } from '../support/patience.ts'

const CHUNK = Buffer.alloc(65_536, 7)
/** 420 MB, so that a body that is kept anywhere outgrows what the garbage collector leaves. */
const HUGE_CHUNKS = 6400
const FLAT_MIB = 200

let gateway: GatewayProcess
let upstream: TestUpstream
let productsDir: string
let caller: { id: string; key: string }
/** What the upstream saw of uploads and of callers who left. */
const seen = { sha256: '', closedEarly: 0 }

beforeAll(async () => {
  upstream = await startUpstream((incoming, response) => {
    const path = (incoming.url ?? '').split('?')[0]
    switch (path) {
      case '/base/json':
        response.writeHead(200, {
          'content-type': 'application/json',
          'set-cookie': ['a=1; Path=/', 'b=2'],
          'x-charged-credits': '0',
          connection: 'X-Private, keep-alive',
          'x-private': 'hop',
        })
        return response.end('{"ok":true}')
      case '/base/echo':
      case '/base/echo/number/1234567890123456789': {
        const hash = createHash('sha256')
        incoming.on('data', (chunk: Buffer) => hash.update(chunk))
        return incoming.on('end', () => {
          seen.sha256 = hash.digest('hex')
          response.end(seen.sha256)
        })
      }
      case '/base/huge': {
        let left = HUGE_CHUNKS
        const write = (): void => {
          while (left > 0) {
            left -= 1
            if (!response.write(CHUNK)) return void response.once('drain', write)
          }
          response.end()
        }
        return write()
      }
      case '/base/events': {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        let count = 0
        const timer = setInterval(() => response.write(`data: ${(count += 1)}\n\n`), 20)
        return response.on('close', () => {
          clearInterval(timer)
          seen.closedEarly += 1
        })
      }
      case '/base/cut':
        response.writeHead(200, { 'content-type': 'text/plain' })
        response.write('half of it')
        return setTimeout(() => response.socket?.destroy(), 30)
      case '/base/duplex':
        // Answers the first part of the request and gives up at the second.
        response.writeHead(200, { 'content-type': 'text/plain' })
        response.write('most of it')
        return incoming.once('data', () => incoming.once('data', () => response.socket?.destroy()))
      case '/base/moved':
        return response.writeHead(302, { location: '/base/json?x=1' }).end()
      default:
        return response.writeHead(422, { 'x-detail': 'no' }).end('{"secret":"stack trace"}')
    }
  })
  productsDir = mkdtempSync(join(tmpdir(), 'coinop-proxy-'))
  copyFileSync(
    resolve(import.meta.dirname, '../../products/x402.yaml'),
    join(productsDir, 'x402.yaml'),
  )
  writeFileSync(join(productsDir, 'mcp.yaml'), 'product_id: mcp\nplugin: mcp\nmetered: false\n')
  gateway = await startGateway({
    PRODUCTS_DIR: productsDir,
    PRODUCT_UPSTREAM_URL: `${upstream.url}/base`,
    PRODUCT_UPSTREAM_TOKEN: 'operator-secret',
    X402_RPC_URL: '',
  })
  const put = await gateway.call('PUT', '/v1/admin/products/weather', {
    headers: { authorization: `Bearer ${gateway.adminToken}`, 'content-type': 'application/yaml' },
    body: `product_id: weather
upstream:
  url: \${PRODUCT_UPSTREAM_URL}
  allow_private: true
  headers: { Authorization: "Bearer \${PRODUCT_UPSTREAM_TOKEN}" }
  forward_headers: [X-Tenant]
  pass_headers: [Set-Cookie]
  timeout: 60s
limits: { body: 500MiB }
skills:
  - { id: weather.json, route: GET /json, tool: weather.json, price: { credits: 2 } }
  - { id: weather.echo, route: POST /echo, price: { credits: 1 }, limits: { timeout: 60s } }
  - id: weather.mixed
    route: POST /echo/{id}
    tool: weather.mixed
    price: { credits: 1 }
    input:
      type: object
      properties: { dry: { type: boolean, x-in: query }, tag: { type: array, x-in: query }, text: { type: string } }
  - id: weather.number
    route: POST /echo/number/{id}
    tool: weather.number
    price: { credits: 1 }
    input: { type: object, properties: { id: { type: integer }, tag: { type: array, x-in: query } } }
  - { id: weather.huge, route: GET /huge, price: { credits: 1 } }
  - { id: weather.events, route: GET /events, price: { credits: 1 } }
  - { id: weather.cut, route: GET /cut, price: { credits: 5 } }
  - { id: weather.duplex, route: POST /duplex, price: { credits: 7 } }
  - { id: weather.bad, route: POST /bad, price: { credits: 5 } }
  - { route: GET /moved, metered: false }
  - { route: POST /free, metered: false }
`,
  })
  if (put.status !== 200) throw new Error(put.text)
  caller = await gateway.key(1000)
})
afterAll(async () => {
  await gateway?.stop()
  await upstream?.close()
  rmSync(productsDir, { recursive: true, force: true })
})

const paying = (headers: Record<string, string> = {}) => ({
  headers: { 'x-api-key': caller.key, ...headers },
})
const credits = async (): Promise<number> =>
  (await gateway.call('GET', '/v1/credits/balance', paying())).json.credits
/** Memory of the gateway process in MiB. */
const rssMib = (): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${gateway.pid}/status`, 'utf8'))![1]) / 1024

describe('a paid call', () => {
  it('costs money before it reaches the upstream', async () => {
    const before = upstream.requests.length
    expect((await gateway.call('GET', '/v1/weather/json')).status).toBe(402)
    expect((await gateway.call('HEAD', '/v1/weather/json', paying())).status).toBe(402)
    expect((await gateway.call('GET', '/v1/weather/other', paying())).status).toBe(404)
    expect(upstream.requests.length).toBe(before)
  })

  it("shows the upstream the operator's secret and nothing of the caller's", async () => {
    const before = await credits()
    const answer = await gateway.call(
      'GET',
      '/v1/weather/json?city=K%C3%B6ln&b=',
      paying({
        cookie: 'session=1',
        'x-tenant': 'a',
        'x-other': 'b',
        'x-forwarded-for': '6.6.6.6',
        'x-request-id': 'my-request-1',
        traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      }),
    )
    expect([answer.status, answer.json]).toEqual([200, { ok: true }])
    const { url, headers } = upstream.requests.at(-1)!
    expect(url).toBe('/base/json?city=K%C3%B6ln&b=')
    expect(headers).toMatchObject({
      authorization: 'Bearer operator-secret',
      'x-tenant': 'a',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-prefix': '/v1/weather',
      'x-request-id': 'my-request-1',
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    })
    for (const name of ['x-api-key', 'cookie', 'x-other']) expect(headers).not.toHaveProperty(name)
    expect(answer.headers.getSetCookie()).toEqual(['a=1; Path=/', 'b=2'])
    expect(answer.headers.get('content-security-policy')).toBe('sandbox')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('x-charged-credits')).toBe('2')
    expect(answer.headers.get('x-private')).toBeNull()
    expect(await credits()).toBe(before - 2)
  })

  it('has its body checked against the declared input, whatever type it says', async () => {
    const before = upstream.requests.length
    const send = async (body: string | Uint8Array<ArrayBuffer>, type: string): Promise<number> => {
      const headers = { 'x-api-key': caller.key, 'content-type': type }
      const url = `${gateway.url}/v1/weather/echo/7`
      return (await fetch(url, { method: 'POST', body, headers })).status
    }
    for (const type of [
      'application/json',
      'text/plain',
      'text/json',
      'application/x-www-form-urlencoded',
      'a/b',
    ])
      for (const body of ['{"text":5}', ' \n{"text":5}', '\ufeff{"text":5}'])
        expect([type, body, await send(body, type)]).toEqual([type, body, 400])
    for (const body of [
      '{"text":5,"text":"a"}',
      '{"a":{"b":1,"\\u0062":2},"text":"a"}',
      '{"__proto__":1,"__proto__":2}',
    ])
      expect([body, await send(body, 'application/json')]).toEqual([body, 400])
    expect(upstream.requests.length).toBe(before)
    const utf16 = new Uint8Array(Buffer.from('{"text":5}', 'utf16le').swap16())
    expect(await send(utf16, 'text/plain')).toBe(400)
    expect(upstream.requests.length).toBe(before)
    // Whatever the upstream makes of them.
    await send('{"text":"a"}', 'text/plain')
    await send('text=5', 'application/x-www-form-urlencoded')
    await send(
      '{"text":"a:\\"b\\\\","x":[{"text":"a"},{"text":"a"}],":":{"":1}}',
      'application/json',
    )
    expect(upstream.requests.length).toBe(before + 3)
  })

  it("is not charged for anything but a 2xx, and shows nothing of the upstream's words", async () => {
    const before = await credits()
    const answer = await gateway.call('POST', '/v1/weather/bad', { ...paying(), body: {} })
    expect(answer.status).toBe(400)
    expect(answer.json.error).toMatchObject({
      code: 'INVALID_INPUT',
      details: { upstreamStatus: 422 },
    })
    expect(answer.text + JSON.stringify([...answer.headers])).not.toMatch(/secret|x-detail/)
    for (const [name, value] of [
      ['x-payment-rail', 'credits'],
      ['x-charged-credits', '0'],
      ['x-balance-credits', String(before)],
    ] as const)
      expect([name, answer.headers.get(name)]).toEqual([name, value])
    expect(await credits()).toBe(before)
  })

  it('gets its charge back when the stream breaks off', async () => {
    const before = await credits()
    await expect(gateway.call('GET', '/v1/weather/cut', paying())).rejects.toThrow()
    await vi.waitUntil(async () => (await credits()) === before, PATIENT)
    const { json } = await gateway.admin('GET', '/v1/ledger?kind=refund')
    expect(json.rows[0]).toMatchObject({ skill: 'weather.cut', amountCredits: 5 })
  })

  it('pays for a stream that ends because its own request was not whole', async () => {
    const before = await credits()
    const { hostname, port } = new URL(gateway.url)
    const socket = net.connect(Number(port), hostname)
    const closed = new Promise((resolve) => socket.on('close', resolve))
    socket.on('error', () => {})
    let text = ''
    socket.write(
      `POST /v1/weather/duplex HTTP/1.1\r\nHost: ${hostname}\r\nX-Api-Key: ${caller.key}\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n`,
    )
    socket.on('data', (chunk) => {
      const hadMost = text.includes('most of it')
      text += chunk.toString()
      if (!hadMost && text.includes('most of it')) socket.write('6\r\nsecond\r\n')
    })
    await closed
    expect(text).toContain('most of it')
    // A stream that its upstream broke off later on has its charge back: this one would have, too.
    await expect(gateway.call('GET', '/v1/weather/cut', paying())).rejects.toThrow()
    await vi.waitUntil(async () => (await credits()) === before - 7, PATIENT)
    const { json } = await gateway.admin('GET', '/v1/ledger?kind=refund')
    expect(json.rows.map((row: any) => row.skill)).not.toContain('weather.duplex')
  })

  it('with an Idempotency-Key is not charged for a stream that breaks off, and may be tried again', async () => {
    const before = await credits()
    for (let n = 0; n < 2; n += 1) {
      const answer = await gateway.call(
        'GET',
        '/v1/weather/cut',
        paying({ 'idempotency-key': 'k' }),
      )
      expect([answer.status, answer.json.error.code]).toEqual([503, 'UPSTREAM_FAILURE'])
    }
    expect(await credits()).toBe(before)
  })
})

describe('streams', () => {
  it("100 MB down, all of them, with the gateway's memory flat", async () => {
    const expected = createHash('sha256')
    for (let n = 0; n < HUGE_CHUNKS; n += 1) expected.update(CHUNK)
    const before = rssMib()
    let highest = before
    const hash = createHash('sha256')
    const response = await fetch(`${gateway.url}/v1/weather/huge`, paying())
    let chunks = 0
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      hash.update(chunk)
      chunks += 1
      if (chunks % 50 === 0) highest = Math.max(highest, rssMib())
    }
    expect(hash.digest('hex')).toBe(expected.digest('hex'))
    expect(highest - before).toBeLessThan(FLAT_MIB)
  })

  it('420 MB up, byte for byte', async () => {
    const hash = createHash('sha256')
    const before = rssMib()
    let highest = before
    let left = HUGE_CHUNKS
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          if (left === 0) return controller.close()
          left -= 1
          hash.update(CHUNK)
          controller.enqueue(CHUNK)
          if (left % 50 === 0) highest = Math.max(highest, rssMib())
        },
      },
      { highWaterMark: 0 },
    )
    const response = await fetch(`${gateway.url}/v1/weather/echo`, {
      method: 'POST',
      body,
      ...paying(),
    })
    expect([response.status, await response.text()]).toEqual([200, hash.digest('hex')])
    expect(highest - before).toBeLessThan(FLAT_MIB)
  })

  it('events arrive one by one, and a caller who leaves takes the upstream along', async () => {
    const abort = new AbortController()
    const before = seen.closedEarly
    const response = await fetch(`${gateway.url}/v1/weather/events`, {
      ...paying(),
      signal: abort.signal,
    })
    const reader = response.body!.getReader()
    const first = new TextDecoder().decode((await reader.read()).value)
    // A busy machine may hand over two events in one read; the stream itself never ends by itself.
    expect(first.startsWith('data: 1\n\n')).toBe(true)
    abort.abort()
    await reader.read().catch(() => {})
    await vi.waitUntil(() => seen.closedEarly === before + 1, PATIENT)
  })

  it('of events start at once with an Idempotency-Key too', async () => {
    const abort = new AbortController()
    const response = await fetch(`${gateway.url}/v1/weather/events`, {
      ...paying({ 'idempotency-key': 'events' }),
      signal: abort.signal,
    })
    const { value } = await response.body!.getReader().read()
    expect(new TextDecoder().decode(value).startsWith('data: 1\n\n')).toBe(true)
    abort.abort()
  })
})

describe('what the caller cannot do', () => {
  it.each([
    '/v1/weather/../weather/json',
    '/v1/weather/%2e%2e/secret',
    '/v1/weather/json%2f..%2f..%2fsecret',
    '/v1/weather//evil.test/json',
    '/v1/weather/json;/..;/secret',
    '/v1/weather/%5c..%5csecret',
    'http://evil.test/v1/weather/json',
  ])('%s stays inside of the base', async (target) => {
    const before = upstream.requests.length
    await rawRequest(`GET ${target} HTTP/1.1\r\nHost: gateway.test\r\nX-Api-Key: ${caller.key}\r\n`)
    for (const { url } of upstream.requests.slice(before)) expect(url).toBe('/base/json')
  })

  it('send headers past the proxy by naming them in Connection', async () => {
    await rawRequest(
      `GET /v1/weather/json HTTP/1.1\r\nHost: gateway.test\r\nX-Api-Key: ${caller.key}\r\n` +
        'Connection: x-tenant\r\nX-Tenant: hop\r\nTE: trailers\r\nExpect: 100-continue\r\n',
    )
    const { headers } = upstream.requests.at(-1)!
    for (const name of ['x-tenant', 'te', 'expect']) expect(headers).not.toHaveProperty(name)
  })

  it('see where the upstream is: a redirect of a free route leads to the mount', async () => {
    const answer = await gateway.call('GET', '/v1/weather/moved')
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/v1/weather/json?x=1'])
    const free = await gateway.call('POST', '/v1/weather/free', { body: {} })
    expect([free.status, free.json]).toEqual([422, { secret: 'stack trace' }])
  })
})

it('connections are kept: a hundred calls need a handful', async () => {
  const before = upstream.connections.accepted
  for (let n = 0; n < 100; n += 1) await gateway.call('GET', '/v1/weather/moved')
  expect(upstream.connections.accepted - before).toBeLessThan(10)
})

it('a tool call reaches the same upstream for the same price', async () => {
  const before = await credits()
  const { json } = await gateway.call('POST', '/mcp', {
    ...paying({ accept: 'application/json, text/event-stream' }),
    body: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'weather.json', arguments: { city: 'Bonn' } },
    },
  })
  expect(json.result.structuredContent).toEqual({ ok: true })
  expect(upstream.requests.at(-1)!.url).toBe('/base/json?city=Bonn')
  expect(await credits()).toBe(before - 2)
})

it('a tool call sends to the query what its schema says, and the rest as the body', async () => {
  await gateway.call('POST', '/mcp', {
    ...paying({ accept: 'application/json, text/event-stream' }),
    body: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'weather.mixed',
        arguments: { id: '7', dry: true, tag: ['a', 'b'], text: 'hi' },
      },
    },
  })
  const { url, headers } = upstream.requests.at(-1)!
  expect(url).toBe('/base/echo/7?dry=true&tag=a&tag=b')
  expect(headers['content-length']).toBe(String('{"text":"hi"}'.length))
})

it('a tool call passes on integers that no double holds, digit by digit', async () => {
  const text = '{"order":9007199254740993,"list":[{"id":-1234567890123456789}]}'
  await gateway.call('POST', '/mcp', {
    ...paying(),
    body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"weather.number","arguments":{"id":1234567890123456789,"tag":[18446744073709551615],${text.slice(1)}}}`,
  })
  expect(upstream.requests.at(-1)!.url).toBe(
    '/base/echo/number/1234567890123456789?tag=18446744073709551615',
  )
  expect(seen.sha256).toBe(createHash('sha256').update(text).digest('hex'))
})

it('a tool refuses half a character in the path, as input and no failure of its own', async () => {
  const before = upstream.requests.length
  const { json } = await gateway.call('POST', '/mcp', {
    ...paying(),
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"weather.mixed","arguments":{"id":"\\ud800"}}}',
  })
  expect(json.result.structuredContent.error).toMatchObject({
    code: 'INVALID_INPUT',
    details: { issues: [{ path: '/id', message: 'holds what is no character' }] },
  })
  expect(upstream.requests.length).toBe(before)
})

it('a compressed body that a schema must judge is refused with what to send', async () => {
  const before = [upstream.requests.length, await credits()]
  const refused = await fetch(`${gateway.url}/v1/weather/echo/7`, {
    method: 'POST',
    headers: {
      ...paying().headers,
      'content-type': 'application/json',
      'content-encoding': 'gzip',
    },
    body: gzipSync('{"text":"hi"}'),
  })
  expect([refused.status, await refused.text()]).toEqual([
    400,
    expect.stringContaining('must be UTF-8 text, not compressed'),
  ])
  expect([upstream.requests.length, await credits()]).toEqual(before)
})

it('a dead upstream opens the breaker: 503 with Retry-After, in /ready and /metrics, never charged', async () => {
  const dying = await startUpstream((_, response) => response.end('ok'), await freePort())
  const put = await gateway.admin('PUT', '/v1/admin/products/dying', {
    product_id: 'dying',
    upstream: {
      url: dying.url,
      allow_private: true,
      circuit_breaker: { failures: 2, reset: '1h' },
    },
    skills: [{ id: 'dying.x', route: 'GET /x', price: { credits: 1 } }],
  })
  expect(put.status).toBe(200)
  expect((await gateway.call('GET', '/v1/dying/x', paying())).status).toBe(200)
  const before = await credits()
  await dying.close()
  for (let n = 0; n < 2; n += 1)
    expect((await gateway.call('GET', '/v1/dying/x', paying())).status).toBe(503)
  const refused = await gateway.call('GET', '/v1/dying/x', paying())
  expect([refused.status, refused.json.error.details.reason]).toEqual([503, 'circuit_open'])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000)
  expect(await credits()).toBe(before)
  const ready = await gateway.call('GET', '/ready')
  expect(ready.status).toBe(200)
  expect(ready.json.checks['upstream:dying']).toMatchObject({ state: 'down', critical: false })
  const metrics = await gateway.call('GET', '/metrics?format=prom')
  expect(metrics.text).toContain('gateway_breaker_state{upstream="dying"} 2')

  const again = await gateway.admin('PUT', '/v1/admin/products/dying', {
    product_id: 'dying',
    upstream: { url: dying.url, allow_private: true },
    skills: [{ id: 'dying.x', route: 'GET /x', price: { credits: 9 } }],
  })
  expect(again.status).toBe(503)
  expect(again.text).toContain(`upstream.url ${dying.url} cannot be reached: ECONNREFUSED`)
  const kept = await gateway.call('GET', '/v1/dying/x')
  expect(kept.problem.details.priceCredits).toBe(1)
})

it('tells bodies without a length apart under one Idempotency-Key', async () => {
  const upload = async (key: string, ...chunks: Uint8Array[]) => {
    const answer = await fetch(`${gateway.url}/v1/weather/echo`, {
      method: 'POST',
      headers: { 'x-api-key': caller.key, 'idempotency-key': key },
      body: new ReadableStream({
        start(controller) {
          for (const chunk of chunks) controller.enqueue(chunk)
          controller.close()
        },
      }),
      duplex: 'half',
    } as RequestInit)
    return {
      status: answer.status,
      text: await answer.text(),
      isReplay: answer.headers.get('idempotency-replayed') === 'true',
    }
  }
  const sha = (...chunks: Uint8Array[]) =>
    createHash('sha256').update(Buffer.concat(chunks)).digest('hex')
  const [one, other] = [Buffer.from('one'), Buffer.from('other')]
  const before = await credits()
  expect(await upload('chunked', one)).toEqual({ status: 200, text: sha(one), isReplay: false })
  expect(await upload('chunked', one)).toEqual({ status: 200, text: sha(one), isReplay: true })
  expect(await upload('chunked', other)).toMatchObject({ status: 409, isReplay: false })
  expect(await credits()).toBe(before - 1)

  const long = Array.from({ length: 24 }, () => CHUNK)
  expect(await upload('long', one, ...long)).toMatchObject({ text: sha(one, ...long) })
  expect(await upload('long', other, ...long)).toMatchObject({ status: 409 })
  expect(await upload('long', one, ...long)).toMatchObject({ status: 200, isReplay: true })
  expect(await credits()).toBe(before - 2)
})

async function rawRequest(head: string): Promise<string> {
  const { hostname, port } = new URL(gateway.url)
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = net.connect(Number(port), hostname, () => {
      socket.write(`${head}${/connection:/i.test(head) ? '' : 'Connection: close\r\n'}\r\n`)
    })
    socket.setTimeout(60_000, () => socket.destroy())
    socket.on('data', (chunk) => {
      text += chunk.toString()
      if (text.includes('\r\n\r\n')) socket.end()
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(text))
  })
}
