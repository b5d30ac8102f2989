/** Payments by Permit2 of the scheme exact: under the real meter, on a real database and chain. */
import { permit2WitnessTypes, uptoPermit2WitnessTypes } from '@x402/evm'
import {
  createWalletClient,
  encodeFunctionData,
  hashTypedData,
  http,
  parseAbi,
  type Address,
  type Hex,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import { base } from 'viem/chains'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fail } from '../../../../kernel/errors.ts'
import type { MeterOutcome } from '../../../../kernel/metering/call.ts'
import type { MountedSkill } from '../../../../kernel/metering/contract.ts'
import { verifyLedger } from '../../../../kernel/ledger/verify.ts'
import type { RailCall } from '../../../../kernel/rails/contract.ts'
import { resolveAsset } from '../../../../kernel/rails/x402/asset.ts'
import {
  startSandboxChain,
  type SandboxChain,
} from '../../../../kernel/rails/x402/chain/sandbox.ts'
import {
  PERMIT2,
  permit2Digest,
  permit2Separator,
  PROXY,
} from '../../../../kernel/rails/x402/permit2.ts'
import { callsLike, proxyCall } from '../../../../kernel/rails/x402/settle/permit2-call.ts'
import type { X402Rail } from '../../../../kernel/rails/x402/rail.ts'
import type { PaymentRequired } from '../../../../kernel/rails/x402/wire.ts'
import { testDatabase, type TestDatabase } from '../../../support/database.ts'
import { meterOver, mount } from '../../../support/metering.ts'
import {
  baseAsset,
  buyerOn,
  decode,
  offerIn,
  paidBy,
  signPayment,
  signPermit2,
  startFacilitator,
  testChain,
  testRail,
  type Permit2Bend,
} from '../../../support/x402.ts'

describe('the digest of a Permit2 transfer', () => {
  const witness = { to: `0x${'12'.repeat(20)}`, validAfter: 7n } as const
  const facilitator: Address = `0x${'34'.repeat(20)}`
  const authorization = {
    from: `0x${'56'.repeat(20)}`,
    token: `0x${'78'.repeat(20)}`,
    spender: `0x${'9a'.repeat(20)}`,
    nonce: `0x00${'bc'.repeat(31)}`,
    value: 10_000n,
    validBefore: 2_000_000_000n,
    ...witness,
  } as const
  const message = {
    permitted: { token: authorization.token, amount: authorization.value },
    spender: authorization.spender,
    nonce: BigInt(authorization.nonce),
    deadline: authorization.validBefore,
    witness: { ...witness, facilitator },
  }
  const domain = { name: 'Permit2', chainId: 8453, verifyingContract: PERMIT2 }
  const primaryType = 'PermitWitnessTransferFrom' as const

  it('is the one that viem makes of the typed data, with and without a facilitator', () => {
    const separator = permit2Separator(8453)
    expect(permit2Digest(separator, { ...authorization, facilitator: null })).toBe(
      hashTypedData({ domain, types: permit2WitnessTypes, primaryType, message }),
    )
    expect(permit2Digest(separator, { ...authorization, facilitator })).toBe(
      hashTypedData({ domain, types: uptoPermit2WitnessTypes, primaryType, message }),
    )
  })
})

let database: TestDatabase
let chain: SandboxChain
let world: Awaited<ReturnType<typeof meterOver>>
let rail: X402Rail
let buyer: PrivateKeyAccount
let runs = 0

const echo = mount(
  {
    id: 't.echo',
    handler: async (_, input) => {
      runs++
      await Bun.sleep(20)
      return { ok: true, output: { echo: input } }
    },
  },
  { rails: ['credits', 'x402'] },
)

beforeAll(async () => {
  database = await testDatabase()
  chain = await testChain()
  world = await meterOver(database.db)
  rail = await testRail({ database: database.db, ledger: world.ledger, chain })
  world.rails.add(rail)
  buyer = await buyerOn(chain)
})
afterAll(async () => {
  await rail.stop()
  await world.close()
  await chain.stop()
  // Whatever happened above, the books balance.
  expect((await verifyLedger(database.db.sql)).violations).toEqual([])
  await database.close()
})

type World = Awaited<ReturnType<typeof meterOver>>

async function challenge(of: World = world, mounted = echo): Promise<PaymentRequired> {
  const unpaid = await of.meter.run(of.call(mounted, {}))
  if (unpaid.kind !== 'failure') throw new Error('a priced call was free')
  return unpaid.offers.find((candidate) => candidate.challenge)!.challenge as PaymentRequired
}
const offered = async (of: World = world, mounted = echo) =>
  offerIn(await challenge(of, mounted), 'exact', 'permit2')
const signed = async (bend: Permit2Bend = {}, by = buyer) => signPermit2(by, await offered(), bend)

const pay = async (
  payment: unknown,
  input: unknown = { a: 1 },
  mounted: MountedSkill = echo,
): Promise<MeterOutcome> => world.meter.run(world.call(mounted, input, { source: paidBy(payment) }))
const bodyOf = (outcome: MeterOutcome) =>
  outcome.kind === 'answer' ? JSON.parse(new TextDecoder().decode(outcome.answer.body)) : outcome
const failureOf = (outcome: MeterOutcome) => (outcome.kind === 'failure' ? outcome.failure : null)
const received = () => chain.balanceOf(chain.receivingAddress)

/** Another rail over the same chain and database, by these facilitators. */
async function other(facilitators: string[], options: Parameters<typeof testRail>[1] = {}) {
  const made = await meterOver(database.db)
  const own = await testRail(
    { database: database.db, ledger: made.ledger, chain },
    { facilitators, signerKey: null, ...options },
  )
  made.rails.add(own)
  const pay = async (payment: unknown, input: unknown = { a: 1 }): Promise<MeterOutcome> =>
    made.meter.run(made.call(echo, input, { source: paidBy(payment) }))
  const close = async () => {
    await own.stop()
    await made.close()
  }
  return { world: made, rail: own, pay, close }
}

/** The same payment until nobody tells it to wait. */
async function settledAnswer(ask: () => Promise<MeterOutcome>): Promise<MeterOutcome> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const outcome = await ask()
    if (failureOf(outcome)?.retryable !== true) return outcome
    await Bun.sleep(50)
  }
  throw new Error('the settlement never ended')
}

describe('the offer', () => {
  it('stands behind that of EIP-3009, which stays as it was; version 1 does not have it', async () => {
    const { accepts } = await challenge()
    expect(accepts[0]).toMatchObject({ scheme: 'exact', extra: { name: 'USD Coin', version: '2' } })
    expect(accepts[1]).toEqual({ ...accepts[0], extra: { assetTransferMethod: 'permit2' } })
    const unpaid = await world.meter.run(world.call(echo, {}))
    const v1 = unpaid.kind === 'failure' && unpaid.offers.find(({ challenge }) => challenge)?.body
    expect((v1 as { accepts: unknown[] }).accepts).toHaveLength(1)
  })

  it('is not made where nothing is known to settle it, and such a payment is refused', async () => {
    const plain = startFacilitator(chain)
    const made = await other([plain.url])
    expect((await challenge(made.world)).accepts).toHaveLength(1)
    expect(failureOf(await made.pay(await signed()))).toMatchObject({
      code: 'PAYMENT_FAILED',
      details: { reason: 'unsupported_payload_type', field: 'payload.permit2Authorization' },
    })
    await made.close()
    await plain.stop()
  })
})

describe('an honest payment by Permit2', () => {
  it('buys the answer once, moves the price on chain and stands in the ledger', async () => {
    const before = await received()
    const ranBefore = runs
    const payment = await signed()
    const outcome = await pay(payment)
    expect(bodyOf(outcome)).toEqual({ echo: { a: 1 } })
    if (outcome.kind !== 'answer') throw new Error('no answer')
    const { receipt } = outcome
    expect(decode(receipt.headers['payment-response'])).toMatchObject({
      success: true,
      payer: buyer.address.toLowerCase(),
      transaction: receipt.transaction,
      amount: '10000',
    })
    const rows = await world.ledger.rows({ kind: 'settlement', limit: 1 })
    expect(rows[0]).toMatchObject({ id: receipt.ledgerId, amountAtomic: 10_000n, rail: 'x402' })

    const again = await pay(payment)
    expect(again).toMatchObject({ kind: 'answer', replayed: true, receipt: { chargedAtomic: 0n } })
    expect(failureOf(await pay(payment, { a: 2 }))).toMatchObject({
      details: {
        reason: 'nonce_already_used',
        field: 'payload.permit2Authorization.nonce',
      },
    })
    expect(runs - ranBefore).toBe(1)
    expect((await received()) - before).toBe(10_000n)
  })

  it('×8 at once runs the work once and moves the money once', async () => {
    const before = await received()
    const ranBefore = runs
    const payment = await signed()
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => pay(payment)))
    expect(runs - ranBefore).toBe(1)
    expect((await received()) - before).toBe(10_000n)
    for (const outcome of outcomes) {
      const failure = failureOf(outcome)
      if (failure) expect(failure).toMatchObject({ retryable: true })
      else expect(bodyOf(outcome)).toEqual({ echo: { a: 1 } })
    }
  })

  it('has nonces of its own: the same number signed by EIP-3009 is another payment', async () => {
    const before = await received()
    const ranBefore = runs
    const nonce = 123_456_789n
    expect((await pay(await signed({ authorization: { nonce } }))).kind).toBe('answer')
    const twin = await signPayment(buyer, offerIn(await challenge(), 'exact'), {
      authorization: { nonce: `0x${nonce.toString(16).padStart(64, '0')}` },
    })
    expect(bodyOf(await pay(twin))).toEqual({ echo: { a: 1 } })
    expect(runs - ranBefore).toBe(2)
    expect((await received()) - before).toBe(20_000n)
  })

  it('by a remote facilitator is paid once', async () => {
    const remote = startFacilitator(chain)
    remote.listsUpto = true
    const made = await other([remote.url], { rpcUrl: null })
    const before = await received()
    const payment = await signPermit2(buyer, await offered(made.world))
    expect(bodyOf(await made.pay(payment))).toEqual({ echo: { a: 1 } })
    expect(await made.pay(payment)).toMatchObject({ kind: 'answer', replayed: true })
    expect(remote.settles).toBe(1)
    expect((await received()) - before).toBe(10_000n)
    await made.close()
    await remote.stop()
  })

  it('goes past a facilitator that is not known to settle it, to our own signer', async () => {
    const plain = startFacilitator(chain)
    const made = await other([plain.url], { signerKey: chain.signerKey })
    const payment = await signPermit2(buyer, await offered(made.world))
    expect(bodyOf(await made.pay(payment))).toEqual({ echo: { a: 1 } })
    expect(plain.settles).toBe(0)
    await made.close()
    await plain.stop()
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
    const payment = await signPermit2(buyer, await offered(world, flaky))
    expect((await pay(payment, {}, flaky)).kind).toBe('failure')
    expect(await received()).toBe(before)
    isBroken = false
    expect(bodyOf(await pay(payment, {}, flaky))).toEqual({ fine: true })
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
        sent: { witness: { to: chain.receivingAddress, facilitator: far, validAfter: '0' } },
      }),
      'upto_facilitator_mismatch',
      'accepted.extra.facilitatorAddress',
    ],
  ]
  it.each(cases)('%s', async (_, bend, reason, field) => {
    const before = await received()
    const ranBefore = runs
    const outcome = await pay(await signed(bend()))
    expect(failureOf(outcome)).toMatchObject({
      code: 'PAYMENT_FAILED',
      details: { reason, field },
    })
    expect(runs).toBe(ranBefore)
    expect(await received()).toBe(before)
  })

  it('a payer who has not let Permit2 move the token is told how, and then the same payment buys', async () => {
    const poor = await buyerOn(chain)
    await chain.allowPermit2(poor.address, 9_999n)
    const payment = await signed({}, poor)
    const ranBefore = runs
    expect(failureOf(await pay(payment))?.details).toMatchObject({
      reason: 'permit2_allowance_required',
      field: `${place}.permitted.amount`,
      fix: expect.stringContaining(`approve(${PERMIT2}`),
    })
    expect(runs).toBe(ranBefore)
    await chain.allowPermit2(poor.address, 10_000n)
    expect(bodyOf(await pay(payment))).toEqual({ echo: { a: 1 } })
  })

  it('a payer without the money, and one whose nonce is used', async () => {
    const poor = await buyerOn(chain, 9_999n)
    expect(failureOf(await pay(await signed({}, poor)))?.details).toMatchObject({
      reason: 'permit2_insufficient_balance',
    })
    const fresh = await buyerOn(chain)
    const payment = await signed({}, fresh)
    await invalidate(fresh, BigInt(payment.payload.permit2Authorization.nonce))
    expect(failureOf(await pay(payment))?.details).toMatchObject({
      reason: 'permit2_invalid_nonce',
      field: `${place}.nonce`,
    })
  })
})

/** Uses up a nonce without paying anybody. */
async function invalidate(account: PrivateKeyAccount, nonce: bigint): Promise<void> {
  await send(account, {
    to: PERMIT2,
    data: encodeFunctionData({
      abi: parseAbi(['function invalidateUnorderedNonces(uint256 word, uint256 mask)']),
      args: [nonce >> 8n, 1n << (nonce & 0xffn)],
    }),
  })
}

async function send(account: PrivateKeyAccount, call: { to: Address; data: Hex }): Promise<Hex> {
  const client = createWalletClient({ account, chain: base, transport: http(chain.rpcUrl) })
  await client.request({
    method: 'anvil_setBalance' as never,
    params: [account.address, '0xde0b6b3a7640000'] as never,
  })
  const hash = await client.sendTransaction(call)
  // Anvil mines before it answers the next question.
  await rail.core!.chain!.receipt(hash)
  return hash
}

describe('an answer of a facilitator that gets lost', () => {
  it.each(['lose', 'settle_then_500'] as const)(
    '%s: the node finds the Transfer of this very payment, and the caller gets the answer',
    async (fault) => {
      const remote = startFacilitator(chain)
      remote.listsUpto = true
      const made = await other([remote.url])
      // The same payer pays the same amount before and after.
      const [first, payment] = [await signed(), await signed()]
      expect(bodyOf(await pay(first))).toEqual({ echo: { a: 1 } })
      const before = await received()
      remote.faults = [fault]
      const outcome = await settledAnswer(() => made.pay(payment, { a: fault }))
      expect(bodyOf(outcome)).toEqual({ echo: { a: fault } })
      expect((await received()) - before).toBe(10_000n)
      expect(bodyOf(await pay(await signed()))).toEqual({ echo: { a: 1 } })
      await made.close()
      await remote.stop()
    },
  )

  it('a nonce that its payer used up while the work ran gives no answer away', async () => {
    const thief = await buyerOn(chain)
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
    const outcome = await pay(payment, {}, slow)
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
    const parts = { database: database.db, ledger: world.ledger, chain: igra }
    const own = await testRail(parts, { network })
    const { quote } = world.call(echo, {})
    const offer = own.offer(quote)!
    const { accepts } = offer.challenge as PaymentRequired
    expect(accepts.map(({ scheme, extra }) => [scheme, extra['assetTransferMethod']])).toEqual([
      ['exact', 'permit2'],
      ['upto', 'permit2'],
    ])
    expect(offer.body).toMatchObject({ x402Version: 1, accepts: [] })
    const named = { ...accepts[0]!, extra: { name: 'USDC', version: '1' } }
    const call = { quote, deadline: new Date() } as RailCall
    expect(await own.authorize(call, paidBy(await signPayment(buyer, named)))).toMatchObject({
      failure: {
        details: { reason: 'unsupported_payload_type', field: 'payload.authorization' },
      },
    })
    await own.stop()

    const client = createWalletClient({ transport: http(igra.rpcUrl) })
    await client.request({ method: 'anvil_setCode' as never, params: [PERMIT2, '0x'] as never })
    const closed = await testRail(parts, { network })
    expect(closed.available()).toMatchObject({
      ok: false,
      reason: expect.stringContaining('Permit2'),
    })
    await closed.stop()
    await igra.stop()
  })
})

describe('the call that settles', () => {
  const requirements = {
    scheme: 'exact',
    network: 'eip155:8453',
    amount: '10000',
    asset: baseAsset().address,
    payTo: `0x${'12'.repeat(20)}`,
    maxTimeoutSeconds: 60,
    extra: {},
  } as const

  it('is known again inside other calls, and counted with those like it', async () => {
    const payer = privateKeyToAccount(generatePrivateKey())
    const [one, two] = await Promise.all(
      [1n, 2n].map(async (nonce) => ({
        requirements,
        ...(await signPermit2(payer, requirements, { authorization: { nonce } })),
        version: 2 as const,
      })),
    )
    const [first, second] = [proxyCall(one!).data, proxyCall(two!).data]
    expect(callsLike(one!, first)).toBe(1)
    expect(callsLike(two!, first)).toBe(0)
    // Bytes that nobody runs could name a payment that was not settled: they count as well.
    expect(callsLike(two!, `${first}${second.slice(2)}`)).toBe(2)
  })
})
