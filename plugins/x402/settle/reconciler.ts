/**
 * Background work of the rail: finishes settlements that a crash, a lost answer or an outage left
 * behind, renews leases, checks settlements for chain reorganisations. Any instance may do it: each
 * claim is leased, and a transition under an old lease changes nothing.
 */
import { type Background, type Logger, repeat } from '#kernel'
import type { ReorgCheck } from '../chain/reorg-check.ts'
import type { Claim } from '../claims/claim.ts'
import type { Claims } from '../claims/claims.ts'
import { newLease, type Leases } from './leases.ts'
import type { ClaimSettler } from './settle-claim.ts'

export interface ReconcilerOptions {
  claims: Claims
  claimSettler: ClaimSettler
  leases: Leases
  /** The sandbox chain's mark, or null. */
  chainRef: string | null
  /** Null without a node. */
  reorgCheck: ReorgCheck | null
  log: Logger
  /** Pause between looks for work. */
  intervalMs?: number
}

const INTERVAL_MS = 1000
const BATCH = 16
const REORG_CHECK_EVERY_MS = 2000
const PURGE_EVERY_ROUNDS = 600

export class Reconciler {
  readonly #options: ReconcilerOptions
  readonly #tasks: Pick<Background, 'stop'>[] = []
  #rounds = 0

  constructor(options: ReconcilerOptions) {
    this.#options = options
  }

  start(): void {
    const { reorgCheck, leases, log, intervalMs = INTERVAL_MS } = this.#options
    this.#tasks.push(
      repeat(
        { name: 'x402 settlements', everyMs: intervalMs, atOnce: true, log },
        (stopping: AbortSignal) => this.#finishAll(stopping),
      ),
      leases.start(log),
    )
    if (reorgCheck) {
      const everyMs = Math.min(REORG_CHECK_EVERY_MS, intervalMs)
      this.#tasks.push(
        repeat({ name: 'x402 reorg checks', everyMs, log }, () => reorgCheck.round()),
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
    const lease = newLease()
    const due = await claims.leaseSettling(lease, {
      chainRef,
      limit: BATCH,
      ...(id !== undefined && { id }),
    })
    await Promise.all(due.map((claim) => this.#finish(claim, lease.token)))
    return due.length
  }

  async #finish(claim: Claim, token: string): Promise<void> {
    const { claimSettler, log } = this.#options
    try {
      const concluded = await claimSettler.finish(claim, token)
      const { id, attempts } = claim
      log.info({ claim: id, attempts, ...concluded }, 'x402 settlement reconciled')
    } catch (error) {
      // It stays `settling`, and the others of the round go on.
      log.error({ err: error, claim: claim.id }, 'x402 settlement not reconciled')
    }
  }
}
