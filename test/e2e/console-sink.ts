/** A destination for webhooks that takes everything and counts it. */
export interface Sink {
  url: string
  received(): number
  stop(): void
}

export function webhookSink(): Sink {
  let received = 0
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch() {
      received += 1
      return new Response('ok')
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}/hook`,
    received: () => received,
    stop: () => void server.stop(true),
  }
}
