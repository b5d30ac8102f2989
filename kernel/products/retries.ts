/** Products that could not follow the database: why, since when, and when to try again. */
import { isWithin } from './path.ts'
import type { SpecProblem } from './problem.ts'

const FIRST_RETRY_MS = 5000
const LAST_RETRY_MS = 60_000

interface Failed {
  change: bigint
  /** Where it would be mounted; null for a spec that does not say. */
  basePath: string | null
  stage: string
  problems: readonly SpecProblem[]
  since: Date
  attempts: number
  retryAt: number
}

export class Retries {
  readonly #failed = new Map<string, Failed>()

  /** Records a failure; true when it is news. */
  failed(
    productId: string,
    change: bigint,
    basePath: string | null,
    stage: string,
    problems: readonly SpecProblem[],
  ): boolean {
    const before = this.#failed.get(productId)
    const isSame = before?.change === change
    const attempts = isSame ? before.attempts + 1 : 1
    this.#failed.set(productId, {
      change,
      basePath,
      stage,
      problems,
      since: isSame ? before.since : new Date(),
      attempts,
      retryAt: Date.now() + retryAfterMs(attempts),
    })
    return !isSame || before.problems[0]?.message !== problems[0]?.message
  }

  done(productId: string): void {
    this.#failed.delete(productId)
  }

  /** Whether this change was not tried yet, or its next try is due. */
  isDue(productId: string, change: bigint): boolean {
    const failed = this.#failed.get(productId)
    return !failed || failed.change !== change || Date.now() >= failed.retryAt
  }

  hasAny(): boolean {
    return this.#failed.size > 0
  }

  /** The product that would be mounted over this path, and how long until its next try. */
  over(pathname: string): { productId: string; retryAfterMs: number } | null {
    for (const [productId, { basePath, retryAt }] of this.#failed) {
      const byId = `/v1/p/${productId}`
      if (isWithin(pathname, byId) || (basePath !== null && isWithin(pathname, basePath)))
        return { productId, retryAfterMs: Math.max(0, retryAt - Date.now()) }
    }
    return null
  }

  /** Makes every retry due. */
  hasten(): void {
    for (const failed of this.#failed.values()) failed.retryAt = 0
  }

  problems(): {
    productId: string
    file: null
    stage: string
    problems: readonly SpecProblem[]
    since: Date
  }[] {
    return [...this.#failed].map(([productId, { stage, problems, since }]) => ({
      productId,
      file: null,
      stage,
      problems,
      since,
    }))
  }
}

/** 5, 10, 20, 40, then every 60 seconds. */
export function retryAfterMs(attempts: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** (attempts - 1), LAST_RETRY_MS)
}
