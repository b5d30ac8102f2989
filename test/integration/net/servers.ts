/** Small hostile and friendly servers on loopback for the outbound tests. */
import http, { type RequestListener } from 'node:http'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { allowList } from '../../../host/outbound/allow-list.ts'
import type { NetOptions, Resolver } from '../../../host/outbound/options.ts'

export interface TestServer {
  port: number
  /** `http://127.0.0.1:<port>` */
  url: string
  /** Requests or connections that arrived, as 'METHOD path'. */
  hits: string[]
  /** Connections open now. */
  open(): number
  close(): Promise<void>
}

const running: TestServer[] = []

/** Call in afterEach. */
export async function closeServers(): Promise<void> {
  await Promise.all(running.splice(0).map((server) => server.close()))
}

async function listen(server: Server, hits: string[], host: string): Promise<TestServer> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const { port } = server.address() as AddressInfo
  const made: TestServer = {
    port,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    hits,
    open: () => sockets.size,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
  running.push(made)
  return made
}

export function httpServer(handler: RequestListener, host = '127.0.0.1'): Promise<TestServer> {
  const hits: string[] = []
  const server = http.createServer((request, response) => {
    hits.push(`${request.method} ${request.url}`)
    handler(request, response)
  })
  return listen(server, hits, host)
}

/** A server that speaks bytes: `talk` gets each connection after its first data. */
export function rawServer(talk: (socket: Socket, first: Buffer) => void): Promise<TestServer> {
  const hits: string[] = []
  const server = createServer((socket) => {
    socket.once('data', (first) => {
      hits.push(first.toString().split(' HTTP/')[0]!)
      talk(socket, first as Buffer)
    })
  })
  return listen(server, hits, '127.0.0.1')
}

/** Answers with the request's parts as JSON. */
export const mirror: RequestListener = (request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const { method, url, headers } = request
    const body = Buffer.concat(chunks).toString()
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ method, url, headers, body }))
  })
}

/** Options under which only the given servers may be reached on loopback. */
export function options(allowed: readonly TestServer[], resolver?: Resolver): NetOptions {
  const entries = allowed.map(({ url }) => url.slice('http://'.length))
  return { allowPrivate: allowList(entries), userAgent: 'Coinop/0.1 (+test)', resolver }
}

/** A resolver that gives each name its addresses in turn, the last one for ever. */
export function script(names: Record<string, string[][]>): Resolver & { asked: string[] } {
  const asked: string[] = []
  const resolver = async (host: string) => {
    const turns = names[host]
    const turn = asked.filter((name) => name === host).length
    asked.push(host)
    const addresses = turns?.[Math.min(turn, turns.length - 1)] ?? []
    return addresses.map((address) => ({
      address,
      family: address.includes(':') ? (6 as const) : (4 as const),
    }))
  }
  return Object.assign(resolver, { asked })
}

export async function until(probe: () => boolean): Promise<void> {
  while (!probe()) await Bun.sleep(5)
}
