/** What a payment by Permit2 signs, and the call that settles it; needs no chain. */
import { permit2WitnessTypes, uptoPermit2WitnessTypes } from '@x402/evm'
import { hashTypedData, type Address } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import {
  PERMIT2,
  permit2Digest,
  permit2Separator,
} from '../../../../plugins/x402/payment/permit2.ts'
import { callsLike, proxyCall } from '../../../../plugins/x402/chain/token.ts'
import { baseAsset } from '../../../support/x402/chain.ts'
import { signPermit2 } from '../../../support/x402/payments.ts'

describe('the digest of a Permit2 transfer', () => {
  const witness = { to: `0x${'12'.repeat(20)}`, validAfter: 7n } as const
  const facilitator: Address = `0x${'34'.repeat(20)}`
  const authorization = {
    from: `0x${'56'.repeat(20)}`,
    token: `0x${'78'.repeat(20)}`,
    spender: `0x${'9a'.repeat(20)}`,
    nonce: `0x00${'bc'.repeat(31)}`,
    value: 10_000n,
    validBefore: 2_000_000_000n,
    ...witness,
  } as const
  const message = {
    permitted: { token: authorization.token, amount: authorization.value },
    spender: authorization.spender,
    nonce: BigInt(authorization.nonce),
    deadline: authorization.validBefore,
    witness: { ...witness, facilitator },
  }
  const domain = { name: 'Permit2', chainId: 8453, verifyingContract: PERMIT2 }
  const primaryType = 'PermitWitnessTransferFrom' as const

  it('is the one that viem makes of the typed data, with and without a facilitator', () => {
    const separator = permit2Separator(8453)
    expect(permit2Digest(separator, { ...authorization, facilitator: null })).toBe(
      hashTypedData({ domain, types: permit2WitnessTypes, primaryType, message }),
    )
    expect(permit2Digest(separator, { ...authorization, facilitator })).toBe(
      hashTypedData({ domain, types: uptoPermit2WitnessTypes, primaryType, message }),
    )
  })
})

describe('the call that settles', () => {
  const requirements = {
    scheme: 'exact',
    network: 'eip155:8453',
    amount: '10000',
    asset: baseAsset().address,
    payTo: `0x${'12'.repeat(20)}`,
    maxTimeoutSeconds: 60,
    extra: {},
  } as const

  it('is known again inside other calls, and counted with those like it', async () => {
    const payer = privateKeyToAccount(generatePrivateKey())
    const [one, two] = await Promise.all(
      [1n, 2n].map(async (nonce) => ({
        requirements,
        ...(await signPermit2(payer, requirements, { authorization: { nonce } })),
        version: 2 as const,
      })),
    )
    const [first, second] = [proxyCall(one!).data, proxyCall(two!).data]
    expect(callsLike(one!, first)).toBe(1)
    expect(callsLike(two!, first)).toBe(0)
    // Bytes that nobody runs could name a payment that was not settled: they count as well.
    expect(callsLike(two!, `${first}${second.slice(2)}`)).toBe(2)
  })
})
