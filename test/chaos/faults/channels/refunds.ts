/**
 * What is left in a channel, taken back at its payer's wish by the unmodified scheme of @x402/evm. A
 * refund has no name by which it could be asked for again: whoever has no answer asks for all that is
 * left, until it is given or nothing is left.
 */
import type { Random } from '../../../support/docintel-fixtures/random.ts'
import type { GatewayProcess } from '../../../support/gateway.ts'
import type { Channel } from './channel.ts'

const PATH = '/v1/x402/channels'
/** Units of a part: some are more than what is left. */
const PARTS = ['10000', '150000', '900000'] as const
/** Nothing is left, or less than was asked for, or it was given back too often since the last call. */
const CLEAR = ['refund_no_balance', 'refund_amount_invalid', 'no remaining balance']
const BUSY = 'channel_busy'
/** Until the lease of a gateway that died has run out. */
const GIVE_UP_MS = 240_000

type Refund =
  | { kind: 'made'; transaction: string; units: bigint }
  | { kind: 'refused'; why: string }
  /** It was sent and had no clear answer. */
  | { kind: 'unclear' }
  | { kind: 'not sent' }

/** A part of what is left, or all of it; returns what was wrong with the answers. */
export async function takeBack(
  channel: Channel,
  gateways: readonly GatewayProcess[],
  random: Random,
): Promise<string[]> {
  const amount = random.chance(0.5) ? random.pick(PARTS) : undefined
  const first = await refund(channel, random.pick(gateways), amount)
  if (first.kind === 'unclear') return insist(channel, gateways, random)
  if (first.kind === 'refused' && first.why.includes(BUSY)) return []
  return told(channel, first)
}

/** After a refund without an answer: all that is left, asked for until it is clear that nothing is. */
async function insist(
  channel: Channel,
  gateways: readonly GatewayProcess[],
  random: Random,
): Promise<string[]> {
  for (const endMs = performance.now() + GIVE_UP_MS; performance.now() < endMs;) {
    // The chain tells what the answer that was lost would have told.
    await channel.storage.delete(channel.id.toLowerCase())
    const again = await refund(channel, random.pick(gateways), undefined)
    const isBusy = again.kind === 'refused' && again.why.includes(BUSY)
    if (again.kind === 'made' || (again.kind === 'refused' && !isBusy)) {
      // What was charged and is not claimed yet, the chain does not tell.
      channel.isOver = true
      return told(channel, again)
    }
    await Bun.sleep(random.int(100, 600))
  }
  return [`${channel.id}: a refund does not resolve`]
}

function told(channel: Channel, refund: Refund): string[] {
  if (refund.kind === 'refused') {
    const isClear = CLEAR.some((word) => refund.why.includes(word))
    return isClear ? [] : [`${channel.id}: a refund was refused: ${refund.why}`]
  }
  if (refund.kind !== 'made') return []
  const { transaction, units } = refund
  const isNew = !channel.refunds.has(transaction)
  channel.refunds.set(transaction, units)
  return isNew ? [] : [`${channel.id}: refund ${transaction} was told twice`]
}

/** Asks once, by the client's own two tries. */
async function refund(
  channel: Channel,
  gateway: GatewayProcess,
  amount: string | undefined,
): Promise<Refund> {
  let isSent = false
  let status: number | null = null
  const watched = async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
    if (!new Headers(init?.headers).has('payment-signature')) return fetch(url, init)
    isSent = true
    status = null
    const response = await fetch(url, init)
    status = response.status
    return response
  }
  try {
    const options = { fetch: watched as typeof fetch, ...(amount !== undefined && { amount }) }
    const { transaction, amount: units } = await channel.scheme.refund(gateway.url + PATH, options)
    return { kind: 'made', transaction, units: BigInt(units ?? 0) }
  } catch (error) {
    const why = (error as Error).message
    if (status === 402 || (!isSent && CLEAR.some((word) => why.includes(word)))) {
      return { kind: 'refused', why }
    }
    if (!isSent) return { kind: 'not sent' }
    channel.unclearRefunds += 1
    return { kind: 'unclear' }
  }
}
