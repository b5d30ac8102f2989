/** The rail on Solana: paid by its own sponsor and through the reference facilitator. */
import type { PaymentRequired, PaymentRequirements } from '@x402/core/types'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { bodyOf, failureOf, reasonOf, refusalOf, answerOf } from '../../../../support/outcomes.ts'
import { echoSkill } from '../../../../support/x402/instances.ts'
import { solanaClient } from '../../../../support/x402/solana-client.ts'
import {
  solanaGround,
  solanaInstances,
  type SolanaInstance,
} from '../../../../support/x402/solana.ts'
import { SOLANA, withoutSolana } from '../../../../support/x402/solana-node.ts'
import {
  expectedOf,
  NO_BLOCKHASH,
  sketchPayment,
  solanaKey,
  solanaSecret,
  USDC_DEVNET_MINT,
  USDC_MINT,
  wireOf,
} from '../../../../support/x402/solana-payments.ts'
import { tokenAccountOf } from '../../../../../plugins/x402/solana/token-account.ts'
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../../../../plugins/x402/solana/programs.ts'
import { PATIENT } from '../../../../support/patience.ts'

/** A key that has nothing to do with anybody. */
const SOMEBODY = 'GsbwXfJraMomNxBcjYLcG3mxkBUiyWXAB32fGbSMQRdW'
/** Told to come back: the money may be moving. */
const PENDING = { retryable: true, details: { reason: 'settlement_pending' } }
const without = withoutSolana('Solana: the rail')

describe.skipIf(without)('a payment on Solana', () => {
  const ground = solanaGround()
  const work = echoSkill()
  const open = solanaInstances(ground, work)
  const price = work.amountAtomic
  const bought = { runs: 1, moved: price }
  const nothing = { runs: 0, moved: 0n }

  const through = (remote: { url: string }) => ({
    facilitators: [{ url: remote.url, auth: '-' }],
    signerKey: null,
  })
  /** The transaction of a payment made wrong, with the offer as it is. */
  async function forged(shop: SolanaInstance, changes: Parameters<typeof sketchPayment>[0]) {
    const { accepts } = await shop.challenge()
    const [accepted] = accepts
    const { feePayer, memo } = accepted!.extra as { feePayer: string; memo: string }
    const sketch = await sketchPayment({ feePayer, memo, amount: price, ...changes })
    return { x402Version: 2, accepted, payload: { transaction: await wireOf(sketch) } }
  }

  afterEach(() => {
    vi.restoreAllMocks()
    ground.node.faults.length = 0
    ground.node.down.clear()
    ground.node.reveal()
    work.meanwhile = null
  })

  it('is settled by the own sponsor, with a receipt', async () => {
    const shop = await open()
    const [offer] = (await shop.challenge()).accepts
    expect(offer).toMatchObject({
      scheme: 'exact',
      network: SOLANA,
      asset: USDC_MINT,
      payTo: ground.payee,
      amount: price.toString(),
      extra: {
        feePayer: ground.sponsor,
        memo: expect.stringMatching(/^coinop:[0-9a-f]{16}:[0-9a-f]{16}$/),
      },
    })
    const tally = ground.tally()
    const outcome = await shop.pay(await shop.signed())
    expect(bodyOf(outcome)).toMatchObject({ echo: { a: 1 } })
    expect(tally()).toEqual(bought)
    const { receipt } = answerOf(outcome)
    expect(receipt).toMatchObject({
      chargedAtomic: price,
      payment: {
        scheme: 'exact',
        network: SOLANA,
        asset: USDC_MINT,
        payer: ground.buyer.address,
        amount: price.toString(),
      },
    })
    expect(ground.node.landed()).toContain(receipt.transaction)
  })

  it.each(['own sponsor', 'reference facilitator'])(
    'of a client that writes no memo is settled by the %s',
    async (by) => {
      const shop = await open(by === 'own sponsor' ? {} : through(await ground.facilitator('bare')))
      const payment = await forged(shop, {
        payer: ground.buyer,
        instead: (usual) => usual.slice(0, 3),
        blockhash: ground.node.blockhash(),
      })
      const tally = ground.tally()
      expect(bodyOf(await shop.pay(payment))).toMatchObject({ echo: { a: 1 } })
      expect(answerOf(await shop.pay(payment)).replayed).toBe(true)
      expect(reasonOf(await shop.pay(payment, { other: 1 }))).toBe('nonce_already_used')
      expect(tally()).toEqual(bought)
    },
  )

  it('is in time by the clock of the database, where this machine is a minute behind', async () => {
    const shop = await open()
    const payment = await shop.signed()
    const { now } = Date
    vi.spyOn(Date, 'now').mockImplementation(() => now() - 60_000)
    expect(bodyOf(await shop.pay(payment))).toMatchObject({ echo: { a: 1 } })
  })

  it('is sent as often as its payer can pay, whatever else he signs', async () => {
    const shop = await open()
    const { node, buyer, sponsor } = ground
    const before = node.balanceOf(buyer.address)
    const lamports = () => node.lamportsOf(sponsor)
    const feesOf = async (work: () => Promise<unknown>) => {
      const had = lamports()
      await work()
      return had - lamports()
    }
    const fee = await feesOf(async () => answerOf(await shop.pay(await shop.signed())))
    expect(fee).toBeGreaterThan(0n)
    try {
      for (const covered of [1n, 3n]) {
        node.fund(buyer.address, covered * price)
        const payments = await Promise.all(Array.from({ length: 12 }, () => shop.signed()))
        const tally = ground.tally()
        let outcomes: Awaited<ReturnType<typeof shop.pay>>[] = []
        const fees = await feesOf(async () => {
          outcomes = await Promise.all(payments.map((payment) => shop.pay(payment)))
        })
        expect(outcomes.filter(({ kind }) => kind === 'answer')).toHaveLength(Number(covered))
        expect(fees).toBe(covered * fee)
        expect(tally().moved).toBe(covered * price)
      }
    } finally {
      node.fund(buyer.address, before)
    }
  })

  it("is not its payer's fault where the own sponsor has no more than an account must keep", async () => {
    const { address } = await solanaKey('dry sponsor')
    const signerKey = await solanaSecret('dry sponsor')
    ground.node.giveLamports(address, 1_000_000n)
    const shop = await open({ signerKey })
    ground.node.leaveLamports(address, 895_000n)
    expect(failureOf(await shop.pay(await shop.signed()))).toMatchObject({
      code: 'UPSTREAM_FAILURE',
      details: { detail: 'the fee payer cannot pay the fee of the network' },
    })
    const { rail } = await open({ signerKey })
    expect(await rail.health()[0]!.probe(new AbortController().signal)).toEqual({
      state: 'down',
      detail: 'nobody is there to pay the fee of the network; own sponsor has 895000 lamports left',
    })
  })

  it('is settled by the facilitator', async () => {
    const remote = await ground.facilitator()
    const shop = await open(through(remote))
    expect((await shop.challenge()).accepts[0]).toMatchObject({
      extra: { feePayer: remote.feePayer },
    })
    const tally = ground.tally()
    const outcome = await shop.pay(await shop.signed())
    expect(bodyOf(outcome)).toMatchObject({ echo: { a: 1 } })
    expect(tally()).toEqual(bought)
    expect(remote).toMatchObject({ verifies: 1, settles: 1 })
    expect(ground.node.landed()).toContain(answerOf(outcome).receipt.transaction)
  })

  it('goes to the own sponsor while the facilitator is silent', async () => {
    const remote = await ground.facilitator()
    remote.isUp = false
    const shop = await open({ facilitators: [{ url: remote.url, auth: '-' }] })
    expect((await shop.challenge()).accepts[0]).toMatchObject({
      extra: { feePayer: ground.sponsor },
    })
    remote.isUp = true
    await expect
      .poll(async () => (await shop.challenge()).accepts[0]!.extra['feePayer'], PATIENT)
      .toBe(remote.feePayer)
    const [health] = shop.rail.health()
    expect(await health!.probe(new AbortController().signal)).toMatchObject({ state: 'ok' })
  })

  it('is taken from clients of version 1 as well', async () => {
    const shop = await open()
    const accepts = await shop.acceptsV1()
    const client = solanaClient(ground.node, ground.buyer)
    const required = { x402Version: 1, error: '', accepts } as unknown as PaymentRequired
    const payment = await client.createPaymentPayload(required)
    expect(payment).toMatchObject({ x402Version: 1, network: 'solana' })
    const tally = ground.tally()
    const outcome = await shop.pay(payment)
    expect(bodyOf(outcome)).toMatchObject({ echo: { a: 1 } })
    expect(answerOf(outcome).receipt.headers).toHaveProperty('x-payment-response')
    expect(tally()).toEqual(bought)
  })

  it('costs the sponsor nothing when its payer moves the money away during the work', async () => {
    const payer = await solanaKey('mover')
    ground.node.fund(payer.address, price)
    const shop = await open()
    const client = solanaClient(ground.node, payer)
    const payment = await client.createPaymentPayload(await shop.challenge())
    const landed = ground.node.landed().length
    const tally = ground.tally()
    work.meanwhile = async () => ground.node.fund(payer.address, 0n)
    expect(reasonOf(await shop.pay(payment))).toBe('invalid_exact_svm_insufficient_balance')
    expect(tally()).toEqual({ runs: 1, moved: 0n })
    expect(ground.node.landed().length).toBe(landed)
  })

  it('buys one answer, which the same payment gets again', async () => {
    const shop = await open()
    const payment = await shop.signed()
    const tally = ground.tally()
    const first = await shop.pay(payment)
    const again = await shop.pay(payment)
    expect(bodyOf(again)).toEqual(bodyOf(first))
    expect(answerOf(again).receipt).toEqual({ ...answerOf(first).receipt, chargedAtomic: 0n })
    expect(tally()).toEqual(bought)
    expect(reasonOf(await shop.pay(payment, { b: 2 }))).toBe('nonce_already_used')
  })

  it('is another one for each 402, also within one blockhash', async () => {
    const shop = await open()
    const payments = [await shop.signed(), await shop.signed(), await shop.signed()]
    const tally = ground.tally()
    for (const payment of payments) expect(bodyOf(await shop.pay(payment))).toBeDefined()
    expect(tally()).toEqual({ runs: 3, moved: price * 3n })
  })

  it('is one payment whatever stands in the slot of the fee payer', async () => {
    const shop = await open()
    const payment = await shop.signed()
    const tally = ground.tally()
    expect(bodyOf(await shop.pay(payment))).toBeDefined()
    const bytes = Buffer.from(String(payment.payload['transaction']), 'base64')
    bytes.fill(3, 1, 65)
    const other = { ...payment, payload: { transaction: bytes.toString('base64') } }
    expect(bodyOf(await shop.pay(other))).toBeDefined()
    expect(tally()).toEqual(bought)
  })

  it('sent eight times at once to two instances buys one piece of work', async () => {
    const shops = [await open(), await open({}, { database: ground.database.open() })]
    const payment = await shops[0]!.signed()
    const tally = ground.tally()
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, index) => shops[index % 2]!.comeBack(payment)),
    )
    for (const outcome of outcomes) expect(bodyOf(outcome)).toMatchObject({ echo: { a: 1 } })
    expect(tally()).toEqual(bought)
  })

  it('settled by two facilitators of one fee payer at once is one transfer and one sale', async () => {
    const [first, second] = [await ground.facilitator(), await ground.facilitator()]
    const shop = await open(through(first))
    const payment = await shop.signed()
    const tally = ground.tally()
    work.meanwhile = async () => {
      const [accepted] = (await shop.challenge()).accepts
      await fetch(`${second.url}/settle`, {
        method: 'POST',
        body: JSON.stringify({
          x402Version: 2,
          paymentPayload: payment,
          paymentRequirements: accepted,
        }),
      })
    }
    expect(bodyOf(await shop.comeBack(payment))).toMatchObject({ echo: { a: 1 } })
    expect(tally()).toEqual(bought)
    expect([first.settles, second.settles]).toEqual([1, 1])
  })

  it('costs nothing when the work fails, and is good for the next try', async () => {
    const shop = await open()
    const payment = await shop.signed()
    const tally = ground.tally()
    work.meanwhile = () => Promise.reject(new Error('broken'))
    expect(failureOf(await shop.pay(payment))).not.toBeNull()
    expect(tally()).toEqual({ runs: 1, moved: 0n })
    work.meanwhile = null
    expect(bodyOf(await shop.pay(payment))).toMatchObject({ echo: { a: 1 } })
    expect(tally()).toEqual({ runs: 2, moved: price })
  })

  describe('that is not what was offered is refused before any work', () => {
    const offered = (change: (offer: PaymentRequirements) => PaymentRequirements) => change
    it.each([
      ['less', offered((offer) => ({ ...offer, amount: '9' })), 'payload_amount_mismatch'],
      ['more', offered((offer) => ({ ...offer, amount: '20000' })), 'payload_amount_mismatch'],
      [
        'another memo',
        offered((offer) => ({ ...offer, extra: { ...offer.extra, memo: 'coinop:0' } })),
        'payload_memo_mismatch',
      ],
      [
        'another payee',
        offered((offer) => ({ ...offer, payTo: SOMEBODY })),
        'payload_recipient_mismatch',
      ],
      [
        'another fee payer',
        offered((offer) => ({ ...offer, extra: { ...offer.extra, feePayer: SOMEBODY } })),
        'fee_payer_not_managed_by_facilitator',
      ],
    ])('%s', async (_, change, reason) => {
      const shop = await open()
      const tally = ground.tally()
      const outcome = await shop.pay(await shop.signed(change))
      expect(reasonOf(outcome)).toBe(`invalid_exact_svm_${reason}`)
      expect(tally()).toEqual(nothing)
    })

    it('whatever it says it accepts', async () => {
      const shop = await open()
      const tally = ground.tally()
      const { feePayer, ...expected } = expectedOf(await sketchPayment())
      expect(feePayer).toBe(ground.sponsor)
      for (const changes of [
        { amount: price - 1n },
        { destination: tokenAccountOf(SOMEBODY, USDC_MINT, TOKEN_PROGRAM) },
        { memo: 'coinop:ffffffffffffffff' },
        { unitPrice: 10n ** 12n },
        { feePayer: SOMEBODY },
      ]) {
        const outcome = await shop.pay(await forged(shop, changes))
        expect(reasonOf(outcome)).toMatch(/^invalid_exact_svm_/)
      }
      expect(expected.mint).toBe(USDC_MINT)
      expect(tally()).toEqual(nothing)
    })

    it('a blockhash that is over, or was never there', async () => {
      const shop = await open()
      const payment = await shop.signed()
      ground.node.pass(200n)
      const tally = ground.tally()
      for (const late of [payment, await forged(shop, { blockhash: NO_BLOCKHASH })]) {
        const outcome = await shop.pay(late)
        expect(reasonOf(outcome)).toBe('invalid_exact_svm_blockhash_expired')
      }
      expect(tally()).toEqual(nothing)
    })

    it('a payer without money', async () => {
      const poor = await solanaKey('poor')
      ground.node.fund(poor.address, 5n)
      const shop = await open()
      const client = solanaClient(ground.node, poor)
      const tally = ground.tally()
      const outcome = await shop.pay(await client.createPaymentPayload(await shop.challenge()))
      expect(reasonOf(outcome)).toBe('invalid_exact_svm_insufficient_balance')
      expect(tally()).toEqual(nothing)
    })
  })

  describe('whose outcome is not known', () => {
    it('is settled once when the node loses its answer', async () => {
      const shop = await open({}, { timing: { settleTimeoutMs: 500 } })
      const payment = await shop.signed()
      ground.node.faults.push('lose')
      const tally = ground.tally()
      const first = refusalOf(await shop.pay(payment))
      expect(first.failure).toMatchObject(PENDING)
      ground.node.reveal()
      expect(bodyOf(await shop.comeBack(payment))).toMatchObject({ echo: { a: 1 } })
      expect(tally()).toEqual(bought)
    })

    it('is settled once when the facilitator loses its answer', async () => {
      const remote = await ground.facilitator()
      remote.faults.push('lose')
      const shop = await open(through(remote))
      const payment = await shop.signed()
      const tally = ground.tally()
      expect(bodyOf(await shop.comeBack(payment))).toMatchObject({ echo: { a: 1 } })
      expect(tally()).toEqual(bought)
    })

    it('is given up for certain when its blockhash is over', async () => {
      const shop = await open({}, { timing: { settleTimeoutMs: 300 } })
      const payment = await shop.signed()
      // The first sending of it and all that follow until the settlement gives up.
      ground.node.faults.push(...Array.from({ length: 20 }, () => 'drop' as const))
      const tally = ground.tally()
      expect(refusalOf(await shop.pay(payment)).failure).toMatchObject(PENDING)
      ground.node.pass(200n)
      const outcome = await shop.comeBack(payment)
      expect(reasonOf(outcome)).toBe('invalid_exact_svm_blockhash_expired')
      expect(tally()).toEqual({ runs: 1, moved: 0n })
    })

    it('is not believed to a facilitator that names another transaction', async () => {
      const remote = await ground.facilitator()
      const shop = await open(through(remote))
      expect(bodyOf(await shop.pay(await shop.signed()))).toBeDefined()
      remote.faults.push('lie')
      const payment = await shop.signed()
      const tally = ground.tally()
      expect(refusalOf(await shop.pay(payment)).failure).toMatchObject(PENDING)
      expect(bodyOf(await shop.comeBack(payment))).toMatchObject({ echo: { a: 1 } })
      expect(tally()).toEqual(bought)
    })
  })

  describe('settings that do not fit the network', () => {
    it.each([
      ['another network', { network: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1' }, /rpc is of/],
      ['other decimals', { decimals: 9 }, /6 decimals, not 9/],
      ['no mint', { asset: SOMEBODY }, /is no mint/],
      ['a payee without an account', { payTo: USDC_MINT }, /has no token account/],
      ['a key that is none', { signerKey: 'abc' }, /no base58 secret key/],
    ])('%s', async (_, changes, reason) => {
      const shop = await open(changes)
      expect(shop.rail.available()).toMatchObject({
        ok: false,
        reason: expect.stringMatching(reason),
      })
    })

    /** A mint of Token-2022 with 6 decimals and one extension. */
    function mintWith(type: number, value: Uint8Array): string {
      const data = Buffer.alloc(166 + 4 + value.length)
      data[44] = 6
      data[45] = 1
      data[165] = 1
      data.writeUInt16LE(type, 166)
      data.writeUInt16LE(value.length, 168)
      data.set(value, 170)
      const asset = USDC_DEVNET_MINT
      ground.node.plant(asset, TOKEN_2022_PROGRAM, data)
      const paid = Buffer.alloc(165)
      paid[108] = 1
      const at = tokenAccountOf(ground.payee, asset, TOKEN_2022_PROGRAM)
      ground.node.plant(at, TOKEN_2022_PROGRAM, paid)
      return asset
    }
    const feeOf = (basisPoints: number) => {
      const value = Buffer.alloc(108)
      value.writeUInt16LE(basisPoints, 106)
      return value
    }
    it.each([
      ['takes a fee', 1, feeOf(30), /takes a fee/],
      ['calls a hook', 14, Buffer.alloc(64, 9), /programme of its own/],
      ['cannot be moved', 9, Buffer.alloc(0), /cannot be transferred/],
    ])('a mint that %s', async (_, type, value, reason) => {
      const shop = await open({ asset: mintWith(type, value) })
      expect(shop.rail.available()).toMatchObject({
        ok: false,
        reason: expect.stringMatching(reason),
      })
    })

    it('but a mint that may take a fee and takes none does', async () => {
      const shop = await open({ asset: mintWith(1, feeOf(0)) })
      expect(shop.rail.available()).toEqual({ ok: true })
    })

    it('a sponsor that has nothing to pay fees with', async () => {
      const shop = await open({ signerKey: await solanaSecret('penniless') })
      expect(shop.rail.available()).toMatchObject({ ok: false })
    })
  })
})
