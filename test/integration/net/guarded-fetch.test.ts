import https from 'node:https'
import type { AddressInfo } from 'node:net'
import zlib from 'node:zlib'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { allowList } from '../../../host/outbound/allow-list.ts'
import type { GuardedFetchInit } from '../../../kernel/net/contract.ts'
import { createOutbound } from '../../../host/outbound/index.ts'
import { certificateFor } from '../../support/certificate.ts'
import {
  closeServers,
  httpServer,
  mirror,
  options,
  rawServer,
  script,
  until,
  type TestServer,
} from './servers.ts'

afterEach(closeServers)

const text = (body: Uint8Array): string => new TextDecoder().decode(body)
async function get(server: TestServer, path: string, init?: GuardedFetchInit) {
  const answer = await createOutbound(options([server])).fetch(`${server.url}${path}`, init)
  return answer
}
describe('an exchange', () => {
  test('sends method, headers and body, and answers status, headers, body and URL', async () => {
    const server = await httpServer((request, response) => {
      response.setHeader('set-cookie', ['a=1', 'b=2'])
      mirror(request, response)
    })
    const answer = await get(server, '/p%20q?x=1&y=%26#frag', {
      method: 'post',
      headers: { 'X-Mine': 'yes', Host: 'evil', Connection: 'upgrade', 'Transfer-Encoding': 'x' },
      body: 'grüße',
    })
    if (!answer.ok) throw new Error(answer.message)
    const seen = JSON.parse(text(answer.body))
    expect(seen).toMatchObject({ method: 'POST', url: '/p%20q?x=1&y=%26', body: 'grüße' })
    expect(seen.headers).toMatchObject({
      host: `127.0.0.1:${server.port}`,
      'user-agent': 'Coinop/0.1 (+test)',
      'x-mine': 'yes',
      'content-length': '7',
      connection: 'close',
    })
    expect(seen.headers).not.toHaveProperty('transfer-encoding')
    expect(answer.status).toBe(200)
    expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    expect(answer.url).toBe(`${server.url}/p%20q?x=1&y=%26#frag`)
  })

  test.each([201, 204, 304, 404, 500])('with status %i is an answer', async (status) => {
    const server = await httpServer((_request, response) => response.writeHead(status).end())
    expect(await get(server, '/')).toMatchObject({ ok: true, status })
  })

  test('by HEAD has no body, whatever its Content-Length says', async () => {
    const server = await httpServer((_request, response) => {
      response.writeHead(200, { 'content-length': 1e9, 'content-encoding': 'gzip' }).end()
    })
    const answer = await get(server, '/', { method: 'HEAD' })
    expect(answer).toMatchObject({ ok: true, status: 200, body: new Uint8Array() })
  })

  test('takes no proxy from the environment', async () => {
    const server = await httpServer(mirror)
    const proxy = await httpServer(mirror)
    process.env.HTTP_PROXY = process.env.http_proxy = proxy.url
    try {
      expect(await get(server, '/')).toMatchObject({ ok: true })
    } finally {
      delete process.env.HTTP_PROXY
      delete process.env.http_proxy
    }
    expect(proxy.hits).toEqual([])
  })

  test.each([
    ['a method with a line break', { method: 'GET / HTTP/1.1\r\nX: y' }],
    ['a header value with a line break', { headers: { 'x-a': 'b\r\nx-c: d' } }],
    ['a header name with a space', { headers: { 'x a': 'b' } }],
  ])('with %s is refused before anything is sent', async (_name, init) => {
    const server = await httpServer(mirror)
    expect(await get(server, '/', init)).toMatchObject({ ok: false, reason: 'protocol' })
    expect(server.hits).toEqual([])
  })

  test('leaves no connection open', async () => {
    const server = await httpServer((request, response) => {
      if (request.url === '/r') response.writeHead(302, { location: '/end' }).end('x'.repeat(1e5))
      else response.end('x'.repeat(1e6))
    })
    await get(server, '/r')
    await get(server, '/end', { maxBytes: 10 })
    await until(() => server.open() === 0)
  })
})

describe('private targets', () => {
  test('are not connected to', async () => {
    const server = await httpServer(mirror)
    const fetch = createOutbound(options([], script({ 'a.example.com': [['127.0.0.1']] }))).fetch
    for (const host of ['127.0.0.1', '2130706433', '[::ffff:127.0.0.1]', 'a.example.com']) {
      const answer = await fetch(`http://${host}:${server.port}/`)
      expect(answer).toMatchObject({ ok: false, reason: 'ssrf' })
    }
    expect(server.hits).toEqual([])
  })

  test('are reached by a call that the operator trusts, and by its redirects to itself', async () => {
    const other = await httpServer(mirror)
    const server = await httpServer((request, response) => {
      if (request.url === '/self') response.writeHead(302, { location: '/ok' }).end()
      else if (request.url === '/other') response.writeHead(302, { location: other.url }).end()
      else response.end('fine')
    })
    const fetch = createOutbound(options([])).fetch
    const trusted = { allowPrivate: true }
    expect(await fetch(`${server.url}/self`, trusted)).toMatchObject({ ok: true, status: 200 })
    expect(await fetch(`${server.url}/other`, trusted)).toMatchObject({ reason: 'ssrf' })
    expect(other.hits).toEqual([])
  })

  test('one bad address among good ones refuses the name', async () => {
    const server = await httpServer(mirror)
    const resolver = script({ 'mixed.example.com': [['93.184.215.14', '127.0.0.1']] })
    const answer = await createOutbound(options([], resolver)).fetch(
      `http://mixed.example.com:${server.port}/`,
    )
    expect(answer).toMatchObject({ ok: false, reason: 'ssrf' })
    expect(server.hits).toEqual([])
  })

  test('a name that changes its answer is connected where it was checked', async () => {
    const checked = await httpServer(mirror)
    const rebound = await httpServer(mirror, '127.0.0.2')
    // 127.0.0.1 plays the public address; the second answer is the forbidden one.
    const resolver = script({ 'rebind.example.com': [['127.0.0.1'], ['127.0.0.2']] })
    const net = { ...options([], resolver), allowPrivate: allowList(['127.0.0.1/32']) }
    const fetch = createOutbound(net).fetch
    const first = await fetch(`http://rebind.example.com:${checked.port}/`)
    expect(first).toMatchObject({ ok: true })
    expect(resolver.asked).toHaveLength(1)
    const second = await fetch(`http://rebind.example.com:${rebound.port}/`)
    expect(second).toMatchObject({ ok: false, reason: 'ssrf' })
    expect(rebound.hits).toEqual([])
  })

  test('a name that changes its answer during a redirect is refused', async () => {
    const server = await httpServer((_request, response) =>
      response.writeHead(302, { location: '/again' }).end(),
    )
    const resolver = script({ 'rebind.example.com': [['127.0.0.1'], ['10.0.0.1']] })
    const net = { ...options([], resolver), allowPrivate: allowList(['127.0.0.1/32']) }
    const answer = await createOutbound(net).fetch(`http://rebind.example.com:${server.port}/`)
    expect(answer).toMatchObject({ ok: false, reason: 'ssrf' })
    expect(server.hits).toEqual(['GET /'])
  })

  test('the next address serves when the first is dead', async () => {
    const server = await httpServer(mirror)
    const resolver = script({ 'two.example.com': [['127.0.0.9', '127.0.0.1']] })
    const net = { ...options([], resolver), allowPrivate: allowList(['127.0.0.0/8']) }
    const answer = await createOutbound(net).fetch(`http://two.example.com:${server.port}/`)
    expect(answer).toMatchObject({ ok: true, status: 200 })
  })
})

describe('redirects', () => {
  test.each([
    'http://169.254.169.254/latest/meta-data/',
    'http://127.0.0.1:1/',
    'http://localhost/',
    '//[::1]/',
    'http://0x7f.1/',
    'http://user:pw@93.184.215.14/',
    'file:///etc/passwd',
    'gopher://127.0.0.1/',
  ])('to %s are refused', async (location) => {
    const server = await httpServer((_request, response) =>
      response.writeHead(302, { location }).end(),
    )
    expect(await get(server, '/')).toMatchObject({ ok: false, reason: 'ssrf' })
  })

  test('are followed five times and no more', async () => {
    const server = await httpServer((request, response) => {
      const left = Number(request.url!.slice(1))
      if (left > 0) response.writeHead(302, { location: `/${left - 1}` }).end()
      else response.end('there')
    })
    expect(await get(server, '/5')).toMatchObject({ ok: true, url: `${server.url}/0` })
    expect(await get(server, '/6')).toMatchObject({ ok: false, reason: 'too_many_redirects' })
    expect(await get(server, '/2', { maxRedirects: 1 })).toMatchObject({
      reason: 'too_many_redirects',
    })
    expect(await get(server, '/1', { maxRedirects: 0 })).toMatchObject({ ok: true, status: 302 })
  })

  test('carry credentials and own headers to the same origin only', async () => {
    const other = await httpServer(mirror)
    const server = await httpServer((request, response) => {
      if (request.url === '/away') response.writeHead(307, { location: other.url }).end()
      else if (request.url === '/here') response.writeHead(307, { location: '/mirror' }).end()
      else mirror(request, response)
    })
    const fetch = createOutbound(options([server, other])).fetch
    const headers = {
      Authorization: 'Bearer x',
      Cookie: 'a=b',
      'X-Api-Key': 'k',
      Accept: 'text/html',
      'Content-Type': 'text/plain',
    }
    const init = { method: 'POST', body: 'data', headers }
    const here = await fetch(`${server.url}/here`, init)
    const away = await fetch(`${other.url.replace(/\d+$/, String(server.port))}/away`, init)
    if (!here.ok || !away.ok) throw new Error('both redirects should be followed')
    expect(JSON.parse(text(here.body)).headers).toMatchObject({
      authorization: 'Bearer x',
      cookie: 'a=b',
      'x-api-key': 'k',
    })
    const seen = JSON.parse(text(away.body))
    expect(seen).toMatchObject({ method: 'POST', body: 'data' })
    expect(seen.headers).toMatchObject({ accept: 'text/html', 'content-type': 'text/plain' })
    for (const name of ['authorization', 'cookie', 'x-api-key'])
      expect(seen.headers).not.toHaveProperty(name)
  })

  test.each([
    [301, 'POST', 'GET', ''],
    [302, 'POST', 'GET', ''],
    [303, 'POST', 'GET', ''],
    [303, 'PUT', 'GET', ''],
    [301, 'PUT', 'PUT', 'data'],
    [307, 'POST', 'POST', 'data'],
    [308, 'PUT', 'PUT', 'data'],
    [303, 'HEAD', 'HEAD', undefined],
  ])('by %i turn %s into %s', async (status, method, expected, body) => {
    const server = await httpServer((request, response) => {
      if (request.url === '/') response.writeHead(status, { location: '/end' }).end()
      else mirror(request, response)
    })
    const init = { method, ...(method !== 'HEAD' && { body: 'data' }) }
    const answer = await get(server, '/', init)
    expect(server.hits[1]).toBe(`${expected} /end`)
    if (answer.ok && body !== undefined) {
      const seen = JSON.parse(text(answer.body))
      expect(seen.body).toBe(body)
      expect(seen.headers['content-length']).toBe(body === '' ? undefined : '4')
    }
  })

  test('without a usable Location are answers or protocol errors', async () => {
    const none = await httpServer((_request, response) => response.writeHead(302).end())
    expect(await get(none, '/')).toMatchObject({ ok: true, status: 302 })
    const bad = await httpServer((_request, response) =>
      response.writeHead(302, { location: 'http://[' }).end(),
    )
    expect(await get(bad, '/')).toMatchObject({ ok: false, reason: 'protocol' })
  })
})

describe('bodies', () => {
  const plain = Buffer.from('hello world '.repeat(1000))
  test.each([
    ['gzip', zlib.gzipSync(plain)],
    ['x-gzip', zlib.gzipSync(plain)],
    ['GZIP', zlib.gzipSync(plain)],
    ['br', zlib.brotliCompressSync(plain)],
    ['deflate', zlib.deflateSync(plain)],
    ['deflate', zlib.deflateRawSync(plain)],
    ['gzip, br', zlib.brotliCompressSync(zlib.gzipSync(plain))],
    ['identity', plain],
    ['', plain],
  ])('in %j are decoded', async (encoding, bytes) => {
    const server = await httpServer((_request, response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end(bytes)
    })
    const answer = await get(server, '/')
    expect(answer.ok && Buffer.from(answer.body).equals(plain)).toBe(true)
  })

  test('of exactly the cap are fine; of one byte more are not', async () => {
    const server = await httpServer((request, response) => {
      const body = 'x'.repeat(1000)
      if (request.url === '/declared') response.writeHead(200, { 'content-length': 1000 }).end(body)
      else if (request.url === '/gzip')
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(zlib.gzipSync(body))
      else response.write(body, () => response.end())
    })
    for (const path of ['/declared', '/chunked', '/gzip']) {
      expect(await get(server, path, { maxBytes: 1000 })).toMatchObject({ ok: true })
      expect(await get(server, path, { maxBytes: 999 })).toMatchObject({ reason: 'too_large' })
    }
  })

  test.each([
    ['gzip', () => zlib.gzipSync(Buffer.alloc(200 << 20))],
    ['gzip, gzip', () => zlib.gzipSync(zlib.gzipSync(Buffer.alloc(200 << 20)))],
    [
      'br',
      () =>
        zlib.brotliCompressSync(Buffer.alloc(64 << 20), {
          params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 },
        }),
    ],
    ['deflate', () => zlib.deflateSync(Buffer.alloc(200 << 20))],
  ])('that are a %s bomb are given up at the cap', async (encoding, make) => {
    const bomb = make()
    const server = await httpServer((_request, response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end(bomb)
    })
    const answer = await get(server, '/', { maxBytes: 1 << 20 })
    expect(answer).toMatchObject({ ok: false, reason: 'too_large' })
  })

  test('that decode to nothing for ever are cut by what the wire carried', async () => {
    const empties = Buffer.concat(Array<Buffer>(20_000).fill(zlib.gzipSync('')))
    const server = await httpServer((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(empties)
    })
    expect(await get(server, '/', { maxBytes: 10_000 })).toMatchObject({ reason: 'too_large' })
  })

  test.each([
    ['gzip', 'this is not gzip at all'],
    ['gzip, gzip, gzip', ''],
    ['zstd', 'x'],
    ['toString', 'x'],
  ])('in %j that cannot be decoded are protocol errors', async (encoding, body) => {
    const server = await httpServer((_request, response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end(body)
    })
    expect(await get(server, '/')).toMatchObject({ ok: false, reason: 'protocol' })
  })

  test('that end before their length or last chunk are errors, not answers', async () => {
    const short = await rawServer((socket) =>
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'),
    )
    const chunk = await rawServer((socket) =>
      socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n'),
    )
    const bad = await rawServer((socket) =>
      socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\nzz\r\n'),
    )
    for (const server of [short, chunk, bad])
      expect(await get(server, '/')).toMatchObject({ ok: false, reason: 'connect' })
  })
})

describe('a hostile server', () => {
  test.each([
    ['garbage', 'hello there\r\n\r\n'],
    ['a header without end', `HTTP/1.1 200 OK\r\nX: ${'a'.repeat(100_000)}`],
    ['many headers', `HTTP/1.1 200 OK\r\n${'X-Y: z\r\n'.repeat(10_000)}\r\n`],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
    [
      'protocols switched unasked',
      'HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n',
    ],
  ])('that sends %s is a protocol error', async (_name, bytes) => {
    const server = await rawServer((socket) => socket.write(bytes))
    expect(await get(server, '/', { timeoutMs: 60_000 })).toMatchObject({ reason: 'protocol' })
  })

  test('that hangs up is a connect error', async () => {
    const server = await rawServer((socket) => socket.destroy())
    expect(await get(server, '/')).toMatchObject({ ok: false, reason: 'connect' })
  })

  test('that is not there is a connect error', async () => {
    const server = await httpServer(mirror)
    await server.close()
    expect(await get(server, '/')).toMatchObject({ ok: false, reason: 'connect' })
  })

  test.each([
    ['never answers', () => {}],
    ['sends its head a byte at a time', drip('HTTP/1.1 200 OK\r\n'.padEnd(10_000, 'X'))],
    ['sends its body a byte at a time', drip('HTTP/1.1 200 OK\r\n\r\n', 'x'.repeat(10_000))],
    ['sends interim answers only', drip('', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(500))],
  ])('that %s costs the time limit', async (_name, talk) => {
    const server = await rawServer(talk)
    expect(await get(server, '/', { timeoutMs: 150 })).toMatchObject({ reason: 'timeout' })
    await until(() => server.open() === 0)
  })

  function drip(slow: string, after = '') {
    return (socket: import('node:net').Socket) => {
      const text = after === '' ? slow : after
      if (after !== '') socket.write(slow)
      let at = 0
      const timer = setInterval(() => socket.write(text.slice(at, (at += 1))), 5)
      socket.on('close', () => clearInterval(timer))
    }
  }
})

describe('abort', () => {
  test.each(['/never', '/slow'])('during %s ends the exchange', async (path) => {
    const server = await httpServer((request, response) => {
      if (request.url === '/slow') response.write('first')
    })
    const controller = new AbortController()
    const pending = get(server, path, { signal: controller.signal })
    await until(() => server.hits.length === 1)
    controller.abort()
    expect(await pending).toMatchObject({ ok: false, reason: 'aborted' })
    await until(() => server.open() === 0)
  })

  test('before the call sends nothing', async () => {
    const server = await httpServer(mirror)
    const answer = await get(server, '/', { signal: AbortSignal.abort() })
    expect(answer).toMatchObject({ ok: false, reason: 'aborted' })
    expect(server.hits).toEqual([])
  })
})

describe('robots', () => {
  const site = (rules: string | number) =>
    httpServer((request, response) => {
      if (request.url !== '/robots.txt') return void response.end('page')
      if (typeof rules === 'number') response.writeHead(rules).end()
      else response.end(rules)
    })

  test('are asked when wanted only, and once', async () => {
    const server = await site('User-agent: Coinop\nDisallow: /no')
    const fetch = createOutbound(options([server])).fetch
    expect(await fetch(`${server.url}/no`)).toMatchObject({ ok: true })
    expect(server.hits).toEqual(['GET /no'])
    expect(await fetch(`${server.url}/no`, { robots: true })).toMatchObject({ reason: 'robots' })
    expect(await fetch(`${server.url}/yes`, { robots: true })).toMatchObject({ ok: true })
    expect(server.hits).toEqual(['GET /no', 'GET /robots.txt', 'GET /yes'])
  })

  test('are asked of every hop', async () => {
    const closed = await site('User-agent: *\nDisallow: /')
    const open = await httpServer((request, response) => {
      if (request.url === '/robots.txt') response.writeHead(404).end()
      else response.writeHead(302, { location: `${closed.url}/secret` }).end()
    })
    const fetch = createOutbound(options([open, closed])).fetch
    const answer = await fetch(`${open.url}/go`, { robots: true })
    expect(answer).toMatchObject({ ok: false, reason: 'robots' })
    expect(closed.hits).toEqual(['GET /robots.txt'])
  })
})

describe('TLS', () => {
  let key = ''
  let cert = ''
  beforeAll(() => {
    ;({ key, cert } = certificateFor('good.example.com', '127.0.0.1'))
  })

  async function tlsServer() {
    const names: unknown[] = []
    const server = https.createServer({ key, cert }, (request, response) => {
      names.push((request.socket as import('node:tls').TLSSocket).servername)
      response.end('secure')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    return { port, names, [Symbol.dispose]: () => void server.close() }
  }
  const net = (ca?: string) => ({
    allowPrivate: allowList(['127.0.0.0/8']),
    userAgent: 'Coinop/0.1',
    resolver: script({ 'good.example.com': [['127.0.0.1']], 'bad.example.com': [['127.0.0.1']] }),
    ca,
  })

  test('is verified for the name in the URL although the address is pinned', async () => {
    using server = await tlsServer()
    const fetch = createOutbound(net(cert)).fetch
    expect(await fetch(`https://good.example.com:${server.port}/`)).toMatchObject({ ok: true })
    expect(server.names).toEqual(['good.example.com'])
    expect(await fetch(`https://127.0.0.1:${server.port}/`)).toMatchObject({ ok: true })
    expect(await fetch(`https://bad.example.com:${server.port}/`)).toMatchObject({ reason: 'tls' })
    expect(await fetch(`https://127.0.0.2:${server.port}/`)).not.toMatchObject({ ok: true })
    expect(server.names).toHaveLength(2)
  })

  test('with an unknown authority is refused, also when the environment says otherwise', async () => {
    using server = await tlsServer()
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
    try {
      const answer = await createOutbound(net()).fetch(`https://good.example.com:${server.port}/`)
      expect(answer).toMatchObject({ ok: false, reason: 'tls' })
    } finally {
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
    }
    expect(server.names).toEqual([])
  })

  test('is not left by a redirect that would carry a body in the clear', async () => {
    const plain = await httpServer(mirror)
    const server = https.createServer({ key, cert }, (_request, response) =>
      response.writeHead(307, { location: plain.url }).end(),
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const fetch = createOutbound(net(cert)).fetch
    expect(await fetch(url, { method: 'POST', body: 'x' })).toMatchObject({ reason: 'protocol' })
    expect(plain.hits).toEqual([])
    expect(await fetch(url)).toMatchObject({ ok: true, url: `${plain.url}/` })
    server.close()
  })
})
