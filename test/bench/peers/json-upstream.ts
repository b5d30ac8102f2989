/** An upstream that answers 1 KB of JSON, or as many bytes as /bytes/N asks for. */
const json = JSON.stringify({
  items: Array.from({ length: 32 }, (_, id) => ({ id, name: `item ${id}` })),
})
const chunk = new Uint8Array(65_536)

const upstream = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  idleTimeout: 0,
  fetch(request) {
    const bytes = /\/bytes\/(\d+)$/.exec(request.url)?.[1]
    if (bytes === undefined)
      return new Response(json, { headers: { 'content-type': 'application/json' } })
    let left = Math.ceil(Number(bytes) / chunk.byteLength)
    return new Response(
      new ReadableStream({
        pull(controller) {
          if (left-- > 0) controller.enqueue(chunk)
          else controller.close()
        },
      }),
    )
  },
})
console.log(`listening on http://127.0.0.1:${upstream.port}`)
