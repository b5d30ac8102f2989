/**
 * The registry of products. They come from files and from PUT, and **the newest change wins**
 * whatever its source: a PUT stands until the file's text changes, a changed file replaces what was
 * PUT, and a product that was deleted comes back only with a changed file or a new PUT. The active
 * revision is one row in the database; every instance follows it, and keeps serving its last good
 * revision when it cannot.
 */
import { declaredVariables } from '../config/declared.ts'
import type { Environment } from '../config/variable.ts'
import type { Catalog, MountedSkill } from '../plugins/catalog.ts'
import type {
  Applied,
  Conditions,
  ProductDesk,
  ProductProblem,
  StoredProducts,
} from '../plugins/product-desk.ts'
import type { Route } from '../plugins/route.ts'
import type { Logger } from '../log/logger.ts'
import type { LifecycleDeps } from '../plugins/lifecycle.ts'
import { pluginsOf, type LoadedPlugins } from '../plugins/loaded.ts'
import type { PriceHistory, PriceRegistry } from '../pricing/registry.ts'
import type { Database } from '../storage/contract.ts'
import { migratePlugin } from '../storage/plugin-db.ts'
import { buildProduct, type BuildDeps } from './build.ts'
import { LiveProducts } from './live.ts'
import { Ownership } from './ownership.ts'
import { ownerOf, type MountedProduct } from './mounted-product.ts'
import { awaitsRail, type RailCheck } from './mount.ts'
import { formatProblem, placeless } from './problem.ts'
import type { ProductReader } from './reader.ts'
import type { OpenRevisions, ProductChanging, ProductRevisions } from './revisions.ts'
import { PRODUCT_BYTES_MAX } from './spec.ts'
import { providedBy, type Serving, type Snapshot } from './snapshot.ts'

export interface RegistryOptions {
  db: Database
  plugins: LoadedPlugins
  /** Null: products come over the API only. */
  productsDir: string | null
  reader: ProductReader
  revisions: ProductRevisions
  priceHistory: PriceHistory
  env: Environment
  railAvailable: RailCheck
  /** Ids of the kernel's own rails. */
  kernelRails: readonly string[]
  /** The kernel's own routes, read at start: no product may conflict with one. */
  reservedRoutes: readonly Pick<Route, 'method' | 'path'>[]
  makeEnv: LifecycleDeps['makeEnv']
  log: Logger
  /** The pause between polls of the database and the folder, which supplement notifications. */
  pollMs?: number
}

/** Each problem as a line that names its product, even if there is no file name. */
export function formatProductProblem({ productId, file, problems }: ProductProblem): string[] {
  const named = file === null && productId !== null ? `product ${productId}: ` : ''
  return problems.map((problem) => named + formatProblem(problem))
}

const STOP_TIMEOUT_MS = 30_000

export class ProductRegistry implements Catalog, ProductDesk {
  readonly store: StoredProducts
  readonly prices: PriceRegistry
  readonly plugins: LoadedPlugins
  readonly documents: ProductDesk['documents']
  readonly serving: Serving
  readonly provided: ReturnType<typeof providedBy>
  readonly #options: RegistryOptions
  readonly #ownership = new Ownership()
  readonly #live: LiveProducts
  readonly #revisions: OpenRevisions
  readonly #changes: ProductChanging
  readonly #startedAt = new Date()

  constructor(options: RegistryOptions) {
    this.#options = options
    const { db, plugins, productsDir, reader, env, railAvailable, kernelRails, log, pollMs } =
      options
    this.prices = options.priceHistory.createRegistry(db)
    this.plugins = plugins
    this.documents = { schema: reader.documentSchema, maxBytes: PRODUCT_BYTES_MAX }
    const variables = declaredVariables(pluginsOf(plugins))
    this.#live = new LiveProducts({
      prices: this.prices,
      ownership: this.#ownership,
      kernelRails,
      log,
    })
    this.serving = this.#live
    this.provided = providedBy(this.#live)
    const build: BuildDeps = {
      plugins,
      checks: plugins.checks,
      ownership: this.#ownership,
      railAvailable,
      mountedRails: () => this.current().rails,
      makeEnv: options.makeEnv,
      migrate: (id, migrations) => migratePlugin(db, id, migrations),
      log,
    }
    this.#revisions = options.revisions.open({
      db,
      reader,
      productsDir,
      env,
      variables,
      live: this.#live,
      build: (parsed, dryRun) => buildProduct(parsed, build, dryRun),
      awaitsRail: (spec) => awaitsRail(spec, railAvailable),
      log,
      ...(pollMs !== undefined && { pollMs }),
    })
    this.#changes = this.#revisions.changes
    this.store = this.#revisions.store
  }

  /** Loads files and stored products, publishes the first snapshot, then follows changes. */
  async start(): Promise<void> {
    this.#ownership.reserve(this.#options.reservedRoutes)
    const { log } = this.#options
    for (const { origin, message } of this.plugins.problems)
      log.error({ origin, problem: message }, 'plugin not loaded')
    for (const { plugin, origin } of this.plugins.plugins.values()) {
      for (const problem of this.#ownership.reserveFor(plugin.id, plugin.reservedPaths ?? []))
        log.error({ origin, problem }, 'path not reserved for a plugin')
    }
    await this.#revisions.start()
  }

  /** Stops following changes and stops every product; running calls get until the deadline. */
  async stop(deadline = new Date(Date.now() + STOP_TIMEOUT_MS)): Promise<void> {
    await this.#revisions.stop()
    await this.#live.close(deadline)
  }

  current(): Snapshot {
    return this.#live.snapshot
  }

  onChange(listener: () => void): () => void {
    return this.#live.onChange(listener)
  }

  waitingAt(pathname: string): ReturnType<OpenRevisions['waitingAt']> {
    return this.#revisions.waitingAt(pathname)
  }

  /** The skill that a call of this path would reach; null if none. */
  skillAt(method: string, path: string): MountedSkill | null {
    const match = this.current().match(method, path)
    // The caller does not run anything of the product, so its drain need not wait for the caller.
    if ('leave' in match) match.leave()
    return match.kind === 'skill' ? match.mounted : null
  }

  /** Counts a call that did not come through `match` (an MCP tool) as running in its revision. */
  enter(mounted: MountedSkill): () => void {
    return ownerOf(mounted)?.enter() ?? (() => {})
  }

  live(productId: string): MountedProduct | null {
    return this.#live.get(productId)
  }

  /** The current problems, for /ready, the log and the console. */
  problems(): ProductProblem[] {
    const plugins = this.plugins.problems.map(({ origin, message }) => ({
      productId: null,
      file: origin,
      stage: 'plugin',
      problems: [placeless(origin, message)],
      since: this.#startedAt,
    }))
    return [...this.#revisions.problems(), ...plugins].map((problem) => ({
      ...problem,
      serving:
        problem.productId === null ? null : (this.live(problem.productId)?.parts.revision ?? null),
    }))
  }

  /** Validates, builds, stores and serves the spec in `text`; nothing changes if it fails. */
  put(productId: string, text: string, conditions?: Conditions): Promise<Applied> {
    return this.#changes.put(productId, text, conditions)
  }

  /** Makes a stored revision the active one again. */
  rollback(productId: string, revision: number, conditions?: Conditions): Promise<Applied> {
    return this.#changes.rollback(productId, revision, conditions)
  }

  /** Takes a product out of service; its revisions stay. */
  remove(productId: string, conditions?: Conditions): ReturnType<ProductChanging['remove']> {
    return this.#changes.remove(productId, conditions)
  }

  /** The result that `put` would have, without doing it. */
  validate(text: string): ReturnType<ProductChanging['validate']> {
    return this.#changes.validate(text)
  }

  /** The only product of a text, with all checks that need no plugin. */
  parseOne(text: string, productId?: string): ReturnType<ProductChanging['parseOne']> {
    return this.#changes.parseOne(text, productId)
  }
}
