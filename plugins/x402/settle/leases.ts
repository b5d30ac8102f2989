/**
 * Leases of claims that are settled or streamed: whoever does that renews its lease until it lets go, and
 * another instance takes over what nobody renews.
 */
import { newId, repeat, type Background, type Logger } from '#kernel'
import type { Claims } from '../claims/claims.ts'
import type { Lease } from '../claims/claim.ts'

/** A dead worker's claim is taken over after this; a living worker renews it in time. */
export const LEASE_MS = 20_000
const RENEW_EVERY_MS = 5000

/** A fresh lease for one worker. */
export function newLease(): Lease {
  return { token: newId(), ms: LEASE_MS }
}

export class Leases {
  readonly #claims: Claims
  /** Lease tokens of what this instance settles or streams, by claim. */
  readonly #held = new Map<string, string>()
  #renewing: Background | null = null
  #isStopped = false

  constructor(claims: Claims) {
    this.#claims = claims
  }

  /**
   * Renews what is held. A lease that is lost all the same costs a second attempt, no second payment.
   * After the returned `stop` it goes on until all is let go: a stream may outlive the revision of
   * the rail that was paid for it, and without a lease its buyer could have it a second time.
   */
  start(log: Logger): Pick<Background, 'stop'> {
    this.#renewing = repeat({ name: 'x402 leases', everyMs: RENEW_EVERY_MS, log }, async () => {
      if (this.#held.size > 0) await this.#claims.renew(this.#held, LEASE_MS)
    })
    return {
      stop: async () => {
        this.#isStopped = true
        await this.#endIfIdle()
      },
    }
  }

  /** Renews the lease of a claim until the returned function is called. */
  hold(id: string, token: string): () => void {
    this.#held.set(id, token)
    return () => {
      // Another worker of this instance may have taken the claim over.
      if (this.#held.get(id) !== token) return
      this.#held.delete(id)
      void this.#endIfIdle()
    }
  }

  /** Renews the lease of a claim while `work` runs. */
  async holding<T>(id: string, token: string, work: () => Promise<T>): Promise<T> {
    const letGo = this.hold(id, token)
    try {
      return await work()
    } finally {
      letGo()
    }
  }

  async #endIfIdle(): Promise<void> {
    if (this.#isStopped && this.#held.size === 0) await this.#renewing?.stop()
  }
}
