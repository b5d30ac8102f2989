/** Products that could not be mounted: why, since when, and when to try again. */
import { isWithin, type MountFailure } from '#kernel/host'

const FIRST_RETRY_MS = 5000
const LAST_RETRY_MS = 60_000

interface Attempted extends MountFailure {
  productId: string
  /** The attempted version: the hash of a document, or the change of a database row. */
  version: string
  /** Where it would be mounted; null if the spec does not say. */
  basePath: string | null
  attempts: number
  retryAt: number
}

export class Retries {
  readonly #failed = new Map<string, Attempted>()

  /** Records a failure; true if it differs from the last one of this product. */
  failed(failure: Omit<Attempted, 'since' | 'attempts' | 'retryAt'>): boolean {
    const before = this.#failed.get(failure.productId)
    const isSame = before?.version === failure.version
    const attempts = isSame ? before.attempts + 1 : 1
    this.#failed.set(failure.productId, {
      ...failure,
      since: isSame ? before.since : new Date(),
      attempts,
      // 5, 10, 20, 40, then every 60 seconds.
      retryAt: performance.now() + Math.min(FIRST_RETRY_MS * 2 ** (attempts - 1), LAST_RETRY_MS),
    })
    return !isSame || before.problems[0]?.message !== failure.problems[0]?.message
  }

  done(productId: string): void {
    this.#failed.delete(productId)
  }

  /** Forgets every product that is not among these. */
  keepOnly(productIds: ReadonlyMap<string, unknown>): void {
    for (const id of this.#failed.keys()) if (!productIds.has(id)) this.#failed.delete(id)
  }

  /** Whether this version was not tried yet or its next try is due. */
  isDue(productId: string, version: string): boolean {
    const failed = this.#failed.get(productId)
    return !failed || failed.version !== version || performance.now() >= failed.retryAt
  }

  hasAny(): boolean {
    return this.#failed.size > 0
  }

  /** The product that would serve this path, and the time until its next try. */
  over(pathname: string): { productId: string; retryAfterMs: number } | null {
    for (const [productId, { basePath, retryAt }] of this.#failed) {
      const byId = `/v1/p/${productId}`
      if (isWithin(pathname, byId) || (basePath !== null && isWithin(pathname, basePath)))
        return { productId, retryAfterMs: Math.max(0, retryAt - performance.now()) }
    }
    return null
  }

  /** Makes the retries of products that failed at this stage due now. */
  hasten(stage: string): void {
    for (const failed of this.#failed.values()) if (failed.stage === stage) failed.retryAt = 0
  }

  problems(): MountFailure[] {
    return [...this.#failed.values()].map(({ productId, file, stage, problems, since }) => ({
      productId,
      file,
      stage,
      problems,
      since,
    }))
  }
}
