/** /v1/x402/sandbox: the wallet with test money on the sandbox's own chain. */
import { Type } from 'typebox'
import { notFound, privateJson, type Route } from '#kernel'
import type { SandboxChain } from '../sandbox/sandbox.ts'

const SandboxOutput = Type.Object({
  rpcUrl: Type.String({ description: 'The local chain; it is gone when the gateway stops' }),
  wallet: Type.Object({ address: Type.String(), privateKey: Type.String() }),
})

/** For a gateway that wants a chain of its own; 404 where that could not start. */
export function sandboxRoutes(running: () => SandboxChain | null): Route[] {
  return [
    {
      method: 'GET',
      path: '/v1/x402/sandbox',
      auth: 'admin',
      tag: 'x402',
      summary: 'The test wallet of the local chain, for buyers on this machine',
      output: SandboxOutput,
      statuses: [404],
      handler() {
        const chain = running()
        if (chain === null) return notFound('This gateway has no chain of its own')
        return privateJson({ rpcUrl: chain.rpcUrl, wallet: chain.testWallet })
      },
    },
  ]
}
