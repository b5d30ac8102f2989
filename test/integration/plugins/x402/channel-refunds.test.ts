/** A refund is one transaction, also when its worker stands still for longer than its lease. */
import { keccak256, parseAbiItem, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { beforeAll, expect, it, vi } from 'vitest'
import { CONTRACT } from '../../../../plugins/x402/payment/channel.ts'
import { answerOf, detailsOf } from '../../../support/outcomes.ts'
import { PATIENT } from '../../../support/patience.ts'
import { plantBatchSettlement } from '../../../support/x402/batch-settlement.ts'
import { buyerOn, rpc } from '../../../support/x402/chain.ts'
import { channelBuyer } from '../../../support/x402/channel-buyer.ts'
import { channelOn, readerOn } from '../../../support/x402/channel-chain.ts'
import { channelGateways } from '../../../support/x402/channel-gateways.ts'
import { x402Ground } from '../../../support/x402/ground.ts'
import { heldNode } from '../../../support/x402/held-node.ts'
import { echoSkill, x402Instances } from '../../../support/x402/instances.ts'

const ground = x402Ground()
const gateway = channelGateways(ground, x402Instances(ground, echoSkill()))
const REFUNDED = parseAbiItem(
  'event Refunded(bytes32 indexed channelId, address indexed sender, uint128 amount)',
)

/** The amounts of all refunds of a channel on the chain. */
async function refundsOf(id: Hex): Promise<bigint[]> {
  const logs = await readerOn(ground.chain).getLogs({
    address: CONTRACT,
    event: REFUNDED,
    args: { channelId: id },
    fromBlock: 0n,
  })
  return logs.map(({ args }) => args.amount!)
}
const reserved = async (id: Hex) => {
  const rows = await ground.database.db.sql<{ nonce: string }[]>`
    SELECT nonce FROM plugin_x402.x402_outgoing WHERE starts_with(nonce, ${`refund:${id}`})`
  return rows.length
}

/** Anvil answers a transaction before it is in a block. */
async function refundIsMined(id: Hex): Promise<void> {
  await vi.waitUntil(async () => (await refundsOf(id)).length > 0, PATIENT)
}

/** The newest form of the channel's refund that is reserved, once the node has it; else null. */
async function rawRefundOf(id: Hex): Promise<Hex | null> {
  const [row] = await ground.database.db.sql<
    { account_nonce: bigint; target: Hex; data: Hex; gas: bigint; forms: [string, string][] }[]
  >`SELECT * FROM plugin_x402.x402_outgoing WHERE starts_with(nonce, ${`refund:${id}`})`
  if (!row) return null
  const [maxFeePerGas, maxPriorityFeePerGas] = row.forms.at(-1)!.map(BigInt)
  const call = { to: row.target, data: row.data, gas: row.gas, nonce: Number(row.account_nonce) }
  const fees = { maxFeePerGas: maxFeePerGas!, maxPriorityFeePerGas: maxPriorityFeePerGas! }
  const raw = await ownKey().signTransaction({ type: 'eip1559', chainId: 8453, ...call, ...fees })
  const there = await rpc(ground.chain, 'eth_getTransactionByHash', [keccak256(raw)])
  return there === null ? null : raw
}
const ownKey = () => privateKeyToAccount(ground.chain.signerKey)

/** Another program with the gateway's key sends its next transaction. */
async function sendBeside(): Promise<void> {
  const { address } = ownKey()
  const nonce = Number(await rpc(ground.chain, 'eth_getTransactionCount', [address, 'latest']))
  const fees = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 10n ** 9n }
  const own = { type: 'eip1559', chainId: 8453, to: address, gas: 21_000n, nonce } as const
  const raw = await ownKey().signTransaction({ ...own, ...fees })
  await rpc(ground.chain, 'eth_sendRawTransaction', [raw])
}

/** Two gateways of one database, the first behind a node that can be held, and a channel of a dollar. */
async function ready(raiseAfterMs = 200) {
  const node = heldNode(ground.chain, ground.closing)
  const timing = { rpcTimeoutMs: 60_000, raiseAfterMs }
  const slow = await gateway({ rpcUrl: node.url, timing, database: ground.database.open() })
  const other = await gateway({ timing: { raiseAfterMs } })
  const buyer = channelBuyer(ground.chain, await buyerOn(ground.chain))
  answerOf(await buyer.buy(other))
  return { node, slow, other, buyer, id: await buyer.idOf(other) }
}
/** What became of a refund that may fail. */
const ended = (refund: Promise<unknown>) =>
  refund.then(
    () => 'answered',
    (error: Error) => error.message,
  )

beforeAll(() => plantBatchSettlement(ground.chain))

it.each(['refund', 'call'] as const)(
  'by a worker that slept between claim and send while a %s took its place: not sent',
  async (by) => {
    const { node, slow, other, buyer, id } = await ready()
    const held = node.hold('eth_estimateGas')
    const late = ended(buyer.refund(slow, 1n))
    await held.reached
    await ground.expireLeases()
    if (by === 'refund') expect(await buyer.refund(other, 2n)).toMatchObject({ amount: '2' })
    else answerOf(await buyer.buy(other))
    const made = by === 'refund' ? [2n] : []
    held.release()
    expect(await late).toContain('503')
    expect(await refundsOf(id)).toEqual(made)
    expect(await reserved(id)).toBe(0)
    // The place is free for the next one, on either gateway.
    expect(await buyer.refund(slow, 3n)).toMatchObject({ amount: '3' })
    expect(await refundsOf(id)).toEqual([...made, 3n])
  },
)

it('that was reserved and not sent is carried on by the next worker, once', async () => {
  const { node, slow, other, buyer, id } = await ready()
  const held = node.hold('eth_sendRawTransaction')
  const late = ended(buyer.refund(slow, 1n))
  await held.reached
  expect(await reserved(id)).toBe(1)
  await ground.expireLeases()
  // Another sum is asked for: the answer is the transaction that is there.
  expect(await buyer.refund(other, 2n)).toMatchObject({ success: true, amount: '1' })
  held.release()
  expect(await late).toMatch(/answered|503/)
  expect(await refundsOf(id)).toEqual([1n])
  expect(await reserved(id)).toBe(0)
  expect(await channelOn(ground.chain, id)).toEqual({ balance: 999_999n, claimed: 10_000n })
})

it('that another transaction behind it brought to a block is not made again', async () => {
  const { node, slow, other, buyer, id } = await ready()
  const held = node.hold('eth_sendRawTransaction')
  const late = ended(buyer.refund(slow, 1n))
  await held.reached
  // Its claim is still its own; a deposit of another payer, at the next nonce, needs it mined.
  const next = channelBuyer(ground.chain, await buyerOn(ground.chain))
  answerOf(await next.buy(other))
  await refundIsMined(id)
  await ground.database.db.sql`
    DELETE FROM plugin_x402.x402_outgoing WHERE starts_with(nonce, ${`refund:${id}`})`
  held.release()
  await late
  expect(await refundsOf(id)).toEqual([1n])
})

it('that was mined while its worker slept is the answer of the next request for its place', async () => {
  const { node, slow, other, buyer, id } = await ready()
  const held = node.hold('eth_getTransactionReceipt')
  const late = ended(buyer.refund(slow, 1n))
  await held.reached
  await refundIsMined(id)
  await ground.expireLeases()
  expect(await buyer.refund(other, 1n)).toMatchObject({ success: true, amount: '1' })
  held.release()
  expect(await late).toBe('answered')
  expect(await refundsOf(id)).toEqual([1n])
  const { store } = other.core.channels[0]!
  expect(await store.byId(id)).toMatchObject({ balance: 999_999n, refundNonce: 1n })
})

it('that was mined before a later charge is no answer to a request after it', async () => {
  const { node, slow, other, buyer, id } = await ready()
  const held = node.hold('eth_getTransactionReceipt')
  const late = ended(buyer.refund(slow, 1n))
  await held.reached
  await refundIsMined(id)
  await ground.expireLeases()
  answerOf(await buyer.buy(other))
  expect(await reserved(id)).toBe(1)
  expect(await buyer.refund(other, 2n)).toMatchObject({ success: true, amount: '2' })
  held.release()
  await late
  expect(await refundsOf(id)).toEqual([1n, 2n])
})

/** A channel whose gateway looks for a dropped transaction after a second. */
async function readyForGap() {
  const instance = await gateway({ timing: { raiseAfterMs: 1000, settleTimeoutMs: 5000 } })
  const buyer = channelBuyer(ground.chain, await buyerOn(ground.chain))
  answerOf(await buyer.buy(instance))
  return { instance, buyer, id: await buyer.idOf(instance) }
}

/**
 * A refund behind a gap in the nonces: its node forgets what waits in it, and with that the
 * transaction of another program before it. What another node still has of it may come back.
 */
async function behindGap(
  { instance, buyer, id }: Awaited<ReturnType<typeof readyForGap>>,
  meanwhile: () => Promise<void> = async () => {},
) {
  await rpc(ground.chain, 'evm_setAutomine', [false])
  try {
    await sendBeside()
    const late = ended(buyer.refund(instance, 100_000n))
    const raw = await vi.waitUntil(() => rawRefundOf(id), PATIENT)
    await rpc(ground.chain, 'anvil_dropAllTransactions')
    expect(await late).toContain('503')
    await ground.expireLeases()
    await meanwhile()
    return { comesBack: () => rpc(ground.chain, 'eth_sendRawTransaction', [raw]).catch(() => {}) }
  } finally {
    await rpc(ground.chain, 'evm_setAutomine', [true])
    await rpc(ground.chain, 'evm_mine')
  }
}

it('that a gap in the nonces dropped, and that comes back after the next one, is one refund', async () => {
  const there = await readyForGap()
  const { instance, buyer, id } = there
  const dropped = await behindGap(there)
  expect(await buyer.refund(instance, 100_000n)).toMatchObject({ amount: '100000' })
  await dropped.comesBack()
  await rpc(ground.chain, 'evm_mine')
  expect(await refundsOf(id)).toEqual([100_000n])
  expect(await channelOn(ground.chain, id)).toEqual({ balance: 900_000n, claimed: 10_000n })
})

it('that a gap in the nonces dropped keeps its channel from buying until it is mined', async () => {
  const there = await readyForGap()
  const { instance, buyer, id } = there
  await behindGap(there, async () => {
    expect(detailsOf(await buyer.buy(instance))).toMatchObject({
      reason: 'invalid_batch_settlement_evm_channel_busy',
    })
  })
  await refundIsMined(id)
  answerOf(await buyer.buy(instance))
  expect(await refundsOf(id)).toEqual([100_000n])
})
