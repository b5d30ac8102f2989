/** Scenarios in which those whom a gateway depends on misbehave: facilitators, a node, destinations. */
import type { PrivateKeyAccount } from 'viem/accounts'
import type { SandboxChain } from '../../../plugins/x402/sandbox/sandbox.ts'
import { seeded, type Random } from '../../support/docintel-fixtures/random.ts'
import { buyerOn, testChain } from '../../support/x402/chain.ts'
import { startFacilitator, type Fault } from '../../support/x402/facilitator.ts'
import { evmPurses } from './evm-purses.ts'
import { killableNode, type KillableNode } from './node.ts'
import { payersBy } from './payers.ts'
import { drippingDestinations, productsWithQuickRelay, sendersTo } from './senders.ts'
import type { FaultOptions, FaultReport } from './shop.ts'
import type { Size } from './sizes.ts'

/** Shops with them; see `onAny` of the scenarios. */
export type ShopThere = (
  fault: Pick<FaultOptions, 'disturb' | 'others'> & { env: Record<string, string> },
) => Promise<FaultReport>

const FUNDED_ATOMIC = 1_000_000_000n
const FACILITATORS = 2

export interface Outside {
  seed: number
  size: Size
}

/** What a facilitator does instead of its work; what it settles and denies is among it. */
const LIES: readonly Fault[] = [
  'lie',
  'lose',
  'settle_then_500',
  '503',
  'garbage',
  { refuse: 'invalid_exact_evm_insufficient_balance' },
  { refuse: 'invalid_exact_evm_insufficient_balance', isSettled: true },
  { refuse: 'unexpected_settle_error', isSettled: true },
  { refuse: 'no idea', isSettled: true, status: 400 },
  { refuse: 'no idea' },
]
/** These keep a caller waiting for half a minute, so there are few of them. */
const HANGS: readonly Fault[] = ['hang', 'settle_then_hang']
/** Between a verification and a settlement it changes its mind. */
const FLIPS = ['invalid_exact_evm_insufficient_balance', 'unexpected_verify_error']

/** As many accounts with USDC. */
export const buyersOn = (chain: SandboxChain, count: number): Promise<PrivateKeyAccount[]> =>
  Promise.all(Array.from({ length: count }, () => buyerOn(chain, FUNDED_ATOMIC)))

/** Two facilitators that lie, hang, lose their answers and change their minds, each in its turn. */
export async function lyingFacilitators(
  shop: ShopThere,
  { seed, size }: Outside,
): Promise<FaultReport> {
  const chain = await testChain()
  const facilitators = Array.from({ length: FACILITATORS }, () => startFacilitator(chain))
  const random = seeded(seed)
  const lies = { told: 0, hung: 0, flipped: 0 }
  try {
    const report = await shop({
      env: {
        X402_FACILITATOR_URL: facilitators.map(({ url }) => url).join(','),
        X402_RPC_URL: chain.rpcUrl,
        SETTLEMENT_ADDRESS: chain.receivingAddress,
      },
      others: [
        payersBy({
          ...evmPurses({
            accounts: await buyersOn(chain, size.payers),
            receivingAddress: chain.receivingAddress,
            rpcUrl: () => chain.rpcUrl,
          }),
          seed,
          isHurried: size.isHurried,
        }),
      ],
      async disturb() {
        for (const endMs = performance.now() + size.liesMs; performance.now() < endMs;) {
          const { faults, refusals } = random.pick(facilitators)
          // None but those that were told: a queue that grows would be lies without an end.
          if (faults.length === 0) {
            const isHang = random.chance(size.hangs)
            faults.push(random.pick(isHang ? HANGS : LIES))
            lies[isHang ? 'hung' : 'told'] += 1
          }
          if (refusals.length === 0 && random.chance(0.1)) {
            refusals.push(random.pick(FLIPS))
            lies.flipped += 1
          }
          await Bun.sleep(random.int(20, 200))
        }
        for (const { faults, refusals } of facilitators) {
          faults.length = 0
          refusals.length = 0
        }
      },
    })
    const counts = {
      'wrong settlements': lies.told,
      'settlements that hang': lies.hung,
      'verifications that flip': lies.flipped,
    }
    return { ...report, counts: { ...counts, ...report.counts } }
  } finally {
    await Promise.all(facilitators.map((facilitator) => facilitator.stop()))
    await chain.stop()
  }
}

/** The gateways settle by a signer of their own; `disturb` does something to their node. */
async function overNode(
  shop: ShopThere,
  { seed, size }: Outside,
  disturb: (node: KillableNode, random: Random) => Promise<void>,
): Promise<FaultReport> {
  const node = await killableNode()
  try {
    return await shop({
      env: {
        X402_RPC_URL: node.rpcUrl,
        X402_SIGNER_KEY: node.chain.signerKey,
        SETTLEMENT_ADDRESS: node.chain.receivingAddress,
      },
      others: [
        payersBy({
          ...evmPurses({
            accounts: await buyersOn(node.chain, size.payers),
            receivingAddress: node.chain.receivingAddress,
            rpcUrl: () => node.rpcUrl,
          }),
          seed,
          isHurried: size.isHurried,
        }),
      ],
      disturb: () => disturb(node, seeded(seed)),
    })
  } finally {
    await node.stop()
  }
}

/** Their node is killed amid it, again and again. */
export async function killedNode(shop: ShopThere, outside: Outside): Promise<FaultReport> {
  const { nodeKills, betweenMs, waitingMs, awayMs } = outside.size
  let lost = 0
  const report = await overNode(shop, outside, async (node, random) => {
    for (let kills = 0; kills < nodeKills; kills++) {
      await Bun.sleep(random.int(...betweenMs))
      lost += await node.kill(random.int(0, waitingMs), random.int(0, awayMs))
    }
  })
  const counts = { 'nodes killed': nodeKills, 'transactions that died with a node': lost }
  return { ...report, counts: { ...counts, ...report.counts } }
}

/** Their chain takes its last blocks back, with payments that were answered. */
export async function undoneBlocks(shop: ShopThere, outside: Outside): Promise<FaultReport> {
  const { reorganisations, betweenMs } = outside.size
  let undone = 0
  const report = await overNode(shop, outside, async (node, random) => {
    for (let n = 0; n < reorganisations; n++) {
      await Bun.sleep(random.int(...betweenMs))
      const blocks = random.int(1, 3)
      await node.undo(blocks)
      undone += blocks
    }
  })
  return { ...report, counts: { 'blocks undone': undone, ...report.counts } }
}

/** Every destination of the relay drips; then they are well, and what is not dead arrives. */
export async function drippedDestinations(
  shop: ShopThere,
  { seed, size, folder }: Outside & { folder: string },
): Promise<FaultReport> {
  const destinations = await drippingDestinations()
  try {
    return await shop({
      env: {
        PRODUCTS_DIR: productsWithQuickRelay(folder),
        ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
      },
      others: [sendersTo(destinations, seed)],
      async disturb() {
        await Bun.sleep(size.dripsMs)
        for (const destination of destinations) destination.behave()
      },
    })
  } finally {
    for (const destination of destinations) destination.close()
  }
}
