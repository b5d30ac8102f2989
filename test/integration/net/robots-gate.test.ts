import { afterEach, describe, expect, test } from 'vitest'
import { createOutbound } from '../../../host/outbound/index.ts'
import { createRobotsGate } from '../../../host/outbound/robots-gate.ts'
import { closeServers, httpServer, options, rawServer, until, type TestServer } from './servers.ts'

afterEach(closeServers)

const AGENT = 'Coinop/0.1 (+test)'
const HOUR_MS = 3_600_000

function gateFor(servers: TestServer[], clock = { at: 0 }) {
  return createRobotsGate(createOutbound(options(servers)).fetch, AGENT, () => clock.at)
}
const at = (server: TestServer, path: string): URL => new URL(path, server.url)

describe('the gate', () => {
  test.each([
    [200, true],
    [204, true],
    [301, true],
    [400, true],
    [401, true],
    [403, true],
    [404, true],
    [410, true],
    [429, true],
    [500, false],
    [503, false],
    [599, false],
  ])('on robots.txt with status %i lets a page be fetched: %s', async (status, allowed) => {
    const server = await httpServer((request, response) => {
      if (request.url === '/moved') response.end('user-agent: *\ndisallow: /private\n')
      else response.writeHead(status, status === 301 ? { location: '/moved' } : {}).end()
    })
    expect((await gateFor([server])(at(server, '/page'))).ok).toBe(allowed)
  })

  test('forbids what the rules forbid, named by host and token', async () => {
    const server = await httpServer((_request, response) =>
      response.end('user-agent: *\ndisallow: /\nuser-agent: coinop\ndisallow: /a?x\n'),
    )
    const gate = gateFor([server])
    expect(await gate(at(server, '/a'))).toEqual({ ok: true })
    expect(await gate(at(server, '/a?x=1'))).toMatchObject({ ok: false, reason: 'robots' })
  })

  test('forbids when robots.txt cannot be had, and when it loops', async () => {
    const dead = await httpServer(() => {})
    await dead.close()
    const cut = await rawServer((socket) => socket.destroy())
    const loop = await httpServer((_request, response) =>
      response.writeHead(302, { location: '/robots.txt' }).end(),
    )
    for (const server of [dead, cut, loop])
      expect(await gateFor([server])(at(server, '/'))).toMatchObject({ reason: 'robots' })
  })

  test('says ssrf when robots.txt leads to a private address', async () => {
    const server = await httpServer((_request, response) =>
      response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
    )
    expect(await gateFor([server])(at(server, '/'))).toMatchObject({ reason: 'ssrf' })
  })

  test('reads the first 500 KiB of a huge file', async () => {
    const early = `user-agent: *\ndisallow: /early\n${'# pad\n'.repeat(90_000)}disallow: /late\n`
    const server = await httpServer((_request, response) => response.end(early))
    const gate = gateFor([server])
    expect(await gate(at(server, '/early'))).toMatchObject({ reason: 'robots' })
    expect(await gate(at(server, '/late'))).toEqual({ ok: true })
  })

  test('asks once a day, and sooner after a failure', async () => {
    let status = 200
    const server = await httpServer((_request, response) => response.writeHead(status).end())
    const clock = { at: 0 }
    const gate = gateFor([server], clock)
    await gate(at(server, '/'))
    clock.at = 23 * HOUR_MS
    await gate(at(server, '/'))
    expect(server.hits).toHaveLength(1)
    clock.at = 25 * HOUR_MS
    status = 500
    expect((await gate(at(server, '/'))).ok).toBe(false)
    expect(server.hits).toHaveLength(2)
    status = 200
    clock.at += HOUR_MS
    expect((await gate(at(server, '/'))).ok).toBe(true)
    expect(server.hits).toHaveLength(3)
  })

  test('shares one look-up among callers, and outlives the one that gives up', async () => {
    let release = () => {}
    const server = await httpServer((_request, response) => {
      release = () => response.end('user-agent: *\ndisallow: /no\n')
    })
    const gate = gateFor([server])
    const controller = new AbortController()
    const first = gate(at(server, '/yes'), { signal: controller.signal })
    const others = ['/yes', '/no'].map((path) => gate(at(server, path)))
    await until(() => server.hits.length > 0)
    controller.abort()
    expect(await first).toMatchObject({ ok: false, reason: 'aborted' })
    release()
    expect((await Promise.all(others)).map((verdict) => verdict.ok)).toEqual([true, false])
    expect(server.hits).toHaveLength(1)
  })

  test('keeps a bounded number of sites, dropping the one that was not used longest', async () => {
    const asked: string[] = []
    const gate = createRobotsGate(async (url) => {
      asked.push(new URL(url).hostname)
      return { ok: true, status: 404, headers: new Headers(), body: new Uint8Array(), url }
    }, AGENT)
    const visit = (n: number) => gate(new URL(`http://site${n}.example.com/`))
    for (let n = 0; n < 1000; n += 1) await visit(n)
    await visit(0)
    await visit(1000)
    expect(asked).toHaveLength(1001)
    await visit(0)
    expect(asked).toHaveLength(1001)
    await visit(1)
    expect(asked).toHaveLength(1002)
  })
})

test('a fetch and a question of its own ask a site for robots.txt once', async () => {
  const asked: string[] = []
  const server = await httpServer((request, response) => {
    asked.push(request.url!)
    response.end()
  })
  const outbound = createOutbound(options([server]))
  expect(await outbound.robots(`${server.url}/page`)).toEqual({ ok: true })
  expect(await outbound.fetch(`${server.url}/page`, { robots: true })).toMatchObject({ ok: true })
  expect(asked).toEqual(['/robots.txt', '/page'])
})
