/**
 * Callers who pay through payment channels (scheme batch-settlement), with the unmodified scheme of
 * @x402/evm. Whoever has no clear answer comes back with the same voucher; in the end each channel was
 * charged the answers that its payer has, and the chain pays out that and no more. What is left goes
 * back by refunds and withdrawals, in the midst of it.
 */
import type { PrivateKeyAccount } from 'viem/accounts'
import type { SandboxChain } from '../../../../plugins/x402/sandbox/sandbox.ts'
import { seeded, type Random } from '../../../support/docintel-fixtures/random.ts'
import type { GatewayProcess } from '../../../support/gateway.ts'
import { hurry } from '../hurry.ts'
import type { OtherCallers } from '../shop.ts'
import { auditChannels, balancesOn } from './audit.ts'
import { buy, opened, sign, type Channel } from './channel.ts'
import { takeBack } from './refunds.ts'
import { announce } from './withdrawals.ts'

/** A voucher is left for later, and another channel opened, after so many tries. */
const TRIES = 4
const GIVE_UP_MS = 180_000

export interface ChannelPayersOptions {
  chain: SandboxChain
  /** Each pays through channels of its own, one after the other. */
  accounts: readonly PrivateKeyAccount[]
  seed: number
  isHurried: boolean
}

/** Callers of `accounts`, one each. */
export function channelPayers(options: ChannelPayersOptions): OtherCallers {
  const { chain, accounts, seed, isHurried } = options
  return async (gateways, stopping, url) => {
    const channels: Channel[] = []
    const wrong: string[] = []
    const before = await balancesOn(
      chain,
      accounts.map(({ address }) => address),
    )
    await Promise.all(
      accounts.map(async (account, i) => {
        const random = seeded(seed * 89 + i)
        let channel: Channel | null = null
        while (!stopping.aborted) {
          const gateway = random.pick(gateways)
          if (channel === null) {
            channel = await opened(chain, gateway, account, random)
            if (channel !== null) channels.push(channel)
          }
          if (channel === null || !(await sign(channel, gateway))) {
            await Bun.sleep(random.int(50, 300))
            continue
          }
          for (let n = 0; n < TRIES && channel.pending !== null; n++) {
            if (n > 0) await Bun.sleep(random.int(100, 800))
            wrong.push(...(await buy(channel, gateways, random)))
          }
          if (channel.pending === null && !channel.isOver) {
            wrong.push(...(await takeSomeBack(chain, channel, gateways, random)))
          }
          if (channel.pending !== null || channel.isOver) channel = null
        }
      }),
    )
    const unclear = channels.filter(({ pending }) => pending !== null)
    const count = unclear.length
    if (isHurried && count > 0) await hurry(url)
    await Promise.all(
      unclear.map(async (channel, i) => {
        const random = seeded(seed * 7 + i)
        for (const endMs = performance.now() + GIVE_UP_MS; channel.pending !== null;) {
          if (performance.now() > endMs) wrong.push(`${channel.id}: a voucher does not resolve`)
          if (performance.now() > endMs) return
          wrong.push(...(await buy(channel, gateways, random)))
          if (channel.pending !== null) await Bun.sleep(random.int(100, 500))
        }
      }),
    )
    if (isHurried) await hurry(url)
    wrong.push(...(await auditChannels(chain, channels, url, before)))
    return {
      wrong,
      counts: { ...countsOf(channels), 'vouchers unclear until all was well': count },
    }
  }
}

/** Now and then a payer wants money back, or leaves. */
async function takeSomeBack(
  chain: SandboxChain,
  channel: Channel,
  gateways: readonly GatewayProcess[],
  random: Random,
): Promise<string[]> {
  if (channel.withdrawing > 0n) {
    // Vouchers count for a while: nobody reads the chain before each.
    if (random.chance(0.3)) channel.isOver = true
    return []
  }
  if (random.chance(0.1)) return takeBack(channel, gateways, random)
  if (random.chance(0.05)) await announce(chain, channel)
  return []
}

function countsOf(channels: readonly Channel[]): Record<string, number> {
  const sum = (of: (channel: Channel) => number) => channels.reduce((all, one) => all + of(one), 0)
  const answers = sum((one) => one.answers)
  return {
    channels: channels.length,
    'vouchers answered': answers,
    'vouchers refused': sum(({ refused }) => refused),
    'vouchers sent again': sum(({ sent }) => sent) - answers,
    'refunds answered': sum(({ refunds }) => refunds.size),
    'refunds unclear at first': sum(({ unclearRefunds }) => unclearRefunds),
    'channels withdrawn': sum(({ withdrawing }) => (withdrawing > 0n ? 1 : 0)),
  }
}
