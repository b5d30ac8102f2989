/** A nonce of Permit2 that was used by a transaction which is not found. */
import { expect, test } from 'vitest'
import { Permit2Chain } from '../../../../plugins/x402/chain/permit2-chain.ts'

const DEADLINE_S = 1_000_000n
const TOKEN = `0x${'03'.repeat(20)}`
const PAYER = `0x${'01'.repeat(20)}`
const paymentFrom = (validAfter: string) => ({
  requirements: { scheme: 'exact', amount: '10000', maxTimeoutSeconds: 90 },
  payload: {
    permit2Authorization: {
      from: PAYER,
      nonce: '5',
      deadline: String(DEADLINE_S),
      witness: { to: `0x${'02'.repeat(20)}`, validAfter },
    },
  },
})

/** What is said of the payment at a block of this time, on a chain with blocks of two seconds and no receipts. */
function factAt(timestamp: bigint, logs: readonly object[] = [], validAfter = '0') {
  const newest = 1_000_000n
  const chain = new Permit2Chain({
    client: {
      readContract: async () => 1n << 5n,
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
  return chain.fact(paymentFrom(validAfter) as never, { number: newest, timestamp })
}

test.each([600n, 172_800n])(
  'is spent elsewhere where all logs of its validity were searched, %d s after its end',
  async (ageS) => {
    expect(await factAt(DEADLINE_S + ageS)).toMatchObject({ fact: 'void' })
  },
)

test('may have paid where it was settled before the oldest log that is searched', async () => {
  const longAgo = String(DEADLINE_S - 172_800n)
  expect(await factAt(DEADLINE_S + 600n, [], longAgo)).toEqual({ fact: 'used' })
})

test('may have paid where a transfer of its amount has no receipt yet', async () => {
  const transfer = { data: '0x2710', transactionHash: `0x${'04'.repeat(32)}` }
  expect(await factAt(DEADLINE_S + 600n, [transfer])).toEqual({ fact: 'used' })
})
