/** Payment channels on a local chain: what the contract says of one, and what only its payer may ask. */
import { BATCH_SETTLEMENT_ADDRESS } from '@x402/evm'
import { createPublicClient, http, parseAbi, type Hex } from 'viem'
import { base } from 'viem/chains'
import { CONTRACT_ABI } from '../../../plugins/x402/payment/channel.ts'
import type { SandboxChain } from '../../../plugins/x402/sandbox/sandbox.ts'

/** The steps of a withdrawal that needs nobody else. */
export const WITHDRAWING_ABI = parseAbi([
  'struct ChannelConfig { address payer; address payerAuthorizer; address receiver; address receiverAuthorizer; address token; uint40 withdrawDelay; bytes32 salt; }',
  'function initiateWithdraw(ChannelConfig config, uint128 amount)',
  'function finalizeWithdraw(ChannelConfig config)',
])

export const readerOn = ({ rpcUrl }: SandboxChain) =>
  createPublicClient({ chain: base, transport: http(rpcUrl), pollingInterval: 20 })

/** The balance of a channel and what was claimed of it, on the chain. */
export async function channelOn(chain: SandboxChain, id: Hex) {
  const [balance, claimed] = await readerOn(chain).readContract({
    address: BATCH_SETTLEMENT_ADDRESS,
    abi: CONTRACT_ABI,
    functionName: 'channels',
    args: [id],
  })
  return { balance, claimed }
}
