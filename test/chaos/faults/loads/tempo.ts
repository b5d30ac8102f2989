/** Callers who pay on Tempo by the client of mppx. */
import { join } from 'node:path'
import { productsIn } from '../../../support/products.ts'
import { startTempo, TEMPO_CHAIN_ID } from '../../../support/tempo.ts'
import { tempoPurses } from '../other-purses.ts'
import { payersBy } from '../payers.ts'
import type { LoadUnder } from './load.ts'

export const tempo: LoadUnder = async ({ seed, size, folder }, under) => {
  const chain = await startTempo()
  try {
    return await under({
      env: {
        // Payments on Tempo are taken for work that ends within seconds.
        PRODUCTS_DIR: productsIn(join(folder, 'products'), {
          'demo.yaml': 'limits: { timeout: 5s }',
        }),
        MPP_METHODS: 'tempo/charge',
        TEMPO_RPC_URL: chain.url,
        TEMPO_CHAIN_ID: String(TEMPO_CHAIN_ID),
        TEMPO_RECIPIENT: chain.payTo,
      },
      others: [payersBy({ ...tempoPurses(chain, size.payers), seed, isHurried: size.isHurried })],
    })
  } finally {
    await chain.stop()
  }
}
