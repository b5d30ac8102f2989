/** The test wallet of a sandbox's own chain, as GET /v1/x402/sandbox tells it to the operator. */
import { createPublicClient, erc20Abi, http, type Address, type Hex } from 'viem'

export interface DemoWallet {
  privateKey: Hex
  /** What an address holds of a token, in atomic units. */
  balanceOf(asset: Address, address: Address): Promise<bigint>
}

/** Null where the gateway has no chain of its own. */
export async function sandboxWallet(url: string, adminToken: string): Promise<DemoWallet | null> {
  const response = await fetch(`${url}/v1/x402/sandbox`, {
    headers: { authorization: `Bearer ${adminToken}` },
  })
  const told = await response.json()
  if (!response.ok) return null
  const { rpcUrl, wallet } = told as { rpcUrl: string; wallet: { privateKey: Hex } }
  const client = createPublicClient({ transport: http(rpcUrl) })
  return {
    privateKey: wallet.privateKey,
    balanceOf: (asset, address) =>
      client.readContract({
        address: asset,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [address],
      }),
  }
}
