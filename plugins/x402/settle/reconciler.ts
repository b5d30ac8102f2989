/**
 * Background work of an entry: finishes settlements that a crash, a lost answer or an outage left
 * behind, checks settlements for chain reorganisations. Any instance may do it: each
 * claim is leased, and a transition under an old lease changes nothing.
 */
import { type Background, type Logger, repeat } from '#kernel'
import type { Claim, EntryPlace } from '../claims/claim.ts'
import type { Claims } from '../claims/claims.ts'
import { newLease } from './leases.ts'
import type { SettlementWatch } from './reorg-check.ts'
import type { ClaimSettler } from './settle-claim.ts'

export interface ReconcilerOptions {
  claims: Claims
  claimSettler: ClaimSettler
  /** Whose claims it finishes. */
  place: EntryPlace
  /** Null without a node. */
  reorgCheck: SettlementWatch | null
  log: Logger
  /** Pause between looks for work. */
  intervalMs?: number
}

const INTERVAL_MS = 1000
const BATCH = 16
const REORG_CHECK_EVERY_MS = 2000

export class Reconciler {
  readonly #options: ReconcilerOptions
  readonly #tasks: Pick<Background, 'stop'>[] = []

  constructor(options: ReconcilerOptions) {
    this.#options = options
  }

  start(): void {
    const { reorgCheck, log, intervalMs = INTERVAL_MS } = this.#options
    this.#tasks.push(
      repeat(
        { name: 'x402 settlements', everyMs: intervalMs, atOnce: true, log },
        (stopping: AbortSignal) => this.#finishAll(stopping),
      ),
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
  }

  async #round(id?: string): Promise<number> {
    const { claims, place } = this.#options
    const lease = newLease()
    const due = await claims.leaseSettling(lease, {
      ...place,
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
