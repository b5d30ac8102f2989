/**
 * Keeps what serves on this instance at what the database says: hears of changes, polls for those
 * it did not hear of, and tries again what could not be mounted. Until then the last good revision
 * serves.
 */
import type { Logger } from '../log/logger.ts'
import { buildProduct, type BuildDeps } from './build.ts'
import type { Wanted } from './ownership.ts'
import { MountedProduct } from './mounted-product.ts'
import type { ParsedProduct } from './parse.ts'
import { formatProblem, type SpecProblem } from './problem.ts'
import type { Publisher } from './publisher.ts'
import { Retries } from './retries.ts'
import type { Serial } from './keyed-mutex.ts'
import type { ProductRow, ProductStore } from './store.ts'

export interface FollowerDeps {
  store: ProductStore
  publisher: Publisher
  /** Orders the changes of each product. */
  serial: Serial
  build: BuildDeps
  parse(
    text: string,
    productId: string,
  ):
    | { ok: true; parsed: ParsedProduct }
    | { ok: false; stage: string; problems: readonly SpecProblem[] }
  /** Before each poll of the database. */
  syncFiles(): Promise<void>
  log: Logger
  /** How often the database is looked at besides its notifications. */
  pollMs?: number
}

const POLL_MS = 5000
/** Rows that changed in this time are looked at on each poll; all of them now and then. */
const RECENT_S = 120
const FULL_EVERY = 12

export class Follower {
  readonly #deps: FollowerDeps
  readonly #retries = new Retries()
  /** The database change that the live revision of a product reflects. */
  readonly #seen = new Map<string, bigint>()
  #polls = 0
  #timer: ReturnType<typeof setTimeout> | null = null
  #state: 'starting' | 'following' | 'stopped' = 'starting'

  constructor(deps: FollowerDeps) {
    this.#deps = deps
  }

  /** From now on changes are followed as they come. */
  begin(): void {
    if (this.#state === 'starting') this.#state = 'following'
  }

  /** Looks at the database again and again, until `stop`. */
  poll(): void {
    this.#timer = setTimeout(() => {
      void this.#pollOnce().finally(() => {
        if (this.#state === 'following') this.poll()
      })
    }, this.#deps.pollMs ?? POLL_MS)
  }

  stop(): void {
    this.#state = 'stopped'
    if (this.#timer) clearTimeout(this.#timer)
  }

  /** Makes every failed product due for another try. */
  hasten(): void {
    this.#retries.hasten()
  }

  problems(): ReturnType<Retries['problems']> {
    return this.#retries.problems()
  }

  /** The product of this path that is stored, does not serve, and is tried again. */
  waitingAt(pathname: string): { productId: string; retryAfterMs: number } | null {
    const waiting = this.#retries.hasAny() ? this.#retries.over(pathname) : null
    return waiting && this.#deps.publisher.live(waiting.productId) === null ? waiting : null
  }

  /** Makes a built revision the live one, which reflects `change` of the database. */
  serve(product: MountedProduct, wanted: Wanted, change: bigint): void {
    this.#deps.publisher.set(product.id, { product, wanted })
    this.#seen.set(product.id, change)
    this.#retries.done(product.id)
    const { revision, source } = product.parts
    this.#deps.log.info({ product: product.id, revision, source }, 'product mounted')
  }

  /** Takes a product out, as `change` of the database says. */
  unserve(productId: string, change: bigint): void {
    const { publisher, log } = this.#deps
    this.#seen.set(productId, change)
    this.#retries.done(productId)
    if (publisher.live(productId) === null) return
    publisher.set(productId, null)
    log.info({ product: productId }, 'product removed')
  }

  /** Brings one product to what the database says, and publishes. */
  async follow(productId: string): Promise<void> {
    // While files are read at boot, a half-read folder must not become a price table of its own.
    if (this.#state !== 'following') return
    const { serial, publisher, log } = this.#deps
    try {
      await serial.run(productId, () => this.followNow(productId))
      await publisher.publish(false)
    } catch (error) {
      log.warn({ err: error, product: productId }, 'product not followed yet')
    }
  }

  /** The same inside work on this product, unpublished. */
  async followNow(productId: string): Promise<void> {
    const row = await this.#deps.store.row(productId)
    if (row) await this.#followRow(row)
  }

  /** Brings these products to what the database says, unpublished; after `stop` no more of them. */
  async followRows(rows: readonly ProductRow[]): Promise<void> {
    for (const row of rows) {
      if (this.#state === 'stopped') return
      if (this.#isBehind(row))
        await this.#deps.serial.run(row.productId, () => this.#followRow(row))
    }
  }

  #isBehind(row: ProductRow): boolean {
    const seen = this.#seen.get(row.productId)
    if (seen !== undefined && seen >= row.change) return false
    return this.#retries.isDue(row.productId, row.change)
  }

  async #followRow(row: ProductRow): Promise<void> {
    const { productId, active, change } = row
    const { store, publisher, build } = this.#deps
    if (!this.#isBehind(row)) return
    if (active === null) return this.unserve(productId, change)
    if (publisher.live(productId)?.parts.revision === active) {
      this.#seen.set(productId, change)
      return
    }
    const stored = await store.revision(productId, active)
    if (!stored) return
    const parsed = this.#deps.parse(stored.body, productId)
    const built = parsed.ok ? await buildProduct(parsed.parsed, build) : parsed
    if (!built.ok) {
      const basePath = parsed.ok ? parsed.parsed.spec.basePath : null
      const { stage, problems } = built
      if (this.#retries.failed(productId, change, basePath, stage, problems))
        this.#tell(productId, stage, problems)
      return
    }
    const product = new MountedProduct({ ...built.parts, revision: active, source: stored.source })
    this.serve(product, built.wanted, change)
  }

  #tell(productId: string, stage: string, problems: readonly SpecProblem[]): void {
    const { publisher, log } = this.#deps
    const serving = publisher.live(productId)?.parts.revision ?? null
    log.error(
      { product: productId, stage, serving, problems: problems.map(formatProblem) },
      'product revision cannot be mounted',
    )
  }

  async #pollOnce(): Promise<void> {
    const { store, publisher, log, syncFiles } = this.#deps
    try {
      await syncFiles()
      const isFull = this.#polls++ % FULL_EVERY === 0 || this.#retries.hasAny()
      await this.followRows(isFull ? await store.rows() : await store.changedWithin(RECENT_S))
      await publisher.publish(false)
    } catch (error) {
      log.warn({ err: error }, 'products could not be compared with the database')
    }
  }
}
