/**
 * Changes of products that are made on this instance: PUT, rollback, DELETE and the product files.
 * A revision is built beside the one that serves, stored, and only then takes its place; whatever
 * fails before that changes nothing.
 */
import type { Environment, Variable } from '../config/variable.ts'
import type { Logger } from '../log/logger.ts'
import { buildProduct, type BuildDeps, type NotBuilt } from './build.ts'
import type { Follower } from './follower.ts'
import { MountedProduct } from './mounted-product.ts'
import { parseProducts, type ParsedProduct } from './parse.ts'
import type { SpecProblem } from './problem.ts'
import type { Publisher } from './publisher.ts'
import type { Serial } from './keyed-mutex.ts'
import type { Activation, FileRef, ProductStore } from './store.ts'

export interface ChangesDeps {
  store: ProductStore
  publisher: Publisher
  follower: Follower
  /** Orders the changes of each product. */
  serial: Serial
  build: BuildDeps
  env: Environment
  variables: readonly Variable[]
  log: Logger
}
/** Refused unless this revision is active; null: unless none is; undefined: never refused. */
export interface Conditions {
  ifActive?: number | null
}
export type Applied =
  | {
      ok: true
      productId: string
      revision: number
      /** No product of this id was active before. */
      created: boolean
      isSame: boolean
      warnings: readonly SpecProblem[]
    }
  | { ok: false; reason: 'invalid'; stage: string; problems: readonly SpecProblem[] }
  | { ok: false; reason: 'stale'; active: number | null }
  | { ok: false; reason: 'unknown' }

export class ProductChanges {
  readonly #deps: ChangesDeps

  constructor(deps: ChangesDeps) {
    this.#deps = deps
  }

  /** Validates, builds, stores and serves the spec in `text`; nothing changes when it fails. */
  async put(productId: string, text: string, conditions: Conditions = {}): Promise<Applied> {
    const parsed = this.parseOne(text, productId)
    if (!parsed.ok) return parsed
    return this.#deps.serial.run(productId, async () => {
      await this.#deps.follower.followNow(productId)
      return this.#apply(parsed.parsed, {
        productId,
        body: text,
        hash: parsed.parsed.hash,
        source: 'api',
        ...conditions,
      })
    })
  }

  /** Makes a stored revision the active one again. */
  rollback(productId: string, revision: number, conditions: Conditions = {}): Promise<Applied> {
    return this.#deps.serial.run(productId, async () => {
      await this.#deps.follower.followNow(productId)
      const stored = await this.#deps.store.revision(productId, revision)
      if (!stored) return { ok: false, reason: 'unknown' }
      const parsed = this.parseOne(stored.body, productId)
      if (!parsed.ok) return parsed
      const live = this.#deps.publisher.live(productId)
      const created = live === null
      if (live?.parts.revision === revision) {
        if (conditions.ifActive !== undefined && conditions.ifActive !== revision)
          return { ok: false, reason: 'stale', active: revision }
        return { ok: true, productId, revision, created, isSame: true, warnings: [] }
      }
      const built = await buildProduct(parsed.parsed, this.#deps.build)
      if (!built.ok) return invalid(built)
      const pointed = await orDiscard(built, () =>
        this.#deps.store.point(productId, revision, conditions.ifActive),
      )
      if (!pointed.ok) {
        await built.discard()
        return { ok: false, reason: 'stale', active: pointed.active }
      }
      const product = new MountedProduct({ ...built.parts, revision, source: stored.source })
      this.#deps.follower.serve(product, built.wanted, pointed.change)
      await this.#deps.publisher.publish(true)
      const { warnings } = built
      return { ok: true, productId, revision, created, isSame: false, warnings }
    })
  }

  /** Takes a product out of service; its revisions stay. */
  remove(
    productId: string,
    conditions: Conditions = {},
  ): Promise<{ ok: true; revision: number } | Extract<Applied, { ok: false }>> {
    return this.#deps.serial.run(productId, async () => {
      const row = await this.#deps.store.row(productId)
      if (row?.active == null) return { ok: false, reason: 'unknown' }
      const ifActive = conditions.ifActive ?? row.active
      const pointed = await this.#deps.store.point(productId, null, ifActive)
      if (!pointed.ok) return { ok: false, reason: 'stale', active: pointed.active }
      this.#deps.follower.unserve(productId, pointed.change)
      await this.#deps.publisher.publish(true)
      return { ok: true, revision: row.active }
    })
  }

  /** The one product of a text, checked as far as no plugin is needed. */
  parseOne(
    text: string,
    productId?: string,
  ): { ok: true; parsed: ParsedProduct } | Extract<Applied, { reason: 'invalid' }> {
    const products = parseProducts(text, {
      file: null,
      env: this.#deps.env,
      variables: this.#deps.variables,
      ...(productId !== undefined && { productId }),
    })
    const refuse = (problems: readonly SpecProblem[]) =>
      ({ ok: false, reason: 'invalid', stage: 'spec', problems }) as const
    const broken = products.flatMap((product) => (product.ok ? [] : product.problems))
    const [first] = products
    if (broken.length > 0 || !first?.ok) return refuse(broken)
    if (products.length > 1)
      return refuse([first.problemAt([], `holds ${products.length} products; send one at a time`)])
    if (productId !== undefined && first.spec.productId !== productId) {
      const message = `must be ${productId}, as in the URL`
      return refuse([first.problemAt(['product_id'], message)])
    }
    return { ok: true, parsed: first }
  }

  /** What `put` would say, without doing it. */
  async validate(
    text: string,
    productId?: string,
  ): Promise<
    | { ok: true; parsed: ParsedProduct; warnings: readonly SpecProblem[] }
    | Extract<Applied, { reason: 'invalid' }>
  > {
    const parsed = this.parseOne(text, productId)
    if (!parsed.ok) return parsed
    const built = await buildProduct(parsed.parsed, this.#deps.build, true)
    if (!built.ok) return invalid(built)
    await built.discard()
    return { ok: true, parsed: parsed.parsed, warnings: built.warnings }
  }

  async #apply(parsed: ParsedProduct, activation: Activation, publish = true): Promise<Applied> {
    const { productId, hash } = activation
    const live = this.#deps.publisher.live(productId)
    if (live?.parts.hash === hash) {
      const same = await this.#deps.store.row(productId)
      if (same?.active === live.parts.revision) {
        const activated = await this.#deps.store.activate(activation)
        if (!activated.ok) return { ok: false, reason: 'stale', active: activated.active }
        if (activated.isSame) {
          const { revision } = activated
          const { warnings } = parsed
          return { ok: true, productId, revision, created: false, isSame: true, warnings }
        }
      }
    }
    const built = await buildProduct(parsed, this.#deps.build)
    if (!built.ok) return invalid(built)
    const activated = await orDiscard(built, () => this.#deps.store.activate(activation))
    if (!activated.ok) {
      await built.discard()
      return { ok: false, reason: 'stale', active: activated.active }
    }
    const { revision, change, replaced } = activated
    const product = new MountedProduct({ ...built.parts, revision, source: activation.source })
    this.#deps.follower.serve(product, built.wanted, change)
    if (publish) await this.#deps.publisher.publish(true)
    return {
      ok: true,
      productId,
      revision,
      created: replaced === null,
      isSame: activated.isSame,
      warnings: built.warnings,
    }
  }

  /** Serves what a product file says; the caller publishes. */
  applyFile(parsed: ParsedProduct, file: FileRef): Promise<Applied> {
    const { productId } = parsed.spec
    return this.#deps.serial.run(productId, () =>
      this.#apply(
        parsed,
        { productId, body: parsed.text, hash: parsed.hash, source: 'file', file },
        false,
      ),
    )
  }

  /** Removes what a file brought, unless something newer has taken its place; the caller publishes. */
  removeFile(productId: string, origin: string): Promise<void> {
    return this.#deps.serial.run(productId, async () => {
      const row = await this.#deps.store.row(productId)
      if (row?.fileOrigin !== origin) return
      await this.#deps.store.forgetFile(productId)
      if (row.active === null) return
      const active = await this.#deps.store.revision(productId, row.active)
      if (active?.source !== 'file') {
        this.#deps.log.warn(
          { product: productId, revision: row.active },
          'the file of a product is gone; the revision set over the API stays: DELETE removes it',
        )
        return
      }
      const pointed = await this.#deps.store.point(productId, null, row.active)
      if (pointed.ok) this.#deps.follower.unserve(productId, pointed.change)
    })
  }
}

function invalid(built: NotBuilt): Extract<Applied, { reason: 'invalid' }> {
  return { ok: false, reason: 'invalid', stage: built.stage, problems: built.problems }
}

async function orDiscard<T>(
  built: { discard(): Promise<void> },
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write()
  } catch (error) {
    await built.discard()
    throw error
  }
}
