/**
 * Looks for what is logged of a payment that was used, however long ago: newest blocks first from the end
 * of its validity back, and then in the blocks since, in which it can only have been cancelled.
 */
import { numberToHex, type Hex } from 'viem'
import type { PublicClient } from './client.ts'
import { fullMessageOf } from './node-errors.ts'

/** What nodes take in one eth_getLogs: most of them the first, some of them no more than the second. */
const WIDE_BLOCKS = 1000n
const NARROW_BLOCKS = 10n
const IS_TOO_WIDE = /range|limit|exceed|too (?:many|wide|large)|more than/i
/** Most payments that are looked for ended a few minutes ago. */
const FIRST_STEP = 256n
/** How far is looked each way: 40,000 blocks are 22 hours on Base. */
const MOST_RANGES = 40

export interface LogRange {
  fromBlock: Hex
  toBlock: Hex
}

/** What `look` finds first; null: nothing in the blocks that are looked at. */
export async function searchLogs<T>(
  client: Pick<PublicClient, 'getBlock'>,
  { newest, endS }: { newest: { number: bigint; timestamp: bigint }; endS: bigint },
  look: (range: LogRange) => Promise<T | null>,
): Promise<T | null> {
  let blocks = WIDE_BLOCKS
  async function within(first: bigint, newestOfThem: bigint): Promise<T | null> {
    let last = newestOfThem
    for (let range = 0; range < MOST_RANGES && last >= first; range++) {
      const from = last - first < blocks ? first : last - blocks + 1n
      try {
        const found = await look({ fromBlock: numberToHex(from), toBlock: numberToHex(last) })
        if (found !== null) return found
        last = from - 1n
      } catch (error) {
        if (blocks === NARROW_BLOCKS || !IS_TOO_WIDE.test(fullMessageOf(error))) throw error
        blocks = NARROW_BLOCKS
      }
    }
    return null
  }
  const end = await lastBlockAt(client, newest, endS)
  return (await within(0n, end)) ?? within(end + 1n, newest.number)
}

/** The last block of `endS` or before, or one a little later. */
async function lastBlockAt(
  client: Pick<PublicClient, 'getBlock'>,
  newest: { number: bigint; timestamp: bigint },
  endS: bigint,
): Promise<bigint> {
  const isLater = async (blockNumber: bigint): Promise<boolean> =>
    (await client.getBlock({ blockNumber })).timestamp > endS
  if (newest.timestamp <= endS) return newest.number
  let later = newest.number
  let before = later
  for (let step = FIRST_STEP; ; step *= 2n) {
    before = later > step ? later - step : 0n
    if (before === 0n || !(await isLater(before))) break
    later = before
  }
  while (later - before > NARROW_BLOCKS) {
    const middle = (before + later) / 2n
    if (await isLater(middle)) later = middle
    else before = middle
  }
  return later
}
