/** A door on loopback that nobody may be led to: it counts who connects. */
import { createServer, type Server } from 'node:net'

export interface Canary {
  port: number
  /** Connections so far. */
  touched(): number
  close(): Promise<void>
}

const ANSWER =
  'HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 6\r\ncontent-type: text/html\r\n\r\nsecret'

/** On both families of loopback, so that no spelling misses it; or on `host` and `port` alone. */
export async function startCanary(host = '::', at = 0): Promise<Canary> {
  let touched = 0
  const server: Server = createServer((socket) => {
    touched++
    socket.on('error', () => {})
    socket.on('data', () => socket.end(ANSWER))
  })
  await new Promise<void>((done) => server.listen(at, host, done))
  const { port } = server.address() as { port: number }
  return {
    port,
    touched: () => touched,
    async close() {
      // Those that are still open are nobody's any more.
      server.close()
    },
  }
}

/** URLs that lead to this machine's `port`, as attackers spell them. */
export const urlsTo = (port: number): string[] => [
  `http://127.0.0.1:${port}/`,
  `http://localhost:${port}/`,
  `http://LOCALHOST.:${port}/`,
  `http://a.localhost:${port}/`,
  `http://[::1]:${port}/`,
  `http://[::ffff:127.0.0.1]:${port}/`,
  `http://[::ffff:7f00:1]:${port}/`,
  `http://[64:ff9b::127.0.0.1]:${port}/`,
  `http://127.1:${port}/`,
  `http://2130706433:${port}/`,
  `http://0x7f.0.0.1:${port}/`,
  `http://0177.0.0.1:${port}/`,
  `http://127.0.0.1.:${port}/`,
  `http://0.0.0.0:${port}/`,
  `http://[::]:${port}/`,
  `http://example.com@127.0.0.1:${port}/`,
  `http://127.0.0.1:${port}#@example.com/`,
  `http://１２７.0.0.1:${port}/`,
  `http://①②⑦.0.0.1:${port}/`,
  `http:\\\\127.0.0.1:${port}\\`,
  `http:127.0.0.1:${port}`,
  `http://127.0.0.1%3A${port}/`,
  `//127.0.0.1:${port}/`,
  `https://127.0.0.1:${port}/`,
  `view-source:http://127.0.0.1:${port}/`,
  `ws://127.0.0.1:${port}/`,
]
