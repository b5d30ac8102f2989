/**
 * Payments that somebody else puts on chain while their work runs, several in one transaction: each
 * answer is given only for money of its own.
 */
import {
  createPublicClient,
  createWalletClient,
  encodeFunctionData,
  http,
  numberToHex,
  padHex,
  parseAbi,
  type Address,
  type Hex,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import { base } from 'viem/chains'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Authorization, RailCall } from '../../../../kernel/rails/contract.ts'
import contracts from '../../../../kernel/rails/x402/chain/contracts.json' with { type: 'json' }
import type { SandboxChain } from '../../../../kernel/rails/x402/chain/sandbox.ts'
import { PrepaidDesk } from '../../../../kernel/rails/x402/prepaid.ts'
import { proxyCall } from '../../../../kernel/rails/x402/settle/permit2-call.ts'
import { callData } from '../../../../kernel/rails/x402/settle/signer.ts'
import type { X402Rail } from '../../../../kernel/rails/x402/rail.ts'
import { createLedger } from '../../../../kernel/ledger/ledger.ts'
import { testDatabase, type TestDatabase } from '../../../support/database.ts'
import {
  baseAsset,
  buyerOn,
  encode,
  offerIn,
  paidBy,
  signPayment,
  signPermit2,
  testChain,
  testRail,
  workQuote as quote,
} from '../../../support/x402.ts'

const MULTICALL = {
  address: '0xcA11bde05977b3631167028862bE2a173976CA11',
  abi: parseAbi([
    'function tryAggregate(bool requireSuccess, (address target, bytes callData)[] calls)',
  ]),
} as const
const ANSWER = { status: 200, headers: {}, body: new Uint8Array([1]) }

let database: TestDatabase
let chain: SandboxChain
let rail: X402Rail
let stranger: PrivateKeyAccount

beforeAll(async () => {
  database = await testDatabase()
  chain = await testChain()
  rail = await testRail({ database: database.db, ledger: createLedger(database.db), chain })
  stranger = privateKeyToAccount(generatePrivateKey())
  await request('anvil_setBalance', [stranger.address, '0x56bc75e2d63100000'])
})
afterAll(async () => {
  await rail.stop()
  await chain.stop()
  await database.close()
})

const client = () => createPublicClient({ chain: base, transport: http(chain.rpcUrl) })
const request = (method: string, params: unknown[]) =>
  client().request({ method: method as never, params: params as never })

/** These calls in one transaction of a stranger, mined. */
async function together(calls: { target: Address; callData: Hex }[]): Promise<Hex> {
  const wallet = createWalletClient({
    account: stranger,
    chain: base,
    transport: http(chain.rpcUrl),
  })
  const data = encodeFunctionData({ ...MULTICALL, args: [true, calls] })
  const hash = await wallet.sendTransaction({ to: MULTICALL.address, data })
  const receipt = await client().waitForTransactionReceipt({ hash, pollingInterval: 20 })
  expect(receipt.status).toBe('success')
  return hash
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

const callOf = (fingerprint: string): RailCall => ({
  requestId: crypto.randomUUID(),
  quote,
  identity: null,
  fingerprint,
  acquisition: null,
  deadline: new Date(Date.now() + 5000),
  holdId: Bun.randomUUIDv7(),
})

async function begin(payment: unknown, fingerprint: string): Promise<Authorization> {
  const outcome = await rail.authorize(callOf(fingerprint), paidBy(payment))
  if (outcome.outcome !== 'authorized') throw new Error(JSON.stringify(outcome))
  return outcome.authorization
}

/** What the same payment gets once nobody tells it to wait. */
async function endOf(payment: unknown, fingerprint: string) {
  for (let attempt = 0; attempt < 200; attempt++) {
    const outcome = await rail.authorize(callOf(fingerprint), paidBy(payment))
    const isWaiting = outcome.outcome === 'refused' && outcome.failure.retryable === true
    if (!isWaiting) return outcome
    await Bun.sleep(50)
  }
  throw new Error('the settlement never ended')
}

const received = () => chain.balanceOf(chain.receivingAddress)

describe.each(['eip3009', 'permit2'] as const)('by %s', (kind) => {
  it('a payment that a stranger settles while the work runs is paid for, once', async () => {
    const buyer = await buyerOn(chain)
    const before = await received()
    const { signed, call } = await paymentOf(buyer, kind, 1n)
    const authorization = await begin(signed, 'a')
    const hash = await together([call])
    const captured = await rail.capture(authorization, 10_000n, ANSWER)
    expect(captured).toMatchObject({ outcome: 'captured', receipt: { transaction: hash } })
    expect((await received()) - before).toBe(10_000n)
  })

  it('two payments of which one went to its own payer in the same transaction give one answer', async () => {
    const buyer = await buyerOn(chain)
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
    await request('anvil_mine', ['0x96'])
    expect(await endOf(second.signed, 'b')).toMatchObject({
      outcome: 'refused',
      failure: { code: 'PAYMENT_FAILED' },
    })
    expect((await endOf(first.signed, 'a')).outcome).toBe('replay')
  })

  it('what a stranger settled is no plain transfer to buy with', async () => {
    const buyer = await buyerOn(chain)
    const hash = await together([(await paymentOf(buyer, kind, 1n)).call])
    const desk = new PrepaidDesk(rail.core!, rail.prepaid)
    const settled = await desk.settle({
      quote,
      requestId: `plain-${kind}`,
      paymentSignature: hash,
      keyId: null,
    })
    expect(settled).toMatchObject({ details: { reason: 'not_a_plain_transfer' } })
  })

  it('buys ahead of its call, once', async () => {
    const buyer = await buyerOn(chain)
    const before = await received()
    const { signed } = await paymentOf(buyer, kind, 1n)
    const desk = new PrepaidDesk(rail.core!, rail.prepaid)
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
    const owner = privateKeyToAccount(generatePrivateKey())
    const { address } = privateKeyToAccount(generatePrivateKey())
    await request('anvil_setCode', [address, contracts.SandboxWallet.runtimeCode])
    const slots = [numberToHex(0, { size: 32 }), padHex(owner.address, { size: 32 })]
    await request('anvil_setStorageAt', [address, ...slots])
    await chain.fund(address, 10_000n)
    const { signed } = await paymentOf({ ...owner, address }, kind, 1n)
    const authorization = await begin(signed, 'a')
    expect((await rail.capture(authorization, 10_000n, ANSWER)).outcome).toBe('captured')
    expect(await chain.balanceOf(address)).toBe(0n)
  })
})
