/** Where the log of a payment is looked for, on a chain with blocks of two seconds. */
import { expect, it } from 'vitest'
import { searchLogs } from '../../../../plugins/x402/chain/log-search.ts'

const NEWEST = 30_000_000n
const secondOf = (block: bigint) => 1_600_000_000n + 2n * block

/** A node with one log, which takes ranges of at most so many blocks, and the search in it. */
function chain({ logAt, mostBlocks = 1000n }: { logAt: bigint; mostBlocks?: bigint }) {
  const asked = { blocks: 0, logs: 0 }
  const client = {
    async getBlock({ blockNumber }: { blockNumber: bigint }) {
      asked.blocks += 1
      return { timestamp: secondOf(blockNumber) }
    },
  }
  const find = (end: bigint) =>
    searchLogs(
      client as never,
      { newest: { number: NEWEST, timestamp: secondOf(NEWEST) }, endS: secondOf(end) },
      async ({ fromBlock, toBlock }) => {
        asked.logs += 1
        const [from, to] = [BigInt(fromBlock), BigInt(toBlock)]
        if (to - from >= mostBlocks) {
          const text = `Under this plan, you can make requests with up to a ${mostBlocks} block range`
          throw new Error('HTTP request failed.', { cause: new Error(text) })
        }
        return from <= logAt && logAt <= to ? logAt : null
      },
    )
  return { find, asked }
}

it.each([
  ['that is valid still', NEWEST - 30n, NEWEST + 30n],
  ['of minutes ago', NEWEST - 100n, NEWEST - 90n],
  ['of a month ago', NEWEST - 1_300_000n, NEWEST - 1_299_950n],
  ['of the first block', 0n, 20n],
  ['that was cancelled after its end', NEWEST - 5000n, NEWEST - 9000n],
])('one %s is found', async (_, logAt, end) => {
  const { find, asked } = chain({ logAt })
  expect(await find(end)).toBe(logAt)
  expect(asked.blocks).toBeLessThan(40)
})

it('one of a month ago is found at a node that takes ten blocks at once', async () => {
  const logAt = NEWEST - 1_300_000n
  const { find, asked } = chain({ logAt, mostBlocks: 10n })
  expect(await find(logAt + 45n)).toBe(logAt)
  expect(asked.logs).toBeLessThan(10)
})

it('any other trouble of the node is told', async () => {
  const { find } = chain({ logAt: 7n, mostBlocks: 1n })
  await expect(find(NEWEST)).rejects.toThrow('HTTP request failed.')
})

it('nothing is found where there is nothing', async () => {
  const { find, asked } = chain({ logAt: 7n })
  expect(await find(NEWEST - 90_000n)).toBeNull()
  expect(asked.logs).toBe(80)
})
