import { afterEach, describe, expect, test } from 'vitest'
import type { GuardedExchange, GuardedRequestInit } from '../../../kernel/net/contract.ts'
import { createGuardedRequest } from '../../../host/outbound/guarded-request.ts'
import { readExcerpt } from '../../../plugins/webinfra/excerpt.ts'
import {
  closeServers,
  httpServer,
  mirror,
  options,
  rawServer,
  until,
  type TestServer,
} from './servers.ts'

afterEach(closeServers)

const request = (server: TestServer, path: string, init?: GuardedRequestInit) =>
  createGuardedRequest(options([server]))(`${server.url}${path}`, init)
async function opened(server: TestServer, path: string, init?: GuardedRequestInit) {
  const answer = await request(server, path, init)
  if (!answer.ok) throw new Error(`${answer.reason}: ${answer.message}`)
  return answer
}
/** The same where a limit is short; tried again when the machine stood still until it was over. */
async function openedInTime(server: TestServer, path: string, init: GuardedRequestInit) {
  for (;;) {
    const answer = await request(server, path, init)
    if (answer.ok) return answer
    if (answer.reason !== 'timeout') throw new Error(`${answer.reason}: ${answer.message}`)
  }
}
const textOf = (answer: GuardedExchange): Promise<string> => new Response(answer.body).text()

describe('guardedRequest', () => {
  test('gives status, raw headers and raw bytes, and follows nothing', async () => {
    const server = await rawServer((socket) =>
      socket.end(
        'HTTP/1.1 302 Over There\r\nLocation: http://127.0.0.1/\r\nSet-Cookie: a\r\nset-cookie: b\r\nContent-Encoding: gzip\r\n\r\nnot gzip',
      ),
    )
    const answer = await opened(server, '/')
    expect(answer).toMatchObject({ status: 302, statusText: 'Over There' })
    expect(answer.headers).toEqual([
      ['Location', 'http://127.0.0.1/'],
      ['Set-Cookie', 'a'],
      ['set-cookie', 'b'],
      ['Content-Encoding', 'gzip'],
    ])
    expect(await textOf(answer)).toBe('not gzip')
    expect(await answer.ended).toBeNull()
  })

  test('sends bytes exactly, repeated headers, and its own agent only when none is given', async () => {
    const server = await httpServer((incoming, response) => {
      response.setHeader('x-seen', incoming.rawHeaders.join('|'))
      mirror(incoming, response)
    })
    const body = new TextEncoder().encode('{"a": 1}\n')
    const headers = { 'User-Agent': 'Hook/1', 'X-Two': ['1', '2'] }
    const answer = await opened(server, '/hook', { method: 'POST', body, headers })
    const seen = JSON.parse(await textOf(answer))
    expect(seen).toMatchObject({ method: 'POST', body: '{"a": 1}\n' })
    expect(seen.headers['user-agent']).toBe('Hook/1')
    expect(seen.headers['content-length']).toBe('9')
    const raw = answer.headers.find(([name]) => name === 'x-seen')![1]
    expect(raw.toLowerCase()).toContain('x-two|1|x-two|2')
  })

  test('streams both ways before either side has ended', async () => {
    const server = await httpServer((incoming, response) => {
      response.writeHead(200)
      incoming.on('data', (chunk) => response.write(chunk))
      incoming.on('end', () => response.end())
    })
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const writer = writable.getWriter()
    const encode = (text: string) => new TextEncoder().encode(text)
    void writer.write(encode('one'))
    const answer = await opened(server, '/', { method: 'POST', body: readable })
    const reader = answer.body.getReader()
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('one')
    void writer.write(encode('two'))
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('two')
    await writer.close()
    expect((await reader.read()).done).toBe(true)
    expect(await answer.ended).toBeNull()
  })

  test('does not read ahead of its reader', async () => {
    let sent = 0
    const server = await httpServer((_incoming, response) => {
      const chunk = Buffer.alloc(64 * 1024)
      const more = () => {
        while (sent < 4096 && response.write(chunk)) sent += 1
        if (sent < 4096) response.once('drain', more)
      }
      more()
    })
    const answer = await opened(server, '/')
    const reader = answer.body.getReader()
    await reader.read()
    await Bun.sleep(100)
    expect(sent).toBeLessThan(4096)
    answer.cancel()
    await until(() => server.open() === 0)
  })

  test('refuses like the fetch does', async () => {
    const server = await httpServer(mirror)
    const strict = createGuardedRequest(options([]))
    expect(await strict(`${server.url}/`)).toMatchObject({ ok: false, reason: 'ssrf' })
    expect(await strict('http://[')).toMatchObject({ ok: false, reason: 'invalid_url' })
    expect(server.hits).toEqual([])
    expect(await strict(`${server.url}/`, { allowPrivate: true })).toMatchObject({ ok: true })
  })

  test('waits for the head no longer than told, and for the body as long as it takes', async () => {
    const server = await httpServer((incoming, response) => {
      if (incoming.url === '/never') return
      response.write('head')
      setTimeout(() => response.end(' and body'), 1500)
    })
    const limits = { headersTimeoutMs: 1000 }
    expect(await request(server, '/never', limits)).toMatchObject({ reason: 'timeout' })
    expect(await textOf(await openedInTime(server, '/', limits))).toBe('head and body')
    await until(() => server.open() === 0)
  })

  test.each(['chunked', 'close'])('cuts a %s body at the whole limit', async (framing) => {
    const head = framing === 'chunked' ? 'Transfer-Encoding: chunked\r\n' : ''
    const first = framing === 'chunked' ? '4\r\nhalf\r\n' : 'half'
    const server = await rawServer((socket) =>
      socket.write(`HTTP/1.1 200 OK\r\n${head}\r\n${first}`),
    )
    const answer = await openedInTime(server, '/', { timeoutMs: 1000 })
    await expect(textOf(answer)).rejects.toThrow('No answer within 1000 ms')
    expect(await answer.ended).toMatchObject({ reason: 'timeout' })
    await until(() => server.open() === 0)
  })

  test('cuts a body that nobody reads, too', async () => {
    const server = await httpServer((_incoming, response) => void response.write('x'))
    const answer = await openedInTime(server, '/', { timeoutMs: 1000 })
    expect(await answer.ended).toMatchObject({ reason: 'timeout' })
    await until(() => server.open() === 0)
  })

  test('errors when the server cuts the body off', async () => {
    const server = await rawServer((socket) =>
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'),
    )
    const answer = await opened(server, '/')
    await expect(textOf(answer)).rejects.toThrow('failed')
    expect(await answer.ended).toMatchObject({ reason: 'connect' })
  })

  test('drops the connection on abort, cancel and cancelled streams', async () => {
    const server = await httpServer((_incoming, response) => void response.write('x'))
    const controller = new AbortController()
    const aborted = await opened(server, '/', { signal: controller.signal })
    controller.abort()
    await expect(textOf(aborted)).rejects.toThrow('aborted')
    expect(await aborted.ended).toMatchObject({ reason: 'aborted' })

    const cancelled = await opened(server, '/')
    cancelled.cancel()
    cancelled.cancel()
    expect(await cancelled.ended).toBeNull()

    const stream = await opened(server, '/')
    await stream.body.cancel()
    expect(await stream.ended).toBeNull()
    await until(() => server.open() === 0)
  })

  test('cancels its request stream when the target goes away', async () => {
    const server = await rawServer((socket) => socket.destroy())
    let cancelled = false
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        await Bun.sleep(5)
        controller.enqueue(new Uint8Array(1000))
      },
      cancel: () => void (cancelled = true),
    })
    expect(await request(server, '/', { method: 'POST', body })).toMatchObject({
      reason: 'connect',
    })
    await until(() => cancelled)
  })
})

describe('readExcerpt', () => {
  test('keeps the first bytes and drops the connection', async () => {
    const server = await httpServer((_incoming, response) => {
      response.write('x'.repeat(100_000))
    })
    expect(await readExcerpt(await opened(server, '/'), 4096)).toBe('x'.repeat(4096))
    await until(() => server.open() === 0)
  })

  test('keeps what came before an error', async () => {
    const server = await rawServer((socket) =>
      socket.end('HTTP/1.1 500 Oops\r\nContent-Length: 100\r\n\r\nhalf'),
    )
    const answer = await opened(server, '/')
    expect(await readExcerpt(answer, 4096)).toBe('half')
    expect(await answer.ended).toMatchObject({ reason: 'connect' })
  })
})
