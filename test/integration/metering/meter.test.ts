/** The path of a metered call on the real ledger: what is charged, what is not, and what comes back. */
import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { fail } from '../../../kernel/errors.ts'
import type { MeterOutcome } from '../../../kernel/metering/call.ts'
import type { MountedSkill } from '../../../kernel/plugins/catalog.ts'
import { verifyLedger } from '../../../host/reporting/verify.ts'
import { testDatabase, type TestDatabase } from '../../support/database.ts'
import { meterOver, mount } from '../../support/metering.ts'
import { PATIENT } from '../../support/patience.ts'
import { ownAccount } from '../../support/accounts.ts'

let database: TestDatabase
let world: Awaited<ReturnType<typeof meterOver>>
let second: Awaited<ReturnType<typeof meterOver>>

beforeAll(async () => {
  database = await testDatabase()
  world = await meterOver(database.db)
  second = await meterOver(database.open())
})
afterAll(async () => {
  expect((await verifyLedger(database.db.sql)).violations).toEqual([])
  await world.close()
  await second.close()
  await database.close()
})

const available = async (keyId: string) =>
  (await world.ledger.balance(ownAccount(keyId)))!.availableAtomic
const held = async (keyId: string) => (await world.ledger.balance(ownAccount(keyId)))!.heldAtomic
const bodyOf = (outcome: MeterOutcome): unknown =>
  outcome.kind === 'answer' ? JSON.parse(new TextDecoder().decode(outcome.answer.body)) : outcome
const codeOf = (outcome: MeterOutcome) =>
  outcome.kind === 'failure' ? outcome.failure.code : outcome.kind

const echo = mount({ handler: async (_ctx, input) => ({ ok: true, output: input }) })

describe('charging', () => {
  it('charges nothing for a call that a shutdown cuts off, and says when to come again', async () => {
    const { id, key } = await world.key(30_000n)
    const begun = Promise.withResolvers<void>()
    const done = Promise.withResolvers<{ ok: true; output: object }>()
    const slow = mount({
      handler: () => {
        begun.resolve()
        return done.promise
      },
    })
    const ending = world.meter.run(world.call(slow, {}, { apiKey: key }))
    await begun.promise
    expect(world.meter.cutOff()).toBe(true)
    expect(await ending).toMatchObject({
      kind: 'failure',
      failure: {
        status: 503,
        headers: { 'retry-after': '5' },
        message: expect.stringContaining('nothing was charged'),
      },
    })
    expect(world.meter.cutOff()).toBe(false)
    done.resolve({ ok: true, output: {} })
    expect([await available(id), await held(id)]).toEqual([30_000n, 0n])
  })

  it('charges a success once and says so', async () => {
    const { id, key } = await world.key(30_000n)
    const outcome = await world.meter.run(world.call(echo, { a: 1 }, { apiKey: key }))
    expect(bodyOf(outcome)).toEqual({ a: 1 })
    expect(outcome.kind === 'answer' && outcome.receipt).toMatchObject({
      rail: 'credits',
      chargedAtomic: 10_000n,
      balanceAtomic: 20_000n,
    })
    expect(await available(id)).toBe(20_000n)
  })

  it.each([
    [
      'a returned failure',
      mount({ handler: async () => fail('UPSTREAM_FAILURE', 'down') }),
      'UPSTREAM_FAILURE',
    ],
    [
      'a throw',
      mount({
        handler: async () => {
          throw new Error('secret detail')
        },
      }),
      'INTERNAL_ERROR',
    ],
    [
      'a synchronous throw',
      mount({
        handler: () => {
          throw new Error('secret detail')
        },
      }),
      'INTERNAL_ERROR',
    ],
    [
      'a timeout',
      mount({ handler: () => new Promise<never>(() => {}) }, { timeoutMs: 50 }),
      'TIMEOUT',
    ],
    [
      'an output that breaks its schema',
      mount({
        output: Type.Object({ n: Type.Number() }),
        handler: async () => ({ ok: true, output: { n: 'x' } as never }),
      }),
      'INTERNAL_ERROR',
    ],
    ['no result at all', mount({ handler: async () => undefined as never }), 'INTERNAL_ERROR'],
  ])('charges nothing for %s', async (_name, mounted, code) => {
    const { id, key } = await world.key(10_000n)
    const outcome = await world.meter.run(world.call(mounted, {}, { apiKey: key }))
    expect(codeOf(outcome)).toBe(code)
    const told = JSON.stringify(outcome, (_key, value) =>
      typeof value === 'bigint' ? value.toString() : value,
    )
    expect(told).not.toContain('secret detail')
    expect(outcome).toMatchObject({ rail: 'credits', balanceAtomic: 10_000n })
    expect([await available(id), await held(id)]).toEqual([10_000n, 0n])
  })

  it('charges nothing for a free success and less for a partial one', async () => {
    const { id, key } = await world.key(20_000n)
    const free = mount({ handler: async () => ({ ok: true, output: {}, bill: 'release' }) })
    const partial = mount({
      handler: async () => ({ ok: true, output: {}, bill: { amountAtomic: 2_500n } }),
    })
    expect(await world.meter.run(world.call(free, {}, { apiKey: key }))).toMatchObject({
      receipt: { rail: 'credits', chargedAtomic: 0n, balanceAtomic: 20_000n },
    })
    expect(await available(id)).toBe(20_000n)
    await world.meter.run(world.call(partial, {}, { apiKey: key }))
    expect(await available(id)).toBe(17_500n)
  })

  it('gives the hold back when the caller goes away', async () => {
    const { id, key } = await world.key(10_000n)
    const caller = new AbortController()
    let aborted = false
    const slow = mount({
      handler: (ctx) =>
        new Promise<{ ok: true; output: unknown }>((resolve) => {
          ctx.signal.addEventListener('abort', () => {
            aborted = true
            resolve({ ok: true, output: {} })
          })
          setTimeout(() => caller.abort(), 10)
        }),
    })
    const outcome = await world.meter.run(
      world.call(slow, {}, { apiKey: key, signal: caller.signal }),
    )
    expect(codeOf(outcome)).toBe('TIMEOUT')
    expect(outcome).toMatchObject({ failure: { status: 499 } })
    expect(aborted).toBe(true)
    expect([await available(id), await held(id)]).toEqual([10_000n, 0n])
  })

  it('begins no work for a caller that left while its credits were held', async () => {
    const { id, key } = await world.key(10_000n)
    const handler = vi.fn(async () => ({ ok: true as const, output: {} }))
    const caller = new AbortController()
    const holding = vi.spyOn(world.ledger, 'authorize').mockImplementationOnce((order) => {
      caller.abort()
      return world.ledger.authorize(order)
    })
    const call = world.call(mount({ handler }), {}, { apiKey: key, signal: caller.signal })
    expect(codeOf(await world.meter.run(call))).toBe('TIMEOUT')
    expect(holding).toHaveBeenCalled()
    holding.mockRestore()
    expect(handler).not.toHaveBeenCalled()
    expect([await available(id), await held(id)]).toEqual([10_000n, 0n])
  })

  it('lets exactly one of 100 parallel calls through with credits for one, over two instances', async () => {
    const { id, key } = await world.key(10_000n)
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, (_, i) => {
        const at = i % 2 === 0 ? world : second
        return at.meter.run(at.call(echo, { i }, { apiKey: key }))
      }),
    )
    expect(outcomes.filter((outcome) => outcome.kind === 'answer')).toHaveLength(1)
    expect(outcomes.filter((outcome) => codeOf(outcome) === 'PAYMENT_REQUIRED')).toHaveLength(99)
    expect([await available(id), await held(id)]).toEqual([0n, 0n])
  })
})

describe('refusals before any hold', () => {
  it('answers an unpaid call with the offers, whatever its body', async () => {
    const outcome = await world.meter.run(world.call(echo, 'nonsense'))
    expect(codeOf(outcome)).toBe('PAYMENT_REQUIRED')
    expect(outcome.kind === 'failure' && outcome.offers[0]?.body).toHaveProperty('prepaid')
  })

  it('names only rails that are open to a caller who pays nothing', async () => {
    const mounted = mount(
      { handler: async () => ({ ok: true, output: {} }) },
      { rails: ['credits', 'x402'] },
    )
    const outcome = await world.meter.run(world.call(mounted, {}))
    expect(outcome).toMatchObject({
      failure: { message: 'This call costs money: pay with a prepaid API key, then retry' },
      offers: [{ body: { prepaid: {} } }],
    })
  })

  it('names each bad field and holds nothing', async () => {
    const { id, key } = await world.key(10_000n)
    const strict = mount({
      input: Type.Object({ n: Type.Integer({ minimum: 1 }) }),
      handler: async () => ({ ok: true, output: {} }),
    })
    const outcome = await world.meter.run(world.call(strict, { n: '1' }, { apiKey: key }))
    expect(outcome.kind === 'failure' && outcome.failure).toMatchObject({
      code: 'INVALID_INPUT',
      details: { issues: [{ path: '/n' }] },
    })
    expect(await world.ledger.rows({ keyId: id, limit: 10 })).toHaveLength(1)
  })

  it('refuses a wrong key even for a free skill', async () => {
    const free = mount({ handler: async () => ({ ok: true, output: {} }) }, { metered: false })
    const outcome = await world.meter.run(world.call(free, {}, { apiKey: 'ck_test_nonsense' }))
    expect(outcome.kind === 'failure' && outcome.failure.status).toBe(401)
  })

  it('ends a check that outlasts its deadline or its caller, and holds nothing', async () => {
    const { id, key } = await world.key(10_000n)
    const endings: unknown[] = []
    const handler = vi.fn(async () => ({ ok: true as const, output: {} }))
    const check: NonNullable<MountedSkill['skill']['check']> = (ctx) =>
      new Promise(() => {
        ctx.signal.addEventListener('abort', () => endings.push(ctx.signal.reason.name))
      })
    const slow = mount({ handler, check }, { timeoutMs: 50 })
    const patient = mount({ handler, check })
    const late = await world.meter.run(world.call(slow, {}, { apiKey: key }))
    const caller = new AbortController()
    const leaving = world.meter.run(world.call(patient, {}, { apiKey: key, signal: caller.signal }))
    setTimeout(() => caller.abort(), 20)
    expect([codeOf(late), codeOf(await leaving)]).toEqual(['TIMEOUT', 'TIMEOUT'])
    expect(endings).toEqual(['TimeoutError', 'AbortError'])
    expect(handler).not.toHaveBeenCalled()
    expect([await available(id), await held(id)]).toEqual([10_000n, 0n])
  })

  it('runs an unmetered skill without a key', async () => {
    const free = mount({ handler: async () => ({ ok: true, output: 'hi' }) }, { metered: false })
    expect(bodyOf(await world.meter.run(world.call(free, {})))).toBe('hi')
  })

  it('is never free when no rail can sell it', async () => {
    const unsellable = mount(
      { handler: async () => ({ ok: true, output: {} }) },
      { rails: ['nothing'] },
    )
    const { key } = await world.key(10_000n)
    for (const apiKey of [undefined, key]) {
      const outcome = await world.meter.run(world.call(unsellable, {}, { apiKey }))
      expect(outcome.kind).toBe('failure')
      expect(outcome.kind === 'failure' && outcome.failure.status).toBe(503)
    }
  })

  it('limits calls per key', async () => {
    // The next token comes in a minute: none does during the test.
    const tight = await meterOver(database.open(), { rpm: 1, burst: 3 })
    const { key } = await tight.key(1_000_000n)
    const outcomes = []
    for (let i = 0; i < 5; i++)
      outcomes.push(await tight.meter.run(tight.call(echo, {}, { apiKey: key })))
    expect(outcomes.map(codeOf)).toEqual([
      'answer',
      'answer',
      'answer',
      'RATE_LIMITED',
      'RATE_LIMITED',
    ])
    const refused = outcomes.at(-1)!
    const wait = refused.kind === 'failure' && Number(refused.failure.headers?.['retry-after'])
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(60)
    await tight.close()
  })

  it.each([
    [{}, 'q=600;w=60;burst=100'],
    [{ rpmLimit: 5 }, 'q=5;w=60;burst=5'],
    [{ rpmLimit: 6000 }, 'q=6000;w=60;burst=100'],
    [{ rpmLimit: 5, burstLimit: 30 }, 'q=5;w=60;burst=30'],
  ])('takes the limits of a key with %o', async (limits, policy) => {
    const usual = await meterOver(database.open(), { rpm: 600, burst: 100 })
    const { key } = await usual.key(1_000_000n, limits)
    const { rateHeaders } = await usual.meter.run(usual.call(echo, {}, { apiKey: key }))
    expect(rateHeaders['ratelimit-policy']).toBe(`"default";${policy}`)
    await usual.close()
  })

  it('refuses over the concurrency limit', async () => {
    let finish!: () => void
    const gate = new Promise<void>((resolve) => (finish = resolve))
    const begun = Promise.withResolvers<void>()
    const narrow = mount(
      {
        handler: async () => {
          begun.resolve()
          await gate
          return { ok: true, output: {} }
        },
      },
      { concurrency: 1 },
    )
    const { id, key } = await world.key(30_000n)
    const first = world.meter.run(world.call(narrow, {}, { apiKey: key }))
    await begun.promise
    expect(codeOf(await world.meter.run(world.call(narrow, {}, { apiKey: key })))).toBe(
      'RATE_LIMITED',
    )
    finish()
    expect((await first).kind).toBe('answer')
    expect(await available(id)).toBe(20_000n)
  })
})

describe('the share of a caller', () => {
  it('is one for all calls of a key, goes with its jobs, and says nothing about it', async () => {
    const seen: { share: string; job: unknown }[] = []
    const sharing = mount({
      handler: async (ctx) => {
        const job = await ctx.jobs.run<unknown>({ url: 'x:y' }, 'x', null, { timeoutMs: 1 })
        seen.push({ share: ctx.caller.share, job: job.ok && job.value })
        return { ok: true, output: {} }
      },
    })
    const jobs = {
      run: async (_m: unknown, _h: unknown, _i: unknown, o: unknown) => ({ ok: true, value: o }),
    }
    const pooled = { ...sharing, env: { ...sharing.env, jobs } } as unknown as MountedSkill
    const [a, b] = [await world.key(50_000n), await world.key(50_000n)]
    for (const apiKey of [a.key, a.key, b.key])
      await world.meter.run(world.call(pooled, {}, { apiKey }))
    const free = { ...pooled, metered: false }
    for (const clientAddress of ['192.0.2.1', '192.0.2.1', '192.0.2.2'])
      await world.meter.run(world.call(free, {}, { clientAddress }))
    const shares = seen.map(({ share }) => share)
    expect(shares.map((share) => shares.indexOf(share))).toEqual([0, 0, 2, 3, 3, 5])
    expect(seen.map(({ job }) => job)).toEqual(shares.map((share) => ({ share, timeoutMs: 1 })))
    for (const share of shares) expect(share).toMatch(/^[\w-]{16}$/)
  })

  it('leaves a slot of a skill to others', async () => {
    let gate = Promise.resolve()
    const narrow = mount(
      {
        id: 't.shared',
        handler: async () => {
          await gate
          return { ok: true, output: {} }
        },
      },
      { concurrency: 2, metered: false },
    )
    const from = async (clientAddress: string) =>
      world.meter.run(world.call(narrow, {}, { clientAddress }))
    expect((await from('192.0.2.2')).kind).toBe('answer')
    const held = Promise.withResolvers<void>()
    gate = held.promise
    const first = from('192.0.2.1')
    await vi.waitUntil(() => world.meter.running() === 1, PATIENT)
    const more = await from('192.0.2.1')
    expect(more.kind === 'failure' && more.failure).toMatchObject({
      code: 'RATE_LIMITED',
      details: { limit: 'concurrency_share' },
    })
    const other = from('192.0.2.2')
    await vi.waitUntil(() => world.meter.running() === 2, PATIENT)
    held.resolve()
    expect([(await first).kind, (await other).kind]).toEqual(['answer', 'answer'])
  })
})

describe('Idempotency-Key', () => {
  it('gives the stored answer again without a second charge, on another instance too', async () => {
    const { id, key } = await world.key(50_000n)
    let runs = 0
    const counting = mount({ handler: async () => ({ ok: true, output: { run: ++runs } }) })
    const first = await world.meter.run(
      world.call(counting, { a: 1 }, { apiKey: key, idempotencyKey: 'k1' }),
    )
    const again = await second.meter.run(
      second.call(counting, { a: 1 }, { apiKey: key, idempotencyKey: 'k1' }),
    )
    expect(bodyOf(again)).toEqual(bodyOf(first))
    expect(again.kind === 'answer' && again.replayed).toBe(true)
    expect(again.kind === 'answer' && again.receipt.chargedAtomic).toBe(0n)
    expect([runs, await available(id)]).toEqual([1, 40_000n])
  })

  it('refuses the key for another body, and is free for another payer', async () => {
    const mine = await world.key(50_000n)
    const theirs = await world.key(50_000n)
    await world.meter.run(world.call(echo, { a: 1 }, { apiKey: mine.key, idempotencyKey: 'k' }))
    const other = await world.meter.run(
      world.call(echo, { a: 2 }, { apiKey: mine.key, idempotencyKey: 'k' }),
    )
    expect(other.kind === 'failure' && other.failure.status).toBe(409)
    expect(
      bodyOf(
        await world.meter.run(
          world.call(echo, { a: 2 }, { apiKey: theirs.key, idempotencyKey: 'k' }),
        ),
      ),
    ).toEqual({ a: 2 })
  })

  it('runs once for 32 parallel copies on two instances', async () => {
    const { id, key } = await world.key(50_000n)
    let runs = 0
    const slow = mount({
      handler: async () => {
        runs++
        await Bun.sleep(50)
        return { ok: true, output: {} }
      },
    })
    const outcomes = await Promise.all(
      Array.from({ length: 32 }, (_, i) => {
        const at = i % 2 === 0 ? world : second
        return at.meter.run(at.call(slow, {}, { apiKey: key, idempotencyKey: 'p' }))
      }),
    )
    expect(runs).toBe(1)
    const refused = outcomes.filter((outcome) => outcome.kind === 'failure')
    for (const outcome of refused)
      expect(outcome.failure).toMatchObject({ status: 409, retryable: true })
    expect(await available(id)).toBe(40_000n)
  })

  it('lets a failed call be retried with the same key', async () => {
    const { id, key } = await world.key(50_000n)
    let runs = 0
    const flaky = mount({
      handler: async () =>
        ++runs === 1 ? fail('UPSTREAM_FAILURE', 'down') : { ok: true, output: { runs } },
    })
    await world.meter.run(world.call(flaky, {}, { apiKey: key, idempotencyKey: 'f' }))
    expect(
      bodyOf(await world.meter.run(world.call(flaky, {}, { apiKey: key, idempotencyKey: 'f' }))),
    ).toEqual({ runs: 2 })
    expect(await available(id)).toBe(40_000n)
  })

  it('finds the paid answer of a caller that crashed between capture and note', async () => {
    const { id, key } = await world.key(50_000n)
    const outcome = await world.meter.run(
      world.call(echo, { a: 1 }, { apiKey: key, idempotencyKey: 'c' }),
    )
    await database.db.sql`UPDATE idempotency SET settled = false, charged = NULL WHERE key = 'c'`
    const again = await world.meter.run(
      world.call(echo, { a: 1 }, { apiKey: key, idempotencyKey: 'c' }),
    )
    expect(bodyOf(again)).toEqual(bodyOf(outcome))
    expect(await available(id)).toBe(40_000n)
  })

  it('finds the answer of work that charged by itself, whose charge was not noted', async () => {
    const { key } = await world.key(50_000n)
    let runs = 0
    const charging = mount({
      billing: 'self',
      handler: async () => ({ ok: true, output: { runs: ++runs }, bill: { amountAtomic: 5n } }),
    })
    const call = async () =>
      world.meter.run(world.call(charging, {}, { apiKey: key, idempotencyKey: 's' }))
    const noting = vi.spyOn(world.idempotency, 'settle').mockRejectedValueOnce(new Error('away'))
    try {
      await call()
      await database.db
        .sql`UPDATE idempotency SET deadline = now() - interval '1 second' WHERE key = 's'`
      expect(bodyOf(await call())).toEqual({ runs: 1 })
    } finally {
      noting.mockRestore()
    }
  })

  it('costs no caller the answer of work that charged by itself, where it cannot be kept', async () => {
    const { key } = await world.key(50_000n)
    const charging = mount({
      billing: 'self',
      handler: async () => ({ ok: true, output: { done: 1 }, bill: { amountAtomic: 5n } }),
    })
    const keeping = vi.spyOn(world.idempotency, 'prepare').mockRejectedValueOnce(new Error('away'))
    try {
      const call = world.call(charging, {}, { apiKey: key, idempotencyKey: 'w' })
      const outcome = await world.meter.run(call)
      expect(bodyOf(outcome)).toEqual({ done: 1 })
      expect(outcome.receipt?.chargedAtomic).toBe(5n)
    } finally {
      keeping.mockRestore()
    }
  })

  it('is free after a call whose answer could not be kept, which is not charged', async () => {
    const { id, key } = await world.key(50_000n)
    const call = () =>
      world.meter.run(world.call(echo, { a: 1 }, { apiKey: key, idempotencyKey: 'p' }))
    const keeping = vi.spyOn(world.idempotency, 'prepare').mockRejectedValueOnce(new Error('away'))
    try {
      expect(await call()).toMatchObject({ kind: 'failure', failure: { status: 503 } })
      expect(await available(id)).toBe(50_000n)
      expect(bodyOf(await call())).toEqual({ a: 1 })
      expect(await available(id)).toBe(40_000n)
    } finally {
      keeping.mockRestore()
    }
  })

  it('is free after a call that was not told of its claim', async () => {
    const { key } = await world.key(50_000n)
    const { idempotency } = world
    const call = () =>
      world.meter.run(world.call(echo, { a: 1 }, { apiKey: key, idempotencyKey: 'q' }))
    const claim = idempotency.claim.bind(idempotency)
    const claiming = vi.spyOn(idempotency, 'claim').mockImplementationOnce(async (order) => {
      await claim(order)
      throw new Error('the connection was lost')
    })
    try {
      expect(await call()).toMatchObject({ kind: 'failure', failure: { status: 503 } })
      expect(bodyOf(await call())).toEqual({ a: 1 })
    } finally {
      claiming.mockRestore()
    }
  })

  it('frees the key of a caller that crashed before its hold', async () => {
    const { id, key } = await world.key(50_000n)
    const order = {
      scope: `key:${id} t.run`,
      key: 'd',
      railId: 'credits',
      holdId: crypto.randomUUID(),
    }
    const { fingerprintOf, canonicalJson } = await import('../../../kernel/schema/json-pieces.ts')
    const fingerprint = fingerprintOf('t.run', canonicalJson({ a: 1 }))
    await world.idempotency.claim({ ...order, fingerprint, runsForMs: 60_000 })
    const early = await world.meter.run(
      world.call(echo, { a: 1 }, { apiKey: key, idempotencyKey: 'd' }),
    )
    expect(early.kind === 'failure' && early.failure.status).toBe(409)
    await database.db
      .sql`UPDATE idempotency SET deadline = now() - interval '1 second' WHERE key = 'd'`
    expect(
      bodyOf(
        await world.meter.run(world.call(echo, { a: 1 }, { apiKey: key, idempotencyKey: 'd' })),
      ),
    ).toEqual({ a: 1 })
    expect(await available(id)).toBe(40_000n)
  })
})
