/** A payment channel as its payer keeps it, with the unmodified scheme of @x402/evm. */
import type { PaymentRequirements } from '@x402/core/types'
import { toClientEvmSigner } from '@x402/evm'
import {
  BatchSettlementEvmScheme,
  computeChannelId,
  InMemoryClientChannelStorage,
} from '@x402/evm/batch-settlement/client'
import { toHex, type Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { newId } from '../../../../kernel/ids.ts'
import type { SandboxChain } from '../../../../plugins/x402/sandbox/sandbox.ts'
import type { Random } from '../../../support/docintel-fixtures/random.ts'
import type { Answer, GatewayProcess } from '../../../support/gateway.ts'
import { readerOn } from '../../../support/x402/channel-chain.ts'
import { decode, encode, offerIn } from '../../../support/x402/payments.ts'

export const NETWORK = 'eip155:8453'
const PATH = '/v1/paid/hash'
const BUSY = 'channel_busy'
const TOO_LATE = 'erc3009Authorization.validBefore'
const WITHDRAWN = 'channel_is_withdrawn'

/** A call and the voucher that pays it. */
interface Purchase {
  accepted: PaymentRequirements
  payload: Record<string, unknown>
  header: string
  input: string
}

export interface Channel {
  id: Hex
  account: PrivateKeyAccount
  scheme: BatchSettlementEvmScheme
  storage: InMemoryClientChannelStorage
  /** What every voucher of it names. */
  accepted: PaymentRequirements
  /** What its payer has answers for, in units. */
  paid: bigint
  answers: number
  /** What was deposited with vouchers that were answered, in units. */
  deposited: bigint
  /** The refunds that were answered: units by transaction. */
  refunds: Map<string, bigint>
  /** Requests of refunds that were sent and had no answer. */
  unclearRefunds: number
  /** What its payer takes back on the chain, in units: above 0 vouchers may be refused. */
  withdrawing: bigint
  /** No further voucher is signed for it. */
  isOver: boolean
  /** Vouchers that were refused for good. */
  refused: number
  /** The one that has no clear answer yet. */
  pending: Purchase | null
  sent: number
}

/** The offer of channels; null while the gateway is away or offers none. */
async function offerOf(gateway: GatewayProcess): Promise<PaymentRequirements | null> {
  const unpaid = await gateway.call('POST', PATH, { body: { input: 'unpaid' } }).catch(() => null)
  const header = unpaid?.headers.get('payment-required')
  if (unpaid?.status !== 402 || !header) return null
  return offerIn(decode(header), 'batch-settlement')
}

/** A new channel of the account, not on the chain yet; null while nothing is offered. */
export async function opened(
  chain: SandboxChain,
  gateway: GatewayProcess,
  account: PrivateKeyAccount,
  random: Random,
): Promise<Channel | null> {
  const accepted = await offerOf(gateway)
  if (accepted === null) return null
  const storage = new InMemoryClientChannelStorage()
  const salt = toHex(random.int(1, 2 ** 31 - 1), { size: 32 })
  const signer = toClientEvmSigner(account, readerOn(chain))
  const scheme = new BatchSettlementEvmScheme(signer, { storage, salt })
  return {
    id: computeChannelId(scheme.buildChannelConfig(accepted), NETWORK),
    account,
    scheme,
    storage,
    accepted,
    paid: 0n,
    answers: 0,
    deposited: 0n,
    refunds: new Map(),
    unclearRefunds: 0,
    withdrawing: 0n,
    isOver: false,
    refused: 0,
    pending: null,
    sent: 0,
  }
}

/** The next voucher of a channel; false while no gateway says what it must be for. */
export async function sign(channel: Channel, gateway: GatewayProcess): Promise<boolean> {
  const accepted = await offerOf(gateway)
  if (accepted === null) return false
  const { payload } = await channel.scheme.createPaymentPayload(2, accepted, {} as never)
  const header = encode({ x402Version: 2, accepted, payload })
  channel.pending = { accepted, payload, header, input: newId() }
  return true
}

/** Sends the voucher once; returns what was wrong with the answer. Now and then it is sent twice. */
export async function buy(
  channel: Channel,
  gateways: readonly GatewayProcess[],
  random: Random,
): Promise<string[]> {
  const { accepted, payload, header, input } = channel.pending!
  const send = async (): Promise<Answer | null> => {
    channel.sent += 1
    return random
      .pick(gateways)
      .call('POST', PATH, { body: { input }, headers: { 'payment-signature': header } })
      .catch(() => null)
  }
  const heard = await Promise.all(random.chance(0.1) ? [send(), send()] : [send()])
  const good = heard.filter((answer) => answer?.status === 200)
  const [first] = good
  if (!first) return heard.flatMap((answer) => refusalIn(channel, answer))
  channel.pending = null
  const { deposit } = payload as { deposit?: { amount: string } }
  channel.deposited += BigInt(deposit?.amount ?? 0)
  channel.answers += 1
  channel.paid += BigInt(accepted.amount)
  const told = { x402Version: 2 as const, accepted, payload }
  await channel.scheme.schemeHooks.onPaymentResponse!({
    paymentPayload: told,
    requirements: accepted,
    settleResponse: decode(first.headers.get('payment-response')),
  } as never)
  return good.some((answer) => answer!.text !== first.text)
    ? [`${channel.id}: two answers to a voucher`]
    : []
}

/**
 * A voucher that follows on the last answer is only ever told to wait. But a deposit that was not made
 * within its time is refused, and so is any voucher once its payer withdraws; then nothing may have
 * moved.
 */
function refusalIn(channel: Channel, answer: Answer | null): string[] {
  if (answer === null || answer.problem?.retryable === true) return []
  if (answer.status === 409 || answer.status >= 500 || answer.text.includes(BUSY)) return []
  // Sent twice at once, it is refused twice.
  const isLate = answer.text.includes(TOO_LATE)
  const isWithdrawn = channel.withdrawing > 0n && answer.text.includes(WITHDRAWN)
  if (channel.isOver && (isLate || isWithdrawn)) return []
  if (isWithdrawn || (isLate && channel.pending?.payload['deposit'])) {
    channel.refused += 1
    Object.assign(channel, { isOver: true, pending: null })
    return []
  }
  return [`${channel.id}: a voucher was refused: ${answer.status} ${answer.text.slice(0, 300)}`]
}
