/**
 * Keeps what serves on this instance at what is wanted. Wanted is the active revision of each
 * product in the database; a product file that was changed, or went, changes that first. What a file
 * said last is remembered in the database, so a restart repeats nothing and a file changed while the
 * gateway was down still counts. Changes are heard of and, for those that were not, looked for; what
 * cannot be mounted is tried again, and until then the last good revision serves.
 */
import { formatSpecProblem, repeat, type Background } from '#kernel'
import type {
  MountFailure,
  ParsedProduct,
  ProductFolder,
  ProductRow,
  RevisionDeps,
  Scan,
} from '#kernel/host'
import type { ProductChanges } from './changes.ts'
import { Retries } from './retries.ts'
import type { ProductStore } from './store.ts'

export interface ReconcilerDeps extends Pick<
  RevisionDeps,
  'live' | 'awaitsRail' | 'log' | 'pollMs'
> {
  store: ProductStore
  /** Retries of stored revisions that cannot be mounted here. */
  retries: Retries
  changes: ProductChanges
  /** Null: products come over the API only. */
  files: ProductFolder | null
  /** Names the folder of this machine: only what came from it is removed with it. */
  origin: string
}

const POLL_MS = 5000
/** Rows that changed in this time are looked at on each poll; all of them now and then. */
const RECENT_S = 120
const FULL_EVERY = 12
/** A file that is being written is looked at again after this long. */
const RESCAN_MS = 120

export class Reconciler {
  readonly #deps: ReconcilerDeps
  readonly #fileRetries = new Retries()
  /** Product → the hash of its document that the database knows. */
  readonly #applied = new Map<string, string>()
  /** What the files said at the last look. */
  #documents: Scan['documents'] = new Map()
  #brokenFiles: readonly MountFailure[] = []
  #rails: readonly string[]
  #polls = 0
  #polling: Background | null = null
  #rescan: ReturnType<typeof setTimeout> | null = null
  #syncing: Promise<void> | null = null
  #syncAgain = false
  #state: 'starting' | 'following' | 'stopped' = 'starting'

  constructor(deps: ReconcilerDeps) {
    this.#deps = deps
    this.#rails = deps.live.snapshot.rails
    deps.live.onChange(() => this.#retryForRails())
  }

  /** Applies files, mounts what is stored, publishes the first snapshot, then follows changes. */
  async start(): Promise<void> {
    const { store, live, files } = this.#deps
    const railsBefore = this.#rails
    const rows = await store.rows()
    const scan = await files?.scan(false)
    if (scan) {
      await this.#recall(rows, scan)
      await this.#applyFiles(scan)
    }
    await this.#follow(await store.rows())
    await live.publish()
    this.#state = 'following'
    if (this.#rails !== railsBefore) await this.syncFiles()
    // What changed on another instance in the meantime was not followed.
    await this.#follow(await store.rows())
    await live.publish()
    files?.watch(() => void this.syncFiles())
    const { log, pollMs: everyMs = POLL_MS } = this.#deps
    this.#polling = repeat({ name: 'product revisions', everyMs, log }, () => this.#poll())
  }

  async stop(): Promise<void> {
    this.#state = 'stopped'
    this.#deps.files?.close()
    if (this.#rescan) clearTimeout(this.#rescan)
    // Not awaited: a look at the database may take long, and publishes nothing any more.
    void this.#polling?.stop()
    await this.#syncing
  }

  /** The row of this product changed, here or on another instance. */
  async rowChanged(productId: string): Promise<void> {
    // While files are read at the start, a half-read folder must not become a price table of its own.
    if (this.#state === 'following') await this.#deps.changes.followChanged(productId)
  }

  /** Looks at the files again; calls during one look end in one more. */
  async syncFiles(): Promise<void> {
    if (!this.#deps.files || this.#state !== 'following') return
    this.#syncAgain = true
    this.#syncing ??= this.#syncLoop(this.#deps.files)
    await this.#syncing
  }

  /** What keeps products from being what files and database say. */
  problems(): MountFailure[] {
    const { retries } = this.#deps
    return [...retries.problems(), ...this.#brokenFiles, ...this.#fileRetries.problems()]
  }

  async #syncLoop(files: ProductFolder): Promise<void> {
    while (this.#syncAgain && this.#state === 'following') {
      this.#syncAgain = false
      try {
        const scan = await files.scan(true)
        await this.#applyFiles(scan)
        await this.#publish()
        if (scan.isUnsettled && this.#state === 'following')
          this.#rescan ??= setTimeout(() => {
            this.#rescan = null
            void this.syncFiles()
          }, RESCAN_MS)
      } catch (error) {
        this.#deps.log.warn({ err: error }, 'product files could not be applied')
      }
    }
    // Not in a `finally` of the promise: a call in between would wait for a loop that looks no more.
    this.#syncing = null
  }

  async #poll(): Promise<void> {
    const { store, retries } = this.#deps
    await this.syncFiles()
    const isFull = this.#polls++ % FULL_EVERY === 0 || retries.hasAny()
    await this.#follow(isFull ? await store.rows() : await store.changedWithin(RECENT_S))
    await this.#publish()
  }

  /** Not after the stop: the products may be closed, and a price table without any would be stored. */
  async #publish(): Promise<void> {
    if (this.#state === 'following') await this.#deps.live.publish()
  }

  #follow(rows: readonly ProductRow[]): Promise<void> {
    return this.#railsFirst(rows, (row, mayWait) =>
      this.#deps.changes.follow(row, mayWait, this.#read(row)),
    )
  }

  /** The active document, if a file says it: it need not be parsed twice. */
  #read({ productId, activeHash }: ProductRow): ParsedProduct | null {
    const parsed = this.#documents.get(productId)?.parsed
    return parsed?.hash === activeHash ? (parsed ?? null) : null
  }

  /**
   * Mounts each of `wanted`; those that need a rail that is not here go last, because another one of
   * them may bring it.
   */
  async #railsFirst<T>(
    wanted: Iterable<T>,
    mount: (one: T, mayWait: boolean) => Promise<'waits' | 'done'>,
  ): Promise<void> {
    const waiting: T[] = []
    for (const one of wanted) {
      if (this.#state === 'stopped') return
      if ((await mount(one, true)) === 'waits') waiting.push(one)
    }
    if (waiting.length > 0) await this.#deps.live.publishRails()
    for (const one of waiting) if (this.#state !== 'stopped') await mount(one, false)
  }

  /** A product that could not be mounted for want of a rail is tried at once when rails come. */
  #retryForRails(): void {
    const { rails } = this.#deps.live.snapshot
    if (rails === this.#rails) return
    this.#rails = rails
    this.#fileRetries.hasten('mount')
    this.#deps.retries.hasten('mount')
    for (const { productId } of this.#deps.retries.problems())
      if (productId !== null) void this.rowChanged(productId)
    void this.syncFiles()
  }

  /** What the database knows of the files; products from files that are elsewhere stay. */
  async #recall(rows: readonly ProductRow[], { documents }: Scan): Promise<void> {
    const { origin, store, log } = this.#deps
    for (const { productId, active, fileOrigin, fileName, fileHash } of rows) {
      const here = documents.get(productId)
      const isHere = fileOrigin === origin || here !== undefined
      if (fileHash !== null && isHere) this.#applied.set(productId, fileHash)
      if (active !== null && fileOrigin !== null && !isHere)
        log.warn(
          { product: productId, from: fileOrigin, file: fileName },
          'this product came from a file elsewhere and stays: DELETE removes it',
        )
      if (here === undefined || here.parsed.hash !== fileHash) continue
      // The same file under the name that this machine, or the folder, has now: a container gets a new one.
      if (fileOrigin !== origin || fileName !== here.file)
        await store.noteFile(productId, { origin, name: here.file, hash: fileHash })
      if (active === null)
        log.warn(
          { product: productId, file: here.file },
          'the product of this file was removed by DELETE and stays out: roll back to a version, or change the file',
        )
    }
  }

  async #applyFiles(scan: Scan): Promise<void> {
    const { changes, live, origin } = this.#deps
    this.#documents = scan.documents
    const gone = [...this.#applied.keys()].filter((id) => scan.isGone(id))
    for (const id of gone) {
      if (this.#state === 'stopped') return
      await changes.removeFile(id, origin)
      this.#applied.delete(id)
    }
    // What a vanished product owned is free for another one once its removal is published.
    if (gone.length > 0) await live.publish()
    await this.#railsFirst(scan.documents.values(), async ({ parsed, file }, mayWait) => {
      const { productId } = parsed.spec
      if (this.#applied.get(productId) === parsed.hash) this.#fileRetries.done(productId)
      else if (mayWait && this.#deps.awaitsRail(parsed.spec)) return 'waits'
      else if (this.#fileRetries.isDue(productId, parsed.hash)) await this.#applyFile(parsed, file)
      return 'done'
    })
    this.#fileRetries.keepOnly(scan.documents)
    this.#noteBroken(scan.broken)
  }

  async #applyFile(parsed: ParsedProduct, file: string): Promise<void> {
    const { changes, origin, log } = this.#deps
    const { hash, spec } = parsed
    const { productId, basePath } = spec
    const applied = await changes.applyFile(parsed, { origin, name: file, hash })
    if (applied.ok) {
      this.#applied.set(productId, hash)
      this.#fileRetries.done(productId)
      for (const warning of applied.warnings)
        log.warn({ product: productId }, formatSpecProblem({ ...warning, file }))
    } else if (applied.reason === 'invalid') {
      const { stage, problems } = applied
      const failure = { productId, file, version: hash, basePath, stage, problems }
      if (this.#fileRetries.failed(failure))
        log.error(
          { product: productId, stage, problems: problems.map(formatSpecProblem) },
          'product file refused',
        )
    }
  }

  #noteBroken(broken: readonly MountFailure[]): void {
    const keyOf = ({ file, problems }: MountFailure): string =>
      `${file} ${problems.map(formatSpecProblem).join('|')}`
    const before = new Map(this.#brokenFiles.map((one) => [keyOf(one), one]))
    this.#brokenFiles = broken.map((one) => before.get(keyOf(one)) ?? one)
    for (const one of this.#brokenFiles) {
      if (before.has(keyOf(one))) continue
      this.#deps.log.error(
        { file: one.file, problems: one.problems.map(formatSpecProblem) },
        'product file refused',
      )
    }
  }
}
