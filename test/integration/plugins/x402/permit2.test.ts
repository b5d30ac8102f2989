/** Payments by Permit2 of the scheme exact: under the real meter, on a real database and chain. */
import { encodeFunctionData, parseAbi, toEventSelector, type Address, type Hex } from 'viem'
import { ExactEvmScheme } from '@x402/evm'
import { x402Client } from '@x402/fetch'
import type { PrivateKeyAccount } from 'viem/accounts'
import { beforeAll, describe, expect, it } from 'vitest'
import { assert, fail } from '../../../../kernel/errors.ts'
import { newId } from '../../../../kernel/ids.ts'
import { Quotes } from '../../../../kernel/metering/quotes.ts'
import { resolveAsset } from '../../../../plugins/x402/terms/asset.ts'
import { startSandboxChain } from '../../../../plugins/x402/sandbox/sandbox.ts'
import { PERMIT2, PROXY } from '../../../../plugins/x402/payment/permit2.ts'
import { decodePayment } from '../../../../plugins/x402/payment/decode.ts'
import type { PaymentRequired } from '../../../../plugins/x402/payment/wire.ts'
import { mount } from '../../../support/metering.ts'
import { answerOf, bodyOf, detailsOf, failureOf, refusalOf } from '../../../support/outcomes.ts'
import { buyerOn, rpc, walletOn } from '../../../support/x402/chain.ts'
import { startFacilitator } from '../../../support/x402/facilitator.ts'
import { x402Ground } from '../../../support/x402/ground.ts'
import {
  echoSkill,
  x402Instances,
  type InstanceOptions,
  type X402Instance,
} from '../../../support/x402/instances.ts'
import {
  decode,
  encode,
  offerIn,
  paidBy,
  signPayment,
  type Permit2Bend,
} from '../../../support/x402/payments.ts'
import { entryOf, railCall, startRail } from '../../../support/x402/rail.ts'

const ground = x402Ground()
const { received, tally } = ground
const TO_PROXY = `"to":"${PROXY.exact.toLowerCase()}"`
const echo = echoSkill({ id: 't.echo', rails: ['credits', 'x402'] })
echo.meanwhile = () => Bun.sleep(20)
const open = x402Instances(ground, echo)
let gateway: X402Instance

beforeAll(async () => {
  gateway = await open()
})

const signed = (bend: Permit2Bend = {}, by = ground.buyer) =>
  gateway.signedPermit2('exact', bend, { by })
/** Another instance that has no key of its own, unless told. */
const settlingBy = (facilitators: string[], options: InstanceOptions = {}) =>
  open({ facilitators, signerKey: null, ...options })

describe('the offer', () => {
  it('stands behind that of EIP-3009, which stays as it was; version 1 does not have it', async () => {
    const { accepts } = await gateway.challenge()
    expect(accepts[0]).toMatchObject({ scheme: 'exact', extra: { name: 'USD Coin', version: '2' } })
    expect(accepts[1]).toEqual({ ...accepts[0], extra: { assetTransferMethod: 'permit2' } })
    const { offers } = refusalOf(await gateway.ask())
    const v1 = offers.find(({ challenge }) => challenge)?.body
    expect((v1 as { accepts: unknown[] }).accepts).toHaveLength(1)
  })

  it('is not made where nothing is known to settle it, and such a payment is refused', async () => {
    const other = await settlingBy([ground.facilitator().url])
    expect((await other.challenge()).accepts).toHaveLength(1)
    expect(failureOf(await other.pay(await signed()))).toMatchObject({
      code: 'PAYMENT_FAILED',
      details: { reason: 'unsupported_payload_type', field: 'payload.permit2Authorization' },
    })
  })
})

describe('an honest payment by Permit2', () => {
  it('buys the answer once, moves the price on chain and stands in the ledger', async () => {
    const payment = await signed()
    const taken = await tally()
    const outcome = await gateway.pay(payment)
    expect(bodyOf(outcome)).toEqual({ echo: { a: 1 } })
    const { receipt } = answerOf(outcome)
    expect(decode(receipt.headers['payment-response'])).toMatchObject({
      success: true,
      payer: ground.buyer.address.toLowerCase(),
      transaction: receipt.transaction,
      amount: '10000',
    })
    const rows = await gateway.ledger.rows({ kind: 'settlement', limit: 1 })
    expect(rows[0]).toMatchObject({ id: receipt.ledgerId, amountAtomic: 10_000n, rail: 'x402' })

    const again = await gateway.pay(payment)
    expect(again).toMatchObject({
      kind: 'answer',
      replayed: true,
      receipt: { chargedAtomic: 0n },
    })
    expect(detailsOf(await gateway.pay(payment, { input: { a: 2 } }))).toMatchObject({
      reason: 'nonce_already_used',
      field: 'payload.permit2Authorization.nonce',
    })
    expect(await taken()).toEqual({ runs: 1, moved: 10_000n })
  })

  it('×8 at once runs the work once and moves the money once', async () => {
    const payment = await signed()
    const taken = await tally()
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => gateway.pay(payment)))
    for (const outcome of outcomes) {
      const failure = failureOf(outcome)
      if (failure) expect(failure).toMatchObject({ retryable: true })
      else expect(bodyOf(outcome)).toEqual({ echo: { a: 1 } })
    }
    expect(await taken()).toEqual({ runs: 1, moved: 10_000n })
  })

  it('is not taken ahead of its call while its nonce buys for another token of the chain', async () => {
    const { chain } = ground
    const at = (asset: string | null) =>
      entryOf({
        network: 'eip155:8453',
        asset,
        payTo: chain.receivingAddress,
        facilitators: [],
        rpcUrl: chain.rpcUrl,
        signerKey: chain.signerKey,
      })
    const other: Address = `0x${'01'.repeat(20)}`
    const token = { decimals: 6, name: 'B', version: '1' }
    const two = await open({ entries: [at(null), { ...at(other), token }] })
    const payment = await two.signedPermit2('exact')
    const decoded = decodePayment('payment-signature', encode(payment))
    assert(decoded.ok, 'a payment that can be read')
    const { claims, main } = two.core
    await claims.claim({
      ...main!.keyOf(decoded.payment),
      asset: other,
      id: newId(),
      fingerprint: 'f',
      requestId: 'other',
      keyId: null,
      skillId: 't.other',
      path: '/v1/t/other',
      amountAtomic: 1n,
      units: 1n,
      priceVersion: 1,
      acquisition: null,
      payment: null,
      validBefore: 9_999_999_999n,
      chainRef: null,
      leaseMs: 60_000,
    })
    const taken = await tally()
    const quote = new Quotes('http://localhost').http(echo)
    const requestId = newId()
    const order = { quote, requestId, paymentSignature: encode(payment), keyId: null }
    expect(await two.desk.settle(order)).toMatchObject({ ok: false, status: 409, retryable: true })
    expect(await taken()).toEqual({ runs: 0, moved: 0n })
  })

  it('has nonces of its own: the same number signed by EIP-3009 is another payment', async () => {
    const nonce = 123_456_789n
    const first = await signed({ authorization: { nonce } })
    const twin = await signPayment(ground.buyer, offerIn(await gateway.challenge(), 'exact'), {
      authorization: { nonce: `0x${nonce.toString(16).padStart(64, '0')}` },
    })
    const taken = await tally()
    expect((await gateway.pay(first)).kind).toBe('answer')
    expect(bodyOf(await gateway.pay(twin))).toEqual({ echo: { a: 1 } })
    expect(await taken()).toEqual({ runs: 2, moved: 20_000n })
  })

  it('by a remote facilitator is paid once', async () => {
    const remote = ground.facilitator([], { listsUpto: true })
    const other = await settlingBy([remote.url], { rpcUrl: null })
    const before = await received()
    const payment = await other.signedPermit2('exact')
    expect(bodyOf(await other.pay(payment))).toEqual({ echo: { a: 1 } })
    expect(await other.pay(payment)).toMatchObject({ kind: 'answer', replayed: true })
    expect(remote.settles).toBe(1)
    expect((await received()) - before).toBe(10_000n)
  })

  it('goes past a facilitator that is not known to settle it, to our own signer', async () => {
    const plain = ground.facilitator()
    const other = await settlingBy([plain.url], { signerKey: ground.chain.signerKey })
    const payment = await other.signedPermit2('exact')
    expect(bodyOf(await other.pay(payment))).toEqual({ echo: { a: 1 } })
    expect(plain.settles).toBe(0)
  })

  it('for work that fails is not settled, and can be used again', async () => {
    const before = await received()
    let isBroken = true
    const flaky = mount(
      {
        id: 't.flaky',
        handler: async () =>
          isBroken ? fail('PROCESSING_FAILURE', 'no') : { ok: true, output: { fine: true } },
      },
      { rails: ['x402'] },
    )
    const payment = await gateway.signedPermit2('exact', {}, { skill: flaky })
    expect((await gateway.pay(payment, { skill: flaky })).kind).toBe('failure')
    expect(await received()).toBe(before)
    isBroken = false
    expect(bodyOf(await gateway.pay(payment, { skill: flaky }))).toEqual({ fine: true })
    expect((await received()) - before).toBe(10_000n)
  })
})

describe('a bent payment by Permit2 is refused with the field that disagrees, and nothing runs', () => {
  const nowS = () => BigInt(Math.floor(Date.now() / 1000))
  const far: Address = '0x000000000000000000000000000000000000dEaD'
  const place = 'payload.permit2Authorization'
  const bareParity = (signature: Hex) =>
    `${signature.slice(0, 130)}0${Number.parseInt(signature.slice(130), 16) - 27}` as Hex
  const cases: [string, () => Permit2Bend, string, string][] = [
    [
      'another spender',
      () => ({ authorization: { spender: PROXY.upto } }),
      'invalid_permit2_spender',
      `${place}.spender`,
    ],
    [
      'another receiver',
      () => ({ authorization: { to: far } }),
      'invalid_permit2_recipient_mismatch',
      `${place}.witness.to`,
    ],
    [
      'another token',
      () => ({ authorization: { token: far } }),
      'permit2_token_mismatch',
      `${place}.permitted.token`,
    ],
    [
      'too little',
      () => ({ authorization: { value: 9_999n }, accepted: { amount: '9999' } }),
      'permit2_amount_mismatch',
      `${place}.permitted.amount`,
    ],
    [
      'too much',
      () => ({ authorization: { value: 10_001n }, accepted: { amount: '10001' } }),
      'permit2_amount_mismatch',
      `${place}.permitted.amount`,
    ],
    [
      'an end before the work is settled',
      () => ({ authorization: { deadline: nowS() + 20n } }),
      'permit2_deadline_expired',
      `${place}.deadline`,
    ],
    [
      'a start to come',
      () => ({ authorization: { validAfter: nowS() + 600n } }),
      'permit2_not_yet_valid',
      `${place}.witness.validAfter`,
    ],
    [
      'a tampered nonce',
      () => ({ sent: { nonce: '7' } }),
      'invalid_permit2_signature',
      'payload.signature',
    ],
    [
      'another payer',
      () => ({ sent: { from: far } }),
      'invalid_permit2_signature',
      'payload.signature',
    ],
    [
      'a parity that Permit2 does not take',
      () => ({ signature: bareParity }),
      'invalid_permit2_signature',
      'payload.signature',
    ],
    [
      'an offer by EIP-3009',
      () => ({ accepted: { extra: { assetTransferMethod: 'eip3009' } } }),
      'unsupported_payload_type',
      'accepted.extra.assetTransferMethod',
    ],
    [
      'an offer that is no text',
      () => ({ accepted: { extra: { name: { toString: 1, valueOf: 1 } } } }),
      'invalid_exact_evm_token_name_mismatch',
      'accepted.extra.name',
    ],
    [
      'the scheme upto',
      () => ({
        accepted: { scheme: 'upto' },
        sent: { witness: { to: ground.chain.receivingAddress, facilitator: far, validAfter: '0' } },
      }),
      'upto_facilitator_mismatch',
      'accepted.extra.facilitatorAddress',
    ],
  ]
  it.each(cases)('%s', async (_, bend, reason, field) => {
    const payment = await signed(bend())
    const taken = await tally()
    expect(failureOf(await gateway.pay(payment))).toMatchObject({
      code: 'PAYMENT_FAILED',
      details: { reason, field },
    })
    expect(await taken()).toEqual({ runs: 0, moved: 0n })
  })

  it('a payer who has not let Permit2 move the token is told how, and then the same payment buys', async () => {
    const poor = await buyerOn(ground.chain)
    await ground.chain.allowPermit2(poor.address, 9_999n)
    const payment = await signed({}, poor)
    const ranBefore = echo.runs
    expect(detailsOf(await gateway.pay(payment))).toMatchObject({
      reason: 'permit2_allowance_required',
      field: `${place}.permitted.amount`,
      fix: expect.stringContaining(`approve(${PERMIT2}`),
    })
    expect(echo.runs).toBe(ranBefore)
    await ground.chain.allowPermit2(poor.address, 10_000n)
    expect(bodyOf(await gateway.pay(payment))).toEqual({ echo: { a: 1 } })
  })

  it('a payer without the money, and one whose nonce is used', async () => {
    const poor = await buyerOn(ground.chain, 9_999n)
    expect(detailsOf(await gateway.pay(await signed({}, poor)))).toMatchObject({
      reason: 'permit2_insufficient_balance',
    })
    const fresh = await buyerOn(ground.chain)
    const payment = await signed({}, fresh)
    await invalidate(fresh, BigInt(payment.payload.permit2Authorization.nonce))
    expect(detailsOf(await gateway.pay(payment))).toMatchObject({
      reason: 'permit2_invalid_nonce',
      field: `${place}.nonce`,
    })
  })
})

/** Uses up a nonce without paying anybody. */
async function invalidate(account: PrivateKeyAccount, nonce: bigint): Promise<void> {
  const wallet = await walletOn(ground.chain, account)
  await wallet.send({
    to: PERMIT2,
    data: encodeFunctionData({
      abi: parseAbi(['function invalidateUnorderedNonces(uint256 word, uint256 mask)']),
      args: [nonce >> 8n, 1n << (nonce & 0xffn)],
    }),
  })
}

describe('an answer of a facilitator that gets lost', () => {
  it.each(['lose', 'settle_then_500'] as const)(
    '%s: the node finds the Transfer of this very payment, and the caller gets the answer',
    async (fault) => {
      const remote = ground.facilitator([], { listsUpto: true })
      const other = await settlingBy([remote.url])
      // The same payer pays the same amount before and after.
      const [first, payment] = [await signed(), await signed()]
      expect(bodyOf(await gateway.pay(first))).toEqual({ echo: { a: 1 } })
      const before = await received()
      remote.faults = [fault]
      const outcome = await other.comeBack(payment, { input: { a: fault } })
      expect(bodyOf(outcome)).toEqual({ echo: { a: fault } })
      expect((await received()) - before).toBe(10_000n)
      expect(bodyOf(await gateway.pay(await signed()))).toEqual({ echo: { a: 1 } })
    },
  )

  it('a nonce that its payer used up while the work ran gives no answer away', async () => {
    const thief = await buyerOn(ground.chain)
    const payment = await signed({}, thief)
    const nonce = BigInt(payment.payload.permit2Authorization.nonce)
    const before = await received()
    const slow = mount(
      {
        id: 't.slow',
        handler: async () => {
          await invalidate(thief, nonce)
          return { ok: true, output: { secret: true } }
        },
      },
      { rails: ['x402'] },
    )
    const outcome = await gateway.pay(payment, { skill: slow })
    expect(failureOf(outcome)).toMatchObject({
      code: 'PAYMENT_FAILED',
      details: { reason: 'permit2_invalid_nonce' },
    })
    expect(await received()).toBe(before)
  })
})

describe('a token without EIP-3009', () => {
  it('is sold by Permit2 alone, and not at all where Permit2 is missing', async () => {
    const network = 'eip155:38833'
    const resolved = resolveAsset(network, null)
    if (!resolved.ok) throw new Error(resolved.reason)
    expect(resolved.asset.method).toBe('permit2')
    const started = await startSandboxChain(resolved.asset)
    if (!started.ok) throw new Error(started.reason)
    const igra = started.chain
    ground.closing(() => igra.stop())
    const there = { ...ground, database: ground.database, chain: igra }
    const own = await startRail(there, { network })
    const { quote } = gateway.call(echo, {})
    const offer = own.offer(quote)!
    const { accepts } = offer.challenge as PaymentRequired
    expect(accepts.map(({ scheme, extra }) => [scheme, extra['assetTransferMethod']])).toEqual([
      ['exact', 'permit2'],
      ['upto', 'permit2'],
    ])
    expect(offer.body).toEqual({})
    const named = { ...accepts[0]!, extra: { name: 'USDC', version: '1' } }
    const payment = paidBy(await signPayment(ground.buyer, named))
    expect(await own.authorize(railCall(quote), payment)).toMatchObject({
      failure: {
        details: { reason: 'unsupported_payload_type', field: 'payload.authorization' },
      },
    })
    await own.stop()

    await rpc(igra, 'anvil_setCode', [PERMIT2, '0x'])
    const closed = await startRail(there, { network })
    expect(closed.available()).toMatchObject({
      ok: false,
      reason: expect.stringContaining('Permit2'),
    })
  })
})

describe('gas for the first approval', () => {
  /** An account that never approved Permit2 and has no gas. */
  const newcomer = async () => {
    const account = await buyerOn(ground.chain)
    await ground.chain.allowPermit2(account.address, 0n)
    return account
  }
  /** The client of @x402/evm, told to pay by Permit2. */
  const clientOf = (account: PrivateKeyAccount) =>
    new x402Client((_, offers) =>
      offers.find(({ extra }) => extra['assetTransferMethod'])!,
    ).register('eip155:8453', new ExactEvmScheme(account, { rpcUrl: ground.chain.rpcUrl }))

  it('is paid by a facilitator that lists the extension, with the unmodified client', async () => {
    const remote = ground.facilitator()
    remote.sponsors = ['erc20ApprovalGasSponsoring']
    const instance = await settlingBy([remote.url])
    const required = await instance.challenge()
    expect(required.extensions).toHaveProperty('erc20ApprovalGasSponsoring')
    expect(required.extensions).not.toHaveProperty('eip2612GasSponsoring')
    const account = await newcomer()
    const payment = await clientOf(account).createPaymentPayload(required)
    expect(payment.extensions).toHaveProperty('erc20ApprovalGasSponsoring.info.signedTransaction')
    const taken = await tally()
    expect(bodyOf(await instance.pay(payment))).toEqual({ echo: { a: 1 } })
    expect(remote).toMatchObject({ verifies: 1, settles: 1 })
    expect(await instance.pay(payment)).toMatchObject({ kind: 'answer', replayed: true })
    expect(await taken()).toEqual({ runs: 1, moved: 10_000n })
    // The allowance is there from now on, and the next payment is one as any other.
    const second = await clientOf(account).createPaymentPayload(required)
    expect(second.extensions).not.toHaveProperty(
      'erc20ApprovalGasSponsoring.info.signedTransaction',
    )
    expect(bodyOf(await instance.pay(second))).toEqual({ echo: { a: 1 } })
  })

  it('is paid by a permit of the token (EIP-2612), with the unmodified client', async () => {
    const remote = ground.facilitator()
    remote.sponsors = ['eip2612GasSponsoring']
    const instance = await settlingBy([remote.url])
    const required = await instance.challenge()
    expect(required.extensions).toHaveProperty('eip2612GasSponsoring')
    const account = await newcomer()
    const payment = await clientOf(account).createPaymentPayload(required)
    expect(payment.extensions).toHaveProperty('eip2612GasSponsoring.info.signature')
    const taken = await tally()
    const outcome = await instance.pay(payment)
    expect(bodyOf(outcome)).toEqual({ echo: { a: 1 } })
    const hash = answerOf(outcome).receipt.transaction
    const { logs } = await rpc<{ logs: { topics: Hex[] }[] }>(
      ground.chain,
      'eth_getTransactionReceipt',
      [hash],
    )
    const settledWithPermit = toEventSelector('SettledWithPermit()')
    expect(logs.map(({ topics }) => topics[0])).toContain(settledWithPermit)
    expect(await instance.pay(payment)).toMatchObject({ kind: 'answer', replayed: true })
    expect(await taken()).toEqual({ runs: 1, moved: 10_000n })
    // It permitted what it paid, so that the next payment brings a permit of the next nonce.
    const second = await clientOf(account).createPaymentPayload(required)
    expect(bodyOf(await instance.pay(second))).toEqual({ echo: { a: 1 } })
    expect(await taken()).toEqual({ runs: 2, moved: 20_000n })
  })

  it('is refused as missing by a facilitator whose node does not answer; the same payment buys later', async () => {
    const node = nodeThatFails(ground.chain.rpcUrl)
    ground.closing(() => node.stop())
    const remote = startFacilitator({ ...ground.chain, rpcUrl: node.url })
    ground.closing(() => remote.stop())
    remote.sponsors = ['eip2612GasSponsoring']
    const instance = await settlingBy([remote.url])
    const payment = await clientOf(await newcomer()).createPaymentPayload(
      await instance.challenge(),
    )
    const taken = await tally()
    node.isFailing = true
    // The reference takes every failure of its trial for one of the payment, and sees no allowance.
    expect(detailsOf(await instance.pay(payment))).toMatchObject({
      reason: 'permit2_allowance_required',
    })
    expect(await taken()).toEqual({ runs: 0, moved: 0n })
    node.isFailing = false
    expect(bodyOf(await instance.pay(payment))).toEqual({ echo: { a: 1 } })
    expect(await taken()).toEqual({ runs: 1, moved: 10_000n })
  })

  it('by a permit that somebody else signed moves nothing', async () => {
    const remote = ground.facilitator()
    remote.sponsors = ['eip2612GasSponsoring']
    const instance = await settlingBy([remote.url])
    const required = await instance.challenge()
    const account = await newcomer()
    const payment = await clientOf(account).createPaymentPayload(required)
    const others = await clientOf(await newcomer()).createPaymentPayload(required)
    const bent = structuredClone(payment) as any
    const { info } = bent.extensions.eip2612GasSponsoring
    info.signature = (others as any).extensions.eip2612GasSponsoring.info.signature
    const taken = await tally()
    expect(failureOf(await instance.pay(bent))).toMatchObject({ code: 'PAYMENT_FAILED' })
    expect(await taken()).toEqual({ runs: 0, moved: 0n })
    expect(bodyOf(await instance.pay(payment))).toEqual({ echo: { a: 1 } })
  })

  it('is neither offered nor counted on where no facilitator lists it', async () => {
    const remote = ground.facilitator([], { listsUpto: true })
    const instance = await settlingBy([remote.url])
    const required = await instance.challenge()
    expect(required.extensions).not.toHaveProperty('erc20ApprovalGasSponsoring')
    const account = await newcomer()
    const told = {
      ...required,
      extensions: { erc20ApprovalGasSponsoring: { info: {}, schema: {} } },
    }
    const payment = await clientOf(account).createPaymentPayload(told as never)
    const taken = await tally()
    expect(detailsOf(await instance.pay(payment))).toMatchObject({
      reason: 'permit2_allowance_required',
    })
    expect(await taken()).toEqual({ runs: 0, moved: 0n })
  })

  it('counts for nobody but the payer, its token and Permit2', async () => {
    const remote = ground.facilitator()
    remote.sponsors = ['erc20ApprovalGasSponsoring']
    const instance = await settlingBy([remote.url])
    const account = await newcomer()
    const payment = await clientOf(account).createPaymentPayload(await instance.challenge())
    const taken = await tally()
    for (const other of ['from', 'asset', 'spender', 'signedTransaction']) {
      const bent = structuredClone(payment) as any
      bent.extensions.erc20ApprovalGasSponsoring.info[other] = `0x${'12'.repeat(20)}`
      const outcome = await instance.pay(bent)
      expect(failureOf(outcome), other).toMatchObject({ code: 'PAYMENT_FAILED' })
    }
    expect(await taken()).toEqual({ runs: 0, moved: 0n })
  })
})

/** A node in front of another that tries no settlement by Permit2 while it fails. */
function nodeThatFails(rpcUrl: string) {
  const state = { url: '', isFailing: false, stop: () => server.stop(true) }
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const body = await request.text()
      const isTrial = body.includes('eth_call') && body.toLowerCase().includes(TO_PROXY)
      if (state.isFailing && isTrial) return new Response('busy', { status: 503 })
      return fetch(rpcUrl, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json' },
      })
    },
  })
  state.url = `http://127.0.0.1:${server.port}`
  return state
}
