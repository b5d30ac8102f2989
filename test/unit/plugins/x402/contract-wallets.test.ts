/** How many look-ups of contract wallets untrusted callers can cause, and what is left for payers. */
import { zeroHash, type Address } from 'viem'
import { expect, it } from 'vitest'
import type { PublicClient } from '../../../../plugins/x402/chain/client.ts'
import { ContractWallets } from '../../../../plugins/x402/chain/contract-wallets.ts'

/** A node on which every address is a contract that takes every signature. */
function taking(): { wallets: ContractWallets; asked: () => number } {
  let asked = 0
  const client = {
    getCode: async () => {
      asked++
      return '0x00'
    },
    call: async () => {
      asked++
      return { data: `0x1626ba7e${'0'.repeat(56)}` }
    },
  } as unknown as PublicClient
  return { wallets: new ContractWallets(client, client), asked: () => asked }
}
const address = (index: number): Address => `0x${index.toString(16).padStart(40, '0')}`

it('a flood of messages is refused, and leaves payments their look-ups', async () => {
  const { wallets, asked } = taking()
  const messages = await Promise.all(
    Array.from({ length: 500 }, (_, i) => wallets.hasSigned(address(i), zeroHash, '0x')),
  )
  expect(messages).toContain(null)
  const before = asked()
  expect(before).toBeLessThan(150)
  expect(await wallets.isSignedBy(address(1000), zeroHash, '0x')).toBe(true)
})
