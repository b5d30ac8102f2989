/**
 * Calls per key, exact across instances. Waiting callers of all subjects go out together in one
 * statement; a busy subject takes tokens ahead, so that most of its calls cost no round trip, and a
 * refused one is remembered until its next token. Without the database each instance limits alone.
 */
import { LRUCache } from 'lru-cache'
import type { Logger } from '../log/logger.ts'
import type { SqlClient } from '../storage/contract.ts'
import type { RateDecision, RateLimiter } from './contract.ts'
import { Gcra } from './gcra.ts'
import { sweepSubjects, takeTokens, type RateGrant, type RateOrder } from './rate-statement.ts'

const SUBJECTS_MAX = 50_000
const STATEMENTS_AT_ONCE = 2
const SUBJECTS_PER_STATEMENT = 500
/** Tokens taken ahead are used within this time at most. */
const LEASE_MAX_MS = 2000
/** Leases of this size are renewed before they are used up. */
const RENEWED_FROM = 8
/** A slower database counts as away, and is left alone for LOCAL_MS. */
const STATEMENT_TIMEOUT_MS = 2000
const LOCAL_MS = 1000
const SWEEP_EVERY_MS = 600_000

interface Limits {
  rpm: number
  burst: number
}

interface Lease {
  tokens: number
  size: number
  endsMs: number
}

interface Subject {
  name: string
  limits: Limits
  waiting: ((decision: RateDecision) => void)[]
  isQueued: boolean
  isTaking: boolean
  /** Tokens taken ahead, oldest first. */
  leases: Lease[]
  deniedUntilMs: number
  /** Level of the shared bucket when last seen, and when. */
  level: number
  seenMs: number
  /** Calls since the last statement went out. */
  recentTakes: number
  /** This instance's own limit while the database is away. */
  local: Gcra | null
}

export interface SharedRateLimiter extends RateLimiter {
  /** Ends the background sweep. */
  close(): void
}

export function createRateLimiter(sql: SqlClient, log: Logger): SharedRateLimiter {
  const subjects = new LRUCache<string, Subject>({ max: SUBJECTS_MAX })
  const queue: Subject[] = []
  let statementsOpen = 0
  let isFlushing = false
  let localUntilMs = 0

  function take(name: string, limits: Limits): Promise<RateDecision> {
    const nowMs = performance.now()
    const subject = subjectOf(name, limits)
    subject.recentTakes++
    if (nowMs < localUntilMs) return Promise.resolve(takeAlone(subject, nowMs))
    const lease = currentLease(subject, nowMs)
    if (lease) {
      lease.tokens--
      const isLow = lease.size >= RENEWED_FROM && lease.tokens === Math.floor(lease.size / 4)
      if (isLow && subject.leases.length === 1) enqueue(subject)
      return Promise.resolve(decide(subject, nowMs, 0))
    }
    if (nowMs < subject.deniedUntilMs) {
      return Promise.resolve(decide(subject, nowMs, subject.deniedUntilMs - nowMs))
    }
    const { promise, resolve } = Promise.withResolvers<RateDecision>()
    subject.waiting.push(resolve)
    enqueue(subject)
    return promise
  }

  function subjectOf(name: string, limits: Limits): Subject {
    const known = subjects.get(name)
    if (known) {
      if (known.limits.rpm !== limits.rpm || known.limits.burst !== limits.burst) {
        Object.assign(known, { limits, leases: [], deniedUntilMs: 0, local: null })
      }
      return known
    }
    const made = newSubject(name, limits)
    subjects.set(name, made)
    return made
  }

  function enqueue(subject: Subject): void {
    if (subject.isQueued || subject.isTaking) return
    subject.isQueued = true
    queue.push(subject)
    if (isFlushing) return
    isFlushing = true
    // What arrives in this turn of the event loop goes out together.
    setImmediate(flush)
  }

  function flush(): void {
    isFlushing = false
    while (statementsOpen < STATEMENTS_AT_ONCE && queue.length > 0) {
      void settle(queue.splice(0, SUBJECTS_PER_STATEMENT))
    }
  }

  async function settle(batch: Subject[]): Promise<void> {
    statementsOpen++
    const sentMs = performance.now()
    const callers = new Map<Subject, Subject['waiting']>()
    const orders = batch.map((subject) => {
      subject.isQueued = false
      subject.isTaking = true
      const waiting = subject.waiting.splice(0)
      callers.set(subject, waiting)
      const order = orderOf(subject, waiting.length, sentMs)
      subject.recentTakes = 0
      return order
    })
    try {
      const grants = await withTimeout(takeTokens(sql, orders))
      for (const [subject, resolvers] of callers) {
        const grant = grants.get(subject.name)
        if (!grant) throw new Error(`no rate limit row for ${subject.name}`)
        apply(subject, grant, resolvers, sentMs)
      }
    } catch (error) {
      localUntilMs = performance.now() + LOCAL_MS
      log.warn(
        { err: error },
        'rate limits are kept by this instance alone: no answer from the database',
      )
      for (const [subject, resolvers] of callers) {
        for (const resolve of [...resolvers, ...subject.waiting.splice(0)]) {
          resolve(takeAlone(subject, performance.now()))
        }
      }
    } finally {
      statementsOpen--
      for (const subject of batch) {
        subject.isTaking = false
        if (subject.waiting.length > 0) enqueue(subject)
      }
      flush()
    }
  }

  const sweeper = setInterval(() => {
    sweepSubjects(sql).catch((error: unknown) =>
      log.warn({ err: error }, 'rate limit sweep failed'),
    )
  }, SWEEP_EVERY_MS)
  sweeper.unref()

  return { take, close: () => clearInterval(sweeper) }
}

function newSubject(name: string, limits: Limits): Subject {
  return {
    name,
    limits,
    waiting: [],
    isQueued: false,
    isTaking: false,
    leases: [],
    deniedUntilMs: 0,
    level: limits.burst,
    seenMs: -Infinity,
    recentTakes: 0,
    local: null,
  }
}

function intervalMsOf(limits: Limits): number {
  return 60_000 / limits.rpm
}

/** At most a quarter of the burst is out on a lease at a time. */
function leaseMsOf(limits: Limits): number {
  return Math.min(LEASE_MAX_MS, (limits.burst / 4) * intervalMsOf(limits))
}

/**
 * Asks ahead for twice what the subject used in its last lease time. An idle one gets a few tokens
 * too, since calls come in rows; left unused they are lost, hence a fifth of what refills meanwhile.
 */
function orderOf(subject: Subject, demand: number, nowMs: number): RateOrder {
  const { limits } = subject
  const intervalMs = intervalMsOf(limits)
  const leaseMs = leaseMsOf(limits)
  const leaseMax = Math.floor(leaseMs / intervalMs)
  const isBusy = nowMs - subject.seenMs < leaseMs
  const ahead = Math.max(isBusy ? 2 * subject.recentTakes : 0, Math.floor(leaseMax / 5))
  return {
    subject: subject.name,
    intervalNs: Math.round(intervalMs * 1e6),
    burst: limits.burst,
    demand,
    ahead: Math.min(leaseMax, ahead),
    leaseNs: Math.max(1, Math.round(leaseMs * 1e6)),
  }
}

function apply(
  subject: Subject,
  grant: RateGrant,
  resolvers: Subject['waiting'],
  sentMs: number,
): void {
  const nowMs = performance.now()
  subject.local = null
  subject.seenMs = nowMs
  subject.level = grant.remaining
  if (grant.ahead > 0) {
    const endsMs = sentMs + leaseMsOf(subject.limits)
    subject.leases.push({ tokens: grant.ahead, size: grant.ahead, endsMs })
  }
  const isShort = grant.served < resolvers.length
  if (isShort) subject.deniedUntilMs = nowMs + grant.waitMs
  resolvers.forEach((resolve, place) =>
    resolve(decide(subject, nowMs, place < grant.served ? 0 : Math.max(1, grant.waitMs))),
  )
}

/** The oldest lease that still has a token. */
function currentLease(subject: Subject, nowMs: number): Lease | undefined {
  const { leases } = subject
  while (leases[0] && (leases[0].tokens === 0 || nowMs >= leases[0].endsMs)) leases.shift()
  return leases[0]
}

function decide(subject: Subject, nowMs: number, retryAfterMs: number): RateDecision {
  const { rpm, burst } = subject.limits
  const refilled = Math.floor((nowMs - subject.seenMs) / intervalMsOf(subject.limits))
  const leased = subject.leases.reduce((sum, lease) => sum + lease.tokens, 0)
  const left = Math.min(burst, subject.level + refilled + leased)
  return {
    allowed: retryAfterMs === 0,
    limit: rpm,
    burst,
    remaining: retryAfterMs === 0 ? Math.max(0, left) : 0,
    retryAfterMs,
  }
}

function takeAlone(subject: Subject, nowMs: number): RateDecision {
  const { rpm, burst } = subject.limits
  subject.local ??= new Gcra(intervalMsOf(subject.limits), burst)
  const retryAfterMs = subject.local.waitMs(nowMs)
  const allowed = subject.local.take(nowMs)
  return { allowed, limit: rpm, burst, remaining: subject.local.remaining(nowMs), retryAfterMs }
}

async function withTimeout<T>(work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`no answer within ${STATEMENT_TIMEOUT_MS} ms`)),
      STATEMENT_TIMEOUT_MS,
    )
  })
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}
