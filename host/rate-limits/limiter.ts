/**
 * How many calls were made, exact across instances. Waiting callers of all subjects go out together in
 * one statement; a busy subject takes tokens ahead, so that most of its calls cost no round trip, and a
 * refused one is remembered until its next token. Without the database each instance limits alone.
 */
import { LRUCache } from 'lru-cache'
import { createBatcher, repeat, within, type Logger } from '#kernel'
import {
  Gcra,
  type CallLimits,
  type RateDecision,
  type SharedRateLimiter,
  type SqlClient,
} from '#kernel/host'
import { sweepSubjects, takeTokens, type RateGrant, type RateOrder } from './statement.ts'

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
  const sweeper = repeat({ name: 'rate limit sweep', everyMs: SWEEP_EVERY_MS, log }, (stopping) =>
    sweepSubjects(sql, stopping),
  )
  return { take, close: () => sweeper.stop() }

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

/** Tokens taken ahead are used within this time at most. */
const LEASE_MAX_MS = 2000
/** Leases of this size are renewed before they are used up. */
const RENEWED_FROM = 8

interface Lease {
  tokens: number
  size: number
  endsMs: number
}

/**
 * What one instance knows of one subject's bucket: tokens that it took ahead from the shared one
 * (leases), until when the shared one is empty, and a limit of its own while the database is away.
 */
class RateBucket {
  readonly #subject: string
  #limits: CallLimits
  /** Tokens taken ahead, oldest first. */
  #leases: Lease[] = []
  #deniedUntilMs = 0
  /** Level of the shared bucket when last seen, and when. */
  #level: number
  #seenMs = -Infinity
  /** Calls since the last statement went out. */
  #recentTakes = 0
  #alone: Gcra | null = null

  constructor(subject: string, limits: CallLimits) {
    this.#subject = subject
    this.#limits = limits
    this.#level = limits.burst
  }

  /** Other limits than before make what is known of the bucket worthless. */
  limitTo(limits: CallLimits): void {
    if (this.#limits.rpm === limits.rpm && this.#limits.burst === limits.burst) return
    this.#limits = limits
    this.#leases = []
    this.#deniedUntilMs = 0
    this.#alone = null
  }

  /** Notes a call, whatever becomes of it: `order` asks ahead by what was used. */
  count(): void {
    this.#recentTakes++
  }

  /** A decision from what is known here; null when the shared bucket must be asked. */
  decide(nowMs: number): RateDecision | null {
    const lease = this.#currentLease(nowMs)
    if (lease) {
      lease.tokens--
      return this.#decision(nowMs, 0)
    }
    const waitMs = this.#deniedUntilMs - nowMs
    return waitMs > 0 ? this.#decision(nowMs, waitMs) : null
  }

  /** Whether a large lease has just run low, with none behind it. */
  get isLow(): boolean {
    const [lease, next] = this.#leases
    if (!lease || next || lease.size < RENEWED_FROM) return false
    return lease.tokens === Math.floor(lease.size / 4)
  }

  /** A decision of this instance alone, while the shared bucket cannot be reached. */
  decideAlone(nowMs: number): RateDecision {
    const { rpm, burst } = this.#limits
    this.#alone ??= new Gcra(this.#intervalMs, burst)
    const retryAfterMs = this.#alone.waitMs(nowMs)
    const allowed = this.#alone.take(nowMs)
    return { allowed, limit: rpm, burst, remaining: this.#alone.remaining(nowMs), retryAfterMs }
  }

  /**
   * What to take from the shared bucket for `demand` waiting calls. Asks ahead for twice what was
   * used in the last lease time. An idle subject gets a few tokens too, since calls come in rows;
   * left unused they are lost, hence a fifth of what refills meanwhile.
   */
  order(demand: number, nowMs: number): RateOrder {
    const leaseMs = this.#leaseMs
    const leaseMax = Math.floor(leaseMs / this.#intervalMs)
    const isBusy = nowMs - this.#seenMs < leaseMs
    const ahead = Math.max(isBusy ? 2 * this.#recentTakes : 0, Math.floor(leaseMax / 5))
    this.#recentTakes = 0
    return {
      subject: this.#subject,
      intervalNs: Math.round(this.#intervalMs * 1e6),
      burst: this.#limits.burst,
      demand,
      ahead: Math.min(leaseMax, ahead),
      leaseNs: Math.max(1, Math.round(leaseMs * 1e6)),
    }
  }

  /** The decisions for `demand` waiting calls, first come first served, after what was granted. */
  grant(grant: RateGrant, demand: number, sentMs: number): RateDecision[] {
    const nowMs = performance.now()
    this.#alone = null
    this.#seenMs = nowMs
    this.#level = grant.remaining
    if (grant.ahead > 0) {
      const endsMs = sentMs + this.#leaseMs
      this.#leases.push({ tokens: grant.ahead, size: grant.ahead, endsMs })
    }
    if (grant.served < demand) this.#deniedUntilMs = nowMs + grant.waitMs
    return Array.from({ length: demand }, (_, place) =>
      this.#decision(nowMs, place < grant.served ? 0 : Math.max(1, grant.waitMs)),
    )
  }

  get #intervalMs(): number {
    return 60_000 / this.#limits.rpm
  }

  /** At most a quarter of the burst is out on a lease at a time. */
  get #leaseMs(): number {
    return Math.min(LEASE_MAX_MS, (this.#limits.burst / 4) * this.#intervalMs)
  }

  /** The oldest lease that still has a token. */
  #currentLease(nowMs: number): Lease | undefined {
    const leases = this.#leases
    while (leases[0] && (leases[0].tokens === 0 || nowMs >= leases[0].endsMs)) leases.shift()
    return leases[0]
  }

  #decision(nowMs: number, retryAfterMs: number): RateDecision {
    const { rpm, burst } = this.#limits
    const refilled = Math.floor((nowMs - this.#seenMs) / this.#intervalMs)
    const leased = this.#leases.reduce((sum, lease) => sum + lease.tokens, 0)
    const left = Math.min(burst, this.#level + refilled + leased)
    return {
      allowed: retryAfterMs === 0,
      limit: rpm,
      burst,
      remaining: retryAfterMs === 0 ? Math.max(0, left) : 0,
      retryAfterMs,
    }
  }
}
