/** /v1/x402/sandbox: the wallet with test money on the sandbox's own chain. */
import { Type } from 'typebox'
import type { Route } from '#kernel'
import type { SandboxChain } from '../sandbox/sandbox.ts'

const SandboxOutput = Type.Object({
  rpcUrl: Type.String({ description: 'The local chain; it is gone when the gateway stops' }),
  wallet: Type.Object({ address: Type.String(), privateKey: Type.String() }),
})

/** Empty without a chain of its own. */
export function sandboxRoutes(chain: SandboxChain | null): Route[] {
  if (chain === null) return []
  const { rpcUrl, testWallet: wallet } = chain
  return [
    {
      method: 'GET',
      path: '/v1/x402/sandbox',
      auth: 'admin',
      tag: 'x402',
      summary: 'The test wallet of the local chain, for buyers on this machine',
      output: SandboxOutput,
      handler: () => Response.json({ rpcUrl, wallet }),
    },
  ]
}
