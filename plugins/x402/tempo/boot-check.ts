/**
 * Compares the settings of Tempo with the network: the chain, and the token with its decimals and the
 * currency that it stands for.
 */
import { parseAbi, type Hex } from 'viem'
import type { BootCheck } from '../chain/chain-check.ts'
import { messageOf } from '../chain/node-errors.ts'
import type { Token } from '../terms/token.ts'
import type { TempoClient } from './chain.ts'

const TIP20 = parseAbi([
  'function decimals() view returns (uint8)',
  'function currency() view returns (string)',
])
/** Prices are in dollars, and nothing is converted. */
const CURRENCY = 'USD'

/** Never throws. */
export async function checkTempo(client: TempoClient, token: Token): Promise<BootCheck> {
  const address = token.asset as Hex
  try {
    const chainId = await client.getChainId()
    if (chainId !== token.chainId) {
      return wrong(`TEMPO_RPC_URL is chain ${chainId}, TEMPO_CHAIN_ID says ${token.chainId}`)
    }
    const code = await client.getCode({ address })
    if (code === undefined || code === '0x') {
      return wrong(`TEMPO_CURRENCY ${address} is no token of chain ${chainId}`)
    }
    const [decimals, currency] = await Promise.all([
      client.readContract({ address, abi: TIP20, functionName: 'decimals' }),
      client.readContract({ address, abi: TIP20, functionName: 'currency' }),
    ])
    if (currency !== CURRENCY) {
      return wrong(`TEMPO_CURRENCY ${address} is of the currency ${currency}, not ${CURRENCY}`)
    }
    return decimals === token.decimals
      ? { state: 'ok' }
      : wrong(`TEMPO_CURRENCY ${address} has ${decimals} decimals, not ${token.decimals}`)
  } catch (error) {
    return { state: 'unreachable', reason: `TEMPO_RPC_URL: ${messageOf(error)}` }
  }
}

function wrong(reason: string): BootCheck {
  return { state: 'wrong', reason }
}
