/**
 * The gateway's own account on chain: signs with its key, talks to the node about its nonces, and
 * knows the fees (EIP-1559) that its transactions and their replacements have to offer.
 */
import { keccak256, type Address, type Hex, type PrivateKeyAccount } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Chain } from './chain.ts'
import { fullMessageOf, isAnswerLost, isKnown } from './node-errors.ts'

export interface UnsignedTransaction {
  nonce: number
  to: Hex
  data: Hex
  /** Gas limit. */
  gas: bigint
}

export type Broadcast =
  | { kind: 'accepted' }
  /** The node's answer was lost: it may have the transaction. */
  | { kind: 'lost' }
  | { kind: 'refused'; refusal: string }

export class Account {
  readonly #chain: Chain
  readonly #chainId: number
  readonly #key: PrivateKeyAccount

  /** `key`: 0x and 64 hex digits. */
  constructor(chain: Chain, chainId: number, key: Hex) {
    this.#chain = chain
    this.#chainId = chainId
    this.#key = privateKeyToAccount(key)
  }

  get address(): Address {
    return this.#key.address
  }

  /** The hash that a transaction with these fees has: signing is deterministic. */
  async hashOf(transaction: UnsignedTransaction, fees: Fees): Promise<Hex> {
    return keccak256(await this.#sign(transaction, fees))
  }

  /** Sends a transaction to the node; one that the node has already counts as accepted. */
  async broadcast(transaction: UnsignedTransaction, fees: Fees): Promise<Broadcast> {
    const serializedTransaction = await this.#sign(transaction, fees)
    try {
      await this.#chain.client.sendRawTransaction({ serializedTransaction })
      return { kind: 'accepted' }
    } catch (error) {
      const refusal = fullMessageOf(error)
      if (isAnswerLost(refusal)) return { kind: 'lost' }
      return isKnown(refusal) ? { kind: 'accepted' } : { kind: 'refused', refusal }
    }
  }

  /** The account's next nonce by mined blocks ('latest'), or behind all that the node knows of. */
  count(blockTag: 'latest' | 'pending'): Promise<number> {
    return this.#chain.client.getTransactionCount({ address: this.address, blockTag })
  }

  #sign({ nonce, to, data, gas }: UnsignedTransaction, fees: Fees): Promise<Hex> {
    const chainId = this.#chainId
    return this.#key.signTransaction({ type: 'eip1559', chainId, to, data, gas, nonce, ...fees })
  }
}

/** In wei per gas. */
export interface Fees {
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
}

/** Twice the base fee leaves room for its changes within this time. */
const CACHE_MS = 5000
/** Nodes accept a replacement from 10 % more of both fees on. */
const BUMP_PERCENT = 125n
/** A replacement offers at most so many times the fee of the first attempt. */
const FEE_LIMIT_FACTOR = 10n

export class FeeMarket {
  readonly #chain: Chain
  #known: { at: number; value: Fees } | null = null

  constructor(chain: Chain) {
    this.#chain = chain
  }

  /** Fees that get a transaction mined soon, at most 5 seconds old; throws when the node is away. */
  async fees(): Promise<Fees> {
    const known = this.#known
    if (known && performance.now() - known.at < CACHE_MS) return known.value
    const { client } = this.#chain
    const [block, tip] = await Promise.all([
      client.getBlock({ blockTag: 'latest' }),
      client.estimateMaxPriorityFeePerGas(),
    ])
    const value = {
      maxFeePerGas: (block.baseFeePerGas ?? 0n) * 2n + tip,
      maxPriorityFeePerGas: tip,
    }
    this.#known = { at: performance.now(), value }
    return value
  }

  /** The next call asks the node again. */
  forget(): void {
    this.#known = null
  }
}

/** Fees that replace a transaction with `last`: enough for the nodes' rule, and for the market. */
export function bumpedFees(last: Fees, market: Fees): Fees {
  const bumped = (fee: bigint) => (fee * BUMP_PERCENT) / 100n + 1n
  return {
    maxFeePerGas: larger(market.maxFeePerGas, bumped(last.maxFeePerGas)),
    maxPriorityFeePerGas: larger(market.maxPriorityFeePerGas, bumped(last.maxPriorityFeePerGas)),
  }
}

/** The most that an attempt may offer, in wei per gas, when the first one offers `first`. */
export function feeLimitOf(first: Fees): bigint {
  return first.maxFeePerGas * FEE_LIMIT_FACTOR
}

export function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
