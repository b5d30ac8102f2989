/**
 * Everything mounted at one moment. It never changes: a new revision, price or product makes a new
 * snapshot, so that a call sees consistent data from its look-up to its answer.
 */
import type { CatalogSnapshot, MountedSkill } from '../plugins/catalog.ts'
import type { Route } from '../plugins/route.ts'
import type { SkillTool } from '../plugins/skill.ts'
import type { Prompt, Resource } from '../plugins/mcp-contract.ts'
import type { MountedProduct, MountedRails, SkillEntry, Target } from './mounted-product.ts'
import { RouteTree, type Found } from './route-tree.ts'

export type Match =
  | {
      kind: 'skill'
      mounted: MountedSkill
      params: Readonly<Record<string, string>>
      /** Below base_path, still encoded, starting with '/'. */
      subPath: string
      /** Ends the count of the call as running in its product revision, which the look-up began. */
      leave(): void
    }
  | { kind: 'route'; route: Route; params: Readonly<Record<string, string>>; leave(): void }
  | { kind: 'method_not_allowed'; allow: readonly string[] }
  | { kind: 'bad_path'; message: string }
  | { kind: 'not_found' }

type AbsoluteRoute = { route: Route; product: MountedProduct }
const BY_ID = '/v1/p/'
const NOT_FOUND: Match = { kind: 'not_found' }

export class Snapshot implements CatalogSnapshot {
  readonly version: string
  readonly priceVersion: number
  readonly products: ReadonlyMap<string, MountedProduct>
  readonly rails: MountedRails
  readonly #byBase = new Map<string, MountedProduct>()
  /** The numbers of segments that base paths have, each of which costs one look-up. */
  readonly #depths: readonly number[]
  readonly #absolute: RouteTree<AbsoluteRoute>
  #skills: readonly MountedSkill[] | null = null
  #provided: ReadonlyMap<string, object> | null = null
  #tools: Map<string, { entry: SkillEntry; tool: SkillTool }> | null = null

  constructor(
    version: string,
    priceVersion: number,
    products: ReadonlyMap<string, MountedProduct>,
    rails: MountedRails,
  ) {
    this.version = version
    this.priceVersion = priceVersion
    this.products = products
    this.rails = rails
    const depths = new Set<number>()
    const absolute: AbsoluteRoute[] = []
    for (const product of products.values()) {
      const { basePath } = product.parts.spec
      this.#byBase.set(basePath, product)
      depths.add(basePath.split('/').length - 1)
      for (const route of product.absoluteRoutes) absolute.push({ route, product })
    }
    this.#depths = [...depths].sort((a, b) => b - a)
    this.#absolute = new RouteTree(
      absolute.map((target) => ({ method: target.route.method, path: target.route.path, target })),
    )
  }

  get skills(): readonly MountedSkill[] {
    this.#skills ??= [...this.products.values()].flatMap((product) =>
      product.entries.map((entry) => entry.at(this.priceVersion, this.rails)),
    )
    return this.#skills
  }

  /** What its products provide to others, by name; the first product with a name counts. */
  get provided(): ReadonlyMap<string, object> {
    this.#provided ??= new Map(
      [...this.products.values()].toReversed().flatMap(({ parts }) => {
        return Object.entries(parts.started.instance.provides ?? {})
      }),
    )
    return this.#provided
  }

  /** Plugin routes for OpenAPI: those of listed products, and those that are always documented. */
  get routes(): readonly Route[] {
    return [...this.products.values()].flatMap(documentedRoutes)
  }

  /** Prompts of public products only, like `resources`: both are listed to everybody. */
  get prompts(): readonly Prompt[] {
    return this.#shown().flatMap(({ parts }) => parts.started.instance.prompts ?? [])
  }

  get resources(): readonly Resource[] {
    return this.#shown().flatMap(({ parts }) => parts.started.instance.resources ?? [])
  }

  #shown(): MountedProduct[] {
    return [...this.products.values()].filter(({ parts }) => parts.spec.visibility === 'public')
  }

  tool(name: string): { mounted: MountedSkill; tool: SkillTool } | null {
    this.#tools ??= this.#indexTools()
    const found = this.#tools.get(name)
    return found
      ? { mounted: found.entry.at(this.priceVersion, this.rails), tool: found.tool }
      : null
  }

  #indexTools(): Map<string, { entry: SkillEntry; tool: SkillTool }> {
    const index = new Map<string, { entry: SkillEntry; tool: SkillTool }>()
    for (const product of this.products.values()) {
      for (const entry of product.entries) {
        for (const tool of entry.unpriced.tools) {
          for (const name of toolNames(tool.name)) index.set(name, { entry, tool })
        }
      }
    }
    return index
  }

  /** The match of a path; a matched skill or route counts as running until `leave`. */
  match(method: string, pathname: string): Match {
    if (pathname.startsWith(BY_ID)) return this.#matchById(method, pathname)
    for (const depth of this.#depths) {
      const end = endOfSegments(pathname, depth)
      if (end === -1) continue
      const product = this.#byBase.get(pathname.slice(0, end))
      if (product) {
        const subPath = pathname.slice(end)
        return this.#answer(product, product.match(method, subPath), subPath)
      }
    }
    const found = this.#absolute.match(method, pathname)
    if (found.kind === 'method_not_allowed') return found
    // Not found is answered the same however the path is written.
    if (found.kind !== 'found') return NOT_FOUND
    const { route, product } = found.target
    return { kind: 'route', route, params: found.params, leave: product.enter() }
  }

  /** /v1/p/{product_id}/{rest}: `rest` is what follows the product's base_path. */
  #matchById(method: string, pathname: string): Match {
    const end = pathname.indexOf('/', BY_ID.length)
    const id = pathname.slice(BY_ID.length, end === -1 ? undefined : end)
    const product = this.products.get(id)
    if (!product) return NOT_FOUND
    const subPath = end === -1 ? '' : pathname.slice(end)
    const found = product.match(method, subPath)
    if (found.kind === 'found' && found.target.kind === 'route') return NOT_FOUND
    return this.#answer(product, found, subPath)
  }

  #answer(product: MountedProduct, found: Found<Target>, subPath: string): Match {
    if (found.kind !== 'found') return found
    const { target, params } = found
    const leave = product.enter()
    if (target.kind === 'route') return { kind: 'route', route: target.route, params, leave }
    const mounted = target.entry.at(this.priceVersion, this.rails)
    return { kind: 'skill', mounted, params, subPath: subPath === '' ? '/' : subPath, leave }
  }
}

/** The routes of a product that documents show. */
export function documentedRoutes({ parts: { routes, spec } }: Pick<MountedProduct, 'parts'>) {
  return routes.filter((route) => spec.visibility === 'public' || route.isAlwaysDocumented)
}

/** Provides the current snapshot. */
export interface Serving {
  readonly snapshot: Snapshot
}

/** A look-up of what mounted products currently provide under a name. */
export function providedBy(serving: Serving) {
  return <T extends object>(name: string): T | null =>
    (serving.snapshot.provided.get(name) ?? null) as T | null
}

/** A dotted tool name and its underscore alias. */
export function toolNames(name: string): string[] {
  const alias = name.replaceAll('.', '_')
  return alias === name ? [name] : [name, alias]
}

/** The index at which the first `count` segments of a path end; -1 if it has fewer. */
function endOfSegments(pathname: string, count: number): number {
  let end = 0
  for (let i = 0; i < count; i++) {
    end = pathname.indexOf('/', end + 1)
    if (end === -1) return i === count - 1 ? pathname.length : -1
  }
  return end
}
