/** What is left in a channel, withdrawn on the chain by its payer, without the gateway. */
import { BATCH_SETTLEMENT_ADDRESS } from '@x402/evm'
import { encodeFunctionData } from 'viem'
import type { SandboxChain } from '../../../../plugins/x402/sandbox/sandbox.ts'
import { rpc, walletOn } from '../../../support/x402/chain.ts'
import { channelOn, WITHDRAWING_ABI } from '../../../support/x402/channel-chain.ts'
import type { Channel } from './channel.ts'

/** Announces that all that is not claimed goes back to the payer, where anything is there. */
export async function announce(chain: SandboxChain, channel: Channel): Promise<void> {
  const { balance, claimed } = await channelOn(chain, channel.id)
  if (balance === claimed) return
  // Sums that are not claimed yet are asked for too: the contract gives what is left in the end.
  channel.withdrawing = balance - claimed
  const args = [configOf(channel), channel.withdrawing] as const
  const data = encodeFunctionData({ abi: WITHDRAWING_ABI, functionName: 'initiateWithdraw', args })
  const wallet = await walletOn(chain, channel.account)
  try {
    await wallet.send({ to: BATCH_SETTLEMENT_ADDRESS, data })
  } catch {
    // A gateway claimed meanwhile, so that it was too much: the contract did nothing.
    channel.withdrawing = 0n
  }
}

/** Lets the time of the withdrawals pass on the chain, and takes what they give. */
export async function finish(chain: SandboxChain, channels: readonly Channel[]): Promise<void> {
  const withdrawn = channels.filter(({ withdrawing }) => withdrawing > 0n)
  const delayS = Math.max(0, ...withdrawn.map((channel) => configOf(channel).withdrawDelay))
  await rpc(chain, 'evm_increaseTime', [delayS])
  await rpc(chain, 'evm_mine')
  for (const channel of withdrawn) {
    const args = [configOf(channel)] as const
    const data = encodeFunctionData({
      abi: WITHDRAWING_ABI,
      functionName: 'finalizeWithdraw',
      args,
    })
    const wallet = await walletOn(chain, channel.account)
    await wallet.send({ to: BATCH_SETTLEMENT_ADDRESS, data })
  }
}

const configOf = ({ scheme, accepted }: Channel) => scheme.buildChannelConfig(accepted)
