/**
 * Permits of the token (EIP-2612) and the proxy that takes them: the sandbox's contracts themselves, and
 * payments of newcomers whose gas the reference facilitator pays.
 */
import { ExactEvmScheme } from '@x402/evm'
import { x402Client } from '@x402/fetch'
import {
  createPublicClient,
  encodeFunctionData,
  http,
  numberToHex,
  parseAbi,
  parseSignature,
  serializeSignature,
  zeroAddress,
  type Address,
  type Hex,
} from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { beforeAll, describe, expect, it } from 'vitest'
import { PERMIT2, PROXY } from '../../../../plugins/x402/payment/permit2.ts'
import { bodyOf, detailsOf, failureOf } from '../../../support/outcomes.ts'
import { baseAsset, buyerOn, walletOn, type TestWallet } from '../../../support/x402/chain.ts'
import type { TestFacilitator } from '../../../support/x402/facilitator.ts'
import { x402Ground } from '../../../support/x402/ground.ts'
import { echoSkill, x402Instances, type X402Instance } from '../../../support/x402/instances.ts'
import { offerIn, signPermit2 } from '../../../support/x402/payments.ts'

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const PRICE = 10_000n
const token = baseAsset().address
const TOKEN = parseAbi([
  'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
  'function approve(address spender, uint256 value) returns (bool)',
  'function allowance(address owner, address spender) view returns (uint256)',
  'function nonces(address owner) view returns (uint256)',
])
const PROXY_ABI = parseAbi([
  'struct Permit { uint256 value; uint256 deadline; bytes32 r; bytes32 s; uint8 v; }',
  'struct Permissions { address token; uint256 amount; }',
  'struct Transfer { Permissions permitted; uint256 nonce; uint256 deadline; }',
  'struct Witness { address to; uint256 validAfter; }',
  'function settleWithPermit(Permit permit2612, Transfer permit, address owner, Witness witness, bytes signature)',
  'error Permit2612AmountMismatch()',
  'error InvalidNonce()',
])
const PERMIT_TYPES = {
  Permit: [
    { name: 'owner', type: 'address' },
    { name: 'spender', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const

const ground = x402Ground()
const { tally } = ground
const echo = echoSkill({ id: 't.echo', rails: ['x402'] })
const open = x402Instances(ground, echo)
/** Sends what anybody may send. */
let anybody: TestWallet

beforeAll(async () => {
  anybody = await walletOn(ground.chain)
})

const client = () => createPublicClient({ transport: http(ground.chain.rpcUrl) })
const reads = (functionName: 'allowance' | 'nonces', args: readonly Address[]) =>
  client().readContract({ address: token, abi: TOKEN, functionName, args: args as never })
const allowanceOf = ({ address }: { address: Address }) => reads('allowance', [address, PERMIT2])
const nonceOf = ({ address }: { address: Address }) => reads('nonces', [address])
const later = () => BigInt(Math.floor(Date.now() / 1000)) + 600n

/** An account with USDC that never approved Permit2 and has no gas. */
async function newcomer(): Promise<PrivateKeyAccount> {
  const account = await buyerOn(ground.chain)
  await ground.chain.allowPermit2(account.address, 0n)
  return account
}

interface Permit {
  owner: Address
  spender: Address
  value: bigint
  nonce: bigint
  deadline: bigint
}
interface Bend {
  message?: Partial<Permit>
  domain?: { name?: string; version?: string; chainId?: number; verifyingContract?: Address }
}
type SignedPermit = Permit & { signature: Hex }

async function permitOf(account: PrivateKeyAccount, bend: Bend = {}): Promise<SignedPermit> {
  const message: Permit = {
    owner: account.address,
    spender: PERMIT2,
    value: PRICE,
    nonce: await nonceOf(account),
    deadline: later(),
    ...bend.message,
  }
  const domain = { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: token }
  const signature = await account.signTypedData({
    domain: { ...domain, ...bend.domain },
    types: PERMIT_TYPES,
    primaryType: 'Permit',
    message,
  })
  return { ...message, signature }
}

/** The members of a signature as contracts take them. */
function partsOf(signature: Hex): { v: number; r: Hex; s: Hex } {
  const { r, s, yParity } = parseSignature(signature)
  return { v: 27 + yParity, r, s }
}

const permitArgs = ({ owner, spender, value, deadline, signature }: SignedPermit) => {
  const { v, r, s } = partsOf(signature)
  return [owner, spender, value, deadline, v, r, s] as const
}
/** Brings a permit to the chain, as anybody may who has seen it. */
const submit = (permit: SignedPermit) =>
  anybody.send({
    to: token,
    data: encodeFunctionData({ abi: TOKEN, functionName: 'permit', args: permitArgs(permit) }),
  })
/** Why the token refuses a permit; fails when it does not. */
async function refusalOfToken(permit: SignedPermit): Promise<string> {
  const call = { address: token, abi: TOKEN, functionName: 'permit' } as const
  const refused = await client()
    .simulateContract({ ...call, args: permitArgs(permit) })
    .catch((error: Error) => error)
  if (!(refused instanceof Error)) throw new Error('the token takes the permit')
  return refused.message
}

describe("the token's permits", () => {
  it('let the spender move the value, once, whoever brings them', async () => {
    const account = await newcomer()
    const first = await permitOf(account)
    await submit(first)
    expect([await allowanceOf(account), await nonceOf(account)]).toEqual([PRICE, 1n])
    expect(await refusalOfToken(first)).toContain('FiatTokenV2: invalid signature')
    // The next one replaces the allowance and adds nothing to it.
    await submit(await permitOf(account, { message: { value: 3n } }))
    expect([await allowanceOf(account), await nonceOf(account)]).toEqual([3n, 2n])
  })

  it('are refused for another domain, time, nonce, signer or shape, and change nothing', async () => {
    const account = await newcomer()
    const stranger = await newcomer()
    const good = await permitOf(account)
    const { r, s, yParity } = parseSignature(good.signature)
    const mirrored = serializeSignature({
      r,
      s: numberToHex(ORDER - BigInt(s), { size: 32 }),
      yParity: yParity === 0 ? 1 : 0,
    })
    const invalid = 'FiatTokenV2: invalid signature'
    const bends: [string, SignedPermit, string][] = [
      ['name', await permitOf(account, { domain: { name: 'USDC' } }), invalid],
      ['version', await permitOf(account, { domain: { version: '1' } }), invalid],
      ['chain', await permitOf(account, { domain: { chainId: 1 } }), invalid],
      ['contract', await permitOf(account, { domain: { verifyingContract: PERMIT2 } }), invalid],
      ['deadline', await permitOf(account, { message: { deadline: 1n } }), 'permit is expired'],
      ['earlier deadline', { ...good, deadline: good.deadline - 1n }, invalid],
      ['nonce ahead', await permitOf(account, { message: { nonce: 1n } }), invalid],
      ['value', { ...good, value: PRICE + 1n }, invalid],
      ['spender', { ...good, spender: stranger.address }, invalid],
      ['owner', { ...good, owner: stranger.address }, invalid],
      ['nobody', { ...good, owner: zeroAddress }, invalid],
      ['mirrored', { ...good, signature: mirrored }, "ECRecover: invalid signature 's' value"],
      ['signer', { ...(await permitOf(stranger)), owner: account.address }, invalid],
    ]
    for (const [name, permit, why] of bends) {
      expect([name, await refusalOfToken(permit)]).toEqual([name, expect.stringContaining(why)])
    }
    for (const one of [account, stranger]) {
      expect([await allowanceOf(one), await nonceOf(one)]).toEqual([0n, 0n])
    }
    await submit(good)
    expect(await allowanceOf(account)).toBe(PRICE)
  })
})

describe('settleWithPermit of the proxy', () => {
  type Payment = Awaited<ReturnType<typeof signPermit2>>
  let instance: X402Instance
  beforeAll(async () => {
    instance = await open()
  })

  const paymentOf = async (account: PrivateKeyAccount) =>
    signPermit2(account, offerIn(await instance.challenge(), 'exact', 'permit2'))
  function settleArgs({ payload }: Payment, { value, deadline, signature }: SignedPermit) {
    const { from, permitted, nonce, deadline: until, witness } = payload.permit2Authorization
    const permit = {
      permitted: { token: permitted.token, amount: BigInt(permitted.amount) },
      nonce: BigInt(nonce),
      deadline: BigInt(until),
    }
    const to = { to: witness.to, validAfter: BigInt(witness.validAfter) }
    const approval = { value, deadline, ...partsOf(signature) }
    return [approval, permit, from, to, payload.signature] as const
  }
  const call = { address: PROXY.exact, abi: PROXY_ABI, functionName: 'settleWithPermit' } as const
  const settle = (payment: Payment, permit: SignedPermit) =>
    anybody.send({
      to: PROXY.exact,
      data: encodeFunctionData({ ...call, args: settleArgs(payment, permit) }),
    })
  async function refusalOf(payment: Payment, permit: SignedPermit): Promise<string> {
    const refused = await client()
      .simulateContract({ ...call, args: settleArgs(payment, permit) })
      .catch((error: Error) => error)
    if (!(refused instanceof Error)) throw new Error('the proxy settles it')
    return refused.message
  }
  const moved = () => ground.received()

  it('approves and moves at once, and only once', async () => {
    const account = await newcomer()
    const [payment, permit] = [await paymentOf(account), await permitOf(account)]
    const before = await moved()
    await settle(payment, permit)
    expect((await moved()) - before).toBe(PRICE)
    expect(await allowanceOf(account)).toBe(0n)
    expect(await refusalOf(payment, await permitOf(account))).toContain('InvalidNonce')
  })

  it('goes on when somebody else brought the permit first', async () => {
    const account = await newcomer()
    const [payment, permit] = [await paymentOf(account), await permitOf(account)]
    await submit(permit)
    const before = await moved()
    await settle(payment, permit)
    expect((await moved()) - before).toBe(PRICE)
  })

  it('asks nothing of the permit where the allowance is there already', async () => {
    const account = await newcomer()
    await ground.chain.allowPermit2(account.address, 2n * PRICE)
    const stale = await permitOf(account, { message: { deadline: 1n } })
    const before = await moved()
    await settle(await paymentOf(account), stale)
    expect((await moved()) - before).toBe(PRICE)
    expect([await allowanceOf(account), await nonceOf(account)]).toEqual([PRICE, 0n])
  })

  it('moves nothing by a permit that is no good, nor by one of another amount', async () => {
    const account = await newcomer()
    const payment = await paymentOf(account)
    for (const bend of [
      { domain: { version: '1' } },
      { message: { deadline: 1n } },
      { message: { nonce: 1n } },
      { message: { spender: PROXY.exact } },
    ] satisfies Bend[]) {
      const refused = await refusalOf(payment, await permitOf(account, bend))
      expect(refused).toContain('TRANSFER_FROM_FAILED')
    }
    const more = await permitOf(account, { message: { value: PRICE + 1n } })
    expect(await refusalOf(payment, more)).toContain('Permit2612AmountMismatch')
    expect([await allowanceOf(account), await nonceOf(account)]).toEqual([0n, 0n])
  })
})

describe('a newcomer whose gas the facilitator pays', () => {
  let remote: TestFacilitator
  let instance: X402Instance
  beforeAll(async () => {
    remote = ground.facilitator()
    remote.sponsors = ['eip2612GasSponsoring']
    instance = await open({ facilitators: [remote.url], signerKey: null })
  })

  /** As the unmodified client of @x402/evm pays by Permit2. */
  async function paymentBy(account: PrivateKeyAccount) {
    const payer = new x402Client((_, offers) =>
      offers.find(({ extra }) => extra['assetTransferMethod'])!,
    ).register('eip155:8453', new ExactEvmScheme(account, { rpcUrl: ground.chain.rpcUrl }))
    return payer.createPaymentPayload(await instance.challenge())
  }
  type Sent = Awaited<ReturnType<typeof paymentBy>>

  const infoOf = (payment: Sent) =>
    (payment.extensions as any).eip2612GasSponsoring.info as Record<string, string>
  /** The same payment with another permit in it. */
  function withPermit(payment: Sent, { value, nonce, deadline, signature }: SignedPermit): Sent {
    const bent = structuredClone(payment)
    const members = { amount: String(value), nonce: String(nonce), deadline: String(deadline) }
    Object.assign(infoOf(bent), members, { signature })
    return bent
  }
  const permitIn = (payment: Sent): SignedPermit => {
    const { from, spender, amount, nonce, deadline, signature } = infoOf(payment)
    return {
      owner: from as Address,
      spender: spender as Address,
      value: BigInt(amount!),
      nonce: BigInt(nonce!),
      deadline: BigInt(deadline!),
      signature: signature as Hex,
    }
  }

  it('pays although somebody else brought the permit to the chain first', async () => {
    const account = await newcomer()
    const payment = await paymentBy(account)
    await submit(permitIn(payment))
    const taken = await tally()
    expect(bodyOf(await instance.pay(payment))).toEqual({ echo: { a: 1 } })
    expect(await taken()).toEqual({ runs: 1, moved: PRICE })
  })

  it('pays without a permit where the allowance is there already', async () => {
    const account = await newcomer()
    await ground.chain.allowPermit2(account.address, PRICE)
    const payment = await paymentBy(account)
    expect(payment.extensions).not.toHaveProperty('eip2612GasSponsoring.info.signature')
    const taken = await tally()
    expect(bodyOf(await instance.pay(payment))).toEqual({ echo: { a: 1 } })
    expect(await taken()).toEqual({ runs: 1, moved: PRICE })
    expect(await allowanceOf(account)).toBe(0n)
  })

  it('buys nothing by a permit of another domain, one that is over, or one that was used', async () => {
    const account = await newcomer()
    const first = await paymentBy(account)
    const used = permitIn(first)
    expect(bodyOf(await instance.pay(first))).toEqual({ echo: { a: 1 } })
    const payment = await paymentBy(account)
    const taken = await tally()
    for (const permit of [
      used,
      await permitOf(account, { domain: { version: '1' } }),
      await permitOf(account, { message: { deadline: 1n } }),
      await permitOf(account, { message: { nonce: 7n } }),
    ]) {
      const outcome = await instance.pay(withPermit(payment, permit))
      expect(failureOf(outcome)).toMatchObject({ code: 'PAYMENT_FAILED' })
      expect(detailsOf(outcome)).toHaveProperty('reason')
    }
    expect(await taken()).toEqual({ runs: 0, moved: 0n })
    // The payment itself is as good as before.
    expect(bodyOf(await instance.pay(payment))).toEqual({ echo: { a: 1 } })
    expect(await taken()).toEqual({ runs: 1, moved: PRICE })
  })

  it('that signs one permit for two payments at once waits with the other one', async () => {
    const account = await newcomer()
    const first = await paymentBy(account)
    const second = withPermit(await paymentBy(account), permitIn(first))
    const taken = await tally()
    // Both are at work, and so verified, before either is settled.
    const bothWork = Promise.withResolvers<void>()
    let working = 0
    echo.meanwhile = () => {
      if (++working === 2) bothWork.resolve()
      return bothWork.promise
    }
    const outcomes = await Promise.all([first, second].map((payment) => instance.pay(payment)))
    echo.meanwhile = null
    const answers = outcomes.filter(({ kind }) => kind === 'answer')
    expect(answers).toHaveLength(1)
    expect((await taken()).moved).toBe(PRICE)
    // The other one is still good: nobody may be told that it moves nothing, or sign anew.
    const unpaid = outcomes[0]!.kind === 'answer' ? second : first
    const failed = outcomes.find(({ kind }) => kind !== 'answer')!
    expect(failureOf(failed)).toMatchObject({
      code: 'UPSTREAM_FAILURE',
      retryable: true,
      details: { reason: 'settlement_pending' },
    })
    await ground.chain.allowPermit2(account.address, PRICE)
    expect(bodyOf(await instance.comeBack(unpaid))).toEqual({ echo: { a: 1 } })
    expect(await taken()).toEqual({ runs: 2, moved: 2n * PRICE })
  })
})
