/**
 * Proxies without a gateway, to compare with: http-proxy-3 (through fetch-to-node, as an Elysia
 * handler would have to call it) and Bun's own fetch. Neither checks an address nor drops a header.
 */
import { EventEmitter } from 'node:events'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import { toFetchResponse, toReqRes } from 'fetch-to-node'
import { createProxyServer } from 'http-proxy-3'

const [kind, target = ''] = process.argv.slice(2)
const pathOf = (request: Request): string => request.url.slice(request.url.indexOf('/', 8))

const proxy = createProxyServer({
  target,
  changeOrigin: true,
  agent: new http.Agent({ keepAlive: true, maxFreeSockets: 256 }),
})
/** fetch-to-node gives requests no socket, and http-proxy-3 reads it. */
const socket = Object.assign(new EventEmitter(), {
  destroyed: false,
  remoteAddress: '127.0.0.1',
  setTimeout() {},
  setKeepAlive() {},
  setNoDelay() {},
})

function byHttpProxy3(request: Request): Promise<Response> {
  const { req, res } = toReqRes(request)
  Object.defineProperty(req, 'socket', { value: socket })
  Object.defineProperty(req, 'connection', { value: socket })
  proxy.web(req as unknown as IncomingMessage, res as unknown as ServerResponse, {}, () => {})
  return toFetchResponse(res)
}

async function byFetch(request: Request): Promise<Response> {
  const answer = await fetch(target + pathOf(request), {
    method: request.method,
    redirect: 'manual',
    decompress: false,
    signal: request.signal,
  })
  return new Response(answer.body, { status: answer.status, headers: answer.headers })
}

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  idleTimeout: 0,
  fetch: kind === 'http-proxy-3' ? byHttpProxy3 : byFetch,
})
console.log(`listening on http://127.0.0.1:${server.port}`)
