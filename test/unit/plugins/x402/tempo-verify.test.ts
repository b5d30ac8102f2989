/** What a payer on Tempo is told whose transaction does not last as long as its call. */
import { encodeFunctionData, type Hex } from 'viem'
import { Abis, Account, Transaction } from 'viem/tempo'
import { expect, it } from 'vitest'
import { TempoVerifier } from '../../../../plugins/x402/tempo/verify.ts'
import type { Token } from '../../../../plugins/x402/terms/token.ts'
import type { Quote } from '../../../../kernel/rails/contract.ts'

const payer = Account.fromSecp256k1(`0x${'11'.repeat(32)}`)
const asset: Hex = '0x20c0000000000000000000000000000000000000'
const payTo: Hex = `0x${'ab'.repeat(20)}`
const token = { chainId: 42_431, asset, payTo, decimals: 6 } as Token
const NOW_S = 1_900_000_000
const DEADLINE = new Date((NOW_S + 10) * 1000)
const quote = { isCeiling: false, timeoutMs: 10_000 } as Quote
const price = { amountAtomic: 7n } as never

const signed = (window: { validBefore?: number; validAfter?: number }): Promise<string> =>
  payer.signTransaction(
    {
      chainId: token.chainId,
      gas: 100_000n,
      maxFeePerGas: 20n,
      maxPriorityFeePerGas: 1n,
      nonceKey: 2n ** 256n - 1n,
      nonce: 0,
      calls: [
        {
          to: asset,
          data: encodeFunctionData({
            abi: Abis.tip20,
            functionName: 'transferWithMemo',
            args: [payTo, 7n, `0x${'cd'.repeat(32)}`],
          }),
        },
      ],
      ...window,
    } as never,
    { serializer: Transaction.serialize as never },
  )

it.each([
  [
    'ends before the work',
    { validBefore: NOW_S + 14 },
    /^the transaction's validBefore has passed, or will/,
  ],
  ['has no end', {}, /^the transaction's validBefore is missing/],
  [
    'begins later',
    { validBefore: NOW_S + 25, validAfter: NOW_S + 1 },
    /^the transaction's validAfter has not come yet/,
  ],
])('a transaction that %s', async (_, window, message) => {
  const verifier = new TempoVerifier({ token, prices: { of: () => [price] } as never })
  const payment = { transaction: await signed(window), payer: null } as never
  const examined = await verifier.examine(payment, quote, DEADLINE, new Date(NOW_S * 1000))
  expect(examined).toMatchObject({
    kind: 'signed',
    problem: { message: expect.stringMatching(message) },
  })
})

it('a transaction that lasts until it is settled is good', async () => {
  const verifier = new TempoVerifier({ token, prices: { of: () => [price] } as never })
  const payment = { transaction: await signed({ validBefore: NOW_S + 15 }), payer: null } as never
  expect(await verifier.examine(payment, quote, DEADLINE, new Date(NOW_S * 1000))).toEqual({
    kind: 'good',
    price,
  })
})
