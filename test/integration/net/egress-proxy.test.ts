import http from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import type { GuardedRefusal } from '../../../kernel/net/contract.ts'
import { createOutbound } from '../../../host/outbound/index.ts'
import {
  openEgressProxy,
  type EgressProxy,
  type EgressProxyOptions,
} from '../../../plugins/utils/screenshot/egress-proxy.ts'
import type { NetOptions } from '../../../host/outbound/options.ts'
import { closeServers, httpServer, mirror, options, rawServer, script, until } from './servers.ts'

const proxies: EgressProxy[] = []
afterEach(async () => {
  await Promise.all(proxies.splice(0).map((proxy) => proxy.close()))
  await closeServers()
})

interface Opened extends EgressProxy {
  port: number
  blocked: { url: string; refusal: GuardedRefusal }[]
  authorization: string
}
async function open(net: NetOptions, extra: EgressProxyOptions = {}): Promise<Opened> {
  const blocked: Opened['blocked'] = []
  const proxy = await openEgressProxy(createOutbound(net), {
    onBlocked: (what) => blocked.push(what),
    ...extra,
  })
  proxies.push(proxy)
  const { username, password } = proxy.credentials
  const authorization = `Basic ${btoa(`${username}:${password}`)}`
  return { ...proxy, port: Number(new URL(proxy.url).port), blocked, authorization }
}

/** What a raw client receives after sending `text`, until `enough` or the end. */
async function talk(
  port: number,
  text: string,
  enough = (_received: string) => false,
): Promise<string> {
  const socket: Socket = connect(port, '127.0.0.1')
  let received = ''
  let ended = false
  socket.on('data', (chunk) => (received += chunk.toString('latin1')))
  socket.on('error', () => {})
  socket.on('close', () => (ended = true))
  socket.write(text)
  await until(() => ended || enough(received))
  socket.destroy()
  return received
}
const via = (proxy: Opened, url: string, more = '') =>
  talk(
    proxy.port,
    `GET ${url} HTTP/1.1\r\nHost: ignored.example.com\r\nProxy-Authorization: ${proxy.authorization}\r\nConnection: close\r\n${more}\r\n`,
  )
const tunnel = (proxy: Opened, authority: string, then = '', enough?: (text: string) => boolean) =>
  talk(
    proxy.port,
    `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\nProxy-Authorization: ${proxy.authorization}\r\n\r\n${then}`,
    enough,
  )

describe('a forward request', () => {
  test('reaches an allowed target without the proxy headers, and brings the answer back', async () => {
    const server = await httpServer((request, response) => {
      response.setHeader('set-cookie', ['a=1', 'b=2'])
      mirror(request, response)
    })
    const proxy = await open(options([server]))
    const answer = await via(proxy, `${server.url}/a?b=c`, 'Cookie: x=y\r\nProxy-Connection: z\r\n')
    expect(answer).toMatch(/^HTTP\/1.1 200 /)
    expect(answer.match(/^set-cookie: /gim)).toHaveLength(2)
    const seen = JSON.parse(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1))
    expect(seen).toMatchObject({ method: 'GET', url: '/a?b=c' })
    expect(seen.headers).toMatchObject({ host: `127.0.0.1:${server.port}`, cookie: 'x=y' })
    expect(Object.keys(seen.headers).filter((name) => name.startsWith('proxy-'))).toEqual([])
    expect(proxy.blocked).toEqual([])
  })

  test('carries a body, and passes redirects, errors and encodings through', async () => {
    const server = await httpServer((request, response) => {
      if (request.url === '/r') response.writeHead(302, { location: 'http://10.0.0.1/' }).end()
      else if (request.url === '/e')
        response.writeHead(500, { 'content-encoding': 'br' }).end('raw')
      else mirror(request, response)
    })
    const proxy = await open(options([server]))
    const posted = await talk(
      proxy.port,
      `POST ${server.url}/p HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${proxy.authorization}\r\nContent-Length: 4\r\nConnection: close\r\n\r\ndata`,
    )
    expect(posted).toContain('"method":"POST"')
    expect(posted).toContain('"body":"data"')
    expect(await via(proxy, `${server.url}/r`)).toMatch(/^HTTP\/1.1 302 [^]*location: http:\/\/10/i)
    expect(await via(proxy, `${server.url}/e`)).toMatch(/^HTTP\/1.1 500 [^]*content-encoding: br/i)
  })

  test.each([
    'http://127.0.0.1:1/',
    'http://localhost/',
    'http://169.254.169.254/latest/',
    'http://[::1]/',
    'http://2130706433/',
    'http://u:p@93.184.215.14/',
    'http://rebind.example.com/',
  ])('to %s is refused and reported', async (url) => {
    const proxy = await open(options([], script({ 'rebind.example.com': [['127.0.0.1']] })))
    expect(await via(proxy, url)).toMatch(/^HTTP\/1.1 403 /)
    expect(proxy.blocked).toMatchObject([{ url, refusal: { reason: 'ssrf' } }])
  })

  test.each(['/', '/admin', 'https://127.0.0.1/'])('for %s is not one', async (url) => {
    const server = await httpServer(mirror)
    const proxy = await open(options([server]))
    expect(await via(proxy, url)).toMatch(/^HTTP\/1.1 400 /)
  })

  test.each(['ftp://127.0.0.1/', '*', ''])('for %j is not even HTTP', async (url) => {
    const server = await httpServer(mirror)
    const proxy = await open(options([server]))
    expect(await via(proxy, url)).not.toMatch(/ 200 /)
    expect(server.hits).toEqual([])
  })

  test('of a dead target is 502', async () => {
    const server = await httpServer(mirror)
    const proxy = await open(options([server]))
    await server.close()
    expect(await via(proxy, `${server.url}/`)).toMatch(/^HTTP\/1.1 502 /)
  })

  test('cut off by the target is not passed off as complete', async () => {
    const server = await rawServer((socket) =>
      socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n'),
    )
    const proxy = await open(options([server]))
    const answer = await via(proxy, `${server.url}/`)
    expect(answer).toContain('half')
    expect(answer).not.toContain('\r\n0\r\n')
  })

  test('on a kept connection is checked anew each time', async () => {
    const server = await httpServer(mirror)
    const proxy = await open(options([server]))
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
    const status = (path: string) =>
      new Promise((resolve) => {
        const headers = { 'proxy-authorization': proxy.authorization }
        http.get({ host: '127.0.0.1', port: proxy.port, path, headers, agent }, (answer) => {
          answer.resume().on('end', () => resolve(answer.statusCode))
        })
      })
    expect(await status(`${server.url}/`)).toBe(200)
    expect(await status('http://10.0.0.1/')).toBe(403)
    expect(await status(`${server.url}/`)).toBe(200)
    agent.destroy()
  })
})

describe('a tunnel', () => {
  test('to an allowed target carries bytes both ways', async () => {
    const server = await rawServer((socket, first) => socket.write(`echo ${first.toString()}`))
    const proxy = await open(options([server]))
    const answer = await tunnel(proxy, `127.0.0.1:${server.port}`, 'hello', (text) =>
      text.includes('echo'),
    )
    expect(answer).toMatch(/^HTTP\/1.1 200 [^]*\r\n\r\necho hello$/)
  })

  test.each([
    '127.0.0.1:443',
    'localhost:443',
    '[::1]:443',
    '10.0.0.1:80',
    '2130706433:443',
    'metadata.google.internal:80',
    'rebind.example.com:443',
    'mixed.example.com:443',
    '93.184.215.14:25',
    'user@93.184.215.14:443',
  ])('to %s is refused and reported', async (authority) => {
    const names = {
      'rebind.example.com': [['192.168.0.1']],
      'mixed.example.com': [['93.184.215.14', '10.0.0.1']],
    }
    const proxy = await open(options([], script(names)))
    expect(await tunnel(proxy, authority)).toMatch(/^HTTP\/1.1 403 /)
    expect(proxy.blocked).toHaveLength(1)
  })

  test.each(['', ':443', 'a b:443', '//x'])('to %j is refused', async (authority) => {
    const proxy = await open(options([]))
    expect(await tunnel(proxy, authority)).not.toMatch(/ 200 /)
  })
})

describe('an upgrade', () => {
  const upgrade = (proxy: Opened, url: string, enough?: (text: string) => boolean) =>
    talk(
      proxy.port,
      `GET ${url} HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${proxy.authorization}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: k\r\n\r\n`,
      enough,
    )

  test('to an allowed target is passed on in origin form', async () => {
    let head = ''
    const server = await rawServer((socket, first) => {
      head = first.toString()
      socket.write(
        'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\nframes',
      )
    })
    const proxy = await open(options([server]))
    const answer = await upgrade(proxy, `${server.url}/ws?a`, (text) => text.includes('frames'))
    expect(answer).toMatch(/^HTTP\/1.1 101 /)
    expect(head).toMatch(/^GET \/ws\?a HTTP\/1.1\r\n/)
    expect(head.toLowerCase()).toContain(`host: 127.0.0.1:${server.port}\r\n`)
    expect(head.toLowerCase()).toContain('upgrade: websocket')
    expect(head.toLowerCase()).not.toContain('proxy-authorization')
  })

  test('to a private target is refused and reported', async () => {
    const server = await rawServer((socket) => socket.end('HTTP/1.1 101 X\r\n\r\n'))
    const proxy = await open(options([]))
    expect(await upgrade(proxy, `${server.url}/`)).toMatch(/^HTTP\/1.1 403 /)
    expect(await upgrade(proxy, '/')).toBe('')
    expect(server.hits).toEqual([])
    expect(proxy.blocked).toHaveLength(1)
  })
})

describe('the proxy itself', () => {
  test.each([
    ['nothing', ''],
    ['a wrong password', `Proxy-Authorization: Basic ${btoa('coinop:guess')}\r\n`],
    ['another scheme', 'Proxy-Authorization: Bearer x\r\n'],
  ])('answers 407 to %s', async (_name, header) => {
    const server = await httpServer(mirror)
    const proxy = await open(options([server]))
    const end = `Host: x\r\nConnection: close\r\n${header}\r\n`
    for (const line of [`GET ${server.url}/`, `CONNECT 127.0.0.1:${server.port}`]) {
      const answer = await talk(proxy.port, `${line} HTTP/1.1\r\n${end}`)
      expect(answer).toMatch(/^HTTP\/1.1 407 [^]*proxy-authenticate: basic/i)
    }
    expect(server.hits).toEqual([])
  })

  test('may be opened without credentials, on loopback only', async () => {
    const server = await httpServer(mirror)
    const proxy = await open(options([server]), { authenticate: false })
    expect(proxy.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    const answer = await talk(
      proxy.port,
      `GET ${server.url}/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    )
    expect(answer).toMatch(/^HTTP\/1.1 200 /)
  })

  test('two of them do not share credentials', async () => {
    const [one, two] = [await open(options([])), await open(options([]))]
    expect(one.credentials.password).not.toBe(two.credentials.password)
    expect(one.credentials.password.length).toBeGreaterThanOrEqual(32)
  })

  test('ends everything at its byte cap', async () => {
    const server = await httpServer((_request, response) => response.end('x'.repeat(100_000)))
    const proxy = await open(options([server]), { maxBytes: 150_000 })
    expect((await via(proxy, `${server.url}/1`)).length).toBeGreaterThan(100_000)
    expect((await via(proxy, `${server.url}/2`)).length).toBeLessThan(100_000)
    expect(await via(proxy, `${server.url}/3`)).toMatch(/^HTTP\/1.1 502 /)
    expect(await tunnel(proxy, `127.0.0.1:${server.port}`)).toMatch(/^HTTP\/1.1 502 /)
    expect(server.hits).toHaveLength(2)
  })

  test('takes no more connections than it may', async () => {
    const server = await httpServer(() => {})
    const proxy = await open(options([server]), { maxConnections: 2 })
    const held = [1, 2].map(() => via(proxy, `${server.url}/`))
    await until(() => server.hits.length === 2)
    expect(await via(proxy, `${server.url}/`)).toBe('')
    await proxy.close()
    await Promise.all(held)
  })

  test('closes silent connections', async () => {
    const server = await rawServer(() => {})
    const proxy = await open(options([server]), { idleTimeoutMs: 50 })
    await talk(proxy.port, '')
    await tunnel(proxy, `127.0.0.1:${server.port}`, 'x')
    await until(() => server.open() === 0)
  })

  test('ends what is open when it closes, and its port with it', async () => {
    const server = await rawServer(() => {})
    const proxy = await open(options([server]))
    const held = tunnel(proxy, `127.0.0.1:${server.port}`, 'x')
    await until(() => server.hits.length === 1)
    await proxy.close()
    await held
    await until(() => server.open() === 0)
    expect(await talk(proxy.port, 'GET / HTTP/1.1\r\n\r\n')).toBe('')
  })

  test('lets the target go when the client does', async () => {
    const server = await httpServer((_request, response) => void response.write('x'))
    const proxy = await open(options([server]))
    await talk(
      proxy.port,
      `GET ${server.url}/ HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${proxy.authorization}\r\n\r\n`,
      (text) => text.includes('200'),
    )
    await until(() => server.open() === 0)
  })
})
