/**
 * The live products and the one snapshot made of them. Changes that come together are published
 * together; a snapshot is swapped in only once its prices have a version, and revisions it no
 * longer holds drain and stop afterwards.
 */
import type { Logger } from '../log/logger.ts'
import { stop } from '../plugins/lifecycle.ts'
import type { PriceRegistry } from '../pricing/registry.ts'
import type { Claims, Wanted } from './ownership.ts'
import type { Rail } from '../rails/contract.ts'
import type { MountedProduct, MountedRails } from './mounted-product.ts'
import { Snapshot } from './snapshot.ts'

/** Shortest time that calls inside an old revision get. */
const DRAIN_MIN_MS = 30_000
const STOP_MS = 10_000

interface Retired {
  product: MountedProduct
  wanted: Wanted
}

export class Publisher {
  readonly #prices: PriceRegistry
  readonly #claims: Claims
  readonly #log: Logger
  readonly #live = new Map<string, Retired>()
  readonly #listeners = new Set<() => void>()
  readonly #draining = new Set<Promise<void>>()
  #retired: Retired[] = []
  readonly #kernelRails: MountedRails
  #snapshot: Snapshot
  #count = 0
  #dirty = false
  #originates = false
  #running: Promise<void> | null = null

  constructor(prices: PriceRegistry, claims: Claims, kernelRails: MountedRails, log: Logger) {
    this.#prices = prices
    this.#claims = claims
    this.#kernelRails = kernelRails
    this.#snapshot = new Snapshot('0', 0, new Map(), kernelRails)
    this.#log = log
  }

  current(): Snapshot {
    return this.#snapshot
  }

  onChange(listener: () => void): () => void {
    const own = (): void => listener()
    this.#listeners.add(own)
    return () => this.#listeners.delete(own)
  }

  live(productId: string): MountedProduct | null {
    return this.#live.get(productId)?.product ?? null
  }

  /** Replaces or removes (null) the live revision; `publish` makes it serve. */
  set(productId: string, next: Retired | null): void {
    const before = this.#live.get(productId)
    if (before) this.#retired.push(before)
    if (next) this.#live.set(productId, next)
    else this.#live.delete(productId)
    this.#dirty = true
  }

  /**
   * Resolves when everything set before this call serves. `originates`: the change was made here.
   * Throws when the price table cannot be stored; the old snapshot stays and the next call tries again.
   */
  async publish(originates: boolean): Promise<void> {
    this.#originates ||= originates
    while (this.#dirty || this.#running) {
      this.#running ??= this.#pass().finally(() => (this.#running = null))
      await this.#running
    }
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
        .map((product) => ({ id: product.id, list: product.prices }))
        .filter(({ list }) => list.rows.length > 0)
        .sort((a, b) => (a.id < b.id ? -1 : 1))
        .map(({ list }) => list)
      const version = await this.#prices.enforce(lists, originates)
      this.#snapshot = new Snapshot(
        String(++this.#count),
        version,
        products,
        this.#railsOf(products),
      )
    } catch (error) {
      this.#dirty = true
      this.#originates ||= originates
      this.#retired.push(...retired)
      throw error
    }
    for (const listener of this.#listeners) {
      try {
        listener()
      } catch (error) {
        this.#log.error({ err: error }, 'a listener to product changes failed')
      }
    }
    for (const one of retired) this.#retire(one)
  }

  /** The same list as before where the rails are the same: skills and their quotes stay the same then. */
  #railsOf(products: ReadonlyMap<string, MountedProduct>): MountedRails {
    const brought = new Map<string, Rail>()
    for (const { rails } of products.values()) for (const rail of rails) brought.set(rail.id, rail)
    for (const id of this.#kernelRails) brought.delete(id)
    const sorted = [...brought.values()].sort((a, b) => a.precedence - b.precedence)
    const rails = [...this.#kernelRails, ...sorted.map((rail) => rail.id)]
    const { rails: before } = this.#snapshot
    return rails.join() === before.join() ? before : rails
  }

  #retire({ product, wanted }: Retired): void {
    this.#claims.give(product.id, wanted)
    const longest = Math.max(...product.entries.map((e) => e.unpriced.limits.timeoutMs), 0)
    const drainMs = Math.max(DRAIN_MIN_MS, longest + 1000)
    const ending = this.#end(product, new Date(Date.now() + drainMs))
    this.#draining.add(ending)
    void ending.finally(() => this.#draining.delete(ending))
  }

  async #end(product: MountedProduct, deadline: Date): Promise<void> {
    const inside = await product.drained(deadline)
    const { spec, started, revision } = product.parts
    if (inside > 0)
      this.#log.warn({ product: spec.productId, revision, inside }, 'stopped with calls inside')
    await stop(started, new Date(Date.now() + STOP_MS), this.#log)
  }

  /** Stops every product; calls that are inside get until the deadline. */
  async close(deadline: Date): Promise<void> {
    const ending = [...this.#live.values()].map(({ product }) => this.#end(product, deadline))
    this.#live.clear()
    // `ending` keeps to the deadline by itself; older revisions may have a later one.
    await Promise.all(ending)
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, Math.max(0, deadline.getTime() - Date.now()))
    })
    await Promise.race([Promise.all(this.#draining), late])
    clearTimeout(timer)
  }
}
