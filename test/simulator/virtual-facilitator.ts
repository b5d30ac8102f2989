/**
 * A facilitator with a chain of its own: a map of the nonces that were used. It settles, and then may
 * lose its answer, break, refuse or lie, as the seed says. No node is asked: what it says is all.
 */
import type { Random } from './random.ts'

export interface VirtualFacilitator {
  url: string
  /** Probability that something is wrong with an answer. */
  wrong: number
  /** Transactions by nonce: what moved. */
  readonly moved: ReadonlyMap<string, string>
  /** Payments that were asked to be moved once more, and were not. */
  repeats: number
  stop(): Promise<void>
}

interface Asked {
  paymentPayload: { payload: { authorization: { from: string; nonce: string } } }
  paymentRequirements: { network: string }
}

export function startVirtualFacilitator(random: () => Random): VirtualFacilitator {
  const moved = new Map<string, string>()
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url)
      if (pathname === '/supported') {
        const kinds = [{ x402Version: 2, scheme: 'exact', network: 'eip155:8453' }]
        return Response.json({ kinds, extensions: [], signers: {} })
      }
      const { paymentPayload, paymentRequirements } = (await request.json()) as Asked
      const { from, nonce } = paymentPayload.payload.authorization
      const isWrong = random().chance(state.wrong)
      if (pathname === '/verify') {
        if (isWrong) return new Response('oops', { status: 500 })
        return Response.json({ isValid: true, payer: from })
      }
      const { network } = paymentRequirements
      const how = isWrong ? random().of(['503', 'lost', 'garbage', 'broken'] as const) : 'well'
      if (how === '503') return new Response('busy', { status: 503 })
      if (how === 'garbage') return new Response('<html>hello</html>')
      const known = moved.get(nonce)
      if (known !== undefined) state.repeats++
      const transaction =
        known ?? `0x${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('hex')}`
      moved.set(nonce, transaction)
      if (how === 'lost') return new Response('{"success":tr')
      if (how === 'broken') return new Response('oops', { status: 500 })
      return Response.json({ success: true, transaction, network, payer: from })
    },
  })
  const state: VirtualFacilitator = {
    url: `http://127.0.0.1:${server.port}`,
    wrong: 0,
    moved,
    repeats: 0,
    stop: async () => server.stop(true),
  }
  return state
}
