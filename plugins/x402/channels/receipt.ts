/** What a settlement response says of a call through a channel (scheme batch-settlement, EVM). */
import type { SignedChannel } from '../payment/payload.ts'
import type { SettleResponse } from '../payment/wire.ts'

/**
 * The charge, and the channel after it. `units` is what was charged; the members about the chain are
 * those of before the call, with its deposit.
 */
export function channelResponse(
  { payload, before, requirements }: SignedChannel,
  units: bigint,
): Pick<SettleResponse, 'amount' | 'payer' | 'extra'> {
  const { channelConfig, voucher, deposit } = payload
  const deposited = BigInt(deposit?.amount ?? 0)
  const chargedBefore = BigInt(voucher.maxClaimableAmount) - BigInt(requirements.amount)
  return {
    payer: channelConfig.payer,
    amount: deposit ? deposit.amount : '',
    extra: {
      chargedAmount: units.toString(),
      channelState: {
        channelId: voucher.channelId,
        balance: (BigInt(before.balance) + deposited).toString(),
        totalClaimed: before.totalClaimed,
        withdrawRequestedAt: before.withdrawRequestedAt,
        refundNonce: before.refundNonce,
        chargedCumulativeAmount: (chargedBefore + units).toString(),
      },
    },
  }
}
