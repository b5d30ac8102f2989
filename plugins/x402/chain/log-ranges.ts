/** Ranges of blocks for eth_getLogs, newest first. */
import { numberToHex, type Hex } from 'viem'

/** Public nodes limit eth_getLogs to ranges of about this many blocks. */
const LOG_BLOCKS = 1000n
/** How far back a used authorization is searched: 40,000 blocks are 22 hours on Base. */
const LOG_RANGES = 40

export function* blockRanges(newest: bigint): Generator<{ fromBlock: Hex; toBlock: Hex }> {
  let last = newest
  for (let range = 0; range < LOG_RANGES; range++) {
    const first = last > LOG_BLOCKS ? last - LOG_BLOCKS : 0n
    yield { fromBlock: numberToHex(first), toBlock: numberToHex(last) }
    if (first === 0n) return
    last = first - 1n
  }
}
