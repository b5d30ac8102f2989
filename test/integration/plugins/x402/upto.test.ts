/** The scheme upto: the price is a ceiling, what the skill bills is taken, by whom the payer named. */
import { describe, expect, it, vi } from 'vitest'
import { Type } from 'typebox'
import { Quotes } from '../../../../kernel/metering/quotes.ts'
import type { Quote } from '../../../../kernel/rails/contract.ts'
import { MAX_CHALLENGE_CHARACTERS } from '../../../../plugins/x402/offers/challenge.ts'
import { GAS_WALLET } from '../../../../plugins/x402/sandbox/wallets.ts'
import type { PaymentKind } from '../../../../plugins/x402/evm/offers.ts'
import { mount } from '../../../support/metering.ts'
import { answerOf, bodyOf, failureOf, refusalOf } from '../../../support/outcomes.ts'
import { PATIENT } from '../../../support/patience.ts'
import type { Fault } from '../../../support/x402/facilitator.ts'
import { x402Ground } from '../../../support/x402/ground.ts'
import { x402Instances, type InstanceOptions } from '../../../support/x402/instances.ts'
import {
  asVersion1,
  decode,
  encode,
  offerIn,
  type Permit2Bend,
} from '../../../support/x402/payments.ts'
import { soleOffers } from '../../../support/x402/offers.ts'
import { mainOf, QUICK } from '../../../support/x402/rail.ts'

const ground = x402Ground()
const { received, tally, closing } = ground
const work = { runs: 0 }
ground.counts(work)

/** Bills what its input says, at most the price of 10,000. */
const metered = mount(
  {
    id: 't.metered',
    input: Type.Object({ bill: Type.Optional(Type.Integer()) }, { additionalProperties: true }),
    handler: async (_, input) => {
      work.runs++
      const { bill } = input as { bill?: number }
      const output = { bill: bill ?? 'all' }
      return bill === undefined
        ? { ok: true, output }
        : { ok: true, output, bill: { amountAtomic: BigInt(bill) } }
    },
  },
  { rails: ['x402'] },
)

const open = x402Instances(ground, metered)
const facilitator = (faults: Fault[] = []) => ground.facilitator(faults, { listsUpto: true })

/** An instance that settles by these facilitators, or by its own signer where there are none. */
async function gateway(
  facilitators: readonly { url: string }[] = [],
  options: InstanceOptions = {},
) {
  const instance = await open({
    facilitators: facilitators.map(({ url }) => url),
    ...(facilitators.length > 0 && { signerKey: null }),
    ...options,
  })
  return {
    ...instance,
    run: (input: unknown, payment: unknown) => instance.pay(payment, { input }),
    signedExact: instance.signed,
    signed: (bend: Permit2Bend = {}) => instance.signedPermit2('upto', bend),
  }
}

describe('a skill that may bill less than its price', () => {
  const partial = {
    ...metered,
    skill: { ...metered.skill, id: 't.partial', billing: 'partial' as const },
  }
  const bill = { bill: 300 }

  it('is sold by upto alone', async () => {
    const instance = await gateway([facilitator()])
    const [offer, ...others] = (await instance.challenge(partial)).accepts
    expect([offer, others]).toMatchObject([{ scheme: 'upto', amount: '10000' }, []])
    const unpaid = refusalOf(await instance.ask(partial))
    expect(unpaid.offers.map(({ body }) => body)).toEqual([
      { x402Note: expect.stringContaining('UptoEvmScheme') },
    ])
    const before = await received()
    const payment = await instance.signedPermit2('upto', {}, { skill: partial })
    expect((await instance.pay(payment, { skill: partial, input: bill })).kind).toBe('answer')
    expect((await received()) - before).toBe(300n)
  })

  it('takes no exact payment, which could not be less, nor one ahead of its work', async () => {
    const instance = await gateway()
    const tokens = await instance.signedExact()
    const permit2 = await instance.signedPermit2('exact', {}, { skill: metered })
    const taken = await tally()
    for (const payment of [tokens, permit2, asVersion1(tokens)]) {
      const outcome = await instance.pay(payment, { skill: partial, input: bill })
      expect(failureOf(outcome)).toMatchObject({
        code: 'PAYMENT_FAILED',
        details: { reason: 'invalid_upto_evm_scheme', expected: 'upto', got: 'exact' },
      })
    }
    const quote = new Quotes('http://localhost').http(partial)
    const settled = await instance.desk.settle({
      quote,
      requestId: 'ahead',
      paymentSignature: encode(tokens),
      keyId: null,
    })
    expect(settled).toMatchObject({ code: 'PAYMENT_FAILED', details: { field: 'skill' } })
    expect(await taken()).toEqual({ runs: 0, moved: 0n })
  })

  it('is not sold by x402 where nobody settles upto, and the 402 says so', async () => {
    const plain = facilitator()
    plain.listsUpto = false
    const instance = await gateway([plain])
    const both = { ...partial, rails: ['credits', 'x402'] }
    const unpaid = refusalOf(await instance.ask(both))
    expect(unpaid.failure).toMatchObject({ code: 'PAYMENT_REQUIRED' })
    expect(unpaid.failure.message).not.toContain('x402')
    expect(unpaid.offers.map(({ challenge }) => challenge)).toEqual([undefined])
    expect(refusalOf(await instance.ask(partial)).failure.status).toBe(503)
    expect((await instance.challenge(metered)).accepts).toHaveLength(1)
  })
})

describe('the offer of upto', () => {
  const quote = { skillId: 'a', transport: 'http', method: 'GET', path: '/a', timeoutMs: 1000 }
  const priced = { ...quote, amountAtomic: 10_000n, priceVersion: 1, description: 'd' } as Quote
  const permit2: PaymentKind = { scheme: 'exact', method: 'permit2' }
  const upto: PaymentKind = { scheme: 'upto', method: 'permit2', facilitator: GAS_WALLET.address }

  it('names the facilitator that lists it, and ours where nobody does', async () => {
    const remote = facilitator()
    const offers = (await (await gateway([remote])).challenge()).accepts
    expect(offers.map(({ scheme }) => scheme)).toEqual(['exact', 'exact', 'upto'])
    expect(offers[2]!.extra).toEqual({
      assetTransferMethod: 'permit2',
      facilitatorAddress: remote.address,
    })
    const own = offerIn(await (await gateway()).challenge(), 'upto', 'permit2')
    expect(own.extra['facilitatorAddress']).toBe(GAS_WALLET.address)
  })

  it('comes and goes with what the facilitator says, and what was offered is still taken', async () => {
    const remote = facilitator()
    const { rail, challenge, run, signed } = await gateway([remote])
    expect((await challenge()).accepts).toHaveLength(3)
    const [payment, unused] = [await signed(), await signed()]
    remote.listsUpto = false
    await mainOf(rail).supportedKinds.refresh()
    expect((await challenge()).accepts).toHaveLength(1)
    expect(bodyOf(await run({ bill: 5 }, payment))).toEqual({ bill: 5 })
    // What was bought is had again also where that offer was never made.
    const later = await gateway([remote])
    expect(await later.run({ bill: 5 }, payment)).toMatchObject({ replayed: true })
    expect(failureOf(await later.run({ bill: 5 }, unused))).toMatchObject({
      details: { reason: 'invalid_exact_evm_scheme', field: 'accepted.scheme' },
    })
    remote.listsUpto = true
    await mainOf(rail).supportedKinds.refresh()
    expect((await challenge()).accepts).toHaveLength(3)
  })

  it('is settled by the one it names, not by another in the list', async () => {
    const plain = facilitator()
    plain.listsUpto = false
    const named = facilitator()
    const { run, signed } = await gateway([plain, named])
    expect(bodyOf(await run({ bill: 5 }, await signed()))).toEqual({ bill: 5 })
    expect([plain.settles, named.settles]).toEqual([0, 1])
  })

  it('comes as soon as a facilitator that was silent at boot answers', async () => {
    const remote = facilitator()
    let isSilent = true
    const door = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: (request) =>
        isSilent
          ? new Response(null, { status: 503 })
          : fetch(remote.url + new URL(request.url).pathname),
    })
    closing(() => door.stop(true))
    const late = { url: `http://127.0.0.1:${door.port}` }
    const { challenge } = await gateway([late], { timing: { refreshEveryMs: 200 } })
    expect((await challenge()).accepts).toHaveLength(1)
    isSilent = false
    await vi.waitUntil(async () => (await challenge()).accepts.length === 3, PATIENT)
  })

  const kind = { x402Version: 2, scheme: 'upto', network: 'eip155:8453' }
  const extra = { facilitatorAddress: GAS_WALLET.address }
  const answers: [string, unknown, boolean][] = [
    ['nothing of use', [], false],
    ['null', null, false],
    ['another network', { kinds: [{ ...kind, extra, network: 'eip155:1' }] }, false],
    ['version 1', { kinds: [{ ...kind, extra, x402Version: 1 }] }, false],
    ['no address', { kinds: [{ ...kind, extra: {} }, 7, null] }, false],
    ['a bent address', { kinds: [{ ...kind, extra: { facilitatorAddress: '0x12' } }] }, false],
    ['far too much', { kinds: [{ ...kind, extra }], more: 'x'.repeat(70_000) }, false],
    ['signers that are none', { kinds: [{ ...kind, extra }], signers: { 'eip155:*': 7 } }, true],
  ]
  it.each(answers)('of a facilitator that answers %s', async (_, answer, isOffered) => {
    const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => Response.json(answer) })
    closing(() => server.stop(true))
    const remote = { url: `http://127.0.0.1:${server.port}` }
    const { accepts } = await (await gateway([remote])).challenge()
    expect(accepts.some(({ scheme }) => scheme === 'upto')).toBe(isOffered)
  })

  it('names the same of several addresses while the facilitator has it', async () => {
    const other = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
    const signers = { 'eip155:*': [GAS_WALLET.address, other] }
    let named: string = GAS_WALLET.address
    const server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: () =>
        Response.json({
          kinds: [{ ...kind, extra: { facilitatorAddress: named } }],
          signers,
        }),
    })
    closing(() => server.stop(true))
    const remote = { url: `http://127.0.0.1:${server.port}` }
    const { rail, challenge } = await gateway([remote])
    const first = offerIn(await challenge(), 'upto', 'permit2')
    named = other
    await mainOf(rail).supportedKinds.refresh()
    expect(offerIn(await challenge(), 'upto', 'permit2')).toBe(first)
    signers['eip155:*'] = [other]
    await mainOf(rail).supportedKinds.refresh()
    const { extra } = offerIn(await challenge(), 'upto', 'permit2')
    expect(extra['facilitatorAddress']).toBe(other)
  })

  it('is made once per quote until it changes, and small enough', () => {
    const { offers, challenges } = soleOffers(ground.chain.receivingAddress)
    const properties = Object.fromEntries(
      Array.from({ length: 60 }, (_, i) => [`field_${i}`, Type.String({ description: 'long' })]),
    )
    const large = { ...priced, inputSchema: Type.Object(properties) }
    offers.offerKinds([permit2, upto])
    const first = challenges.of(large)
    expect(first.offer.headers['payment-required']!.length).toBeLessThanOrEqual(
      MAX_CHALLENGE_CHARACTERS,
    )
    expect(first.required.accepts[0]!.extra).toHaveProperty('name')
    expect(first.required.accepts.at(-1)!.scheme).toBe('upto')
    offers.offerKinds([permit2, { ...upto }], [upto])
    expect(challenges.of(large)).toBe(first)
    offers.offerKinds([])
    expect(challenges.of(large).required.accepts).toHaveLength(1)
  })

  it('is honoured as long as a signature made from it may be about, and not for other sales', () => {
    const { offers, challenges } = soleOffers(ground.chain.receivingAddress)
    expect(offers.takes(upto, priced)).toBe(false)
    offers.offerKinds([permit2, upto])
    const retiredFrom = performance.now()
    offers.offerKinds([])
    const retiredBy = performance.now()
    expect(offers.takes(upto, priced, retiredFrom + 60_000)).toBe(true)
    expect(offers.takes(upto, priced, retiredBy + 62_000)).toBe(false)
    offers.offerKinds([permit2, upto])
    const chosen = { ...priced, hasOwnPrice: true }
    expect(challenges.of(chosen).required.accepts.map(({ scheme }) => scheme)).toEqual([
      'exact',
      'exact',
    ])
    expect(offers.takes(upto, chosen)).toBe(false)
    expect(offers.takes(permit2, chosen)).toBe(true)
  })
})

describe.each(['a facilitator', 'a facilitator without a node of ours', 'our own signer'])(
  'upto settled by %s',
  (by) => {
    const open = async () => {
      const remote = by === 'our own signer' ? null : facilitator()
      const options = by.includes('without') ? { rpcUrl: null } : {}
      return { remote, ...(await gateway(remote ? [remote] : [], options)) }
    }

    it('takes what the skill billed, once, and says so everywhere', async () => {
      const { run, signed, ledger } = await open()
      const taken = await tally()
      const payment = await signed()
      const outcomes = await Promise.all(
        Array.from({ length: 8 }, () => run({ bill: 1234 }, payment)),
      )
      expect(await taken()).toEqual({ runs: 1, moved: 1234n })
      const answer = outcomes
        .filter((outcome) => outcome.kind === 'answer')
        .find(({ replayed }) => !replayed)!
      expect(answer.receipt.chargedAtomic).toBe(1234n)
      expect(decode(answer.receipt.headers['payment-response'])).toMatchObject({
        success: true,
        amount: '1234',
        transaction: answer.receipt.transaction,
      })
      const rows = await ledger.rows({ kind: 'settlement', limit: 1 })
      expect(rows[0]).toMatchObject({ id: answer.receipt.ledgerId, amountAtomic: 1234n })
      const again = await run({ bill: 1234 }, payment)
      expect(again).toMatchObject({ kind: 'answer', replayed: true })
      const { headers } = answerOf(again).receipt
      expect(decode(headers['payment-response'])).toMatchObject({ amount: '1234' })
    })

    it('takes all of the price for a skill that bills nothing else, and never more', async () => {
      const { run, signed } = await open()
      const before = await received()
      expect(bodyOf(await run({}, await signed()))).toEqual({ bill: 'all' })
      expect(bodyOf(await run({ bill: 99_999 }, await signed()))).toEqual({ bill: 99_999 })
      expect((await received()) - before).toBe(20_000n)
    })

    it('takes nothing, and asks nobody to settle, for work that is free', async () => {
      const { run, signed, remote } = await open()
      const before = await received()
      const outcome = await run({ bill: 0 }, await signed())
      expect(bodyOf(outcome)).toEqual({ bill: 0 })
      expect(outcome).toMatchObject({ receipt: { chargedAtomic: 0n, ledgerId: null } })
      expect(await received()).toBe(before)
      expect(remote?.settles ?? 0).toBe(0)
    })
  },
)

describe('a settlement of upto that a crash or a lost answer left open', () => {
  it.each(['lose', 'hang'] as const)('%s: takes what was billed, once', async (fault) => {
    const remote = facilitator([fault])
    const { comeBack, signed } = await gateway([remote], {
      timing: { ...QUICK, settleTimeoutMs: 500, confirmTimeoutMs: 500, reconcileEveryMs: 100 },
    })
    const before = await received()
    const payment = await signed()
    const outcome = await comeBack(payment, { input: { bill: 77 } })
    expect(bodyOf(outcome)).toEqual({ bill: 77 })
    const { headers } = answerOf(outcome).receipt
    expect(decode(headers['payment-response'])).toMatchObject({ amount: '77' })
    expect((await received()) - before).toBe(77n)
  })
})

describe('a payment of upto is refused, and nothing runs', () => {
  const far = '0x000000000000000000000000000000000000dEaD'
  const witness = 'payload.permit2Authorization.witness'
  const cases: [string, Permit2Bend, string, string][] = [
    [
      'for a facilitator that nobody offered',
      { authorization: { facilitator: far }, accepted: { extra: { facilitatorAddress: far } } },
      'upto_facilitator_mismatch',
      `${witness}.facilitator`,
    ],
    [
      'that accepts another than it signs',
      { accepted: { extra: { assetTransferMethod: 'permit2', facilitatorAddress: far } } },
      'upto_facilitator_mismatch',
      'accepted.extra.facilitatorAddress',
    ],
    [
      'with another ceiling',
      { authorization: { value: 9_999n } },
      'permit2_amount_mismatch',
      'payload.permit2Authorization.permitted.amount',
    ],
    [
      'to another receiver',
      { authorization: { to: far } },
      'invalid_permit2_recipient_mismatch',
      `${witness}.to`,
    ],
    [
      'signed as exact',
      { accepted: { scheme: 'exact' } },
      'invalid_permit2_spender',
      'payload.permit2Authorization.spender',
    ],
    [
      'on another network',
      { accepted: { network: 'eip155:1' } },
      'invalid_upto_evm_network_mismatch',
      'accepted.network',
    ],
    [
      'with a tampered deadline',
      { sent: { deadline: '9999999999' } },
      'invalid_permit2_signature',
      'payload.signature',
    ],
  ]
  it.each(cases)('%s', async (_, bend, reason, field) => {
    const { run, signed } = await gateway()
    const taken = await tally()
    const failure = failureOf(await run({ bill: 1 }, await signed(bend)))
    expect(failure).toMatchObject({ code: 'PAYMENT_FAILED', details: { reason, field } })
    expect(await taken()).toEqual({ runs: 0, moved: 0n })
  })

  it('ahead of its call, whose amount nobody knows yet', async () => {
    const { desk, call, signed } = await gateway()
    const settled = await desk.settle({
      quote: call(metered, {}).quote,
      requestId: 'ahead-1',
      paymentSignature: encode(await signed()),
      keyId: null,
    })
    expect(settled).toMatchObject({ ok: false, details: { reason: 'unsupported_scheme' } })
  })
})
