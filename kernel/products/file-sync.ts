/**
 * Carries changes of the product files into the registry: a new or changed document is applied, a
 * vanished one removed. What a file said last is remembered in the database, so a restart repeats
 * nothing and a file changed while the gateway was down still counts.
 */
import type { Environment, Variable } from '../config/variable.ts'
import type { Logger } from '../log/logger.ts'
import { ProductFiles, type FileEntry, type Scan } from './files.ts'
import type { ParsedProduct } from './parse.ts'
import { formatProblem, type SpecProblem } from './problem.ts'
import { retryAfterMs } from './retries.ts'
import type { Applied } from './changes.ts'
import type { FileRef, ProductRow } from './store.ts'

export interface FileSyncDeps {
  dir: string
  /** Names this folder of this machine: only what came from it is removed with it. */
  origin: string
  env: Environment
  variables: readonly Variable[]
  log: Logger
  apply(parsed: ParsedProduct, file: FileRef): Promise<Applied>
  remove(productId: string, origin: string): Promise<void>
  publish(): Promise<void>
}
interface FileProblem {
  productId: string | null
  file: string
  stage: string
  problems: readonly SpecProblem[]
  since: Date
}
interface Failure extends FileProblem {
  productId: string
  hash: string
  attempts: number
  retryAt: number
}

const RESCAN_MS = 120

export class FileSync {
  readonly #deps: FileSyncDeps
  readonly #files: ProductFiles
  /** The hash of each document that was dealt with. */
  readonly #done = new Map<string, string>()
  readonly #failures = new Map<string, Failure>()
  #broken: FileProblem[] = []
  #running: Promise<void> | null = null
  #again = false
  #freed = false
  #rescan: ReturnType<typeof setTimeout> | null = null
  #closed = false

  constructor(deps: FileSyncDeps) {
    this.#deps = deps
    this.#files = new ProductFiles(deps)
  }

  /** The first look: applies what changed since the database last heard of it. */
  async boot(rows: readonly ProductRow[]): Promise<void> {
    for (const row of rows) {
      if (row.fileHash !== null) this.#done.set(row.productId, row.fileHash)
    }
    const scan = await this.#files.scan(false)
    const present = new Set(documentsOf(scan).map((parsed) => parsed.spec.productId))
    const mine = rows.filter((row) => row.fileOrigin === this.#deps.origin)
    for (const row of rows) {
      if (mine.includes(row) || present.has(row.productId)) continue
      this.#done.delete(row.productId)
      if (row.active !== null && row.fileOrigin !== null)
        this.#deps.log.warn(
          { product: row.productId, from: row.fileOrigin, file: row.fileName },
          'this product came from a file elsewhere and stays: DELETE removes it',
        )
    }
    await this.#take(scan)
  }

  watch(): void {
    this.#files.watch(() => void this.sync())
  }

  /** Looks again; calls while one look is under way end in one more. */
  async sync(): Promise<void> {
    if (this.#closed) return
    this.#again = true
    this.#running ??= this.#loop().finally(() => (this.#running = null))
    await this.#running
  }

  /** Tries once more what another product may help to mount, without waiting for its time. */
  async retryNow(): Promise<void> {
    for (const failure of this.#failures.values()) {
      // A setup that hung for its whole time would hold up the start for that long again.
      const isHelped = failure.stage === 'mount'
      failure.retryAt = isHelped ? 0 : Date.now() + retryAfterMs(failure.attempts)
    }
    await this.sync()
  }

  async #loop(): Promise<void> {
    while (this.#again && !this.#closed) {
      this.#again = false
      try {
        const scan = await this.#files.scan(true)
        await this.#take(scan)
        await this.#deps.publish()
        if (scan.isUnsettled) this.#lookSoon()
        if (this.#freed) this.#retryConflicts()
      } catch (error) {
        this.#deps.log.warn({ err: error }, 'product files could not be applied')
      }
    }
  }

  /** What a vanished product owned is free once its removal is published. */
  #retryConflicts(): void {
    this.#freed = false
    for (const failure of this.#failures.values()) {
      if (failure.stage !== 'conflict') continue
      failure.retryAt = 0
      this.#again = true
    }
  }

  #lookSoon(): void {
    if (this.#rescan || this.#closed) return
    this.#rescan = setTimeout(() => {
      this.#rescan = null
      void this.sync()
    }, RESCAN_MS)
  }

  async #take(scan: Scan): Promise<void> {
    const broken = brokenOf(scan)
    const present = new Map<string, { parsed: ParsedProduct; file: string }>()
    for (const entry of scan.files) {
      for (const parsed of entry.products) {
        if (!parsed.ok) continue
        const id = parsed.spec.productId
        const other = present.get(id)
        if (other) broken.push(duplicate(parsed, entry, other.file))
        else present.set(id, { parsed, file: entry.name })
      }
    }
    for (const [id, { parsed, file }] of present) {
      if (this.#closed) return
      if (this.#done.get(id) === parsed.hash) this.#failures.delete(id)
      else if (this.#isDue(id, parsed.hash)) await this.#apply(id, parsed, file)
    }
    for (const id of this.#failures.keys()) if (!present.has(id)) this.#failures.delete(id)
    if (scan.folderProblem === null) await this.#removeVanished(scan, present)
    this.#keepBroken(broken)
  }

  #isDue(id: string, hash: string): boolean {
    const failure = this.#failures.get(id)
    return !failure || failure.hash !== hash || Date.now() >= failure.retryAt
  }

  async #apply(id: string, parsed: ParsedProduct, file: string): Promise<void> {
    const { origin, log } = this.#deps
    const applied = await this.#deps.apply(parsed, { origin, name: file, hash: parsed.hash })
    if (applied.ok) {
      this.#done.set(id, parsed.hash)
      this.#failures.delete(id)
      for (const warning of applied.warnings)
        log.warn({ product: id }, formatProblem({ ...warning, file }))
      return
    }
    if (applied.reason !== 'invalid') return
    const before = this.#failures.get(id)
    const isSame = before?.hash === parsed.hash
    const attempts = isSame ? before.attempts + 1 : 1
    const { stage, problems } = applied
    this.#failures.set(id, {
      productId: id,
      file,
      stage,
      problems,
      since: isSame ? before.since : new Date(),
      hash: parsed.hash,
      attempts,
      retryAt: Date.now() + retryAfterMs(attempts),
    })
    if (!isSame || before.problems[0]?.message !== problems[0]?.message)
      log.error(
        { product: id, stage, problems: problems.map(formatProblem) },
        'product file refused',
      )
  }

  /** A document that cannot be read is not a document that is gone. */
  async #removeVanished(scan: Scan, present: ReadonlyMap<string, unknown>): Promise<void> {
    const unreadable = scan.files.flatMap((entry) => entry.products).filter((one) => !one.ok)
    if (unreadable.some((one) => !one.ok && one.productId === null)) return
    const kept = new Set(unreadable.map((one) => (one.ok ? null : one.productId)))
    for (const id of this.#done.keys()) {
      if (present.has(id) || kept.has(id) || this.#closed) continue
      await this.#deps.remove(id, this.#deps.origin)
      this.#done.delete(id)
      this.#freed = true
    }
  }

  #keepBroken(broken: FileProblem[]): void {
    const keyOf = (one: FileProblem): string =>
      `${one.file} ${one.problems.map(formatProblem).join('|')}`
    const before = new Map(this.#broken.map((one) => [keyOf(one), one]))
    this.#broken = broken.map((one) => before.get(keyOf(one)) ?? one)
    for (const one of this.#broken) {
      if (before.has(keyOf(one))) continue
      this.#deps.log.error(
        { file: one.file, problems: one.problems.map(formatProblem) },
        'product file refused',
      )
    }
  }

  problems(): FileProblem[] {
    return [...this.#broken, ...this.#failures.values()].map(
      ({ productId, file, stage, problems, since }) => ({
        productId,
        file,
        stage,
        problems,
        since,
      }),
    )
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#files.close()
    if (this.#rescan) clearTimeout(this.#rescan)
    await this.#running
  }
}

function documentsOf(scan: Scan): ParsedProduct[] {
  return scan.files.flatMap((entry) => entry.products.filter((one) => one.ok))
}

function brokenOf(scan: Scan): FileProblem[] {
  const since = new Date()
  const broken: FileProblem[] = scan.files.flatMap((entry) =>
    entry.products.flatMap((one) =>
      one.ok
        ? []
        : [
            {
              productId: one.productId,
              file: entry.name,
              stage: 'spec',
              problems: one.problems,
              since,
            },
          ],
    ),
  )
  if (scan.folderProblem !== null) {
    const message = scan.folderProblem
    const problem = { file: null, line: null, column: null, path: '', pointer: '', message }
    broken.push({
      productId: null,
      file: 'PRODUCTS_DIR',
      stage: 'spec',
      problems: [problem],
      since,
    })
  }
  return broken
}

function duplicate(parsed: ParsedProduct, entry: FileEntry, other: string): FileProblem {
  const problem = parsed.problemAt(['product_id'], `is in ${other} too: a product has one place`)
  return {
    productId: parsed.spec.productId,
    file: entry.name,
    stage: 'spec',
    problems: [problem],
    since: new Date(),
  }
}
