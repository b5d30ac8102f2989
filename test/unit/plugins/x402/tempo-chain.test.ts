import { expect, it } from 'vitest'
import type { Token } from '../../../../plugins/x402/terms/token.ts'
import type { SignedTempo } from '../../../../plugins/x402/payment/payload.ts'
import { TempoChain } from '../../../../plugins/x402/tempo/chain.ts'

const END_S = 1_800_000_000n

it.each([
  [END_S - 1n, false],
  // Its receipt may be with a node that has the block, and not with the one that is asked.
  [END_S + 1n, false],
  [END_S + 5n, true],
])('a transaction without a receipt in a chain at %s s: expired %s', async (timestamp, expired) => {
  const token = { chainId: 4217 } as Token
  const chain = new TempoChain({ rpcUrl: 'http://127.0.0.1:9', token })
  const client = {
    getChainId: async () => 4217,
    getBlock: async () => ({ number: 7n, timestamp }),
    request: async () => null,
  }
  Object.assign(chain, { client })
  const payment = {
    payload: { signedTransaction: '0x76' },
    hash: `0x${'ab'.repeat(32)}`,
    validBefore: String(END_S),
  } as unknown as SignedTempo
  expect(await chain.fact(payment)).toEqual({ fact: 'unused', expired, block: 7n })
})
