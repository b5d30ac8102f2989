import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SharedRateLimiter } from '../../../kernel/auth/contract.ts'
import { createRateLimiter } from '../../../host/rate-limits/limiter.ts'
import { sweepSubjects, takeTokens } from '../../../host/rate-limits/statement.ts'
import type { SqlClient } from '../../../kernel/storage/contract.ts'
import { randomFrom } from '../../simulator/random.ts'
import { testDatabase, type TestDatabase } from '../../support/database.ts'
import { silentLog } from '../../support/log.ts'

const random = randomFrom(20_261_130)
let database: TestDatabase
let one: SharedRateLimiter
let two: SharedRateLimiter
/** When a limiter last found the database too slow, and so limited alone for a second. */
let aloneAtMs = -Infinity
const log = { ...silentLog, warn: () => void (aloneAtMs = performance.now()) }
beforeAll(async () => {
  database = await testDatabase()
  one = createRateLimiter(database.db.sql, log)
  two = createRateLimiter(database.open().sql, log)
})
afterAll(async () => {
  await one.close()
  await two.close()
  await database.close()
})

/** The test of what instances share; made again when the machine stood still and left one alone. */
function together(test: () => Promise<void>): () => Promise<void> {
  return async () => {
    for (;;) {
      await Bun.sleep(Math.max(0, aloneAtMs + 1100 - performance.now()))
      const before = aloneAtMs
      try {
        await test()
        return
      } catch (failure) {
        if (aloneAtMs === before) throw failure
      }
    }
  }
}

/** When a call was asked for and answered; it took its token in between. */
interface Call {
  startMs: number
  endMs: number
}

/** Calls until `endsAtMs`, pausing as `pauseMs` says; what was allowed. Each turn is put in `turns`. */
async function hammer(
  limiter: SharedRateLimiter,
  subject: string,
  limits: { rpm: number; burst: number },
  endsAtMs: number,
  pauseMs: () => number,
  turns: Call[] = [],
): Promise<Call[]> {
  const allowed: Call[] = []
  while (performance.now() < endsAtMs) {
    const startMs = performance.now()
    const decision = await limiter.take(subject, limits)
    if (decision.allowed) allowed.push({ startMs, endMs: performance.now() })
    await Bun.sleep(pauseMs())
    turns.push({ startMs, endMs: performance.now() })
  }
  return allowed
}

/** In every window the calls allowed are at most burst + rate · window. */
function expectWithinLimit(calls: Call[], limits: { rpm: number; burst: number }): void {
  const perMs = limits.rpm / 60_000
  for (const { startMs } of calls) {
    const ends = calls.filter((call) => call.startMs >= startMs).map((call) => call.endMs)
    ends
      .sort((a, b) => a - b)
      .forEach((endMs, before) => {
        expect(before + 1).toBeLessThanOrEqual(limits.burst + (endMs - startMs) * perMs + 0.01)
      })
  }
}

/**
 * Tokens that ran over or ran out between two moments, because nobody asked for so long: what came
 * meanwhile, and what each instance had taken ahead, at most a quarter of the burst.
 */
function lostTokens(
  calls: Call[],
  limits: { rpm: number; burst: number },
  [startMs, endMs]: [number, number],
): number {
  const fullAfterMs = (limits.burst / 2 / limits.rpm) * 60_000
  const moments = [startMs, ...calls.map((call) => call.endMs), endMs].sort((a, b) => a - b)
  const gaps = moments.slice(1).map((atMs, place) => atMs - moments[place]!)
  return gaps
    .filter((gapMs) => gapMs > fullAfterMs)
    .reduce((sum, gapMs) => sum + (gapMs / 60_000) * limits.rpm + limits.burst / 2, 0)
}

/**
 * Tokens taken ahead that may have ended unused because the machine stood still: they last as long as
 * a quarter of the burst refills. Where no turn takes half of that, each answer is followed by a call
 * in time.
 */
function endedAhead(turns: Call[], limits: { rpm: number; burst: number }): number {
  const leaseMs = (limits.burst / 4 / limits.rpm) * 60_000
  const standstills: Call[] = []
  for (const { startMs, endMs } of turns.toSorted((a, b) => a.startMs - b.startMs)) {
    if (endMs - startMs < leaseMs / 2) continue
    const last = standstills.at(-1)
    if (last && startMs <= last.endMs) last.endMs = Math.max(last.endMs, endMs)
    else standstills.push({ startMs, endMs })
  }
  return standstills
    .map(({ startMs, endMs }) => Math.floor((endMs - startMs) / (leaseMs / 2)))
    .reduce((sum, leases) => sum + (leases * limits.burst) / 2, 0)
}

describe('rate limit on two instances', () => {
  it(
    'allows burst + rate · time together, no more and no less',
    together(async () => {
      const limits = { rpm: 600, burst: 20 }
      const subject = randomUUID()
      const turns: Call[] = []
      const startMs = performance.now()
      const hammers = [one, two].flatMap((limiter) =>
        Array.from({ length: 8 }, () =>
          hammer(limiter, subject, limits, startMs + 2500, () => 3 + random.next() * 5, turns),
        ),
      )
      const calls = (await Promise.all(hammers)).flat()
      expectWithinLimit(calls, limits)
      // What is left goes to whoever asks; then nothing was lost on the way.
      const askedAtMs = performance.now()
      let allowed = calls.length
      for (const limiter of [one, two])
        while ((await limiter.take(subject, limits)).allowed) allowed += 1
      const allowedBy = (ms: number): number =>
        limits.burst + ((ms - startMs) / 60_000) * limits.rpm
      expect(allowed).toBeLessThanOrEqual(allowedBy(performance.now()))
      const lost = lostTokens(calls, limits, [startMs, askedAtMs]) + endedAhead(turns, limits)
      expect(allowed).toBeGreaterThan(allowedBy(askedAtMs) - 3 - lost)
    }),
  )

  it.each([
    { rpm: 6000, burst: 40 },
    { rpm: 1200, burst: 60 },
  ])('never exceeds $rpm/min, burst $burst in any window, whatever the pauses', (limits) =>
    together(async () => {
      const subject = randomUUID()
      const pauseMs = (): number => random.next() * (random.chance(0.1) ? 150 : 4)
      const calls: Call[] = []
      // Once is enough unless the machine stood still.
      while (calls.length <= limits.burst) {
        const endsAtMs = performance.now() + 1500
        const hammers = [one, one, two, two].map((limiter) =>
          hammer(limiter, subject, limits, endsAtMs, pauseMs),
        )
        calls.push(...(await Promise.all(hammers)).flat())
      }
      expectWithinLimit(calls, limits)
    })(),
  )

  it(
    'counts tokens that one instance took ahead against the other',
    together(async () => {
      const limits = { rpm: 60, burst: 40 }
      const subject = randomUUID()
      const startMs = performance.now()
      let allowed = 0
      const drain = async (limiter: SharedRateLimiter, calls: number): Promise<void> => {
        for (let i = 0; i < calls; i++) if ((await limiter.take(subject, limits)).allowed) allowed++
      }
      await drain(one, 5)
      await drain(two, 50)
      await drain(one, 50)
      expect(allowed).toBeLessThanOrEqual(40 + (performance.now() - startMs) / 1000)
      expect(allowed).toBeGreaterThanOrEqual(38)
    }),
  )

  it(
    'keeps subjects apart, also when they go out together',
    together(async () => {
      const subjects = Array.from({ length: 50 }, () => randomUUID())
      const limits = { rpm: 1, burst: 3 }
      const decisions = await Promise.all(
        [one, two].flatMap((limiter) =>
          subjects.flatMap((subject) => [1, 2, 3].map(() => limiter.take(subject, limits))),
        ),
      )
      expect(decisions.filter((decision) => decision.allowed)).toHaveLength(150)
    }),
  )
})

describe('tokens taken ahead', () => {
  const order = {
    intervalNs: 1_000_000,
    burst: 40,
    demand: 1,
    ahead: 0,
    leaseNs: 3_600_000_000_000,
  }

  it('lower what others find until the lease ends, however long the bucket refills', async () => {
    const { sql } = database.db
    const subject = randomUUID()
    const first = await takeTokens(sql, [{ ...order, subject, ahead: 10 }])
    expect(first.get(subject)).toMatchObject({ served: 1, ahead: 10 })
    // Time for many more tokens than were taken.
    await Bun.sleep(100)
    const second = await takeTokens(sql, [{ ...order, subject, demand: 40 }])
    expect(second.get(subject)).toMatchObject({ served: 30, remaining: 0 })
    expect(second.get(subject)!.waitMs).toBeGreaterThan(0)
  })

  it('come from the upper half of the bucket only', async () => {
    const { sql } = database.db
    const subject = randomUUID()
    const slow = { ...order, subject, intervalNs: 60_000_000_000 }
    const first = await takeTokens(sql, [{ ...slow, demand: 15, ahead: 40 }])
    expect(first.get(subject)).toMatchObject({ served: 15, ahead: 5, remaining: 20 })
    const second = await takeTokens(sql, [{ ...slow, demand: 1, ahead: 40 }])
    expect(second.get(subject)).toMatchObject({ served: 1, ahead: 0, remaining: 19 })
  })
})

describe('a decision', () => {
  it(
    'says what is left, and when to come back',
    together(async () => {
      const limits = { rpm: 6, burst: 2 }
      const subject = randomUUID()
      const first = await one.take(subject, limits)
      expect(first).toEqual({ allowed: true, limit: 6, burst: 2, remaining: 1, retryAfterMs: 0 })
      expect(await one.take(subject, limits)).toMatchObject({ allowed: true, remaining: 0 })
      const denied = await one.take(subject, limits)
      expect(denied).toMatchObject({ allowed: false, limit: 6, burst: 2, remaining: 0 })
      expect(denied.retryAfterMs).toBeGreaterThan(0)
      expect(denied.retryAfterMs).toBeLessThanOrEqual(10_000)
    }),
  )

  it(
    'follows changed limits at once',
    together(async () => {
      const subject = randomUUID()
      await one.take(subject, { rpm: 1, burst: 1 })
      expect((await one.take(subject, { rpm: 1, burst: 1 })).allowed).toBe(false)
      expect((await one.take(subject, { rpm: 1, burst: 5 })).allowed).toBe(true)
    }),
  )
})

describe('round trips', () => {
  /** The same client, counting its statements. */
  function counting(sql: SqlClient): { sql: SqlClient; count(): number } {
    let statements = 0
    const counted = new Proxy(sql, {
      apply(target, self, parameters) {
        statements++
        return Reflect.apply(target, self, parameters)
      },
    })
    return { sql: counted, count: () => statements }
  }

  it(
    'are few for a busy key and for a refused one',
    together(async () => {
      const counter = counting(database.db.sql)
      const limiter = createRateLimiter(counter.sql, log)
      const busy = randomUUID()
      for (let i = 0; i < 2000; i++) {
        expect((await limiter.take(busy, { rpm: 600_000, burst: 10_000 })).allowed).toBe(true)
      }
      expect(counter.count()).toBeLessThan(100)
      const before = counter.count()
      const refused = randomUUID()
      for (let i = 0; i < 1000; i++) await limiter.take(refused, { rpm: 1, burst: 1 })
      expect(counter.count() - before).toBeLessThan(10)
      await limiter.close()
    }),
  )
})

describe('without the database', () => {
  it('limits by this instance alone', async () => {
    const away = database.open()
    const limiter = createRateLimiter(away.sql, silentLog)
    await away.close()
    const subject = randomUUID()
    const limits = { rpm: 1, burst: 5 }
    const decisions = await Promise.all(
      Array.from({ length: 20 }, () => limiter.take(subject, limits)),
    )
    expect(decisions.filter((decision) => decision.allowed)).toHaveLength(5)
    expect(await limiter.take(subject, limits)).toMatchObject({ allowed: false, remaining: 0 })
    await limiter.close()
  })
})

describe('sweep', () => {
  it(
    'deletes subjects that were idle for an hour, and no others',
    together(async () => {
      const { sql } = database.db
      const [idle, busy] = [randomUUID(), randomUUID()]
      await one.take(idle, { rpm: 60, burst: 5 })
      await one.take(busy, { rpm: 60, burst: 5 })
      await sql`UPDATE coinop.rate_limit SET tat_ns = tat_ns - 3700000000000 WHERE subject = ${idle}`
      expect(await sweepSubjects(sql, new AbortController().signal)).toBe(1)
      const left =
        await sql`SELECT subject FROM coinop.rate_limit WHERE subject IN ${sql([idle, busy])}`
      expect(left.map((row) => row['subject'])).toEqual([busy])
    }),
  )
})

it('a lowered limit makes a used key wait for one interval at most', async () => {
  const subject = randomUUID()
  const { sql } = database.db
  const high = { subject, intervalNs: 1e8, burst: 100, leaseNs: 2e9 }
  await takeTokens(sql, [{ ...high, demand: 1, ahead: 20 }])
  await takeTokens(sql, [{ ...high, demand: 100, ahead: 0 }])
  const low = { subject, intervalNs: 12e9, burst: 5, demand: 1, ahead: 0, leaseNs: 15e9 }
  const grant = (await takeTokens(sql, [low])).get(subject)!
  expect(grant.served === 1 || grant.waitMs <= 12_000).toBe(true)
  // One that is hardly used goes on at once, whatever it had taken ahead.
  const other = randomUUID()
  await takeTokens(sql, [{ ...high, subject: other, demand: 1, ahead: 20 }])
  expect((await takeTokens(sql, [{ ...low, subject: other }])).get(other)!.served).toBe(1)
})
