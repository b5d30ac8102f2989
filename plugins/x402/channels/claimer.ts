/**
 * Takes to the chain what channels were charged: several channels in one transaction, which also
 * sends the claimed funds to their receiver. A claim names the whole sum and not a difference, so that
 * one which is sent twice, by a restart or by two instances, claims nothing the second time.
 */
import { encodeFunctionData, keccak256, type Address, type Hex } from 'viem'
import { inSlices, repeat, within, type Background, type Logger } from '#kernel'
import type { Call } from '../chain/transaction-rows.ts'
import { fullMessageOf, isRevert, messageOf } from '../chain/node-errors.ts'
import type { OwnTransactions } from '../chain/own-transactions.ts'
import type { ChannelChain } from './chain.ts'
import type { Channel, ChannelStore, ChannelSums } from './store.ts'
import { CONTRACT, CONTRACT_ABI, multicallOf } from '../payment/channel.ts'

export interface ChannelClaimerOptions {
  view: ChannelChain
  store: ChannelStore
  transactions: OwnTransactions
  token: Address
  payTo: Address
  /** A channel with so much to claim is claimed at once. */
  aboveUnits: bigint
  /** The longest that anything waits to be claimed. */
  afterMs: number
  log: Logger
  /** Called with what every round saw. */
  looked: (sums: ChannelSums) => void
  everyMs?: number
}

export interface ClaimRound {
  /** Channels whose sums are on the chain now. */
  claimed: number
  transactions: Hex[]
}

const EVERY_MS = 15_000
/** Channels in one transaction: about 60,000 gas each. */
const BATCH = 50
/** Withdrawals take 15 minutes at least; they are looked for this often. */
const WATCH_AFTER_MS = 60_000
const WATCH_BATCH = 100
/** A block of most networks takes less. */
const STOP_MS = 5000
const PURGE_EVERY_MS = 3_600_000
const PURGE_SLICE = 1000

export class ChannelClaimer {
  readonly #options: ChannelClaimerOptions
  readonly #tasks: Background[] = []

  constructor(options: ChannelClaimerOptions) {
    this.#options = options
  }

  start(): void {
    const { log, store, everyMs = EVERY_MS } = this.#options
    this.#tasks.push(
      repeat({ name: 'x402 channels', everyMs, atOnce: true, log }, async (stopping) => {
        await this.#watch(stopping)
        await this.round()
      }),
      repeat({ name: 'x402 unused channels', everyMs: PURGE_EVERY_MS, log }, (stopping) =>
        inSlices((limit) => store.purge(limit), PURGE_SLICE, stopping),
      ),
    )
  }

  /**
   * Claims whatever is there to claim: a gateway that is stopped sees no withdrawal. Failures are
   * logged, and another instance or the next start goes on.
   */
  async stop(): Promise<void> {
    const { log } = this.#options
    const tasks = this.#tasks.splice(0)
    if (tasks.length === 0) return
    await Promise.all(tasks.map((task) => task.stop()))
    try {
      // Sent within that time it is mined without us.
      await within(this.round({ isAll: true }), STOP_MS, () => null)
    } catch (error) {
      log.warn({ err: error }, 'channels not claimed at the stop')
    }
  }

  /** Claims what is due by amount, by age or because of a withdrawal; with `isAll` all there is. */
  async round({ isAll = false } = {}): Promise<ClaimRound> {
    const { store, aboveUnits, afterMs, looked, log } = this.#options
    const done: ClaimRound = { claimed: 0, transactions: [] }
    for (;;) {
      const due = await store.leaseDue({ above: aboveUnits, afterMs, isAll, limit: BATCH })
      if (due.length === 0) break
      const { claimed, transactions } = await this.#claim(due)
      done.claimed += claimed
      done.transactions.push(...transactions)
      if (claimed < due.length) break
    }
    looked(await store.sums())
    if (done.claimed > 0) log.info({ ...done }, 'x402 channels claimed')
    return done
  }

  /**
   * Reads all channels with something to claim again, which shows withdrawals in time. Ends early where
   * the node does not answer: what could not be read would come again and again.
   */
  async #watch(stopping: AbortSignal): Promise<void> {
    const beganAt = performance.now()
    // Those that were due at the begin: with many channels the first would be due again before the last.
    const due = () => WATCH_AFTER_MS + (performance.now() - beganAt)
    let channels: readonly Channel[]
    do channels = await this.#options.store.toWatch(due(), WATCH_BATCH)
    while ((await this.#resync(channels)) && channels.length === WATCH_BATCH && !stopping.aborted)
  }

  /** Claims leased channels in one transaction, or one by one where that would fail for some. */
  async #claim(due: readonly Channel[]): Promise<ClaimRound> {
    const { store, log, transactions } = this.#options
    const ids = due.map(({ id }) => id)
    const data = this.callData(due)
    let call: Call
    try {
      call = await transactions.withGas({ to: CONTRACT, data })
    } catch (error) {
      const text = fullMessageOf(error)
      if (isRevert(text) && due.length > 1) {
        const done: ClaimRound = { claimed: 0, transactions: [] }
        for (const one of due) {
          const { claimed, transactions: sent } = await this.#claim([one])
          done.claimed += claimed
          done.transactions.push(...sent)
        }
        return done
      }
      // Its copy may be old: the next look at it tells what is left to claim.
      if (isRevert(text)) await this.#resync(due)
      else await store.letGo(ids)
      log.error({ channels: ids, detail: messageOf(error) }, 'x402 channels could not be claimed')
      return { claimed: 0, transactions: [] }
    }
    // The same claim again, by whichever instance, waits for the transaction that makes it already.
    const nonce = `claim:${keccak256(data)}`
    const key = { asset: this.#options.token, payer: 'channels', nonce }
    const sent = await transactions.send(key, call)
    if (sent.kind === 'not sent' || sent.kind === 'unknown') {
      log.error({ channels: ids, detail: sent.detail }, 'x402 channels not claimed')
      return { claimed: 0, transactions: [] }
    }
    const found = sent.kind === 'sent before'
    const receipt = await transactions.receiptOf(sent.transaction, { found })
    if (receipt === null) {
      // Its row stays, and the next round goes on with it; or it can never be mined, and is made anew.
      await store.letGo(ids)
      return { claimed: 0, transactions: [] }
    }
    transactions.mined(sent.transaction)
    if (receipt.status !== 'success') {
      await this.#resync(due)
      return { claimed: 0, transactions: [] }
    }
    // Not read from the chain: a node that lags behind would have it claimed once more.
    for (const channel of due) await store.claimed(channel.id, claimableOf(channel))
    return { claimed: due.length, transactions: [receipt.transactionHash] }
  }

  /** The call that claims all that these channels were charged and can pay, and pays it out. */
  callData(due: readonly Channel[]): Hex {
    const { payTo, token } = this.#options
    const rows = due.map((channel) => ({
      voucher: { channel: channel.config, maxClaimableAmount: channel.voucher!.ceiling },
      signature: channel.voucher!.signature,
      totalClaimed: claimableOf(channel),
    }))
    return multicallOf([
      encodeFunctionData({ abi: CONTRACT_ABI, functionName: 'claim', args: [rows] }),
      encodeFunctionData({ abi: CONTRACT_ABI, functionName: 'settle', args: [payTo, token] }),
    ])
  }

  /** Whether all of them could be read. */
  async #resync(channels: readonly Channel[]): Promise<boolean> {
    const { view, log } = this.#options
    const read = await Promise.allSettled(channels.map(({ id, config }) => view.sync(id, config)))
    const failed = read.find((one) => one.status === 'rejected')
    if (failed) log.warn({ detail: messageOf(failed.reason) }, 'x402 channels not looked at')
    return failed === undefined
  }
}

/** The whole sum of a channel that can be on the chain after a claim: a withdrawal may have left less. */
export function claimableOf({ charged, balance }: Pick<Channel, 'charged' | 'balance'>): bigint {
  return charged < balance ? charged : balance
}
