/** What a thief would try: each gets nothing for nothing, and nobody pays twice because of it. */
import { createPublicClient, createWalletClient, http, parseSignature, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import { base } from 'viem/chains'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { MeterCall, MeterOutcome } from '../../../../kernel/metering/call.ts'
import type { MountedSkill } from '../../../../kernel/metering/contract.ts'
import { verifyLedger } from '../../../../kernel/ledger/verify.ts'
import type { SandboxChain } from '../../../../kernel/rails/x402/chain/sandbox.ts'
import type { X402Options } from '../../../../kernel/rails/x402/core.ts'
import { TOKEN_ABI } from '../../../../kernel/rails/x402/settle/chain.ts'
import { callData } from '../../../../kernel/rails/x402/settle/signer.ts'
import { testDatabase, type TestDatabase } from '../../../support/database.ts'
import { meterOver, mount } from '../../../support/metering.ts'
import {
  baseAsset,
  buyerOn,
  paidBy,
  requirementsIn,
  signPayment,
  testChain,
  testRail,
  type Bend,
} from '../../../support/x402.ts'

type Signed = Awaited<ReturnType<typeof signPayment>>
type World = Awaited<ReturnType<typeof worldOf>>

let database: TestDatabase
let chain: SandboxChain
let runs = 0
/** What happens while the work runs. */
let meanwhile: (() => Promise<unknown>) | null = null
const opened: { stop(): unknown }[] = []

const work = skill('t.work', 10_000n)
const dear = skill('t.dear', 150_000n)

beforeAll(async () => {
  database = await testDatabase()
  chain = await testChain()
})
afterEach(async () => {
  meanwhile = null
  for (const each of opened.splice(0).toReversed()) await each.stop()
})
afterAll(async () => {
  await chain.stop()
  expect((await verifyLedger(database.db.sql)).violations).toEqual([])
  await database.close()
})

function skill(id: string, amountAtomic: bigint): MountedSkill {
  const handler = async (_: unknown, input: unknown) => {
    runs++
    await meanwhile?.()
    return { ok: true as const, output: { echo: input } }
  }
  const mounted = mount({ id, handler }, { rails: ['x402'], amountAtomic })
  return { ...mounted, route: { method: 'POST', path: `/v1/t/${id}` } }
}
async function worldOf(options: Partial<X402Options> = {}) {
  const meter = await meterOver(database.db)
  const rail = await testRail({ database: database.db, ledger: meter.ledger, chain }, options)
  meter.rails.add(rail)
  opened.push({ stop: () => meter.close() }, rail)
  return { meter, rail }
}
async function asked({ meter }: World, mounted = work) {
  const unpaid = await meter.meter.run(meter.call(mounted, {}))
  if (unpaid.kind !== 'failure') throw new Error('free')
  return requirementsIn(unpaid.offers[0]!.challenge)
}
const signed = async (world: World, account: PrivateKeyAccount, mounted = work, bend: Bend = {}) =>
  signPayment(account, await asked(world, mounted), bend)
async function pay(
  { meter }: World,
  payment: unknown,
  mounted = work,
  input: unknown = { a: 1 },
  overrides: Partial<MeterCall> = {},
): Promise<MeterOutcome> {
  const source = paidBy(payment)
  return meter.meter.run(meter.call(mounted, input, { source, ...overrides }))
}
const received = () => chain.balanceOf(chain.receivingAddress)
const detailsOf = (outcome: MeterOutcome) =>
  outcome.kind === 'failure' ? outcome.failure.details : null
const kindsOf = (outcomes: MeterOutcome[]) => outcomes.map(({ kind }) => kind)
/** Counts runs and money of `act`. */
async function cost(act: () => Promise<unknown>): Promise<{ runs: number; moved: bigint }> {
  const before = { runs, received: await received() }
  await act()
  return { runs: runs - before.runs, moved: (await received()) - before.received }
}
/** The payment until nobody is told to come back. */
function settledAnswer(world: World, payment: unknown): Promise<MeterOutcome> {
  return vi.waitFor(
    async () => {
      const outcome = await pay(world, payment)
      if (outcome.kind === 'failure' && outcome.failure.retryable) throw new Error('not yet')
      return outcome
    },
    { timeout: 20_000, interval: 50 },
  )
}

/** A wallet with gas, to send transactions of its own. */
async function walletOf(account: PrivateKeyAccount) {
  const transport = http(chain.rpcUrl)
  const client = createPublicClient({ chain: base, transport, pollingInterval: 20 })
  const gas = ['0x56bc75e2d63100000'] as const
  await client.request({
    method: 'anvil_setBalance' as never,
    params: [account.address, ...gas] as never,
  })
  const wallet = createWalletClient({ account, chain: base, transport })
  const token = { address: baseAsset().address, abi: TOKEN_ABI } as const
  const mined = async (hash: Hex) => {
    const receipt = await client.waitForTransactionReceipt({ hash })
    expect(receipt.status).toBe('success')
    return hash
  }
  return {
    submit: async (payment: Signed) =>
      mined(await wallet.sendTransaction({ to: token.address, data: callData(payment as never) })),
    transfer: async (to: Hex, value: bigint) => {
      const abi = [
        {
          type: 'function',
          name: 'transfer',
          stateMutability: 'nonpayable',
          inputs: [{ type: 'address' }, { type: 'uint256' }],
          outputs: [{ type: 'bool' }],
        },
      ] as const
      return mined(
        await wallet.writeContract({ ...token, abi, functionName: 'transfer', args: [to, value] }),
      )
    },
    cancel: async (nonce: Hex) => {
      const signature = await account.signTypedData({
        domain: {
          name: 'USD Coin',
          version: '2',
          chainId: 8453,
          verifyingContract: token.address,
        },
        types: {
          CancelAuthorization: [
            { name: 'authorizer', type: 'address' },
            { name: 'nonce', type: 'bytes32' },
          ],
        },
        primaryType: 'CancelAuthorization',
        message: { authorizer: account.address, nonce },
      })
      const abi = [
        {
          type: 'function',
          name: 'cancelAuthorization',
          stateMutability: 'nonpayable',
          inputs: [
            { type: 'address' },
            { type: 'bytes32' },
            { type: 'uint8' },
            { type: 'bytes32' },
            { type: 'bytes32' },
          ],
          outputs: [],
        },
      ] as const
      const { r, s, yParity } = parseSignature(signature)
      const args = [account.address, nonce, 27 + yParity, r, s] as const
      return mined(
        await wallet.writeContract({ ...token, abi, functionName: 'cancelAuthorization', args }),
      )
    },
  }
}

describe('one payment in many clothes', () => {
  it('is one payment, in capitals, with another parity byte, by either header', async () => {
    const world = await worldOf()
    const buyer = await buyerOn(chain)
    const payment = await signed(world, buyer)
    const { signature, authorization } = payment.payload
    const capitals = (hex: string) => `0x${hex.slice(2).toUpperCase()}`
    const bare = signature.endsWith('1b') ? '00' : '01'
    const forms: unknown[] = [
      payment,
      {
        ...payment,
        payload: {
          signature: capitals(signature),
          authorization: {
            ...authorization,
            from: capitals(authorization.from),
            nonce: capitals(authorization.nonce),
          },
        },
      },
      { ...payment, payload: { authorization, signature: `${signature.slice(0, 130)}${bare}` } },
      { x402Version: 1, scheme: 'exact', network: 'base', payload: payment.payload },
    ]
    const spent = await cost(async () => {
      const outcomes = await Promise.all([...forms, ...forms].map((form) => pay(world, form)))
      expect(kindsOf(outcomes)).toContain('answer')
      for (const form of forms) {
        expect(await settledAnswer(world, form)).toMatchObject({ kind: 'answer', replayed: true })
      }
    })
    expect(spent).toEqual({ runs: 1, moved: 10_000n })
  })

  it('with one nonce signed for two prices buys one of them', async () => {
    const world = await worldOf()
    const buyer = await buyerOn(chain)
    const nonce = `0x${'7a'.repeat(32)}` as const
    const cheap = await signed(world, buyer, work, { authorization: { nonce } })
    const costly = await signed(world, buyer, dear, { authorization: { nonce } })
    const spent = await cost(async () => {
      const outcomes = await Promise.all([
        ...Array.from({ length: 4 }, () => pay(world, cheap)),
        ...Array.from({ length: 4 }, () => pay(world, costly, dear)),
      ])
      expect(kindsOf(outcomes)).toContain('answer')
    })
    expect(spent.runs).toBe(1)
    expect([10_000n, 150_000n]).toContain(spent.moved)
  })

  it('a cheap one never buys the dear, nor a dear one the cheap', async () => {
    const world = await worldOf()
    const buyer = await buyerOn(chain)
    const spent = await cost(async () => {
      for (const [paid, wanted] of [
        [work, dear],
        [dear, work],
      ] as const) {
        const outcome = await pay(world, await signed(world, buyer, paid), wanted)
        expect(detailsOf(outcome)).toMatchObject({ field: 'payload.authorization.value' })
      }
    })
    expect(spent).toEqual({ runs: 0, moved: 0n })
  })

  it('with numbers that no token takes is refused by name, and blocks nothing', async () => {
    const world = await worldOf()
    const buyer = await buyerOn(chain)
    const huge = (2n ** 256n).toString()
    for (const name of ['value', 'validAfter', 'validBefore']) {
      const outcome = await pay(world, await signed(world, buyer, work, { sent: { [name]: huge } }))
      expect(detailsOf(outcome)).toMatchObject({ field: `payload.authorization.${name}` })
    }
    const longest = { authorization: { validBefore: 2n ** 256n - 1n } }
    expect((await pay(world, await signed(world, buyer, work, longest))).kind).toBe('answer')
    expect((await world.rail.core!.claims.backlog()).settling).toBe(0)
  })

  it('sixty at once, each twice, on two instances: each runs once and is paid once', async () => {
    const worlds = [await worldOf(), await worldOf({ database: database.open() })]
    const buyer = await buyerOn(chain, 100_000_000n)
    const payments = await Promise.all(Array.from({ length: 60 }, () => signed(worlds[0]!, buyer)))
    const spent = await cost(async () => {
      const twice = [...payments, ...payments.toReversed()]
      await Promise.all(twice.map((payment, n) => pay(worlds[n % 2]!, payment)))
      for (const payment of payments) {
        const outcome = await settledAnswer(worlds[0]!, payment)
        expect(outcome).toMatchObject({ kind: 'answer', replayed: true })
      }
    })
    expect(spent).toEqual({ runs: 60, moved: 600_000n })
  })
})

describe('a payer who acts while the work runs', () => {
  it('and submits the payment himself has paid, once', async () => {
    const world = await worldOf()
    const buyer = await buyerOn(chain)
    const wallet = await walletOf(buyer)
    const payment = await signed(world, buyer)
    meanwhile = () => wallet.submit(payment)
    const spent = await cost(async () => {
      expect((await settledAnswer(world, payment)).kind).toBe('answer')
    })
    expect(spent).toEqual({ runs: 1, moved: 10_000n })
  })

  it.each(['moves the money away', 'cancels the authorization'])(
    'and %s gets no answer, now or later',
    async (way) => {
      const world = await worldOf()
      const buyer = await buyerOn(chain, 10_000n)
      const wallet = await walletOf(buyer)
      const payment = await signed(world, buyer)
      meanwhile = () =>
        way === 'cancels the authorization'
          ? wallet.cancel(payment.payload.authorization.nonce as Hex)
          : wallet.transfer(privateKeyToAccount(generatePrivateKey()).address, 10_000n)
      const spent = await cost(async () => {
        for (let attempt = 0; attempt < 2; attempt++) {
          const outcome = await settledAnswer(world, payment)
          expect(outcome).toMatchObject({ kind: 'failure', failure: { code: 'PAYMENT_FAILED' } })
          meanwhile = null
        }
      })
      // The second time the node knows before any work.
      expect(spent).toEqual({ runs: 1, moved: 0n })
    },
  )

  it('and has paid before is trusted for no more than that', async () => {
    const world = await worldOf()
    const buyer = await buyerOn(chain, 10_000n)
    expect((await pay(world, await signed(world, buyer))).kind).toBe('answer')
    const spent = await cost(async () => {
      const greedy = await pay(world, await signed(world, buyer, dear), dear)
      expect(detailsOf(greedy)).toMatchObject({ reason: 'invalid_exact_evm_insufficient_balance' })
      const unfunded = await Promise.all(Array.from({ length: 8 }, () => signed(world, buyer)))
      const atOnce = await Promise.all(unfunded.map((payment) => pay(world, payment)))
      for (const outcome of [...atOnce, await pay(world, await signed(world, buyer))])
        expect(outcome).toMatchObject({ kind: 'failure', failure: { code: 'PAYMENT_FAILED' } })
    })
    // One run on trust, whose answer was withheld; none beside or after it.
    expect(spent).toEqual({ runs: 1, moved: 0n })
  })
})

describe('a facilitator that lies', () => {
  /** Answers a settlement with what `lie` says; says yes to every verification. */
  function liar(lie: () => Record<string, unknown> | null): { url: string } {
    const server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch(request) {
        if (request.url.endsWith('/verify')) return Response.json({ isValid: true })
        const told = lie()
        return told ? Response.json(told) : new Response('busy', { status: 503 })
      },
    })
    opened.push({ stop: () => server.stop(true) })
    return { url: `http://127.0.0.1:${server.port}` }
  }

  it('and names an earlier settlement of the same payer is not believed', async () => {
    const honest = await worldOf()
    const buyer = await buyerOn(chain)
    const earlier = await pay(honest, await signed(honest, buyer))
    if (earlier.kind !== 'answer') throw new Error('not paid')
    const { url } = liar(() => ({ success: true, transaction: earlier.receipt.transaction }))
    const world = await worldOf({ facilitators: [url], signerKey: null })
    const payment = await signed(world, buyer)
    const spent = await cost(async () => {
      const outcome = await pay(world, payment)
      expect(outcome).toMatchObject({ kind: 'failure', pending: true })
    })
    expect(spent).toEqual({ runs: 1, moved: 0n })
    // An honest way of settling finishes it, and the caller has his answer.
    await settledBy(payment)
    expect(await settledAnswer(world, payment)).toMatchObject({ kind: 'answer', replayed: true })
  })

  it('and names a plain transfer of the same payer is not believed', async () => {
    const buyer = await buyerOn(chain)
    const transaction = await (await walletOf(buyer)).transfer(chain.receivingAddress, 10_000n)
    const { url } = liar(() => ({ success: true, transaction }))
    const world = await worldOf({ facilitators: [url], signerKey: null })
    const payment = await signed(world, buyer)
    expect(await pay(world, payment)).toMatchObject({ kind: 'failure', pending: true })
    await settledBy(payment)
    expect((await settledAnswer(world, payment)).kind).toBe('answer')
  })

  const hash = `0x${'cd'.repeat(32)}`
  it.each<[string, Record<string, unknown>]>([
    ['another payer', { transaction: hash, payer: `0x${'1'.repeat(40)}` }],
    ['another network', { transaction: hash, network: 'eip155:1' }],
    ['another amount', { transaction: hash, amount: '1' }],
    ['no transaction', { transaction: '' }],
    ['a transaction that is none', { transaction: 'done' }],
  ])('and names %s gives no answer away, even without a node', async (_, told) => {
    let lie: Record<string, unknown> | null = { success: true, ...told }
    const world = await worldOf({
      facilitators: [liar(() => lie).url],
      rpcUrl: null,
      signerKey: null,
    })
    const payment = await signed(world, await buyerOn(chain))
    const outcome = await pay(world, payment)
    expect(outcome).toMatchObject({ kind: 'failure', pending: true, failure: { retryable: true } })
    lie = { success: true, transaction: hash, payer: payment.payload.authorization.from }
    expect(await settledAnswer(world, payment)).toMatchObject({ kind: 'answer', replayed: true })
  })

  async function settledBy(payment: Signed): Promise<void> {
    const wallet = await walletOf(privateKeyToAccount(generatePrivateKey()))
    await wallet.submit(payment)
  }
})

describe('a chain that forgets what it had mined', () => {
  it('frees no payment for another request', async () => {
    const world = await worldOf()
    const buyer = await buyerOn(chain)
    const client = createPublicClient({ transport: http(chain.rpcUrl) })
    const rpc = (method: string, params: unknown[]) =>
      client.request({ method: method as never, params: params as never })
    const before = await rpc('evm_snapshot', [])
    const payment = await signed(world, buyer)
    expect((await pay(world, payment)).kind).toBe('answer')
    await rpc('evm_revert', [before])
    const ranBefore = runs
    const other = await pay(world, payment, work, { a: 2 })
    expect(detailsOf(other)).toMatchObject({ reason: 'nonce_already_used' })
    expect(await pay(world, payment)).toMatchObject({ kind: 'answer', replayed: true })
    expect(runs).toBe(ranBefore)
  })
})

describe("another payer's answer", () => {
  it('is not had by naming his payment identifier or Idempotency-Key', async () => {
    const world = await worldOf()
    const [victim, thief] = [await buyerOn(chain), await buyerOn(chain)]
    const identifier = `pay_${crypto.randomUUID()}`
    const spent = await cost(async () => {
      const his = await pay(world, await signed(world, victim, work, { identifier }))
      const stolen = await pay(world, await signed(world, thief, work, { identifier }))
      expect([his, stolen]).toMatchObject([
        { kind: 'answer', replayed: false },
        { kind: 'answer', replayed: false },
      ])
      const key = { idempotencyKey: 'the same key' }
      for (const payer of [victim, thief]) {
        const outcome = await pay(world, await signed(world, payer), work, {}, key)
        expect(outcome).toMatchObject({ kind: 'answer', replayed: false })
      }
    })
    expect(spent).toEqual({ runs: 4, moved: 40_000n })
  })

  it('is not had with his payment and another input, header or no header', async () => {
    const world = await worldOf()
    const payment = await signed(world, await buyerOn(chain))
    expect((await pay(world, payment, work, { secret: 1 })).kind).toBe('answer')
    for (const input of [{}, { secret: 2 }, { secret: '1' }, { secret: 1, more: null }]) {
      const outcome = await pay(world, payment, work, input)
      expect(detailsOf(outcome)).toMatchObject({ reason: 'nonce_already_used' })
    }
  })
})

describe('odd but honest', () => {
  it('names and answers survive the store to the byte', async () => {
    const world = await worldOf()
    const buyer = await buyerOn(chain)
    const body = crypto.getRandomValues(new Uint8Array(200_000))
    const headers = { 'content-type': 'application/x-"odd"\\', 'x-quote': `'); DROP TABLE "x` }
    const forwarding = mount(
      {
        id: 't.bytes',
        handler: async () => ({ ok: true, output: {} }),
        forward: async () => ({ ok: true, response: new Response(body, { headers }) }),
      },
      { rails: ['x402'] },
    )
    const payment = await signed(world, buyer, forwarding)
    const read = async () => ({ ok: true as const, forward: {} as never, fingerprint: 'f' })
    const acquisition = `a "b" \\ 'c' ${'é'.repeat(20)}`
    for (const replayed of [false, true]) {
      const outcome = await pay(world, payment, forwarding, {}, { read, acquisition })
      if (outcome.kind !== 'answer') throw new Error(JSON.stringify(outcome))
      expect(outcome.replayed).toBe(replayed)
      expect(Buffer.compare(outcome.answer.body, body)).toBe(0)
      expect(outcome.answer.headers).toMatchObject(headers)
    }
    const [row] = await world.meter.ledger.rows({ kind: 'settlement', limit: 1 })
    expect(row).toMatchObject({ acquisition, skillId: 't.bytes' })
  })

  it('an answer that is too old to be kept is neither run nor paid again', async () => {
    const world = await worldOf()
    const payment = await signed(world, await buyerOn(chain))
    expect((await pay(world, payment)).kind).toBe('answer')
    const { nonce } = payment.payload.authorization
    await database.db
      .sql`UPDATE coinop.x402_claim SET created_at = now() - interval '25 hours' WHERE nonce = ${nonce}`
    await world.rail.core!.claims.purge()
    const spent = await cost(async () => {
      const outcome = await pay(world, payment)
      expect(detailsOf(outcome)).toMatchObject({ reason: 'answer_not_kept' })
    })
    expect(spent).toEqual({ runs: 0, moved: 0n })
  })
})
