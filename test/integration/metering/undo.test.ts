import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { CallerEnded } from '../../../kernel/errors.ts'
import { ReaderPace } from '../../../kernel/net/reader-pace.ts'
import { endOfFailure, followed, watched, type StreamEnd } from '../../../kernel/net/stream-end.ts'
import type { MeterOutcome } from '../../../kernel/metering/call.ts'
import type { ForwardRequest } from '../../../kernel/plugins/skill.ts'
import type { Rail } from '../../../kernel/rails/contract.ts'
import { testDatabase } from '../../support/database.ts'
import { meterOver, mount } from '../../support/metering.ts'
import { ownAccount } from '../../support/accounts.ts'
import { PATIENT } from '../../support/patience.ts'

const database = await testDatabase()
let world: Awaited<ReturnType<typeof meterOver>>
beforeAll(async () => {
  world = await meterOver(database.db)
})
afterAll(async () => {
  await world.close()
  await database.close()
})

const request = { method: 'GET', path: '/x' } as ForwardRequest
/** A skill whose stream gives `chunks` and then fails, ends, or goes on for good. */
const streaming = (
  chunks: number,
  then: 'fails' | 'ends' | 'waits',
  headers: Record<string, string> = {},
  timeoutMs: number = PATIENT.timeout,
) => {
  let left = chunks
  let isCancelled = false
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (left-- > 0) return controller.enqueue(new Uint8Array(1000))
      if (then === 'fails') controller.error(new Error('broke off'))
      else if (then === 'ends') controller.close()
      else return new Promise(() => {})
    },
    cancel: () => void (isCancelled = true),
  })
  const mounted = mount(
    {
      handler: async () => ({ ok: true, output: {} }),
      forward: async () => ({ ok: true, response: new Response(body, { headers }) }),
    },
    { timeoutMs },
  )
  return { mounted, isCancelled: () => isCancelled }
}
const run = (mounted: ReturnType<typeof mount>, apiKey: string, idempotencyKey?: string) =>
  world.meter.run(
    world.call(
      mounted,
      {},
      {
        apiKey,
        idempotencyKey: idempotencyKey ?? null,
        read: async () => ({ ok: true, forward: request, fingerprint: 'f' }),
      },
    ),
  )
const streamOf = (outcome: MeterOutcome) => {
  if (outcome.kind !== 'stream') throw new Error(`no stream: ${outcome.kind}`)
  return outcome
}
const available = async (keyId: string): Promise<bigint> =>
  (await world.ledger.balance(ownAccount(keyId)))!.availableAtomic

describe('a charged stream', () => {
  it('that breaks off is refunded, once', async () => {
    const { id, key } = await world.key(50_000n)
    const outcome = streamOf(await run(streaming(2, 'fails').mounted, key))
    expect(await available(id)).toBe(40_000n)
    await outcome.onBroken()
    await outcome.onBroken()
    await vi.waitUntil(async () => (await available(id)) === 50_000n, PATIENT)
    const rows = await world.ledger.rows({ keyId: id, limit: 10 })
    expect(rows.filter((row) => row.kind === 'refund')).toHaveLength(1)
    expect(rows[0]!.note).toBe('the answer broke off')
    const [spend] = await world.ledger.spend({ accountId: ownAccount(id), keyId: id })
    expect(spend).toMatchObject({ spentTodayAtomic: 0n, spentMonthAtomic: 0n })
  })

  it('that was too long to keep frees its Idempotency-Key when it breaks off', async () => {
    const { id, key } = await world.key(50_000n)
    const outcome = streamOf(await run(streaming(5000, 'fails').mounted, key, 'k'))
    const again = await run(streaming(1, 'ends').mounted, key, 'k')
    expect(again.kind === 'failure' && again.failure.status).toBe(409)
    await outcome.onBroken()
    await vi.waitUntil(async () => (await available(id)) === 50_000n, PATIENT)
    const retried = await run(streaming(1, 'ends').mounted, key, 'k')
    expect(retried.kind).toBe('answer')
    expect(await available(id)).toBe(40_000n)
  })

  it('keeps its Idempotency-Key: a retry waits while it may break off, and is refused after it', async () => {
    const { id, key } = await world.key(50_000n)
    const events = { 'content-type': 'text/event-stream' }
    const outcome = streamOf(await run(streaming(2, 'ends', events).mounted, key, 'kept'))
    const retry = async () => {
      const again = await run(streaming(1, 'ends').mounted, key, 'kept')
      return again.kind === 'failure' ? again.failure : null
    }
    expect(await retry()).toMatchObject({ status: 409, retryable: true })
    expect((await outcome.response.bytes()).byteLength).toBe(2000)
    const isRefused = async () => !(await retry())?.retryable
    await vi.waitUntil(isRefused, PATIENT)
    expect(await retry()).toMatchObject({ details: { reason: 'idempotency_answer_not_kept' } })
    expect(await available(id)).toBe(40_000n)
  })

  it('of events is not read to its end for an Idempotency-Key, nor is a slow one', async () => {
    const { key } = await world.key(50_000n)
    const events = streaming(1, 'waits', { 'content-type': 'text/event-stream' })
    const outcome = streamOf(await run(events.mounted, key, 'events'))
    expect((await outcome.response.body!.getReader().read()).value).toHaveLength(1000)
    const slow = streamOf(await run(streaming(3, 'waits', {}, 200).mounted, key, 'slow'))
    const reader = slow.response.body!.getReader()
    for (let n = 0; n < 3; n += 1) expect((await reader.read()).value).toHaveLength(1000)
  })

  it('that the end of the gateway cuts off was not delivered: its charge and its Idempotency-Key are free', async () => {
    const ending = await meterOver(database.db)
    try {
      const { id, key } = await ending.key(50_000n)
      const read = async () => ({ ok: true as const, forward: request, fingerprint: 'f' })
      const { mounted, isCancelled } = streaming(1, 'waits', {
        'content-type': 'text/event-stream',
      })
      const sold = await ending.meter.run(
        ending.call(mounted, {}, { apiKey: key, idempotencyKey: 'cut', read }),
      )
      const { response, onBroken } = streamOf(sold)
      const reader = watched(response.body!, (end) => end === 'broken' && void onBroken(), {
        ending: ending.meter.ending,
      }).getReader()
      expect((await reader.read()).value).toHaveLength(1000)
      expect(await available(id)).toBe(40_000n)
      ending.meter.cutOff()
      await expect(reader.read()).rejects.toBeUndefined()
      expect(isCancelled()).toBe(true)
      await vi.waitUntil(async () => (await available(id)) === 50_000n, PATIENT)
      await vi.waitUntil(
        async () => (await run(streaming(1, 'ends').mounted, key, 'cut')).kind === 'answer',
        PATIENT,
      )
    } finally {
      await ending.close()
    }
  })

  it('that cannot be charged is dropped', async () => {
    const { id, key } = await world.key(50_000n)
    const { mounted, isCancelled } = streaming(1, 'waits')
    const forward = mounted.skill.forward!
    mounted.skill.forward = async (ctx, input) => {
      // The hold ends under the running skill.
      const [row] = await world.ledger.rows({ keyId: id, kind: 'authorize', limit: 1 })
      // A hold has the id of its authorize posting.
      await world.ledger.release({ holdId: row!.id, accountId: ownAccount(id), keyId: id })
      return forward(ctx, input)
    }
    expect((await run(mounted, key)).kind).toBe('failure')
    expect(isCancelled()).toBe(true)
    expect(await available(id)).toBe(50_000n)
  })
})

describe('watched', () => {
  it('tells once how a stream ended, and keeps its error from the reader', async () => {
    const ends: unknown[] = []
    const of = (source: UnderlyingDefaultSource<Uint8Array>) =>
      watched(new ReadableStream(source), (end, error) => ends.push([end, String(error)]))
    await new Response(of({ start: (controller) => controller.close() })).bytes()
    const broken = of({ pull: (controller) => controller.error(new Error('secret')) })
    await expect(broken.getReader().read()).rejects.toBeUndefined()
    await of({ pull: () => new Promise(() => {}) }).cancel('bye')
    expect(ends).toEqual([
      ['complete', 'undefined'],
      ['broken', 'Error: secret'],
      ['cancelled', 'undefined'],
    ])
  })
})

it.each(['that waits for its source', 'whose reader asks for nothing'])(
  'a stream %s is cut off by the end of the gateway',
  async (which) => {
    const gateway = new AbortController()
    const ends: string[] = []
    const source = new ReadableStream<Uint8Array>(
      { pull: () => new Promise(() => {}), cancel: () => void ends.push('source cancelled') },
      { highWaterMark: 0 },
    )
    const inner = followed(source, (end) => ends.push(`inner ${end}`), { ending: gateway.signal })
    const outer = watched(inner, (end) => ends.push(`outer ${end}`), { ending: gateway.signal })
    const reading = which.startsWith('that') ? outer.getReader().read() : null
    gateway.abort()
    if (reading) await expect(reading).rejects.toBeUndefined()
    await vi.waitUntil(() => ends.length >= 3, PATIENT)
    expect(ends.toSorted()).toEqual(['inner broken', 'outer broken', 'source cancelled'])
    // One that begins only then, too.
    const late = watched(new ReadableStream(), (end) => ends.push(`late ${end}`), {
      ending: gateway.signal,
    })
    await expect(late.getReader().read()).rejects.toBeUndefined()
    expect(ends).toContain('late broken')
  },
)

/** One moment of a reader: it asks at `atMs` and is handed `sizeBytes` at once. */
type Step = { atMs: number; sizeBytes: number }
const KIB = 1024
const steps = (count: number, everyMs: number, sizeBytes: number): Step[] =>
  Array.from({ length: count }, (_, n) => ({ atMs: n * everyMs, sizeBytes }))

describe('the pace of a reader', () => {
  it.each<[string, Step[], number, boolean]>([
    ['that asks at once', steps(100, 0, 64 * KIB), 0, false],
    ['that stands still for 5 s longer than its bytes allow', steps(1, 0, 64 * KIB), 6001, true],
    ['that stands still for a little less', steps(1, 0, 64 * KIB), 6000, false],
    ['of 64 KiB/s for an hour', steps(3600, 1000, 64 * KIB), 3_600_000, false],
    ['of 32 KiB/s for ten seconds', steps(10, 1000, 32 * KIB), 10_000, false],
    ['of 32 KiB/s for twelve seconds', steps(12, 1000, 32 * KIB), 12_000, true],
    [
      'that took most of it fast and then stands still',
      [...steps(1000, 0, 64 * KIB), { atMs: 0, sizeBytes: KIB }],
      5100,
      true,
    ],
    [
      'that stood still and then takes the rest fast',
      [
        { atMs: 0, sizeBytes: KIB },
        ...steps(1000, 0, 64 * KIB).map((s) => ({ ...s, atMs: 60_000 })),
      ],
      60_000,
      true,
    ],
  ])('%s', (_, reads, lastMs, wasTooSlow) => {
    const pace = new ReaderPace()
    for (const { atMs, sizeBytes } of reads) {
      pace.asked(atMs)
      pace.gave(sizeBytes, atMs)
    }
    pace.asked(lastMs)
    expect(pace.wasTooSlow).toBe(wasTooSlow)
  })

  it('does not count the time in which it waits for its source', () => {
    const pace = new ReaderPace()
    for (let atMs = 0; atMs < 3_600_000; atMs += 60_000) {
      pace.asked(atMs)
      pace.gave(10, atMs + 60_000)
    }
    expect(pace.wasTooSlow).toBe(false)
  })
})

describe('a stream that ends early', () => {
  it.each<[string, unknown, boolean, StreamEnd]>([
    ['the upstream broke it off', new Error('reset'), false, 'broken'],
    ['the upstream gave up a reader that stood still', new Error('reset'), true, 'given_up'],
    ['the caller broke its own request off', new CallerEnded('gone'), false, 'given_up'],
  ])('%s', (_, error, wasTooSlow, end) => {
    expect(endOfFailure(error, wasTooSlow)).toBe(end)
  })

  it('ends the same for whoever follows it and for the transport', async () => {
    const ends: unknown[] = []
    const source = new ReadableStream<Uint8Array>({
      start: (controller) => controller.error(new CallerEnded('gone')),
    })
    const inner = followed(source, (end) => ends.push(end))
    const outer = watched(inner, (end, error) => ends.push([end, String(error)]))
    await expect(outer.getReader().read()).rejects.toBeUndefined()
    expect(ends).toEqual(['given_up', ['given_up', 'CallerEnded: gone']])
  })

  it('is given up when its reader came back too late', async () => {
    let nowMs = 0
    const ends: unknown[] = []
    let left = 1
    const source = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          if (left-- > 0) controller.enqueue(new Uint8Array(1000))
          else controller.error(new Error('upstream gave up'))
        },
      },
      { highWaterMark: 0 },
    )
    const reader = watched(source, (end) => ends.push(end), { nowMs: () => nowMs }).getReader()
    await reader.read()
    nowMs = 60_000
    await expect(reader.read()).rejects.toBeUndefined()
    expect(ends).toEqual(['given_up'])
  })
})

/** A rail of a plugin that takes 10,000 atomic units of every call, apart from `members`. */
const foreignRail = (members: Partial<Rail>): Rail => ({
  id: 'foreign',
  precedence: 1,
  available: () => ({ ok: true }),
  presented: () => true,
  offer: () => null,
  authorize: async () => ({
    outcome: 'authorized',
    authorization: { railId: 'foreign', amountAtomic: 10_000n, state: null },
  }),
  capture: async () => ({
    outcome: 'captured',
    receipt: { rail: 'foreign', chargedAtomic: 10_000n, ledgerId: null, headers: {} },
  }),
  release: async () => {},
  stateOf: async () => 'open',
  ...members,
})

/** One call of a skill that this rail sells. */
async function payBy(rail: Rail, mounted: ReturnType<typeof mount>, idempotencyKey: string | null) {
  const remove = world.rails.add(rail)
  const read = async () => ({ ok: true as const, forward: request, fingerprint: 'f' })
  const call = world.call({ ...mounted, rails: ['foreign'] }, {}, { idempotencyKey, read })
  const outcome = await world.meter.run(call)
  remove()
  return outcome
}

describe('a rail that fails when it is told of the end of a stream', () => {
  it.each<[string, () => Promise<void>]>([
    [
      'throws',
      () => {
        throw new Error('not async')
      },
    ],
    ['rejects', () => Promise.reject(new Error('async'))],
  ])('and %s spoils no byte of it', async (_, delivered) => {
    let undone = 0
    const rail = foreignRail({ undo: async () => void undone++, delivered })
    const outcome = streamOf(await payBy(rail, streaming(2, 'ends').mounted, null))
    expect((await outcome.response.bytes()).byteLength).toBe(2000)
    expect(undone).toBe(0)
  })
})

describe('a rail that throws while it charges', () => {
  it('may have charged: the caller is not told otherwise, and its key runs nothing again', async () => {
    let runs = 0
    const rail = foreignRail({
      async capture() {
        runs++
        throw new Error('its database went away')
      },
    })
    const failed = await payBy(rail, streaming(2, 'ends').mounted, 'charged-or-not')
    expect(failed).toMatchObject({
      kind: 'failure',
      pending: true,
      failure: { status: 503, retryable: true },
    })
    expect(JSON.stringify(failed)).not.toContain('nothing was charged')
    const again = await payBy(rail, streaming(2, 'ends').mounted, 'charged-or-not')
    expect(again).toMatchObject({ kind: 'failure', failure: { status: 409 } })
    expect(runs).toBe(1)
  })
})
