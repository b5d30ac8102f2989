/** Payment channels under the real meter and a real chain: what is charged, claimed and given back. */
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { Type } from 'typebox'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { depositData } from '../../../../plugins/x402/channels/chain.ts'
import { CONTRACT } from '../../../../plugins/x402/payment/channel.ts'
import type { ForwardRequest } from '../../../../kernel/plugins/skill.ts'
import { mount } from '../../../support/metering.ts'
import {
  answerOf,
  bodyOf,
  detailsOf,
  failureOf,
  reasonOf,
  streamOf,
} from '../../../support/outcomes.ts'
import { PATIENT } from '../../../support/patience.ts'
import { plantBatchSettlement } from '../../../support/x402/batch-settlement.ts'
import { buyerOn, giveGas, rpc, walletOn } from '../../../support/x402/chain.ts'
import { channelBuyer, type ChannelBuyer } from '../../../support/x402/channel-buyer.ts'
import { channelOn } from '../../../support/x402/channel-chain.ts'
import { channelGateways, NEVER_MS } from '../../../support/x402/channel-gateways.ts'
import { x402Ground } from '../../../support/x402/ground.ts'
import { echoSkill, x402Instances, type X402Instance } from '../../../support/x402/instances.ts'
import { workQuote } from '../../../support/x402/rail.ts'

const CODE = 'invalid_batch_settlement_evm'
const ground = x402Ground()
const work = echoSkill()
const open = x402Instances(ground, work)
const sql = () => ground.database.db.sql

const gateway = channelGateways(ground, open)
type Gateway = X402Instance

const newBuyer = async (): Promise<ChannelBuyer> =>
  channelBuyer(ground.chain, await buyerOn(ground.chain))
const claimerOf = ({ core }: Gateway) => core.channels[0]!.claimer
const stored = async (id: Hex) => {
  const [row] = await sql()<Record<string, string>[]>`
    SELECT charged::text, balance::text, total_claimed::text AS claimed FROM plugin_x402.x402_channel
    WHERE id = ${id}`
  return row ?? null
}
/** What is known of every channel is as old as after a day without calls. */
const growOld = () =>
  sql()`UPDATE plugin_x402.x402_channel SET synced_at = now() - interval '25 hours'`
const outgoing = async (like: string) => {
  const rows = await sql()<{ nonce: string }[]>`
    SELECT nonce FROM plugin_x402.x402_outgoing WHERE nonce LIKE ${like}`
  return rows.length
}
const node = (method: string, params: unknown[] = []) => rpc(ground.chain, method, params)

beforeAll(() => plantBatchSettlement(ground.chain))

describe('what a call is charged', () => {
  const metered = mount(
    {
      id: 't.metered',
      billing: 'partial',
      input: Type.Object({ bill: Type.Integer() }),
      handler: async (_, input) => {
        const { bill } = input as { bill: number }
        return { ok: true, output: { bill }, bill: { amountAtomic: BigInt(bill) } }
      },
    },
    { rails: ['x402'] },
  )

  it('is what was measured, and the next voucher goes on from there', async () => {
    const [instance, buyer] = [await gateway(), await newBuyer()]
    const id = await buyer.idOf(instance)
    for (const [bill, charged] of [
      [300, '300'],
      [10_000, '10300'],
      [1, '10301'],
    ] as const) {
      const outcome = await buyer.buy(instance, { skill: metered, input: { bill } })
      expect(bodyOf(outcome)).toEqual({ bill })
      expect(await stored(id)).toMatchObject({ charged })
    }
    expect((await claimerOf(instance).round({ isAll: true })).claimed).toBe(1)
    expect(await channelOn(ground.chain, id)).toEqual({ balance: 1_000_000n, claimed: 10_301n })
  })

  it('is nothing where nothing was measured: no deposit, and the same place in the channel', async () => {
    const [instance, buyer] = [await gateway(), await newBuyer()]
    const id = await buyer.idOf(instance)
    const payment = await buyer.payment(instance, metered)
    for (const _ of [1, 2]) {
      const outcome = await instance.pay(payment, { skill: metered, input: { bill: 0 } })
      expect(answerOf(outcome).receipt).toMatchObject({ chargedAtomic: 0n, headers: {} })
    }
    expect(await channelOn(ground.chain, id)).toEqual({ balance: 0n, claimed: 0n })
    answerOf(await buyer.buy(instance, { skill: metered, input: { bill: 7 } }))
    expect(await stored(id)).toMatchObject({ charged: '7' })
  })
})

describe('two instances', () => {
  it('let one of many calls have a place, and charge it once', async () => {
    const buyer = await newBuyer()
    const first = await gateway()
    const second = await gateway({ database: ground.database.open() })
    answerOf(await buyer.buy(first))
    const payment = await buyer.payment(first)
    const ranBefore = work.runs
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        [first, second][at % 2]!.pay(payment, { input: { number: at } }),
      ),
    )
    expect(outcomes.filter(({ kind }) => kind === 'answer')).toHaveLength(1)
    for (const outcome of outcomes.filter(({ kind }) => kind === 'failure')) {
      expect([`${CODE}_channel_busy`, `${CODE}_cumulative_amount_mismatch`]).toContain(
        reasonOf(outcome),
      )
    }
    expect(work.runs - ranBefore).toBe(1)
    expect(await stored(await buyer.idOf(first))).toMatchObject({ charged: '20000' })
  })
})

describe('claims', () => {
  it('are made by age', async () => {
    const [instance, buyer] = [
      await gateway({ channels: { claimAfterMs: 60_000 } }),
      await newBuyer(),
    ]
    const id = await buyer.idOf(instance)
    answerOf(await buyer.buy(instance))
    expect((await claimerOf(instance).round()).claimed).toBe(0)
    await sql()`UPDATE plugin_x402.x402_channel SET unclaimed_since = now() - interval '61 seconds' WHERE id = ${id}`
    expect((await claimerOf(instance).round()).claimed).toBe(1)
    expect(await channelOn(ground.chain, id)).toEqual({ balance: 1_000_000n, claimed: 10_000n })
    expect(await stored(id)).toMatchObject({ claimed: '10000' })
  })

  it('are no plain transfer that pays ahead for a call of whoever reads their hash', async () => {
    const [instance, buyer] = [await gateway(), await newBuyer()]
    answerOf(await buyer.buy(instance))
    const { transactions } = await claimerOf(instance).round({ isAll: true })
    expect(transactions).toHaveLength(1)
    const settled = await instance.desk.settle({
      quote: workQuote,
      requestId: crypto.randomUUID(),
      paymentSignature: transactions[0]!,
      keyId: null,
    })
    expect(settled).toMatchObject({ ok: false, details: { reason: 'not_a_plain_transfer' } })
  })

  it('leave what was charged meanwhile to the next ones', async () => {
    const [instance, buyer] = [
      await gateway({ channels: { claimAfterMs: 60_000 } }),
      await newBuyer(),
    ]
    const id = await buyer.idOf(instance)
    answerOf(await buyer.buy(instance))
    await sql()`UPDATE plugin_x402.x402_channel SET unclaimed_since = now() - interval '61 seconds' WHERE id = ${id}`
    await node('evm_setAutomine', [false])
    const claiming = claimerOf(instance).round()
    try {
      await vi.waitFor(async () => expect(await outgoing('claim:%')).toBe(1), PATIENT)
      answerOf(await buyer.buy(instance))
    } finally {
      await node('evm_setAutomine', [true])
      await node('evm_mine')
    }
    expect((await claiming).claimed).toBe(1)
    expect(await stored(id)).toMatchObject({ charged: '20000', claimed: '10000' })
    expect((await claimerOf(instance).round()).claimed).toBe(0)
  })

  it('that no block takes are waited for, and not made again', async () => {
    const timing = { settleTimeoutMs: 200, raiseAfterMs: NEVER_MS }
    const [instance, buyer] = [await gateway({ timing }), await newBuyer()]
    const second = await gateway({ timing, database: ground.database.open() })
    const id = await buyer.idOf(instance)
    answerOf(await buyer.buy(instance))
    await node('evm_setAutomine', [false])
    try {
      for (const one of [instance, second, instance]) {
        expect((await claimerOf(one).round({ isAll: true })).claimed).toBe(0)
        expect(await outgoing('claim:%')).toBe(1)
        await sql()`UPDATE plugin_x402.x402_channel SET lease_until = now()`
      }
    } finally {
      await node('evm_setAutomine', [true])
      await node('evm_mine')
    }
    expect((await claimerOf(second).round({ isAll: true })).claimed).toBe(1)
    expect(await channelOn(ground.chain, id)).toMatchObject({ claimed: 10_000n })
    await vi.waitFor(async () => expect(await outgoing('claim:%')).toBe(0), PATIENT)
  })

  it('that a reorganisation undid are made again', async () => {
    const [instance, buyer] = [
      await gateway({
        timing: { reconcileEveryMs: 50, raiseAfterMs: 200 },
        channels: { claimAfterMs: 1 },
      }),
      await newBuyer(),
    ]
    const id = await buyer.idOf(instance)
    answerOf(await buyer.buy(instance))
    await vi.waitFor(
      async () => expect(await channelOn(ground.chain, id)).toMatchObject({ claimed: 10_000n }),
      PATIENT,
    )
    await vi.waitFor(
      async () => expect(await stored(id)).toMatchObject({ claimed: '10000' }),
      PATIENT,
    )
    await node('anvil_reorg', [1, []])
    expect(await channelOn(ground.chain, id)).toMatchObject({ claimed: 0n })
    await sql()`UPDATE plugin_x402.x402_channel SET synced_at = now() - interval '2 minutes' WHERE id = ${id}`
    await vi.waitFor(
      async () => expect(await channelOn(ground.chain, id)).toMatchObject({ claimed: 10_000n }),
      PATIENT,
    )
    await instance.rail.stop()
  })

  it('need the signer of their channels: another one says what is left undone', async () => {
    const [instance, buyer] = [await gateway(), await newBuyer()]
    answerOf(await buyer.buy(instance))
    const payment = await buyer.payment(instance)
    const id = await buyer.idOf(instance)

    const signerKey = generatePrivateKey()
    await giveGas(ground.chain, privateKeyToAccount(signerKey).address)
    const other = await gateway({ signerKey })
    expect(reasonOf(await other.pay(payment))).toBe(`${CODE}_receiver_authorizer_mismatch`)
    await claimerOf(other).round({ isAll: true })
    expect(other.core.channels[0]!.troubles().join()).toContain('for another signer or receiver')
    expect(await channelOn(ground.chain, id)).toMatchObject({ claimed: 0n })

    expect((await claimerOf(instance).round({ isAll: true })).claimed).toBeGreaterThan(0)
    expect(await channelOn(ground.chain, id)).toMatchObject({ claimed: 10_000n })
  })
})

describe('a refund', () => {
  it('waits for the call that is under way', async () => {
    const [instance, buyer] = [await gateway(), await newBuyer()]
    answerOf(await buyer.buy(instance))
    let during: unknown = null
    work.meanwhile = async () => {
      during = await buyer.refund(instance).catch((error: Error) => error.message)
    }
    try {
      answerOf(await buyer.buy(instance))
    } finally {
      work.meanwhile = null
    }
    expect(during).toContain(`${CODE}_channel_busy`)
    expect(await stored(await buyer.idOf(instance))).toMatchObject({ charged: '20000' })
    expect(await buyer.refund(instance)).toMatchObject({ success: true, amount: '980000' })
  })

  it('that is not mined yet lets its channel buy nothing', async () => {
    const timing = { settleTimeoutMs: 200, raiseAfterMs: NEVER_MS }
    const [instance, buyer] = [await gateway({ timing }), await newBuyer()]
    const id = await buyer.idOf(instance)
    answerOf(await buyer.buy(instance))
    const payment = await buyer.payment(instance)
    await node('evm_setAutomine', [false])
    try {
      await expect(buyer.refund(instance)).rejects.toThrow()
      await ground.expireLeases()
      expect(reasonOf(await instance.pay(payment))).toBe(`${CODE}_channel_busy`)
      // Its payer asks again: the same transaction, and not a second one.
      await ground.expireLeases()
      await expect(buyer.refund(instance)).rejects.toThrow()
      expect(await outgoing(`refund:${id}%`)).toBe(1)
    } finally {
      await node('evm_setAutomine', [true])
      await node('evm_mine')
    }
    await ground.expireLeases()
    expect(await channelOn(ground.chain, id)).toEqual({ balance: 10_000n, claimed: 10_000n })
    expect(reasonOf(await instance.pay(payment))).toBe(`${CODE}_cumulative_exceeds_balance`)
    expect(await stored(id)).toMatchObject({ charged: '10000' })
  })

  it('that the node does not show yet counts: what was given back buys nothing', async () => {
    const [instance, buyer] = [await gateway(), await newBuyer()]
    const id = await buyer.idOf(instance)
    answerOf(await buyer.buy(instance))
    const payment = await buyer.payment(instance)
    const { store, view } = instance.core.channels[0]!
    const before = (await store.byId(id))!
    // Mined for the node that told its receipt; the next one that is asked is a block behind.
    await store.refunded(before, 990_000n, 10_000n)
    expect(reasonOf(await instance.pay(payment))).toBe('settlement_unavailable')
    expect(await view.sync(id, before.config)).toMatchObject({ balance: 10_000n, refundNonce: 1n })
    expect(await stored(id)).toMatchObject({ charged: '10000', balance: '10000' })
    // It was undone, if it is not there after minutes.
    await growOld()
    expect(bodyOf(await instance.pay(payment))).toBeDefined()
  })

  it('is taken off once, also where the chain was read before it was written down', async () => {
    const [instance, buyer] = [await gateway(), await newBuyer()]
    const id = await buyer.idOf(instance)
    answerOf(await buyer.buy(instance))
    const { store, view } = instance.core.channels[0]!
    const refunded = vi.spyOn(store, 'refunded').mockImplementationOnce(async (...refund) => {
      await view.sync(id, (await store.byId(id))!.config)
      return store.refunded(...refund)
    })
    expect(await buyer.refund(instance)).toMatchObject({ amount: '990000' })
    expect(refunded).toHaveBeenCalledTimes(2)
    expect(await stored(id)).toMatchObject({ balance: '10000', claimed: '10000' })
    expect(await store.byId(id)).toMatchObject({ refundNonce: 1n })
  })

  it('that could not be written down buys nothing either', async () => {
    const [instance, buyer] = [await gateway(), await newBuyer()]
    answerOf(await buyer.buy(instance))
    const payment = await buyer.payment(instance)
    const { store } = instance.core.channels[0]!
    vi.spyOn(store, 'refunded').mockRejectedValueOnce(new Error('the database is away'))
    await expect(buyer.refund(instance)).rejects.toThrow()
    expect(reasonOf(await instance.pay(payment))).toBe(`${CODE}_cumulative_exceeds_balance`)
  })

  it('is made in two parts and one rest between charges', async () => {
    const [instance, buyer] = [await gateway(), await newBuyer()]
    answerOf(await buyer.buy(instance))
    expect(await buyer.refund(instance, 1n)).toMatchObject({ amount: '1' })
    expect(await buyer.refund(instance, 1n)).toMatchObject({ amount: '1' })
    await expect(buyer.refund(instance, 1n)).rejects.toThrow('refund_amount_invalid')
    answerOf(await buyer.buy(instance))
    expect(await buyer.refund(instance, 1n)).toMatchObject({ amount: '1' })
    expect(await buyer.refund(instance)).toMatchObject({ success: true })
    expect(await channelOn(ground.chain, await buyer.idOf(instance))).toEqual({
      balance: 20_000n,
      claimed: 20_000n,
    })
  })
})

describe('a deposit', () => {
  it('that is not mined in time is made once, and its answer is given when it is', async () => {
    const timing = { settleTimeoutMs: 200, attemptTimeoutMs: 2000, raiseAfterMs: NEVER_MS }
    const [instance, buyer] = [await gateway({ timing }), await newBuyer()]
    const id = await buyer.idOf(instance)
    const payment = await buyer.payment(instance)
    const ranBefore = work.runs
    await node('evm_setAutomine', [false])
    try {
      for (const _ of [1, 2]) {
        const failure = failureOf(await instance.pay(payment))
        expect(failure).toMatchObject({ retryable: true })
        await ground.expireLeases()
      }
      expect(await outgoing('0x%')).toBe(1)
    } finally {
      await node('evm_setAutomine', [true])
      await node('evm_mine')
    }
    const outcome = await instance.comeBack(payment)
    expect(answerOf(outcome).replayed).toBe(true)
    expect(work.runs - ranBefore).toBe(1)
    expect(await channelOn(ground.chain, id)).toEqual({ balance: 1_000_000n, claimed: 0n })
    expect(await stored(id)).toMatchObject({ charged: '10000' })
  })

  it('that burns gas in the code of its payer is refused before the work', async () => {
    const account = await buyerOn(ground.chain)
    const [instance, buyer] = [await gateway(), channelBuyer(ground.chain, account)]
    const payment = await buyer.payment(instance)
    // Takes every signature (EIP-1271), after some ten million gas.
    const burning = '0x62061a805b600190038060045750631626ba7e60e01b60005260206000f3'
    await node('anvil_setCode', [account.address, burning])
    const ranBefore = work.runs
    expect(reasonOf(await instance.pay(payment))).toBe(`${CODE}_deposit_simulation_failed`)
    expect(work.runs - ranBefore).toBe(0)
  })

  it('whose payer has code that fails in a block alone is brought there once', async () => {
    const account = await buyerOn(ground.chain)
    const instance = await gateway()
    // Takes every signature in a trial, where gas has no price, and none in a block.
    const tellsTrials = '0x3a15600a5760006000f35b631626ba7e60e01b60005260206000f3'
    await node('anvil_setCode', [account.address, tellsTrials])
    const ranBefore = work.runs
    const first = await channelBuyer(ground.chain, account).payment(instance)
    expect(reasonOf(await instance.pay(first))).toBe(`${CODE}_deposit_transaction_failed`)
    expect(work.runs - ranBefore).toBe(1)
    const second = await channelBuyer(ground.chain, account).payment(instance)
    expect(reasonOf(await instance.pay(second))).toBe(`${CODE}_deposit_simulation_failed`)
    expect(work.runs - ranBefore).toBe(1)
  })

  it('that anybody else brings to the chain first counts as made', async () => {
    const [instance, buyer] = [await gateway(), await newBuyer()]
    const id = await buyer.idOf(instance)
    const payment = await buyer.payment(instance)
    work.meanwhile = async () => {
      const [row] = await sql()<{ payment: never }[]>`
        SELECT payment FROM plugin_x402.x402_claim WHERE nonce = ${`channel:${id}:0`}`
      const wallet = await walletOn(ground.chain)
      await wallet.send({ to: CONTRACT, data: depositData(row!.payment) })
    }
    try {
      answerOf(await instance.pay(payment))
    } finally {
      work.meanwhile = null
    }
    expect(await channelOn(ground.chain, id)).toEqual({ balance: 1_000_000n, claimed: 0n })
    expect(await stored(id)).toMatchObject({ charged: '10000' })
    // The same deposit again, for the next place, is none.
    const { accepted } = payment
    const next = await buyer.payment(instance)
    const bent = { ...next, accepted, payload: { ...next.payload, ...depositIn(payment) } }
    expect(reasonOf(await instance.pay(bent, { input: { b: 1 } }))).toContain(CODE)
    expect(await channelOn(ground.chain, id)).toEqual({ balance: 1_000_000n, claimed: 0n })
  })
  const depositIn = ({ payload }: { payload: Record<string, unknown> }) => ({
    type: 'deposit',
    deposit: payload['deposit'],
  })

  it('that a reorganisation undid is made again', async () => {
    const timing = { reconcileEveryMs: 50, recheckAfterMs: 300, raiseAfterMs: 200 }
    const [instance, buyer] = [await gateway({ timing }), await newBuyer()]
    const id = await buyer.idOf(instance)
    const payment = await buyer.payment(instance)
    for (let block = 0; block < 3; block++) await node('evm_mine')
    vi.spyOn(performance, 'now').mockReturnValue(performance.now())
    try {
      answerOf(await instance.pay(payment))
      await node('anvil_reorg', [1, []])
      expect(await channelOn(ground.chain, id)).toMatchObject({ balance: 0n })
    } finally {
      vi.restoreAllMocks()
    }
    await vi.waitFor(
      async () => expect(await channelOn(ground.chain, id)).toMatchObject({ balance: 1_000_000n }),
      PATIENT,
    )
    expect(await stored(id)).toMatchObject({ charged: '10000' })
    await instance.rail.stop()
  })
})

it('runs a stream that broke off again for the same voucher, which is charged once', async () => {
  const [instance, buyer] = [await gateway(), await newBuyer()]
  let runs = 0
  const forward = async () => {
    const isBroken = runs++ === 0
    let left = 1
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (left-- > 0) return controller.enqueue(new TextEncoder().encode('data: 1\n\n'))
        if (isBroken) controller.error(new Error('upstream died'))
        else controller.close()
      },
    })
    const headers = { 'content-type': 'text/event-stream' }
    return { ok: true as const, response: new Response(body, { headers }) }
  }
  const skill = mount(
    { id: 't.events', handler: async () => ({ ok: true, output: {} }), forward },
    { rails: ['x402'] },
  )
  const read = async () => ({
    ok: true as const,
    forward: { method: 'GET', path: '/x' } as ForwardRequest,
    fingerprint: 'stream',
  })
  const payment = await buyer.payment(instance, skill)
  const broken = streamOf(await instance.pay(payment, { skill, read }))
  await expect(broken.response.bytes()).rejects.toThrow()
  await broken.onBroken()
  const again = streamOf(await instance.pay(payment, { skill, read }))
  expect(again.receipt).toMatchObject({ chargedAtomic: 0n })
  expect(await again.response.text()).toContain('data: 1')
  expect(runs).toBe(2)
  expect(await stored(await buyer.idOf(instance))).toMatchObject({ charged: '10000' })
})

describe('what is kept of channels', () => {
  it('is forgotten when all is claimed, and the channel goes on from what the chain says', async () => {
    const [instance, buyer] = [await gateway(), await newBuyer()]
    const id = await buyer.idOf(instance)
    answerOf(await buyer.buy(instance))
    const { store } = instance.core.channels[0]!
    await growOld()
    await store.purge(100)
    expect(await stored(id)).not.toBeNull()
    await claimerOf(instance).round({ isAll: true })
    await growOld()
    expect(await store.purge(100)).toBeGreaterThan(0)
    expect(await stored(id)).toBeNull()
    answerOf(await buyer.buy(instance))
    expect(await stored(id)).toEqual({ charged: '20000', balance: '1000000', claimed: '10000' })
  })
})

describe('a database that was restored', () => {
  /** The channel as it is kept now; later, everything since is forgotten. */
  async function backup(id: Hex): Promise<() => Promise<void>> {
    const [row] = await sql()`SELECT * FROM plugin_x402.x402_channel WHERE id = ${id}`
    return async () => {
      await sql()`DELETE FROM plugin_x402.x402_claim WHERE nonce LIKE ${`channel:${id}:%`}
        AND split_part(nonce, ':', 3)::numeric >= ${row!['charged']}`
      await sql()`UPDATE plugin_x402.x402_channel SET ${sql()(row!, 'charged', 'total_claimed', 'signed_max', 'signature')}
        WHERE id = ${id}`
    }
  }

  it('takes what was claimed since from the chain, and its payers go on', async () => {
    const [instance, buyer] = [await gateway(), await newBuyer()]
    const id = await buyer.idOf(instance)
    answerOf(await buyer.buy(instance))
    const restore = await backup(id)
    answerOf(await buyer.buy(instance))
    expect((await claimerOf(instance).round({ isAll: true })).claimed).toBe(1)
    await restore()
    answerOf(await buyer.buy(instance))
    expect(await stored(id)).toMatchObject({ charged: '30000', claimed: '20000' })
    await restore()
    expect(await buyer.refund(instance)).toMatchObject({ success: true })
  })

  it('tells a payer of charges that are lost what the chain has, without an older voucher', async () => {
    const [instance, buyer] = [await gateway(), await newBuyer()]
    answerOf(await buyer.buy(instance))
    const restore = await backup(await buyer.idOf(instance))
    answerOf(await buyer.buy(instance))
    expect((await claimerOf(instance).round({ isAll: true })).claimed).toBe(1)
    answerOf(await buyer.buy(instance))
    await restore()
    const { channel } = detailsOf(await buyer.buy(instance)) as { channel: object }
    expect(channel).toMatchObject({ channelState: { chargedCumulativeAmount: '20000' } })
    // A client takes none that does not reach that sum: it would be locked out.
    expect(channel).not.toHaveProperty('voucherState')
  })
})

it('is told to nobody else: the state of a channel needs its signature', async () => {
  const [instance, buyer, thief] = [await gateway(), await newBuyer(), await newBuyer()]
  answerOf(await buyer.buy(instance))
  const payment = await buyer.payment(instance)
  const foreign = await thief.payment(instance)
  const voucher = { ...(payment.payload['voucher'] as object) }
  const stolen = (foreign.payload['voucher'] as { signature: string }).signature
  for (const bent of [
    { ...payment, payload: { ...payment.payload, voucher: { ...voucher, signature: stolen } } },
    { ...payment, payload: { ...foreign.payload, voucher } },
    {
      ...payment,
      payload: { ...payment.payload, type: 'refund', voucher: { ...voucher, signature: stolen } },
    },
  ]) {
    const outcome = await instance.pay(bent)
    expect(failureOf(outcome)?.code).toBe('PAYMENT_FAILED')
    expect(detailsOf(outcome)).not.toHaveProperty('channel')
  }
})

it('pays no request ahead of its call', async () => {
  const [instance, buyer] = [await gateway(), await newBuyer()]
  const payment = await buyer.payment(instance)
  const text = Buffer.from(JSON.stringify(payment)).toString('base64')
  const order = { quote: workQuote, requestId: 'r1', paymentSignature: text, keyId: null }
  expect(await instance.desk.settle(order)).toMatchObject({
    code: 'PAYMENT_FAILED',
    details: { reason: 'unsupported_scheme' },
  })
})

// Last, because the chain's clock goes on by a day.
describe('a payer who withdraws', () => {
  it('is seen however many channels there are', async () => {
    const [instance, buyer] = [await gateway(), await newBuyer()]
    await buyer.buy(instance)
    // Of its receiver and signer, each with something to claim, and looked at before all that there are.
    await sql()`
      INSERT INTO plugin_x402.x402_channel (id, network, asset, receiver, authorizer, config, balance,
        total_claimed, withdraw_requested_at, refund_nonce, synced_at, charged)
      SELECT '0x' || lpad(to_hex(n), 64, '0'), network, asset, receiver, authorizer, config, 10, 0, 0, 0,
        now() - interval '1 hour', 5
      FROM plugin_x402.x402_channel, generate_series(1, 250) AS n WHERE id = ${await buyer.idOf(instance)}`
    const unseen = async () => {
      const rows = await sql()<{ n: number }[]>`
        SELECT count(*)::int AS n FROM plugin_x402.x402_channel
        WHERE id LIKE '0x000%' AND synced_at < now() - interval '30 minutes'`
      return rows[0]!.n
    }
    try {
      expect(await unseen()).toBe(250)
      await gateway()
      await vi.waitUntil(async () => (await unseen()) === 0, PATIENT)
    } finally {
      await sql()`DELETE FROM plugin_x402.x402_channel WHERE id LIKE '0x000%'`
    }
  })

  it('is seen in time by a gateway whose clock is behind', async () => {
    const [instance, buyer] = [await gateway(), await newBuyer()]
    const id = await buyer.idOf(instance)
    answerOf(await buyer.buy(instance))
    const payment = await buyer.payment(instance)
    await buyer.initiateWithdraw(instance, 1_000_000n)
    await sql()`UPDATE plugin_x402.x402_channel SET synced_at = now() - interval '2 minutes' WHERE id = ${id}`
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_000 })
    try {
      expect(reasonOf(await instance.pay(payment))).toBe('channel_is_withdrawn')
      await gateway()
      await vi.waitFor(
        async () => expect(await stored(id)).toMatchObject({ claimed: '10000' }),
        PATIENT,
      )
    } finally {
      vi.useRealTimers()
    }
  })

  it('takes what nobody claimed in time, which is told, and owes it before the next call', async () => {
    const [instance, buyer] = [await gateway(), await newBuyer()]
    const id = await buyer.idOf(instance)
    answerOf(await buyer.buy(instance))
    const payment = await buyer.payment(instance)
    await buyer.initiateWithdraw(instance, 1_000_000n)
    await node('evm_increaseTime', [86_401])
    await node('evm_mine')
    await buyer.finalizeWithdraw(instance)
    expect(await channelOn(ground.chain, id)).toEqual({ balance: 0n, claimed: 0n })
    await growOld()
    expect(reasonOf(await instance.pay(payment))).toBe(`${CODE}_channel_not_found`)
    const [{ store, view }, [row]] = [
      instance.core.channels[0]!,
      await sql()<
        { config: never }[]
      >`SELECT config FROM plugin_x402.x402_channel WHERE id = ${id}`,
    ]
    await view.sync(id, row!.config)
    await claimerOf(instance).round()
    expect(await store.sums()).toMatchObject({ lost: 10_000n })
    expect(instance.core.channels[0]!.troubles().join()).toContain('10000 units were withdrawn')
    expect(await stored(id)).toEqual({ charged: '10000', balance: '0', claimed: '0' })
  })
})
