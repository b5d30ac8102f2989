/**
 * The folder of product files. A scan reads what changed since the last one; a file that is being
 * written is left for the next scan, so half a file never counts as a change.
 */
import { watch, type FSWatcher } from 'node:fs'
import { lstat, readdir, readFile, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { PRODUCT_BYTES_MAX, type Logger, type SpecProblem } from '#kernel'
import {
  codeOf,
  placelessProblem,
  type BrokenProduct,
  type FileDocument,
  type FolderOptions,
  type MountFailure,
  type ParsedProduct,
  type ProductFolder,
  type Scan,
} from '#kernel/host'
import { parseProducts } from './parse.ts'

/** A file must have rested this long before it is read (the first scan does not wait). */
const REST_MS = 100
const DEBOUNCE_MS = 50

interface Known {
  sizeBytes: number
  modifiedMs: number
  file: string
  products: readonly (ParsedProduct | BrokenProduct)[]
}

export class ProductFiles implements ProductFolder {
  readonly #dir: string
  readonly #parse: (text: string, file: string) => (ParsedProduct | BrokenProduct)[]
  readonly #log: Logger
  readonly #known = new Map<string, Known>()
  #watcher: FSWatcher | null = null
  #timer: ReturnType<typeof setTimeout> | null = null

  constructor({ dir, env, variables, log }: FolderOptions) {
    this.#dir = dir
    this.#parse = (text, file) => parseProducts(text, { file, env, variables })
    this.#log = log
  }

  async scan(mustRest: boolean): Promise<Scan> {
    let names: string[]
    try {
      const all = await readdir(this.#dir)
      names = all.filter((name) => /^[^.].*\.(ya?ml|json)$/i.test(name)).sort()
    } catch (error) {
      const reason = codeOf(error) || 'unknown error'
      return this.#said(false, `PRODUCTS_DIR ${this.#dir} cannot be read (${reason})`)
    }
    let isUnsettled = false
    for (const name of names) {
      if ((await this.#refresh(name, mustRest)) === 'unsettled') isUnsettled = true
    }
    for (const name of this.#known.keys()) if (!names.includes(name)) this.#known.delete(name)
    return this.#said(isUnsettled, null)
  }

  /** What the known files say together. */
  #said(isUnsettled: boolean, folderProblem: string | null): Scan {
    const documents = new Map<string, FileDocument>()
    const broken: MountFailure[] = []
    const known = [...this.#known].sort(([a], [b]) => (a < b ? -1 : 1))
    for (const [, { file, products }] of known) {
      for (const parsed of products) {
        if (!parsed.ok) {
          broken.push(specFailure(parsed.productId, file, parsed.problems))
          continue
        }
        const { productId } = parsed.spec
        const other = documents.get(productId)?.file
        if (other === undefined) documents.set(productId, { parsed, file })
        else {
          const message = `is in ${other} too: a product has one place`
          broken.push(specFailure(productId, file, [parsed.problemAt(['product_id'], message)]))
        }
      }
    }
    const unreadable = new Set(broken.map(({ productId }) => productId))
    if (folderProblem !== null)
      broken.push(specFailure(null, 'PRODUCTS_DIR', [placelessProblem(null, folderProblem)]))
    const mayHide = folderProblem !== null || unreadable.has(null)
    return {
      documents,
      broken,
      isUnsettled,
      isGone: (id) => !mayHide && !documents.has(id) && !unreadable.has(id),
    }
  }

  async #refresh(name: string, mustRest: boolean): Promise<'settled' | 'unsettled'> {
    const path = join(this.#dir, name)
    try {
      const before = await stat(path)
      if (!before.isFile()) return 'settled'
      const known = this.#known.get(name)
      if (known?.sizeBytes === before.size && known.modifiedMs === before.mtimeMs) return 'settled'
      if (mustRest && Math.abs(Date.now() - before.mtimeMs) < REST_MS) return 'unsettled'
      const text = before.size > PRODUCT_BYTES_MAX ? null : await readFile(path, 'utf8')
      const after = await stat(path)
      if (after.size !== before.size || after.mtimeMs !== before.mtimeMs) return 'unsettled'
      this.#keep(name, before, text ?? new Error(`is larger than ${PRODUCT_BYTES_MAX} bytes`))
    } catch (error) {
      const code = codeOf(error)
      // Gone between two calls: the next scan sees what it is then. A link that leads nowhere is a problem.
      if (code === 'ENOENT' && !(await isLink(path))) return 'unsettled'
      const reason = `cannot be read (${code || 'unknown error'})`
      this.#keep(name, { size: -1, mtimeMs: -1 }, new Error(reason))
    }
    return 'settled'
  }

  #keep(name: string, { size, mtimeMs }: { size: number; mtimeMs: number }, text: string | Error) {
    const path = join(this.#dir, name)
    const shown = relative(process.cwd(), path)
    const file = shown.startsWith('..') ? path : shown
    const products =
      typeof text === 'string'
        ? this.#parse(text, file).filter((one) => one.ok || !one.isElsewhere)
        : [
            {
              ok: false as const,
              productId: null,
              problems: [placelessProblem(file, text.message)],
            },
          ]
    this.#known.set(name, { sizeBytes: size, modifiedMs: mtimeMs, file, products })
  }

  watch(onChange: () => void): void {
    try {
      this.#watcher = watch(this.#dir, () => {
        if (this.#timer) return
        this.#timer = setTimeout(() => {
          this.#timer = null
          onChange()
        }, DEBOUNCE_MS)
      })
      this.#watcher.on('error', (error) =>
        this.#log.warn({ err: error }, 'watching products failed'),
      )
    } catch (error) {
      this.#log.warn(
        { code: codeOf(error), dir: this.#dir },
        'products folder is polled, not watched',
      )
    }
  }

  close(): void {
    this.#watcher?.close()
    if (this.#timer) clearTimeout(this.#timer)
  }
}

/** False where nothing is there any more. */
async function isLink(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => null)
  return found?.isSymbolicLink() ?? false
}

function specFailure(
  productId: string | null,
  file: string,
  problems: readonly SpecProblem[],
): MountFailure {
  return { productId, file, stage: 'spec', problems, since: new Date() }
}
