/**
 * Purses of newcomers with USDC and nothing else: no gas, and no approval of Permit2. The unmodified
 * client of @x402/evm signs the approval beside the payment. Each payment is another newcomer's, so
 * that each brings an approval.
 */
import { ExactEvmScheme } from '@x402/evm'
import { x402Client } from '@x402/fetch'
import type { PaymentRequired } from '@x402/core/types'
import { base } from 'viem/chains'
import { SPONSORINGS, type Sponsoring } from '../../../plugins/x402/payment/sponsoring.ts'
import type { SandboxChain } from '../../../plugins/x402/sandbox/sandbox.ts'
import { buyerOn } from '../../support/x402/chain.ts'
import { decode } from '../../support/x402/payments.ts'
import { permit2Signed, usdcReceived } from './evm-purses.ts'
import type { Purse, Purses } from './purse.ts'

const FUNDED_ATOMIC = 1_000_000n

/** As many purses, half of which know each of the two ways to bring an approval. */
export function gasPurses(chain: SandboxChain, count: number): Purses {
  const { receivingAddress } = chain
  return {
    purses: Array.from({ length: count }, (_, i) => newcomers(chain, SPONSORINGS[i % 2]!)),
    received: () => usdcReceived({ receivingAddress, rpcUrl: () => chain.rpcUrl }),
  }
}

function newcomers(chain: SandboxChain, sponsoring: Sponsoring): Purse {
  return async ({ headers }) => {
    const required = decode<PaymentRequired>(headers.get('payment-required'))
    const extension = required.extensions?.[sponsoring]
    if (extension === undefined) throw new Error(`${sponsoring} is not offered`)
    const account = await buyerOn(chain, FUNDED_ATOMIC)
    await chain.allowPermit2(account.address, 0n)
    const payment = await new x402Client((_, offers) =>
      offers.find(({ extra }) => extra['assetTransferMethod'] === 'permit2')!,
    )
      .register(`eip155:${base.id}`, new ExactEvmScheme(account, { rpcUrl: chain.rpcUrl }))
      .createPaymentPayload({ ...required, extensions: { [sponsoring]: extension } })
    if (payment.extensions?.[sponsoring] === undefined) throw new Error('no approval was signed')
    return permit2Signed(payment, () => chain.rpcUrl)
  }
}
