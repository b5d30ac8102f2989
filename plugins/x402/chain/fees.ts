/** What gas costs: the market as the node sees it, and what a stuck transaction offers instead. */
import type { Chain } from './chain.ts'
import type { Fees } from './pending-transactions.ts'

/** Fees move slowly against the head room of twice the base fee. */
const KEPT_MS = 5000
/** Nodes want a tenth more of both fees for a replacement. */
const RAISE_PERCENT = 125n
/** A replacement pays at most so many times what the first form offered. */
const MOST_TIMES = 10n

/** Fees for a transaction that is to be mined soon, in wei per gas. */
export class FeeMarket {
  readonly #chain: Chain
  #known: { at: number; value: Fees } | null = null

  constructor(chain: Chain) {
    this.#chain = chain
  }

  /** At most seconds old; throws when the node is away. */
  async fees(): Promise<Fees> {
    const known = this.#known
    if (known && Date.now() - known.at < KEPT_MS) return known.value
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

  /** The node is asked again next time. */
  forget(): void {
    this.#known = null
  }
}

/** Fees of the form that replaces one with `last`: enough for the nodes, and for the market. */
export function raisedFees(last: Fees, market: Fees): Fees {
  const raised = (fee: bigint) => (fee * RAISE_PERCENT) / 100n + 1n
  return {
    maxFeePerGas: larger(market.maxFeePerGas, raised(last.maxFeePerGas)),
    maxPriorityFeePerGas: larger(market.maxPriorityFeePerGas, raised(last.maxPriorityFeePerGas)),
  }
}

/** The fee limit, in wei per gas, of a transaction whose first form offers `first`. */
export function feeLimit(first: Fees): bigint {
  return first.maxFeePerGas * MOST_TIMES
}

export function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
