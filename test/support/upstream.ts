/** A small real HTTP server to stand behind the gateway, with its connections counted. */
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import net from 'node:net'

export interface TestUpstream {
  url: string
  port: number
  /** Connections accepted so far, and open now. */
  connections: { accepted: number; open: number }
  requests: { method: string; url: string; headers: IncomingMessage['headers'] }[]
  close(): Promise<void>
}

/** Listens on loopback, on any port unless told; `handle` answers each request. */
export function startUpstream(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
  port = 0,
): Promise<TestUpstream> {
  const requests: TestUpstream['requests'] = []
  const server = http.createServer((request, response) => {
    requests.push({
      method: request.method ?? '',
      url: request.url ?? '',
      headers: request.headers,
    })
    handle(request, response)
  })
  // A gateway that stood still for seconds must not find its kept connections closed.
  server.keepAliveTimeout = 600_000
  return listen(server, requests, port)
}

/** Listens on loopback and speaks whatever `handle` writes: for answers that node:http would not give. */
export function startRawUpstream(
  handle: (head: string, socket: Socket) => void,
): Promise<TestUpstream> {
  const requests: TestUpstream['requests'] = []
  return listen(
    net.createServer((socket) => {
      let text = ''
      socket.on('error', () => {})
      socket.on('data', (chunk) => {
        text += chunk.toString('latin1')
        const end = text.indexOf('\r\n\r\n')
        if (end === -1) return
        const head = text.slice(0, end)
        text = ''
        const [method = '', url = ''] = head.split(' ')
        requests.push({ method, url, headers: {} })
        handle(head, socket)
      })
    }),
    requests,
  )
}

async function listen(
  server: net.Server,
  requests: TestUpstream['requests'],
  wanted = 0,
): Promise<TestUpstream> {
  const connections = { accepted: 0, open: 0 }
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    connections.accepted += 1
    connections.open += 1
    sockets.add(socket)
    socket.on('close', () => {
      connections.open -= 1
      sockets.delete(socket)
    })
  })
  await new Promise<void>((resolve) => server.listen(wanted, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    connections,
    requests,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
