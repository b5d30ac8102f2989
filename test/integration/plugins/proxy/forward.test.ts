import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { CallerEnded, type Failure } from '../../../../kernel/errors.ts'
import type { ForwardRequest, ForwardSuccess } from '../../../../kernel/plugins/skill.ts'
import type { Logger } from '../../../../kernel/log/logger.ts'
import { silentLog } from '../../../support/log.ts'
import { startRawUpstream, startUpstream, type TestUpstream } from '../../../support/upstream.ts'
import { contextOf, proxyOf, request, type ProxyInstance } from './harness.ts'
import { PATIENT } from '../../../support/patience.ts'

const closers: (() => Promise<unknown> | void)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

type World = { upstream: TestUpstream; instance: ProxyInstance }
async function over(upstream: TestUpstream, settings = '', skills = ''): Promise<World> {
  const instance = await proxyOf(
    `product_id: w
upstream: { url: "${upstream.url}", allow_private: true${settings} }
skills:
  - { id: w.paid, route: "ANY /paid/*", price: { credits: 1 } }
  - { id: w.free, route: "ANY /free", metered: false }
${skills}`,
  )
  closers.push(() => upstream.close())
  closers.push(() => instance.stop!(new Date()))
  return { upstream, instance }
}
const http = async (handle: Parameters<typeof startUpstream>[0], settings = '') =>
  over(await startUpstream(handle), settings)
const raw = async (handle: Parameters<typeof startRawUpstream>[0], settings = '') =>
  over(await startRawUpstream(handle), settings)

type Forwarded = ForwardSuccess | Failure
const forward = (
  { instance }: World,
  init: Parameters<typeof request>[1] & { path?: string; skill?: string } = {},
  context = contextOf(),
): Promise<Forwarded> => {
  const { path = '/free', skill = 'w.free', ...rest } = init
  return instance.skill(skill).forward!(context, request(path, rest) as ForwardRequest)
}
const answered = (forwarded: Forwarded): Response => {
  if (!forwarded.ok) throw new Error(JSON.stringify(forwarded))
  return forwarded.response
}
const failed = (forwarded: Forwarded): Failure => {
  if (forwarded.ok) throw new Error(`answered ${forwarded.response.status}`)
  return forwarded
}

/** The number once it has stood still for a while. */
async function settled(read: () => number): Promise<number> {
  let before = -1
  for (let now = read(); now !== before || now === 0; now = read()) {
    before = now
    await Bun.sleep(50)
  }
  return before
}

/**
 * What one of five tries came to: where an upstream must answer within 200 ms, a machine that stands
 * still makes it silent. A proxy that is wrong fails all five.
 */
async function unlessTooSlow<T>(work: () => Promise<T>): Promise<T> {
  for (let left = 5; ; left--) {
    try {
      return await work()
    } catch (error) {
      if (left === 1) throw error
    }
  }
}

it('puts the key of the gateway into the query, and takes it out of what the caller gets', async () => {
  const asked: string[] = []
  const world = await http((incoming, response) => {
    asked.push(`${incoming.url} ${incoming.headers['accept-encoding']}`)
    response.writeHead(302, { location: `http://${incoming.headers.host}${incoming.url}` })
    // Without a length: as a stream.
    response.write(incoming.url)
    response.end()
  }, ', query: { key: "long/secret", unset: "" }')
  const headers = { 'accept-encoding': 'gzip' }
  const response = answered(await forward(world, { search: '?key=own&a=1', headers }))
  expect(asked).toEqual(['/free?a=1&key=long%2Fsecret identity'])
  expect(response.headers.get('location')).toBe('/v1/w/free?a=1&key=*************')
  expect(await response.text()).toBe('/free?a=1&key=*************')
})

it('asks for the whole answer where its price is read in it, and for a part elsewhere', async () => {
  const seen: (string | undefined)[] = []
  const upstream = await startUpstream((request, response) => {
    seen.push(request.headers['range'])
    response.end('{}')
  })
  const world = await over(
    upstream,
    '',
    '  - { id: w.read, route: GET /read, price: { per: { unit: page, from: /pages, credits: 1 }, max: 9 } }',
  )
  const headers = { range: 'bytes=0-9' }
  await answered(await forward(world, { path: '/read', skill: 'w.read', headers })).text()
  await answered(await forward(world, { path: '/paid/x', skill: 'w.paid', headers })).text()
  expect(seen).toEqual([undefined, 'bytes=0-9'])
})

describe('answers', () => {
  it('pass byte for byte, still encoded, with every Set-Cookie', async () => {
    const packed = gzipSync('hello '.repeat(100))
    const world = await http((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip', 'set-cookie': ['a=1', 'b=2'] })
      response.end(packed)
    })
    const response = answered(await forward(world))
    expect(Buffer.from(await response.arrayBuffer()).equals(packed)).toBe(true)
    expect(response.headers.get('content-encoding')).toBe('gzip')
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  })

  it('without a body have none: 204, 304 and HEAD, whose length stays', async () => {
    const world = await http((incoming, response) => {
      const status = Number(incoming.headers['x-status'] ?? 200)
      response.writeHead(status, { etag: '"x"', 'content-length': '500' })
      response.end()
    }, ', forward_headers: [x-status]')
    for (const status of [204, 304]) {
      const response = answered(await forward(world, { headers: { 'x-status': String(status) } }))
      expect([response.status, response.body, response.headers.get('etag')]).toEqual([
        status,
        null,
        '"x"',
      ])
    }
    const head = answered(await forward(world, { method: 'HEAD' }))
    expect([head.status, head.body, head.headers.get('content-length')]).toEqual([200, null, '500'])
    expect(world.upstream.connections.accepted).toBe(1)
  })

  it('to HEAD say no length where the upstream says none', async () => {
    const world = await http((_, response) => response.writeHead(200).end())
    const head = answered(await forward(world, { method: 'HEAD' }))
    expect(head.headers.get('content-length')).toBeNull()
    // A response without a body goes out with a length of 0.
    expect([head.body === null, await head.text()]).toEqual([false, ''])
  })

  it('arrive chunk by chunk', async () => {
    let release!: () => void
    const world = await http((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: 1\n\n')
      release = () => response.end('data: 2\n\n')
    })
    const reader = answered(await forward(world)).body!.getReader()
    const first = await reader.read()
    expect(new TextDecoder().decode(first.value)).toBe('data: 1\n\n')
    release()
    const second = await reader.read()
    expect(new TextDecoder().decode(second.value)).toBe('data: 2\n\n')
    expect((await reader.read()).done).toBe(true)
  })

  it('of informational status are passed over, and trailers end with the connection', async () => {
    const world = await raw((_, socket) => {
      socket.write('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n')
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n')
      socket.write('2\r\nhi\r\n0\r\nX-Sum: 1\r\n\r\n')
    })
    const response = answered(await forward(world))
    expect([response.status, await response.text()]).toEqual([200, 'hi'])
    expect([...response.headers.keys()]).toEqual([])
  })

  it('are read no faster than the caller takes them', async () => {
    let sentBytes = 0
    const chunk = Buffer.alloc(65_536)
    const world = await http((_, response) => {
      const write = (): void => {
        while (sentBytes < 256e6) {
          sentBytes += chunk.byteLength
          if (!response.write(chunk)) return void response.once('drain', write)
        }
        response.end()
      }
      write()
    })
    const reader = answered(await forward(world)).body!.getReader()
    await reader.read()
    expect(await settled(() => sentBytes)).toBeLessThan(64e6)
    await reader.cancel()
  })
})

describe('requests', () => {
  it('carry method, path, query and a streamed body of known or unknown length', async () => {
    const seen: { url: string; length: string | undefined; body: string }[] = []
    const world = await http((incoming, response) => {
      let body = ''
      incoming.on('data', (chunk: Buffer) => (body += chunk.toString()))
      incoming.on('end', () => {
        const { 'content-length': length } = incoming.headers
        seen.push({ url: `${incoming.method} ${incoming.url}`, length, body })
        response.end()
      })
    })
    const body = () => new Response('abc').body as ReadableStream<Uint8Array>
    const search = '?q=a%20b&q=%C3%BC&c='
    await forward(world, {
      method: 'POST',
      body: body(),
      search,
      headers: { 'content-length': '3' },
    })
    await forward(world, { method: 'PUT', body: body() })
    await forward(world, { method: 'POST' })
    await forward(world, { method: 'DELETE' })
    expect(seen).toEqual([
      { url: `POST /free${search}`, length: '3', body: 'abc' },
      { url: 'PUT /free', length: undefined, body: 'abc' },
      { url: 'POST /free', length: '0', body: '' },
      { url: 'DELETE /free', length: undefined, body: '' },
    ])
  })

  it('are not read faster than the upstream takes them, and end with the caller', async () => {
    let closed!: () => void
    const gone = new Promise<void>((resolve) => (closed = resolve))
    // A paused socket does not notice that its peer is gone.
    let resume!: () => void
    const world = await http((incoming) => {
      incoming.pause()
      resume = () => incoming.resume()
      incoming.on('close', closed)
    })
    let pulledBytes = 0
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          pulledBytes += 65_536
          controller.enqueue(new Uint8Array(65_536))
        },
      },
      { highWaterMark: 0 },
    )
    const context = contextOf()
    const forwarding = forward(world, { method: 'POST', body }, context)
    expect(await settled(() => pulledBytes)).toBeLessThan(64e6)
    context.controller.abort(new DOMException('gone', 'AbortError'))
    expect(failed(await forwarding).message).toBe('The call was aborted')
    resume()
    await gone
  })

  it("whose body breaks off are the caller's fault and no failure of the upstream", async () => {
    const world = await http((incoming) => incoming.resume(), ', circuit_breaker: { failures: 1 }')
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.error(new Error('gone'))
      },
    })
    expect(failed(await forward(world, { method: 'POST', body })).code).toBe('INVALID_INPUT')
    const [check] = world.instance.health!
    expect((await check!.probe(AbortSignal.timeout(PATIENT.timeout))).state).toBe('ok')
  })

  it('share connections, which are looked up and checked when they are made', async () => {
    const asked: string[] = []
    const upstream = await startUpstream((_, response) => response.end('ok'))
    closers.push(() => upstream.close())
    let addresses = ['127.0.0.1']
    const instance = await proxyOf(
      `product_id: w
upstream: { url: "http://up.example.com:${upstream.port}" }
metered: false`,
      {
        allow: [`up.example.com:${upstream.port}`],
        resolve: (host) => {
          asked.push(host)
          return addresses
        },
      },
    )
    closers.push(() => instance.stop!(new Date()))
    const world = { upstream, instance }
    const get = () => forward(world, { skill: 'w.everything', path: '/x' })
    for (let n = 0; n < 20; n += 1) expect(await answered(await get()).text()).toBe('ok')
    expect([upstream.connections.accepted, asked.length]).toEqual([1, 1])
    expect(upstream.requests[0]!.headers.host).toBe(`up.example.com:${upstream.port}`)
    addresses = []
    await Promise.all([get(), get()])
    expect(asked.length).toBeGreaterThan(1)
  })

  it('never go to an address that is not public unless the operator allows it', async () => {
    const upstream = await startUpstream((_, response) => response.end('secret'))
    closers.push(() => upstream.close())
    for (const [host, resolve] of [
      [`127.0.0.1:${upstream.port}`, undefined],
      [`rebound.example.com:${upstream.port}`, () => ['127.0.0.1']],
    ] as const) {
      const instance = await proxyOf(
        `product_id: w\nupstream: { url: "http://${host}" }\nmetered: false`,
        resolve && { resolve: () => resolve() },
      )
      await expect(instance.ready!()).rejects.toThrow('allow_private')
      const context = contextOf()
      const forwarded = await instance.skill('w.everything').forward!(context, request('/x'))
      expect(failed(forwarded)).toMatchObject({
        code: 'UPSTREAM_FAILURE',
        details: { reason: 'refused' },
      })
    }
    expect(upstream.connections.accepted).toBe(0)
  })
})

describe('what a caller of a paid route sees', () => {
  const paid = { skill: 'w.paid', path: '/paid/x' }

  it.each([
    [301, 'UPSTREAM_FAILURE', undefined, false],
    [400, 'INVALID_INPUT', undefined, undefined],
    [401, 'UPSTREAM_FAILURE', undefined, false],
    [402, 'UPSTREAM_FAILURE', undefined, false],
    [404, 'INVALID_INPUT', 404, undefined],
    [409, 'INVALID_INPUT', 409, undefined],
    [415, 'UNSUPPORTED_FORMAT', undefined, undefined],
    [422, 'INVALID_INPUT', undefined, undefined],
    [429, 'UPSTREAM_FAILURE', undefined, undefined],
    [500, 'UPSTREAM_FAILURE', undefined, true],
    [503, 'UPSTREAM_FAILURE', undefined, undefined],
  ])('%i becomes %s', async (status, code, ownStatus, retryable) => {
    const world = await http((_, response) => {
      response.writeHead(status, { location: '/elsewhere', 'retry-after': '7' })
      response.end('the upstream says its secret')
    })
    const failure = failed(await forward(world, paid))
    expect([failure.code, failure.status, failure.retryable]).toEqual([code, ownStatus, retryable])
    expect(failure.details).toEqual({ upstreamStatus: status })
    expect(JSON.stringify(failure)).not.toContain('secret')
    const isBusy = status === 429 || status === 503
    expect(failure.headers?.['retry-after']).toBe(isBusy ? '7' : undefined)
  })

  it('while a free route passes all of it on', async () => {
    const world = await http((_, response) => {
      response.writeHead(418, { location: '/free/other' })
      response.end('short and stout')
    })
    const response = answered(await forward(world))
    expect([response.status, await response.text()]).toEqual([418, 'short and stout'])
    expect(response.headers.get('location')).toBe('/v1/w/free/other')
  })

  it('is no answer on a free route where HTTP has no such status', async () => {
    const world = await http((_, response) => response.writeHead(999).end('go away'))
    const failure = failed(await forward(world))
    expect([failure.code, failure.details]).toEqual(['UPSTREAM_FAILURE', { upstreamStatus: 999 }])
  })
})

describe('what the operator is told', () => {
  it('once, that the upstream refuses the credentials, and again after they were good', async () => {
    const statuses = [401, 404, 401, 200, 407]
    const upstream = await startUpstream((_, response) => {
      response.writeHead(statuses.shift()!)
      response.end()
    })
    const told: unknown[] = []
    const product = `product_id: w
upstream: { url: "${upstream.url}", allow_private: true }
skills: [{ id: w.paid, route: "ANY /paid/*", price: { credits: 1 } }]
`
    const log = { ...silentLog, warn: (line: unknown) => void told.push(line) }
    const instance = await proxyOf(product, { log: log as Logger })
    closers.push(() => upstream.close())
    closers.push(() => instance.stop!(new Date()))
    while (statuses.length > 0)
      await forward({ upstream, instance }, { skill: 'w.paid', path: '/paid/x' })
    expect(told).toEqual([
      { upstream: 'w', status: 401 },
      { upstream: 'w', status: 407 },
    ])
  })
})

describe('broken upstreams', () => {
  it.each([
    ['says nothing', () => {}, 'timeout'],
    ['hangs up', (_: string, s: { destroy(): void }) => s.destroy(), 'reset'],
    [
      'speaks no HTTP',
      (_: string, s: { end(t: string): void }) => s.end('SSH-2.0\r\n\r\n'),
      'protocol',
    ],
    [
      'gives two lengths',
      (_: string, s: { write(t: string): void }) =>
        s.write('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'),
      'protocol',
    ],
    [
      'switches protocols',
      (_: string, s: { write(t: string): void }) =>
        s.write('HTTP/1.1 101 X\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
      'reset',
    ],
    [
      'breaks a short answer off',
      (_: string, s: { end(t: string): void }) =>
        s.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc'),
      'reset',
    ],
  ])('one that %s: 503', async (_, handle, reason) => {
    // Only silence may run into it, however busy the machine is.
    const timeout = reason === 'timeout' ? '300ms' : '60s'
    const world = await raw(
      handle as Parameters<typeof startRawUpstream>[0],
      `, timeout: ${timeout}`,
    )
    expect(failed(await forward(world, { method: 'POST' }))).toMatchObject({
      code: 'UPSTREAM_FAILURE',
      details: { reason },
    })
  })

  it.each([
    ['a chunked body', 'Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n', 'end'],
    ['a long body', 'Content-Length: 100000\r\n\r\nabc', 'end'],
    ['a body without length, by a reset', 'Connection: close\r\n\r\nabc', 'resetAndDestroy'],
  ] as const)('%s that breaks off is an error to its reader', async (_, rest, how) => {
    const world = await raw((_head, socket) => {
      socket.write(`HTTP/1.1 200 OK\r\n${rest}`)
      setTimeout(() => socket[how](), 20)
    })
    await expect(answered(await forward(world)).text()).rejects.toThrow()
  })

  it('a stream that falls silent is ended, one whose reader is slow is not', async () => {
    const world = await raw((_, socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n')
    }, ', timeout: 200ms')
    const silent = await unlessTooSlow(async () => answered(await forward(world)))
    await expect(silent.text()).rejects.toThrow('silent')
    const big = await http((_, response) => response.end(Buffer.alloc(4e6)), ', timeout: 200ms')
    const sizeBytes = await unlessTooSlow(async () => {
      const reader = answered(await forward(big)).body!.getReader()
      await reader.read()
      await Bun.sleep(500)
      let sizeBytes = 0
      for (let next = await reader.read(); !next.done; next = await reader.read())
        sizeBytes += next.value.byteLength
      return sizeBytes
    })
    expect(sizeBytes).toBeGreaterThan(3e6)
  })

  it('repeats a request only when a kept connection was closed under a safe one', async () => {
    let count = 0
    const world = await raw((head, socket) => {
      count += 1
      if (count % 2 === 0) return void socket.destroy()
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
    })
    expect(await answered(await forward(world)).text()).toBe('ok')
    expect(await answered(await forward(world)).text()).toBe('ok')
    expect(count).toBe(3)
    expect(failed(await forward(world, { method: 'POST' })).details).toEqual({ reason: 'reset' })
    expect(count).toBe(4)
  })

  it('open the breaker, which answers at once with Retry-After and shows in health and gauge', async () => {
    let isDown = true
    const world = await http((_, response) => {
      response.writeHead(isDown ? 503 : 200).end()
    }, ', circuit_breaker: { failures: 2, reset: 1h }')
    const now = performance.now.bind(performance)
    closers.push(() => void vi.restoreAllMocks())
    const [check] = world.instance.health!
    const [gauge] = world.instance.gauges!
    const reading = () => gauge!.read() as ReadonlyMap<string, number>
    const state = async () => (await check!.probe(AbortSignal.timeout(PATIENT.timeout))).state
    for (let n = 0; n < 2; n += 1) await forward(world)
    expect([await state(), reading().get('w')]).toEqual(['down', 2])
    const failure = failed(await forward(world))
    expect(failure).toMatchObject({
      code: 'UPSTREAM_FAILURE',
      details: { reason: 'circuit_open' },
    })
    expect(Number(failure.headers?.['retry-after'])).toBeGreaterThan(3000)
    expect(world.upstream.requests.length).toBe(2)
    isDown = false
    vi.spyOn(performance, 'now').mockImplementation(() => now() + 3_600_000)
    expect(await state()).toBe('degraded')
    expect(answered(await forward(world)).status).toBe(200)
    expect([await state(), reading().get('w')]).toEqual(['ok', 0])
  })

  it('that nobody can connect to are refused at ready', async () => {
    const upstream = await startUpstream(() => {})
    await upstream.close()
    const instance = await proxyOf(
      `product_id: w\nupstream: { url: "${upstream.url}", allow_private: true }\nmetered: false`,
    )
    await expect(instance.ready!()).rejects.toThrow(
      `upstream.url ${upstream.url} cannot be reached: ECONNREFUSED`,
    )
    await instance.stop!(new Date())
  })
})

it('a stream outlasts the revision that began it, and its connection ends with it', async () => {
  let end = (): void => {}
  const sockets = new Set<Socket>()
  const world = await http((incoming, response) => {
    sockets.add(incoming.socket)
    if (incoming.url !== '/paid/stream') return void response.end('idle')
    response.write('first, ')
    end = () => response.end('last')
  })
  // One connection is kept, and another one streams.
  const [, response] = await Promise.all([
    forward(world).then((idle) => answered(idle).text()),
    forward(world, { path: '/paid/stream', skill: 'w.paid' }).then(answered),
  ])
  await world.instance.stop!(new Date())
  end()
  expect(await response.text()).toBe('first, last')
  await vi.waitUntil(() => [...sockets].every((socket) => socket.destroyed), PATIENT)
  expect(sockets.size).toBe(2)
})

describe('callers who go away', () => {
  it('take the upstream request with them, before and after the head', async () => {
    let closedCount = 0
    const world = await http((incoming, response) => {
      response.on('close', () => (closedCount += 1))
      if (incoming.url === '/paid/stream') response.write('abc')
    })
    const context = contextOf()
    const waiting = forward(world, {}, context)
    await vi.waitUntil(() => world.upstream.requests.length > 0, PATIENT)
    context.controller.abort(new DOMException('gone', 'AbortError'))
    failed(await waiting)
    const response = answered(await forward(world, { skill: 'w.paid', path: '/paid/stream' }))
    await response.body!.cancel()
    await vi.waitUntil(() => closedCount === 2, PATIENT)
  })
})

describe('what opens the breaker is what the upstream did', () => {
  const SENSITIVE = ', timeout: 60s, circuit_breaker: { failures: 1, reset: 1h }'
  const stateOf = async ({ instance }: World) =>
    (await instance.health![0]!.probe(AbortSignal.timeout(PATIENT.timeout))).state
  /** A caller's body that gives `head` and then nothing, until it is ended or fails. */
  const slowBody = (head = 'part') => {
    let controller!: ReadableStreamDefaultController<Uint8Array>
    const body = new ReadableStream<Uint8Array>({
      start(own) {
        controller = own
        controller.enqueue(new TextEncoder().encode(head))
      },
    })
    return { body, fail: () => controller.error(new Error('gone')), end: () => controller.close() }
  }
  const deadline = () => new DOMException('The skill ran out of time', 'TimeoutError')
  const later = (ms: number): void => {
    const now = performance.now.bind(performance)
    closers.push(() => void vi.restoreAllMocks())
    vi.spyOn(performance, 'now').mockImplementation(() => now() + ms)
  }

  it('not a slow upload that meets the deadline of the skill', async () => {
    let arrived!: () => void
    const begun = new Promise<void>((resolve) => (arrived = resolve))
    const world = await http((incoming) => incoming.once('data', arrived), SENSITIVE)
    const context = contextOf()
    const forwarding = forward(world, { method: 'POST', body: slowBody().body }, context)
    await begun
    later(3_600_000)
    context.controller.abort(deadline())
    expect(failed(await forwarding).details).toEqual({ reason: 'aborted' })
    expect(await stateOf(world)).toBe('ok')
  })

  it('not one that the upstream gives up, by a reset or by 503', async () => {
    const resets = await http((incoming, { socket }) => {
      incoming.once('data', () => socket!.destroy())
    }, SENSITIVE)
    const cut = forward(resets, { method: 'POST', body: slowBody().body })
    expect(failed(await cut).details).toEqual({ reason: 'reset' })
    expect(await stateOf(resets)).toBe('ok')

    let answer!: () => void
    const begun = Promise.withResolvers<void>()
    const refuses = await http((incoming, response) => {
      answer = () => void response.writeHead(503).end()
      incoming.once('data', () => begun.resolve())
    }, SENSITIVE)
    const refused = forward(refuses, { method: 'POST', body: slowBody().body })
    await begun.promise
    later(2000)
    answer()
    expect(answered(await refused).status).toBe(503)
    expect(await stateOf(refuses)).toBe('ok')
  })

  it('not a header that cannot be sent on', async () => {
    const world = await http((_, response) => void response.end(), SENSITIVE)
    const refused = failed(await forward(world, { headers: { 'user-agent': 'a\u007fb' } }))
    expect(refused.code).toBe('INVALID_INPUT')
    expect(await stateOf(world)).toBe('ok')
  })

  it('not calls under way when the gateway ends', async () => {
    const begun = Promise.withResolvers<void>()
    const world = await http(() => begun.resolve(), SENSITIVE)
    const forwarding = forward(world)
    await begun.promise
    await world.instance.stop!(new Date())
    failed(await forwarding)
    expect(await stateOf(world)).toBe('ok')
  })

  it('but a deadline that the upstream had to itself', async () => {
    const begun = Promise.withResolvers<void>()
    const world = await http(() => begun.resolve(), SENSITIVE)
    const context = contextOf()
    const forwarding = forward(world, {}, context)
    await begun.promise
    later(30_000)
    context.controller.abort(deadline())
    expect(failed(await forwarding).details).toEqual({ reason: 'timeout' })
    expect(await stateOf(world)).toBe('down')
  })

  it('and its silence after an upload that was whole', async () => {
    const world = await http(
      (incoming) => incoming.resume(),
      ', timeout: 100ms, circuit_breaker: { failures: 1, reset: 1h }',
    )
    const { body, end } = slowBody()
    end()
    expect(failed(await forward(world, { method: 'POST', body })).details).toEqual({
      reason: 'timeout',
    })
    expect(await stateOf(world)).toBe('down')
  })

  it.each(['caller', 'upstream'] as const)(
    'an answer that ends early because of an upload that is not whole is the caller’s: by the %s',
    async (who) => {
      let cut!: () => void
      const world = await http((_, response) => {
        response.writeHead(200, { 'content-type': 'text/plain' })
        response.write('half')
        cut = () => void response.socket!.destroy()
      }, SENSITIVE)
      const upload = slowBody()
      const { body } = answered(await forward(world, { method: 'POST', body: upload.body }))
      const reader = body!.getReader()
      await reader.read()
      if (who === 'caller') upload.fail()
      else cut()
      await expect(reader.read()).rejects.toBeInstanceOf(CallerEnded)
    },
  )
})
