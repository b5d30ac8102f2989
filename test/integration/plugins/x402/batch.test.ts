/**
 * Payments that somebody else puts on chain while their work runs, several in one transaction: each
 * answer is given only for money of its own.
 */
import { encodeFunctionData, numberToHex, parseAbi, type Address, type Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { Authorization } from '../../../../kernel/rails/contract.ts'
import { SettleAhead } from '../../../../plugins/x402/calls/settle-ahead.ts'
import { callData, proxyCall } from '../../../../plugins/x402/chain/token.ts'
import type { X402Rail } from '../../../../plugins/x402/rail.ts'
import {
  baseAsset,
  buyerOn,
  contractWallet,
  rpc,
  walletOn,
  type TestWallet,
} from '../../../support/x402/chain.ts'
import { PATIENT } from '../../../support/patience.ts'
import { x402Ground } from '../../../support/x402/ground.ts'
import {
  encode,
  offerIn,
  paidBy,
  signPayment,
  signPermit2,
} from '../../../support/x402/payments.ts'
import { authorized, railCall, startRail, workQuote as quote } from '../../../support/x402/rail.ts'

const MULTICALL = {
  address: '0xcA11bde05977b3631167028862bE2a173976CA11',
  abi: parseAbi([
    'function tryAggregate(bool requireSuccess, (address target, bytes callData)[] calls)',
  ]),
} as const
const ANSWER = { status: 200, headers: {}, body: new Uint8Array([1]) }

const ground = x402Ground()
const { received } = ground
let rail: X402Rail
let stranger: TestWallet

beforeAll(async () => {
  rail = await startRail(ground)
  stranger = await walletOn(ground.chain)
})

/** These calls in one transaction of a stranger, mined. */
function together(calls: { target: Address; callData: Hex }[]): Promise<Hex> {
  const data = encodeFunctionData({ ...MULTICALL, args: [true, calls] })
  return stranger.send({ to: MULTICALL.address, data })
}

type Kind = 'eip3009' | 'permit2'
const offered = (kind: Kind) =>
  offerIn(rail.offer(quote)!.challenge, 'exact', kind === 'permit2' ? 'permit2' : undefined)

/** A payment of `buyer`, and what settles it; `to` for one that pays somebody else. */
async function paymentOf(buyer: PrivateKeyAccount, kind: Kind, nonce: bigint, to?: Address) {
  const requirements = offered(kind)
  const signed =
    kind === 'permit2'
      ? await signPermit2(buyer, requirements, { authorization: { nonce, ...(to && { to }) } })
      : await signPayment(buyer, requirements, {
          authorization: { nonce: numberToHex(nonce, { size: 32 }), ...(to && { to }) },
        })
  const stored = { ...signed, requirements, version: 2 } as never
  const call =
    kind === 'permit2' ? proxyCall(stored) : { to: baseAsset().address, data: callData(stored) }
  return { signed, call: { target: call.to, callData: call.data } }
}

const begin = (payment: unknown, fingerprint: string): Promise<Authorization> =>
  authorized(rail, railCall(quote, { fingerprint }), payment)

/** What the same payment gets once nobody tells it to wait. */
async function endOf(payment: unknown, fingerprint: string) {
  return vi.waitUntil(async () => {
    const outcome = await rail.authorize(railCall(quote, { fingerprint }), paidBy(payment))
    const isWaiting = outcome.outcome === 'refused' && outcome.failure.retryable === true
    return !isWaiting && outcome
  }, PATIENT)
}

describe.each(['eip3009', 'permit2'] as const)('by %s', (kind) => {
  it('a payment that a stranger settles while the work runs is paid for, once', async () => {
    const buyer = await buyerOn(ground.chain)
    const before = await received()
    const { signed, call } = await paymentOf(buyer, kind, 1n)
    const authorization = await begin(signed, 'a')
    const hash = await together([call])
    const captured = await rail.capture(authorization, 10_000n, ANSWER)
    expect(captured).toMatchObject({ outcome: 'captured', receipt: { transaction: hash } })
    expect((await received()) - before).toBe(10_000n)
  })

  it('two payments of which one went to its own payer in the same transaction give one answer', async () => {
    const buyer = await buyerOn(ground.chain)
    const before = await received()
    const [first, second, stolen] = await Promise.all([
      paymentOf(buyer, kind, 1n),
      paymentOf(buyer, kind, 2n),
      paymentOf(buyer, kind, 2n, buyer.address),
    ])
    const running = [await begin(first.signed, 'a'), await begin(second.signed, 'b')]
    const hash = await together([first.call, stolen.call])
    const [paid, unpaid] = await Promise.all(
      running.map((authorization) => rail.capture(authorization, 10_000n, ANSWER)),
    )
    expect(paid).toMatchObject({ outcome: 'captured', receipt: { transaction: hash } })
    expect(unpaid!.outcome).toBe('failed')
    expect((await received()) - before).toBe(10_000n)
    // Later blocks without a Transfer of its own say that it never comes.
    await rpc(ground.chain, 'anvil_mine', ['0x96'])
    expect(await endOf(second.signed, 'b')).toMatchObject({
      outcome: 'refused',
      failure: { code: 'PAYMENT_FAILED' },
    })
    expect((await endOf(first.signed, 'a')).outcome).toBe('replay')
  })

  it('what a stranger settled is no plain transfer to buy with', async () => {
    const buyer = await buyerOn(ground.chain)
    const hash = await together([(await paymentOf(buyer, kind, 1n)).call])
    const desk = new SettleAhead(rail.core!, rail.prepaid)
    const settled = await desk.settle({
      quote,
      requestId: `plain-${kind}`,
      paymentSignature: hash,
      keyId: null,
    })
    expect(settled).toMatchObject({ details: { reason: 'not_a_plain_transfer' } })
  })

  it('buys ahead of its call, once', async () => {
    const buyer = await buyerOn(ground.chain)
    const before = await received()
    const { signed } = await paymentOf(buyer, kind, 1n)
    const desk = new SettleAhead(rail.core!, rail.prepaid)
    const order = {
      quote,
      requestId: `ahead-${kind}`,
      paymentSignature: encode(signed),
      keyId: null,
    }
    const settled = await desk.settle(order)
    expect(settled).toMatchObject({ ok: true, amountAtomic: 10_000n })
    expect(await desk.settle(order)).toEqual(settled)
    expect(await desk.settle({ ...order, requestId: 'another' })).toMatchObject({
      details: { reason: 'nonce_already_used' },
    })
    expect((await received()) - before).toBe(10_000n)
  })

  it('a payer that is a contract pays by the signature that it accepts (EIP-1271)', async () => {
    const wallet = await contractWallet(ground.chain)
    await ground.chain.fund(wallet.address, 10_000n)
    const { signed } = await paymentOf(wallet, kind, 1n)
    const authorization = await begin(signed, 'a')
    expect((await rail.capture(authorization, 10_000n, ANSWER)).outcome).toBe('captured')
    expect(await ground.chain.balanceOf(wallet.address)).toBe(0n)
  })
})
