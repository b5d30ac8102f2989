/** Gas for the first approval: what is offered, and what the client of @x402/evm signs for it. */
import { ExactEvmScheme } from '@x402/evm'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { extraOf } from '../../../../plugins/x402/evm/offers.ts'
import { sponsoringExtensions, sponsoringIn } from '../../../../plugins/x402/payment/sponsoring.ts'
import { baseAsset } from '../../../support/x402/chain.ts'

const account = privateKeyToAccount(`0x${'11'.repeat(32)}`)
const asset = baseAsset()
const PERMIT = 'eip2612GasSponsoring'

describe('eip2612GasSponsoring', () => {
  /** With a token that has a permit, whose allowance for Permit2 is nothing. */
  const signer = {
    address: account.address,
    signTypedData: (message: never) => account.signTypedData(message),
    readContract: async () => 0n,
  }
  const requirements = {
    scheme: 'exact',
    network: asset.network,
    amount: '10000',
    asset: asset.address,
    payTo: `0x${'ab'.repeat(20)}`,
    maxTimeoutSeconds: 90,
    extra: extraOf(asset, { scheme: 'exact', method: 'permit2' }, [PERMIT]),
  }
  const signed = () =>
    new ExactEvmScheme(signer as never).createPaymentPayload(2, requirements as never, {
      extensions: sponsoringExtensions([PERMIT]),
    })

  it('is what the client signs for an offer with the name and version of the token', async () => {
    const { extensions } = await signed()
    const payment = { from: account.address, token: asset.address } as never
    expect(sponsoringIn(extensions, payment, [PERMIT])).toBe(PERMIT)
    expect(sponsoringIn(extensions, payment, [])).toBeNull()
    expect(sponsoringIn(extensions, payment, ['erc20ApprovalGasSponsoring'])).toBeNull()
  })

  it('counts for its payer and its token alone', async () => {
    const { extensions } = await signed()
    const other = `0x${'12'.repeat(20)}`
    for (const payment of [
      { from: other, token: asset.address },
      { from: account.address, token: other },
    ]) {
      expect(sponsoringIn(extensions, payment as never, [PERMIT])).toBeNull()
    }
    for (const junk of [null, 'x', {}, { [PERMIT]: null }, { [PERMIT]: { info: 7 } }]) {
      const own = { from: account.address, token: asset.address } as never
      expect(sponsoringIn(junk, own, [PERMIT])).toBeNull()
    }
  })
})
