/** A buyer through payment channels: the scheme of @x402/evm, and calls of an instance under the meter. */
import type { PaymentRequirements, SettleResponse } from '@x402/core/types'
import { BATCH_SETTLEMENT_ADDRESS, toClientEvmSigner } from '@x402/evm'
import {
  BatchSettlementEvmScheme,
  computeChannelId,
  InMemoryClientChannelStorage,
} from '@x402/evm/batch-settlement/client'
import { encodeFunctionData, type Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { MeterOutcome } from '../../../kernel/metering/call.ts'
import type { MountedSkill } from '../../../kernel/plugins/catalog.ts'
import type { SandboxChain } from '../../../plugins/x402/sandbox/sandbox.ts'
import { channelRoutes } from '../../../plugins/x402/routes/channel-routes.ts'
import { giveGas, walletOn } from './chain.ts'
import { readerOn, WITHDRAWING_ABI } from './channel-chain.ts'
import type { PayOptions, X402Instance } from './instances.ts'
import { decode, offerIn } from './payments.ts'

/** A payment as it is sent. */
export interface ChannelSent {
  x402Version: 2
  accepted: PaymentRequirements
  payload: Record<string, unknown>
}

export interface ChannelBuyer {
  scheme: BatchSettlementEvmScheme
  /** The payment for what an instance asks now. */
  payment(instance: X402Instance, skill?: MountedSkill): Promise<ChannelSent>
  /** Pays by the scheme, which hears of the settlement as its client tells it. */
  buy(instance: X402Instance, options?: PayOptions): Promise<MeterOutcome>
  /** Tells the scheme what an answer says of its payment. */
  heard(payment: ChannelSent, outcome: MeterOutcome): Promise<void>
  /** Asks for what is left, or a part of it, as `GET /v1/x402/channels` does. */
  refund(instance: X402Instance, amount?: bigint): Promise<unknown>
  idOf(instance: X402Instance): Promise<Hex>
  /** Steps of a withdrawal that needs nobody else. */
  initiateWithdraw(instance: X402Instance, amount: bigint): Promise<void>
  finalizeWithdraw(instance: X402Instance): Promise<void>
}

/** A buyer with a channel of its own for each `salt`. */
export function channelBuyer(
  chain: SandboxChain,
  account: PrivateKeyAccount,
  salt?: Hex,
): ChannelBuyer {
  const signer = toClientEvmSigner(account, readerOn(chain))
  const storage = new InMemoryClientChannelStorage()
  const scheme = new BatchSettlementEvmScheme(signer, { storage, ...(salt && { salt }) })
  const offerOf = async (instance: X402Instance, skill?: MountedSkill) =>
    offerIn(await instance.challenge(skill), 'batch-settlement')
  const configOf = async (instance: X402Instance) =>
    scheme.buildChannelConfig(await offerOf(instance))

  const buyer: ChannelBuyer = {
    scheme,
    async payment(instance, skill) {
      const accepted = await offerOf(instance, skill)
      const { payload } = await scheme.createPaymentPayload(2, accepted, {} as never)
      return { x402Version: 2, accepted, payload }
    },
    async buy(instance, options = {}) {
      const payment = await buyer.payment(instance, options.skill)
      const outcome = await instance.pay(payment, options)
      await buyer.heard(payment, outcome)
      return outcome
    },
    async heard(payment, outcome) {
      if (outcome.kind === 'failure') return
      const header = outcome.receipt?.headers['payment-response']
      if (header === undefined) return
      await scheme.schemeHooks!.onPaymentResponse!({
        paymentPayload: payment,
        requirements: payment.accepted,
        settleResponse: decode<SettleResponse>(header),
      } as never)
    },
    async refund(instance, amount) {
      const [channels] = instance.core.channels
      const answered = async (_: unknown, init?: RequestInit): Promise<Response> => {
        const sent = new Headers(init?.headers).get('payment-signature')
        const [route] = channelRoutes({ rail: instance.rail, publicUrl: 'http://localhost' })
        const request = new Request('http://localhost/v1/x402/channels')
        if (sent !== null) request.headers.set('payment-signature', sent)
        const result = await route!.handler({ request } as never)
        if (result instanceof Response) return result
        const status = result.code.startsWith('PAYMENT_') ? 402 : 503
        return new Response(JSON.stringify(result), { status, headers: result.headers ?? {} })
      }
      if (!channels) throw new Error('the instance has no channels')
      return scheme.refund('http://localhost/v1/x402/channels', {
        fetch: answered as typeof fetch,
        ...(amount !== undefined && { amount: String(amount) }),
      })
    },
    async idOf(instance) {
      return computeChannelId(await configOf(instance), 'eip155:8453')
    },
    async initiateWithdraw(instance, amount) {
      await giveGas(chain, account.address)
      const args = [(await configOf(instance)) as never, amount] as const
      const data = encodeFunctionData({
        abi: WITHDRAWING_ABI,
        functionName: 'initiateWithdraw',
        args,
      })
      await (await walletOn(chain, account)).send({ to: BATCH_SETTLEMENT_ADDRESS, data })
    },
    async finalizeWithdraw(instance) {
      const args = [(await configOf(instance)) as never] as const
      const data = encodeFunctionData({
        abi: WITHDRAWING_ABI,
        functionName: 'finalizeWithdraw',
        args,
      })
      await (await walletOn(chain, account)).send({ to: BATCH_SETTLEMENT_ADDRESS, data })
    },
  }
  return buyer
}
