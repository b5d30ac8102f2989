/** Gateways that are killed, again and again, under callers who pay or move money in other ways. */
import { join } from 'node:path'
import { seeded } from '../../support/docintel-fixtures/random.ts'
import { productsIn } from '../../support/products.ts'
import { plantBatchSettlement } from '../../support/x402/batch-settlement.ts'
import { testChain } from '../../support/x402/chain.ts'
import { SOLANA, startSolanaNode } from '../../support/x402/solana-node.ts'
import { solanaKey, solanaSecret, USDC_MINT } from '../../support/x402/solana-payments.ts'
import { startTempo, TEMPO_CHAIN_ID } from '../../support/tempo.ts'
import { startProviderA, startProviderB } from '../../support/topup.ts'
import { channelPayers } from './channels.ts'
import { PLAN_PRODUCT } from './customer-plan.ts'
import { customersOf } from './customers.ts'
import { buyersOn, type Outside, type ShopThere } from './outsiders.ts'
import { evmPurses } from './evm-purses.ts'
import { solanaPurses, tempoPurses } from './other-purses.ts'
import { payersBy } from './payers.ts'
import type { FaultOptions, FaultReport, Shop } from './shop.ts'
import type { Size } from './sizes.ts'
import { credits, plan } from './wares.ts'

type Way = 'channels' | 'upfront' | 'permit2' | 'purchases'

/** What a network of the product file says beside its node and signer. */
const TERMS: Record<Way, string> = {
  // Claimed as soon as a gateway looks, and it looks first when it starts.
  channels: 'channels: { claim_above_usd: 0.01 }',
  upfront: 'payment_flow: upfront',
  permit2: '',
  purchases: '',
}

/** Kills gateways, one after the other, while callers pay them on chain in this way. */
export async function killedGateways(
  shop: ShopThere,
  ground: Outside & { folder: string },
  way: Way,
): Promise<FaultReport> {
  const { seed, size, folder } = ground
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
    return await whileKilled(shop, ground, {
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

/** Kills gateways while callers pay on Solana by the client of @x402/svm. */
export async function killedOnSolana(
  shop: ShopThere,
  ground: Outside & { folder: string },
): Promise<FaultReport> {
  const { seed, size, folder } = ground
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
    return await whileKilled(shop, ground, {
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

/** Kills gateways while callers pay on Tempo by the client of mppx. */
export async function killedOnTempo(
  shop: ShopThere,
  ground: Outside & { folder: string },
): Promise<FaultReport> {
  const { seed, size, folder } = ground
  const chain = await startTempo()
  try {
    return await whileKilled(shop, ground, {
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

/** Kills gateways while customers top up, begin plans, and have charges and top-ups given back. */
export async function killedTills(
  shop: ShopThere,
  ground: Outside & { folder: string },
): Promise<FaultReport> {
  return customersAt((fault) => whileKilled(shop, ground, fault), ground)
}

/** The same customers at a shop to which something else is done. */
export async function customersAt(
  shop: (
    fault: Pick<FaultOptions, 'others'> & { env: Record<string, string> },
  ) => Promise<FaultReport>,
  { seed, size, folder }: Outside & { folder: string },
): Promise<FaultReport> {
  const providers = [startProviderA(), startProviderB()]
  try {
    return await shop({
      env: {
        PRODUCTS_DIR: productsIn(join(folder, 'products'), { 'plans.yaml': PLAN_PRODUCT }),
        PREPAID_FIAT: 'true',
        ...Object.assign({}, ...providers.map(({ env }) => env)),
      },
      others: [customersOf({ providers, customers: size.payers, seed, isHurried: size.isHurried })],
    })
  } finally {
    await Promise.all(providers.map((provider) => provider.stop()))
  }
}

/** Opens the shop, kills its gateways one after the other, and counts them in the report. */
async function whileKilled(
  shop: ShopThere,
  { seed, size }: Outside,
  fault: Omit<Parameters<ShopThere>[0], 'disturb'>,
): Promise<FaultReport> {
  const report = await shop({ ...fault, disturb: (there) => killEach(there, seed, size) })
  return { ...report, counts: { 'gateways killed': size.gatewayKills, ...report.counts } }
}

async function killEach({ gateways, replace }: Shop, seed: number, size: Size): Promise<void> {
  const random = seeded(seed)
  for (let kills = 0; kills < size.gatewayKills; kills++) {
    await Bun.sleep(random.int(...size.betweenMs))
    await replace(random.int(0, gateways.length - 1))
  }
}
