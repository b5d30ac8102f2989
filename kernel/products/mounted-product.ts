/**
 * One served revision of a product: its routes and their look-up by path, its skills, and the
 * number of running calls. It never changes; a new revision is a new object, and the old one
 * drains.
 */
import type { MountedSkill } from '../plugins/catalog.ts'
import type { Route } from '../plugins/route.ts'
import type { Started } from '../plugins/lifecycle.ts'
import { priceListOf, type PriceList } from '../pricing/table.ts'
import type { Unpriced } from './mount.ts'
import { isWithin } from './path.ts'
import { RouteTree, type Found } from './route-tree.ts'
import type { Rail } from '../rails/contract.ts'
import type { ProductSpec, RouteSpec } from './spec.ts'
import { within } from '../work/timeout.ts'

export type Target = { kind: 'skill'; entry: SkillEntry } | { kind: 'route'; route: Route }

/** Ids of the rails that are mounted: those of the kernel first, then by precedence. */
export type MountedRails = readonly string[]

/**
 * A skill with the price version and rails of the snapshot: the same object as long as neither
 * changes, so that quotes are made only once.
 */
export class SkillEntry {
  readonly product: MountedProduct
  readonly unpriced: Unpriced
  #priced: MountedSkill | null = null
  #mountedRails: MountedRails | null = null

  constructor(product: MountedProduct, unpriced: Unpriced) {
    this.product = product
    this.unpriced = unpriced
  }

  at(priceVersion: number, mountedRails: MountedRails): MountedSkill {
    if (this.#priced?.priceVersion !== priceVersion || this.#mountedRails !== mountedRails) {
      const { rails: allowed } = this.unpriced
      const rails = allowed ? mountedRails.filter((id) => allowed.includes(id)) : mountedRails
      this.#mountedRails = mountedRails
      this.#priced = { ...this.unpriced, priceVersion, rails }
      owners.set(this.#priced, this.product)
    }
    return this.#priced
  }
}

const owners = new WeakMap<MountedSkill, MountedProduct>()

/** The product revision that a mounted skill belongs to. */
export function ownerOf(mounted: MountedSkill): MountedProduct | undefined {
  return owners.get(mounted)
}

const railOwners = new WeakMap<Rail, MountedProduct>()

/**
 * Counts a call as running in the product revision that provides the rail it pays by, so that the
 * rail is not stopped before; the returned function ends that.
 */
export function enterRail(rail: Rail): () => void {
  return railOwners.get(rail)?.enter() ?? (() => {})
}

export interface ProductParts {
  spec: ProductSpec
  document: unknown
  hash: string
  revision: number
  source: 'file' | 'api'
  started: Started
  skills: readonly Unpriced[]
  routes: readonly Route[]
}

export class MountedProduct {
  readonly parts: ProductParts
  readonly entries: readonly SkillEntry[]
  readonly prices: PriceList
  /** Routes outside of base_path, which the snapshot looks up. */
  readonly absoluteRoutes: readonly Route[]
  readonly #tree: RouteTree<Target>
  #inside = 0
  readonly #waiting = new Set<() => void>()

  constructor(parts: ProductParts) {
    this.parts = parts
    this.entries = parts.skills.map((skill) => new SkillEntry(this, skill))
    this.prices = priceListOf(parts.skills)
    for (const rail of this.rails) railOwners.set(rail, this)
    const base = parts.spec.basePath
    const isOwn = (route: Route): boolean => isWithin(route.path, base)
    const below = ({ method, path }: RouteSpec, target: Target) => ({
      method,
      path: path.slice(base.length) || '/',
      target,
    })
    this.absoluteRoutes = parts.routes.filter((route) => !isOwn(route))
    this.#tree = new RouteTree<Target>([
      ...this.entries.flatMap((entry) => {
        const { route } = entry.unpriced
        return route ? [below(route, { kind: 'skill', entry })] : []
      }),
      ...parts.routes.filter(isOwn).map((route) => below(route, { kind: 'route', route })),
    ])
  }

  /** The rails that its plugin provides. */
  get rails(): readonly Rail[] {
    return this.parts.started.instance.rails ?? []
  }

  get id(): string {
    return this.parts.spec.productId
  }

  /** Looks up a path below base_path ('' or '/…', still encoded). */
  match(method: string, subPath: string): Found<Target> {
    return this.#tree.match(method, subPath)
  }

  /** Counts a call as running; the returned function ends that, once. */
  enter(): () => void {
    this.#inside++
    let left = false
    return () => {
      if (left) return
      left = true
      this.#inside--
      if (this.#inside === 0) for (const resume of this.#waiting) resume()
    }
  }

  /** Resolves with the number of calls running at the deadline, or with 0 once all have ended. */
  async drained(deadline: Date): Promise<number> {
    if (this.#inside === 0) return 0
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.add(resolve)
    await within(promise, deadline.getTime() - Date.now(), () => {})
    this.#waiting.delete(resolve)
    return this.#inside
  }
}
