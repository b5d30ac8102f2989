/** Streams that go out before they are paid: several calls at once must not count on one balance. */
import { PERMIT2_ADDRESS } from '@x402/evm'
import { createWalletClient, http, numberToHex, parseAbi } from 'viem'
import { privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import { base } from 'viem/chains'
import { describe, expect, it, vi } from 'vitest'
import { fail } from '../../../../kernel/errors.ts'
import { flatPrice } from '../../../../kernel/pricing/rule.ts'
import type { ForwardRequest } from '../../../../kernel/plugins/skill.ts'
import { mount } from '../../../support/metering.ts'
import { failureOf, reasonOf, streamOf } from '../../../support/outcomes.ts'
import { PATIENT } from '../../../support/patience.ts'
import { plantBatchSettlement } from '../../../support/x402/batch-settlement.ts'
import { channelBuyer } from '../../../support/x402/channel-buyer.ts'
import { channelOn } from '../../../support/x402/channel-chain.ts'
import { channelGateways } from '../../../support/x402/channel-gateways.ts'
import { buyerOn, giveGas, rpc } from '../../../support/x402/chain.ts'
import { x402Ground } from '../../../support/x402/ground.ts'
import { x402Instances } from '../../../support/x402/instances.ts'

const ground = x402Ground()
const work = { runs: 0 }
ground.counts(work)

/** Events of 100 bytes in all, which cost 10,000; the first one comes at once. */
const price = {
  ...flatPrice(0n),
  per: [
    {
      unit: 'byte',
      source: { kind: 'bytes' } as const,
      unitAtomic: 100n,
      tiers: null,
      first: 0n,
      step: 1n,
    },
  ],
  maxAtomic: 10_000n,
}
let isDown = false
const forward = async () => {
  if (isDown) return fail('UPSTREAM_FAILURE', 'down')
  work.runs++
  const events = [`data: ${'x'.repeat(42)}\n\n`, `data: ${'y'.repeat(42)}\n\n`]
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const event = events.shift()
      if (event === undefined) return controller.close()
      controller.enqueue(new TextEncoder().encode(event))
    },
  })
  const headers = { 'content-type': 'text/event-stream' }
  return { ok: true as const, response: new Response(body, { headers }) }
}
const events = mount(
  { id: 't.events', handler: async () => ({ ok: true, output: {} }), forward },
  { rails: ['x402'], price },
)
const read = async () => ({
  ok: true as const,
  forward: { method: 'GET', path: '/x' } as ForwardRequest,
  fingerprint: 'f',
})
const open = x402Instances(ground, events)

/** Two instances, and a buyer whose balance pays for so many streams. */
async function buyerOf(streams: bigint) {
  const by = await buyerOn(ground.chain, streams * price.maxAtomic)
  const instances = [await open(), await open()]
  return async (i: number) => {
    const instance = instances[i % 2]!
    return instance.pay(await instance.signedPermit2('upto', {}, { by }), { read })
  }
}

describe('a payer of several streams at once', () => {
  it('gets as many as the balance covers, over two instances', async () => {
    const buy = await buyerOf(2n)
    const taken = await ground.tally()
    const outcomes = await Promise.all(Array.from({ length: 6 }, (_, i) => buy(i)))
    const refused = outcomes.filter((outcome) => outcome.kind === 'failure')
    expect(refused.map(reasonOf)).toEqual(Array(4).fill('permit2_insufficient_balance'))
    expect(refused.map((outcome) => failureOf(outcome)!.code)).toContain('PAYMENT_FAILED')
    for (const outcome of outcomes) {
      if (outcome.kind === 'stream') await streamOf(outcome).response.bytes()
    }
    const all = { runs: 2, moved: 2n * price.maxAtomic }
    await vi.waitFor(async () => expect(await taken()).toEqual(all), PATIENT)
  })

  it('is not refused for calls that are over', async () => {
    const buy = await buyerOf(3n)
    const taken = await ground.tally()
    for (const i of [0, 1, 2]) await streamOf(await buy(i)).response.bytes()
    const all = { runs: 3, moved: 3n * price.maxAtomic }
    await vi.waitFor(async () => expect(await taken()).toEqual(all), PATIENT)
  })

  it('gets none for what it has paid before, where the payment cannot settle', async () => {
    const by = await buyerOn(ground.chain, 10n * price.maxAtomic)
    const instance = await open()
    const signed = () => instance.signedPermit2('upto', {}, { by })
    await streamOf(await instance.pay(await signed(), { read })).response.bytes()
    const taken = await ground.tally()
    const spent = await signed()
    await invalidateNonce(by, BigInt(spent.payload.permit2Authorization.nonce))
    expect(reasonOf(await instance.pay(spent, { read }))).toBe('permit2_invalid_nonce')
    expect(await taken()).toEqual({ runs: 0, moved: 0n })
  })
})

describe('a payer of several channels at once', () => {
  it('has deposited before a stream begins', async () => {
    await plantBatchSettlement(ground.chain)
    const instance = await channelGateways(ground, open)()
    const account = await buyerOn(ground.chain, 1_000_000n)
    const salts = [1, 2, 3].map((salt) => numberToHex(salt, { size: 32 }))
    const buyers = salts.map((salt) => channelBuyer(ground.chain, account, salt))
    const payments = await Promise.all(buyers.map((buyer) => buyer.payment(instance, events)))
    const sentBefore = await sentBySigner()
    const outcomes = await Promise.all(payments.map((sent) => instance.pay(sent, { read })))
    expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(['failure', 'failure', 'stream'])
    // Each one that fails on the chain would cost the gateway its fee.
    expect((await sentBySigner()) - sentBefore).toBe(1)
    const index = outcomes.findIndex(({ kind }) => kind === 'stream')
    const channel = await buyers[index]!.idOf(instance)
    expect(await channelOn(ground.chain, channel)).toEqual({ balance: 1_000_000n, claimed: 0n })
    await streamOf(outcomes[index]!).response.bytes()
    const stored = async () => (await instance.core.channels[0]!.store.byId(channel))?.charged
    await vi.waitFor(async () => expect(await stored()).toBe(price.maxAtomic), PATIENT)
  })

  it('may send the same payment again after work that failed', async () => {
    const instance = await channelGateways(ground, open)()
    const buyer = channelBuyer(ground.chain, await buyerOn(ground.chain, 1_000_000n))
    const sent = await buyer.payment(instance, events)
    isDown = true
    expect(failureOf(await instance.pay(sent, { read }))).toMatchObject({
      code: 'UPSTREAM_FAILURE',
    })
    isDown = false
    await streamOf(await instance.pay(sent, { read })).response.bytes()
    const channel = await buyer.idOf(instance)
    expect(await channelOn(ground.chain, channel)).toEqual({ balance: 1_000_000n, claimed: 0n })
    const stored = async () => (await instance.core.channels[0]!.store.byId(channel))?.charged
    await vi.waitFor(async () => expect(await stored()).toBe(price.maxAtomic), PATIENT)
  })
})

const sentBySigner = async (): Promise<number> => {
  const { address } = privateKeyToAccount(ground.chain.signerKey)
  return Number(await rpc(ground.chain, 'eth_getTransactionCount', [address, 'latest']))
}

/** As a payer does who wants a payment of theirs never to settle. */
async function invalidateNonce(by: PrivateKeyAccount, nonce: bigint): Promise<void> {
  await giveGas(ground.chain, by.address)
  const transport = http(ground.chain.rpcUrl)
  const wallet = createWalletClient({ account: by, chain: base, transport })
  await wallet.writeContract({
    address: PERMIT2_ADDRESS,
    abi: parseAbi(['function invalidateUnorderedNonces(uint256 word, uint256 mask)']),
    functionName: 'invalidateUnorderedNonces',
    args: [nonce >> 8n, 1n << (nonce & 0xffn)],
  })
}
