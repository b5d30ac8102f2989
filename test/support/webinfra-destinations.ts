/** Local destinations of webhooks that behave as they are told, and remember what they got. */
import http from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Got {
  path: string
  headers: http.IncomingHttpHeaders
  body: Buffer
  /** What the answer's status was; null when the connection was cut before one. */
  status: number | null
}

/** What a destination does with a request. */
export type Behaviour =
  | number
  | { status: number; headers?: Record<string, string>; body?: string; delayMs?: number }
  /** Cuts the connection without an answer. */
  | 'reset'
  /** Sends the head of a 200, then cuts the connection within the body. */
  | 'reset-after-2xx'

export interface DestinationServer {
  url: string
  port: number
  got: Got[]
  /** By webhook-id, in order of arrival. */
  of(deliveryId: string): Got[]
  /** How it answers from now on. */
  answer(next: Behaviour | ((got: Got) => Behaviour | Promise<Behaviour>)): void
  /** Resolves when `count` requests have arrived. */
  arrived(count: number): Promise<void>
  close(): Promise<void>
}

/** Listens on a free port of 127.0.0.1 and answers 200 until told otherwise. */
export async function destinationServer(port = 0): Promise<DestinationServer> {
  const got: Got[] = []
  const waiting = new Set<{ count: number; done: () => void }>()
  let behave: (got: Got) => Behaviour | Promise<Behaviour> = () => 200

  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer)
    } catch {
      // Its gateway was killed before it had sent all of it.
      return
    }
    const entry: Got = {
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks),
      status: null,
    }
    got.push(entry)
    for (const waiter of waiting) if (got.length >= waiter.count) waiter.done()
    const behaviour = await behave(entry)
    if (behaviour === 'reset') return request.socket.destroy()
    if (behaviour === 'reset-after-2xx') {
      entry.status = 200
      response.writeHead(200, { 'content-length': '1000' })
      response.write('some bytes', () => setTimeout(() => request.socket.destroy(), 10))
      return
    }
    const plan = typeof behaviour === 'number' ? { status: behaviour } : behaviour
    if (plan.delayMs) await Bun.sleep(plan.delayMs)
    entry.status = plan.status
    response.writeHead(plan.status, plan.headers)
    response.end(plan.body ?? 'ok')
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const address = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${address.port}/hook`,
    port: address.port,
    got,
    of: (deliveryId) => got.filter(({ headers }) => headers['webhook-id'] === deliveryId),
    answer(next) {
      behave = typeof next === 'function' ? next : () => next
    },
    async arrived(count) {
      if (got.length >= count) return
      await new Promise<void>((resolve) => {
        const waiter = {
          count,
          done: () => {
            waiting.delete(waiter)
            resolve()
          },
        }
        waiting.add(waiter)
      })
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
