/**
 * Callers who pay through payment channels (scheme batch-settlement), with the unmodified scheme of
 * @x402/evm. Whoever has no clear answer comes back with the same voucher; in the end each channel was
 * charged the answers that its payer has, and the chain pays out that and no more.
 */
import type { PaymentRequirements } from '@x402/core/types'
import { BATCH_SETTLEMENT_ADDRESS, toClientEvmSigner } from '@x402/evm'
import {
  BatchSettlementEvmScheme,
  computeChannelId,
  InMemoryClientChannelStorage,
} from '@x402/evm/batch-settlement/client'
import { createPublicClient, http, toHex, type Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { base } from 'viem/chains'
import { newId } from '../../../kernel/ids.ts'
import { connectDatabase } from '../../../host/database/connect.ts'
import { CONTRACT_ABI } from '../../../plugins/x402/channels/wire.ts'
import type { SandboxChain } from '../../../plugins/x402/sandbox/sandbox.ts'
import { seeded, type Random } from '../../support/docintel-fixtures/random.ts'
import type { Answer, GatewayProcess } from '../../support/gateway.ts'
import { silentLog } from '../../support/log.ts'
import { decode, encode, offerIn } from '../../support/x402/payments.ts'
import { patiently } from '../patiently.ts'
import { hurry } from './hurry.ts'
import type { OtherCallers } from './shop.ts'

const PATH = '/v1/paid/hash'
const NETWORK = 'eip155:8453'
/** A voucher is left for later, and another channel opened, after so many tries. */
const TRIES = 4
const GIVE_UP_MS = 180_000
const BUSY = 'channel_busy'
const TOO_LATE = 'erc3009Authorization.validBefore'

export interface ChannelPayersOptions {
  chain: SandboxChain
  /** Each pays through channels of its own, one after the other. */
  accounts: readonly PrivateKeyAccount[]
  seed: number
  isHurried: boolean
}

/** A call and the voucher that pays it. */
interface Purchase {
  accepted: PaymentRequirements
  payload: Record<string, unknown>
  header: string
  input: string
}
interface Channel {
  id: Hex
  scheme: BatchSettlementEvmScheme
  /** What its payer has answers for, in units. */
  paid: bigint
  answers: number
  /** What was deposited with vouchers that were answered, in units. */
  deposited: bigint
  /** Its last voucher was refused for good, because its deposit came back too late: it is over. */
  isOver: boolean
  /** The one that has no clear answer yet. */
  pending: Purchase | null
  sent: number
}

/** Callers of `accounts`, one each. */
export function channelPayers(options: ChannelPayersOptions): OtherCallers {
  return async (gateways, stopping, url) => {
    const channels: Channel[] = []
    const wrong: string[] = []
    const receivedBefore = await receivedBy(options)
    await Promise.all(
      options.accounts.map(async (account, i) => {
        const random = seeded(options.seed * 89 + i)
        let channel: Channel | null = null
        while (!stopping.aborted) {
          const gateway = random.pick(gateways)
          channel ??= await opened(options, gateway, account, random, channels)
          if (channel === null || !(await sign(channel, gateway))) {
            await Bun.sleep(random.int(50, 300))
            continue
          }
          for (let n = 0; n < TRIES && channel.pending !== null; n++) {
            if (n > 0) await Bun.sleep(random.int(100, 800))
            wrong.push(...(await buy(channel, gateways, random)))
          }
          if (channel.pending !== null || channel.isOver) channel = null
        }
      }),
    )
    const unclear = channels.filter(({ pending }) => pending !== null)
    const count = unclear.length
    if (options.isHurried && count > 0) await hurry(url)
    await Promise.all(
      unclear.map(async (channel, i) => {
        const random = seeded(options.seed * 7 + i)
        for (const endMs = performance.now() + GIVE_UP_MS; channel.pending !== null;) {
          if (performance.now() > endMs) wrong.push(`${channel.id}: a voucher does not resolve`)
          if (performance.now() > endMs) return
          wrong.push(...(await buy(channel, gateways, random)))
          if (channel.pending !== null) await Bun.sleep(random.int(100, 500))
        }
      }),
    )
    if (options.isHurried) await hurry(url)
    wrong.push(...(await audit(options, channels, url, receivedBefore)))
    const answers = channels.reduce((sum, one) => sum + one.answers, 0)
    const sent = channels.reduce((sum, one) => sum + one.sent, 0)
    return {
      wrong,
      counts: {
        channels: channels.length,
        'vouchers answered': answers,
        'vouchers refused': channels.filter(({ isOver }) => isOver).length,
        'vouchers unclear until all was well': count,
        'vouchers sent again': sent - answers,
      },
    }
  }
}

/** The offer of channels; null while the gateway is away or offers none. */
async function offerOf(gateway: GatewayProcess): Promise<PaymentRequirements | null> {
  const unpaid = await gateway.call('POST', PATH, { body: { input: 'unpaid' } }).catch(() => null)
  const header = unpaid?.headers.get('payment-required')
  if (unpaid?.status !== 402 || !header) return null
  return offerIn(decode(header), 'batch-settlement')
}

async function opened(
  { chain }: ChannelPayersOptions,
  gateway: GatewayProcess,
  account: PrivateKeyAccount,
  random: Random,
  channels: Channel[],
): Promise<Channel | null> {
  const accepted = await offerOf(gateway)
  if (accepted === null) return null
  const storage = new InMemoryClientChannelStorage()
  const salt = toHex(random.int(1, 2 ** 31 - 1), { size: 32 })
  const signer = toClientEvmSigner(account, readerOn(chain))
  const scheme = new BatchSettlementEvmScheme(signer, { storage, salt })
  const id = computeChannelId(scheme.buildChannelConfig(accepted), NETWORK)
  const channel: Channel = {
    id,
    scheme,
    paid: 0n,
    answers: 0,
    deposited: 0n,
    isOver: false,
    pending: null,
    sent: 0,
  }
  channels.push(channel)
  return channel
}

/** The next voucher of a channel; false while no gateway says what it must be for. */
async function sign(channel: Channel, gateway: GatewayProcess): Promise<boolean> {
  const accepted = await offerOf(gateway)
  if (accepted === null) return false
  const { payload } = await channel.scheme.createPaymentPayload(2, accepted, {} as never)
  const header = encode({ x402Version: 2, accepted, payload })
  channel.pending = { accepted, payload, header, input: newId() }
  return true
}

/** Sends the voucher once; returns what was wrong with the answer. Now and then it is sent twice. */
async function buy(
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
 * A voucher that follows on the last answer is only ever told to wait; but a deposit that was not made
 * within its time is refused, and then must never have moved.
 */
function refusalIn(channel: Channel, answer: Answer | null): string[] {
  if (answer === null || answer.problem?.retryable === true) return []
  if (answer.status === 409 || answer.status >= 500 || answer.text.includes(BUSY)) return []
  // Sent twice at once, it is refused twice.
  if (channel.isOver && answer.text.includes(TOO_LATE)) return []
  if (channel.pending?.payload['deposit'] && answer.text.includes(TOO_LATE)) {
    Object.assign(channel, { isOver: true, pending: null })
    return []
  }
  return [`${channel.id}: a voucher was refused: ${answer.status} ${answer.text.slice(0, 300)}`]
}

async function audit(
  options: ChannelPayersOptions,
  channels: readonly Channel[],
  url: string,
  receivedBefore: bigint,
): Promise<string[]> {
  const wrong: string[] = []
  const db = connectDatabase({ url, kind: 'server', log: silentLog })
  try {
    for (const { id, paid, answers, deposited } of channels) {
      const [row] = await db.sql<{ charged: string; booked: number }[]>`
        SELECT charged::text, (SELECT count(*)::int FROM plugin_x402.x402_claim k
          JOIN coinop.entry e ON e.id::text = k.ledger_id
          WHERE starts_with(k.nonce, 'channel:' || c.id || ':') AND k.state = 'settled') AS booked
        FROM plugin_x402.x402_channel c WHERE id = ${id}`
      const { charged, booked } = row ?? { charged: '0', booked: 0 }
      if (BigInt(charged) !== paid) wrong.push(`${id}: charged ${charged}, paid ${paid}`)
      if (booked !== answers) wrong.push(`${id}: booked ${booked} of ${answers} answers`)
      const { balance, claimed } = await claimedInTheEnd(options.chain, id, paid)
      if (claimed !== paid) wrong.push(`${id}: claimed ${claimed}, paid ${paid}`)
      if (paid > balance) wrong.push(`${id}: sold for ${paid}, of which ${balance} are held`)
      if (balance !== deposited) wrong.push(`${id}: holds ${balance}, answered were ${deposited}`)
    }
    const paid = channels.reduce((sum, one) => sum + one.paid, 0n)
    const received = (await receivedBy(options)) - receivedBefore
    if (received !== paid) wrong.push(`${received} USDC came in, and vouchers paid ${paid}`)
    return wrong
  } finally {
    await db.close()
  }
}

/** Gateways look every quarter of a minute for what is to be claimed. */
async function claimedInTheEnd(chain: SandboxChain, id: Hex, paid: bigint) {
  for (const endMs = performance.now() + GIVE_UP_MS; ;) {
    const [balance, claimed] = await readerOn(chain).readContract({
      address: BATCH_SETTLEMENT_ADDRESS,
      abi: CONTRACT_ABI,
      functionName: 'channels',
      args: [id],
    })
    if (claimed >= paid || performance.now() > endMs) return { balance, claimed }
    await Bun.sleep(250)
  }
}

const readerOn = ({ rpcUrl }: SandboxChain) =>
  createPublicClient({ chain: base, transport: http(rpcUrl), pollingInterval: 20 })

const receivedBy = ({ chain }: ChannelPayersOptions): Promise<bigint> =>
  patiently(() => chain.balanceOf(chain.receivingAddress))
