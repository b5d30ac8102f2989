/** What one instance knows of one subject's shared bucket, and what it asks of it. */
import { Gcra, type CallLimits, type RateDecision } from '#kernel/host'
import type { RateGrant, RateOrder } from './statement.ts'

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
export class RateBucket {
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
