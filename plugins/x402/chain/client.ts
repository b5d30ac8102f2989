/** The client of a node of an EVM network. */
import { createPublicClient, http } from 'viem'
import type { Asset } from '../terms/asset.ts'
import { briefNodeFetch, nodeFetch } from '../settle/endpoint-fetch.ts'
const RPC_TIMEOUT_MS = 10_000
export interface ChainOptions {
  rpcUrl: string
  asset: Asset
  timeoutMs?: number
}

export type PublicClient = ReturnType<typeof createClientOf>

/** `isBrief`: each call is sent alone, and an answer is read up to 64 KiB. */
export function createClientOf(options: ChainOptions, isBrief = false) {
  return createPublicClient({
    transport: http(options.rpcUrl, {
      batch: isBrief ? false : { wait: 0 },
      retryCount: 0,
      timeout: options.timeoutMs ?? RPC_TIMEOUT_MS,
      fetchFn: isBrief ? briefNodeFetch : nodeFetch,
    }),
    cacheTime: 0,
    // A contract that is asked may name addresses to fetch its answer from (EIP-3668); anybody deploys one.
    ccipRead: false,
  })
}
