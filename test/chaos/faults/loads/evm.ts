/** Callers who pay on an EVM chain that gateways settle on by a signer of their own. */
import { join } from 'node:path'
import { productsIn } from '../../../support/products.ts'
import { plantBatchSettlement } from '../../../support/x402/batch-settlement.ts'
import { testChain } from '../../../support/x402/chain.ts'
import { channelPayers } from '../channels/payers.ts'
import { PLAN_PRODUCT } from '../customer-plan.ts'
import { evmPurses } from '../evm-purses.ts'
import { buyersOn } from '../outsiders.ts'
import { payersBy } from '../payers.ts'
import { credits, plan } from '../wares.ts'
import type { LoadUnder } from './load.ts'

type Way = 'channels' | 'upfront' | 'permit2' | 'purchases'

/** What a network of the product file says beside its node and signer. */
const TERMS: Record<Way, string> = {
  // Claimed as soon as a gateway looks, and it looks first when it starts.
  channels: 'channels: { claim_above_usd: 0.01 }',
  upfront: 'payment_flow: upfront',
  permit2: '',
  purchases: '',
}

export const evm =
  (way: Way): LoadUnder =>
  async ({ seed, size, folder }, under) => {
    const chain = await testChain()
    try {
      if (way === 'channels') await plantBatchSettlement(chain)
      const accounts = await buyersOn(chain, size.payers)
      const { isHurried } = size
      const config = `config:
  networks:
    - network: eip155:8453
      pay_to: '${chain.receivingAddress}'
      rpc: \${PRODUCT_RPC}
      signer: \${PRODUCT_SIGNER}
      ${TERMS[way]}`
      return await under({
        env: {
          PRODUCTS_DIR: productsIn(join(folder, 'products'), {
            'x402.yaml': config,
            'plans.yaml': PLAN_PRODUCT,
          }),
          PRODUCT_RPC: chain.rpcUrl,
          PRODUCT_SIGNER: chain.signerKey,
        },
        others: [
          way === 'channels'
            ? channelPayers({ chain, accounts, seed, isHurried })
            : payersBy({
                ...evmPurses({
                  accounts,
                  receivingAddress: chain.receivingAddress,
                  rpcUrl: () => chain.rpcUrl,
                  ...(way === 'permit2' && { method: way }),
                }),
                seed,
                ...(way === 'purchases' && { wares: [credits, plan] }),
                isHurried,
              }),
        ],
      })
    } finally {
      await chain.stop()
    }
  }
