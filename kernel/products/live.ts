/**
 * What serves on this instance: the live products and the snapshot made of them. Concurrent changes
 * are published together; a snapshot is swapped in only once its prices have a version, and
 * revisions that it no longer holds drain and stop afterwards.
 */
import type { Logger } from '../log/logger.ts'
import { stop } from '../plugins/lifecycle.ts'
import { within } from '../work/timeout.ts'
import type { PriceRegistry } from '../pricing/registry.ts'
import type { Built } from './build.ts'
import type { Ownership, Wanted } from './ownership.ts'
import type { Rail } from '../rails/contract.ts'
import { MountedProduct, type MountedRails, type ProductParts } from './mounted-product.ts'
import { Snapshot } from './snapshot.ts'

/** The least time that calls in an old revision get to finish. */
const DRAIN_MIN_MS = 30_000
const STOP_MS = 10_000
/** How long after its work a call may still need the rail that pays it. */
const SETTLE_MS = 60_000

interface Live {
  product: MountedProduct
  wanted: Wanted
}
export interface LiveDeps {
  prices: PriceRegistry
  ownership: Ownership
  /** Ids of the kernel's own rails. */
  kernelRails: MountedRails
  log: Logger
}

export class LiveProducts {
  readonly #deps: LiveDeps
  readonly #live = new Map<string, Live>()
  /** The latest row change that each product here reflects, including removed products. */
  readonly #changes = new Map<string, bigint>()
  readonly #listeners = new Set<() => void>()
  readonly #draining = new Set<Promise<void>>()
  #retired: Live[] = []
  /** Everything mounted now. */
  snapshot: Snapshot
  #count = 0
  #dirty = false
  #isPublished = false
  #originates = false
  #running: Promise<void> | null = null

  constructor(deps: LiveDeps) {
    this.#deps = deps
    this.snapshot = new Snapshot('0', 0, new Map(), deps.kernelRails)
  }

  onChange(listener: () => void): () => void {
    const own = (): void => listener()
    this.#listeners.add(own)
    return () => this.#listeners.delete(own)
  }

  get(productId: string): MountedProduct | null {
    return this.#live.get(productId)?.product ?? null
  }

  /** Whether the live state reflects this change of the product's row, or a later one. */
  reflects(productId: string, change: bigint): boolean {
    const reflected = this.#changes.get(productId)
    return reflected !== undefined && reflected >= change
  }

  /** Records that the live state reflects this change. */
  keep(productId: string, change: bigint): void {
    this.#changes.set(productId, change)
  }

  /** Makes a built revision the live one; `originates`: the change was made on this instance. */
  serve(
    { parts, wanted }: Pick<Built, 'parts' | 'wanted'>,
    at: Pick<ProductParts, 'revision' | 'source'> & { change: bigint; originates: boolean },
  ): void {
    const { revision, source } = at
    const product = new MountedProduct({ ...parts, revision, source })
    this.#replace(product.id, { product, wanted }, at.change, at.originates)
    this.#deps.log.info({ product: product.id, revision, source }, 'product mounted')
  }

  /** Takes a product out of service. */
  withdraw(productId: string, change: bigint, originates: boolean): void {
    if (!this.#live.has(productId)) return this.keep(productId, change)
    this.#replace(productId, null, change, originates)
    this.#deps.log.info({ product: productId }, 'product removed')
  }

  #replace(productId: string, next: Live | null, change: bigint, originates: boolean): void {
    this.keep(productId, change)
    const before = this.#live.get(productId)
    if (before) this.#retired.push(before)
    if (next) this.#live.set(productId, next)
    else this.#live.delete(productId)
    this.#dirty = true
    this.#originates ||= originates
  }

  /**
   * Resolves when all changes made before this call are served. Throws if the price table cannot be
   * stored; the old snapshot stays and the next call tries again.
   */
  async publish(): Promise<void> {
    while (this.#dirty || this.#running) {
      this.#running ??= this.#pass().finally(() => (this.#running = null))
      await this.#running
    }
  }

  /**
   * Publishes if that adds or removes rails. Before the first publication only products with rails
   * are included, because prices that nobody can pay must not become a price table.
   */
  async publishRails(): Promise<void> {
    const products = [...this.#live.values()].map(({ product }) => product)
    const rails = this.#railsOf(products)
    if (rails === this.snapshot.rails) return
    if (this.#isPublished) return this.publish()
    const withRails = products.filter((product) => product.rails.length > 0)
    const byId = new Map(withRails.map((product) => [product.id, product]))
    this.snapshot = new Snapshot(String(++this.#count), 0, byId, rails)
    this.#tellListeners()
  }

  async #pass(): Promise<void> {
    const originates = this.#originates
    const products = new Map([...this.#live].map(([id, { product }]) => [id, product] as const))
    const retired = this.#retired
    this.#retired = []
    this.#dirty = false
    this.#originates = false
    try {
      const lists = [...products.values()]
        .sort((a, b) => (a.id < b.id ? -1 : 1))
        .map(({ prices }) => prices)
        .filter(({ rows }) => rows.length > 0)
      const version = await this.#deps.prices.enforce(lists, originates)
      this.snapshot = new Snapshot(
        String(++this.#count),
        version,
        products,
        this.#railsOf([...products.values()]),
      )
    } catch (error) {
      this.#dirty = true
      this.#originates ||= originates
      this.#retired.push(...retired)
      throw error
    }
    this.#isPublished = true
    this.#tellListeners()
    for (const one of retired) this.#retire(one)
  }

  #tellListeners(): void {
    for (const listener of this.#listeners) {
      try {
        listener()
      } catch (error) {
        this.#deps.log.error({ err: error }, 'a listener to product changes failed')
      }
    }
  }

  /** Returns the same list while the rails do not change, so that quotes stay the same. */
  #railsOf(products: readonly MountedProduct[]): MountedRails {
    const brought = new Map<string, Rail>()
    for (const { rails } of products) for (const rail of rails) brought.set(rail.id, rail)
    for (const id of this.#deps.kernelRails) brought.delete(id)
    const sorted = [...brought.values()].sort((a, b) => a.precedence - b.precedence)
    const rails = [...this.#deps.kernelRails, ...sorted.map((rail) => rail.id)]
    const { rails: before } = this.snapshot
    return rails.join() === before.join() ? before : rails
  }

  #retire({ product, wanted }: Live): void {
    this.#deps.ownership.give(product.id, wanted)
    // Calls of any product may still use a rail that is removed.
    const held = product.rails.length > 0 ? [...this.#live.values()].map((one) => one.product) : []
    const entries = [product, ...held].flatMap((one) => one.entries)
    const longest = Math.max(...entries.map((entry) => entry.unpriced.limits.timeoutMs), 0)
    const marginMs = held.length > 0 ? SETTLE_MS : 1000
    const drainMs = Math.max(DRAIN_MIN_MS, longest + marginMs)
    const ending = this.#end(product, new Date(Date.now() + drainMs))
    this.#draining.add(ending)
    void ending.finally(() => this.#draining.delete(ending))
  }

  async #end(product: MountedProduct, deadline: Date): Promise<void> {
    const inside = await product.drained(deadline)
    const { spec, started, revision } = product.parts
    if (inside > 0)
      this.#deps.log.warn(
        { product: spec.productId, revision, inside },
        'stopped with calls inside',
      )
    await stop(started, new Date(Date.now() + STOP_MS), this.#deps.log)
  }

  /** Stops every product; running calls get until the deadline. */
  async close(deadline: Date): Promise<void> {
    // Also revisions whose replacement was not published.
    const last = [...this.#live.values(), ...this.#retired]
    const ending = last.map(({ product }) => this.#end(product, deadline))
    this.#live.clear()
    this.#retired = []
    // `ending` observes the deadline itself; older revisions may have a later one.
    await Promise.all(ending)
    await within(Promise.all(this.#draining), deadline.getTime() - Date.now(), () => {})
  }
}
