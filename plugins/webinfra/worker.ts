/**
 * The background side: claims due forwards while there are free slots, probes keys that wait for
 * funds, purges what is past its time, and drains at shutdown. Any number of instances may run it.
 */
import { repeat, type Background, type Billing, type Logger, type PluginDb } from '#kernel'
import { WAKE_AT_ONCE, type Forwarder, type ForwardResult, type Payment } from './forwarder.ts'
import type { Claimed } from './store/claimed.ts'
import { purge } from './store/purge.ts'
import { longestDelayMs } from './schedule.ts'
import { claimDue, probeParked, pullBack, wakeKey } from './store/queue.ts'
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
  /** Keys that were funded since the last look at parked forwards. */
  readonly #funded = new Set<string>()
  #rounds: Background[] = []
  #claims: Background | null = null
  #unsubscribe: (() => void) | null = null
  #mayBeMore = false
  #stopped = false

  constructor(deps: WorkerDeps) {
    this.#deps = deps
  }

  start(): void {
    const { config, billing, log } = this.#deps
    const { pollMs, fundsPollMs } = config
    this.#claims = repeat({ name: 'webhook claims', everyMs: pollMs, atOnce: true, log }, () =>
      this.#claim(),
    )
    // Apart, because each wake puts the next round of a task off: with top-ups all the time no key would be probed.
    const probes = repeat({ name: 'webhook funds', everyMs: fundsPollMs, log }, () => this.#probe())
    const topups = repeat({ name: 'webhook top-ups', everyMs: fundsPollMs, log }, () =>
      this.#wakeFunded(),
    )
    const purges = repeat({ name: 'webhook purge', everyMs: PURGE_EVERY_MS, log }, () =>
      this.#tidy(),
    )
    this.#rounds = [this.#claims, probes, topups, purges]
    this.#unsubscribe = billing.onFunded((keyId) => {
      this.#funded.add(keyId)
      topups.wake()
    })
  }

  /**
   * Whether this instance may send one more forward to each of the destinations at once. A slow one
   * would take every slot and leave none to those of others: the last quarter is kept for them.
   */
  hasRoom(destinationIds: readonly string[]): boolean {
    const { concurrency, perDestination } = this.#deps.config
    if (this.#stopped || this.#underWay.size + destinationIds.length > concurrency) return false
    const most = Math.max(perDestination, Math.ceil((concurrency * 3) / 4))
    return destinationIds.every((id) => (this.#perDestination.get(id) ?? 0) < most)
  }

  #isFull(destinationId: string): boolean {
    return (this.#perDestination.get(destinationId) ?? 0) >= this.#deps.config.perDestination
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

  /** Claims what is due now; for whenever something may have become due. */
  look(): void {
    this.#claims?.wake()
  }

  async #tidy(): Promise<void> {
    const { config, db, log } = this.#deps
    await purge(db, config)
    const pulled = await pullBack(db, longestDelayMs(config.scheduleMs))
    if (pulled > 0) log.warn({ forwards: pulled }, 'webhooks put off by a clock that was ahead')
  }

  /** One parked forward of each key becomes due: what its budgets or its balance allow by now is announced nowhere. */
  async #probe(): Promise<void> {
    const { db, now } = this.#deps
    if ((await probeParked(db, now())) > 0) this.look()
  }

  /** Parked forwards of keys that were funded become due. */
  async #wakeFunded(): Promise<void> {
    const { db, now } = this.#deps
    const funded = [...this.#funded]
    this.#funded.clear()
    let woken = 0
    for (const keyId of funded) woken += await wakeKey(db, keyId, WAKE_AT_ONCE, now())
    if (woken > 0) this.look()
  }

  async #claim(): Promise<void> {
    const { db, config, now } = this.#deps
    const free = config.concurrency - this.#underWay.size
    const limit = Math.min(free, CLAIM_AT_ONCE)
    this.#mayBeMore = true
    if (limit <= 0) return
    const { leaseMarginMs, perDestination } = config
    const counts = [...this.#perDestination]
    const claimed = await claimDue(db, {
      now: now(),
      limit,
      leaseMarginMs,
      busyDestinations: counts.flatMap(([id, count]) => Array<string>(count).fill(id)),
      perDestination,
    })
    for (const forward of claimed) void this.run(forward, { payment: null, waits: true })
    // A claim without room for all of one destination's may have passed over younger ones of others.
    const isFull =
      claimed.length === limit || claimed.some((one) => this.#isFull(one.destination.id))
    this.#mayBeMore = isFull || counts.some(([, count]) => count >= perDestination)
    if (isFull) this.look()
  }

  /** After an attempt: looks again once enough slots are free for a claim to be worth its query. */
  #refill(destinationId: string): void {
    const { concurrency } = this.#deps.config
    const enough = Math.max(1, Math.min(CLAIM_AT_ONCE / 2, Math.floor(concurrency / 4)))
    const free = concurrency - this.#underWay.size
    if (this.#mayBeMore && free >= enough && !this.#isFull(destinationId)) this.look()
  }

  /** No new claims; attempts under way finish, or are cut shortly before the deadline. */
  async stop(deadline: Date): Promise<void> {
    this.#stopped = true
    this.#unsubscribe?.()
    const leftMs = Math.max(0, deadline.getTime() - Date.now() - CUT_MARGIN_MS)
    const cut = setTimeout(() => this.#cut.abort(), leftMs)
    await Promise.all(this.#rounds.map((round) => round.stop()))
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay)
    clearTimeout(cut)
  }

  #count(destinationId: string, by: 1 | -1): void {
    const count = (this.#perDestination.get(destinationId) ?? 0) + by
    if (count === 0) this.#perDestination.delete(destinationId)
    else this.#perDestination.set(destinationId, count)
  }
}
