/** EIP-1559 fees: what the market asks, and what a replacement transaction has to offer. */
import type { Chain } from './chain.ts'

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
    if (known && Date.now() - known.at < CACHE_MS) return known.value
    const { client } = this.#chain
    const [block, tip] = await Promise.all([
      client.getBlock({ blockTag: 'latest' }),
      client.estimateMaxPriorityFeePerGas(),
    ])
    const value = {
      maxFeePerGas: (block.baseFeePerGas ?? 0n) * 2n + tip,
      maxPriorityFeePerGas: tip,
    }
    this.#known = { at: Date.now(), value }
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
