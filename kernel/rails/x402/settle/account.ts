/**
 * The gateway's own account on chain: numbers its transactions, prices their gas and replaces one
 * that got stuck by the same call with higher fees in the same place, so that never two wait where
 * one was meant.
 */
import { keccak256, type Address, type Hex, type PrivateKeyAccount } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Asset } from '../asset.ts'
import type { Chain } from './chain.ts'
import { fullMessageOf, messageOf } from './error-text.ts'

export interface AccountOptions {
  chain: Chain
  asset: Asset
  /** 0x and 64 hex digits; its account pays the gas. */
  key: Hex
}

interface Fees {
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
}

/** A transaction that may be out, in all the forms it was sent. */
export interface Outgoing {
  readonly nonce: number
  readonly to: Address
  readonly data: Hex
  readonly gas: bigint
  /** Of every form, oldest first; at most one of them will be mined. */
  readonly hashes: Hex[]
  /** Of the newest form. */
  fees: Fees
  /** No form pays more than this for a unit of gas. */
  readonly mostPerGas: bigint
}
export type Sent = { sent: true; outgoing: Outgoing } | { sent: false; detail: string }

/** Fees move slowly against the head room below. */
const FEES_KEPT_MS = 5000
const SEND_ATTEMPTS = 4
/** Nodes want a tenth more of both fees for a replacement. */
const RAISE_PERCENT = 125n
/** A replacement pays at most so many times what the first form offered. */
const MOST_TIMES = 10n

export class Account {
  readonly #options: AccountOptions
  readonly #account: PrivateKeyAccount
  /** Sends in order: each waits for the one before. */
  #queue: Promise<unknown> = Promise.resolve()
  /** The next account nonce, or null when the node must be asked. */
  #nonce: number | null = null
  #fees: { at: number; value: Fees } | null = null

  constructor(options: AccountOptions) {
    this.#options = options
    this.#account = privateKeyToAccount(options.key)
  }

  get address(): Address {
    return this.#account.address
  }

  /** Makes a call with the next account nonce. A lost answer counts as sent: the hash is known. */
  send(call: { to: Address; data: Hex }, gas: bigint): Promise<Sent> {
    const sending = this.#queue.then(() => this.#send(call, gas))
    this.#queue = sending.catch(() => {})
    return sending
  }

  /** Sends a stuck transaction again with higher fees, in its own place; nothing at the fee limit. */
  async replace(outgoing: Outgoing): Promise<void> {
    const market = await this.#currentFees()
    const raised = (fee: bigint) => (fee * RAISE_PERCENT) / 100n + 1n
    const { maxFeePerGas, maxPriorityFeePerGas } = outgoing.fees
    const fees = {
      maxFeePerGas: larger(market.maxFeePerGas, raised(maxFeePerGas)),
      maxPriorityFeePerGas: larger(market.maxPriorityFeePerGas, raised(maxPriorityFeePerGas)),
    }
    if (fees.maxFeePerGas > outgoing.mostPerGas) return
    const serialized = await this.#sign(outgoing, fees)
    const hash = keccak256(serialized)
    try {
      await this.#options.chain.client.sendRawTransaction({ serializedTransaction: serialized })
    } catch (error) {
      // An earlier form was mined meanwhile, or its fees are not enough yet: the next one is higher.
      const detail = fullMessageOf(error)
      if (/underpriced/i.test(detail)) outgoing.fees = fees
      if (!isLost(detail)) return
    }
    outgoing.fees = fees
    outgoing.hashes.push(hash)
  }

  /** Whether a transaction of this account can still be mined at `nonce`. */
  async isFree(nonce: number): Promise<boolean> {
    const { client } = this.#options.chain
    const mined = await client.getTransactionCount({ address: this.address, blockTag: 'latest' })
    return mined <= nonce
  }

  /** The node is asked again which nonce is next: one that never came out leaves a gap. */
  recount(): void {
    this.#nonce = null
  }

  async #send({ to, data }: { to: Address; data: Hex }, gas: bigint): Promise<Sent> {
    const { client } = this.#options.chain
    let detail = ''
    for (let attempt = 0; attempt < SEND_ATTEMPTS; attempt++) {
      let outgoing: Outgoing
      let serialized: Hex
      try {
        const fees = await this.#currentFees()
        this.#nonce ??= await client.getTransactionCount({
          address: this.address,
          blockTag: 'pending',
        })
        const nonce = this.#nonce
        serialized = await this.#sign({ nonce, to, data, gas }, fees)
        const mostPerGas = fees.maxFeePerGas * MOST_TIMES
        outgoing = { nonce, to, data, gas, fees, mostPerGas, hashes: [keccak256(serialized)] }
      } catch (error) {
        return { sent: false, detail: messageOf(error) }
      }
      try {
        await client.sendRawTransaction({ serializedTransaction: serialized })
        this.#nonce = outgoing.nonce + 1
        return { sent: true, outgoing }
      } catch (error) {
        detail = fullMessageOf(error)
        this.#nonce = null
        if (/already known|already imported/i.test(detail)) return { sent: true, outgoing }
        if (/nonce|underpriced/i.test(detail)) {
          this.#fees = null
          continue
        }
        if (/insufficient funds|gas required|intrinsic gas/i.test(detail)) {
          return { sent: false, detail: 'the settlement account cannot pay the gas' }
        }
        // A refusal in words was not sent; without an answer it may be out.
        if (!isLost(detail)) break
        this.#nonce = outgoing.nonce + 1
        return { sent: true, outgoing }
      }
    }
    return { sent: false, detail: `the node refused the transaction: ${detail.slice(0, 200)}` }
  }

  #sign(call: Pick<Outgoing, 'nonce' | 'to' | 'data' | 'gas'>, fees: Fees): Promise<Hex> {
    const { chainId } = this.#options.asset
    const { nonce, to, data, gas } = call
    const transaction = {
      type: 'eip1559',
      chainId,
      to,
      data,
      gas,
      nonce,
      ...fees,
    } as const
    return this.#account.signTransaction(transaction)
  }

  async #currentFees(): Promise<Fees> {
    const known = this.#fees
    if (known && Date.now() - known.at < FEES_KEPT_MS) return known.value
    const { client } = this.#options.chain
    const [block, tip] = await Promise.all([
      client.getBlock({ blockTag: 'latest' }),
      client.estimateMaxPriorityFeePerGas(),
    ])
    const value = {
      maxFeePerGas: (block.baseFeePerGas ?? 0n) * 2n + tip,
      maxPriorityFeePerGas: tip,
    }
    this.#fees = { at: Date.now(), value }
    return value
  }
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}

/** Whether a send ended without the node's answer. */
function isLost(detail: string): boolean {
  return /timed? ?out|took too long|fetch failed|HTTP request failed|socket|closed|reset/i.test(
    detail,
  )
}
