/**
 * How many calls were made, exact across instances. Waiting callers of all subjects go out together in
 * one statement; a busy subject takes tokens ahead, so that most of its calls cost no round trip, and a
 * refused one is remembered until its next token. Without the database each instance limits alone.
 */
import { LRUCache } from 'lru-cache'
import { createBatcher, repeat, within, type Logger } from '#kernel'
import type { CallLimits, RateDecision, SharedRateLimiter, SqlClient } from '#kernel/host'
import { RateBucket } from './bucket.ts'
import { sweepSubjects, takeTokens } from './statement.ts'

const SUBJECTS_MAX = 50_000
const STATEMENTS_AT_ONCE = 2
const SUBJECTS_PER_STATEMENT = 500
/** A slower database counts as away, and is left alone for LOCAL_MS. */
const STATEMENT_TIMEOUT_MS = 2000
const LOCAL_MS = 1000
const SWEEP_EVERY_MS = 600_000

interface Subject {
  name: string
  bucket: RateBucket
  waiting: ((decision: RateDecision) => void)[]
  /** A statement for it is under way or about to go out. */
  isAsking: boolean
}

/** A limiter over the shared buckets of this database; it logs when it has to limit alone. */
export function createRateLimiter(sql: SqlClient, log: Logger): SharedRateLimiter {
  const subjects = new LRUCache<string, Subject>({ max: SUBJECTS_MAX })
  let localUntilMs = 0
  const statements = createBatcher<Subject, true>({
    maxInFlight: STATEMENTS_AT_ONCE,
    maxBatch: SUBJECTS_PER_STATEMENT,
    many: askShared,
  })
  const sweeper = repeat({ name: 'rate limit sweep', everyMs: SWEEP_EVERY_MS, log }, () =>
    sweepSubjects(sql),
  )
  return { take, close: () => void sweeper.stop() }

  function take(name: string, limits: CallLimits): Promise<RateDecision> {
    const nowMs = performance.now()
    const subject = subjectOf(name, limits)
    const { bucket } = subject
    bucket.count()
    if (nowMs < localUntilMs) return Promise.resolve(bucket.decideAlone(nowMs))
    const decided = bucket.decide(nowMs)
    if (decided) {
      if (bucket.isLow) void ask(subject)
      return Promise.resolve(decided)
    }
    const { promise, resolve } = Promise.withResolvers<RateDecision>()
    subject.waiting.push(resolve)
    void ask(subject)
    return promise
  }

  function subjectOf(name: string, limits: CallLimits): Subject {
    const known = subjects.get(name)
    if (known) {
      known.bucket.limitTo(limits)
      return known
    }
    const made = { name, bucket: new RateBucket(name, limits), waiting: [], isAsking: false }
    subjects.set(name, made)
    return made
  }

  async function ask(subject: Subject): Promise<void> {
    if (subject.isAsking) return
    subject.isAsking = true
    do {
      await statements.submit(subject)
    } while (subject.waiting.length > 0)
    subject.isAsking = false
  }

  /** Answers everybody who waits for one of these subjects; never rejects. */
  async function askShared(batch: readonly Subject[]): Promise<true[]> {
    const sentMs = performance.now()
    const asked = batch.map((subject) => ({ subject, callers: subject.waiting.splice(0) }))
    const orders = asked.map(({ subject, callers }) => subject.bucket.order(callers.length, sentMs))
    try {
      const grants = await within(takeTokens(sql, orders), STATEMENT_TIMEOUT_MS, () => {
        throw new Error(`no answer within ${STATEMENT_TIMEOUT_MS} ms`)
      })
      for (const { subject, callers } of asked) {
        const grant = grants.get(subject.name)
        if (!grant) throw new Error(`no rate limit row for ${subject.name}`)
        const decisions = subject.bucket.grant(grant, callers.length, sentMs)
        callers.forEach((answer, index) => answer(decisions[index]!))
      }
    } catch (error) {
      localUntilMs = performance.now() + LOCAL_MS
      log.warn(
        { err: error },
        'rate limits are kept by this instance alone: no answer from the database',
      )
      for (const { subject, callers } of asked)
        for (const answer of [...callers, ...subject.waiting.splice(0)])
          answer(subject.bucket.decideAlone(performance.now()))
    }
    return batch.map(() => true)
  }
}
