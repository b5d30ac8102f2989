/** Chains with tokens of any decimals, and nodes that lie about them. */
import type { Address } from 'viem'
import type { Asset } from '../../../plugins/x402/terms/asset.ts'
import { startSandboxChain, type SandboxChain } from '../../../plugins/x402/sandbox/sandbox.ts'

export interface TokenChain {
  asset: Asset
  chain: SandboxChain
}

/** A token by EIP-3009 that no client knows. */
export function tokenOn(chainId: number, decimals: number): Asset {
  const address: Address = `0x${decimals.toString(16).padStart(2, '0').repeat(19)}aa`
  const network = `eip155:${chainId}` as const
  const name = `Dollar ${decimals}`
  return {
    network,
    networkV1: network,
    chainId,
    address,
    decimals,
    name,
    version: '1',
    method: 'eip3009',
  }
}

/** A chain with this token; throws with the reason where anvil cannot run. */
export async function chainWith(asset: Asset): Promise<TokenChain> {
  const started = await startSandboxChain(asset)
  if (!started.ok) throw new Error(started.reason)
  return { asset, chain: started.chain }
}

interface Asked {
  method: string
  params: [{ data?: string; input?: string }?]
}

/** `decimals()` in a call of the ABI. */
const DECIMALS = '0x313ce567'

/** A node that tells everything as the chain's own does, but for the decimals of its token. */
export function lyingNode(chain: SandboxChain, decimals: number) {
  const answered = (asked: Asked, answer: object): object => {
    const [call] = asked.params ?? []
    const isAbout = asked.method === 'eth_call' && (call?.data ?? call?.input) === DECIMALS
    return isAbout ? { ...answer, result: `0x${decimals.toString(16).padStart(64, '0')}` } : answer
  }
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const asked = (await request.json()) as Asked | Asked[]
      const init = { method: 'POST', body: JSON.stringify(asked), headers: JSON_TYPE }
      const told = await (await fetch(chain.rpcUrl, init)).json()
      return Response.json(
        Array.isArray(asked)
          ? asked.map((one, index) => answered(one, told[index]))
          : answered(asked, told),
      )
    },
  })
  return { url: `http://127.0.0.1:${server.port}`, stop: () => server.stop(true) }
}

const JSON_TYPE = { 'content-type': 'application/json' }
