/** Prices that count units: what is held, what is taken, and what an upstream's doing changes of it. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { MeterOutcome } from '../../../kernel/metering/call.ts'
import type { ForwardRequest, SaidUnits } from '../../../kernel/plugins/skill.ts'
import { flatPrice, type MeasureSource, type PriceRule } from '../../../kernel/pricing/rule.ts'
import type { Receipt } from '../../../kernel/rails/contract.ts'
import { verifyLedger } from '../../../host/reporting/verify.ts'
import { ownAccount } from '../../support/accounts.ts'
import { createKeyDirectory } from '../../../host/plugin-services/key-directory.ts'
import { testDatabase } from '../../support/database.ts'
import { meterOver, mount } from '../../support/metering.ts'
import { answerOf, failureOf, reasonOf, streamOf } from '../../support/outcomes.ts'
import { PATIENT } from '../../support/patience.ts'

const database = await testDatabase()
let world: Awaited<ReturnType<typeof meterOver>>
beforeAll(async () => {
  world = await meterOver(database.db)
})
afterAll(async () => {
  expect((await verifyLedger(database.db.sql)).violations).toEqual([])
  await world.close()
  await database.close()
})

const BASE = 1000n
const MAX = 20_000n
const PAGES: MeasureSource = { kind: 'pointer', pointers: ['/usage/pages'] }

/** A base of 1,000 with one unit in it, 500 for each more, 20,000 at most. */
const priceOf = (source: MeasureSource, more: Partial<PriceRule> = {}): PriceRule => ({
  ...flatPrice(BASE),
  maxAtomic: MAX,
  per: [{ unit: 'page', source, unitAtomic: 500n, tiers: null, first: 1n, step: 1n }],
  ...more,
})
const request = { method: 'GET', path: '/x' } as ForwardRequest
const EVENTS = { 'content-type': 'text/event-stream' }

interface Stream {
  chunks?: readonly string[]
  ending?: 'ends' | 'fails' | 'waits'
  headers?: Record<string, string> | [string, string][]
  price?: PriceRule
  timeoutMs?: number
}

/** A skill that streams this through. */
function streaming({ chunks = [], ending = 'ends', headers = EVENTS, ...rest }: Stream) {
  const { price = priceOf(PAGES), timeoutMs = PATIENT.timeout } = rest
  const forward = async () => {
    const left = [...chunks]
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          const next = left.shift()
          if (next !== undefined) return controller.enqueue(new TextEncoder().encode(next))
          if (ending === 'ends') controller.close()
          else if (ending === 'fails') controller.error(new Error('broke off'))
          else return new Promise(() => {})
        },
      },
      { highWaterMark: 0 },
    )
    return { ok: true as const, response: new Response(body, { headers }) }
  }
  return mount({ handler: async () => ({ ok: true, output: {} }), forward }, { price, timeoutMs })
}
const answering = (output: unknown, more: object = {}, price = priceOf(PAGES)) =>
  mount({ handler: async () => ({ ok: true as const, output, ...more }) }, { price })

async function call(
  mounted: ReturnType<typeof mount>,
  { balance = 50_000n, key = null as string | null, idempotencyKey = null as string | null } = {},
) {
  const made = await world.key(balance)
  const outcome = await world.meter.run(
    world.call(
      mounted,
      {},
      {
        apiKey: key ?? made.key,
        idempotencyKey,
        ...(mounted.skill.forward && {
          read: async () => ({ ok: true as const, forward: request, fingerprint: 'f' }),
        }),
      },
    ),
  )
  return { ...made, outcome, left: async () => leftOf(made.id) }
}
const leftOf = async (keyId: string) => {
  const balance = (await world.ledger.balance(ownAccount(keyId)))!
  return { available: balance.availableAtomic, held: balance.heldAtomic }
}
/** Reads a stream to its end, as far as it goes, and gives its charge. */
async function readAll(outcome: MeterOutcome): Promise<{ text: string; receipt: Receipt }> {
  const stream = streamOf(outcome)
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const chunk of stream.response.body!) text += decoder.decode(chunk)
  } catch {
    text += '(broken off)'
    await stream.onBroken()
  }
  return { text, receipt: await stream.charging! }
}
const event = (pages: unknown): string => `data: ${JSON.stringify({ usage: { pages } })}\n\n`

describe('a whole answer', () => {
  it.each<[string, unknown, bigint]>([
    ['of one unit, which the base has', { usage: { pages: 1 } }, BASE],
    ['of no unit', { usage: { pages: 0 } }, BASE],
    ['of four units', { usage: { pages: 4 } }, BASE + 1500n],
    ['of a begun one', { usage: { pages: 3.1 } }, BASE + 1500n],
    ['of just the maximum', { usage: { pages: 39 } }, MAX],
  ])('%s is charged by them, and the rest is free at once', async (_, output, charged) => {
    const { outcome, left } = await call(answering(output))
    expect(answerOf(outcome).receipt).toMatchObject({
      chargedAtomic: charged,
      usage: { isCapped: false, isMissing: false },
    })
    expect(await left()).toEqual({ available: 50_000n - charged, held: 0n })
  })

  it('of more than the maximum costs the maximum, and says so', async () => {
    const { outcome, left } = await call(answering({ usage: { pages: 1_000_000 } }))
    expect(answerOf(outcome).receipt).toMatchObject({
      chargedAtomic: MAX,
      usage: { units: [{ unit: 'page', units: 1_000_000n }], isCapped: true, isMissing: false },
    })
    expect(await left()).toEqual({ available: 30_000n, held: 0n })
  })

  it('of more than its skill had said before costs what was held, and says so', async () => {
    const mounted = mount(
      {
        handler: async () => ({ ok: true as const, output: { usage: { pages: 9 } } }),
        mostUnits: () => ({ page: 3 }),
      },
      { price: priceOf(PAGES) },
    )
    const { outcome, left } = await call(mounted)
    expect(answerOf(outcome).receipt).toMatchObject({
      chargedAtomic: BASE + 1000n,
      usage: { units: [{ unit: 'page', units: 9n }], isCapped: true, isMissing: false },
    })
    expect(await left()).toEqual({ available: 50_000n - BASE - 1000n, held: 0n })
  })

  it.each<[string, unknown]>([
    ['nothing', {}],
    ['less than nothing', { usage: { pages: -5 } }],
    ['a text', { usage: { pages: '5' } }],
    ['more than a number holds', { usage: { pages: 2 ** 60 } }],
  ])('that says %s costs the base, or the maximum where the price says so', async (_, output) => {
    const usage = { units: [{ unit: 'page', units: null }], isMissing: true, isCapped: false }
    const base = await call(answering(output))
    expect(answerOf(base.outcome).receipt).toMatchObject({ chargedAtomic: BASE, usage })
    const most = await call(answering(output, {}, priceOf(PAGES, { missing: 'max' })))
    expect(answerOf(most.outcome).receipt).toMatchObject({ chargedAtomic: MAX, usage })
  })

  it('is refused before its work where the balance is below the maximum', async () => {
    const { outcome, left } = await call(answering({ usage: { pages: 1 } }), { balance: MAX - 1n })
    expect(failureOf(outcome)).toMatchObject({ code: 'PAYMENT_REQUIRED' })
    expect(await left()).toEqual({ available: MAX - 1n, held: 0n })
  })

  it.each<[string, SaidUnits, bigint]>([
    ['one number', 3, BASE + 1000n],
    ['by name', { page: 3n }, BASE + 1000n],
    ['that is none', Number.NaN, BASE],
  ])('costs the units that its skill says: %s', async (_, units, charged) => {
    const price = priceOf({ kind: 'units' })
    const { outcome } = await call(answering({}, { bill: { units } }, price))
    expect(answerOf(outcome).receipt.chargedAtomic).toBe(charged)
  })

  it('counts its own bytes, or those of the answer that it was made of', async () => {
    const price = priceOf({ kind: 'bytes' })
    const own = await call(answering({ text: 'x'.repeat(20) }, {}, price))
    const length = BigInt(JSON.stringify({ text: 'x'.repeat(20) }).length)
    expect(answerOf(own.outcome).receipt.chargedAtomic).toBe(BASE + (length - 1n) * 500n)
    const source = { headers: new Headers(), body: new Uint8Array(5) }
    const other = await call(answering({ text: 'x' }, { source }, price))
    expect(answerOf(other.outcome).receipt.chargedAtomic).toBe(BASE + 2000n)
  })

  it('that failed costs nothing, and one that is free by its own word neither', async () => {
    const failing = mount(
      { handler: async () => ({ ok: false as const, code: 'UPSTREAM_FAILURE', message: 'no' }) },
      { price: priceOf(PAGES) },
    )
    expect(await (await call(failing)).left()).toEqual({ available: 50_000n, held: 0n })
    const free = answering({ usage: { pages: 9 } }, { bill: 'release' })
    expect(await (await call(free)).left()).toEqual({ available: 50_000n, held: 0n })
  })

  it('is given again for its Idempotency-Key, charged once', async () => {
    const { key, id } = await world.key(50_000n)
    const mounted = answering({ usage: { pages: 4 } })
    const first = await call(mounted, { key, idempotencyKey: 'k' })
    const second = await call(mounted, { key, idempotencyKey: 'k' })
    expect(answerOf(first.outcome).receipt.chargedAtomic).toBe(2500n)
    expect(answerOf(second.outcome)).toMatchObject({ replayed: true })
    expect(await leftOf(id)).toEqual({ available: 47_500n, held: 0n })
  })
})

describe('an upstream answer that is no stream of events', () => {
  const json = { 'content-type': 'application/json' }

  it('is read whole and charged before its first byte', async () => {
    const chunks = ['{"usage":', '{"pages"', ':4}}']
    const { outcome, left } = await call(streaming({ chunks, headers: json }))
    const { answer, receipt } = answerOf(outcome)
    expect(new TextDecoder().decode(answer.body)).toBe(chunks.join(''))
    expect(receipt.chargedAtomic).toBe(2500n)
    expect(await left()).toEqual({ available: 47_500n, held: 0n })
  })

  it('is charged with several cookies as well, by what its body or its headers say', async () => {
    const headers: [string, string][] = [
      ['content-type', 'application/json'],
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
      ['x-pages', '3'],
    ]
    const chunks = ['{"usage":{"pages":4}}']
    const body = await call(streaming({ chunks, headers }))
    expect(answerOf(body.outcome).receipt.chargedAtomic).toBe(2500n)
    const price = priceOf({ kind: 'header', name: 'x-pages' })
    const kept = await call(streaming({ chunks, headers, price }), { idempotencyKey: 'cookies' })
    expect(answerOf(kept.outcome).receipt.chargedAtomic).toBe(2000n)
  })

  it('that breaks off costs nothing, because nothing of it went out', async () => {
    const chunks = ['{"usage":{"pages":4}']
    const { outcome, left } = await call(streaming({ chunks, headers: json, ending: 'fails' }))
    expect(failureOf(outcome)?.code).toBe('UPSTREAM_FAILURE')
    expect(await left()).toEqual({ available: 50_000n, held: 0n })
  })

  it('that does not end in time costs nothing', async () => {
    const stalls = streaming({ chunks: ['{'], headers: json, ending: 'waits', timeoutMs: 200 })
    const { outcome, left } = await call(stalls)
    expect(failureOf(outcome)?.code).toBe('TIMEOUT')
    expect(await left()).toEqual({ available: 50_000n, held: 0n })
  })

  it('that is too long to keep is charged for its bytes at its end', async () => {
    const per = [{ ...priceOf({ kind: 'bytes' }).per[0]!, first: 0n, step: 1_048_576n }]
    const price = priceOf(PAGES, { per })
    const chunks = Array.from({ length: 5 }, () => 'x'.repeat(1_048_576))
    const { outcome, left } = await call(streaming({ chunks, headers: {}, price }))
    expect(streamOf(outcome).receipt).toMatchObject({ heldAtomic: MAX, chargedAtomic: 0n })
    const { text, receipt } = await readAll(outcome)
    expect(text).toHaveLength(5 * 1_048_576)
    expect(receipt.chargedAtomic).toBe(BASE + 2500n)
    expect(await left()).toEqual({ available: 50_000n - 3500n, held: 0n })
  })

  it('is charged by its head where that says all', async () => {
    const price = priceOf({ kind: 'header', name: 'x-pages' })
    const said = streaming({ chunks: ['x'], headers: { 'x-pages': '3' }, ending: 'waits', price })
    const { outcome } = await call(said)
    expect(streamOf(outcome).receipt.chargedAtomic).toBe(2000n)
    expect(streamOf(outcome).charging).toBeUndefined()
    await streamOf(outcome).response.body!.cancel()
    const lied = streaming({ chunks: ['x'], headers: { 'x-pages': '-3' }, price })
    expect(streamOf((await call(lied)).outcome).receipt).toMatchObject({
      chargedAtomic: BASE,
      usage: { isMissing: true },
    })
  })
})

describe('a stream of events', () => {
  it('is charged at its end for what its last event says, and its reader finds that done', async () => {
    const chunks = ['data: {"a":1}\n\n', event(2), event(null), event(6), 'data: [DONE]\n\n']
    const { outcome, left } = await call(streaming({ chunks }))
    expect(await left()).toEqual({ available: 30_000n, held: MAX })
    const { text, receipt } = await readAll(outcome)
    expect(text).toBe(chunks.join(''))
    expect(receipt).toMatchObject({ chargedAtomic: 3500n, usage: { isMissing: false } })
    expect(await left()).toEqual({ available: 46_500n, held: 0n })
  })

  it('never costs more than is held', async () => {
    const { outcome, left } = await call(streaming({ chunks: [event(10_000)] }))
    expect((await readAll(outcome)).receipt).toMatchObject({
      chargedAtomic: MAX,
      usage: { isCapped: true },
    })
    expect(await left()).toEqual({ available: 30_000n, held: 0n })
  })

  it('that its upstream breaks off costs what was seen of it', async () => {
    const chunks = [event(2), event(4)]
    const { outcome, left } = await call(streaming({ chunks, ending: 'fails' }))
    const { text, receipt } = await readAll(outcome)
    expect(text).toMatch(/broken off/)
    expect(receipt.chargedAtomic).toBe(2500n)
    expect(await left()).toEqual({ available: 47_500n, held: 0n })
  })

  it('that breaks off before it says its units costs the base, whatever a missing one costs', async () => {
    const price = priceOf(PAGES, { missing: 'max' })
    const { outcome } = await call(streaming({ chunks: ['data: x\n\n'], ending: 'fails', price }))
    expect((await readAll(outcome)).receipt).toMatchObject({
      chargedAtomic: BASE,
      usage: { isMissing: true },
    })
  })

  it('that breaks off before its first byte costs nothing', async () => {
    const { outcome, left } = await call(streaming({ ending: 'fails' }))
    expect((await readAll(outcome)).receipt.chargedAtomic).toBe(0n)
    expect(await left()).toEqual({ available: 50_000n, held: 0n })
  })

  it('whose reader leaves costs what was seen, and the maximum where the price says so', async () => {
    for (const [missing, seen, charged] of [
      ['base', event(3), 2000n],
      ['base', 'data: x\n\n', BASE],
      ['max', 'data: x\n\n', MAX],
    ] as const) {
      const price = priceOf(PAGES, { missing })
      const { outcome, left } = await call(streaming({ chunks: [seen], ending: 'waits', price }))
      const stream = streamOf(outcome)
      const reader = stream.response.body!.getReader()
      await reader.read()
      await reader.cancel()
      expect((await stream.charging!).chargedAtomic).toBe(charged)
      expect(await left()).toEqual({ available: 50_000n - charged, held: 0n })
    }
  })

  it('that does not end is cut at the time limit of its call, read or not', async () => {
    for (const isRead of [true, false]) {
      const chunks = [event(3)]
      const stalls = streaming({ chunks, ending: 'waits', timeoutMs: 300 })
      const { outcome, left } = await call(stalls)
      const stream = streamOf(outcome)
      const reader = stream.response.body!.getReader()
      await reader.read()
      if (isRead) await expect(reader.read()).rejects.toThrow(/cut/)
      expect((await stream.charging!).chargedAtomic).toBe(2000n)
      expect(await left()).toEqual({ available: 48_000n, held: 0n })
    }
  })

  it('keeps its Idempotency-Key: in flight, then answered and not kept', async () => {
    const { key, id } = await world.key(50_000n)
    const mounted = streaming({ chunks: [event(3)] })
    const options = { key, idempotencyKey: 's' }
    const { outcome } = await call(mounted, options)
    expect(failureOf((await call(mounted, options)).outcome)).toMatchObject({ retryable: true })
    await readAll(outcome)
    const again = await call(mounted, options)
    expect(reasonOf(again.outcome)).toBe('idempotency_answer_not_kept')
    expect(await leftOf(id)).toEqual({ available: 48_000n, held: 0n })
  })

  it('whose gateway died before its end is not charged: the hold ends by itself', async () => {
    const { outcome, left, id } = await call(streaming({ chunks: [event(3)], ending: 'waits' }))
    const stream = streamOf(outcome)
    const reader = stream.response.body!.getReader()
    await reader.read()
    await database.db.sql`UPDATE coinop.hold SET expires_at = now() WHERE key_id = ${id}`
    await vi.waitUntil(async () => (await world.ledger.expireDue()) >= 1, PATIENT)
    expect(await left()).toEqual({ available: 50_000n, held: 0n })
    // It was alive after all: the charge comes too late and takes nothing.
    await reader.cancel()
    expect((await stream.charging!).chargedAtomic).toBe(0n)
    expect(await left()).toEqual({ available: 50_000n, held: 0n })
  })
})

/** Tiers of 700, 400 and 100 atomic up to 3, 10 and further units of a month. */
const TIERS = [
  { upTo: 3n, unitAtomic: 700n },
  { upTo: 10n, unitAtomic: 400n },
  { upTo: null, unitAtomic: 100n },
]
const perTier: PriceRule = {
  ...flatPrice(1000n),
  per: [{ ...priceOf(PAGES).per[0]!, unitAtomic: 700n, tiers: TIERS, first: 0n }],
  maxAtomic: MAX,
}
const charges = async (key: string, mounted: ReturnType<typeof mount>, times: number) => {
  const charged: bigint[] = []
  for (let n = 0; n < times; n++) {
    charged.push(answerOf((await call(mounted, { key })).outcome).receipt.chargedAtomic)
  }
  return charged
}

describe('the account of a call', () => {
  it('pays its units by the tiers of its month, on top of the base', async () => {
    const { key } = await world.key(50_000n)
    const mounted = answering({ usage: { pages: 4 } }, {}, perTier)
    // 4, 8, 12 and 16 units in all.
    expect(await charges(key, mounted, 4)).toEqual([
      1000n + 2100n + 400n,
      1000n + 1600n,
      1000n + 800n + 200n,
      1000n + 400n,
    ])
  })

  it('pays its calls by tiers, and twenty at once in whatever order', async () => {
    const { key, left } = await call(answering({}, {}, flatPrice(1n)))
    const tiered = { ...flatPrice(700n), baseTiers: TIERS }
    const mounted = answering({}, {}, tiered)
    const before = await left()
    const all = await Promise.all(Array.from({ length: 20 }, () => charges(key, mounted, 1)))
    const sum = all.flat().reduce((a, b) => a + b, 0n)
    expect(sum).toBe(3n * 700n + 7n * 400n + 10n * 100n)
    expect(await left()).toEqual({ available: before.available - sum, held: 0n })
  })

  it('that a payer opened pays the dearest tier, and has no free calls', async () => {
    const made = await createKeyDirectory(database.db.sql, world.keys).create({
      name: 'bought',
      mode: 'test',
    })
    if ('ok' in made) throw new Error(made.message)
    const { id, key } = made
    await world.ledger.credit({
      accountId: ownAccount(id),
      amountAtomic: 50_000n,
      source: 'sandbox',
      reference: id,
      kind: 'grant',
    })
    const mounted = answering(
      { usage: { pages: 4 } },
      {},
      { ...perTier, free: { calls: 5, period: 'day' } },
    )
    expect(await charges(key, mounted, 3)).toEqual([3800n, 3800n, 3800n])
  })

  it('has its free calls first, exactly so many, and needs no balance for them', async () => {
    const free = { calls: 3, period: 'day' as const }
    const flat = answering({}, {}, { ...flatPrice(1000n), free })
    const { key, id } = await world.key(1500n)
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, async () => (await call(flat, { key })).outcome),
    )
    const charged = outcomes.flatMap((outcome) =>
      outcome.kind === 'answer' ? [outcome.receipt.chargedAtomic] : [],
    )
    expect(charged.toSorted((a, b) => Number(a - b))).toEqual([0n, 0n, 0n, 1000n])
    expect(await leftOf(id)).toEqual({ available: 500n, held: 0n })
  })

  it('keeps its free call where the work failed, and the Idempotency-Key of one that did not', async () => {
    const free = { calls: 1, period: 'month' as const }
    let isFailing = true
    const mounted = mount(
      {
        handler: async () =>
          isFailing
            ? { ok: false as const, code: 'UPSTREAM_FAILURE' as const, message: 'no' }
            : { ok: true as const, output: { usage: { pages: 9 } } },
      },
      { price: priceOf(PAGES, { free }) },
    )
    const { key, id } = await world.key(0n)
    expect((await call(mounted, { key })).outcome.kind).toBe('failure')
    isFailing = false
    const options = { key, idempotencyKey: 'free' }
    expect(answerOf((await call(mounted, options)).outcome).receipt).toMatchObject({
      chargedAtomic: 0n,
      usage: { units: [{ units: 9n }] },
    })
    expect(answerOf((await call(mounted, options)).outcome).replayed).toBe(true)
    expect(failureOf((await call(mounted, { key })).outcome)?.code).toBe('PAYMENT_REQUIRED')
    expect(await leftOf(id)).toEqual({ available: 0n, held: 0n })
  })

  it('is charged nothing where nothing was measured and the base is nothing', async () => {
    const { per } = priceOf(PAGES)
    const price: PriceRule = { ...flatPrice(0n), per: [{ ...per[0]!, first: 0n }], maxAtomic: MAX }
    const { key, id } = await world.key(50_000n)
    const options = { key, idempotencyKey: 'zero' }
    const mounted = answering({ usage: { pages: 0 } }, {}, price)
    const { outcome } = await call(mounted, options)
    expect(answerOf(outcome).receipt).toMatchObject({
      chargedAtomic: 0n,
      ledgerId: expect.any(String),
    })
    expect(answerOf((await call(mounted, options)).outcome).replayed).toBe(true)
    const rows = await world.ledger.rows({ keyId: id, kind: 'capture', limit: 10 })
    expect(rows.map(({ amountAtomic }) => amountAtomic)).toEqual([0n])
    expect(await leftOf(id)).toEqual({ available: 50_000n, held: 0n })
  })

  it('is not harmed by units that no month has', async () => {
    const { key, id } = await world.key(1_000_000n)
    const absurd = answering({ usage: { pages: 2 ** 53 } }, {}, perTier)
    expect(await charges(key, absurd, 12)).toEqual(Array.from({ length: 12 }, () => MAX))
    const plain = answering({ usage: { pages: 1 } }, {}, perTier)
    expect(await charges(key, plain, 1)).toEqual([1100n])
    expect(await leftOf(id)).toEqual({ available: 1_000_000n - 12n * MAX - 1100n, held: 0n })
    const steep = TIERS.map((tier) => ({ ...tier, unitAtomic: tier.unitAtomic * 10n ** 9n }))
    const tiered = { ...perTier, per: [{ ...perTier.per[0]!, tiers: steep }] }
    const steepCalls = answering({ usage: { pages: 2 ** 53 } }, {}, tiered)
    expect(await charges(key, steepCalls, 3)).toEqual([MAX, MAX, MAX])
    const dear = [{ ...perTier.per[0]!, unitAtomic: 10n ** 15n, tiers: null }, perTier.per[0]!]
    const sum = answering({ usage: { pages: 2 ** 53 } }, {}, { ...perTier, per: dear })
    expect(await charges(key, sum, 1)).toEqual([MAX])
  })
})
