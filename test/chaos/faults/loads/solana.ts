/** Callers who pay on Solana by the client of @x402/svm. */
import { join } from 'node:path'
import { productsIn } from '../../../support/products.ts'
import { SOLANA, startSolanaNode } from '../../../support/x402/solana-node.ts'
import { solanaKey, solanaSecret, USDC_MINT } from '../../../support/x402/solana-payments.ts'
import { solanaPurses } from '../other-purses.ts'
import { payersBy } from '../payers.ts'
import type { LoadUnder } from './load.ts'

export const solana: LoadUnder = async ({ seed, size, folder }, under) => {
  const node = startSolanaNode()
  try {
    const [payee, sponsor] = [await solanaKey('payee'), await solanaKey('sponsor')]
    node.fund(payee.address, 0n)
    node.giveLamports(sponsor.address)
    const config = `config:
  networks:
    - network: ${SOLANA}
      asset: ${USDC_MINT}
      decimals: 6
      pay_to: ${payee.address}
      rpc: ${node.url}
      signer: \${PRODUCT_SOLANA_FEE_PAYER}`
    return await under({
      env: {
        PRODUCTS_DIR: productsIn(join(folder, 'products'), { 'x402.yaml': config }),
        PRODUCT_SOLANA_FEE_PAYER: await solanaSecret('sponsor'),
      },
      others: [
        payersBy({
          ...(await solanaPurses(node, payee.address, size.payers)),
          seed,
          isHurried: size.isHurried,
        }),
      ],
    })
  } finally {
    await node.stop()
  }
}
