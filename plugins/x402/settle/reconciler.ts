/**
 * Finishes settlements that a crash, a lost answer or an outage left behind. Any instance may do
 * it: each claim is leased, and a transition of an old lease holder changes nothing.
 */
import { type Background, type Logger, newId, repeat } from '#kernel'
import type { Claim, ClaimOrder } from '../claims/claim.ts'
import type { Claims } from '../claims/claims.ts'
import { taking, wordsOf } from '../payment/payload.ts'
import type { Recheck } from '../chain/reorg-check.ts'
import type { Settlement, Settlements } from './settlement.ts'

export interface ReconcilerOptions {
  claims: Claims
  settlements: Settlements
  /** The sandbox chain's mark, or null. */
  chainRef: string | null
  /** Whether a node can tell how an expired authorization ended. */
  hasChain: boolean
  /** Looks again at what was settled; null without a node. */
  recheck?: Recheck | null
  log: Logger
  /** Pause between looks for work. */
  intervalMs?: number
}

/** What a claim became. */
export type Concluded =
  | { state: 'settled'; transaction: string; ledgerId: string }
  | { state: 'failed'; reason: string; detail?: string }
  | { state: 'open'; detail: string }

const INTERVAL_MS = 1000
const BATCH = 16
/** A dead worker's settlement is taken over after this; a living one renews it in time. */
const LEASE_MS = 20_000
const RENEW_EVERY_MS = 5000
const FIRST_RETRY_MS = 1000
const LONGEST_RETRY_MS = 60_000
const BLIND_RETRY_MS = { early: 4000, late: 3_600_000 }
/** Clocks differ; a block may be older than ours when it is mined. */
const EXPIRY_GRACE_S = 60n
const RECHECK_EVERY_MS = 2000
const PURGE_EVERY_ROUNDS = 600

export class Reconciler {
  readonly #options: ReconcilerOptions
  /** Lease tokens of the claims that this instance settles or streams, by claim. */
  readonly #held = new Map<string, string>()
  readonly #tasks: Background[] = []
  #rounds = 0

  constructor(options: ReconcilerOptions) {
    this.#options = options
  }

  start(): void {
    const { claims, recheck, log, intervalMs = INTERVAL_MS } = this.#options
    this.#tasks.push(
      repeat(
        { name: 'x402 settlements', everyMs: intervalMs, atOnce: true, log },
        (stopping: AbortSignal) => this.#finishAll(stopping),
      ),
      // A lease that is lost costs a second attempt, never a second payment.
      repeat({ name: 'x402 leases', everyMs: RENEW_EVERY_MS, log }, async () => {
        if (this.#held.size > 0) await claims.renew(this.#held, leaseEnd())
      }),
    )
    if (recheck) {
      const everyMs = Math.min(RECHECK_EVERY_MS, intervalMs)
      let isTakenUp = false
      this.#tasks.push(
        repeat({ name: 'x402 second looks', everyMs, log }, async () => {
          if (!isTakenUp) await recheck.takeUp()
          isTakenUp = true
          await recheck.round()
        }),
      )
    }
  }

  /** Resolves when the rounds under way are over. */
  async stop(): Promise<void> {
    await Promise.all(this.#tasks.splice(0).map((task) => task.stop()))
  }

  /** Looks at one claim now, for a caller that came back with its payment. */
  async resolve(id: string): Promise<void> {
    await this.#round(id)
  }

  async #finishAll(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted && (await this.#round()) === BATCH);
    if (this.#rounds++ % PURGE_EVERY_ROUNDS === 0) await this.#options.claims.purge()
  }

  async #round(id?: string): Promise<number> {
    const { claims, chainRef } = this.#options
    const lease = leaseOf()
    const due = await claims.leaseSettling(lease, {
      chainRef,
      limit: BATCH,
      ...(id !== undefined && { id }),
    })
    await Promise.all(due.map((claim) => this.#finish(claim, lease.token)))
    return due.length
  }

  async #finish(claim: Claim, token: string): Promise<void> {
    const { settlements, log } = this.#options
    try {
      const result = await this.holding(claim.id, token, () =>
        settlements.settle(taking(claim.payment!, claim.amountAtomic), claim.uncertain),
      )
      const ended = await this.conclude(claim, token, result)
      const { id, attempts } = claim
      log.info({ claim: id, attempts, ...ended }, 'x402 settlement reconciled')
    } catch (error) {
      // It stays `settling`, and the others of the round go on.
      log.error({ err: error, claim: claim.id }, 'x402 settlement not reconciled')
    }
  }

  /** Runs `work` and keeps the lease of its claim meanwhile. */
  async holding<T>(id: string, token: string, work: () => Promise<T>): Promise<T> {
    const letGo = this.hold(id, token)
    try {
      return await work()
    } finally {
      letGo()
    }
  }

  /** Keeps the lease of a claim until the returned function is called. */
  hold(id: string, token: string): () => void {
    this.#held.set(id, token)
    return () => {
      // Another worker of this instance may have taken the claim over.
      if (this.#held.get(id) === token) this.#held.delete(id)
    }
  }

  /**
   * Writes what a settlement came to; an open one is put off, and given up when it cannot happen.
   * `streaming`: the answer goes out now as a stream, under the lease.
   */
  async conclude(
    claim: Claim | (ClaimOrder & { attempts: number }),
    token: string,
    result: Settlement,
    streaming = false,
  ): Promise<Concluded> {
    const { claims, recheck, hasChain } = this.#options
    if (result.outcome === 'settled') {
      const until = streaming ? leaseEnd() : null
      const { ledgerId } = await claims.settled(claim.id, result.transaction, until)
      if (recheck && claim.payment) {
        recheck.add(claim.id, taking(claim.payment, claim.amountAtomic), result.transaction)
      }
      return { state: 'settled', transaction: result.transaction, ledgerId }
    }
    if (result.outcome === 'refused') return this.#failed(claim.id, token, result)
    const nowS = BigInt(Math.floor(Date.now() / 1000))
    const expired = claim.validBefore + EXPIRY_GRACE_S < nowS
    if (expired && !result.uncertain && !hasChain) {
      return this.#failed(claim.id, token, wordsOf(claim.payment!).validBefore)
    }
    // Without a node only a facilitator can tell how it ended, and only until it expires; afterwards
    // it waits for an operator.
    const longestMs = hasChain
      ? LONGEST_RETRY_MS
      : expired
        ? BLIND_RETRY_MS.late
        : BLIND_RETRY_MS.early
    const retryMs = Math.min(FIRST_RETRY_MS * 2 ** Math.max(0, claim.attempts - 1), longestMs)
    await claims.postpone(claim.id, token, {
      reason: result.detail.slice(0, 300),
      uncertain: result.uncertain,
      retryAt: new Date(Date.now() + retryMs),
    })
    return { state: 'open', detail: result.detail }
  }

  /** A refusal counts from whoever has the lease: a later worker may have settled meanwhile. */
  async #failed(
    id: string,
    token: string,
    { reason, detail }: { reason: string; detail?: string },
  ): Promise<Concluded> {
    const isOurs = await this.#options.claims.failed(id, token, reason)
    if (!isOurs) return { state: 'open', detail: 'another worker has taken the settlement over' }
    return { state: 'failed', reason, ...(detail !== undefined && { detail }) }
  }
}

/** A fresh lease for one settlement worker. */
export function leaseOf(): { token: string; until: Date } {
  return { token: newId(), until: leaseEnd() }
}

function leaseEnd(): Date {
  return new Date(Date.now() + LEASE_MS)
}
