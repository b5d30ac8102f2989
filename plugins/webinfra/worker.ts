/**
 * The background side: claims due forwards while there are free slots, probes keys that wait for
 * funds, purges what is past its time, and drains at shutdown. Any number of instances may run it.
 */
import type { Billing, Logger, PluginDb } from '#kernel'
import { WAKE_AT_ONCE, type Forwarder, type ForwardResult, type Payment } from './forwarder.ts'
import type { Claimed } from './store/claimed.ts'
import { purge } from './store/purge.ts'
import { claimDue, probeParked, wakeKey } from './store/queue.ts'
import type { RelayConfig } from './config.ts'

export interface WorkerDeps {
  db: PluginDb
  billing: Billing
  forwarder: Forwarder
  config: RelayConfig
  log: Logger
  now(): Date
}

const CLAIM_AT_ONCE = 32
const PURGE_EVERY_MS = 300_000
/** Attempts still on the wire are cut off so long before the deadline of a shutdown. */
const CUT_MARGIN_MS = 2000

export class Worker {
  readonly #deps: WorkerDeps
  readonly #underWay = new Set<Promise<unknown>>()
  readonly #perDestination = new Map<string, number>()
  readonly #cut = new AbortController()
  readonly #timers = new Set<ReturnType<typeof setInterval>>()
  readonly #rounds = new Set<Promise<unknown>>()
  #unsubscribe: (() => void) | null = null
  #looking = false
  #wanted = false
  #mayBeMore = false
  #stopped = false

  constructor(deps: WorkerDeps) {
    this.#deps = deps
  }

  start(): void {
    const { config, billing, db, now } = this.#deps
    this.#every(config.pollMs, async () => this.look())
    this.#every(config.fundsPollMs, async () => {
      if ((await probeParked(db, now())) > 0) this.look()
    })
    this.#every(PURGE_EVERY_MS, () => purge(db, config, now()))
    this.#unsubscribe = billing.onFunded((keyId) =>
      this.#round(async () => {
        if ((await wakeKey(db, keyId, WAKE_AT_ONCE, now())) > 0) this.look()
      }),
    )
    this.look()
  }

  /** Whether `count` more forwards may be sent at once by this instance. */
  hasRoom(count: number): boolean {
    return !this.#stopped && this.#underWay.size + count <= this.#deps.config.concurrency
  }

  /** Sends a forward that was claimed for this instance; a failure of the gateway itself is `lost`. */
  async run(
    claimed: Claimed,
    options: { payment: Payment; waits: boolean },
  ): Promise<ForwardResult> {
    const { forwarder, log } = this.#deps
    const { id } = claimed.destination
    const running = forwarder
      .run(claimed, { ...options, signal: this.#cut.signal })
      .catch((error: unknown): ForwardResult => {
        // The lease runs out and the forward is claimed anew.
        log.error({ err: error, forward: claimed.forwardId }, 'a forward was not finished')
        return { state: 'lost', chargedAtomic: 0n, unpaid: false }
      })
      .finally(() => {
        this.#underWay.delete(running)
        this.#count(id, -1)
        this.#refill(id)
      })
    this.#underWay.add(running)
    this.#count(id, 1)
    return running
  }

  /** Claims what is due now; called by the timer and whenever something may have become due. */
  look(): void {
    this.#wanted = true
    if (this.#looking || this.#stopped) return
    this.#looking = true
    this.#round(async () => {
      try {
        while (this.#wanted && !this.#stopped) {
          this.#wanted = false
          await this.#claim()
        }
      } finally {
        this.#looking = false
      }
    })
  }

  async #claim(): Promise<void> {
    const { db, config, now } = this.#deps
    const free = config.concurrency - this.#underWay.size
    const limit = Math.min(free, CLAIM_AT_ONCE, config.perDestination)
    this.#mayBeMore = true
    if (limit <= 0) return
    const busy = [...this.#perDestination]
      .filter(([, count]) => count >= config.perDestination)
      .map(([id]) => id)
    const claimed = await claimDue(db, {
      now: now(),
      limit,
      leaseMarginMs: config.leaseMarginMs,
      busyDestinations: busy,
    })
    const full = claimed.length === limit
    this.#mayBeMore = full || busy.length > 0
    if (full) this.#wanted = true
    for (const forward of claimed) void this.run(forward, { payment: 'key', waits: true })
  }

  /** After an attempt: looks again once enough slots are free for a claim to be worth its query. */
  #refill(destinationId: string): void {
    const { concurrency, perDestination } = this.#deps.config
    const enough = Math.max(1, Math.min(CLAIM_AT_ONCE / 2, Math.floor(concurrency / 4)))
    const free = concurrency - this.#underWay.size
    const isBusy = (this.#perDestination.get(destinationId) ?? 0) >= perDestination
    if (this.#mayBeMore && free >= enough && !isBusy) this.look()
  }

  /** No new claims; attempts under way finish, or are cut shortly before the deadline. */
  async stop(deadline: Date): Promise<void> {
    this.#stopped = true
    this.#unsubscribe?.()
    for (const timer of this.#timers) clearInterval(timer)
    const leftMs = Math.max(0, deadline.getTime() - Date.now() - CUT_MARGIN_MS)
    const cut = setTimeout(() => this.#cut.abort(), leftMs)
    while (this.#rounds.size > 0 || this.#underWay.size > 0) {
      await Promise.allSettled([...this.#rounds, ...this.#underWay])
    }
    clearTimeout(cut)
  }

  #count(destinationId: string, by: 1 | -1): void {
    const count = (this.#perDestination.get(destinationId) ?? 0) + by
    if (count === 0) this.#perDestination.delete(destinationId)
    else this.#perDestination.set(destinationId, count)
  }

  #every(ms: number, work: () => Promise<unknown>): void {
    this.#timers.add(setInterval(() => this.#round(work), ms))
  }

  #round(work: () => Promise<unknown>): void {
    const round = work()
      .catch((error: unknown) => this.#deps.log.warn({ err: error }, 'a round of the relay failed'))
      .finally(() => this.#rounds.delete(round))
    this.#rounds.add(round)
  }
}
