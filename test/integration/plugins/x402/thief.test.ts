/** What a thief would try: each gets nothing for nothing, and nobody pays twice because of it. */
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, describe, expect, it } from 'vitest'
import type { MeterOutcome } from '../../../../kernel/metering/call.ts'
import { mount } from '../../../support/metering.ts'
import { answerOf, detailsOf } from '../../../support/outcomes.ts'
import { buyerOn, rpc, walletOn } from '../../../support/x402/chain.ts'
import { x402Ground } from '../../../support/x402/ground.ts'
import { echoSkill, x402Instances } from '../../../support/x402/instances.ts'
import type { signPayment } from '../../../support/x402/payments.ts'

type Signed = Awaited<ReturnType<typeof signPayment>>

const ground = x402Ground()
const { tally } = ground
const work = sold('t.work', 10_000n)
const dear = sold('t.dear', 150_000n)
ground.counts(dear)
const open = x402Instances(ground, work)

afterEach(() => {
  work.meanwhile = null
})

function sold(id: string, amountAtomic: bigint) {
  const skill = echoSkill({ id, amountAtomic })
  skill.route = { method: 'POST', path: `/v1/t/${id}` }
  return skill
}
const kindsOf = (outcomes: MeterOutcome[]) => outcomes.map(({ kind }) => kind)

describe('one payment in many clothes', () => {
  it('is one payment, in capitals, with another parity byte, by either header', async () => {
    const gateway = await open()
    const payment = await gateway.signed()
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
    const taken = await tally()
    const outcomes = await Promise.all([...forms, ...forms].map((form) => gateway.pay(form)))
    expect(kindsOf(outcomes)).toContain('answer')
    for (const form of forms) {
      expect(await gateway.comeBack(form)).toMatchObject({ kind: 'answer', replayed: true })
    }
    expect(await taken()).toEqual({ runs: 1, moved: 10_000n })
  })

  it('with one nonce signed for two prices buys one of them', async () => {
    const gateway = await open()
    const nonce = `0x${'7a'.repeat(32)}` as const
    const cheap = await gateway.signed({ authorization: { nonce } })
    const costly = await gateway.signed({ authorization: { nonce } }, { skill: dear })
    const taken = await tally()
    const outcomes = await Promise.all([
      ...Array.from({ length: 4 }, () => gateway.pay(cheap)),
      ...Array.from({ length: 4 }, () => gateway.pay(costly, { skill: dear })),
    ])
    expect(kindsOf(outcomes)).toContain('answer')
    const spent = await taken()
    expect(spent.runs).toBe(1)
    expect([10_000n, 150_000n]).toContain(spent.moved)
  })

  it('a cheap one never buys the dear, nor a dear one the cheap', async () => {
    const gateway = await open()
    const taken = await tally()
    for (const [paid, wanted] of [
      [work, dear],
      [dear, work],
    ] as const) {
      const payment = await gateway.signed({}, { skill: paid })
      const outcome = await gateway.pay(payment, { skill: wanted })
      expect(detailsOf(outcome)).toMatchObject({ field: 'payload.authorization.value' })
    }
    expect(await taken()).toEqual({ runs: 0, moved: 0n })
  })

  it('with numbers that no token takes is refused by name, and blocks nothing', async () => {
    const gateway = await open()
    const huge = (2n ** 256n).toString()
    for (const name of ['value', 'validAfter', 'validBefore']) {
      const outcome = await gateway.pay(await gateway.signed({ sent: { [name]: huge } }))
      expect(detailsOf(outcome)).toMatchObject({ field: `payload.authorization.${name}` })
    }
    const longest = { authorization: { validBefore: 2n ** 256n - 1n } }
    expect((await gateway.pay(await gateway.signed(longest))).kind).toBe('answer')
    expect((await gateway.core.claims.backlog()).settling).toBe(0)
  })

  it('sixty at once, each twice, on two instances: each runs once and is paid once', async () => {
    const gateways = [await open(), await open({ database: ground.database.open() })]
    const buyer = await buyerOn(ground.chain, 100_000_000n)
    const payments = await Promise.all(
      Array.from({ length: 60 }, () => gateways[0]!.signed({}, { by: buyer })),
    )
    const taken = await tally()
    const twice = [...payments, ...payments.toReversed()]
    await Promise.all(twice.map((payment, n) => gateways[n % 2]!.pay(payment)))
    for (const payment of payments) {
      const outcome = await gateways[0]!.comeBack(payment)
      expect(outcome).toMatchObject({ kind: 'answer', replayed: true })
    }
    expect(await taken()).toEqual({ runs: 60, moved: 600_000n })
  })
})

describe('a payer who acts while the work runs', () => {
  it('and submits the payment himself has paid, once', async () => {
    const gateway = await open()
    const wallet = await walletOn(ground.chain)
    const payment = await gateway.signed()
    work.meanwhile = () => wallet.submit(payment)
    const taken = await tally()
    expect((await gateway.comeBack(payment)).kind).toBe('answer')
    expect(await taken()).toEqual({ runs: 1, moved: 10_000n })
  })

  it('and who has paid before buys nothing with what bought something elsewhere', async () => {
    const gateway = await open()
    const buyer = await buyerOn(ground.chain)
    // The node is not asked about the next payment.
    expect((await gateway.pay(await gateway.signed({}, { by: buyer }))).kind).toBe('answer')
    const payment = await gateway.signed({}, { by: buyer })
    const wallet = await walletOn(ground.chain)
    await wallet.submit(payment)
    const taken = await tally()
    for (let attempt = 0; attempt < 2; attempt++) {
      const outcome = await gateway.comeBack(payment)
      expect(detailsOf(outcome)).toMatchObject({ reason: 'invalid_exact_evm_nonce_already_used' })
    }
    // One run on trust, whose answer was withheld.
    expect(await taken()).toEqual({ runs: 1, moved: 0n })
  })

  it.each(['moves the money away', 'cancels the authorization'])(
    'and %s gets no answer, now or later',
    async (way) => {
      const gateway = await open()
      const buyer = await buyerOn(ground.chain, 10_000n)
      const wallet = await walletOn(ground.chain, buyer)
      const payment = await gateway.signed({}, { by: buyer })
      work.meanwhile = () =>
        way === 'cancels the authorization'
          ? wallet.cancel(payment.payload.authorization.nonce as Hex)
          : wallet.transfer(privateKeyToAccount(generatePrivateKey()).address, 10_000n)
      const taken = await tally()
      for (let attempt = 0; attempt < 2; attempt++) {
        const outcome = await gateway.comeBack(payment)
        expect(outcome).toMatchObject({ kind: 'failure', failure: { code: 'PAYMENT_FAILED' } })
        work.meanwhile = null
      }
      // The second time the node knows before any work.
      expect(await taken()).toEqual({ runs: 1, moved: 0n })
    },
  )

  it('and has paid before is trusted for no more than that', async () => {
    const gateway = await open()
    const buyer = await buyerOn(ground.chain, 10_000n)
    expect((await gateway.pay(await gateway.signed({}, { by: buyer }))).kind).toBe('answer')
    const taken = await tally()
    const costly = await gateway.signed({}, { by: buyer, skill: dear })
    const greedy = await gateway.pay(costly, { skill: dear })
    expect(detailsOf(greedy)).toMatchObject({ reason: 'invalid_exact_evm_insufficient_balance' })
    const unfunded = await Promise.all(
      Array.from({ length: 8 }, () => gateway.signed({}, { by: buyer })),
    )
    const atOnce = await Promise.all(unfunded.map((payment) => gateway.pay(payment)))
    for (const outcome of [...atOnce, await gateway.pay(await gateway.signed({}, { by: buyer }))])
      expect(outcome).toMatchObject({ kind: 'failure', failure: { code: 'PAYMENT_FAILED' } })
    // One run on trust, whose answer was withheld; none beside or after it.
    expect(await taken()).toEqual({ runs: 1, moved: 0n })
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
    ground.closing(() => server.stop(true))
    return { url: `http://127.0.0.1:${server.port}` }
  }

  it('and names an earlier settlement of the same payer is not believed', async () => {
    const honest = await open()
    const { transaction } = answerOf(await honest.pay(await honest.signed())).receipt
    const { url } = liar(() => ({ success: true, transaction }))
    const gateway = await open({ facilitators: [url], signerKey: null })
    const payment = await gateway.signed()
    const taken = await tally()
    const outcome = await gateway.pay(payment)
    expect(outcome).toMatchObject({ kind: 'failure', pending: true })
    expect(await taken()).toEqual({ runs: 1, moved: 0n })
    // An honest way of settling finishes it, and the caller has his answer.
    await settledBy(payment)
    expect(await gateway.comeBack(payment)).toMatchObject({ kind: 'answer', replayed: true })
  })

  it('and names a plain transfer of the same payer is not believed', async () => {
    const wallet = await walletOn(ground.chain, ground.buyer)
    const transaction = await wallet.transfer(ground.chain.receivingAddress, 10_000n)
    const { url } = liar(() => ({ success: true, transaction }))
    const gateway = await open({ facilitators: [url], signerKey: null })
    const payment = await gateway.signed()
    expect(await gateway.pay(payment)).toMatchObject({ kind: 'failure', pending: true })
    await settledBy(payment)
    expect((await gateway.comeBack(payment)).kind).toBe('answer')
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
    const gateway = await open({
      facilitators: [liar(() => lie).url],
      rpcUrl: null,
      signerKey: null,
    })
    const payment = await gateway.signed({}, { by: await buyerOn(ground.chain) })
    const outcome = await gateway.pay(payment)
    expect(outcome).toMatchObject({ kind: 'failure', pending: true, failure: { retryable: true } })
    lie = { success: true, transaction: hash, payer: payment.payload.authorization.from }
    expect(await gateway.comeBack(payment)).toMatchObject({ kind: 'answer', replayed: true })
  })

  async function settledBy(payment: Signed): Promise<void> {
    const wallet = await walletOn(ground.chain)
    await wallet.submit(payment)
  }
})

describe('a chain that forgets what it had mined', () => {
  it('frees no payment for another request', async () => {
    const gateway = await open()
    const buyer = await buyerOn(ground.chain)
    const before = await rpc(ground.chain, 'evm_snapshot')
    const payment = await gateway.signed({}, { by: buyer })
    expect((await gateway.pay(payment)).kind).toBe('answer')
    await rpc(ground.chain, 'evm_revert', [before])
    const ranBefore = work.runs
    const other = await gateway.pay(payment, { input: { a: 2 } })
    expect(detailsOf(other)).toMatchObject({ reason: 'nonce_already_used' })
    expect(await gateway.pay(payment)).toMatchObject({ kind: 'answer', replayed: true })
    expect(work.runs).toBe(ranBefore)
  })
})

describe("another payer's answer", () => {
  it('is not had by naming his payment identifier or Idempotency-Key', async () => {
    const gateway = await open()
    const [victim, thief] = [await buyerOn(ground.chain), await buyerOn(ground.chain)]
    const identifier = `pay_${crypto.randomUUID()}`
    const taken = await tally()
    const his = await gateway.pay(await gateway.signed({ identifier }, { by: victim }))
    const stolen = await gateway.pay(await gateway.signed({ identifier }, { by: thief }))
    expect([his, stolen]).toMatchObject([
      { kind: 'answer', replayed: false },
      { kind: 'answer', replayed: false },
    ])
    const options = { input: {}, idempotencyKey: 'the same key' }
    for (const by of [victim, thief]) {
      const outcome = await gateway.pay(await gateway.signed({}, { by }), options)
      expect(outcome).toMatchObject({ kind: 'answer', replayed: false })
    }
    expect(await taken()).toEqual({ runs: 4, moved: 40_000n })
  })

  it('is not had with his payment and another input, header or no header', async () => {
    const gateway = await open()
    const payment = await gateway.signed({}, { by: await buyerOn(ground.chain) })
    expect((await gateway.pay(payment, { input: { secret: 1 } })).kind).toBe('answer')
    for (const input of [{}, { secret: 2 }, { secret: '1' }, { secret: 1, more: null }]) {
      const outcome = await gateway.pay(payment, { input })
      expect(detailsOf(outcome)).toMatchObject({ reason: 'nonce_already_used' })
    }
  })
})

describe('a payer with more signatures than money', () => {
  /** What becomes of twenty calls at once, and how many transactions the gateway sends for them. */
  async function twentyOf(amountAtomic: bigint) {
    const gateway = await open()
    const by = await buyerOn(ground.chain, amountAtomic)
    const { address } = privateKeyToAccount(ground.chain.signerKey)
    const sent = async () =>
      Number(await rpc(ground.chain, 'eth_getTransactionCount', [address, 'latest']))
    const payments = await Promise.all(Array.from({ length: 20 }, () => gateway.signed({}, { by })))
    const before = await sent()
    await rpc(ground.chain, 'evm_setAutomine', [false])
    await rpc(ground.chain, 'evm_setIntervalMining', [1])
    try {
      const outcomes = await Promise.all(payments.map((payment) => gateway.pay(payment)))
      const answers = outcomes.filter(({ kind }) => kind === 'answer').length
      const reasons = new Set(
        outcomes.flatMap((one) => (one.kind === 'failure' ? [detailsOf(one)?.['reason']] : [])),
      )
      return { answers, transactions: (await sent()) - before, reasons: [...reasons] }
    } finally {
      await rpc(ground.chain, 'evm_setIntervalMining', [0])
      await rpc(ground.chain, 'evm_setAutomine', [true])
    }
  }

  it.each([1, 3])('has as many transactions sent as he can pay: %d', async (covered) => {
    expect(await twentyOf(BigInt(covered) * 10_000n)).toEqual({
      answers: covered,
      transactions: covered,
      reasons: ['invalid_exact_evm_insufficient_balance'],
    })
  })

  it('and one with enough has all of them', async () => {
    expect(await twentyOf(200_000n)).toEqual({ answers: 20, transactions: 20, reasons: [] })
  })
})

describe('a payer without money', () => {
  it('leaves nothing in the table after a day, however long the payment is valid', async () => {
    const gateway = await open()
    const { sql } = ground.database.db
    const by = await buyerOn(ground.chain, 0n)
    const kept = () => sql<{ nonce: string }[]>`
      SELECT nonce FROM plugin_x402.x402_claim WHERE payer = ${by.address.toLowerCase()}`
    const payments = await Promise.all(
      [4_102_444_800n, 2n ** 256n - 1n].map((validBefore) =>
        gateway.signed({ authorization: { validBefore } }, { by }),
      ),
    )
    for (const payment of payments) {
      expect(detailsOf(await gateway.pay(payment))).toMatchObject({
        reason: 'invalid_exact_evm_insufficient_balance',
      })
    }
    await gateway.core.claims.purge()
    expect(await kept()).toHaveLength(2)
    await sql`
      UPDATE plugin_x402.x402_claim SET created_at = created_at - interval '25 hours',
        lease_until = lease_until - interval '25 hours' WHERE payer = ${by.address.toLowerCase()}`
    await gateway.core.claims.purge()
    expect(await kept()).toEqual([])
    // What was forgotten was worth nothing, and buys as before once there is money.
    await ground.chain.fund(by.address, 10_000n)
    const taken = await tally()
    expect((await gateway.pay(payments[0])).kind).toBe('answer')
    expect(await gateway.comeBack(payments[0])).toMatchObject({ kind: 'answer', replayed: true })
    expect(await taken()).toEqual({ runs: 1, moved: 10_000n })
  })
})

describe('odd but honest', () => {
  it('names and answers survive the store to the byte', async () => {
    const gateway = await open()
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
    const payment = await gateway.signed({}, { skill: forwarding })
    const read = async () => ({ ok: true as const, forward: {} as never, fingerprint: 'f' })
    const acquisition = `a "b" \\ 'c' ${'é'.repeat(20)}`
    for (const replayed of [false, true]) {
      const options = { skill: forwarding, input: {}, read, acquisition }
      const outcome = answerOf(await gateway.pay(payment, options))
      expect(outcome.replayed).toBe(replayed)
      expect(Buffer.compare(outcome.answer.body, body)).toBe(0)
      expect(outcome.answer.headers).toMatchObject(headers)
    }
    const [row] = await gateway.ledger.rows({ kind: 'settlement', limit: 1 })
    expect(row).toMatchObject({ acquisition, skillId: 't.bytes' })
  })

  it('an answer that is too old to be kept is neither run nor paid again', async () => {
    const gateway = await open()
    const payment = await gateway.signed({}, { by: await buyerOn(ground.chain) })
    expect((await gateway.pay(payment)).kind).toBe('answer')
    const { nonce } = payment.payload.authorization
    const { sql } = ground.database.db
    // As one that was paid ahead, or whose settlement was open for a day: the answer is new.
    await sql`UPDATE plugin_x402.x402_claim SET created_at = now() - interval '25 hours' WHERE nonce = ${nonce}`
    await gateway.core.claims.purge()
    expect(await gateway.pay(payment)).toMatchObject({ kind: 'answer', replayed: true })
    await sql`UPDATE plugin_x402.x402_claim SET lease_until = now() - interval '25 hours' WHERE nonce = ${nonce}`
    await gateway.core.claims.purge()
    const taken = await tally()
    const outcome = await gateway.pay(payment)
    expect(detailsOf(outcome)).toMatchObject({ reason: 'answer_not_kept' })
    expect(await taken()).toEqual({ runs: 0, moved: 0n })
  })
})
