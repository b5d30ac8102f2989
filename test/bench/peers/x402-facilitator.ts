/** A facilitator that says yes at once: what is left is the cost of the resource server. */
const settled = {
  success: true,
  transaction: `0x${'ab'.repeat(32)}`,
  network: 'eip155:8453',
  payer: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
}
const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request) {
    const { pathname } = new URL(request.url)
    if (pathname === '/supported') {
      return Response.json({
        kinds: [{ x402Version: 2, scheme: 'exact', network: 'eip155:8453' }],
        extensions: [],
        signers: {},
      })
    }
    await request.arrayBuffer()
    return Response.json(pathname === '/verify' ? { isValid: true, payer: settled.payer } : settled)
  },
})
process.stdout.write(`listening on http://127.0.0.1:${server.port}\n`)
