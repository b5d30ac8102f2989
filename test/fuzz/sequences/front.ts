/** The public address of several gateways: each request goes to one of them. */
import type { GatewayProcess } from '../../support/gateway.ts'

export interface Front {
  url: string
  /** From now on requests go to whichever it names. */
  leadTo(pick: () => GatewayProcess): void
  stop(): Promise<void>
}

export function startFront(): Front {
  let pick: (() => GatewayProcess) | null = null
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      if (pick === null) return new Response(null, { status: 503 })
      const { pathname, search } = new URL(request.url)
      const { method, headers } = request
      const body = method === 'GET' ? undefined : await request.arrayBuffer()
      const to = `${pick().url}${pathname}${search}`
      const answer = await fetch(to, { method, headers, body, redirect: 'manual' })
      const sent = new Headers(answer.headers)
      // It was decoded here.
      for (const name of ['content-encoding', 'content-length', 'transfer-encoding'])
        sent.delete(name)
      return new Response(answer.body, { status: answer.status, headers: sent })
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    leadTo: (next) => void (pick = next),
    stop: () => server.stop(true),
  }
}
