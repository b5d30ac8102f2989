/** A nonce of Permit2 that was used by a transaction which is not found. */
import { expect, test } from 'vitest'
import { Permit2Chain } from '../../../../plugins/x402/chain/permit2-chain.ts'

const DEADLINE_S = 1_000_000n
const TOKEN = `0x${'03'.repeat(20)}`
const PAYER = `0x${'01'.repeat(20)}`
const PAYMENT = {
  requirements: { scheme: 'exact', amount: '10000' },
  payload: {
    permit2Authorization: {
      from: PAYER,
      nonce: '5',
      deadline: String(DEADLINE_S),
      witness: { to: `0x${'02'.repeat(20)}` },
    },
  },
}

/** What is said of the payment at a block of this time, on a chain with blocks of two seconds and no receipts. */
function factAt(timestamp: bigint, logs: readonly object[] = []) {
  const newest = 1_000_000n
  const chain = new Permit2Chain({
    client: {
      readContract: async () => 1n << 5n,
      getBlockNumber: async () => newest,
      getBlock: async ({ blockNumber }: { blockNumber: bigint }) => ({
        timestamp: timestamp - (newest - blockNumber) * 2n,
      }),
      request: async ({ params }: { params: [{ address: string }] }) =>
        params[0].address === TOKEN ? logs : [],
    },
    asset: { address: TOKEN },
    receipt: async () => null,
    transfersIn: () => 0,
  } as never)
  return chain.fact(PAYMENT as never, { number: newest, timestamp })
}

test('is spent elsewhere where all logs of its validity were searched', async () => {
  expect(await factAt(DEADLINE_S + 600n)).toMatchObject({ fact: 'void' })
})

test('may have paid where it was settled before the oldest log that is searched', async () => {
  expect(await factAt(DEADLINE_S + 172_800n)).toEqual({ fact: 'used' })
})

test('may have paid where a transfer of its amount has no receipt yet', async () => {
  const transfer = { data: '0x2710', transactionHash: `0x${'04'.repeat(32)}` }
  expect(await factAt(DEADLINE_S + 600n, [transfer])).toEqual({ fact: 'used' })
})
