/** A node that can be made to sit on what it is asked, for a gateway that stands still or dies there. */
import type { SandboxChain } from '../../../plugins/x402/sandbox/sandbox.ts'
import type { Closing } from '../lifetimes.ts'

export interface Hold {
  /** Resolves when the first request of that method has come. */
  reached: Promise<void>
  /** The chain gets what was held, and nothing more is held. */
  release(): void
}

export interface HeldNode {
  url: string
  /** From now on requests of this method wait; the chain does not see them. */
  hold(method: string): Hold
}

/** In front of the chain's node; closed by itself. */
export function heldNode(chain: SandboxChain, closing: Closing): HeldNode {
  let held: { method: string; reached: () => void; released: Promise<void> } | null = null
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 120,
    async fetch(request) {
      const body = await request.text()
      const hold = held
      if (hold !== null && body.includes(`"${hold.method}"`)) {
        hold.reached()
        await hold.released
      }
      const headers = { 'content-type': 'application/json' }
      return fetch(chain.rpcUrl, { method: 'POST', headers, body })
    },
  })
  closing(() => server.stop(true))
  return {
    url: `http://127.0.0.1:${server.port}`,
    hold(method) {
      const reached = Promise.withResolvers<void>()
      const released = Promise.withResolvers<void>()
      held = { method, reached: reached.resolve, released: released.promise }
      return {
        reached: reached.promise,
        release() {
          held = null
          released.resolve()
        },
      }
    },
  }
}
