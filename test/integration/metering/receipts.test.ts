/** Signed receipts: which answers have one, what it is made of, and that no paid answer hangs on it. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { MeterOutcome } from '../../../kernel/metering/call.ts'
import { flatPrice } from '../../../kernel/pricing/rule.ts'
import type { ReceiptFacts, ReceiptSigner } from '../../../kernel/rails/contract.ts'
import { testDatabase } from '../../support/database.ts'
import { meterOver, mount } from '../../support/metering.ts'

const database = await testDatabase()
let world: Awaited<ReturnType<typeof meterOver>>
beforeAll(async () => {
  world = await meterOver(database.db)
})
afterAll(async () => {
  await world.close()
  await database.close()
})
afterEach(() => {
  world.signers.setOfPlugins([])
})

/** A signer that numbers its receipts and remembers what they are of. */
function numbering(): { signer: ReceiptSigner; signed: ReceiptFacts[] } {
  const signed: ReceiptFacts[] = []
  const shown = (text: string) => ({
    text,
    headers: { 'test-receipt': text },
    meta: { 'test/receipt': text },
  })
  const signer: ReceiptSigner = {
    answerHeaders: [{ name: 'Test-Receipt', description: 'A number' }],
    sign: async (facts) => shown(String(signed.push(facts))),
    keptIn: ({ 'test-receipt': text }, sent) => {
      const first = text === undefined ? undefined : signed[Number(text) - 1]
      return first && Buffer.compare(first.body, sent()) === 0 ? shown(text!) : null
    },
  }
  return { signer, signed }
}
const signing = (sign: ReceiptSigner['sign']): ReceiptSigner => ({ ...numbering().signer, sign })

const echo = mount({ handler: async () => ({ ok: true, output: { said: 'ü' } }) })
const answerIn = (outcome: MeterOutcome) => {
  if (outcome.kind !== 'answer') throw new Error(`no answer: ${outcome.kind}`)
  return outcome
}
async function run(mounted = echo, overrides: Parameters<typeof world.call>[2] = {}) {
  const { key: apiKey, id } = await world.key(100_000n)
  const outcome = await world.meter.run(world.call(mounted, {}, { apiKey, ...overrides }))
  return { outcome, id, apiKey }
}

describe('a signed receipt', () => {
  it('is of the charge, the place as addressed and the body as sent', async () => {
    const { signer, signed } = numbering()
    world.signers.setOfPlugins([signer])
    const place = {
      transport: 'http',
      method: 'POST',
      target: '/v1/t/run?city=Z%C3%BCrich',
    } as const
    const { outcome, id } = await run(echo, { place, requestId: 'request-1' })
    const { receipt, answer } = answerIn(outcome)
    expect(receipt.headers).toMatchObject({ 'test-receipt': '1' })
    expect(receipt.meta).toEqual({ 'test/receipt': '1' })
    expect(signed).toEqual([
      {
        rail: 'credits',
        chargedAtomic: 10_000n,
        keyId: id,
        accountId: expect.any(String),
        via: 'key',
        payment: null,
        transaction: null,
        ledgerId: receipt.ledgerId,
        requestId: 'request-1',
        resourceUrl: 'http://localhost/v1/t/run?city=Z%C3%BCrich',
        transport: 'http',
        body: answer.body,
      },
    ])
  })

  it('of a tool call is of what the transport sends', async () => {
    const { signer, signed } = numbering()
    world.signers.setOfPlugins([signer])
    const quote = world.quotes.tool(echo, { name: 't.run' })
    await run(echo, {
      quote,
      place: { transport: 'mcp', method: 'POST', target: quote.resourceUrl },
      sentBody: ({ body }) => Uint8Array.from([...body, 33]),
    })
    expect(signed[0]!.resourceUrl).toBe('mcp://tool/t.run')
    expect(new TextDecoder().decode(signed[0]!.body)).toBe('{"said":"ü"}!')
  })

  it('comes again with the answer of an Idempotency-Key, byte for byte', async () => {
    const { signer, signed } = numbering()
    world.signers.setOfPlugins([signer])
    const idempotencyKey = 'with-receipt'
    const { apiKey } = await run(echo, { idempotencyKey })
    const again = await world.meter.run(world.call(echo, {}, { apiKey, idempotencyKey }))
    const { replayed, answer, receipt } = answerIn(again)
    expect([replayed, receipt.chargedAtomic]).toEqual([true, 0n])
    expect(answer.headers['test-receipt']).toBe('1')
    expect(receipt.meta).toEqual({ 'test/receipt': '1' })
    expect(signed).toHaveLength(1)

    // The same answer as another body has none, whoever asks how often.
    const sentBody = () => Uint8Array.from([1])
    const other = await world.meter.run(world.call(echo, {}, { apiKey, idempotencyKey, sentBody }))
    expect(answerIn(other).answer.headers).not.toHaveProperty('test-receipt')
    expect(answerIn(other).receipt.headers).not.toHaveProperty('test-receipt')

    // Without its signer the kept header stays.
    world.signers.setOfPlugins([])
    const later = await world.meter.run(world.call(echo, {}, { apiKey, idempotencyKey }))
    expect(answerIn(later).answer.headers['test-receipt']).toBe('1')
  })

  it('comes with the charge of a skill that bills by itself', async () => {
    const { signer, signed } = numbering()
    world.signers.setOfPlugins([signer])
    const own = mount({
      billing: 'self',
      handler: async () => ({
        ok: true,
        output: {},
        bill: { amountAtomic: 2000n, ledgerId: 'entry-1' },
      }),
    })
    const { outcome } = await run(own)
    expect(answerIn(outcome).receipt.headers).toMatchObject({ 'test-receipt': '1' })
    expect(signed[0]).toMatchObject({ chargedAtomic: 2000n, ledgerId: 'entry-1' })
  })

  it('keeps the answer of a skill that billed by itself before it is signed', async () => {
    let keptBefore: number | null = null
    const signer = signing(async () => {
      const [row] = await database.db.sql<{ status: number | null }[]>`
        SELECT status FROM idempotency WHERE key = 'billed-then-signed'`
      keptBefore = row?.status ?? null
      throw new Error('the signer fails')
    })
    world.signers.setOfPlugins([signer])
    const own = mount({
      billing: 'self',
      handler: async () => ({
        ok: true,
        output: {},
        bill: { amountAtomic: 2000n, ledgerId: 'entry-2' },
      }),
    })
    await run(own, { idempotencyKey: 'billed-then-signed' })
    expect(keptBefore).toBe(200)
  })

  it('comes with no answer that cost nothing, failed or is streamed', async () => {
    const { signer, signed } = numbering()
    world.signers.setOfPlugins([signer])
    const free = mount({ handler: async () => ({ ok: true, output: {} }) }, { metered: false })
    const refusing = mount({
      handler: async () => ({ ok: true, output: {}, status: 409, bill: 'release' }),
    })
    const failing = mount({
      handler: async () => {
        throw new Error('no')
      },
    })
    const price = { ...flatPrice(10_000n), free: { calls: 1, period: 'day' as const } }
    const firstIsFree = mount({ handler: async () => ({ ok: true, output: {} }) }, { price })
    const streaming = mount({
      handler: async () => ({ ok: true, output: {} }),
      forward: async () => ({ ok: true, response: new Response('streamed') }),
    })
    const forward = { method: 'GET', path: '/x' } as never
    for (const [mounted, overrides] of [
      [free, {}],
      [refusing, {}],
      [failing, {}],
      [firstIsFree, {}],
      [streaming, { read: async () => ({ ok: true, forward, fingerprint: 'f' }) as const }],
    ] as const) {
      const { outcome } = await run(mounted, overrides)
      const shown = outcome.receipt?.headers ?? {}
      expect(shown).not.toHaveProperty('test-receipt')
    }
    expect(signed).toEqual([])
  })
})

describe('a signer', () => {
  const missing = () => world.receipts.missing.get('credits') ?? 0

  it.each([
    [
      'throws',
      async () => {
        throw new Error('no key')
      },
    ],
    ['never answers', () => new Promise<never>(() => {})],
  ])('that %s costs nobody an answer, and is counted', async (_, sign) => {
    world.signers.setOfPlugins([signing(sign)])
    const before = missing()
    const { outcome } = await run()
    const { receipt, answer } = answerIn(outcome)
    expect([answer.status, receipt.chargedAtomic]).toEqual([200, 10_000n])
    expect(receipt.headers).not.toHaveProperty('test-receipt')
    expect(missing()).toBe(before + 1)
  })

  it('is one: the first that a plugin brings', () => {
    const [first, second] = [numbering().signer, numbering().signer]
    world.signers.setOfPlugins([first, second])
    expect(world.signers.current()).toBe(first)
    const list = world.signers.list()
    world.signers.setOfPlugins([first])
    expect(world.signers.list()).toBe(list)
    expect(world.signers.current()).toBe(first)
  })
})
