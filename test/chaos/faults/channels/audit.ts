/** Compares channels with the claims, the ledger and the chain, once everything is well again. */
import { BATCH_SETTLEMENT_ADDRESS } from '@x402/evm'
import type { Address } from 'viem'
import { connectDatabase } from '../../../../host/database/connect.ts'
import { CONTRACT_ABI } from '../../../../plugins/x402/payment/channel.ts'
import type { SandboxChain } from '../../../../plugins/x402/sandbox/sandbox.ts'
import { silentLog } from '../../../support/log.ts'
import { channelOn, readerOn } from '../../../support/x402/channel-chain.ts'
import { patiently } from '../../patiently.ts'
import type { Channel } from './channel.ts'
import { finish } from './withdrawals.ts'

const GIVE_UP_MS = 180_000

export interface Before {
  /** What the receiver had. */
  received: bigint
  /** What each payer had. */
  held: ReadonlyMap<Address, bigint>
}

export async function balancesOn(chain: SandboxChain, payers: Iterable<Address>): Promise<Before> {
  const held = new Map<Address, bigint>()
  for (const payer of payers) held.set(payer, await patiently(() => chain.balanceOf(payer)))
  return { received: await receivedOn(chain), held }
}

/** A line for each sum that is not what the payers' answers say. */
export async function auditChannels(
  chain: SandboxChain,
  channels: readonly Channel[],
  url: string,
  before: Before,
): Promise<string[]> {
  const wrong: string[] = []
  const db = connectDatabase({ url, kind: 'server', log: silentLog })
  try {
    for (const { id, paid, answers } of channels) {
      const [row] = await db.sql<{ charged: string; booked: number }[]>`
        SELECT charged::text, (SELECT count(*)::int FROM plugin_x402.x402_claim k
          JOIN coinop.entry e ON e.id::text = k.ledger_id
          WHERE starts_with(k.nonce, 'channel:' || c.id || ':') AND k.state = 'settled') AS booked
        FROM plugin_x402.x402_channel c WHERE id = ${id}`
      const { charged, booked } = row ?? { charged: '0', booked: 0 }
      if (BigInt(charged) !== paid) wrong.push(`${id}: charged ${charged}, paid ${paid}`)
      if (booked !== answers) wrong.push(`${id}: booked ${booked} of ${answers} answers`)
    }
    // All that gateways claim is claimed before the first payer takes what is left.
    const endMs = performance.now() + GIVE_UP_MS
    for (const channel of channels) wrong.push(...(await auditOnChain(chain, channel, endMs)))
    const due = new Map<Channel, bigint>()
    for (const channel of channels) {
      const { balance, claimed } = await channelOn(chain, channel.id)
      const left = balance - claimed
      due.set(channel, balance - (channel.withdrawing < left ? channel.withdrawing : left))
    }
    await finish(chain, channels)
    for (const [{ id }, expected] of due) {
      const { balance } = await channelOn(chain, id)
      if (balance !== expected) wrong.push(`${id}: holds ${balance} of ${expected} in the end`)
    }
    for (const [payer, had] of before.held) {
      const own = channels.filter(({ account }) => account.address === payer)
      let found = await chain.balanceOf(payer)
      for (const { id } of own) found += (await channelOn(chain, id)).balance
      if (found !== had) wrong.push(`${payer} had ${had}, and has ${found} with all channels`)
    }
    const paid = channels.reduce((sum, one) => sum + one.paid, 0n)
    const received = (await receivedOn(chain)) - before.received
    if (received !== paid) wrong.push(`${received} USDC came in, and vouchers paid ${paid}`)
    return wrong
  } finally {
    await db.close()
  }
}

/** What the chain has of a channel: claims, deposits, and refunds with their answers. */
async function auditOnChain(
  chain: SandboxChain,
  channel: Channel,
  endMs: number,
): Promise<string[]> {
  const { id, paid, deposited, refunds, unclearRefunds } = channel
  const wrong: string[] = []
  const { balance, claimed } = await claimedInTheEnd(chain, id, paid, endMs)
  const logs = await readerOn(chain).getContractEvents({
    address: BATCH_SETTLEMENT_ADDRESS,
    abi: CONTRACT_ABI,
    eventName: 'Refunded',
    args: { channelId: id },
    fromBlock: 0n,
  })
  const refunded = logs.reduce((sum, { args }) => sum + args.amount!, 0n)
  if (claimed !== paid) wrong.push(`${id}: claimed ${claimed}, paid ${paid}`)
  if (paid > balance) wrong.push(`${id}: sold for ${paid}, of which ${balance} are held`)
  if (balance !== deposited - refunded) {
    wrong.push(`${id}: holds ${balance} of ${deposited} answered and ${refunded} given back`)
  }
  for (const [transaction, units] of refunds) {
    const made = logs.filter(({ transactionHash }) => transactionHash === transaction)
    const isRight = made.length === 1 && made[0]!.args.amount === units
    if (!isRight) wrong.push(`${id}: ${transaction} is no refund of ${units}`)
  }
  const unanswered = logs.length - refunds.size
  if (unanswered > unclearRefunds) {
    wrong.push(`${id}: ${unanswered} refunds without an answer, ${unclearRefunds} were unclear`)
  }
  return wrong
}

/** Gateways look every quarter of a minute for what is to be claimed. */
async function claimedInTheEnd(
  chain: SandboxChain,
  id: Channel['id'],
  paid: bigint,
  endMs: number,
) {
  for (;;) {
    const state = await channelOn(chain, id)
    if (state.claimed >= paid || performance.now() > endMs) return state
    await Bun.sleep(250)
  }
}

const receivedOn = (chain: SandboxChain): Promise<bigint> =>
  patiently(() => chain.balanceOf(chain.receivingAddress))
