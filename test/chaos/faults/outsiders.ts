/** Scenarios in which those whom a gateway depends on misbehave: facilitators, a node, destinations. */
import type { PrivateKeyAccount } from 'viem/accounts'
import type { SandboxChain } from '../../../plugins/x402/sandbox/sandbox.ts'
import { seeded, type Random } from '../../support/docintel-fixtures/random.ts'
import { buyerOn, testChain } from '../../support/x402/chain.ts'
import { startFacilitator, type Fault } from '../../support/x402/facilitator.ts'
import { killableNode, type KillableNode } from './node.ts'
import { payersBy } from './payers.ts'
import { drippingDestinations, productsWithQuickRelay, sendersTo } from './senders.ts'
import type { FaultOptions, FaultReport } from './shop.ts'

/** Shops on a PostgreSQL of its own; see `onServer` of the scenarios. */
type Shop = (
  fault: Pick<FaultOptions, 'disturb' | 'others'> & { env: Record<string, string> },
) => Promise<FaultReport>

const PAYERS = 6
const FUNDED_ATOMIC = 1_000_000_000n
const FACILITATORS = 2
const LIES_MS = 40_000
const DRIPS_MS = 30_000
const KILLS = 10
const REORGANISATIONS = 8
const WAITING_MS = 2000
const AWAY_MS = 3000

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

const buyersOn = (chain: SandboxChain): Promise<PrivateKeyAccount[]> =>
  Promise.all(Array.from({ length: PAYERS }, () => buyerOn(chain, FUNDED_ATOMIC)))

/** Two facilitators that lie, hang, lose their answers and change their minds, each in its turn. */
export async function lyingFacilitators(shop: Shop, seed: number): Promise<FaultReport> {
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
          accounts: await buyersOn(chain),
          receivingAddress: chain.receivingAddress,
          rpcUrl: () => chain.rpcUrl,
          seed,
        }),
      ],
      async disturb() {
        for (const endMs = performance.now() + LIES_MS; performance.now() < endMs;) {
          const { faults, refusals } = random.pick(facilitators)
          // None but those that were told: a queue that grows would be lies without an end.
          if (faults.length === 0) {
            const isHang = random.chance(0.05)
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
  shop: Shop,
  seed: number,
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
          accounts: await buyersOn(node.chain),
          receivingAddress: node.chain.receivingAddress,
          rpcUrl: () => node.rpcUrl,
          seed,
        }),
      ],
      disturb: () => disturb(node, seeded(seed)),
    })
  } finally {
    await node.stop()
  }
}

/** Their node is killed amid it, again and again. */
export async function killedNode(shop: Shop, seed: number): Promise<FaultReport> {
  let lost = 0
  const report = await overNode(shop, seed, async (node, random) => {
    for (let kills = 0; kills < KILLS; kills++) {
      await Bun.sleep(random.int(1000, 4000))
      lost += await node.kill(random.int(0, WAITING_MS), random.int(0, AWAY_MS))
    }
  })
  const counts = { 'nodes killed': KILLS, 'transactions that died with a node': lost }
  return { ...report, counts: { ...counts, ...report.counts } }
}

/** Their chain takes its last blocks back, with payments that were answered. */
export async function undoneBlocks(shop: Shop, seed: number): Promise<FaultReport> {
  let undone = 0
  const report = await overNode(shop, seed, async (node, random) => {
    for (let n = 0; n < REORGANISATIONS; n++) {
      await Bun.sleep(random.int(1000, 4000))
      const blocks = random.int(1, 3)
      await node.undo(blocks)
      undone += blocks
    }
  })
  return { ...report, counts: { 'blocks undone': undone, ...report.counts } }
}

/** Every destination of the relay drips; then they are well, and what is not dead arrives. */
export async function drippedDestinations(
  shop: Shop,
  { seed, folder }: { seed: number; folder: string },
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
        await Bun.sleep(DRIPS_MS)
        for (const destination of destinations) destination.behave()
      },
    })
  } finally {
    for (const destination of destinations) destination.close()
  }
}
