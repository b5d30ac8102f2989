/**
 * Every change of a product on this instance: PUT, rollback, DELETE, its file, and what another
 * instance stored. A revision is built beside the one that serves, stored, and only then takes its
 * place; whatever fails before that changes nothing. Changes of one product run one after another.
 */
import { formatSpecProblem, type SpecProblem } from '#kernel'
import type {
  Applied,
  Conditions,
  InvalidSpec,
  ParsedProduct,
  ProductChanging,
  ProductRow,
  RevisionDeps,
  Stale,
  UnknownProduct,
} from '#kernel/host'
import { KeyedMutex } from './keyed-mutex.ts'
import type { Retries } from './retries.ts'
import type { Activated, Activation, FileRef, ProductStore } from './store.ts'

export interface ChangesDeps extends Pick<
  RevisionDeps,
  'live' | 'build' | 'awaitsRail' | 'env' | 'variables' | 'log'
> {
  store: ProductStore
  /** Retries of stored revisions that cannot be mounted here. */
  retries: Retries
  reader: Pick<RevisionDeps['reader'], 'parse'>
}

export class ProductChanges implements ProductChanging {
  readonly #deps: ChangesDeps
  readonly #mutex = new KeyedMutex()

  constructor(deps: ChangesDeps) {
    this.#deps = deps
  }

  /** Resolves when the changes under way have ended and are published. */
  idle(): Promise<void> {
    return this.#mutex.idle()
  }

  /** Validates, builds, stores and serves the spec in `text`; nothing changes when it fails. */
  async put(productId: string, text: string, conditions: Conditions = {}): Promise<Applied> {
    const spec = this.parseOne(text, productId)
    if (!spec.ok) return spec
    const { parsed } = spec
    return this.#published(productId, async () => {
      await this.#followStored(productId)
      return this.#activate(parsed, { body: text, source: 'api', ...conditions })
    })
  }

  /** Makes a stored revision the active one again. */
  rollback(productId: string, revision: number, conditions: Conditions = {}): Promise<Applied> {
    const { store, live } = this.#deps
    const { ifActive } = conditions
    return this.#published(productId, async () => {
      await this.#followStored(productId)
      const stored = await store.revision(productId, revision)
      if (!stored) return { ok: false, reason: 'unknown' }
      const spec = this.parseOne(stored.body, productId)
      if (!spec.ok) return spec
      if (live.get(productId)?.parts.revision === revision)
        return this.#pointToServed(productId, revision, ifActive)
      return this.#mount(spec.parsed, stored.source, true, () =>
        store.point(productId, revision, ifActive),
      )
    })
  }

  /** Makes active what serves here: it may not be, where a newer revision cannot be mounted. */
  async #pointToServed(
    productId: string,
    revision: number,
    ifActive: Conditions['ifActive'],
  ): Promise<Applied> {
    const { store, live, retries } = this.#deps
    const same = { ok: true, productId, revision, created: false, warnings: [] } as const
    if ((await store.row(productId))?.active === revision) {
      if (ifActive !== undefined && ifActive !== revision) return stale(revision)
      return { ...same, isSame: true }
    }
    const pointed = await store.point(productId, revision, ifActive)
    if (!pointed.ok) return stale(pointed.active)
    live.keep(productId, pointed.change)
    retries.done(productId)
    return { ...same, isSame: false }
  }

  /** Takes a product out of service; its revisions stay. */
  remove(
    productId: string,
    conditions: Conditions = {},
  ): Promise<{ ok: true; revision: number } | Stale | UnknownProduct> {
    return this.#published(productId, async () => {
      const row = await this.#deps.store.row(productId)
      if (row?.active == null) return { ok: false, reason: 'unknown' }
      const removed = await this.#withdraw(productId, conditions.ifActive ?? row.active)
      return removed.ok ? { ok: true, revision: row.active } : stale(removed.active)
    })
  }

  /** Serves what a product file says; the caller publishes. */
  applyFile(parsed: ParsedProduct, file: FileRef): Promise<Applied> {
    return this.#mutex.run(parsed.spec.productId, () =>
      this.#activate(parsed, { body: parsed.text, source: 'file', file }),
    )
  }

  /** Removes what a file brought, unless something newer has taken its place; the caller publishes. */
  removeFile(productId: string, origin: string): Promise<void> {
    const { store, log } = this.#deps
    return this.#mutex.run(productId, async () => {
      const row = await store.row(productId)
      if (!row) return
      const { active: revision, fileOrigin } = row
      if (fileOrigin !== origin) {
        if (revision !== null && fileOrigin !== null)
          log.warn(
            { product: productId, from: fileOrigin },
            'the file of a product is gone here; it came from elsewhere and stays until its file goes there: DELETE removes it',
          )
        return
      }
      const active = revision === null ? null : await store.revision(productId, revision)
      if (active?.source === 'file') await this.#withdraw(productId, active.revision)
      else if (active !== null)
        log.warn(
          { product: productId, revision },
          'the file of a product is gone; the revision set over the API stays: DELETE removes it',
        )
      // Last: what a kill leaves undone, the next start does.
      await store.noteFile(productId, null)
    })
  }

  /**
   * Serves what the database says about a product, unpublished; a failure is kept for a retry.
   * 'waits': the product needs a rail that is not here yet, and `mayWait` allowed to leave it.
   * `known` is the active document where its file was read already; null: it is read from the row.
   */
  async follow(
    row: ProductRow,
    mayWait: boolean,
    known: ParsedProduct | null,
  ): Promise<'waits' | 'done'> {
    if (!this.#isBehind(row)) return 'done'
    return this.#mutex.run(row.productId, () => this.#follow(row, mayWait, known))
  }

  /** The same for a product that may have changed; a database that cannot be read changes nothing. */
  async followChanged(productId: string): Promise<void> {
    try {
      await this.#published(productId, () => this.#followStored(productId))
    } catch (error) {
      this.#deps.log.warn({ err: error, product: productId }, 'product not followed yet')
    }
  }

  /** The one product of a text, checked as far as no plugin is needed. */
  parseOne(text: string, productId?: string): { ok: true; parsed: ParsedProduct } | InvalidSpec {
    const products = this.#deps.reader.parse(text, {
      file: null,
      env: this.#deps.env,
      variables: this.#deps.variables,
      ...(productId !== undefined && { productId }),
    })
    const broken = products.flatMap((product) => (product.ok ? [] : product.problems))
    const [first] = products
    if (broken.length > 0 || !first?.ok) return invalid('spec', broken)
    const problemAt = (...problem: Parameters<typeof first.problemAt>) =>
      invalid('spec', [first.problemAt(...problem)])
    if (products.length > 1)
      return problemAt([], `holds ${products.length} products; send one at a time`)
    if (productId !== undefined && first.spec.productId !== productId)
      return problemAt(['product_id'], `must be ${productId}, as in the URL`)
    return { ok: true, parsed: first }
  }

  /** What `put` would say, without doing it. */
  async validate(
    text: string,
  ): Promise<{ ok: true; parsed: ParsedProduct; warnings: readonly SpecProblem[] } | InvalidSpec> {
    const spec = this.parseOne(text)
    if (!spec.ok) return spec
    const built = await this.#deps.build(spec.parsed, true)
    if (!built.ok) return invalid(built.stage, built.problems)
    await built.discard()
    return { ok: true, parsed: spec.parsed, warnings: built.warnings }
  }

  #published<T>(productId: string, change: () => Promise<T>): Promise<T> {
    return this.#mutex.run(productId, async () => {
      const result = await change()
      await this.#deps.live.publish()
      return result
    })
  }

  #isBehind({ productId, change }: ProductRow): boolean {
    const { live, retries } = this.#deps
    return !live.reflects(productId, change) && retries.isDue(productId, String(change))
  }

  async #followStored(productId: string): Promise<void> {
    const row = await this.#deps.store.row(productId)
    if (row) await this.#follow(row)
  }

  async #follow(
    row: ProductRow,
    mayWait = false,
    known: ParsedProduct | null = null,
  ): Promise<'waits' | 'done'> {
    const { productId, active, change } = row
    const { store, live, retries, awaitsRail } = this.#deps
    if (!this.#isBehind(row)) return 'done'
    if (active === null || live.get(productId)?.parts.revision === active) {
      if (active === null) live.withdraw(productId, change, false)
      else live.keep(productId, change)
      retries.done(productId)
      return 'done'
    }
    const stored = await store.revision(productId, active)
    if (!stored) return 'done'
    const spec = known
      ? ({ ok: true, parsed: known } as const)
      : this.parseOne(stored.body, productId)
    if (spec.ok && mayWait && awaitsRail(spec.parsed.spec)) return 'waits'
    const mounted = spec.ok
      ? await this.#mount(spec.parsed, stored.source, false, async () => ({
          ok: true,
          revision: active,
          change,
          replaced: active,
          isSame: true,
        }))
      : spec
    if (!mounted.ok && mounted.reason === 'invalid') {
      const basePath = spec.ok ? spec.parsed.spec.basePath : null
      this.#failed(productId, String(change), basePath, mounted)
    }
    return 'done'
  }

  #failed(productId: string, version: string, basePath: string | null, invalid: InvalidSpec): void {
    const { live, retries, log } = this.#deps
    const { stage, problems } = invalid
    if (!retries.failed({ productId, file: null, version, basePath, stage, problems })) return
    const serving = live.get(productId)?.parts.revision ?? null
    log.error(
      { product: productId, stage, serving, problems: problems.map(formatSpecProblem) },
      'product revision cannot be mounted',
    )
  }

  /** Stores a document as the active revision and serves it; nothing new when it is active already. */
  async #activate(
    parsed: ParsedProduct,
    from: Omit<Activation, 'productId' | 'hash'>,
  ): Promise<Applied> {
    const { store, live } = this.#deps
    const { hash, warnings } = parsed
    const { productId } = parsed.spec
    const activation = { productId, hash, ...from }
    const parts = live.get(productId)?.parts
    if (parts?.hash === hash && (await store.row(productId))?.active === parts.revision) {
      const activated = await store.activate(activation)
      if (!activated.ok) return stale(activated.active)
      const { revision, isSame } = activated
      if (isSame) return { ok: true, productId, revision, created: false, isSame, warnings }
    }
    return this.#mount(parsed, from.source, true, () => store.activate(activation))
  }

  /** Builds a revision, stores it by `store` and makes it the live one, unpublished. */
  async #mount(
    parsed: ParsedProduct,
    source: 'file' | 'api',
    originates: boolean,
    store: () => Promise<Activated>,
  ): Promise<Applied> {
    const { live, retries } = this.#deps
    const { productId } = parsed.spec
    const built = await this.#deps.build(parsed)
    if (!built.ok) return invalid(built.stage, built.problems)
    let isServed = false
    try {
      const stored = await store()
      if (!stored.ok) return stale(stored.active)
      const { revision, change, replaced, isSame } = stored
      live.serve(built, { revision, source, change, originates })
      retries.done(productId)
      isServed = true
      const { warnings } = built
      return { ok: true, productId, revision, created: replaced === null, isSame, warnings }
    } finally {
      if (!isServed) await built.discard()
    }
  }

  async #withdraw(
    productId: string,
    ifActive: number,
  ): Promise<{ ok: true } | { ok: false; active: number | null }> {
    const { store, live, retries } = this.#deps
    const removed = await store.point(productId, null, ifActive)
    if (!removed.ok) return removed
    live.withdraw(productId, removed.change, true)
    retries.done(productId)
    return { ok: true }
  }
}

function invalid(stage: string, problems: readonly SpecProblem[]): InvalidSpec {
  return { ok: false, reason: 'invalid', stage, problems }
}

function stale(active: number | null): Stale {
  return { ok: false, reason: 'stale', active }
}
